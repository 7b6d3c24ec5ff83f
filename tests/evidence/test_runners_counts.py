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
