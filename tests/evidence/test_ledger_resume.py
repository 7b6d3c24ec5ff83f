"""A ledger that is put away between two stops and taken up again is the ledger of one reading."""

from pathlib import Path

from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.transcript.records import Record
from support.ledgers import session
from support.transcripts import TranscriptBuilder


def test_a_subagents_file_may_come_in_between_or_at_the_end(tmp_path: Path) -> None:
    main = session(tmp_path).prompt("One").edit("/p/a.py")
    worker = TranscriptBuilder(tmp_path / "w.jsonl", agent_id="a1")
    worker._count = main._count + 1
    worker.edit("/p/b.py").bash("pytest -q", "1 passed in 0.1s")
    main._count = worker._count + 1
    main.agent("x", "y").prompt("Two").edit("/p/c.py")
    mine, theirs = main.records(), worker.records(file="agent-a1.jsonl")
    half = [getattr(record, "name", "") for record in mine].index("Agent") + 1
    between = builder_of([*mine[:half], *theirs, *mine[half:]]).ledger()

    assert builder_of([*mine, *theirs]).ledger() == between
    assert [edit.turn for edit in between.edits] == [1, 1, 2]


def builder_of(records: list[Record]) -> LedgerBuilder:
    builder = LedgerBuilder()
    for record in records:
        builder.feed(record)
    return builder
