"""mocha's spec, dot and min reporters; Hardhat, Anchor, WebdriverIO and Cypress print through it."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNT = Late(
    r"^\W{0,10}(\d{1,7}) (passing|failing|pending)(?: \([\w. ]{1,20}\))?$", needs=(" failing| passing| pending",)
)
_THROWN = Late(
    r"^ ?(?:Exception during run: |⨯ Unable to compile TypeScript)",
    needs=("Exception during run: |⨯ Unable to compile TypeScript",),
)
_NONE = Late(r"^Error: No test files found", needs=("Error: No test files found",))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    if "(Run Finished)" in text.whole:
        return  # Cypress: its table counts every spec once more
    block: dict[str, int] = {}
    first = last = -9
    for index, line in text.having(
        " passing", " failing", " pending", "No test files found", "Exception during run", "Unable to compile"
    ):
        if match := _COUNT.match(line):
            if block and (match[2] in block or index - last > 3):
                yield _run(text, first, block)
                block = {}
            first = index if not block else first
            block[match[2]], last = int(match[1]), index
        elif _NONE.match(line):
            yield closing("mocha", line, index, vacuous="no tests found")
        elif _THROWN.match(line):
            yield closing("mocha", line, index, failed=True)
    if block:
        yield _run(text, first, block)


def _run(text: Text, index: int, block: dict[str, int]) -> Summary:
    tally = Tally(passed=block.get("passing", 0), failed=block.get("failing", 0), skipped=block.get("pending", 0))
    line = ", ".join(f"{number} {word}" for word, number in block.items())
    return closing("mocha", line or text.lines[index], index, tally)
