"""PreCompact: finished turns go to the queue before the conversation is summed up. The open turn waits for its end."""

from ace_reflect.hooks.edge import Event, answer
from ace_reflect.state import cache, jobs, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO, TextIO

#: Where SessionStart(`compact`), which is not told, finds what set the compaction off: `cache` kind, by session.
TRIGGER = "compaction-trigger"
#: `cache` kind, by session: what the background assessment of this compaction wants said; "" for nothing.
NOTE = "compaction-note"


def main(stdin: "BinaryIO", stdout: "TextIO", environ: "Mapping[str, str]") -> int:
    """Answer one PreCompact event. Says nothing, for its stdout would become instructions for the summary; returns 0."""
    return answer("PreCompact", stdin, stdout, environ, _body, brief=True)


def _body(event: Event) -> None:
    if event.state is None or not event.session_id or not event.transcript:
        return
    learn = "pre_compact" in event.settings.learning_on
    with event.state.transaction():
        sessions.touch(event.state, event.session_id, project=event.project, transcript=event.transcript)
        cache.put(event.state, TRIGGER, event.session_id, "", event.text("trigger").encode())
        cache.drop(event.state, NOTE, event.session_id)  # the last compaction's
        if learn:
            jobs.enqueue(
                event.state,
                event.session_id,
                event.transcript,
                project=event.project,
                reason="pre_compact",
                final=False,
            )
    event.wants_worker = learn
    event.log("queued" if learn else "learning-off", trigger=event.text("trigger"))
