"""Processes by number and start time: a number alone is given to another process sooner or later."""

import os

_PROC = "/proc"


def name(pid: int | None = None) -> str:
    """This process, or another; "" where there is none of that number."""
    pid = os.getpid() if pid is None else pid
    return f"{pid}:{_started(pid)}" if pid > 0 and _exists(pid) else ""


def alive(process: str | None) -> bool:
    """Whether the process that `name` gave this for still runs."""
    pid, _, started = (process or "").partition(":")
    return pid.isdecimal() and len(pid) < 12 and _exists(int(pid)) and _started(int(pid)) == started


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _started(pid: int) -> str:
    """
    When a process started: in ticks since boot by /proc, to the second by `ps` where the system has none (macOS); "" where
    neither tells.
    """
    try:
        with open(f"{_PROC}/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return "" if os.path.isdir(_PROC) else _started_by_ps(pid)


def _started_by_ps(pid: int) -> str:
    """Spawned by hand, for hooks ask this: `subprocess` costs more than they do. A few milliseconds."""
    reading, writing = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, writing, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    environ = {"LC_ALL": "C", "TZ": "UTC"}  # the same words for every process that asks
    try:
        ps = os.posix_spawn(
            "/bin/ps", ("ps", "-o", "lstart=", "-p", str(pid)), environ, file_actions=actions
        )
    except OSError:
        os.close(reading)
        return ""
    finally:
        os.close(writing)
    try:
        said = os.read(reading, 200).decode("ascii", "replace")
    finally:
        os.close(reading)
        os.waitpid(ps, 0)
    return "".join(said.split())  # it goes into names of files
