"""Rows for single conditions of `outcomes` and the modules beside it: each fails if its condition is left out."""

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.outcomes import Reading, describe, read_outcome
from ace_reflect.evidence.runners.model import Summary
from ace_reflect.transcript.records import ToolResult

GREEN = "============ 10 passed in 0.52s ============"
RED = "======= 2 failed, 10 passed in 0.61s ======="
PARTIAL = "FAILED tests/test_a.py::test_a - assert 0"
COVERAGE = "FAIL Required test coverage of 90% not reached. Total coverage: 80.00%"
LINTED = "/src/a.ts\n  3:7  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
PNPM = " ELIFECYCLE  Command failed with exit code 1."
PNPM_TEST = " ELIFECYCLE  Test failed. See above for more details."
PRETTY = "All matched files use Prettier code style!\n"
RUST = "error: could not compile `app` (lib test) due to 1 previous error"


def read(command: str, text: str, code: int = 0, kind: str = "test", **fields: object) -> Reading:
    commands = classify(command)
    which = next(item for item in commands if item.kind is CommandKind(kind))
    shown = f"Exit code {code}\n{text}" if code else text
    got = ToolResult(line=2, tool_use_id="t", text=shown, is_error=code != 0, exit_code=code or None, **fields)  # type: ignore[arg-type]
    return read_outcome(commands, got, which)


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("ruff check && pytest -q --cov-fail-under=90", GREEN, 1, "failed"),  # it ran, so the linter had passed
        ("make test | tail -1", "All checks passed!", 0, "passed"),  # no linter is there
        ("make test | tail -1 && ruff check", "All 12 tests passed\nAll checks passed!", 0, "passed"),
        ("make test | tail -1 && ruff check", "12 files\nAll checks passed!", 0, "unknown"),
        ("cargo test 2>&1 | tail -1 && cargo clippy", RUST, 1, "failed"),
        ("pnpm test | tail -8", LINTED + PNPM_TEST, 0, "failed"),  # the script may lint as well
        ("pnpm lint && pnpm test | tail -8", LINTED + PNPM, 0, "unknown"),
        ("pnpm lint && pnpm vitest run | tail -9", f"{LINTED} RUN  v1.6.0 /app\n{PNPM_TEST}", 0, "failed"),
        ("pnpm format:check && pnpm test | tail -3", PRETTY + PNPM_TEST, 0, "failed"),
        ("pnpm lint && pnpm test", f"{PNPM}\n{PNPM_TEST}", 1, "failed"),
        ("npm test", "sh: 1: npm: command not found", 0, "passed"),  # printed by something that it called
        ("timeout 60 pnpm test", "", 0, "not-run"),
        ("pnpm -s test", "", 0, "passed"),
        ("pnpm test | grep -i fail", "", 0, "unknown"),
        ("pnpm test | python summary.py", "", 0, "unknown"),
        ("pnpm test > out.txt", "", 0, "passed"),
        ("npm test", RED, 0, "failed"),  # a script that hides its status
        ("npm test", f"{GREEN}\n{PARTIAL}", 0, "passed"),
        ("npm test", PARTIAL, 0, "passed"),
        ("npx jest --listTests", "SyntaxError: a.js", 1, "failed"),
        ("npm run lint && npx vitest run && ./deploy.sh", " RUN  v1.6.0 /app\ndenied", 1, "unknown"),
        ("npm run lint && npx vitest run && ./deploy.sh", "denied", 1, "not-run"),
        ("npm run lint && mise run test && ./deploy.sh", "[test] $ cargo test\ndenied", 1, "unknown"),
        ('./lint.sh; echo "== unit =="; npm test | tail -3', f"{RED}\n== unit ==\nfine", 0, "unknown"),
        ("./lint.sh; echo unit; npm test | tail -3", f"{RED}\nunit\nfine", 0, "unknown"),
        ("./lint.sh; echo ok; npm test | tail -3", f"{RED}\nok\nfine", 0, "failed"),  # "ok" may be anybody's
        ('./lint.sh; echo "== unit ==" > log; npm test | tail -3', f"{RED}\n== unit ==\nfine", 0, "failed"),
        ("test -d out || npm test", "", 0, "unknown"),
        ("set -o pipefail; npm test | grep -v skipped", "boom", 1, "unknown"),  # grep fails where nothing is left
        ("npm test && cat notes", "boom", 1, "unknown"),
        ("cd app; npm test | tail -1; ./deploy.sh", "boom", 1, "unknown"),
        ("echo tests && npm test && ./deploy.sh", "boom", 1, "unknown"),
        ("cd app && npm test && ./deploy.sh", "boom", 1, "not-run"),
        ("npm test > /dev/null && echo OK || echo OK", "OK", 0, "unknown"),
        ("npm test > /dev/null && echo OK || echo BAD", "OK\nBAD", 0, "unknown"),
        ("npm test > /dev/null && echo OK || echo BAD", "fine", 0, "unknown"),
        ("npm test | tail -1 && echo OK || echo BAD", "OK", 0, "unknown"),  # tail went well
        ('npm test | tail -3; echo "10 passed"', "10 passed", 0, "unknown"),
        ('npm test | tail -3; "10 passed"', "10 passed", 0, "unknown"),  # in PowerShell
        ("npm test > out.txt; ls test", "10 passed", 0, "unknown"),  # a file's name
        ("make test < /dev/null | tail -2", "", 0, "passed"),
        ("make test 2> /dev/null | tail -2", "", 0, "unknown"),
        ("go test -list . ./...", "TestA\nok  \tx/a\t0.01s", 0, "not-run"),
    ],
)
def test_of_tests(command: str, text: str, code: int, expected: str) -> None:
    assert read(command, text, code).outcome is Outcome(expected)


