"""The task of a turn: a hint, no gate."""

import pytest

from ace_reflect.gates.case import read_task
from support.work import Work


@pytest.mark.parametrize(
    ("work", "kind", "source"),
    [
        (Work("Write the changelog").edit(), "coding", "edits"),
        (Work("Write it up").edit("README.md"), "docs", "edits"),
        (Work("Set it up").edit("ci.yml"), "ops", "edits"),
        (Work("Fix the parser").edit().ask("commit and push").commit(), "coding", "edits"),
        (Work("Fix the parser"), "coding", "words"),
        (Work("Why does the cache miss?").read(), "research", "words"),
        (Work("Fix the parser").ask("go on"), "coding", "words"),
        (Work("hello"), "other", "words"),
        (Work("save it").commit(), "ops", "commands"),
    ],
)
def test_its_type(work: Work, kind: str, source: str) -> None:
    ledger = work.ledger()
    task = read_task(ledger, ledger.turns[-1])

    assert (task.type, task.source) == (kind, source)


def test_whether_a_change_is_asked_for_and_whether_anybody_can_answer() -> None:
    ledger = Work("Fix the parser", print_mode=True).ledger()
    task = read_task(ledger, ledger.turns[-1])

    assert (task.asks_for_change, task.print_mode, task.prompt) == (True, True, "Fix the parser")
