"""SessionEnd: the session goes to the queue and the worker starts. All of it has 1.5 s, shared with other hooks."""

import os

from ace_reflect.hooks.edge import Event, hook
from ace_reflect.state import sessions


@hook("SessionEnd")
def main(event: Event) -> None:
    if event.transcript:
        event.touch()
        sessions.end(event.state, event.session_id)
        if os.path.exists(event.transcript):  # else the session was only opened and left
            event.queue("session_end", final=True)
        event.log("queued" if event.wants_worker else "nothing-queued")
