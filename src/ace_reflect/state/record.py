"""What was learned, and why: turns that count, votes, changes; what waits for a person's review; what models cost.

`state.db` and playbook.json cannot change in one transaction. So the intent is committed first (`begin`), then the file
is replaced, then `complete` makes the intent's rows real. What a killed process began, `learning.recorded` settles.
"""

import json
import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ace_reflect.state.db import Row, State
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


AGAIN = "it came up in several sessions"  # why a candidate comes first in review


class Waiting(Value):
    """A key point that waits for a person. `operation`: the curator's, when it is not an ADD; `day`: when it was said."""

    section: str
    text: str
    source: str
    quote: str = ""
    why: str = ""
    operation: Mapping[str, Any] | None = None
    day: str = ""


class Rows(Value):
    """Everything that takes effect together with one version of a playbook."""

    turns: tuple[str, ...] = ()
    votes: tuple[Vote, ...] = ()
    changes: tuple[Change, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    numbers: Mapping[str, int] = {}  # slug -> highest number ever used
    protected: tuple[str, ...] | None = None  # from now on these; None: those that were
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
    version = {"playbook": playbook, "hash_before": hashes[0], "hash_after": hashes[1]}
    told = {"content": content, "rows": json.dumps(rows.to_json(), ensure_ascii=False)}
    return state.insert("intents", {**version, **told, "session": rows.session, "at": time.time()})


def complete(state: State, intent_id: int) -> None:
    """The file is as the intent wanted it: its rows become real. Doing it twice does nothing."""
    with state.transaction():
        intent = state.record(Intent, "FROM intents WHERE id = ?", (intent_id,))
        if intent is not None:
            write(state, intent.playbook, Rows.from_json(json.loads(intent.rows)), intent_id)
            abandon(state, intent_id)


def abandon(state: State, intent_id: int) -> None:
    """The file never became what the intent wanted: nothing of it counts, and its turns may be learned again."""
    state.run("DELETE FROM intents WHERE id = ?", (intent_id,))


def pending(state: State, playbook: str | None = None) -> list[Intent]:
    """Intents that were begun and neither completed nor abandoned, oldest first."""
    sql = "FROM intents WHERE ?1 IS NULL OR playbook = ?1 ORDER BY id"
    return state.records(Intent, sql, (playbook,))


def write(state: State, playbook: str, rows: Rows, intent: int | None = None) -> None:
    """Record everything, in one transaction."""
    common = {"playbook": playbook, "session": rows.session, "at": time.time()}
    learned = {**common, "intent": intent, "mode": rows.mode}
    with state.transaction():
        for key in rows.turns:  # one that was undone counts again
            state.insert("turns", {**learned, "key": key}, "OR REPLACE")
        for vote in rows.votes:
            state.insert("votes", {**learned, **_columns(vote)})
        for change in rows.changes:
            state.insert("changes", {**common, "intent": intent, **_columns(change)})
        for item in rows.waiting:
            columns = _columns(item)
            heard = {"session": rows.session, "day": columns.pop("day"), "quote": item.quote}
            known = _known(state, playbook, item)
            heard["item"] = known or state.insert("inbox", {**common, **columns})
            state.insert("heard", heard, "OR IGNORE")
            if known and item.why == AGAIN:
                state.run("UPDATE inbox SET why = ? WHERE id = ?", (AGAIN, known))
        for slug, highest in rows.numbers.items():
            sql = "INSERT INTO numbers VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET highest = max(highest, ?3)"
            state.run(sql, (playbook, slug, highest))
        if rows.protected is not None:
            state.run("DELETE FROM protected WHERE playbook = ?", (playbook,))
            for name in rows.protected:
                state.insert("protected", {"playbook": playbook, "key_point": name})


def _columns(record: Vote | Change | Waiting) -> dict[str, Any]:
    """The fields as their table has them: what is nested is JSON."""
    row = {name: getattr(record, name) for name in record._fields}
    nested = {name: value for name, value in row.items() if isinstance(value, tuple | Mapping)}
    return row | {name: json.dumps(value, ensure_ascii=False) for name, value in nested.items()}


def _known(state: State, playbook: str, item: Waiting) -> int | None:
    """Its number: the same text waits once, however many sessions propose it, and does not come back when it was rejected."""
    same = (
        "playbook = ? AND lower(trim(text)) = lower(trim(?)) AND state IN ('waiting', 'rejected')"
    )
    sql = f"SELECT min(id) FROM inbox WHERE {same}"  # noqa: S608 - our own words
    number: int | None = state.value(sql, (playbook, item.text))
    return number


def learned_turns(state: State, playbook: str, keys: Iterable[str]) -> frozenset[str]:
    """Those of `keys` that count in this playbook already; a turn whose votes a person took back is among them."""
    sql = "SELECT key FROM turns WHERE playbook = ? AND key IN (SELECT value FROM json_each(?))"
    return frozenset(state.column(sql, (playbook, json.dumps(list(keys)))))


def lost_at(state: State) -> str:
    """When the state was begun anew beside playbooks that had counted turns, as a transcript writes it; "" for never."""
    at = state.value("SELECT at FROM cache WHERE kind = 'lost'")
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) if at else ""


