"""An event that is registered twice (as a plugin and in settings.json) is answered by one process."""

import os
import time
import zlib

from ace_reflect.state.db import State

#: Later than this, an equal payload is a new event.
WINDOW_S = 60.0
_SLOW_START_S = 0.15  # how old a process may be here at the most, where the system does not tell
_TICK_S = 0.02  # the kernel counts a process's start in hundredths of a second


def claim(state: State, event: str, payload: bytes, transcript: str | None) -> bool:
    """Whether this process is the one that answers the event."""
    now, key = time.time(), stop_key(event, payload)
    sized = f"{key}:{_size(transcript)}"
    with state.transaction():
        if _is_twin(state, key, now) or _was_answered(state, sized, now):
            return False
        state.run(
            "INSERT OR REPLACE INTO claims (key, at) VALUES (?1, ?3), (?2, ?3)", (key, sized, now)
        )
    return True


def _is_twin(state: State, key: str, now: float) -> bool:
    """
    Whether an equal payload was claimed or answered after this process started.

    The host starts all entries of an event at once and calls again only when they have answered. The transcript's size
    does not matter here: the host may still be writing to it while one entry looks and then the other.
    """
    row = state.one("SELECT at FROM claims WHERE key = ?", (key,))
    # A clock that jumped back must not silence events for good: the distance counts, not the order alone.
    return (
        row is not None and abs(now - row[0]) < WINDOW_S and process_start(_SLOW_START_S) < row[0]
    )


def _was_answered(state: State, sized: str, now: float) -> bool:
    """Whether an equal payload on the very same transcript was answered, and not with a block."""
    row = state.one("SELECT at FROM claims WHERE key = ?", (sized,))
    return row is not None and abs(now - row[0]) < WINDOW_S


def blocked(state: State, event: str, payload: bytes) -> None:
    """The event is answered with a block now: an equal payload in a process that starts later is a new event."""
    key = stop_key(event, payload)
    with state.transaction():
        state.run("DELETE FROM claims WHERE key >= ? AND key < ?", (f"{key}:", f"{key};"))
        state.run("UPDATE claims SET at = ? WHERE key = ?", (time.time() - _TICK_S, key))


def process_start(unknown: float) -> float:
    """
    When this process began, in seconds of `time.time`; where the system does not tell, it is `unknown` seconds old.

    Both clocks are read in one breath: on a busy machine whole tenths of a second can lie between two steps.
    """
    try:
        with open("/proc/self/stat", "rb") as file:
            began = int(file.read().rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return time.time() - max(time.clock_gettime(time.CLOCK_BOOTTIME) - began, 0.0)
    except (OSError, IndexError, ValueError, AttributeError):
        return time.time() - unknown


def stop_key(event: str, payload: bytes) -> str:
    """What an event's two entries know it by: its payload."""
    return f"{event}:{len(payload)}:{zlib.crc32(payload):08x}"


def _size(path: str | None) -> int:
    try:
        return os.stat(path).st_size if path else -1
    except (OSError, ValueError):
        return -1
