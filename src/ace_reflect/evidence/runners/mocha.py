"""mocha's spec, dot and min reporters; Hardhat, Anchor, WebdriverIO and Cypress print through it."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing, shown
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNT = Late(
    r"^\W{0,10}(?P<number>\d{1,7}) (?P<word>passing|failing|pending)(?: \([\w. ]{1,20}\))?$",
    needs=(" failing| passing| pending",),
)
_THROWN = Late(
    r"^ ?(?:Exception during run: |⨯ Unable to compile TypeScript)",
    needs=("Exception during run: |⨯ Unable to compile TypeScript",),
)
_NONE = Late(r"^Error: No test files found", needs=("Error: No test files found",))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    if "(Run Finished)" in text.whole:
        return  # Cypress: its table counts every spec once more
    for first, _, block in text.blocks(_COUNT, " passing", " failing", " pending"):
        tally = Tally(passed=block.get("passing", 0), failed=block.get("failing", 0), skipped=block.get("pending", 0))
        yield closing("mocha", shown(block), first, tally)
    for index, line in text.having("No test files found", "Exception during run", "Unable to compile"):
        if _NONE.match(line):
            yield closing("mocha", line, index, vacuous="no tests found")
        elif _THROWN.match(line):
            yield closing("mocha", line, index, failed=True)
