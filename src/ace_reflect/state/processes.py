"""Processes: whether one lives, and those of ours that outlive the hook that starts them.

A process is identified by its number and start time, since numbers are reused sooner or later. What a hook
starts is spawned by hand: `subprocess` would cost a hook twice its whole time.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from ace_reflect import log, paths
from ace_reflect.state.db import State, open_state

_PROC = "/proc"
_RUN = (
    "import os, sys\n"
    "os.chdir('/')\n"  # what outlives a hook must not keep a person's folder busy
    "root, module = sys.argv[1:]\n"
    "if root not in sys.path: sys.path.insert(0, root)\n"
    "from importlib import import_module\n"
    "sys.exit(import_module(module).main())\n"
)


def name(pid: int | None = None) -> str:
    """This process, or another; "" if there is none with that number."""
    pid = os.getpid() if pid is None else pid
    started = _started(str(pid))
    return f"{pid}:{started}" if started else ""


def alive(process: str | None) -> bool:
    """Whether the process that `name` gave this for still runs."""
    pid, _, started = (process or "").partition(":")
    return bool(started) and pid.isdecimal() and _started(pid) == started


def began(unknown: float) -> float:
    """When this process began, in seconds of `time.time`; where the system does not tell, it is `unknown` seconds old."""
    # Both clocks are read together: on a busy machine tenths of a second can pass between two steps.
    try:
        ticks = int(_ticks("self")) / os.sysconf("SC_CLK_TCK")
        return time.time() - max(time.clock_gettime(time.CLOCK_BOOTTIME) - ticks, 0.0)
    except (OSError, IndexError, ValueError, AttributeError):
        return time.time() - unknown


def _ticks(pid: str) -> str:
    with open(f"{_PROC}/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[19].decode()


def _started(pid: str) -> str:
    """When a process started: in ticks since boot by /proc, else to the second by `ps` (macOS); "" where neither knows."""
    try:
        return _ticks(pid)
    except (OSError, IndexError):
        if os.path.isdir(_PROC):
            return ""
    import subprocess

    environ = {"LC_ALL": "C", "TZ": "UTC"}  # the same words for every process that asks
    command = ("/bin/ps", "-o", "lstart=", "-p", pid)
    try:
        ps = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return ps.stdout.strip()


def start(module: str, environ: Mapping[str, str], payload: bytes = b"") -> None:
    """Run `main()` of a module in a process of its own, `payload` on its stdin; return once it has that. Raises OSError."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    command = [sys.executable, "-I", "-c", _RUN, root, module]
    reading, writing = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, reading, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    with open(writing, "wb") as file:
        try:
            os.posix_spawn(sys.executable, command, environ, file_actions=actions, setsid=True)
        finally:
            os.close(reading)  # so that a process that ended early is an error here and no wait
        file.write(payload)


Work = Callable[[State, Mapping[str, Any], Mapping[str, str]], object]


def run_alone(name: str, work: Work, *, lifetime_s: int) -> int:
    """The whole of a process that nobody waits for: `work(state, the payload's facts, the environment)`. SIGALRM ends it, its
    failures are logged. Returns 0.
    """
    import signal  # it costs a hook a millisecond

    home = paths.home(os.environ)
    try:
        signal.alarm(lifetime_s)
        given = json.loads(sys.stdin.buffer.read())
        with open_state(home) as state:
            work(state, given, os.environ)
    except Exception as error:  # noqa: BLE001 - nobody looks at this process: the log is the only place to say it
        log.failure(home, name, error)
    return 0
