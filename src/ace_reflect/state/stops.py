"""The first Stop entry's decision on a stop, which the second entry (the model's assessment) waits for."""

import time

from ace_reflect.state.sessions import MAX_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.state.db import State


def put(
    state: "State", key: str, session_id: str, decision: str, *, needs_model: bool = False, data: str | None = None
) -> None:
    """`key` is `claims.stop_key(…)` of the payload, the same in both entries; `data` JSON text."""
    state.run(
        "INSERT OR REPLACE INTO stops (key, session, at, decision, needs_model, data) VALUES (?, ?, ?, ?, ?, ?)",
        (key, session_id[:MAX_ID], time.time(), decision, int(needs_model), data),
    )


def get(state: "State", key: str) -> tuple[str, bool, str | None] | None:
    """(decision, needs_model, data), or None while there is none."""
    row = state.one("SELECT decision, needs_model, data FROM stops WHERE key = ?", (key,))
    return None if row is None else (str(row[0]), bool(row[1]), row[2])
