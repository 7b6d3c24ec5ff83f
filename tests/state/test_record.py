"""Votes and changes on record, and the intents that make them real together with a file."""

import json

from ace_reflect.state import record
from ace_reflect.state.db import prune

BOOK = "/p/.claude/playbook.json"


ROWS = record.Rows(
    turns=("t1", "t2"),
    votes=(
        record.Vote(key_point="pat-001", tag="helpful", counted=True, rationale="it passed", grounded=True,
                    evidence=({"line": 7, "command": "pytest -q", "quote": "3 passed"},), turn="t1"),
    ),
    changes=(record.Change(op="ADD", key_point="mis-001", after={"name": "mis-001", "text": "ä"}, actor="offline", source="outcome"),),
    waiting=(record.Waiting(section="OTHERS", text="Install our tool", source="read", quote="README"),),
    numbers={"mis": 1},
    protected=("kpt_001",),
    session="s",
    mode="offline",
)  # fmt: skip


def test_an_intent_shows_nothing_before_it_is_complete_and_everything_after(state):
    number = record.begin(state, BOOK, ("a", "b"), "{}", ROWS)
    assert record.learned_turns(state, BOOK, ["t1"]) == frozenset()
    (intent,) = record.pending(state)
    assert record.Rows.from_json(json.loads(intent.rows)) == ROWS
    for _ in ("completed", "and again, which counts once"):
        record.complete(state, number)
    assert record.pending(state) == []
    assert record.learned_turns(state, BOOK, ["t1", "t2", "t3"]) == {"t1", "t2"}
    (vote,) = record.votes_of(state, BOOK, "pat-001")
    assert (vote["tag"], vote["counted"], vote["grounded"]) == ("helpful", True, True)
    assert vote["evidence"][0]["line"] == 7
    (change,) = record.changes_of(state, BOOK)
    assert (change["op"], change["after"]) == ("ADD", {"name": "mis-001", "text": "ä"})
    record.write(state, BOOK, record.Rows(numbers={"mis": 0}))
    assert record.numbers(state, BOOK) == {"mis": 1}, "a number never falls"
    assert record.protected(state, BOOK) == {"kpt_001"}
    record.write(state, BOOK, record.Rows(protected=()))
    assert record.protected(state, BOOK) == frozenset()
    assert record.learned_turns(state, "/other.json", ["t1"]) == frozenset()
    assert record.count_waiting(state, BOOK) == 1


def test_pruning_drops_what_is_old_and_keeps_what_waits(state):
    record.write(state, BOOK, ROWS)
    state.run("INSERT INTO cache VALUES ('claim', 'old', '', x'', 0)")
    state.run("INSERT INTO cache VALUES ('decision', 'old', 's', x'', 0)")
    prune(state)
    assert state.all("SELECT * FROM cache") == []
    assert record.count_waiting(state) == 1
    assert len(record.votes_of(state, BOOK)) == 1
