"""
What was learned, and why: turns that count, votes, changes. Read by `playbook why`, `history`, `undo` and `stats`.

Not imported by hooks. A change of a playbook writes its rows through an intent (`intents`).
"""

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ace_reflect.state.db import State

MAX_REASON = 1_000  # characters of a rationale, reason or quote on record
_CUT = ("rationale", "reason", "quote", "why")
_MAX_EVIDENCE = 20

Evidence = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One tag of one key point. `evidence`: {line, file, quote, command, gate} objects."""

    key_point: str
    tag: str
    counted: bool
    rationale: str = ""
    based_on: str = "cited"
    grounded: bool = False
    evidence: Evidence = ()
    turn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A key point that waits for a person. `operation`: the curator's, when it is not an ADD."""

    section: str
    text: str
    source: str
    quote: str = ""
    why: str = ""
    turn: str = ""
    operation: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """All that becomes true together with one version of a playbook."""

    turns: tuple[str, ...] = ()
    votes: tuple[Vote, ...] = ()
    changes: tuple[Change, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)  # slug -> highest number ever used
    protect: tuple[str, ...] = ()
    unprotect: tuple[str, ...] = ()
    session: str = ""
    mode: str = ""  # offline, or the model's name


def write(
    state: State,
    playbook: str,
    rows: Rows,
    *,
    hashes: tuple[str, str] = ("", ""),
    intent: int | None = None,
) -> None:
    """Record everything, in one transaction. `hashes`: of the file before and after."""
    now = time.time()
    common = {"playbook": playbook, "session": rows.session, "at": now}
    with state.transaction():
        for key in rows.turns:
            state.run(
                "INSERT INTO turns (key, playbook, session, at, mode, intent) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (key, playbook) DO UPDATE SET at = excluded.at, mode = excluded.mode, undone_at = NULL",
                (key, playbook, rows.session, now, rows.mode, intent),
            )
        for vote in rows.votes:
            row = {**common, **_columns(vote), "mode": rows.mode, "intent": intent}
            state.insert("votes", row)
        for change in rows.changes:
            version = {"hash_before": hashes[0], "hash_after": hashes[1], "intent": intent}
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
    """The fields as their table has them: what is nested as JSON, reasons and quotes cut."""
    row = asdict(record)
    for name, value in row.items():
        if isinstance(value, tuple):
            row[name] = json.dumps(value[:_MAX_EVIDENCE], ensure_ascii=False)
        elif isinstance(value, Mapping):
            row[name] = json.dumps(value, ensure_ascii=False)
        elif name in _CUT:
            row[name] = value[:MAX_REASON]
    return row


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
    return frozenset(row[0] for row in state.all(sql, (playbook, json.dumps(list(keys)))))


def votes_of(state: State, playbook: str, key_point: str | None = None) -> list[dict[str, Any]]:
    """The last thousand votes on a playbook's key points, or on one of them, newest first."""
    columns = ("id", "playbook", "key_point", "tag", "counted", "rationale", "based_on", "grounded", "evidence",
               "session", "turn", "mode", "at", "undone_at")  # fmt: skip
    return _newest(state, "votes", columns, (playbook, key_point))


def changes_of(state: State, playbook: str, key_point: str | None = None) -> list[dict[str, Any]]:
    """The last thousand changes of a playbook, or of one key point in it, newest first."""
    columns = ("id", "playbook", "op", "key_point", "before", "after", "actor", "reason", "source", "evidence",
               "session", "turn", "hash_before", "hash_after", "at", "undone_at")  # fmt: skip
    return _newest(state, "changes", columns, (playbook, key_point))


def _newest(
    state: State, table: str, columns: tuple[str, ...], wanted: tuple[str, str | None]
) -> list[dict[str, Any]]:
    sql = (
        f"SELECT {', '.join(columns)} FROM {table} WHERE playbook = ?1 AND (?2 IS NULL OR key_point = ?2)"  # noqa: S608
        " ORDER BY id DESC LIMIT 1000"
    )
    found = [dict(zip(columns, row, strict=True)) for row in state.all(sql, wanted)]
    for row in found:
        for name in {"before", "after", "evidence"} & row.keys():
            row[name] = json.loads(row[name]) if row[name] else None
        for name in {"counted", "grounded"} & row.keys():
            row[name] = bool(row[name])
    return found


def refused_texts(state: State, playbook: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """
    Texts that a person did not want in a playbook: those rejected in review, and those that they removed, rewrote or took
    back after they were learned; what they brought back since is not among them.
    """
    rejected = state.all(
        "SELECT text FROM inbox WHERE playbook = ? AND state = 'rejected'"
        " AND json_extract(operation, '$.op') IS NOT 'DELETE'",
        (playbook,),
    )
    gone = state.all(
        "SELECT json_extract(before, '$.text') AS text FROM changes WHERE playbook = ?1 AND actor = 'person'"
        " AND op IN ('DELETE', 'EDIT') AND undone_at IS NULL AND text IS NOT json_extract(after, '$.text')"
        " UNION SELECT json_extract(after, '$.text') FROM changes WHERE playbook = ?1 AND actor <> 'person'"
        " AND op IN ('ADD', 'UPDATE', 'MERGE') AND undone_at IS NOT NULL",
        (playbook,),
    )
    return tuple(row[0] for row in rejected), tuple(row[0] for row in gone if row[0])


def put_in_by_person(state: State, playbook: str) -> frozenset[str]:
    """The key points that a person wrote, rewrote or accepted, and did not take back."""
    sql = (
        "SELECT key_point FROM changes WHERE playbook = ? AND actor = 'person' AND op IN ('ADD', 'EDIT')"
        " AND undone_at IS NULL"
    )
    return frozenset(row[0] for row in state.all(sql, (playbook,)))


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
    rows = state.all("SELECT key_point FROM protected WHERE playbook = ?", (playbook,))
    return frozenset(row[0] for row in rows)
