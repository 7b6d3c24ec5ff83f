"""An event that is registered twice (as a plugin and in settings.json) is answered by one process."""

import os
import time
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.state.db import State

#: Both entries start at the same moment; later than this, an equal payload is a new event.
WINDOW_S = 60.0


def claim(state: "State", event: str, payload: bytes, transcript: str | None) -> bool:
    """Whether this process is the one that answers the event."""
    key, now = stop_key(event, payload, transcript), time.time()
    with state.transaction():
        row = state.one("SELECT at FROM claims WHERE key = ?", (key,))
        # A clock that jumped back must not silence events for good: the distance counts, not the order.
        if row is not None and abs(now - row[0]) < WINDOW_S:
            return False
        state.run("INSERT OR REPLACE INTO claims (key, at) VALUES (?, ?)", (key, now))
    return True


def stop_key(event: str, payload: bytes, transcript: str | None) -> str:
    """
    What makes two calls the same event: its payload and the transcript's size.

    Two checksums and the length, for `hashlib` costs a hook 4 ms; nothing is gained by forging one.
    """
    return f"{event}:{len(payload)}:{zlib.crc32(payload):08x}{zlib.adler32(payload):08x}:{_size(transcript)}"


def _size(path: str | None) -> int:
    try:
        return os.stat(path).st_size if path else -1
    except (OSError, ValueError):
        return -1
