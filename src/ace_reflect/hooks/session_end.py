"""SessionEnd: the session goes to the queue and the worker starts. The whole of it has 1.5 s, shared with other hooks."""

import os
from collections.abc import Mapping
from typing import BinaryIO, TextIO

from ace_reflect.hooks.edge import Event, answer
from ace_reflect.state import jobs, sessions

#: A lock that is not had in this time leaves the session to the sweep, which finds it by its unread bytes.
WAIT_S = 0.7


def main(stdin: BinaryIO, stdout: TextIO, environ: Mapping[str, str]) -> int:
    """Answer one SessionEnd event. Says nothing; returns 0."""
    return answer("SessionEnd", stdin, stdout, environ, _body, wait_s=WAIT_S, brief=True)


def _body(event: Event) -> None:
    if event.state is None or not event.session_id or not event.transcript:
        return
    sessions.touch(
        event.state, event.session_id, project=event.project, transcript=event.transcript
    )
    sessions.end(event.state, event.session_id)
    # A session that was opened and left has no transcript at all.
    learn = "session_end" in event.settings.learning_on and os.path.exists(event.transcript)
    if learn:
        jobs.enqueue(
            event.state,
            event.session_id,
            event.transcript,
            project=event.project,
            reason="session_end",
            final=True,
        )
    event.wants_worker = learn
    event.log("queued" if learn else "nothing-queued", reason=event.word("reason"))
