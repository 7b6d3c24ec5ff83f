"""What a closing line's counts come to, where a word or a number in it misleads."""

import pytest

from ace_reflect.evidence.facts import Counts, Outcome
from ace_reflect.evidence.runners import combine, read_all


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("test cases: 3 | 2 passed | 1 failed as expected", Counts(passed=3, failed=0, skipped=0)),
        ("test cases: 4 | 2 passed | 1 failed | 1 failed as expected", Counts(passed=3, failed=1, skipped=0)),
    ],
)  # fmt: skip
def test_a_test_that_fails_as_expected_is_no_failure_and_hides_none(
    line: str, counts: Counts
) -> None:
    summary = combine(read_all(f"{line}\nassertions: 9 | 8 passed | 1 failed as expected\n"))

    assert summary is not None
    assert summary.counts == counts
    assert summary.outcome is (Outcome.FAILED if counts.failed else Outcome.PASSED)


def test_a_package_that_lists_no_test_has_no_counts_instead_of_zeros() -> None:
    line = '{"Time":"2026-01-02T03:04:05Z","Action":"fail","Package":"example.com/a","Elapsed":0.1}'
    (found,) = read_all(f"{line}\n", "go test")

    assert found.counts is None


@pytest.mark.parametrize(
    "text",
    [
        "⨯ Unable to compile TypeScript:\nsrc/a.ts(1,7): Type 'string' is not assignable\n",  # ts-node below mocha
        "[error] 2 errors found\n",  # scalac 2.13
        "error: the following test command failed with exit code 1:\n/home/u/.cache/zig/o/test\n",  # zig
        "/src/a.fs : error FS0039: The value 'b' is not defined\n",  # F# has other letters than C#
        "ERROR: Build did NOT complete successfully\n",  # Bazel
        "Success: \t3\t\nFailed : \t1\t\nErrors : \t0\t\n",  # plenary.nvim
    ],
)  # fmt: skip
def test_a_failure_is_read_without_the_runners_name_and_with_no_other_line(text: str) -> None:
    summary = combine(read_all(text))

    assert summary is not None
    assert summary.outcome is Outcome.FAILED


def test_two_calls_of_one_line_are_no_second_run() -> None:
    summary = combine(
        read_all("DONE 4 tests, 1 failure in 0.2s\nDONE 2 tests in 0.1s\n", "gotestsum")
    )

    assert summary is not None
    assert summary.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("Tests: 1 failed, 2 passed, 3 total", Counts(passed=2, failed=1, skipped=0, total=3)),
        ("Tests: 3 passed, 3 total", Counts(passed=3, failed=0, skipped=0, total=3)),
        ("2 failed, 7 passed, 1 skipped", Counts(passed=7, failed=2, skipped=1)),
        ("we said 1 failed, 2 passed", None),
        ("5 passed the exam (of 9)", None),
    ],
)  # fmt: skip
def test_closing_lines_without_their_columns_or_their_time_still_count(
    line: str, counts: Counts | None
) -> None:
    summary = combine(read_all(f"{line}\n", "npm test"))

    assert (summary.counts if summary else None) == counts
    assert summary is None or summary.outcome is (
        Outcome.FAILED if "failed" in line else Outcome.PASSED
    )


@pytest.mark.parametrize(
    ("runner", "output", "passed", "failed"),
    [
        ("stestr", "Totals\n======\nRan: 12 tests in 1.1 sec.\n - Passed: 11\n - Skipped: 0\n - Failed: 1\n", 11, 1),
        ("stestr", " - Passed: 11\n - Skipped: 0\n - Unexpected Success: 1\n - Failed: 0\n", 11, 1),
    ],
)  # fmt: skip
def test_counts_in_a_table_or_below_each_other(
    runner: str, output: str, passed: int, failed: int
) -> None:
    summary = combine(read_all(output, runner))

    assert summary is not None
    assert summary.counts is not None
    executed = (
        summary.counts.passed
        if summary.counts.passed is not None
        else (summary.counts.total or 0) - failed
    )
    assert (executed, summary.counts.failed) == (passed, failed)
    assert summary.outcome is (Outcome.FAILED if failed else Outcome.PASSED)


def test_one_such_line_alone_is_no_summary() -> None:
    assert combine(read_all(" - Passed: 3 of the reviews\n - Failed: 1\n", "stestr")) is None


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
    summary = combine(read_all(output, runner))

    assert summary is not None
    assert summary.outcome is outcome


@pytest.mark.parametrize(
    "output",
    [
        '{"numPassedTests": 42}',
        '{"failures": 0, "retries": 2}',
        '{"success": true}',
    ],
)  # fmt: skip
def test_counts_of_something_else_or_without_the_failures_are_no_report(output: str) -> None:
    assert combine(read_all(output, "npm test")) is None
