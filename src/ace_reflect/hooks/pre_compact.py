"""
PreCompact: finished turns go to the queue before the conversation is summed up. The open turn waits for its end.

What is to be said after the compaction is worked out meanwhile, by a process that is not waited for. Nothing is said
here: this event's stdout becomes instructions for the summary.
"""

import time
from functools import partial

from ace_reflect.hooks.edge import Event, answer
from ace_reflect.state import cache

#: `cache` kind, by session: what set the compaction off, and when, which tells it from the next one ("auto 17…").
BEGUN = "compaction-begun"
#: `cache` kind, by session: what SessionStart(`compact`) says, as JSON: `note` to the model, `line` to the person.
NOTE = "compaction-note"


def _body(event: Event) -> None:
    if event.transcript:
        event.touch()
        begun = f"{event.text('trigger')} {time.time()}".encode("ascii", "replace")
        cache.put(event.state, BEGUN, event.session_id, "", begun)
        cache.drop(event.state, NOTE, event.session_id)  # the last compaction's
        event.queue("pre_compact", final=False)
        given = {
            "session": event.session_id,
            "transcript": event.transcript,
            "project": event.project,
            "begun": begun.decode(),
        }
        event.to_start.append(("ace_reflect.hooks.compaction_note", given))
        event.log("queued" if event.wants_worker else "learning-off")


main = partial(answer, "PreCompact", _body)
