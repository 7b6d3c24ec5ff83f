"""
Changes of a playbook that were begun.

`state.db` and playbook.json cannot change in one transaction. So the intent is committed first (hash before, hash
after, the new content, the rows that belong to it), then the file is replaced, then `complete` makes the rows real and
removes the intent, in one transaction. Who finds an intent holds the playbook's lock and decides by the file's hash:

* hash after: the file was replaced, so complete it;
* hash before: it was not, so replace it now (the content is here: no model is asked again) and complete it;
* neither: somebody else changed the file; `learning.settle` decides by the file's content.
"""

import json
import time
from dataclasses import asdict, dataclass
from typing import Any

from ace_reflect.state import record
from ace_reflect.state.db import Row, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    id: int
    playbook: str
    hash_before: str
    hash_after: str
    content: str
    rows: record.Rows
    session: str
    at: float


def begin(
    state: State, playbook: str, hashes: tuple[str, str], content: str, rows: record.Rows
) -> int:
    """Commit an intent; the caller holds the playbook's lock and has settled every earlier intent for it."""
    return state.insert(
        "INSERT INTO intents (playbook, hash_before, hash_after, content, rows, session, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            playbook,
            *hashes,
            content,
            json.dumps(asdict(rows), ensure_ascii=False),
            rows.session,
            time.time(),
        ),
    )


def complete(state: State, intent_id: int) -> None:
    """The file is as the intent wanted it: its rows become real. Doing it twice does nothing."""
    with state.transaction():
        found = get(state, intent_id)
        if found is None:
            return
        record.write(
            state,
            found.playbook,
            found.rows,
            hashes=(found.hash_before, found.hash_after),
            intent=intent_id,
        )
        state.run("DELETE FROM intents WHERE id = ?", (intent_id,))


def abandon(state: State, intent_id: int) -> None:
    """The file never became what the intent wanted: nothing of it counts, and its turns may be learned again."""
    state.run("DELETE FROM intents WHERE id = ?", (intent_id,))


def get(state: State, intent_id: int) -> Intent | None:
    row = state.one(f"{_SELECT} WHERE id = ?", (intent_id,))
    return None if row is None else _intent(row)


def pending(state: State, playbook: str | None = None) -> list[Intent]:
    """Intents that were begun and neither completed nor abandoned, oldest first."""
    return [
        _intent(row)
        for row in state.all(
            f"{_SELECT} WHERE ?1 IS NULL OR playbook = ?1 ORDER BY id", (playbook,)
        )
    ]


_SELECT = "SELECT id, playbook, hash_before, hash_after, content, rows, session, at FROM intents"


def _intent(row: Row) -> Intent:
    number, playbook, before, after, content, rows, session, at = row
    return Intent(
        id=number,
        playbook=playbook,
        hash_before=before,
        hash_after=after,
        content=content,
        rows=_rows(json.loads(rows)),
        session=session,
        at=at,
    )


def _rows(data: dict[str, Any]) -> record.Rows:
    return record.Rows(
        turns=tuple(data["turns"]),
        votes=tuple(
            record.Vote(**{**vote, "evidence": tuple(vote["evidence"])}) for vote in data["votes"]
        ),
        changes=tuple(
            record.Change(**{**change, "evidence": tuple(change["evidence"])})
            for change in data["changes"]
        ),
        waiting=tuple(record.Waiting(**waiting) for waiting in data["waiting"]),
        numbers=data["numbers"],
        protect=tuple(data["protect"]),
        unprotect=tuple(data["unprotect"]),
        session=data["session"],
        mode=data["mode"],
    )
