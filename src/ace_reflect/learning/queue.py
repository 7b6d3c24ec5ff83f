"""The hooks' side of the queue. A hook never learns: it commits a job, starts the worker, which outlives it, and ends."""

import time
from collections.abc import Mapping

from ace_reflect.paths import own_programs
from ace_reflect.state import jobs, processes, sessions
from ace_reflect.state.db import State

#: A session without a known process counts as dead after this long without a sign. A known process can be checked.
IDLE_S = 3600.0
#: The worker serves every project and every session, and must not take these for its own.
_OF_THE_PROJECT = ("CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID")


def has_work(state: State) -> bool:
    """Whether a job waits, or a session died with something unread, as far as the database shows."""
    if jobs.counts(state).keys() & {"queued", "running"}:
        return True
    newest = sessions.maybe_dead(state, time.time() - IDLE_S, most=20)
    return any(not processes.alive(session.process) for session in newest)


def start_worker(environ: Mapping[str, str]) -> None:
    """Start the worker and return at once. If one is running, the new one sees its lock and ends. Raises OSError."""
    environment = {name: value for name, value in environ.items() if name not in _OF_THE_PROJECT}
    environment["PATH"] = own_programs(environ)  # while it is known which checkout this is
    processes.start("ace_reflect.learning.worker", environment)
