"""
What was learned, and why: turns that count, votes, changes. Read by `playbook why`, `history`, `undo` and `stats`; not
imported by hooks.

`state.db` and playbook.json cannot change in one transaction. So the intent is committed first (`begin`), then the file
is replaced, then `complete` makes the intent's rows real. What a killed process began, `learning.recorded` settles.
"""

import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

from ace_reflect.state.db import State
from ace_reflect.values import Value

Evidence = tuple[Mapping[str, Any], ...]


class Vote(Value):
    """One tag of one key point. `evidence`: {line, file, quote, command, gate} objects."""

    key_point: str
    tag: str
    counted: bool
    rationale: str = ""
    based_on: str = "cited"
    grounded: bool = False
    evidence: Evidence = ()
    turn: str = ""


class Change(Value):
    """One operation on a playbook. `before` and `after` are the key point as the file has it, with its section."""

    op: str
    key_point: str = ""
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    actor: str = ""
    reason: str = ""
    source: str = ""
    evidence: Evidence = ()
    turn: str = ""


class Waiting(Value):
    """A key point that waits for a person. `operation`: the curator's, when it is not an ADD."""

    section: str
    text: str
    source: str
    quote: str = ""
    why: str = ""
    turn: str = ""
    operation: Mapping[str, Any] | None = None


