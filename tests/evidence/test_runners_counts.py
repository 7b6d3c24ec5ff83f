"""What a closing line's counts come to, where a word or a number in it misleads."""

import pytest

from ace_reflect.evidence.facts import Counts, Outcome
from ace_reflect.evidence.runners import read_all, read_summary
from ace_reflect.evidence.runners.model import counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late


def test_counts_are_read_by_their_whole_word() -> None:
    assert counts_in("1 failed, 26 passed (2 slow), 3 timed out | 4 failed as expected") == {
        "failed": 1, "passed": 26, "slow": 2, "timed out": 3, "failed as expected": 4,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("test cases: 3 | 2 passed | 1 failed as expected", Counts(passed=3, failed=0, skipped=0)),
        ("test cases: 4 | 2 passed | 1 failed | 1 failed as expected", Counts(passed=3, failed=1, skipped=0)),
    ],
)
def test_a_test_that_fails_as_expected_is_no_failure_and_hides_none(line: str, counts: Counts) -> None:
    summary = read_summary(f"{line}\nassertions: 9 | 8 passed | 1 failed as expected\n")

    assert summary is not None
    assert summary.counts == counts
    assert summary.outcome is (Outcome.FAILED if counts.failed else Outcome.PASSED)


@pytest.mark.parametrize(
    "line", ["PASS", '{"Time":"2026-01-02T03:04:05Z","Action":"fail","Package":"example.com/a","Elapsed":0.1}']
)
def test_a_package_that_lists_no_test_has_no_counts_instead_of_zeros(line: str) -> None:
    (found,) = read_all(f"{line}\n", "go test")

    assert found.counts is None


def test_every_folder_of_a_recursive_make_check_counts() -> None:
    block = "# TOTAL: {0}\n# PASS:  {1}\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  {2}\n# XPASS: 0\n# ERROR: 0\n"

    summary = read_summary(f"{block.format(3, 2, 1)}\nMaking check in doc\n{block.format(1, 1, 0)}", "make check")

    assert summary is not None
    assert summary.outcome is Outcome.FAILED
    assert summary.counts == Counts(passed=3, failed=1, skipped=0)


def test_counts_of_one_block_stand_near_each_other_and_no_word_comes_twice() -> None:
    text = Text("1 ok\n2 bad\n\n3 ok\n" + "\n" * 9 + "4 bad")

    found = list(text.blocks(Late(r"^(?P<number>\d) (?P<word>ok|bad)$"), "ok", "bad"))

    assert found == [(0, 1, {"ok": 1, "bad": 2}), (3, 3, {"ok": 3}), (13, 13, {"bad": 4})]


@pytest.mark.parametrize(
    "text",
    [
        "⨯ Unable to compile TypeScript:\nsrc/a.ts(1,7): Type 'string' is not assignable\n",  # ts-node below mocha
        "[error] 2 errors found\n",  # scalac 2.13
        "error: the following test command failed with exit code 1:\n/home/u/.cache/zig/o/test\n",  # zig
        "/src/a.fs : error FS0039: The value 'b' is not defined\n",  # F# has other letters than C#
        "ERROR: Build did NOT complete successfully\n",  # Bazel
        "Error: Subprocess aborted by signal 9\n",  # poe
        "Success: \t3\t\nFailed : \t1\t\nErrors : \t0\t\n",  # plenary.nvim
    ],
)
def test_a_failure_is_read_without_the_runners_name_and_with_no_other_line(text: str) -> None:
    summary = read_summary(text)

    assert summary is not None
    assert summary.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    "text", ["No suitable tests defined.\n", "● Unrecognized CLI Parameter:\n\n  Unknown option\n"]
)
def test_a_run_of_nothing_is_read_without_the_runners_name_and_with_no_other_line(text: str) -> None:
    summary = read_summary(text)

    assert summary is not None
    assert summary.outcome is Outcome.NOT_RUN


RERUN = """\
✓  internal/git (1.2s)
✖  internal/retry (812ms)

DONE 112 tests, 2 skipped, 2 failures in 4.1s

{shown}

DONE 2 runs, 114 tests, 2 skipped, {failures} in 5.9s
"""


