"""GoogleTest, Catch2, doctest, Boost.Test, cmocka, Criterion, Check, CUnit, Qt Test."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_GTEST = Late(
    r"^\[ {2}(PASSED|FAILED|SKIPPED) {1,2}\] (\d{1,6}) tests?(?:\(s\))?(?:\.|, listed below:)$",
    needs=(
        "FAILED|PASSED|SKIPPED",
        " test(s), listed below:| test(s).| test, listed below:| test.| tests(s), listed below:| tests(s).| tests, listed below:| tests.",
    ),
)
_GTEST_RAN = Late(
    r"^\[={10}\] (\d{1,6}) (?:tests?|test\(s\)) (?:from .{1,60} )?ran\.", needs=("ran.", " test | test(s) | tests ")
)
_GTEST_ONE = Late(r"^\[ {2}FAILED {2}\] \S", needs=("FAILED",))
_CATCH_OK = Late(
    r"^All tests passed \((\d{1,7}) assertions? in (\d{1,6}) test cases?\)$",
    needs=("All tests passed (", " test case)| test cases)"),
)
_CATCH = Late(r"^test cases: +(\d{1,6})((?: +\| +\d{1,6} [a-z ]{4,20}){1,5})$", needs=("test cases:",))
_DOCTEST = Late(
    r"^\[doctest\] test cases: +(\d{1,6}) \| +(\d{1,6}) passed \| +(\d{1,6}) failed \| +(\d{1,6}) skipped",
    needs=("[doctest] test cases:",),
)
_BOOST = Late(
    r"^\*\*\* (?:(No errors detected)|(\d{1,6}) failures? (?:is|are) detected)",
    needs=(
        "*** ",
        " failure are detected| failure is detected| failures are detected| failures is detected|No errors detected",
    ),
)
_CRITERION = Late(
    r"^\[={4}\] Synthesis: Tested: (\d{1,6}) \| Passing: (\d{1,6}) \| Failing: (\d{1,6}) \| Crashing: (\d{1,6})",
    needs=("] Synthesis: Tested: ",),
)
_CHECK = Late(
    r"^\d{1,3}%: Checks: (\d{1,6}), Failures: (\d{1,6}), Errors: (\d{1,6})$", needs=(", Errors: ", "%: Checks: ")
)
_QT = Late(
    r"^Totals: (\d{1,6}) passed, (\d{1,6}) failed, (\d{1,6}) skipped(?:, (\d{1,6}) blacklisted)?",
    needs=(" failed, ", " skipped"),
)
_CUNIT = Late(r"^ +tests +(\d{1,6}) +(\d{1,6}) +(\d{1,6}) +(\d{1,6}) +\S+$", needs=("tests",))
_NONE = Late(r"^No tests ran$|^No test cases matched ", needs=("No test cases matched |No tests ran",))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    yield from _gtest(text)
    for index, line in text.having(
        "tests passed",
        "test cases: ",
        "No tests ran",
        "No test cases",
        "*** ",
        "Synthesis: ",
        "Checks: ",
        "Totals: ",
        " tests ",
    ):
        found = _catch(line, index) or _other(line, index)
        if found:
            yield found


def _gtest(text: Text) -> "Iterator[Summary]":
    """The closing block: "[  PASSED  ] n tests.", then the skipped and failed ones. cmocka has the same."""
    block: dict[str, int] = {}
    at = ran = None
    for index, line in text.having("[  PASSED", "[  FAILED", "[  SKIPPED", "[====="):
        if match := _GTEST_RAN.match(line):
            if block and at is not None:
                yield _gtest_run(text, at, block)
            block, ran = {}, index
        elif match := _GTEST.match(line):
            block[match[1]] = int(match[2])
            at = at if "PASSED" in block and at is not None and match[1] != "PASSED" else index
        elif ran is None and not block and _GTEST_ONE.match(line):
            yield closing("gtest", line, index, failed=True, partial=True)
    if block and at is not None:
        yield _gtest_run(text, at, block)


def _gtest_run(text: Text, index: int, block: dict[str, int]) -> Summary:
    tally = Tally(passed=block.get("PASSED", 0), failed=block.get("FAILED", 0), skipped=block.get("SKIPPED", 0))
    shown = ", ".join(f"{number} {word.lower()}" for word, number in block.items())
    return closing("gtest", shown or text.lines[index], index, tally)


def _catch(line: str, index: int) -> Summary | None:
    if match := _CATCH_OK.match(line):
        return closing("Catch2", line, index, Tally(passed=int(match[2]), failed=0))
    if match := _CATCH.match(line):
        counts = counts_in(match[2])
        passed = added(counts, "passed", "failed as expected")
        tally = Tally(passed=passed, failed=counts.get("failed", 0), skipped=counts.get("skipped", 0))
        return closing("Catch2", line, index, tally)
    if match := _DOCTEST.match(line):
        _, passed, failed, skipped = (int(number) for number in match.groups())
        return closing("doctest", line, index, Tally(passed=passed, failed=failed, skipped=skipped))
    if _NONE.match(line):
        return closing("Catch2", line, index, vacuous="no tests ran")
    return None


def _other(line: str, index: int) -> Summary | None:
    if match := _BOOST.match(line):
        return closing("Boost.Test", line, index, failed=not match[1])
    if match := _CRITERION.match(line):
        _, passed, failed, crashed = (int(number) for number in match.groups())
        return closing("criterion", line, index, Tally(passed=passed, failed=failed + crashed))
    if match := _CHECK.match(line):
        total, failures, errors = (int(number) for number in match.groups())
        return closing("check", line, index, Tally.of_all(total, failures + errors))
    if match := _QT.match(line):
        passed, failed, skipped, _ = (int(number or 0) for number in match.groups())
        return closing("Qt Test", line, index, Tally(passed=passed, failed=failed, skipped=skipped), open_ended=True)
    if match := _CUNIT.match(line):
        _, ran, passed, failed = (int(number) for number in match.groups())
        return closing("CUnit", line, index, Tally(passed=passed, failed=failed, total=ran))
    return None
