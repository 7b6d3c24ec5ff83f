"""Human prompts: what the person asked, how often this prompt's stops were blocked, what came of it; and which key points
the session was given with them.
"""

import time
from collections.abc import Iterable

from ace_reflect.state.db import State
from ace_reflect.values import Value

MAX_TEXT = 4_000  # characters kept of a prompt


class PromptRow(Value):
    id: int
    text: str = ""
    attempts: int = 0
    end_state: str = ""


def note(state: State, session_id: str, prompt_id: str | None, text: str) -> int:
    """Record a human prompt (its text redacted by the caller); its row's id. Once for each `prompt_id`."""
    row = {"session": session_id, "prompt_id": prompt_id, "at": time.time()}
    state.insert("prompts", {**row, "text": text[:MAX_TEXT]}, "OR IGNORE")
    sql = "SELECT max(id) FROM prompts WHERE session = ? AND prompt_id IS ?"
    return state.value(sql, (session_id, prompt_id)) or 0


def current(state: State, session_id: str) -> PromptRow | None:
    """The session's last human prompt. A Stop's `prompt_id` may be a notification's, so the session decides."""
    sql = "FROM prompts WHERE session = ? ORDER BY id DESC LIMIT 1"
    return state.record(PromptRow, sql, (session_id,))


def ensure(state: State, session_id: str) -> PromptRow:
    """The current prompt, or an empty one made for a Stop that no prompt came before (`!command`, a lost hook)."""
    return current(state, session_id) or PromptRow(id=note(state, session_id, None, ""))


def update(state: State, row_id: int, *, attempts: int, end_state: str) -> None:
    """Record what a Stop decided."""
    sql = "UPDATE prompts SET attempts = ?, end_state = ? WHERE id = ?"
    state.run(sql, (attempts, end_state, row_id))


def injected(state: State, session_id: str, *, ever: bool = False) -> frozenset[tuple[str, str]]:
    """(playbook's path, key point's id) of all that the session has in its context: compacted away is not. `ever`: it is, for
    it can have been cited.
    """
    sql = "SELECT playbook, key_point FROM injected WHERE session = ? AND (? OR NOT gone)"
    return frozenset(state.all(sql, (session_id, ever)))


def add_injected(state: State, session_id: str, playbook: str, key_points: Iterable[str]) -> None:
    row = {"session": session_id, "playbook": playbook, "at": time.time()}
    for key_point in key_points:
        state.insert("injected", {**row, "key_point": key_point}, "OR REPLACE")


def forget_injected(state: State, session_id: str) -> None:
    """After a compaction nothing of what was injected is sure to be left."""
    state.run("UPDATE injected SET gone = 1 WHERE session = ?", (session_id,))
