"""An event that is registered twice (as a plugin and in settings.json) is answered by one process."""

import os
import time
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.state.db import State

#: Both entries start at the same moment; later than this, an equal payload is a new event.
WINDOW_S = 60.0
#: After a block the host calls again at once, perhaps with an equal payload before it has written a line: only what
#: starts at the very same moment is then the same event.
BLOCKED_WINDOW_S = 0.15


def claim(state: "State", event: str, payload: bytes, transcript: str | None) -> bool:
    """Whether this process is the one that answers the event."""
    key, now = f"{stop_key(event, payload)}:{_size(transcript)}", time.time()
    with state.transaction():
        row = state.one("SELECT at FROM claims WHERE key = ?", (key,))
        # A clock that jumped back must not silence events for good: the distance counts, not the order.
        if row is not None and abs(now - row[0]) < WINDOW_S:
            return False
        state.run("INSERT OR REPLACE INTO claims (key, at) VALUES (?, ?)", (key, now))
    return True


def blocked(state: "State", event: str, payload: bytes, transcript: str | None) -> None:
    """The event was answered with a block: an equal payload that comes later is a new event."""
    key = f"{stop_key(event, payload)}:{_size(transcript)}"
    state.run("UPDATE claims SET at = at - ? WHERE key = ?", (WINDOW_S - BLOCKED_WINDOW_S, key))


def stop_key(event: str, payload: bytes) -> str:
    """
    What an event's two entries know it by: its payload. A claim adds the transcript's size.

    Two checksums and the length, for `hashlib` costs a hook 4 ms; nothing is gained by forging one.
    """
    return f"{event}:{len(payload)}:{zlib.crc32(payload):08x}{zlib.adler32(payload):08x}"


def _size(path: str | None) -> int:
    try:
        return os.stat(path).st_size if path else -1
    except (OSError, ValueError):
        return -1
