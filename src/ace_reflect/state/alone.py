"""A process that a hook starts and nobody waits for: its facts on stdin, an end to its life, its failures in the log."""

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ace_reflect import log, paths
from ace_reflect.state.db import State, open_state

Work = Callable[[State, Mapping[str, Any], Mapping[str, str]], object]


def run_alone(name: str, work: Work, *, lifetime_s: int) -> int:
    """`work(state, the facts, the environment)` as the whole of this process; SIGALRM ends it. Returns 0."""
    home = paths.home(os.environ)
    try:
        signal.alarm(lifetime_s)
        given = json.loads(sys.stdin.buffer.read())
        with open_state(home) as state:
            work(state, given, os.environ)
    except Exception as error:  # noqa: BLE001 - nobody looks at this process: the log is the only place to say it
        log.failure(home, name, error)
    return 0
