"""
Small values kept by what they were made from (a model's answer, a project's facts); and which project configurations the
person has looked at and trusts, by the hash of what they saw.
"""

import os
import time

from ace_reflect.state.db import State

#: Kind, by session and the prompt's row: the category that a model gave the task. `assess.routing` writes it.
ROUTE = "route"


def get(state: State, kind: str, key: str, identity: str) -> bytes | None:
    """The value stored for exactly this identity, else None."""
    sql = "SELECT value FROM cache WHERE kind = ? AND key = ? AND identity = ?"
    value = state.value(sql, (kind, key, identity))
    return None if value is None else bytes(value)


def put(state: State, kind: str, key: str, identity: str, value: bytes) -> None:
    """Keep one value for each (kind, key); an older identity's is replaced."""
    row = {"kind": kind, "key": key, "identity": identity, "value": value, "at": time.time()}
    state.insert("cache", row, "OR REPLACE")


def drop(state: State, kind: str, key: str) -> None:
    state.run("DELETE FROM cache WHERE kind = ? AND key = ?", (kind, key))


def file_identity(path: str) -> str:
    """Device, inode, size and time of change; "" for a file that is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def trusted_hash(state: State, path: str) -> str | None:
    found: str | None = state.value("SELECT hash FROM trust WHERE path = ?", (path,))
    return found


def trust(state: State, path: str, digest: str) -> None:
    state.insert("trust", {"path": path, "hash": digest, "at": time.time()}, "OR REPLACE")


def revoke_trust(state: State, path: str) -> bool:
    return state.run("DELETE FROM trust WHERE path = ?", (path,)) > 0
