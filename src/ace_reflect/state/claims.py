"""An event that is registered twice (as a plugin and in settings.json) is answered by one process."""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.state.db import State

#: Both entries start at the same moment; later than this, an equal payload is a new event.
WINDOW_S = 60.0
_PRIME = (1 << 89) - 1
_START_SLACK_S = 0.02  # the kernel counts a process's start in hundredths of a second


def claim(state: "State", event: str, payload: bytes, transcript: str | None) -> bool:
    """Whether this process is the one that answers the event."""
    key, now = f"{stop_key(event, payload)}:{_size(transcript)}", time.time()
    with state.transaction():
        row = state.one("SELECT at FROM claims WHERE key = ?", (key,))
        if row is not None and _same_event(row[0], now):
            return False
        state.run("INSERT OR REPLACE INTO claims (key, at) VALUES (?, ?)", (key, now))
    return True


def _same_event(at: float, now: float) -> bool:
    """
    Whether a claim is on this very event. A negative time is that of a block (`blocked`).

    The host starts all entries of an event at once and calls again only when a block has come back, perhaps with an
    equal payload before it has written a line. So only a process that was there before the block is its twin.
    """
    # A clock that jumped back must not silence events for good: the distance counts, not the order.
    recent = abs(now - abs(at)) < WINDOW_S
    return recent and (at >= 0 or now - _age_s() < -at - _START_SLACK_S)


def blocked(state: "State", event: str, payload: bytes, transcript: str | None) -> None:
    """The event is answered with a block now: an equal payload in a process that starts later is a new event."""
    key = f"{stop_key(event, payload)}:{_size(transcript)}"
    state.run("UPDATE claims SET at = ? WHERE key = ?", (-time.time(), key))


def _age_s() -> float:
    """How long this process has been running; where the system does not tell, as long as a slow start takes."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError, AttributeError):
        return 0.15


def stop_key(event: str, payload: bytes) -> str:
    """
    What an event's two entries know it by: its payload. A claim adds the transcript's size.

    The length and a remainder, for `hashlib` costs a hook 4 ms and `zlib` a third; nothing is gained by forging one.
    """
    return f"{event}:{len(payload)}:{int.from_bytes(payload, 'little') % _PRIME:x}"


def _size(path: str | None) -> int:
    try:
        return os.stat(path).st_size if path else -1
    except (OSError, ValueError):
        return -1
