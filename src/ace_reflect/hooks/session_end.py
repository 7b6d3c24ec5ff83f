"""SessionEnd: the session goes to the queue and the worker starts. All of it has 1.5 s, shared with other hooks."""

import os
from functools import partial

from ace_reflect.hooks.edge import Event, answer
from ace_reflect.state import sessions


def _body(event: Event) -> None:
    if event.transcript:
        event.touch()
        sessions.end(event.state, event.session_id)
        if os.path.exists(event.transcript):  # else the session was opened and left
            event.queue("session_end", final=True)
        event.log("queued" if event.wants_worker else "nothing-queued")


main = partial(answer, "SessionEnd", _body)
