"""What a command came to: status, whose it is, and print, joined. Every row is a line as an agent types it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.outcomes import Reading, read_outcome
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import ToolResult, ToolUse, UserShell

GREEN = "============ 10 passed in 0.52s ============"
RED = "======= 2 failed, 10 passed in 0.61s ======="
JEST_GREEN = "Test Suites: 2 passed, 2 total\nTests:       9 passed, 9 total\nSnapshots:   0 total\nTime:        1.2 s\nRan all test suites."
JEST_RED = "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 8 passed, 9 total"
ESLINT_RED = "/src/a.ts\n  3:7  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
TSC_RED = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."
CHECKS = (CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT)
PARTIAL = "FAILED tests/test_a.py::test_a - assert 0"
COVERAGE = "FAIL Required test coverage of 90% not reached. Total coverage: 80.00%"
LINTED = "/src/a.ts\n  3:7  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
PNPM = " ELIFECYCLE  Command failed with exit code 1."
PNPM_TEST = " ELIFECYCLE  Test failed. See above for more details."
PRETTY = "All matched files use Prettier code style!\n"
RUST = "error: could not compile `app` (lib test) due to 1 previous error"


def result(text: str = "", code: int | None = 0, **fields: Any) -> ToolResult:
    """A host's result: `code` None is an old host's failure, which has no number."""
    failed = code != 0
    shown = f"Exit code {code}\n{text}" if code else text
    return ToolResult(
        line=2, tool_use_id="t", text=shown, is_error=failed, exit_code=code or None, **fields
    )


def readings(
    command: str, got: Any, kinds: tuple[CommandKind, ...] = (CommandKind.TEST,)
) -> list[Reading]:
    commands = classify(command)
    found = [read_outcome(commands, got, item) for item in commands if item.kind in kinds]
    assert found, f"no command of {kinds} in {command!r}"
    return found


def outcome(command: str, text: str = "", code: int | None = 0, **fields: Any) -> str:
    return str(readings(command, result(text, code, **fields))[0].outcome)


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("pytest", GREEN, 0, "passed"),
        ("pytest", RED, 1, "failed"),
        ("pytest", RED, None, "failed"),  # hosts before 2.0.37 give no number
        ("pytest -qq", "", 0, "passed"),
        ("pytest", GREEN, 1, "failed"),  # something else failed: a coverage threshold, a crash at the end
        ("npm test", "", 1, "failed"),
        ("cd app && pytest", GREEN, 0, "passed"),
        ("cd app && pytest", GREEN, 1, "failed"),
        ("timeout 60 pytest", GREEN, 0, "passed"),
        ("set -o pipefail; pytest | tee log.txt", "", 1, "failed"),
        ("bash -lc 'pytest -q'", "", 0, "passed"),
    ],
)  # fmt: skip
def test_a_visible_status_decides(command: str, text: str, code: int | None, expected: str) -> None:
    assert outcome(command, text, code) == expected


def test_a_failing_status_beside_a_good_summary_says_both() -> None:
    reading = readings("pytest --cov --cov-fail-under=90", result(GREEN, 1))[0]

    assert reading.outcome is Outcome.FAILED
    assert reading.why == "exit 1, although 10 passed"
    assert reading.counts == Counts(passed=10, failed=0, skipped=0)


def test_a_status_that_the_line_prints_is_the_one_that_is_told() -> None:
    shown = "10 passed in 0.52s\nrc=3"
    typed = UserShell(line=2, command="", stdout=shown)

    for got in (result(shown), typed):
        assert readings("pytest -q; echo rc=$?", got)[0].why == "exit 3, although 10 passed"
        assert (
            readings("npm test; echo rc=$?", UserShell(line=2, command="", stdout="rc=3"))[0].why
            == "exit 3"
        )


@pytest.mark.parametrize("code", [124, 130, 137, 143])
def test_what_was_killed_has_not_failed(code: int) -> None:
    reading = readings("npm test", result("running", code))[0]

    assert reading.outcome is Outcome.UNKNOWN
    assert reading.why == f"stopped before its end (exit {code})"
    assert (
        readings("npm test", result("running", None, timed_out=True))[0].why
        == "stopped before its end"
    )
    assert (
        readings("pytest", result(GREEN, code))[0].why
        == f"stopped before its end (exit {code}), although 10 passed"
    )


def test_a_failure_says_its_counts_and_quotes_its_line() -> None:
    reading = readings("pytest", result(RED, 1))[0]

    assert (reading.outcome, reading.why) == (Outcome.FAILED, "exit 1: 2 failed, 10 passed")
    assert (reading.status_visible, reading.masked, reading.quote) == (True, "", RED)
    assert reading.counts == Counts(passed=10, failed=2, skipped=0)


@pytest.mark.req("REQ-REFL-001")
@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("npm test 2>&1 | tail -40", JEST_RED, "failed"),
        ("npm test 2>&1 | tail -40", JEST_GREEN, "passed"),
        ("npm test 2>&1 | tail -3", "Time:        1.2 s\nRan all test suites.", "unknown"),
        ("npm test 2>&1 | head -20", "PASS src/a.test.js\nPASS src/b.test.js\n" + "log\n" * 18, "unknown"),
        ("npm test 2>&1 | head -20", "FAIL src/a.test.js\n" + "log\n" * 19, "failed"),
        ("pytest || true", RED, "failed"),
        ("pytest || true", "", "unknown"),
        ("pytest; echo done", GREEN + "\ndone", "passed"),
        ("pytest; echo done", "done", "unknown"),
        ("pytest -q | grep -c FAILED", "0", "unknown"),
        ("npx jest | grep -E 'Tests:|Suites:'", "Test Suites: 2 passed, 2 total\nTests:       9 passed, 9 total", "passed"),
        ("pytest -q --tb=no | grep -oE '[0-9]+ (passed|failed)'", "143 passed", "passed"),
        ("pytest -q | grep -Eo '[0-9]+ (passed|failed|skipped)'", "2 failed\n141 passed\n3 skipped", "failed"),
        ("pytest -q | grep -oE '[0-9]+ passed'", "143 passed", "unknown"),
        ("npx jest --json --outputFile=/tmp/r.json >/dev/null 2>&1; jq .numFailedTests,.success /tmp/r.json", "0\ntrue", "unknown"),
        ("npx jest --json --outputFile=/tmp/r.json >/dev/null 2>&1; jq '{numPassedTests,numFailedTests}' /tmp/r.json", '{\n  "numPassedTests": 21,\n  "numFailedTests": 0\n}', "passed"),
        ("npx jest --json --outputFile=/tmp/r.json >/dev/null; jq -r '\"\\(.numPassedTests) passed, \\(.numFailedTests) failed\"' /tmp/r.json", "20 passed, 1 failed", "failed"),
        ("npx jest | grep PASS", "PASS src/a.test.js\nPASS src/b.test.js", "unknown"),
        ("go test ./... | grep '^ok'", "ok  \texample.com/a\t0.1s", "unknown"),
        ("go test ./... 2>&1 | tail -2", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s", "passed"),
        ("go test ./... 2>&1 | head -2", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s", "unknown"),
        ("go test ./... 2>&1 | head -9", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s", "passed"),
        ("make test 2>&1 | tail -5", "make: *** [Makefile:3: test] Error 1", "failed"),
        ("npm test 2>&1 | tail -5", "running my script\nall good", "unknown"),  # npm does not
        ("pytest > /dev/null 2>&1; true", "", "unknown"),
        ("pytest > out.txt 2>&1; tail -3 out.txt", GREEN, "passed"),
        ("! pytest", "", "unknown"),
        ("npm test | tail -1", "0 errors ✔ | 0 warnings ✔ | 0 notes ✔", "unknown"),
    ],
)  # fmt: skip
def test_a_hidden_status_leaves_what_was_printed(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


def test_a_masked_result_says_what_hides_it() -> None:
    reading = readings("npm test 2>&1 | tail -5", result("Done in 3s."))[0]

    assert reading.outcome is Outcome.UNKNOWN
    assert reading.why == "status hidden by `| tail -5`, no summary shown"
    assert (reading.status_visible, reading.masked) == (False, "| tail -5")


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ('pytest -q; echo "EXIT: $?"', "..\nEXIT: 0", "passed"),
        ('pytest -q; echo "EXIT=$?"', "F\nEXIT=1", "failed"),
        ("pytest -q; echo $?", "..\n0", "passed"),
        ("pytest -q; echo $?", "F\n1", "failed"),
        ("npm test | tail -1; echo ${PIPESTATUS[0]}", "bye\n0", "passed"),
        ("npm test | tail -1; echo ${PIPESTATUS[0]}", "bye\n1", "failed"),
        ('cd app && npm test 2>&1 | tail -1; echo "exit ${PIPESTATUS[0]}"', "bye\nexit 0", "passed"),
        ('cd app && npm test 2>&1 | tail -1; echo "exit ${PIPESTATUS[0]}"', "bye\nexit 1", "failed"),
        ('. env/bin/activate && npm test | tail -1; echo "rc=${PIPESTATUS[0]}"', "bye\nrc=0", "passed"),
        ('cd app && npm test | tail -1; echo "rc=$?"', "bye\nrc=0", "unknown"),  # it is tail's status
        ('npm test | tail -1 && echo next; echo "rc=$?"', "bye\nnext\nrc=0", "unknown"),
        ('npm test | tail -1 && ruff check; echo "rc=$?"', "bye\nAll checks passed!\nrc=0", "unknown"),  # ruff's word
        ('set -o pipefail; npm test | tail -1; echo "rc=$?"', "bye\nrc=0", "passed"),
        ('set -o pipefail; cd app && npm test | tail -1; echo "rc=$?"', "bye\nrc=1", "failed"),
        ("npm test & wait; echo rc=$?", "bye\nrc=0", "unknown"),  # always 0
        ("npm test & ruff check & wait $!; echo rc=$?", "bye\nrc=0", "unknown"),  # the linter's
    ],
)  # fmt: skip
def test_a_status_that_the_line_prints_counts(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ('echo "10 passed in 0.52s"; npm test | tail -1', "10 passed in 0.52s\nbye"),
        ('npm test | tail -1; echo "All tests passed!"', "bye\nAll tests passed!"),
        ("npm test | tail -1; printf '1 passed, 0 failed\\n'", "bye\n1 passed, 0 failed"),
    ],
)  # fmt: skip
def test_what_the_line_itself_says_proves_nothing(command: str, text: str) -> None:
    assert outcome(command, text) == "unknown"


def test_words_in_the_log_do_not_outweigh_the_summary() -> None:
    log = "[Routes] Error in POST /api: FAIL\nerror: Database connection failed\nFAILED to connect\n 1216 pass\n 0 fail\nRan 1216 tests across 55 files. [862.00ms]"

    assert outcome("bun test 2>&1 | tail -20", log) == "passed"


def test_a_failing_run_inside_a_passing_one_is_the_tests_own_material() -> None:
    """A project that tests a test runner prints summaries of failing runs."""
    assert outcome("pytest -s", f"{RED}\n{RED}\n{GREEN}", 0) == "passed"


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("mise run lint && mise run test", "[lint] a.go:1: bad\n[lint] ERROR task failed", 1, ["not-run"]),
        ("make lint && make test", "make: *** [Makefile:2: lint] Error 1", 2, ["not-run"]),
        ("make lint && make test", "make: *** [Makefile:5: test] Error 1", 2, ["failed"]),
        ("npm run build && npm test", "Failed to compile.", 1, ["not-run"]),
        ("pnpm lint && pnpm test", f"{ESLINT_RED}\n ELIFECYCLE  Command failed with exit code 1.", 1, ["not-run"]),
        ("yarn typecheck && yarn test", f"{TSC_RED}\nerror Command failed with exit code 2.", 1, ["not-run"]),
        ("pnpm lint && pnpm test", " ELIFECYCLE  Test failed. See above for more details.", 1, ["failed"]),
        ("pnpm lint && pnpm test", f"{JEST_RED}\n ELIFECYCLE  Test failed. See above for more details.", 1, ["failed"]),
        ("pnpm test", f"{TSC_RED}\n ELIFECYCLE  Test failed. See above for more details.", 1, ["failed"]),
        ("npm run build && npm test", f"built\n{JEST_RED}", 1, ["failed"]),
        ("pytest && ruff check .", f"{GREEN}\nFound 3 errors.", 1, ["passed"]),
    ],
)  # fmt: skip
def test_each_command_of_a_line_has_its_own_outcome(
    command: str, text: str, code: int, expected: list[str]
) -> None:
    assert [str(item.outcome) for item in readings(command, result(text, code))] == expected


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("pnpm build && pnpm test", f"{JEST_RED}\n ELIFECYCLE  Test failed. See above for more details.", "unknown"),
        ("yarn lint && yarn test", f"{RED}\nerror Command failed with exit code 1.", "unknown"),
        ("pnpm build && pnpm test", f"{TSC_RED}\n ELIFECYCLE  Command failed with exit code 2.", "failed"),
        ("pnpm build", " ELIFECYCLE  Command failed with exit code 2.", "failed"),
    ],
)  # fmt: skip
def test_a_task_runners_closing_line_is_about_what_ran_last(
    command: str, text: str, expected: str
) -> None:
    assert str(readings(command, result(text, 1), CHECKS)[0].outcome) == expected


@pytest.mark.parametrize(
    ("command", "text", "code"),
    [
        ("pytest", "collected 0 items\n\n===== no tests ran in 0.01s =====", 5),
        ("pytest -k nothing", "===== 12 deselected in 0.02s =====", 5),
        ("pytest", "===== 3 skipped in 0.02s =====", 0),
        ("pytest --collect-only", "12 tests collected in 0.02s", 0),
        ("npx jest --listTests", "/app/a.test.js", 0),
        ("npx jest --passWithNoTests", "No tests found, exiting with code 0", 0),
        ("npm test", "No tests found, exiting with code 1", 1),
        ("go test ./...", "?   \texample.com/a\t[no test files]", 0),
        ("go test -run Zzz ./...", "ok  \texample.com/a\t0.1s [no tests to run]", 0),
        ("cargo test zzz", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s", 0),
        ("make test", "make: Nothing to be done for 'test'.", 0),
        ("npm test", 'npm error Missing script: "test"', 1),
        ("npm test", '> app@1.0.0 test\n> echo "Error: no test specified" && exit 1\n\nError: no test specified', 1),
        ("python -m pytest", "/usr/bin/python: No module named pytest", 1),
        ("pytest", "bash: line 1: pytest: command not found", 127),
        ("pytest", "bash: line 1: /usr/bin/pytest: Permission denied", 126),
    ],
)  # fmt: skip
def test_where_nothing_was_executed_the_run_is_no_run(command: str, text: str, code: int) -> None:
    assert outcome(command, text, code) == "not-run"


def test_a_vacuous_run_says_why() -> None:
    reading = readings("pytest", result("===== 3 skipped in 0.02s =====", 0))[0]

    assert reading.why == "all 3 skipped"


def test_a_missing_program_of_the_tests_own_is_no_missing_runner() -> None:
    assert outcome("pytest", f"sh: 1: ffmpeg: not found\n{RED}", 1) == "failed"


def test_a_run_in_the_background_is_open_until_its_notice() -> None:
    started = result("Command running in background with ID: b1", background_id="b1")

    open_ = readings("pytest", started)[0]
    assert (open_.outcome, open_.running) == (Outcome.UNKNOWN, True)


def test_a_timeout_is_unknown_unless_failures_were_printed() -> None:
    silent = result("Command timed out after 2m 0.0s", 143, timed_out=True)
    failing = result(
        "FAILED tests/test_a.py::test_b - assert 0\nCommand timed out after 2m", 143, timed_out=True
    )

    cut = readings("pytest", silent)[0]
    assert cut.outcome is Outcome.UNKNOWN
    assert readings("pytest", failing)[0].outcome is Outcome.FAILED


def test_a_persisted_output_is_read_from_both_of_its_parts() -> None:
    preview = result(
        "<persisted-output>\nOutput too large (80KB). Preview:\ncollected 90 items",
        truncated=True,
        stdout=f"log\n{RED}",
    )

    assert readings("pytest | cat", preview)[0].outcome is Outcome.FAILED


def test_a_persons_own_command_has_no_status_but_its_print() -> None:
    assert (
        readings("npm test", UserShell(line=1, command="npm test", stdout=JEST_RED))[0].outcome
        is Outcome.FAILED
    )
    assert (
        readings("npm test", UserShell(line=1, command="npm test", stdout="bye"))[0].outcome
        is Outcome.UNKNOWN
    )


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("npx tsc --noEmit 2>&1 | tail -20", "", 0, ["passed"]),
        ("npx tsc --noEmit 2>&1 | tail -20", "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.", 0, ["failed"]),
        ("go build ./...", "", 0, ["passed"]),
        ("go build ./... 2>&1 | tail -80 && echo BUILD_OK", "BUILD_OK", 0, ["passed"]),
        ("npm run build 2>&1 | tail -5", "✓ built in 3.25s", 0, ["passed"]),
        ("npm run build", "Failed to compile.", 1, ["failed"]),
        ("mise run fmt && mise run lint", "[fmt] $ gofmt -w .\n[lint] a.go:1:1: bad (x)\n[lint] 1 issues:\n[lint] ERROR task failed", 1, ["unknown", "failed"]),
        ("ruff check . && mypy .", "All checks passed!\nFound 2 errors in 1 file (checked 3 source files)", 1, ["passed", "failed"]),
        ("cargo check 2>&1 | tail -3", 'error: could not compile `app` (bin "app") due to 1 previous error', 0, ["failed"]),
        ("npx eslint . 2>&1 | tail -5", "✖ 2 problems (0 errors, 2 warnings)", 0, ["passed"]),
        # it says nothing when it goes well, and what stands behind it may have failed
    ],
)  # fmt: skip
def test_builds_and_checkers_have_outcomes_too(
    command: str, text: str, code: int, expected: list[str]
) -> None:
    assert [str(item.outcome) for item in readings(command, result(text, code), CHECKS)] == expected


@given(
    st.text(max_size=300),
    st.sampled_from([0, 1, 127, 143, None]),
    st.sampled_from(
        [
            "pytest | tail -3",
            "a && npm test; echo $?",
            "go test ./... | grep ok | head -3",
            "make lint && make test || true",
        ]
    ),
)  # fmt: skip
def test_any_output_gives_some_outcome(text: str, code: int | None, command: str) -> None:
    for reading in readings(command, result(text, code)):
        assert reading.why
        assert reading.outcome in Outcome


def read(command: str, text: str, code: int = 0, kind: str = "test", **fields: object) -> Reading:
    commands = classify(command)
    which = next(item for item in commands if item.kind is CommandKind(kind))
    shown = f"Exit code {code}\n{text}" if code else text
    got = ToolResult(
        line=2, tool_use_id="t", text=shown, is_error=code != 0, exit_code=code or None, **fields
    )  # type: ignore[arg-type]
    return read_outcome(commands, got, which)


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("ruff check && pytest -q --cov-fail-under=90", GREEN, 1, "failed"),  # it ran, so the linter had passed
        ("make test | tail -1 && ruff check", "All 12 tests passed\nAll checks passed!", 0, "passed"),
        ("make test | tail -1 && ruff check", "12 files\nAll checks passed!", 0, "unknown"),
        ("cargo test 2>&1 | tail -1 && cargo clippy", RUST, 1, "failed"),
        ("pnpm test | tail -8", LINTED + PNPM_TEST, 0, "failed"),  # the script may lint as well
        ("pnpm lint && pnpm test | tail -8", LINTED + PNPM, 0, "unknown"),
        ("pnpm format:check && pnpm test | tail -3", PRETTY + PNPM_TEST, 0, "failed"),
        ("pnpm lint && pnpm test", f"{PNPM}\n{PNPM_TEST}", 1, "failed"),
        ("npm test", "sh: 1: npm: command not found", 0, "passed"),  # printed by something that it called
        ("timeout 60 pnpm test", "", 0, "not-run"),
        ("pnpm -s test", "", 0, "passed"),
        ("pnpm test | grep -i fail", "", 0, "unknown"),
        ("pnpm test | python summary.py", "", 0, "unknown"),
        ("pnpm test > out.txt", "", 0, "passed"),
    ],
)  # fmt: skip
def test_of_tests(command: str, text: str, code: int, expected: str) -> None:
    assert read(command, text, code).outcome is Outcome(expected)


@pytest.mark.parametrize(
    ("command", "text", "code", "kind", "expected"),
    [
        ("pnpm build; pnpm test", f"{PNPM}\n{GREEN}", 0, "build", "failed"),  # the tests ran whatever the build came to
        ("pnpm build && pnpm test", f"{GREEN}\n{PNPM}", 1, "build", "unknown"),
        ("pnpm build", "", 0, "build", "passed"),
        ("git ls-files; gofmt -l .", "a.go", 2, "lint", "failed"),
    ],
)  # fmt: skip
def test_of_builds_and_checks(command: str, text: str, code: int, kind: str, expected: str) -> None:
    assert read(command, text, code, kind).outcome is Outcome(expected)


@pytest.mark.parametrize(
    ("fields", "why", "quote"),
    [
        ({"denied": True}, "the call was refused", "not now"),
        ({"not_run": True}, "the call never ran", "not now"),
    ],
)  # fmt: skip
def test_a_call_that_was_not_carried_out_says_so(
    fields: dict[str, bool], why: str, quote: str
) -> None:
    reading = read("pytest", f"\n\nnot now\n{GREEN}", 1, **fields)

    assert (reading.outcome, reading.why, reading.quote) == (Outcome.NOT_RUN, why, quote)


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
    ],
)  # fmt: skip
def test_the_words(command: str, text: str, code: int, kind: str, why: str, quote: str) -> None:
    reading = read(command, text, code, kind)

    assert (reading.why, reading.quote) == (why, quote)


# -- kinds from public reports, and the labelled sessions

XCRESULT = '{{\n  "expectedFailures" : 0,\n  "failedTests" : {},\n  "passedTests" : 5,\n  "result" : "x",\n  "skippedTests" : 0,\n  "totalTestCount" : 6\n}}'
ZEROS = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        # a part of the output that went to a file
        ("go test ./... > o.txt 2>&1; grep -c '^--- FAIL' o.txt", "2", "unknown"),
        ("go test -json ./... > o.json; jq -r 'select(.Action==\"fail\") | .Test' o.json | sort -u", "TestA", "unknown"),
        ("go test -v ./... > o.txt 2>&1; awk '/^--- FAIL/{print $3}' o.txt", "TestA", "unknown"),
        ("go test -json ./... > o.json; grep fail o.json | wc -l", "0", "unknown"),
        # failures that the build tool is told to ignore
        ("mvn -B test", "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", "failed"),
        ("./gradlew build", "> Task :test\n245 tests completed, 1 failed, 3 skipped\nBUILD SUCCESSFUL in 36s", "failed"),
        ("tox", "1 failed, 5 passed in 0.1s\n  py311: IGNORED FAIL code 1 (1.2s)\n  congratulations :) (1.3 seconds)", "failed"),
        # reports that the next command shows
        ("xcodebuild test -quiet >/dev/null 2>&1; xcrun xcresulttool get test-results summary --path r.xcresult", XCRESULT.format(1), "failed"),
        ("xcodebuild test -quiet >/dev/null 2>&1; xcrun xcresulttool get test-results summary --path r.xcresult", XCRESULT.format(0), "passed"),
        ("pytest -q --junitxml=r.xml >/dev/null 2>&1; grep -o '<testsuite [^>]*>' r.xml", '<testsuite name="pytest" errors="0" failures="0" skipped="0" tests="6" time="0.12">', "passed"),
        ("dotnet test --logger 'trx;LogFileName=r.trx' > /dev/null; grep -o '<Counters [^>]*>' tests/TestResults/r.trx", '<Counters total="6" executed="6" passed="5" failed="1" error="0" />', "failed"),
        ("mvn -q test >/dev/null 2>&1; cat target/surefire-reports/*.txt | grep 'Tests run'", "Tests run: 5, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in ATest", "failed"),
        ("cargo test 2>&1 | grep -E '^test result' | sort | uniq -c", "      2 test result: ok. 6 passed; 0 failed; 0 ignored\n      1 test result: FAILED. 5 passed; 1 failed; 0 ignored", "failed"),
        # the last runs of several, and they were empty
        ("just test 2>&1 | tail -14", ZEROS * 3, "unknown"),
        ("make test 2>&1 | tail -14", ZEROS * 3, "unknown"),
        ("npm test 2>&1 | tail -9", "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 5.2", "unknown"),
    ],
)  # fmt: skip
def test_kinds_of_fault_that_people_reported(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("./gradlew test", 'Exception in thread "main" java.net.UnknownHostException: services.gradle.org'),
        ("./gradlew test", "      > Could not GET 'https://plugins-artifacts.gradle.org/x.pom'. Received status code 403 from server: Forbidden\n\nBUILD FAILED in 4s"),
        ("./gradlew testDebugUnitTest", "> SDK location not found. Define a valid SDK location\n\nBUILD FAILED in 3s"),
        ("./gradlew test", "> Cannot find a Java installation on your machine matching this task's requirements: {languageVersion=21}\n\nBUILD FAILED in 2s"),
        ("dotnet test", "      A compatible .NET SDK was not found.\n\nInstalled SDKs:\n8.0.404 [/usr/share/dotnet/sdk]"),
        ("docker compose run app pytest", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock."),
        ("mvn test", "[ERROR] Non-resolvable parent POM for a:a:1: Could not transfer artifact\n[INFO] BUILD FAILURE"),
        ("go test ./...", "go: example.com/x@v1: Get https://proxy.golang.org/x: dial tcp: lookup proxy.golang.org: no such host"),
        ("npm test", "npm error code ENOTFOUND\nnpm error network request to https://registry.npmjs.org/x failed"),
        ("cargo test", "error: No space left on device (os error 28)"),
    ],
)  # fmt: skip
def test_what_the_machine_lacks_keeps_tests_from_starting(command: str, text: str) -> None:
    assert outcome(command, text, 1) == "not-run"


#: `| head -30` shows exactly 30 lines: 16 tests began, 14 of them passed, and the package's own line is cut off. By the
#: label rules ("unknown: ran, verdict cut off") this is unknown; the label says pass.
LABEL_ERRORS = {("22-dependency-update-test-failures.jsonl", 401)}
LABELS = {"pass": "passed", "fail": "failed", "denied": "not-run", "background": "unknown"}


@pytest.mark.shared
@pytest.mark.parametrize(
    ("field", "kinds"), [("test_commands", (CommandKind.TEST,)), ("build_commands", CHECKS)]
)
def test_the_labelled_outcomes_are_right(
    shared_dir: Any, field: str, kinds: tuple[CommandKind, ...]
) -> None:
    wrong, tried = [], 0
    for session in json.loads((shared_dir / "transcripts/MANIFEST.json").read_text())[
        "transcripts"
    ]:
        labels = {item["line"]: item for item in session["labels"].get(field) or []}
        uses: dict[str, ToolUse] = {}
        path = shared_dir / "transcripts" / session["file"]
        for record in TranscriptReader(str(path), final=True, whole=True) if labels else ():
            if isinstance(record, ToolUse) and record.line in labels:
                uses[record.id] = record
            use = uses.get(record.tool_use_id) if isinstance(record, ToolResult) else None
            if use is None or (session["file"], use.line) in LABEL_ERRORS:
                continue
            label = labels[use.line]["outcome"]
            expected = LABELS.get(label, label)
            found = {str(item.outcome) for item in readings(use.input["command"], record, kinds)}
            tried += 1
            if expected not in found or ("failed" in found and expected != "failed"):
                wrong.append(
                    (session["file"], use.line, expected, found, use.input["command"][:80])
                )
    assert wrong == []
    assert tried > 70
