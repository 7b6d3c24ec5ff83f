"""
One event in several processes: one that is registered twice (as a plugin and in settings.json) is answered by one
process, and the second Stop entry (the assessment) waits for the first one's decision.
"""

import os
import time
import zlib

from ace_reflect.state.db import State

_WINDOW_S = 60.0  # later than this, an equal payload is a new event
_SLOW_START_S = 0.15  # how old a process may be here at the most, where the system does not tell
_TICK_S = 0.02  # the kernel counts a process's start in hundredths of a second


def claim(state: State, event: str, payload: bytes, transcript: str | None) -> bool:
    """Whether this process is the one that answers the event."""
    now, key = time.time(), stop_key(event, payload)
    sized = f"{key}:{_size(transcript)}"
    with state.transaction():
        twin, answered = _claimed(state, key, now), _claimed(state, sized, now)
        # The host starts all entries of an event at once and calls again only when they have answered: what was claimed
        # after this process began was claimed by its twin. The transcript's size does not matter there: the host may
        # still be writing to it while one entry looks and then the other.
        if answered is not None or (twin is not None and process_start(_SLOW_START_S) < twin):
            return False
        for name in (key, sized):
            state.insert("claims", {"key": name, "at": now}, "OR REPLACE")
    return True


def _claimed(state: State, key: str, now: float) -> float | None:
    """When the key was claimed, if that counts; a clock that jumped back must not silence events for good."""
    at = state.value("SELECT at FROM claims WHERE key = ?", (key,))
    return at if at is not None and abs(now - at) < _WINDOW_S else None


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


def put_decision(
    state: State, key: str, session_id: str, decision: str, *, needs_model: bool = False
) -> None:
    """Keep what the first entry decided on a stop. `key` is its `stop_key`."""
    row = {"key": key, "session": session_id, "at": time.time(), "decision": decision}
    state.insert("stops", {**row, "needs_model": needs_model}, "OR REPLACE")


def decision(state: State, key: str, *, since: float = 0.0) -> tuple[str, bool] | None:
    """(decision, needs_model), or None while there is none from `since` (seconds since 1970) on."""
    sql = "SELECT decision, needs_model FROM stops WHERE key = ? AND at >= ?"
    row = state.one(sql, (key, since))
    return None if row is None else (row[0], bool(row[1]))


def last_decision(state: State, session_id: str) -> float:
    """When a decision was made on this session last; 0 if never."""
    return state.value("SELECT max(at) FROM stops WHERE session = ?", (session_id,)) or 0.0
