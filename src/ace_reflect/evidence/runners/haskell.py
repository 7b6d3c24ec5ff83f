"""cabal and stack test, tasty, HUnit, QuickCheck. hspec speaks like RSpec."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_CABAL = Late(
    r"^(\d{1,6}) of (\d{1,6}) test suites \((\d{1,6}) of (\d{1,6}) test cases\) passed\.$",
    needs=(" test suites (", " test cases) passed."),
)
_TASTY = Late(
    r"^(?:[\w-]{1,60}> )?(?:All (\d{1,6}) tests passed|(\d{1,6}) out of (\d{1,6}) tests failed) \([\d.:hms]{1,16}\)$",
    needs=(" out of | tests passed",),
)
_HUNIT = Late(
    r"^Cases: (\d{1,6}) +Tried: (\d{1,6}) +Errors: (\d{1,6}) +Failures: (\d{1,6})$", needs=("Errors: ", "Failures: ")
)
_STACK = Late(
    r"^(?:Error: \[S-\d{1,6}\]|Test suite failure for package |\S{1,120}> Test suite \S{1,120} failed)",
    needs=("> Test suite |Error: [S-|Test suite failure for package ",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    hunit: tuple[int, str, re.Match[str]] | None = None
    for index, line in text.having(
        "test suites", "tests passed", "tests failed", "Cases: ", "Test suite", "Error: [S-"
    ):
        if match := _CABAL.match(line):
            passed, total = int(match[3]), int(match[4])
            tally = Tally(passed=passed, failed=total - passed)
            yield closing("cabal test", line, index, tally, failed=match[1] != match[2], wrapper=passed == total)
        elif match := _TASTY.match(line):
            passed, failures = (int(match[1]), 0) if match[1] else (int(match[3]) - int(match[2]), int(match[2]))
            yield closing("tasty", line, index, Tally(passed=passed, failed=failures))
        elif match := _HUNIT.match(line.rpartition("Cases:")[1] + line.rpartition("Cases:")[2]):
            hunit = (index, line, match)
        elif _STACK.match(line):
            yield closing("stack test", line, index, failed=True, wrapper=True)
    if hunit:
        yield _hunit(*hunit)


def _hunit(index: int, line: str, match: "re.Match[str]") -> Summary:
    """HUnit redraws its counts; the last ones hold."""
    _, tried, errors, failures = (int(number) for number in match.groups())
    return closing("HUnit", line[line.rfind("Cases:") :], index, Tally.of_all(tried, errors + failures))
