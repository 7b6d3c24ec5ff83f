"""Playwright Test 1.x: the closing lines of its list, line and dot reporters."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNT = Late(
    r"^ {2}(\d{1,6}) (passed|failed|skipped|flaky|did not run|interrupted)(?: \([\d.]{1,8}(?:ms|s|m|h)\))?$",
    needs=(" did not run| failed| flaky| interrupted| passed| skipped",),
)
_ERRORS = Late(
    r"^ {2}(\d{1,6}) errors? (?:was|were) not a part of any test",
    needs=(
        " error was not a part of any test| error were not a part of any test| errors was not a part of any test| errors were not a part of any test",
    ),
)
_TIMED = Late(
    r"^ {2}Timed out waiting [\d.]{1,6}m?s for the (?:entire )?test suite to run|^Error: (?:Timed out waiting \d+ms from|Process from) config\.webServer",
    needs=("Timed out waiting |Process from",),
)
_NONE = Late(r"^Error: No tests found", needs=("Error: No tests found",))
_LISTED = Late(r"^Total: (\d{1,6}) tests? in \d{1,6} files?$", needs=(" file", "Total: "))
_THROWN = Late(r"^(?:[A-Z]\w{0,40}Error|Error): (?!No tests found)", needs=("Error",))
_SPAN = 400  # lines of failed tests' names that may stand between "1 failed" and "2 passed"


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    block: dict[str, int] = {}
    first = last = -_SPAN
    for index, line in text.having(
        " passed",
        " failed",
        " skipped",
        " flaky",
        " did not run",
        " interrupted",
        "not a part of",
        "Timed out",
        "config.webServer",
        "No tests found",
        "Total: ",
    ):
        if match := _COUNT.match(line) or _ERRORS.match(line):
            name = match[2] if match.lastindex == 2 else "failed outside"
            if block and (name in block or index - last > _SPAN):
                yield _run(first, block)
                block = {}
            first = index if not block else first
            block[name], last = int(match[1]), index
        elif _TIMED.match(line):
            yield closing("playwright", line, index, failed=True)
        elif _NONE.match(line):
            yield _none(text, line, index)
        elif hinted and _LISTED.match(line):
            yield closing("playwright", line, index, vacuous="the tests were only listed")
    if block:
        yield _run(first, block)


def _run(index: int, block: dict[str, int]) -> Summary:
    failed = block.get("failed", 0) + block.get("failed outside", 0) + block.get("interrupted", 0)
    tally = Tally(
        passed=block.get("passed", 0) + block.get("flaky", 0),
        failed=failed,
        skipped=block.get("skipped", 0) + block.get("did not run", 0),
    )
    return closing("playwright", ", ".join(f"{number} {name}" for name, number in block.items()), index, tally)


def _none(text: Text, line: str, index: int) -> Summary:
    """A test file that could not be loaded is reported first; then there is no test in it either."""
    for at in range(index):
        if _THROWN.match(text.lines[at]):
            return closing("playwright", text.lines[at], at, failed=True)
    return closing("playwright", line, index, vacuous="no tests found")
