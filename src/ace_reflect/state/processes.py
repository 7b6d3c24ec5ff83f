"""Processes by number and start time: a number alone is given to another process sooner or later."""

import os


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
    """The kernel's start time of a process, in ticks since boot; "" where there is no /proc."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""
