"""Runs as PowerShell writes them: what a command prints kept in a variable, a string that is printed, Pester's own ways."""

import pytest

from ace_reflect.evidence.commands import CommandKind, classify
from ace_reflect.evidence.facts import Outcome
from ace_reflect.evidence.outcomes import Reading, read_outcome
from ace_reflect.transcript.records import ToolResult

COUNTS = '"Pester scripts/tests: $($r.PassedCount) passed / $($r.FailedCount) failed / $($r.TotalCount) total"'


def runners_of(command: str) -> list[str]:
    return [item.runner for item in classify(command, "/p") if item.kind is CommandKind.TEST]


def reading(command: str, output: str, *, failed: bool = False) -> Reading:
    commands = classify(command, "/p")
    test = next(item for item in commands if item.kind is CommandKind.TEST)
    return read_outcome(commands, ToolResult(line=2, tool_use_id="t1", text=output, is_error=failed), test)


@pytest.mark.parametrize(
    ("command", "runner"),
    [
        (f"cd C:\\app; $r = Invoke-Pester -Path scripts/tests -PassThru -Output None; {COUNTS}", "pester"),
        ("$r = go test ./... 2>&1; $r", "go test"),
        ("$script:out = npm test | Out-String\n$out", "npm test"),
        ("$all += dotnet test src/App.Tests", "dotnet test"),
        ("$log=& pytest -q", "pytest"),
        ("if ($true) { $r = cargo test }", "cargo test"),
        ("pwsh -NoProfile -Command '$r = Invoke-Pester -PassThru; $r.FailedCount'", "pester"),
    ],
)
def test_what_is_kept_in_a_variable_is_run(command: str, runner: str) -> None:
    assert runners_of(command) == [runner]


@pytest.mark.parametrize(
    "command",
    [
        '$runner = "pytest"; Write-Host $runner',
        "$names = 'npm test', 'go test'",
        "$what = $env:TESTS",
        "$r == pytest",
        "echo $r = pytest -q",
        "$count = Get-ChildItem tests | Measure-Object",
    ],
)
def test_a_value_that_is_no_command_runs_nothing(command: str) -> None:
    assert runners_of(command) == []


def test_the_status_of_an_assignment_is_its_commands_and_what_follows_hides_it() -> None:
    assert reading("$r = pytest -q", "Exit code 1", failed=True).outcome is Outcome.FAILED
    assert reading("$r = pytest -q; Get-Date", "Sunday").outcome is Outcome.UNKNOWN
    assert reading("$r = pytest -q | Select-Object -Last 3", "").outcome is Outcome.UNKNOWN


def test_bash_knows_no_such_assignment_and_nothing_has_run() -> None:
    said = "/bin/bash: line 1: =: command not found"

    assert reading("$r = pytest -q", f"Exit code 127\n{said}", failed=True).outcome is Outcome.NOT_RUN
    assert reading("$r = pytest -q; echo done", f"{said}\ndone").outcome is Outcome.NOT_RUN


@pytest.mark.parametrize(
    ("command", "output", "outcome"),
    [
        (
            f"$r = Invoke-Pester -PassThru; {COUNTS}",
            "Pester scripts/tests: 247 passed / 0 failed / 247 total",
            "passed",
        ),
        (
            f"$r = Invoke-Pester -PassThru; {COUNTS}",
            "Pester scripts/tests: 245 passed / 2 failed / 247 total",
            "failed",
        ),
        ('Invoke-Pester; "x"', "Modules -> 3 passed, 0 failed, 1 skipped, 4 total.\nx", "passed"),
        ("make verify-tests; date", "unit [fast]: 12 tests passed | 1 tests failed | 13 total", "failed"),
        ("npm test; date", "Suite one: 12 passed; 0 failed; 12 total", "passed"),
    ],
)
def test_a_scripts_own_line_with_passed_failed_and_total_is_a_summary(command: str, output: str, outcome: str) -> None:
    assert reading(command, output).outcome == outcome


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("npm test; date", "coverage of 12 passed / 3 failed / 15 total lines was kept"),
        ("npm test; date", "version 1.12 passed / 0 failed"),
        ("(Invoke-Pester -PassThru).PassedCount", "247"),
        ('Invoke-Pester -Output None; "all: 3 passed / 0 failed / 3 total"', "all: 3 passed / 0 failed / 3 total"),
        ("npm test | Out-Null; Write-Host '3 passed / 0 failed / 3 total'", "3 passed / 0 failed / 3 total"),
    ],
)
def test_other_words_and_a_line_that_is_printed_whatever_happens_are_none(command: str, output: str) -> None:
    assert reading(command, output).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        ("Invoke-Pester -Output None", "unknown"),
        ("$r = Invoke-Pester -PassThru -Output None", "unknown"),
        ("Invoke-Pester -CI -Output None", "passed"),
        ("Invoke-Pester -EnableExit", "passed"),
        ("npm test", "passed"),
    ],
)
def test_pesters_status_tells_of_failures_only_where_that_was_asked_for(command: str, outcome: str) -> None:
    assert reading(command, "").outcome == outcome


def test_the_values_of_pesters_options_are_no_files() -> None:
    command = classify("Invoke-Pester -Path scripts/tests -Output None -PassThru -ExcludeTag Slow", "/p")[0]

    assert (command.targets, command.deselects) == (("scripts/tests",), "-ExcludeTag Slow")
