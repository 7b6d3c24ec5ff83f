"""swift test (XCTest and Swift Testing), xcodebuild, xcpretty and xcbeautify."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_XCTEST = Late(
    r"^\t? ?Executed (\d{1,6}) tests?, with (?:(\d{1,6}) tests? skipped and )?(\d{1,6}) failures? \((\d{1,6}) unexpected\)",
    needs=("Executed ", " unexpected)"),
)
_TESTING = Late(
    r"^\W{0,4} ?Test run with (\d{1,6}) tests? (?:in (\d{1,6}) suites? )?(passed|failed) after [\d.]{1,12} seconds?(?: with (\d{1,6}) issues?)?",
    needs=("Test run with ", " second"),
)
_BUILD = Late(
    r"^\*\* TEST (SUCCEEDED|FAILED|BUILD FAILED|EXECUTE FAILED) \*\*|^\*\* BUILD (FAILED|INTERRUPTED) \*\*|^Test (Succeeded|Failed)$|^Testing (failed):",
    needs=("** BUILD INTERRUPTED **|FAILED|SUCCEEDED|Test Failed|Test Succeeded|Testing failed:",),
)
#: xcbeautify counts what failed before it says how many there were.
_XCBEAUTIFY = Late(
    r"^Tests (?:Passed|Failed): (\d{1,6}) failed, (\d{1,6}) skipped, (\d{1,6}) total \(",
    needs=(" failed, ", " skipped, ", " total ("),
)
_ERROR = Late(
    r"^error: (?:fatalError|emit-module command failed|no tests found|terminated|Exited with)",
    needs=(
        "error: Exited with|error: emit-module command failed|error: fatalError|error: no tests found|error: terminated",
    ),
)


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
        " skipped, ",
    ):
        if match := _XCTEST.match(line):
            last = (index, line, match)  # each suite has its line, the outermost comes last
        elif match := _TESTING.match(line):
            total, failed = int(match[1]), match[3] == "failed"
            tally = Tally(total=total, failed=None if not failed else int(match[4] or 1))
            yield closing(
                "swift test", line, index, tally if failed or not total else Tally(passed=total), failed=failed
            )
        elif match := _XCBEAUTIFY.match(line):
            failed, skipped, total = (int(number) for number in match.groups())
            tally = Tally.of_all(total, failed, skipped).replace(total=total)
            yield closing("xcodebuild", line, index, tally)
        elif match := _BUILD.match(line):
            good = "SUCCEEDED" in (match[1] or "") or match[3] == "Succeeded"
            yield closing("xcodebuild", line, index, failed=not good, wrapper=True)
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
    return closing("swift test", line, index, Tally.of_all(total, failed, skipped))