@pytest.mark.parametrize(
    ("failures", "counts"),
    [
        ("2 failures", Counts(passed=110, failed=0, skipped=2)),
        ("3 failures", Counts(passed=109, failed=1, skipped=2)),
    ],
)
def test_what_was_run_again_counts_as_it_came_out_in_the_end(failures: str, counts: Counts) -> None:
    summary = read_summary(RERUN.format(shown="✓  internal/retry", failures=failures), "gotestsum")

    assert summary is not None
    assert summary.counts == counts
    assert summary.outcome is (Outcome.FAILED if counts.failed else Outcome.PASSED)


def test_processes_of_minitest_count_once_too() -> None:
    each = "{} runs, 9 assertions, {} failures, 0 errors, 0 skips"
    summary = read_summary("\n".join(each.format(*one) for one in ((3, 0), (4, 1), (7, 1))), "minitest")

    assert summary is not None
    assert summary.counts is not None
    assert (summary.counts.passed, summary.counts.failed) == (6, 1)


def test_of_several_runs_whose_first_is_not_shown_nobody_knows_what_failed_in_the_last() -> None:
    last = "DONE 2 runs, 114 tests, 2 failures in 5.9s\n\nDONE 3 runs, 116 tests, 3 failures in 6.9s\n"

    assert read_summary(f"✓  internal/retry\n\n{last}", "gotestsum") is None


def test_two_calls_of_one_line_are_no_second_run() -> None:
    summary = read_summary("DONE 4 tests, 1 failure in 0.2s\nDONE 2 tests in 0.1s\n", "gotestsum")

    assert summary is not None
    assert summary.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("lines", "passed", "failed"),
    [
        (("388 examples, 0 failures, 6 pending", "402 examples, 3 failures", "790 examples, 3 failures, 6 pendings"), 781, 3),
        (("10 examples, 1 failure", "10 examples, 0 failures", "8 examples, 0 failures", "28 examples, 1 failure"), 27, 1),
        (("10 examples, 1 failure", "10 examples, 0 failures", "9 examples, 0 failures"), 28, 1),
        (("10 examples, 0 failures", "10 examples, 0 failures"), 20, 0),
    ],
)  # fmt: skip
def test_processes_side_by_side_count_once(lines: tuple[str, ...], passed: int, failed: int) -> None:
    summary = read_summary("\n\n".join(lines) + "\n", "rspec")

    assert summary is not None
    assert summary.counts is not None
    assert (summary.counts.passed, summary.counts.failed) == (passed, failed)


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("CRITICAL Ansible return code was 2, command was: ansible-playbook verify.yml\nINFO     Pruning extra files", "failed"),
        ("ERROR    Molecule executed 1 scenario (1 failed)", "failed"),
        ("INFO     Verifier completed successfully.\nINFO     Pruning extra files from scenario ephemeral directory", "passed"),
        ("INFO     Molecule executed 2 scenarios (2 successful)", "passed"),
        ("INFO     Running default > verify", None),
    ],
)  # fmt: skip
def test_molecule_says_how_its_verifier_ended(output: str, outcome: str | None) -> None:
    summary = read_summary(output, "molecule")

    assert (str(summary.outcome) if summary else None) == outcome


@pytest.mark.parametrize(
    ("output", "counts"),
    [
        ("4 tests run in 00:00:01\n\nResults\n✔ Passed          3\n✘ Failed          1\n‼ Errors          0\n● Skipped         0\n", (3, 1)),
        ("✔ Passed          4\n✘ Failed          0\n‼ Errors          0\n● Skipped         0\n", (4, 0)),
        ("1..2\nok 1 - aliases ls\nok 2 - no alias\n", (2, 0)),
    ],
)  # fmt: skip
def test_zunit_closes_in_columns_or_as_tap(output: str, counts: tuple[int, int]) -> None:
    summary = read_summary(output, "zunit")

    assert summary is not None
    assert summary.counts is not None
    assert (summary.counts.passed, summary.counts.failed) == counts


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("12 checks, 0 failed", Counts(passed=12, failed=0)),
        ("Result: 12 cases: 3 failures", Counts(passed=9, failed=3)),
        ("3 files, 0 failed", None),
    ],
)
def test_a_home_made_script_may_name_the_total_and_the_failures(line: str, counts: Counts | None) -> None:
    summary = read_summary(f"{line}\nERROR SUMMARY: 0 errors\n", "script")

    assert (summary.counts if summary else None) == counts


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("Tests: 1 failed, 2 passed, 3 total", Counts(passed=2, failed=1, skipped=0, total=3)),
        ("Tests: 3 passed, 3 total", Counts(passed=3, failed=0, skipped=0, total=3)),
        ("Tests 3 passed (3)", Counts(passed=3, failed=0)),
        ("2 failed, 7 passed, 1 skipped", Counts(passed=7, failed=2, skipped=1)),
        ("Tests 2 failed | 7 passed", Counts(passed=7, failed=2)),
        ("===== 5 passed, 2 warnings =====", Counts(passed=5)),
        ("we said 1 failed, 2 passed", None),
        ("5 passed the exam (of 9)", None),
    ],
)
def test_closing_lines_without_their_columns_or_their_time_still_count(line: str, counts: Counts | None) -> None:
    summary = read_summary(f"{line}\n", "npm test")

    assert (summary.counts if summary else None) == counts
    assert summary is None or summary.outcome is (Outcome.FAILED if "failed" in line else Outcome.PASSED)


