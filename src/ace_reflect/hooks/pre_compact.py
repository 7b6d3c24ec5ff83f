"""PreCompact: finished turns go to the queue before the conversation is summed up. The open turn waits for its end. It is
registered for compactions in mid-task only, for at a /compact the host shows its command line: SessionStart does it then.

What is to be said after the compaction is worked out meanwhile, by a process that is not waited for. Nothing is said
here: this event's stdout becomes instructions for the summary.
"""

from ace_reflect.hooks.edge import Event, hook
from ace_reflect.state import cache

#: `cache` kind, by session: what is put in front of the model after a compaction; `SAID` is its identity when it was.
NOTE, SAID = "compaction-note", "said"
GO_ON = "The conversation was compacted in the middle of the task. Go on with it from where it stood: do not start over, and do not ask what to do. Look at the files before you trust the summary's account of them."


@hook("PreCompact")
def main(event: Event) -> None:
    if event.transcript:
        event.touch()
        prepare(event, event.text("trigger"))
        event.log("queued" if event.wants_worker else "learning-off")


def prepare(event: Event, trigger: str) -> None:
    """Have the finished turns learned from, and worked out how to go on."""
    if event.transcript:
        event.queue("pre_compact", final=False)
        # Until the process knows more. After a manual /compact nothing runs on that one could be in the middle of.
        note = GO_ON if trigger == "auto" else ""
        cache.put(event.state, NOTE, event.session_id, "", note.encode())
        given = {"transcript": event.transcript, "trigger": trigger}
        event.to_start.append(("ace_reflect.hooks.compaction_note", given))


def take_note(event: Event) -> str | None:
    """What is still to be said about the last compaction; None if it was said, or nothing was prepared."""
    note = cache.get(event.state, NOTE, event.session_id, "")
    if note is None:
        return None
    cache.put(event.state, NOTE, event.session_id, SAID, b"")
    return note.decode()
