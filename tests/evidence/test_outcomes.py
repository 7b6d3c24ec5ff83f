"""What a command came to: status, whose it is, and print, joined. Every row is a line as an agent types it."""

import json
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.outcomes import Reading, finished, read_outcome
from ace_reflect.transcript.records import ToolResult, UserShell

PARTIAL = "FAILED tests/test_a.py::test_a - assert 0"
CHECKS = (CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT)
TESTS = (CommandKind.TEST,)
GREEN = "============ 10 passed in 0.52s ============"
RED = "======= 2 failed, 10 passed in 0.61s ======="
JEST = "Tests:       9 passed, 9 total\nSnapshots:   0 total"
JEST_GREEN = f"Test Suites: 2 passed, 2 total\n{JEST}\nTime:        1.2 s\nRan all test suites."
JEST_RED = "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 8 passed, 9 total"
TSC_RED = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."
LINTED = "/src/a.ts\n  3:7  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
PNPM = " ELIFECYCLE  Command failed with exit code 1."
CARGO_NONE = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
GO_OK = "\n".join(f"ok  \texample.com/app/{name}\t0.1s" for name in "abcde")
GO_NONE = "?   \texample.com/app/cmd/{}\t[no test files]"

#: What it is about, command, output, the outcomes of its tests (or builds and checks), exit code (None: an old host's), kind
TABLE = Path(__file__).parents[1] / "fixtures" / "command_outcomes.jsonl"
OUTCOMES = [json.loads(line)[1:] for line in TABLE.read_text("utf-8").splitlines()]


def result(text: str = "", code: int | None = 0, **fields: Any) -> ToolResult:
    shown = f"Exit code {code}\n{text}" if code else text
    return ToolResult(
        line=2, tool_use_id="t", text=shown, is_error=code != 0, exit_code=code or None, **fields
    )


def readings(command: str, got: Any, kind: str = "") -> list[Reading]:
    """Of all tests in the line, or of all builds and checks where it has none, or of all of `kind`."""
    shell = finished({"command": command}, got)
    tests = [item for item in shell.commands if item.kind in TESTS and kind != "check"]
    checks = [item for item in shell.commands if item.kind in CHECKS]
    wanted = [item for item in shell.commands if item.kind == kind] or tests or checks
    assert wanted, f"nothing to read in {command!r}"
    return [read_outcome(shell, item) for item in wanted]


def read(command: str, text: str = "", code: int | None = 0, **fields: Any) -> Reading:
    return readings(command, result(text, code, **fields))[0]


@pytest.mark.req("REQ-REFL-001")
def test_a_commands_outcome() -> None:
    for row in OUTCOMES:
        command, text, expected, code, kind = (*row, 0, "")[:5] if len(row) < 5 else row
        found = readings(command, result(text, code), kind)
        assert " ".join(str(reading.outcome) for reading in found) == expected, row


@pytest.mark.parametrize(("command", "text", "fields", "outcome", "why"), [
    ("npm test", "running", {"code": None, "timed_out": True}, "unknown", "stopped before its end"),
    ("pytest", f"{PARTIAL}\nCommand timed out after 2m", {"code": 143, "timed_out": True}, "failed", "exit 143: 1 failed"),
    ("pytest", "\n\nnot now\n", {"code": 1, "denied": True}, "not-run", "the call was refused"),
    ("pytest", "\n\nnot now\n", {"code": 1, "not_run": True}, "not-run", "the call never ran"),
    ("pytest | cat", "<persisted-output>\nOutput too large (80KB). Preview:\ncollected 90 items", {"truncated": True, "stdout": f"log\n{RED}"}, "failed", "2 failed, 10 passed"),
    ("go test ./... 2>&1 | tee log", GO_OK, {"truncated": True}, "unknown", "status hidden by `| tee log`, no summary shown"),
    ("npm run build 2>&1 | tee log", "> vite build", {"truncated": True}, "unknown", "status hidden by `| tee log`, no summary shown"),
])  # fmt: skip
def test_what_the_host_says_of_a_call_counts(command, text, fields, outcome, why):
    reading = read(command, text, **fields)
    assert (reading.outcome, reading.why) == (outcome, why)
    assert reading.quote == "not now" or "not now" not in text


