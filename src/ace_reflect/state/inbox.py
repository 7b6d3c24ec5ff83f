"""Key points that wait for a person (`ace-reflect review`). They are never injected before they are accepted."""

import time
from typing import Any

from ace_reflect.state.db import State

_SELECT = "SELECT id, playbook, section, text, source, quote, why, session, turn, state, at, key_point, operation FROM inbox"


def waiting(state: State, playbook: str | None = None) -> list[dict[str, Any]]:
    """What waits, oldest first; `operation` is JSON text or None."""
    sql = f"{_SELECT} WHERE state = 'waiting' AND (?1 IS NULL OR playbook = ?1) ORDER BY id"
    return state.rows(sql, (playbook,))


def get(state: State, item_id: int) -> dict[str, Any] | None:
    return next(iter(state.rows(f"{_SELECT} WHERE id = ?", (item_id,))), None)


def count(state: State, *playbooks: str) -> int:
    """How many wait; for these playbooks only, when any is given."""
    some = f" AND playbook IN ({', '.join('?' * len(playbooks))})" if playbooks else ""
    sql = f"SELECT count(*) FROM inbox WHERE state = 'waiting'{some}"  # noqa: S608 - only question marks
    return int(state.value(sql, playbooks))


def edit(state: State, item_id: int, text: str) -> bool:
    sql = "UPDATE inbox SET text = ? WHERE id = ? AND state = 'waiting'"
    return state.run(sql, (text, item_id)) > 0


def decide(state: State, item_id: int, decision: str, key_point: str | None = None) -> bool:
    """A person "accepted" it, as this key point, or "rejected" it; False where it does not wait (any more)."""
    sql = "UPDATE inbox SET state = ?, decided_at = ?, key_point = ? WHERE id = ? AND state = 'waiting'"
    return state.run(sql, (decision, time.time(), key_point, item_id)) > 0
