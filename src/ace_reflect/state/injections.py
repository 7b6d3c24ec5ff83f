"""Which key points a session already has in its context."""

import time
from collections.abc import Iterable

from ace_reflect.state.db import State, storable
from ace_reflect.state.sessions import MAX_ID


def known(state: State, session_id: str) -> frozenset[tuple[str, str]]:
    """(playbook's path, key point's id) of all that was injected and not compacted away since."""
    rows = state.all(
        "SELECT playbook, key_point FROM injected WHERE session = ? AND NOT gone",
        (session_id[:MAX_ID],),
    )
    return frozenset((row[0], row[1]) for row in rows)


def ever(state: State, session_id: str) -> frozenset[str]:
    """The ids of all that was ever injected into a session: what it can have cited."""
    return frozenset(
        row[0]
        for row in state.all(
            "SELECT key_point FROM injected WHERE session = ?", (session_id[:MAX_ID],)
        )
    )


def add(state: State, session_id: str, playbook: str, key_points: Iterable[str]) -> None:
    now = time.time()
    state.connection.executemany(
        "INSERT OR REPLACE INTO injected (session, playbook, key_point, at) VALUES (?, ?, ?, ?)",
        [
            (storable(session_id[:MAX_ID]), storable(playbook), storable(key_point), now)
            for key_point in key_points
        ],
    )


def forget(state: State, session_id: str) -> None:
    """After a compaction nothing of what was injected is sure to be left."""
    state.run("UPDATE injected SET gone = 1 WHERE session = ?", (session_id[:MAX_ID],))


def inherit(state: State, parent: str, session_id: str) -> None:
    """A fork's context holds what its parent's did."""
    state.run(
        "INSERT OR IGNORE INTO injected (session, playbook, key_point, at, gone)"
        " SELECT ?, playbook, key_point, at, gone FROM injected WHERE session = ?",
        (session_id[:MAX_ID], parent[:MAX_ID]),
    )
