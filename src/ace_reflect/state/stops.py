"""The first Stop entry's decision on a stop, which the second entry (the model's assessment) waits for."""

import time

from ace_reflect.state.db import State
from ace_reflect.state.sessions import MAX_ID


def put(
    state: State,
    key: str,
    session_id: str,
    decision: str,
    *,
    needs_model: bool = False,
    data: str | None = None,
) -> None:
    """`key` is `claims.stop_key(…)` of the payload, the same in both entries; `data` JSON text."""
    state.run(
        "INSERT OR REPLACE INTO stops (key, session, at, decision, needs_model, data) VALUES (?, ?, ?, ?, ?, ?)",
        (key, session_id[:MAX_ID], time.time(), decision, int(needs_model), data),
    )


def get(state: State, key: str, *, since: float = 0.0) -> tuple[str, bool, str | None] | None:
    """(decision, needs_model, data), or None while there is none from `since` (seconds since 1970) on."""
    row = state.one(
        "SELECT decision, needs_model, data FROM stops WHERE key = ? AND at >= ?", (key, since)
    )
    return None if row is None else (str(row[0]), bool(row[1]), row[2])


def newest(state: State, session_id: str) -> float:
    """When a decision was made on this session last; 0 if never."""
    row = state.one("SELECT max(at) FROM stops WHERE session = ?", (session_id[:MAX_ID],))
    return float(row[0]) if row is not None and row[0] is not None else 0.0
