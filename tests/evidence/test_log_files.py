"""Runs whose output went to a file, and what a later look into that file proves."""

from pathlib import Path

import pytest

from ace_reflect.evidence.facts import CommandKind, Outcome, Run
from support.ledgers import ledger_of, session

GREEN = "===== 3 passed in 0.10s ====="
RED = "FAILED tests/test_a.py::test_b\n===== 1 failed, 2 passed in 0.10s ====="
JVM = "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS"
CARGO = (
    "test result: ok. 14 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
)


def run_after(tmp_path: Path, *calls: tuple[str, str]) -> Run:
    built = session(tmp_path).prompt("Go").edit("app.py")
    for command, output in calls:
        built.bash(command, output)
    return next(run for run in ledger_of(built).runs if run.kind is CommandKind.TEST)


@pytest.mark.parametrize(("first", "look", "shown", "outcome"), [
    ("pytest > /tmp/t.log 2>&1; echo done", "tail -3 /tmp/t.log", GREEN, Outcome.PASSED),
    ("pytest > /tmp/t.log 2>&1; echo done", "tail -3 /tmp/t.log", RED, Outcome.FAILED),
    ("cargo test &> out.log; date", "grep -E '^test result|FAILED' out.log", CARGO, Outcome.UNKNOWN),
    ("cd app && pytest -q &> out.log; date", "cat app/out.log | tail -1", GREEN, Outcome.PASSED),
    ("nohup pytest > /tmp/t.log 2>&1 &", "sleep 60; tail -1 /tmp/t.log", GREEN, Outcome.PASSED),
    ("./gradlew build > t.log 2>&1; date", "tail -3 t.log", JVM, Outcome.PASSED),
    # nothing to go by: another file, silence, a number, what a later command wrote there, what was there before
    ("pytest > /tmp/t.log 2>&1; echo done", "tail -3 /tmp/u.log", GREEN, Outcome.UNKNOWN),
    ("pytest > /tmp/t.log 2>&1; echo done", "grep FAILED /tmp/t.log", "", Outcome.UNKNOWN),
    ("pytest >> /tmp/t.log 2>&1; echo done", "head -3 /tmp/t.log", GREEN, Outcome.UNKNOWN),
    ("pytest > /tmp/t.log 2>&1; echo done", "cat /tmp/t.log; make lint", GREEN, Outcome.UNKNOWN),
])  # fmt: skip
def test_a_verdict_that_is_shown_later_counts(first, look, shown, outcome, tmp_path):
    assert run_after(tmp_path, (first, "done"), (look, shown)).outcome is outcome


def test_the_run_keeps_its_place_so_that_an_edit_after_it_makes_it_stale(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Go").bash("pytest > /tmp/t.log; date", "Mon").edit("app.py")
    ledger = ledger_of(built.bash("tail -1 /tmp/t.log", GREEN))
    (run,), (edit,) = ledger.runs, ledger.edits
    assert run.outcome is Outcome.PASSED
    assert run.sequence < edit.sequence
    assert run.result_line is not None
    assert run.result_line > edit.line


def test_a_background_shell_may_write_the_file_and_a_tool_may_read_it(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Go").background("pytest > /tmp/t.log 2>&1", "b1")
    (run,) = ledger_of(built.read("/tmp/t.log", RED)).runs  # noqa: S108 - a path in a transcript
    assert (run.outcome, run.running) == (Outcome.FAILED, False)
