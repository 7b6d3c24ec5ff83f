"""One event in several processes: one that is registered twice (as a plugin and in settings.json) is answered by one
process, and the second Stop entry (the assessment) waits for the first one's decision.
"""

import os
import time
import zlib

from ace_reflect.state import cache
from ace_reflect.state.db import State

_WINDOW_S = 60.0  # later than this, an equal payload is a new event
_SLOW_START_S = 0.15  # the most a process can have aged here, if the system does not tell
_TICK_S = 0.02  # the kernel counts a process's start in hundredths of a second


def claim(state: State, event: str, payload: bytes, transcript: str) -> bool:
    """Whether this process is the one that answers the event."""
    now, key, file = time.time(), _key(event, payload), cache.file_identity(transcript)
    with state.transaction():
        sql = "SELECT at, identity FROM cache WHERE kind = 'claim' AND key = ?"
        at, file_then = state.one(sql, (key,)) or (0.0, "-")
        recent = abs(now - at) < _WINDOW_S  # a clock may jump back
        # The host starts all entries of an event at once and calls again only when they have answered: what was claimed
        # after this process began was claimed by its twin. The transcript does not matter there: the host may still be
        # writing to it while one entry looks and then the other.
        if recent and (file == file_then or process_start(_SLOW_START_S) < at):
            return False
        cache.put(state, "claim", key, file, b"")
    return True


def blocked(state: State, payload: bytes) -> None:
    """A stop is answered with a block now: an equal payload in a process that starts later is a new event."""
    sql = "UPDATE cache SET at = ?, identity = '-' WHERE kind = 'claim' AND key = ?"
    state.run(sql, (time.time() - _TICK_S, _key("Stop", payload)))


def process_start(unknown: float) -> float:
    """When this process began, in seconds of `time.time`; where the system does not tell, it is `unknown` seconds old.

    Both clocks are read together: on a busy machine tenths of a second can pass between two steps.
    """
    try:
        with open("/proc/self/stat", "rb") as file:
            began = int(file.read().rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return time.time() - max(time.clock_gettime(time.CLOCK_BOOTTIME) - began, 0.0)
    except (OSError, IndexError, ValueError, AttributeError):
        return time.time() - unknown


def _key(event: str, payload: bytes) -> str:
    return f"{event}:{len(payload)}:{zlib.crc32(payload):08x}"


def decided(state: State, payload: bytes, *, needs_model: bool) -> None:
    """The first entry has decided on a stop."""
    cache.put(state, "decision", _key("Stop", payload), "", b"model" if needs_model else b"")


def needs_model(state: State, payload: bytes, *, since: float) -> bool | None:
    """Whether the first entry left a stop to a model; None while it has decided nothing from `since` (1970) on."""
    sql = "SELECT value <> x'' FROM cache WHERE kind = 'decision' AND key = ? AND at >= ?"
    found: int | None = state.value(sql, (_key("Stop", payload), since))
    return None if found is None else bool(found)