def _newest(
    state: State, playbook: str, key_point: str | None = None, *, table: str
) -> list[dict[str, Any]]:
    """The last thousand rows on a playbook's key points, or on one of them, newest first."""
    which = "playbook = ?1 AND (?2 IS NULL OR key_point = ?2) ORDER BY id DESC LIMIT 1000"
    found = state.rows(f"SELECT * FROM {table} WHERE {which}", (playbook, key_point))  # noqa: S608 - our own tables
    for row in found:
        for name in {"before", "after", "evidence"} & row.keys():
            row[name] = json.loads(row[name]) if row[name] else None
        for name in {"counted", "grounded"} & row.keys():
            row[name] = bool(row[name])
    return found


votes_of, changes_of = partial(_newest, table="votes"), partial(_newest, table="changes")


def refused_texts(state: State, playbook: str) -> tuple[list[str], list[str]]:
    """Texts that a person rejected in review; and those that they removed, rewrote or took back after they were learned."""
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
    """The valid votes by tag, and how many of them are backed by an outcome."""
    rows = state.all(
        "SELECT tag, count(*), sum(grounded) FROM votes WHERE playbook = ? AND undone_at IS NULL GROUP BY tag",
        (playbook,),
    )
    return {row[0]: row[1] for row in rows}, sum(row[2] for row in rows)


def undo_intent(state: State, intent: int, *, undone: bool = True) -> None:
    """Take back, on the record, what one version of a playbook brought, or bring it back. Its turns stay learned."""
    at = time.time() if undone else None
    with state.transaction():
        for table in ("votes", "changes", "turns"):
            sql = f"UPDATE {table} SET undone_at = ? WHERE intent = ? AND (undone_at IS NULL) = ?"  # noqa: S608
            state.run(sql, (at, intent, undone))


def numbers(state: State, playbook: str) -> dict[str, int]:
    """The highest number ever used in each section, by slug: a deleted id is not used again."""
    return dict(state.all("SELECT slug, highest FROM numbers WHERE playbook = ?", (playbook,)))


def protected(state: State, playbook: str) -> frozenset[str]:
    """Migrated key points that have had no vote under the new rules, and are not pruned before they have."""
    sql = "SELECT key_point FROM protected WHERE playbook = ?"
    return frozenset(state.column(sql, (playbook,)))


