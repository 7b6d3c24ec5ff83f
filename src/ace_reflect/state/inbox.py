"""Key points that wait for a person (`ace-reflect review`). They are never injected before they are accepted."""

import time
from typing import Any

from ace_reflect.state.db import State

COLUMNS = ("id", "playbook", "section", "text", "source", "quote", "why", "session", "turn", "state", "at",
           "key_point", "operation")  # fmt: skip
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM inbox"  # noqa: S608 - column names of our own


def waiting(state: State, playbook: str | None = None) -> list[dict[str, Any]]:
    """What waits, oldest first, as objects with the keys of `COLUMNS`; `operation` is JSON text or None."""
    sql = f"{_SELECT} WHERE state = 'waiting' AND (?1 IS NULL OR playbook = ?1) ORDER BY id"
    return [dict(zip(COLUMNS, row, strict=True)) for row in state.all(sql, (playbook,))]


def get(state: State, item_id: int) -> dict[str, Any] | None:
    row = state.one(f"{_SELECT} WHERE id = ?", (item_id,))
    return None if row is None else dict(zip(COLUMNS, row, strict=True))


def count(state: State, *playbooks: str) -> int:
    """How many wait; for these playbooks only, when any is given."""
    some = f" AND playbook IN ({', '.join('?' * len(playbooks))})" if playbooks else ""
    sql = f"SELECT count(*) FROM inbox WHERE state = 'waiting'{some}"  # noqa: S608 - only question marks
    return int(state.value(sql, playbooks))


def edit(state: State, item_id: int, text: str) -> bool:
    sql = "UPDATE inbox SET text = ? WHERE id = ? AND state = 'waiting'"
    return state.run(sql, (text, item_id)) > 0


def accept(state: State, item_id: int, key_point: str) -> bool:
    """Note that a person took it in, as this key point; False where it does not wait (any more)."""
    return _decide(state, item_id, "accepted", key_point)


def reject(state: State, item_id: int) -> bool:
    return _decide(state, item_id, "rejected", None)


def _decide(state: State, item_id: int, decision: str, key_point: str | None) -> bool:
    sql = "UPDATE inbox SET state = ?, decided_at = ?, key_point = ? WHERE id = ? AND state = 'waiting'"
    return state.run(sql, (decision, time.time(), key_point, item_id)) > 0