@pytest.mark.parametrize(
    ("command", "text", "code", "kind", "expected"),
    [
        ("pnpm build; pnpm test", f"{PNPM}\n{GREEN}", 0, "build", "failed"),  # the tests ran whatever the build came to
        ("pnpm build && pnpm test", PNPM, 1, "build", "failed"),
        ("pnpm build && pnpm test", f"{GREEN}\n{PNPM}", 1, "build", "unknown"),
        ("pnpm typecheck && cat old.log", f"{GREEN}\n{PNPM}", 1, "typecheck", "failed"),
        ("pnpm build", "", 0, "build", "passed"),
        ("git ls-files; gofmt -l .", "a.go", 2, "lint", "failed"),
        ("npx tsc --noEmit | grep -c error; exit ${PIPESTATUS[0]}", "0", 2, "typecheck", "failed"),
    ],
)
def test_of_builds_and_checks(command: str, text: str, code: int, kind: str, expected: str) -> None:
    assert read(command, text, code, kind).outcome is Outcome(expected)


@pytest.mark.parametrize(
    ("fields", "why", "quote"),
    [
        ({"denied": True}, "the call was refused", "not now"),
        ({"not_run": True}, "the call never ran", "not now"),
    ],
)
def test_a_call_that_was_not_carried_out_says_so(fields: dict[str, bool], why: str, quote: str) -> None:
    reading = read("pytest", f"\n\nnot now\n{GREEN}", 1, **fields)

    assert (reading.outcome, reading.why, reading.quote) == (Outcome.NOT_RUN, why, quote)


@pytest.mark.parametrize(
    ("text", "outcome", "running"),
    [(RED, Outcome.FAILED, False), (GREEN, Outcome.UNKNOWN, True), ("", Outcome.UNKNOWN, True)],
)
def test_what_runs_on_has_failed_where_a_failure_is_shown(text: str, outcome: Outcome, running: bool) -> None:
    reading = read("pytest", text, background_id="b1")

    assert (reading.outcome, reading.running) == (outcome, running)