def waiting(state: State) -> list[dict[str, Any]]:
    """Key points that wait for a person, first what came up again, then the oldest; `operation` is JSON text or None, `heard`
    the {session, day, quote} of each time that it was said.
    """
    found = state.rows(f"SELECT * FROM inbox WHERE state = 'waiting' ORDER BY why <> '{AGAIN}', id")  # noqa: S608 - our own words
    sql = "SELECT session, day, quote FROM heard WHERE item = ? ORDER BY day"
    return [{**row, "heard": state.rows(sql, (row["id"],))} for row in found]


def learned_last(state: State, project: str, session_id: str, books: Iterable[str]) -> list[Row]:
    """(playbook, id, text) of each key point that sessions have added since the project's last session but this one began."""
    return state.all(
        "SELECT playbook, key_point, json_extract(after, '$.text') FROM changes WHERE op = 'ADD' AND actor <> 'person'"
        " AND undone_at IS NULL AND playbook IN (SELECT value FROM json_each(?)) AND at >"
        " (SELECT coalesce(max(started_at), 0) FROM sessions WHERE project = ? AND id <> ?) ORDER BY id",
        (json.dumps(list(books)), project, session_id),
    )


def undecided(state: State, playbook: str) -> list[dict[str, Any]]:
    """What waits or was rejected: a wish that comes up again is compared with it."""
    sql = "SELECT * FROM inbox WHERE playbook = ? AND state IN ('waiting', 'rejected')"
    return state.rows(sql, (playbook,))


def count_injected(state: State, playbook: str) -> tuple[int, int]:
    """How often a key point was put in front of a session that was learned from, and how often it was cited there."""
    sql = (
        "SELECT count(*), count(v.key_point) FROM injected i LEFT JOIN (SELECT DISTINCT session, key_point FROM votes"
        " WHERE playbook = ?1) v USING (session, key_point) WHERE i.playbook = ?1"
        " AND i.session IN (SELECT session FROM turns WHERE playbook = ?1)"
    )
    ((injected, cited),) = state.all(sql, (playbook,))
    return injected, cited


def count_waiting(state: State, *playbooks: str) -> int:
    """How many wait; for these playbooks only, when any is given."""
    found = state.column("SELECT playbook FROM inbox WHERE state = 'waiting'")
    return sum(book in (playbooks or [book]) for book in found)


def edit(state: State, item_id: int, text: str) -> None:
    state.run("UPDATE inbox SET text = ? WHERE id = ? AND state = 'waiting'", (text, item_id))


def decide(state: State, item_id: int, decision: str, key_point: str | None = None) -> None:
    """A person "accepted" it, as this key point, "rejected" it for good, or "dropped" it until it is said again."""
    sql = "UPDATE inbox SET state = ?, decided_at = ?, key_point = ? WHERE id = ? AND state = 'waiting'"
    state.run(sql, (decision, time.time(), key_point, item_id))


def spend(state: State, role: str, model: str, session_id: str = "", **spent: float | None) -> None:
    """Note a call to a model (`input_tokens`, `output_tokens`, `cost_usd`) for `log --cost` and the daily budget."""
    row = {"at": time.time(), "day": time.strftime("%Y-%m-%d"), "session": session_id}
    state.insert("usage", {**row, "role": role, "model": model, **spent})


def tokens_today(state: State, roles: tuple[str, ...] = ()) -> int:
    """Input and output tokens of today's calls, by the machine's own calendar; of these `roles`, where some are given."""
    sql = "SELECT role, sum(input_tokens + output_tokens) FROM usage WHERE day = ? GROUP BY role"
    found = state.all(sql, (time.strftime("%Y-%m-%d"),))
    return sum(tokens for role, tokens in found if role in (roles or [role]))


def spent_by_model(state: State) -> list[Row]:
    """(role, model, calls, input tokens, output tokens, cost in USD or None), most tokens first."""
    return state.all(
        "SELECT role, model, count(*), sum(input_tokens), sum(output_tokens), sum(cost_usd) FROM usage"
        " GROUP BY role, model ORDER BY sum(input_tokens + output_tokens) DESC"
    )
