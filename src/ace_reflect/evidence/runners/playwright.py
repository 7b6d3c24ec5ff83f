"""Playwright Test 1.x: the closing lines of its list, line and dot reporters."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, shown
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNT = Late(
    r"^ {2}(?P<number>\d{1,6}) (?P<word>(?:passed|failed|skipped|flaky|did not run|interrupted)(?=(?: \([\d.]{1,8}(?:ms|s|m|h)\))?$)|errors? (?:was|were) not a part of any test)",
    needs=("did not run|failed|flaky|interrupted|passed|skipped|not a part of any test",),
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
    counted = (" passed", " failed", " skipped", " flaky", " did not run", " interrupted", "not a part of")
    for first, _, block in text.blocks(_COUNT, *counted, gap=_SPAN):
        yield _run(first, block)
    for index, line in text.having("Timed out", "config.webServer", "No tests found", "Total: "):
        if _TIMED.match(line):
            yield closing("playwright", line, index, failed=True)
        elif _NONE.match(line):
            yield _none(text, line, index)
        elif hinted and _LISTED.match(line):
            yield closing("playwright", line, index, vacuous="the tests were only listed")


def _run(index: int, block: dict[str, int]) -> Summary:
    outside = sum(number for word, number in block.items() if word.startswith("error"))
    tally = Tally(
        passed=added(block, "passed", "flaky"),
        failed=added(block, "failed", "interrupted") + outside,
        skipped=added(block, "skipped", "did not run"),
    )
    return closing("playwright", shown(block), index, tally)


def _none(text: Text, line: str, index: int) -> Summary:
    """A test file that could not be loaded is reported first; then there is no test in it either."""
    for at in range(index):
        if _THROWN.match(text.lines[at]):
            return closing("playwright", text.lines[at], at, failed=True)
    return closing("playwright", line, index, vacuous="no tests found")