@pytest.mark.parametrize(
    ("runner", "output", "passed", "failed"),
    [
        ("newman", "│              assertions │               30 │                1 │\n└───────┘", 29, 1),
        ("newman", "│              assertions │               30 │                0 │\n└───────┘", 30, 0),
        ("stestr", "Totals\n======\nRan: 12 tests in 1.1 sec.\n - Passed: 11\n - Skipped: 0\n - Failed: 1\n", 11, 1),
        ("stestr", " - Passed: 11\n - Skipped: 0\n - Unexpected Success: 1\n - Failed: 0\n", 11, 1),
        (
            "tap",
            "Asserts:  212 pass  0 fail  212 of 212 complete\nSuites:    12 pass  0 fail  12 of 12 complete",
            212,
            0,
        ),
        ("tap", "Asserts:  3 pass  1 fail  1 skip  5 of 5 complete", 3, 1),
    ],
)
def test_counts_in_a_table_or_below_each_other(runner: str, output: str, passed: int, failed: int) -> None:
    summary = read_summary(output, runner)

    assert summary is not None
    assert summary.counts is not None
    executed = summary.counts.passed if summary.counts.passed is not None else (summary.counts.total or 0) - failed
    assert (executed, summary.counts.failed) == (passed, failed)
    assert summary.outcome is (Outcome.FAILED if failed else Outcome.PASSED)


def test_one_such_line_alone_is_no_summary() -> None:
    assert read_summary(" - Passed: 3 of the reviews\n - Failed: 1\n", "stestr") is None


@pytest.mark.parametrize(
    ("runner", "output", "outcome"),
    [
        ("npm test", '{"numPassedTests":42,"numFailedTests":0}', Outcome.PASSED),
        ("vitest", '{\n  "numTotalTests": 42,\n  "numFailedTests": 2\n}', Outcome.FAILED),
        ("jest", '{"numFailedTests":0,"numPassedTests":9,"success":false}', Outcome.FAILED),  # a file did not load
        ("jest", '{"numFailedTests":0,"numPassedTests":0,"numTotalTests":0}', Outcome.NOT_RUN),
        ("npm test", '{"numFailedTests":1,"numPassedTests":3}\n{"numFailedTests":0,"numPassedTests":5}', Outcome.FAILED),
        ("rspec", '"summary":{"duration":0.1,"example_count":14,"failure_count":0,"pending_count":1}', Outcome.PASSED),
        ("rspec", '{"example_count": 14, "failure_count": 0, "errors_outside_of_examples_count": 1}', Outcome.FAILED),
        ("playwright", '"stats": {\n "expected": 12,\n "skipped": 0,\n "unexpected": 1,\n "flaky": 0\n}', Outcome.FAILED),
    ],
)  # fmt: skip
def test_a_report_in_json_is_read_by_its_counts(runner: str, output: str, outcome: Outcome) -> None:
    summary = read_summary(output, runner)

    assert summary is not None
    assert summary.outcome is outcome


@pytest.mark.parametrize(
    "output",
    [
        '{"numPassedTests": 42}',
        '{"failures": 0, "retries": 2}',
        '{"expected": 3, "unexpected": 0}',
        '{"success": true}',
    ],
)
def test_counts_of_something_else_or_without_the_failures_are_no_report(output: str) -> None:
    assert read_summary(output, "npm test") is None
