"""Human prompts: what the person asked, how often this prompt's stops were blocked, what came of it."""

import time

from ace_reflect.state.db import State
from ace_reflect.state.sessions import MAX_ID
from ace_reflect.values import Value

MAX_TEXT = 4_000  # characters kept of a prompt


class PromptRow(Value):
    id: int
    session: str
    prompt_id: str | None = None
    at: float
    text: str = ""
    attempts: int = 0
    end_state: str = ""
    verdict: str | None = None


def note(state: State, session_id: str, prompt_id: str | None, text: str) -> int:
    """Record a human prompt (its text redacted by the caller); its row's id. Once for each `prompt_id`."""
    session_id = session_id[:MAX_ID]
    state.run(
        "INSERT OR IGNORE INTO prompts (session, prompt_id, at, text) VALUES (?, ?, ?, ?)",
        (session_id, prompt_id, time.time(), text[:MAX_TEXT]),
    )
    row = state.one(
        "SELECT max(id) FROM prompts WHERE session = ? AND prompt_id IS ?", (session_id, prompt_id)
    )
    return int(row[0]) if row is not None and row[0] is not None else 0


def current(state: State, session_id: str) -> PromptRow | None:
    """The session's last human prompt. A Stop's `prompt_id` may be a notification's, so the session decides."""
    row = state.one(f"{_SELECT} WHERE session = ? ORDER BY id DESC LIMIT 1", (session_id[:MAX_ID],))
    return None if row is None else PromptRow(**dict(zip(PromptRow._fields, row, strict=True)))


def ensure(state: State, session_id: str) -> PromptRow:
    """The current prompt, or an empty one made for a Stop that no prompt came before (`!command`, a lost hook)."""
    found = current(state, session_id)
    if found is None:
        note(state, session_id, None, "")
        found = current(state, session_id)
    assert found is not None  # noqa: S101 - it was just written
    return found


def update(
    state: State,
    row_id: int,
    *,
    attempts: int | None = None,
    end_state: str | None = None,
    verdict: str | None = None,
) -> None:
    """Record what a Stop decided. `verdict` is JSON text; None leaves a column as it is."""
    state.run(
        "UPDATE prompts SET attempts = coalesce(?, attempts), end_state = coalesce(?, end_state),"
        " verdict = coalesce(?, verdict), decided_at = ? WHERE id = ?",
        (attempts, end_state, verdict, time.time(), row_id),
    )


_SELECT = "SELECT id, session, prompt_id, at, text, attempts, end_state, verdict FROM prompts"
