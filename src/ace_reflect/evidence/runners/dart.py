"""dart test and flutter test."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSING = Late(
    r"^(?:\d{1,3}:)?\d{2}:\d{2} \+(\d{1,6})(?: ~(\d{1,6}))?(?: -(\d{1,6}))?: (All tests passed!|Some tests failed\.|No tests ran\.|All tests skipped\.)$",
    needs=(": All tests passed!|: All tests skipped.|: No tests ran.|: Some tests failed.",),
)
_ALONE = Late(
    r"^(All tests passed!|Some tests failed\.|No tests ran\.|No tests match .{1,200}|Test directory \".{1,200}\" not found\.)$",
    needs=('All tests passed!|No tests match |No tests ran.|Some tests failed.|Test directory "',),
)
_GITHUB = Late(
    r"^(?:🎉|::error::|❌)? ?(\d{1,6}) tests? passed(?:, (\d{1,6}) failed)?(?:, (\d{1,6}) skipped)?\.$",
    needs=(" test passed| tests passed",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    for index, line in text.having("tests passed", "tests failed", "No tests", "tests skipped", "not found."):
        if match := _CLOSING.match(line):
            passed, skipped, failed = (int(number or 0) for number in match.groups()[:3])
            yield closing(
                "dart test",
                line,
                index,
                Tally(passed=passed, failed=failed, skipped=skipped),
                failed=match[4].startswith("Some"),
            )
        elif hinted and (match := _ALONE.match(line)):
            word = match[1]
            yield closing(
                "dart test",
                line,
                index,
                failed=word.startswith("Some"),
                vacuous="" if word[0] in "AS" else "no tests ran",
            )
        elif hinted and (match := _GITHUB.match(line)):
            passed, failed, skipped = (int(number or 0) for number in match.groups())
            yield closing("dart test", line, index, Tally(passed=passed, failed=failed, skipped=skipped))
