"""AVA 3 to 7 (recorded: 7.0.0)."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing, shown
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNT = Late(
    r"^ {2,4}(?P<number>\d{1,6}) (?P<word>tests? (?:passed|failed|skipped|todo|remaining|remained pending)|known failures?|uncaught exceptions?|unhandled rejections?|hooks? failed|previous failures?)\b",
    needs=(
        " hook failed| hooks failed| known failure| previous failure| test failed| test passed| test remained pending| test remaining| tests remained pending| test skipped| test todo| tests failed| tests passed| tests remaining| tests skipped| tests todo| uncaught exception| unhandled rejection",
    ),
)
_NONE = Late(
    r"^ *✘? ?(?:✖ )?(?:Couldn[’']t find any files to test|No tests found in )",
    needs=("Couldn't find any files to test|Couldn’t find any files to test|No tests found in ",),
)
_BAD = ("failed", "exception", "rejection", "remaining", "remained")


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    for first, _, block in text.blocks(_COUNT, " test", " known failure", " uncaught", " unhandled", " hook"):
        yield _run(first, block)
    for index, line in text.having("find any files to test", "No tests found in "):
        if _NONE.match(line):
            yield closing("ava", line, index, vacuous="no tests found")


def _run(index: int, block: dict[str, int]) -> Summary:
    def count(*words: str) -> int:
        return sum(number for name, number in block.items() if any(word in name for word in words))

    tally = Tally(passed=count("passed", "known failure"), failed=count(*_BAD), skipped=count("skipped", "todo"))
    return closing("ava", shown(block), index, tally)
