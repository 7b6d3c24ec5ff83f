"""swift test (XCTest and Swift Testing), xcodebuild, xcpretty and xcbeautify."""

import re

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_XCTEST = re.compile(
    r"^\t? ?Executed (\d{1,6}) tests?, with (?:(\d{1,6}) tests? skipped and )?(\d{1,6}) failures? \((\d{1,6}) unexpected\)"
)
_SUITE = re.compile(r"^Test Suite '(?:All tests|Selected tests)' (passed|failed) at ")
_TESTING = re.compile(
    r"^\W{0,4} ?Test run with (\d{1,6}) tests? (?:in (\d{1,6}) suites? )?(passed|failed) after [\d.]{1,12} seconds?(?: with (\d{1,6}) issues?)?"
)
_BUILD = re.compile(
    r"^\*\* TEST (SUCCEEDED|FAILED|BUILD FAILED|EXECUTE FAILED) \*\*|^\*\* BUILD (FAILED|INTERRUPTED) \*\*|^Test (Succeeded|Failed)$|^Testing (failed):"
)
_ERROR = re.compile(r"^error: (?:fatalError|emit-module command failed|no tests found|terminated|Exited with)")


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    last: tuple[int, str, re.Match[str]] | None = None
    for index, line in text.having(
        "Executed ",
        "Test run with ",
        "** TEST",
        "** BUILD",
        "Test Succeeded",
        "Test Failed",
        "Testing failed",
        "error: ",
    ):
        if match := _XCTEST.match(line):
            last = (index, line, match)  # each suite has its line, the outermost comes last
        elif match := _TESTING.match(line):
            total, failed = int(match[1]), match[3] == "failed"
            tally = Tally(total=total, failed=None if not failed else int(match[4] or 1))
            yield closing(
                "swift test", line, index, tally if failed or not total else Tally(passed=total), failed=failed
            )
        elif match := _BUILD.match(line):
            good = "SUCCEEDED" in (match[1] or "") or match[3] == "Succeeded"
            yield closing("xcodebuild", line, index, failed=not good, passed=good, wrapper=True)
        elif hinted and _ERROR.match(line):
            yield closing(
                "swift test",
                line,
                index,
                failed="no tests" not in line,
                vacuous="no tests found" if "no tests" in line else "",
                wrapper="no tests" not in line,
            )
    if last:
        yield _xctest(*last)


def _xctest(index: int, line: str, match: "re.Match[str]") -> Summary:
    total, skipped, failed, _ = (int(number or 0) for number in match.groups())
    return closing(
        "swift test", line, index, Tally(passed=max(total - skipped - failed, 0), failed=failed, skipped=skipped)
    )
