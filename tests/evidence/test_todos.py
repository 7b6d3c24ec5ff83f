"""Todo lists as they are replaced: what is closed, and what is gone from a list that closes."""

from pathlib import Path

import pytest

from support.ledgers import ledger_of
from support.transcripts import TranscriptBuilder

FIX, TESTS, DOCS = "Fix the parser", "Write unit tests for the parser", "Update the changelog"
OPEN = ((FIX, "in_progress"), (TESTS, "pending"), (DOCS, "pending"))


def left_out(folder: Path, *lists: tuple[tuple[str, str], ...], between: str = "") -> list[str]:
    session = TranscriptBuilder(folder / "s.jsonl").prompt("Fix the parser, with tests")
    for number, items in enumerate(lists):
        if between and number == len(lists) - 1:
            session.say("Half of it is done.").prompt(between)
        session.todos(*items)
    return [todo.text for todo in ledger_of(session).todos if todo.status == "left-out"]


def test_an_item_that_was_not_begun_is_left_out_of_the_list_that_closes(tmp_path: Path) -> None:
    assert left_out(tmp_path, OPEN, ((FIX, "completed"), (DOCS, "completed"))) == [TESTS]


def test_it_stays_left_out_when_the_closed_list_is_written_again(tmp_path: Path) -> None:
    closed = ((FIX, "completed"),)

    assert left_out(tmp_path, OPEN, closed, closed) == [TESTS, DOCS]


@pytest.mark.parametrize(
    "lists",
    [
        (OPEN, ((FIX, "completed"), (TESTS, "completed"), (DOCS, "completed"))),
        (OPEN, ((FIX, "completed"), (DOCS, "in_progress")), ((FIX, "completed"), (DOCS, "completed"))),
        (OPEN, ((FIX, "completed"), ("Tests and changelog for the parser", "completed"))),
        (((FIX, "completed"), (TESTS, "in_progress")), ((FIX, "completed"),)),
        (OPEN, ((FIX, "completed"),), ((FIX, "completed"), ("Add tests and docs", "in_progress"))),
        (OPEN, ()),
    ],
    ids=["all done", "the list went on", "in other words", "begun", "taken up again", "emptied"],
)
def test_what_is_done_planned_anew_or_begun_is_not(tmp_path: Path, lists: tuple[tuple[tuple[str, str], ...]]) -> None:
    assert left_out(tmp_path, *lists) == []


def test_what_an_earlier_prompt_had_planned_is_not(tmp_path: Path) -> None:
    assert left_out(tmp_path, OPEN, ((FIX, "completed"),), between="No tests, thanks") == []
