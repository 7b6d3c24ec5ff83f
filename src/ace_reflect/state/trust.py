"""Which project configurations the person has looked at and trusts, by the hash of what they saw."""

import time

from ace_reflect.state.db import State


def trusted_hash(state: State, path: str) -> str | None:
    row = state.one("SELECT hash FROM trust WHERE path = ?", (path,))
    return None if row is None else str(row[0])


def trust(state: State, path: str, digest: str) -> None:
    state.run("INSERT OR REPLACE INTO trust VALUES (?, ?, ?)", (path, digest, time.time()))


def revoke(state: State, path: str) -> bool:
    return state.run("DELETE FROM trust WHERE path = ?", (path,)) > 0
