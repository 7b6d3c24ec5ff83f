"""
What was learned, and why: turns that count, votes, changes. Read by `playbook why`, `history`, `undo` and `stats`.

Not imported by hooks. A change of a playbook writes its rows through an intent (`intents`), a person's own change
through `write` in the same transaction as whatever goes with it.
"""

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ace_reflect.state.db import Row, State

MAX_REASON = 1_000  # characters of a rationale, reason or quote on record


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One tag of one key point. `evidence`: {line, file, quote, command, gate} objects."""

    key_point: str
    tag: str
    counted: bool
    rationale: str = ""
    based_on: str = "cited"
    grounded: bool = False
    evidence: tuple[Mapping[str, Any], ...] = ()
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
    evidence: tuple[Mapping[str, Any], ...] = ()
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
    """Record everything, in one transaction."""
    now = time.time()
    with state.transaction():
        for key in rows.turns:
            state.run(
                "INSERT INTO turns (key, playbook, session, at, mode, intent) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (key, playbook) DO UPDATE SET at = excluded.at, mode = excluded.mode, undone_at = NULL",
                (key, playbook, rows.session, now, rows.mode, intent),
            )
        for vote in rows.votes:
            _write_vote(state, playbook, vote, rows, now, intent)
        for change in rows.changes:
            _write_change(state, playbook, change, rows, now, hashes, intent)
        for waiting in rows.waiting:
            _write_waiting(state, playbook, waiting, rows, now)
        for slug, highest in rows.numbers.items():
            raise_number(state, playbook, slug, highest)
        for name in rows.protect:
            state.run("INSERT OR IGNORE INTO protected VALUES (?, ?)", (playbook, name))
        for name in rows.unprotect:
            state.run(
                "DELETE FROM protected WHERE playbook = ? AND key_point = ?", (playbook, name)
            )


def learned_turns(state: State, playbook: str, keys: Iterable[str]) -> frozenset[str]:
    """Those of `keys` that count in this playbook already; a turn whose votes a person took back is among them."""
    wanted = json.dumps(list(keys))
    rows = state.all(
        "SELECT key FROM turns WHERE playbook = ? AND key IN (SELECT value FROM json_each(?))",
        (playbook, wanted),
    )
    return frozenset(row[0] for row in rows)


def votes_of(
    state: State, playbook: str, key_point: str | None = None, limit: int = 1000
) -> list[dict[str, Any]]:
    """The votes on one key point (or all), newest first, as plain objects."""
    return _objects(
        state,
        "SELECT id, playbook, key_point, tag, counted, rationale, based_on, grounded, evidence, session, turn, mode, at, undone_at"
        " FROM votes WHERE playbook = ?1 AND (?2 IS NULL OR key_point = ?2) ORDER BY id DESC LIMIT ?3",
        (playbook, key_point, limit),
        json_columns=("evidence",),
    )


class Refused(NamedTuple):
    """Texts that a person did not want in a playbook: `rejected` in review; `gone` by a command of theirs."""

    rejected: tuple[str, ...]
    gone: tuple[str, ...]


def refused_texts(state: State, playbook: str) -> Refused:
    """What they removed, rewrote or took back after it was learned is gone; what they brought back since is not."""
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
    return Refused(
        tuple(str(row[0]) for row in rejected), tuple(str(row[0]) for row in gone if row[0])
    )


def put_in_by_person(state: State, playbook: str) -> frozenset[str]:
    """The key points that a person wrote, rewrote or accepted, and did not take back."""
    rows = state.all(
        "SELECT key_point FROM changes WHERE playbook = ? AND actor = 'person' AND op IN ('ADD', 'EDIT')"
        " AND undone_at IS NULL",
        (playbook,),
    )
    return frozenset(row[0] for row in rows)


def count_votes(state: State, playbook: str) -> tuple[dict[str, int], int]:
    """The votes that stand, by their tag; and how many of them have evidence of an outcome behind them."""
    rows = state.all(
        "SELECT tag, count(*), sum(grounded) FROM votes WHERE playbook = ? AND undone_at IS NULL GROUP BY tag",
        (playbook,),
    )
    return {str(tag): int(count) for tag, count, _ in rows}, sum(
        int(grounded) for *_, grounded in rows
    )


def last_votes(state: State, playbook: str) -> dict[str, float]:
    """For each key point that a standing vote is on, when the last one was given (seconds of Unix time)."""
    rows = state.all(
        "SELECT key_point, max(at) FROM votes WHERE playbook = ? AND undone_at IS NULL GROUP BY key_point",
        (playbook,),
    )
    return {str(name): float(at) for name, at in rows}


def changes_of(state: State, playbook: str, key_point: str | None = None) -> list[dict[str, Any]]:
    """The last thousand changes of a playbook, or of one key point in it, newest first."""
    return _objects(
        state,
        "SELECT id, playbook, op, key_point, before, after, actor, reason, source, evidence, session, turn, hash_before,"
        " hash_after, at, undone_at FROM changes WHERE playbook = ?1 AND (?2 IS NULL OR key_point = ?2) ORDER BY id DESC LIMIT 1000",
        (playbook, key_point),
        json_columns=("before", "after", "evidence"),
    )


def undo_intent(state: State, intent: int, *, undone: bool = True) -> None:
    """
    Take back, on the record, all that one version of a playbook brought, or bring it back; its turns are not learned again
    by themselves.
    """
    at = time.time() if undone else None
    with state.transaction():
        for table in ("votes", "changes", "turns"):
            change = (
                f"UPDATE {table} SET undone_at = ? WHERE intent = ? AND (undone_at IS NULL) = ?"  # noqa: S608 - names of our own
            )
            state.run(change, (at, intent, undone))


def numbers(state: State, playbook: str) -> dict[str, int]:
    """The highest number ever used in each section, by slug: a deleted id is not used again."""
    return {
        str(slug): int(n)
        for slug, n in state.all(
            "SELECT slug, highest FROM numbers WHERE playbook = ?", (playbook,)
        )
    }


def raise_number(state: State, playbook: str, slug: str, highest: int) -> None:
    state.run(
        "INSERT INTO numbers VALUES (?1, ?2, ?3) ON CONFLICT (playbook, slug) DO UPDATE SET highest = max(highest, ?3)",
        (playbook, slug, highest),
    )


def protected(state: State, playbook: str) -> frozenset[str]:
    """Migrated key points that have had no vote under the new rules, and are not pruned before they have."""
    return frozenset(
        row[0]
        for row in state.all("SELECT key_point FROM protected WHERE playbook = ?", (playbook,))
    )


def _write_vote(
    state: State, playbook: str, vote: Vote, rows: Rows, now: float, intent: int | None
) -> None:
    state.run(
        "INSERT INTO votes (playbook, key_point, tag, counted, rationale, based_on, grounded, evidence, session, turn, mode, at,"
        " intent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            playbook,
            vote.key_point,
            vote.tag,
            int(vote.counted),
            vote.rationale[:MAX_REASON],
            vote.based_on,
            int(vote.grounded),
            _evidence(vote.evidence),
            rows.session,
            vote.turn,
            rows.mode,
            now,
            intent,
        ),
    )


def _write_change(
    state: State,
    playbook: str,
    change: Change,
    rows: Rows,
    now: float,
    hashes: tuple[str, str],
    intent: int | None,
) -> None:
    state.run(
        "INSERT INTO changes (playbook, op, key_point, before, after, actor, reason, source, evidence, session, turn,"
        " hash_before, hash_after, at, intent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            playbook,
            change.op,
            change.key_point,
            _json(change.before),
            _json(change.after),
            change.actor,
            change.reason[:MAX_REASON],
            change.source,
            _evidence(change.evidence),
            rows.session,
            change.turn,
            *hashes,
            now,
            intent,
        ),
    )


def _write_waiting(state: State, playbook: str, waiting: Waiting, rows: Rows, now: float) -> None:
    """The same text waits once, however many sessions propose it."""
    known = "SELECT 1 FROM inbox WHERE playbook = ? AND lower(trim(text)) = lower(trim(?)) AND state <> 'accepted'"
    if state.one(known, (playbook, waiting.text)) is not None:
        return
    state.run(
        "INSERT INTO inbox (playbook, section, text, source, quote, why, session, turn, at, operation)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            playbook,
            waiting.section,
            waiting.text,
            waiting.source,
            waiting.quote[:MAX_REASON],
            waiting.why[:MAX_REASON],
            rows.session,
            waiting.turn,
            now,
            _json(waiting.operation),
        ),
    )


def _objects(
    state: State, sql: str, parameters: tuple[Any, ...], json_columns: tuple[str, ...]
) -> list[dict[str, Any]]:
    cursor = state.connection.execute(sql, parameters)
    names = [column[0] for column in cursor.description]
    return [_object(names, row, json_columns) for row in cursor.fetchall()]


def _object(names: list[str], row: Row, json_columns: tuple[str, ...]) -> dict[str, Any]:
    found = dict(zip(names, row, strict=True))
    for name in json_columns:
        found[name] = json.loads(found[name]) if found[name] else None
    for name in ("counted", "grounded"):
        if name in found:
            found[name] = bool(found[name])
    return found


def _json(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _evidence(items: Iterable[Mapping[str, Any]]) -> str:
    return json.dumps([dict(item) for item in items][:20], ensure_ascii=False)
