"""What a command came to: status, whose it is, and print, joined. Every row is a line as an agent types it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.outcomes import Reading, read_outcome
from ace_reflect.transcript.records import ToolResult, UserShell
from ace_reflect.transcript.results import read_result

GREEN = "============ 10 passed in 0.52s ============"
RED = "======= 2 failed, 10 passed in 0.61s ======="
JEST_GREEN = "Test Suites: 2 passed, 2 total\nTests:       9 passed, 9 total\nSnapshots:   0 total\nTime:        1.2 s\nRan all test suites."
JEST_RED = "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 8 passed, 9 total"
ESLINT_RED = "/src/a.ts\n  3:7  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
TSC_RED = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."
CHECKS = (CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT)


def result(text: str = "", code: int | None = 0, **fields: Any) -> ToolResult:
    """A host's result: `code` None is an old host's failure, which has no number."""
    failed = code != 0
    shown = f"Exit code {code}\n{text}" if code else text
    return ToolResult(line=2, tool_use_id="t", text=shown, is_error=failed, exit_code=code or None, **fields)


def readings(command: str, got: Any, kinds: tuple[CommandKind, ...] = (CommandKind.TEST,)) -> list[Reading]:
    commands = classify(command)
    found = [read_outcome(commands, got, item) for item in commands if item.kind in kinds]
    assert found, f"no command of {kinds} in {command!r}"
    return found


def outcome(command: str, text: str = "", code: int | None = 0, **fields: Any) -> str:
    return str(readings(command, result(text, code, **fields))[0].outcome)


# -- the status is the command's own


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
        ("pytest; exit $?", "", 1, "failed"),
        ("bash -lc 'pytest -q'", "", 0, "passed"),
    ],
)
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
        assert readings("npm test; echo rc=$?", UserShell(line=2, command="", stdout="rc=3"))[0].why == "exit 3"
    assert readings("pytest", result("oops", None))[0].why == "it failed (the host gives no exit status)"


@pytest.mark.parametrize("code", [124, 130, 137, 143])
def test_what_was_killed_has_not_failed(code: int) -> None:
    reading = readings("npm test", result("running", code))[0]

    assert (reading.outcome, reading.cut_off) == (Outcome.UNKNOWN, True)
    assert reading.why == f"stopped before its end (exit {code})"
    assert readings("npm test", result("running", None, timed_out=True))[0].why == "stopped before its end"
    assert readings("pytest", result(GREEN, code))[0].why == f"stopped before its end (exit {code}), although 10 passed"


def test_a_failure_says_its_counts_and_quotes_its_line() -> None:
    reading = readings("pytest", result(RED, 1))[0]

    assert (reading.outcome, reading.why) == (Outcome.FAILED, "exit 1: 2 failed, 10 passed")
    assert (reading.status_visible, reading.masked, reading.quote) == (True, "", RED)
    assert reading.counts == Counts(passed=10, failed=2, skipped=0)


# -- the status is hidden


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
        (
            "npx jest | grep -E 'Tests:|Suites:'",
            "Test Suites: 2 passed, 2 total\nTests:       9 passed, 9 total",
            "passed",
        ),
        ("npx jest | grep -E '^(PASS|FAIL)'", "PASS src/a.test.js\nPASS src/b.test.js", "passed"),
        ("pytest -q --tb=no | grep -oE '[0-9]+ (passed|failed)'", "143 passed", "passed"),
        ("pytest -q | grep -Eo '[0-9]+ (passed|failed|skipped)'", "2 failed\n141 passed\n3 skipped", "failed"),
        ("pytest -q | grep -oE '[0-9]+ passed'", "143 passed", "unknown"),
        ("./ci.sh | grep -oE '[0-9]+ (passed|failed)'; cat n.txt", "143 passed\nuploads: 2 failed", "unknown"),
        (
            "npx jest --json --outputFile=/tmp/r.json >/dev/null 2>&1; jq .numFailedTests,.success /tmp/r.json",
            "0\ntrue",
            "unknown",
        ),
        (
            "npx jest --json --outputFile=/tmp/r.json >/dev/null 2>&1; jq '{numPassedTests,numFailedTests}' /tmp/r.json",
            '{\n  "numPassedTests": 21,\n  "numFailedTests": 0\n}',
            "passed",
        ),
        (
            "npx jest --json --outputFile=/tmp/r.json >/dev/null; jq -r '\"\\(.numPassedTests) passed, \\(.numFailedTests) failed\"' /tmp/r.json",
            "20 passed, 1 failed",
            "failed",
        ),
        (
            "npx jest --json --outputFile=/tmp/r.json >/dev/null 2>&1; cat /tmp/old.json",
            '{"numPassedTests": 21, "numFailedTests": 0}',
            "unknown",
        ),
        ("npx jest | grep PASS", "PASS src/a.test.js\nPASS src/b.test.js", "unknown"),
        ("go test ./... | grep -v '^ok'", "?   \texample.com/a\t[no test files]", "passed"),
        ("go test ./... | grep '^ok'", "ok  \texample.com/a\t0.1s", "unknown"),
        ("go test ./... 2>&1 | tail -2", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s", "passed"),
        ("go test ./... 2>&1 | head -2", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s", "unknown"),
        ("go test ./... 2>&1 | head -9", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s", "passed"),
        ("make test 2>&1 | tail -5", "make: *** [Makefile:3: test] Error 1", "failed"),
        ("make test 2>&1 | tail -5", "running my script\nall good", "passed"),  # make always says when a recipe failed
        ("npm test 2>&1 | tail -5", "running my script\nall good", "unknown"),  # npm does not
        ("pytest > /dev/null 2>&1; true", "", "unknown"),
        ("pytest > out.txt 2>&1; tail -3 out.txt", GREEN, "passed"),
        ("! pytest", "", "unknown"),
        (
            "west twister -T tests | tail -3",
            "INFO    - 4 of 4 executed test configurations passed (100.00%), 0 built (not run), 0 failed, 0 errored, with no warnings in 31.20 seconds.",
            "passed",
        ),
        (
            "west twister -T tests | tail -3",
            "INFO    - 3 of 4 test configurations passed (75.00%), 1 failed, 0 errored, 2 skipped with 0 warnings in 31 seconds",
            "failed",
        ),
        ("Rscript -e 'devtools::check()' | tail -1", "0 errors ✔ | 0 warnings ✔ | 1 note ✖", "passed"),
        ("Rscript -e 'devtools::check()' | tail -1", "1 error ✖ | 0 warnings ✔ | 0 notes ✔", "failed"),
        ("npm test | tail -1", "0 errors ✔ | 0 warnings ✔ | 0 notes ✔", "unknown"),
    ],
)
def test_a_hidden_status_leaves_what_was_printed(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


def test_a_masked_result_says_what_hides_it() -> None:
    reading = readings("npm test 2>&1 | tail -5", result("Done in 3s."))[0]

    assert reading.outcome is Outcome.UNKNOWN
    assert reading.why == "status hidden by `| tail -5`, no summary shown"
    assert (reading.status_visible, reading.masked, reading.cut_off) == (False, "| tail -5", False)


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
        ('cd app || npm test | tail -1; echo "rc=${PIPESTATUS[0]}"', "bye\nrc=0", "unknown"),  # it may not have run
        ('cd app && npm test | tail -1; echo "rc=$?"', "bye\nrc=0", "unknown"),  # it is tail's status
        ('npm test | tail -1 && echo next; echo "rc=$?"', "bye\nnext\nrc=0", "unknown"),
        ('npm test | tail -1 && ruff check; echo "rc=$?"', "bye\nAll checks passed!\nrc=0", "unknown"),  # ruff's word
        ('set -o pipefail; npm test | tail -1; echo "rc=$?"', "bye\nrc=0", "passed"),
        ('set -o pipefail; cd app && npm test | tail -1; echo "rc=$?"', "bye\nrc=1", "failed"),
        ("pytest -q; rc=$?; echo rc=$rc", "..\nrc=0", "passed"),
        ("pytest -q & pid=$!; wait $pid; echo rc=$?", "..\nrc=0", "passed"),
        ("pytest -q & wait $!; echo rc=$?", "F\nrc=1", "failed"),
        (
            'npm test > t.log 2>&1 &\nPID=$!\nsleep 5\nwait "${PID}"\nrc=$?\ntail -3 t.log\necho "exit=$rc"',
            "bye\nexit=1",
            "failed",
        ),
        ("npm start & S=$!; npm test & T=$!; wait $T; echo rc=$?; kill $S", "bye\nrc=0", "passed"),
        ("npm test & wait $! && echo GREEN || echo RED", "bye\nRED", "failed"),
        ("npm test & wait; echo rc=$?", "bye\nrc=0", "unknown"),  # always 0
        ("npm test & ruff check & wait $!; echo rc=$?", "bye\nrc=0", "unknown"),  # the linter's
        ("npm test | tail -1 & wait $!; echo rc=$?", "bye\nrc=0", "unknown"),  # tail's
        ("! npm test; echo rc=$?", "bye\nrc=1", "unknown"),  # turned round
        ('go build ./... && go test ./...; echo "exit: $?"', "exit: 0", "passed"),
        ('go build ./... && go test ./...; echo "exit: $?"', "a.go:1:1: undefined: x\nexit: 1", "unknown"),
        ("pytest -q && echo ALL GOOD || echo BROKEN", "..\nALL GOOD", "passed"),
        ("pytest -q && echo ALL GOOD || echo BROKEN", "F\nBROKEN", "failed"),
        ("if pytest -q; then echo good; else echo bad; fi", "F\nbad", "failed"),
        ("pytest -q | tail -1 && echo PASSED_ALL", "bye\nPASSED_ALL", "unknown"),  # it is tail's status
    ],
)
def test_a_status_that_the_line_prints_counts(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ('echo "10 passed in 0.52s"; npm test | tail -1', "10 passed in 0.52s\nbye"),
        ('npm test | tail -1; echo "All tests passed!"', "bye\nAll tests passed!"),
        ("npm test | tail -1; printf '1 passed, 0 failed\\n'", "bye\n1 passed, 0 failed"),
    ],
)
def test_what_the_line_itself_says_proves_nothing(command: str, text: str) -> None:
    assert outcome(command, text) == "unknown"


# -- words in the log


def test_words_in_the_log_do_not_outweigh_the_summary() -> None:
    log = "[Routes] Error in POST /api: FAIL\nerror: Database connection failed\nFAILED to connect\n 1216 pass\n 0 fail\nRan 1216 tests across 55 files. [862.00ms]"

    assert outcome("bun test 2>&1 | tail -20", log) == "passed"


def test_a_failing_run_inside_a_passing_one_is_the_tests_own_material() -> None:
    """A project that tests a test runner prints summaries of failing runs."""
    assert outcome("pytest -s", f"{RED}\n{RED}\n{GREEN}", 0) == "passed"


def test_an_old_log_shown_before_the_run_is_not_the_run() -> None:
    assert outcome("cat last.log; pytest -q 2>&1 | tail -3", f"{RED}\n{GREEN}") == "passed"
    assert outcome("cat last.log; pytest -q 2>&1 | tail -3", f"{GREEN}\n{RED}") == "failed"


@pytest.mark.parametrize(
    "behind",
    [
        "; cat last.log",
        "; tail -20 build/report.txt",
        "; git log -3",
        "; sed -n 1,40p tests/fixtures/output.txt",
        "; tail -q old.log",
        " | tee t.log; cat old.log",
    ],
)
def test_an_old_log_shown_behind_the_run_is_not_the_run(behind: str) -> None:
    assert outcome(f"pytest -q 2>&1{behind}", f"{GREEN}\n{RED}") == "passed"
    assert outcome(f"pytest -q 2>&1{behind}", f"{RED}\n{GREEN}") == "failed"


def test_a_printed_log_with_details_of_its_failures_is_none_of_the_run() -> None:
    now = " Test Files  9 passed (9)\n      Tests  34 passed (34)"
    old = " FAIL  a.test.ts > sums\n Test Files  1 failed | 8 passed (9)\n      Tests  1 failed | 33 passed (34)"

    assert outcome("npx vitest run | tail -5; cat old.log", f"{now}\n{old}") == "passed"
    assert outcome("npx vitest run | tail -9; cat old.log", f"{old}\n{now}") == "failed"
    assert (
        outcome("pytest -q; gh run view 8 --log-failed | tail -3", f"{GREEN}\ntest\tRun\t2026-06-03T09:10:00Z {RED}")
        == "passed"
    )


@pytest.mark.parametrize(
    "behind",
    ["> t.log; cat t.log", "| tee t.log; tail -40 t.log", "; git status", "; cat package.json", "; head src/a.py"],
)
def test_all_that_is_printed_counts_where_what_stands_behind_the_run_shows_no_old_one(behind: str) -> None:
    assert outcome(f"pytest -q {behind}", f"{GREEN}\n{RED}") == "failed"


# -- several commands


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
        ("pytest tests/a && pytest tests/b", RED, 1, ["failed", "not-run"]),
        ("pytest tests/a && pytest tests/b", f"{GREEN}\n{RED}", 1, ["passed", "failed"]),
        ("pytest; npx jest", f"{RED}\n{JEST_GREEN}", 0, ["failed", "passed"]),
        ("pytest -q || python -m unittest -q", "7 passed in 0.02s", 0, ["passed", "not-run"]),
        ("cd nowhere && pytest", "bash: line 1: cd: nowhere: No such file or directory", 1, ["not-run"]),
        ("for d in a b; do (cd $d && pytest -q); done", "1 passed in 0.1s\n1 failed in 0.1s", 0, ["failed"]),
        (
            'echo "--- a ---"; npm test | tail -1; echo "--- b ---"; pytest -q | tail -1',
            f"--- a ---\nbye\n--- b ---\n{GREEN}",
            0,
            ["unknown", "passed"],
        ),
    ],
)
def test_each_command_of_a_line_has_its_own_outcome(command: str, text: str, code: int, expected: list[str]) -> None:
    assert [str(item.outcome) for item in readings(command, result(text, code))] == expected


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("pnpm build && pnpm test", f"{JEST_RED}\n ELIFECYCLE  Test failed. See above for more details.", "unknown"),
        ("yarn lint && yarn test", f"{RED}\nerror Command failed with exit code 1.", "unknown"),
        ("pnpm build && pnpm test", f"{TSC_RED}\n ELIFECYCLE  Command failed with exit code 2.", "failed"),
        ("pnpm build", " ELIFECYCLE  Command failed with exit code 2.", "failed"),
    ],
)
def test_a_task_runners_closing_line_is_about_what_ran_last(command: str, text: str, expected: str) -> None:
    assert str(readings(command, result(text, 1), CHECKS)[0].outcome) == expected


@pytest.mark.parametrize(
    "command",
    [
        "cd src && mypy . ; ruff check src && mypy lib",
        "true && npx eslint . ; ruff check .",
        "cd a && tsc ; ruff check b",
    ],
)
def test_what_stands_behind_no_bar_is_no_alternative(command: str) -> None:
    checks = readings(command, result("All checks passed!", 0), CHECKS)

    assert "not-run" not in {str(item.outcome) for item in checks}


# -- nothing was executed


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
        (
            "cargo test zzz",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s",
            0,
        ),
        ("make test", "make: Nothing to be done for 'test'.", 0),
        ("npm test", 'npm error Missing script: "test"', 1),
        ("npm test", '> app@1.0.0 test\n> echo "Error: no test specified" && exit 1\n\nError: no test specified', 1),
        ("python -m pytest", "/usr/bin/python: No module named pytest", 1),
        ("pytest", "bash: line 1: pytest: command not found", 127),
        ("pytest", "bash: line 1: /usr/bin/pytest: Permission denied", 126),
        ("pytest 2>&1 | tail -3", "bash: line 1: pytest: command not found", 0),
        (
            "rtk bun run test 2>&1 | tail -30",
            "error: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS] <COMMAND>",
            0,
        ),
        ("uv run pytest", "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)", 2),
        ("pytest --nothere", "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --nothere", 4),
    ],
)
def test_where_nothing_was_executed_the_run_is_no_run(command: str, text: str, code: int) -> None:
    assert outcome(command, text, code) == "not-run"


def test_a_vacuous_run_says_why() -> None:
    reading = readings("pytest", result("===== 3 skipped in 0.02s =====", 0))[0]

    assert reading.why == "all 3 skipped"


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
        "This command requires approval",
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        "Permission to use Bash with command pytest has been denied.",
        "sonnet is temporarily unavailable, so auto mode cannot determine the safety of Bash right now.",
    ],
)
def test_a_call_that_the_host_refused_did_not_run(text: str) -> None:
    fields = read_result(
        {"content": text, "is_error": True, "tool_use_id": "t"}, {"toolUseResult": f"Error: {text}"}, "Bash"
    )

    assert readings("pytest", ToolResult(line=2, **fields))[0].outcome is Outcome.NOT_RUN


def test_a_missing_program_of_the_tests_own_is_no_missing_runner() -> None:
    assert outcome("pytest", f"sh: 1: ffmpeg: not found\n{RED}", 1) == "failed"


# -- no end, or none that is known


def test_a_run_in_the_background_is_open_until_its_notice() -> None:
    started = result("Command running in background with ID: b1", background_id="b1")

    open_ = readings("pytest", started)[0]
    assert (open_.outcome, open_.running) == (Outcome.UNKNOWN, True)


def test_a_timeout_is_unknown_unless_failures_were_printed() -> None:
    silent = result("Command timed out after 2m 0.0s", 143, timed_out=True)
    failing = result("FAILED tests/test_a.py::test_b - assert 0\nCommand timed out after 2m", 143, timed_out=True)

    cut = readings("pytest", silent)[0]
    assert (cut.outcome, cut.cut_off) == (Outcome.UNKNOWN, True)
    assert readings("pytest", failing)[0].outcome is Outcome.FAILED
    assert readings("timeout 5 pytest", result("", 124))[0].cut_off


def test_a_persisted_output_is_read_from_both_of_its_parts() -> None:
    preview = result(
        "<persisted-output>\nOutput too large (80KB). Preview:\ncollected 90 items",
        truncated=True,
        stdout=f"log\n{RED}",
    )

    assert readings("pytest | cat", preview)[0].outcome is Outcome.FAILED


def test_a_truncated_output_without_its_summary_is_cut_off() -> None:
    cut = result("line\n... [900 lines truncated] ...", truncated=True)

    assert readings("pytest", cut)[0].outcome is Outcome.PASSED  # its status is still its own
    assert readings("npm test | cat", cut)[0].outcome is Outcome.UNKNOWN


def test_a_persons_own_command_has_no_status_but_its_print() -> None:
    assert readings("npm test", UserShell(line=1, command="npm test", stdout=JEST_RED))[0].outcome is Outcome.FAILED
    assert readings("npm test", UserShell(line=1, command="npm test", stdout="bye"))[0].outcome is Outcome.UNKNOWN


# -- builds and checkers


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("npx tsc --noEmit 2>&1 | tail -20", "", 0, ["passed"]),
        (
            "npx tsc --noEmit 2>&1 | tail -20",
            "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
            0,
            ["failed"],
        ),
        ("npx tsc --noEmit | grep -c 'error TS'", "0", 1, ["passed"]),
        ("go build ./...", "", 0, ["passed"]),
        ("go build ./... 2>&1 | tail -80 && echo BUILD_OK", "BUILD_OK", 0, ["passed"]),
        ("npm run build 2>&1 | tail -5", "✓ built in 3.25s", 0, ["passed"]),
        ("npm run build", "Failed to compile.", 1, ["failed"]),
        (
            "mise run fmt && mise run lint",
            "[fmt] $ gofmt -w .\n[lint] a.go:1:1: bad (x)\n[lint] 1 issues:\n[lint] ERROR task failed",
            1,
            ["unknown", "failed"],
        ),
        (
            "ruff check . && mypy .",
            "All checks passed!\nFound 2 errors in 1 file (checked 3 source files)",
            1,
            ["passed", "failed"],
        ),
        (
            "cargo check 2>&1 | tail -3",
            'error: could not compile `app` (bin "app") due to 1 previous error',
            0,
            ["failed"],
        ),
        ("npx eslint . 2>&1 | tail -5", "✖ 2 problems (0 errors, 2 warnings)", 0, ["passed"]),
        # it says nothing when it goes well, and what stands behind it may have failed
        ("./harness.sh setup && go build -o x ./cmd && ./harness.sh start", "Repository created", 1, ["unknown"]),
        ("npm ci && npx tsc && ./deploy.sh staging", "added 3 packages\ndenied", 1, ["unknown"]),
        ("npm ci && npx tsc", "npm error code ERESOLVE", 1, ["not-run"]),
        (
            "npx tsc --noEmit && go build ./... && ./x",
            "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
            1,
            ["failed", "not-run"],
        ),
    ],
)
def test_builds_and_checkers_have_outcomes_too(command: str, text: str, code: int, expected: list[str]) -> None:
    assert [str(item.outcome) for item in readings(command, result(text, code), CHECKS)] == expected


# -- any input


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
)
def test_any_output_gives_some_outcome(text: str, code: int | None, command: str) -> None:
    for reading in readings(command, result(text, code)):
        assert reading.why
        assert reading.outcome in Outcome


# -- the labelled sessions

#: `| head -30` shows exactly 30 lines: 16 tests began, 14 of them passed, and the package's own line is cut off. By the
#: label rules ("unknown: ran, verdict cut off") this is unknown; the label says pass.
LABEL_ERRORS = {("22-dependency-update-test-failures.jsonl", 401)}
LABELS = {
    "pass": "passed",
    "fail": "failed",
    "not-run": "not-run",
    "unknown": "unknown",
    "denied": "not-run",
    "background": "unknown",
}


@pytest.mark.shared
@pytest.mark.parametrize(("field", "kinds"), [("test_commands", (CommandKind.TEST,)), ("build_commands", CHECKS)])
def test_the_labelled_outcomes_are_all_right(shared_dir: Any, field: str, kinds: tuple[CommandKind, ...]) -> None:
    wrong, tried = [], 0
    for session in json.loads((shared_dir / "transcripts/MANIFEST.json").read_text())["transcripts"]:
        labels = session["labels"].get(field) or []
        lines = (shared_dir / "transcripts" / session["file"]).read_text().split("\n") if labels else []
        for label in labels:
            data = json.loads(lines[label["result_line"] - 1])
            block = next(item for item in data["message"]["content"] if item["type"] == "tool_result")
            use = json.loads(lines[label["line"] - 1])
            command = next(item["input"]["command"] for item in use["message"]["content"] if item["type"] == "tool_use")
            found = {
                str(item.outcome)
                for item in readings(command, ToolResult(line=1, **read_result(block, data, "Bash")), kinds)
            }
            expected = LABELS[label["outcome"]]
            tried += 1
            if (
                not (expected in found and (expected == "failed" or "failed" not in found))
                and (session["file"], label["line"]) not in LABEL_ERRORS
            ):
                wrong.append((session["file"], label["line"], expected, found, command[:80]))
    assert wrong == []
    assert tried > 70


SUITE = "Suite result: ok. 4 passed; 0 failed; 0 skipped; finished in 1ms (1ms CPU time)\n"
ALL_SUITES = "Ran 2 test suites in 4ms (2ms CPU time): 8 tests passed, 0 failed, 0 skipped (8 total tests)"


@pytest.mark.parametrize(("text", "passed"), [(SUITE, 4), (f"{SUITE}{SUITE}\n{ALL_SUITES}", 8), (SUITE + SUITE, 8)])
def test_a_line_that_sums_up_suites_is_not_counted_beside_them(text: str, passed: int) -> None:
    counts = readings("forge test", result(text))[0].counts

    assert counts is not None
    assert counts.passed == passed


@pytest.mark.parametrize("line", ["() > pytest -q pytest -q", "{ true; } > log.txt", "(true) > log.txt; pytest -q"])
def test_a_compound_that_only_writes_a_file_has_no_word_that_announces_a_failure(line: str) -> None:
    commands = classify(line, "/repo")
    assert all(read_outcome(commands, result(), command).why for command in commands)
