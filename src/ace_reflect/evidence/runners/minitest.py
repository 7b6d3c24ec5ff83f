"""minitest, test-unit, Rails, minitest-reporters."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing, without_parts
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSING = Late(
    r"^(\d{1,6}) (?:runs|tests), \d{1,7} assertions, (\d{1,6}) failures, (\d{1,6}) errors(?:, (\d{1,6}) (?:skips|pendings))?(?:, (\d{1,6}) omissions)?",
    needs=(" failures, ", " assertions, "),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    yield from without_parts(tuple(_closing_lines(text)))


def _closing_lines(text: Text) -> "Iterator[Summary]":
    for index, line in text.having(" assertions, "):
        if match := _CLOSING.match(line):
            total, failures, errors, skips, omissions = (int(number or 0) for number in match.groups())
            yield closing("minitest", line, index, Tally.of_all(total, failures + errors, skips + omissions))