@pytest.mark.parametrize(
    ("command", "text", "code", "kind", "why", "quote"),
    [
        ("./run_tests.sh", "no such thing", 127, "test", "it did not start", "no such thing"),
        ("./run_tests.sh", "no such thing\n \n", 127, "test", "it did not start", "no such thing"),
        ("./run_tests.sh", "", 127, "test", "it did not start", "exit 127"),
        ("go test ./...", "ok  \tx/a\t0.1s", 0, "test", "ok x/a 0.1s", "ok x/a 0.1s"),
        ("pytest -q; echo rc=$?", f"{RED}\nrc=2", 0, "test", "exit 2: 2 failed, 10 passed", RED),
        ("pytest -q | tail -3", RED, 0, "test", "2 failed, 10 passed", RED),
        ("npm test", "boom", 2, "test", "exit 2", "boom"),
        ("npm test; echo rc=$?", "boom\nrc=3", 0, "test", "exit 3", "rc=3"),
        ("npm test | tail -3", "boom", 143, "test", "stopped before its end (exit 143)", ""),
        ("npm test > /dev/null && echo OK || echo BAD", "BAD", 0, "test", "its failure branch printed “BAD”", "BAD"),
        ("npm test > /dev/null && echo OK || echo BAD", "OK", 0, "test", "its success branch printed “OK”", "OK"),
        ("pytest", f"{COVERAGE}\n{GREEN}", 1, "test", f"exit 1: {COVERAGE}", COVERAGE),
        ("npx tsc --noEmit | grep -c error", "3", 0, "typecheck", "`| grep -c error` shows 3", "3"),
        ("npx tsc --noEmit | grep -c error", "0", 1, "typecheck", "`| grep -c error` shows none", "0"),
    ],
)
def test_the_words(command: str, text: str, code: int, kind: str, why: str, quote: str) -> None:
    reading = read(command, text, code, kind)

    assert (reading.why, reading.quote) == (why, quote)


def test_a_summary_without_numbers_of_its_own_is_told_by_its_line() -> None:
    assert describe(Summary(runner="ok", outcome=Outcome.PASSED, quote="3 ok", counts=Counts(total=3))) == "3 ok"


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("pytest -q || ./run_tests.sh && ./deploy.sh", RED, 0, "unknown"),
        ("pytest -q || ./run_tests.sh && ./deploy.sh", GREEN, 0, "not-run"),
        ("pytest -q || ./run_tests.sh && ./deploy.sh", f"{GREEN}\ndenied", 1, "not-run"),
        ("pytest -q || echo no; ./run_tests.sh | tail -1", GREEN, 0, "unknown"),
    ],
)
def test_an_alternative_runs_only_where_the_first_failed(command: str, text: str, code: int, expected: str) -> None:
    commands = classify(command)
    which = next(item for item in commands if item.argv == ("./run_tests.sh",))
    got = ToolResult(line=2, tool_use_id="t", text=text, is_error=code != 0, exit_code=code or None)

    assert read_outcome(commands, got, which).outcome is Outcome(expected)


def test_a_failure_without_a_number_is_told_as_one() -> None:
    got = ToolResult(line=2, tool_use_id="t", text="boom", is_error=True)
    reading = read_outcome(commands := classify("npm test"), got, commands[0])

    assert (reading.outcome, reading.why) == (Outcome.FAILED, "it failed (the host gives no exit status)")


@pytest.mark.parametrize(
    ("command", "code", "truncated", "cut_off"),
    [
        ("./a && npm test && ./b", 1, True, True),
        ("./a && npm test && ./b", 1, False, False),
        ("npm test | sort -u", 0, True, False),  # the pipe is what hides it
        ("npm test | sort -u", 143, False, True),
    ],
)
def test_what_was_cut_off(command: str, code: int, truncated: bool, cut_off: bool) -> None:
    reading = read(command, " RUN  v1.6.0 /app\n..", code, truncated=truncated)

    assert (reading.outcome, reading.cut_off) == (Outcome.UNKNOWN, cut_off)