class Rows(Value):
    """All that becomes true together with one version of a playbook."""

    turns: tuple[str, ...] = ()
    votes: tuple[Vote, ...] = ()
    changes: tuple[Change, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    numbers: Mapping[str, int] = {}  # slug -> highest number ever used
    protect: tuple[str, ...] = ()
    unprotect: tuple[str, ...] = ()
    session: str = ""
    mode: str = ""  # offline, or the model's name


class Intent(Value):
    """A change of a playbook that was begun. `rows` is the JSON text of its `Rows`."""

    id: int
    playbook: str
    hash_before: str
    hash_after: str
    content: str
    rows: str
    session: str


def begin(state: State, playbook: str, hashes: tuple[str, str], content: str, rows: Rows) -> int:
    """Commit an intent; the caller holds the playbook's lock and has settled every earlier intent for it."""
    version = {"hash_before": hashes[0], "hash_after": hashes[1], "content": content}
    told = {"rows": json.dumps(rows.to_json(), ensure_ascii=False), "session": rows.session}
    return state.insert("intents", {"playbook": playbook, **version, **told, "at": time.time()})


def complete(state: State, intent_id: int) -> None:
    """The file is as the intent wanted it: its rows become real. Doing it twice does nothing."""
    with state.transaction():
        intent = state.record(Intent, "FROM intents WHERE id = ?", (intent_id,))
        if intent is not None:
            rows = Rows.from_json(json.loads(intent.rows))
            hashes = (intent.hash_before, intent.hash_after)
            write(state, intent.playbook, rows, hashes=hashes, intent=intent_id)
            abandon(state, intent_id)


def abandon(state: State, intent_id: int) -> None:
    """The file never became what the intent wanted: nothing of it counts, and its turns may be learned again."""
    state.run("DELETE FROM intents WHERE id = ?", (intent_id,))


def pending(state: State, playbook: str | None = None) -> list[Intent]:
    """Intents that were begun and neither completed nor abandoned, oldest first."""
    sql = "FROM intents WHERE ?1 IS NULL OR playbook = ?1 ORDER BY id"
    return state.records(Intent, sql, (playbook,))


def write(
    state: State,
    playbook: str,
    rows: Rows,
    *,
    hashes: tuple[str, str] = ("", ""),
    intent: int | None = None,
) -> None:
    """Record everything, in one transaction. `hashes`: of the file before and after."""
    common = {"playbook": playbook, "session": rows.session, "at": time.time()}
    learned = {**common, "mode": rows.mode, "intent": intent}
    version = {"hash_before": hashes[0], "hash_after": hashes[1], "intent": intent}
    with state.transaction():
        for key in rows.turns:  # one that was undone counts again
            state.insert("turns", {**learned, "key": key}, "OR REPLACE")
        for vote in rows.votes:
            state.insert("votes", {**learned, **_columns(vote)})
        for change in rows.changes:
            state.insert("changes", {**common, **_columns(change), **version})
        for waiting in rows.waiting:
            if not _is_known(state, playbook, waiting.text):
                state.insert("inbox", {**common, **_columns(waiting)})
        for slug, highest in rows.numbers.items():
            raise_number(state, playbook, slug, highest)
        for name in rows.protect:
            state.insert("protected", {"playbook": playbook, "key_point": name}, "OR IGNORE")
        for name in rows.unprotect:
            sql = "DELETE FROM protected WHERE playbook = ? AND key_point = ?"
            state.run(sql, (playbook, name))


def _columns(record: Vote | Change | Waiting) -> dict[str, Any]:
    """The fields as their table has them: what is nested is JSON."""
    row = {name: getattr(record, name) for name in record._fields}
    nested = {name: value for name, value in row.items() if isinstance(value, tuple | Mapping)}
    return row | {name: json.dumps(value, ensure_ascii=False) for name, value in nested.items()}


def _is_known(state: State, playbook: str, text: str) -> bool:
    """The same text waits once, however many sessions propose it, and does not come back when it was rejected."""
    sql = (
        "SELECT count(*) FROM inbox WHERE playbook = ? AND lower(trim(text)) = lower(trim(?))"
        " AND state <> 'accepted'"
    )
    return bool(state.value(sql, (playbook, text)))


def learned_turns(state: State, playbook: str, keys: Iterable[str]) -> frozenset[str]:
    """Those of `keys` that count in this playbook already; a turn whose votes a person took back is among them."""
    sql = "SELECT key FROM turns WHERE playbook = ? AND key IN (SELECT value FROM json_each(?))"
    return frozenset(state.column(sql, (playbook, json.dumps(list(keys)))))


def votes_of(state: State, playbook: str, key_point: str | None = None) -> list[dict[str, Any]]:
    """The last thousand votes on a playbook's key points, or on one of them, newest first."""
    return _newest(state, "votes", (playbook, key_point))


def changes_of(state: State, playbook: str, key_point: str | None = None) -> list[dict[str, Any]]:
    """The last thousand changes of a playbook, or of one key point in it, newest first."""
    return _newest(state, "changes", (playbook, key_point))


def _newest(state: State, table: str, wanted: tuple[str, str | None]) -> list[dict[str, Any]]:
    which = "playbook = ?1 AND (?2 IS NULL OR key_point = ?2) ORDER BY id DESC LIMIT 1000"
    found = state.rows(f"SELECT * FROM {table} WHERE {which}", wanted)  # noqa: S608 - our own tables
    for row in found:
        for name in {"before", "after", "evidence"} & row.keys():
            row[name] = json.loads(row[name]) if row[name] else None
        for name in {"counted", "grounded"} & row.keys():
            row[name] = bool(row[name])
    return found


def refused_texts(state: State, playbook: str) -> tuple[list[str], list[str]]:
    """
    Texts that a person did not want in a playbook: those rejected in review, and those that they removed, rewrote or took
    back after they were learned; what they brought back since is not among them.
    """
    rejected = state.column(
        "SELECT text FROM inbox WHERE playbook = ? AND state = 'rejected'"
        " AND json_extract(operation, '$.op') IS NOT 'DELETE'",
        (playbook,),
    )
    gone = state.column(
        "SELECT json_extract(before, '$.text') AS text FROM changes WHERE playbook = ?1 AND actor = 'person'"
        " AND op IN ('DELETE', 'EDIT') AND undone_at IS NULL AND text IS NOT json_extract(after, '$.text')"
        " UNION SELECT json_extract(after, '$.text') FROM changes WHERE playbook = ?1 AND actor <> 'person'"
        " AND op IN ('ADD', 'UPDATE', 'MERGE') AND undone_at IS NOT NULL",
        (playbook,),
    )
    return rejected, list(filter(None, gone))


def put_in_by_person(state: State, playbook: str) -> frozenset[str]:
    """The key points that a person wrote, rewrote, accepted or said, and that were not taken back."""
    sql = (
        "SELECT key_point FROM changes WHERE playbook = ? AND undone_at IS NULL"
        " AND (source = 'user' OR (actor = 'person' AND op IN ('ADD', 'EDIT')))"
    )
    return frozenset(state.column(sql, (playbook,)))


def count_votes(state: State, playbook: str) -> tuple[dict[str, int], int]:
    """The votes that stand, by their tag; and how many of them have evidence of an outcome behind them."""
    rows = state.all(
        "SELECT tag, count(*), sum(grounded) FROM votes WHERE playbook = ? AND undone_at IS NULL GROUP BY tag",
        (playbook,),
    )
    return {row[0]: row[1] for row in rows}, sum(row[2] for row in rows)


def undo_intent(state: State, intent: int, *, undone: bool = True) -> None:
    """
    Take back, on the record, all that one version of a playbook brought, or bring it back; its turns are not learned again
    by themselves.
    """
    at = time.time() if undone else None
    with state.transaction():
        for table in ("votes", "changes", "turns"):
            sql = f"UPDATE {table} SET undone_at = ? WHERE intent = ? AND (undone_at IS NULL) = ?"  # noqa: S608
            state.run(sql, (at, intent, undone))


def numbers(state: State, playbook: str) -> dict[str, int]:
    """The highest number ever used in each section, by slug: a deleted id is not used again."""
    return dict(state.all("SELECT slug, highest FROM numbers WHERE playbook = ?", (playbook,)))


def raise_number(state: State, playbook: str, slug: str, highest: int) -> None:
    state.run(
        "INSERT INTO numbers VALUES (?1, ?2, ?3) ON CONFLICT (playbook, slug) DO UPDATE SET highest = max(highest, ?3)",
        (playbook, slug, highest),
    )


def protected(state: State, playbook: str) -> frozenset[str]:
    """Migrated key points that have had no vote under the new rules, and are not pruned before they have."""
    sql = "SELECT key_point FROM protected WHERE playbook = ?"
    return frozenset(state.column(sql, (playbook,)))
