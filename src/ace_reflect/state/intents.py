"""
Changes of a playbook that were begun.

`state.db` and playbook.json cannot change in one transaction. So the intent is committed first (hash before, hash
after, the new content, the rows that belong to it), then the file is replaced, then `complete` makes the rows real and
removes the intent, in one transaction. Who finds an intent holds the playbook's lock and decides by the file's hash:

* hash after: the file was replaced, so complete it;
* hash before: it was not, so replace it now (the content is here: no model is asked again) and complete it;
* neither: somebody else changed the file; `learning.recorded` decides by the file's content.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ace_reflect.state import record
from ace_reflect.state.db import State
from ace_reflect.values import Value

_KINDS = {"votes": record.Vote, "changes": record.Change, "waiting": record.Waiting}


class Intent(Value):
    """`rows` is JSON text, as `rows_of` reads it."""

    id: int
    playbook: str
    hash_before: str
    hash_after: str
    content: str
    rows: str
    session: str


def begin(
    state: State, playbook: str, hashes: tuple[str, str], content: str, rows: record.Rows
) -> int:
    """Commit an intent; the caller holds the playbook's lock and has settled every earlier intent for it."""
    version = {"hash_before": hashes[0], "hash_after": hashes[1], "content": content}
    told = {"rows": json.dumps(asdict(rows), ensure_ascii=False), "session": rows.session}
    return state.insert("intents", {"playbook": playbook, **version, **told, "at": time.time()})


def complete(state: State, intent_id: int) -> None:
    """The file is as the intent wanted it: its rows become real. Doing it twice does nothing."""
    with state.transaction():
        for found in state.records(Intent, "FROM intents WHERE id = ?", (intent_id,)):
            hashes = (found.hash_before, found.hash_after)
            record.write(state, found.playbook, rows_of(found), hashes=hashes, intent=intent_id)
            abandon(state, intent_id)


def abandon(state: State, intent_id: int) -> None:
    """The file never became what the intent wanted: nothing of it counts, and its turns may be learned again."""
    state.run("DELETE FROM intents WHERE id = ?", (intent_id,))


def pending(state: State, playbook: str | None = None) -> list[Intent]:
    """Intents that were begun and neither completed nor abandoned, oldest first."""
    sql = "FROM intents WHERE ?1 IS NULL OR playbook = ?1 ORDER BY id"
    return state.records(Intent, sql, (playbook,))


def rows_of(intent: Intent) -> record.Rows:
    """The rows that become real with the intent."""
    told = json.loads(intent.rows)
    for name, kind in _KINDS.items():
        told[name] = [kind(**_tuples(item)) for item in told[name]]
    return record.Rows(**_tuples(told))


def _tuples(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A record's fields out of its JSON, whose lists were tuples."""
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