@pytest.mark.parametrize("code", [124, 130, 137, 143])
@pytest.mark.parametrize(("command", "text"), [("npm test", "running"), ("pytest", GREEN)])
def test_what_was_killed_has_not_failed(command: str, text: str, code: int) -> None:
    reading = read(command, text, code)
    assert reading.outcome is Outcome.UNKNOWN
    assert reading.why == f"stopped before its end (exit {code})"


@pytest.mark.parametrize(("command", "text", "code", "why", "quote"), [
    ("pytest --cov --cov-fail-under=90", GREEN, 1, "exit 1, although 10 passed", GREEN.strip("= ")),
    ("pytest", RED, 1, "exit 1: 2 failed, 10 passed", RED.strip("= ")),
    ("pytest", "===== 3 skipped in 0.02s =====", 0, "all 3 skipped", "3 skipped in 0.02s"),
    ("npm test 2>&1 | tail -5", "Done in 3s.", 0, "status hidden by `| tail -5`, no summary shown", ""),
    ("pytest", "no such thing\n \n", 127, "it did not start", "no such thing"),
    ("pytest", "", 127, "it did not start", "exit 127"),
    ("go test ./...", "ok  \tx/a\t0.1s", 0, "ok x/a 0.1s", "ok x/a 0.1s"),
    ("pytest -q; echo rc=$?", f"{RED}\nrc=2", 0, "exit 2: 2 failed, 10 passed", RED.strip("= ")),
    ("pytest -q | tail -3", RED, 0, "2 failed, 10 passed", RED.strip("= ")),
    ("npm test", "boom", 2, "exit 2", "boom"),
])  # fmt: skip
def test_the_words(command: str, text: str, code: int, why: str, quote: str) -> None:
    reading = read(command, text, code)
    assert (reading.why, reading.quote) == (why, quote)


def test_a_reading_has_counts_and_says_whether_the_status_shows() -> None:
    red, hidden = read("pytest", RED, 1), read("npm test 2>&1 | tail -5", "Done in 3s.")
    assert red.counts == Counts(passed=10, failed=2, skipped=0)
    assert (red.status_visible, hidden.status_visible) == (True, False)


def test_a_persons_own_command_has_no_status_but_its_print() -> None:
    def typed(command: str, stdout: str) -> Reading:
        return readings(command, UserShell(line=1, command=command, stdout=stdout))[0]

    assert typed("npm test", JEST_RED).outcome is Outcome.FAILED
    assert typed("npm test", "bye").outcome is Outcome.UNKNOWN
    assert typed("npm test; echo rc=$?", "rc=3").why == "exit 3"
    shown = "10 passed in 0.52s\nrc=3"
    assert typed("pytest -q; echo rc=$?", shown).why == "exit 3, although 10 passed"
    assert read("pytest -q; echo rc=$?", shown).why == "exit 3, although 10 passed"


@pytest.mark.parametrize("line", [
    "./pytest", "PATH=./fake:$PATH pytest", "export PATH=./fake:$PATH; pytest", "env PATH=fake:$PATH pytest",
    'pytest() { echo "5 passed"; }; pytest', "function pytest { cat ok.log; }; pytest", "alias pytest='echo 5 passed'; pytest",
    "pytest | awk '{gsub(/failed/,\"passed\")}1'",
])  # fmt: skip
def test_what_may_be_another_program_proves_nothing(line: str) -> None:
    shell = finished({"command": line}, result("5 passed in 0.10s"))
    tests = [each for each in shell.commands if each.kind is CommandKind.TEST]
    assert all(read_outcome(shell, each).outcome.value == "unknown" for each in tests)
    assert not any(each.script for each in shell.commands), "whose output would be read"


@pytest.mark.parametrize("line", ["PATH=$PWD/.venv/bin:$PATH pytest", "PATH=./node_modules/.bin:$PATH jest", "run() { pytest; }; run", "./gradlew test"])  # fmt: skip
def test_a_projects_own_tools_are_no_other_programs(line: str) -> None:
    assert readings(line, result("5 passed in 0.10s"))[0].outcome.value == "passed"
