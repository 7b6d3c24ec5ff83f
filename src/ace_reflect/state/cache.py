"""Small derived values, each kept by what it was made from: a compiled configuration, a model's answer, a project's facts."""

import os
import time

from ace_reflect.state.db import State

#: Kind, by session and the prompt's row: the category that a model gave the task. `assess.routing` writes it.
ROUTE = "route"


def get(state: State, kind: str, key: str, identity: str) -> bytes | None:
    """The value stored for exactly this identity, else None."""
    row = state.one(
        "SELECT value FROM cache WHERE kind = ? AND key = ? AND identity = ?", (kind, key, identity)
    )
    return None if row is None else bytes(row[0])


def put(state: State, kind: str, key: str, identity: str, value: bytes) -> None:
    """Keep one value for each (kind, key); an older identity's is replaced."""
    state.run(
        "INSERT OR REPLACE INTO cache VALUES (?, ?, ?, ?, ?)",
        (kind, key, identity, value, time.time()),
    )


def drop(state: State, kind: str, key: str) -> None:
    state.run("DELETE FROM cache WHERE kind = ? AND key = ?", (kind, key))


def file_identity(path: str) -> str:
    """Device, inode, size and time of change; "" for a file that is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"
