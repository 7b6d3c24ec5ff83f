"""jest 24 to 30 and what prints through its reporter (react-scripts, jest-circus, helm-unittest)."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTS = r"((?:\d{1,7} [a-z]{4,12}, ){0,6}(?:\d{1,7} of )?\d{1,7} total)"
_TESTS = Late(rf"^Tests:\s{{1,12}}{_PARTS}", needs=(" total", "Tests:"))
_SUITES = Late(rf"^Test Suites:\s{{1,6}}{_PARTS}", needs=(" total", "Test Suites:"))
_NONE = Late(
    r"^No tests found(?:,| related to files changed| related to files passed)|^Pattern: .{1,300} - 0 matches$",
    needs=("No tests found related to files changed|No tests found related to files passed|No tests found,|Pattern: ",),
)
_NEVER = Late(
    r"^Error: Can't find a root directory while resolving a config|^● (?:Validation Error|Unrecognized CLI Parameter)|^Error: Could not find a config file",
    needs=(
        "Error: Can't find a root directory while resolving a config|Error: Could not find a config file|● Unrecognized CLI Parameter|● Validation Error",
    ),
)
_FILE = Late(
    r"^ ?(FAIL|PASS)  ?(?:[\w@()-]{1,40} )?\S*[\w)]\.(?:[cm]?[jt]sx?|snap|vue|svelte|coffee)\b", needs=("FAIL |PASS ",)
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    suites: tuple[int, str, dict[str, int]] | None = None
    told = False
    for index, line in text.having("Tests:", "Test Suites:", "No tests found", " - 0 matches", "Error: C", "● "):
        if match := _SUITES.match(line):
            if suites:
                yield _closing_lines(*suites, None)
            suites, told = (index, line, counts_in(match[1])), True
        elif match := _TESTS.match(line):
            told = True
            _, first, counts = suites if suites and index - suites[0] <= 3 else (index, "", {})
            yield _closing_lines(index, f"{first} {line}" if first else line, counts, counts_in(match[1]))
            suites = None
        elif _NONE.match(line):
            told = True
            yield closing("jest", line, index, vacuous="no tests found")
        elif _NEVER.match(line):
            told = True
            yield closing("jest", line, index, vacuous="jest did not start")
    if suites:
        yield _closing_lines(*suites, None)
    elif not told:
        yield from _files(text)


def _closing_lines(index: int, line: str, suites: dict[str, int], tests: dict[str, int] | None) -> Summary:
    """A suite that did not compile fails without a failed test."""
    failed = bool(suites.get("failed"))
    if tests is None:
        return closing("jest", line, index, failed=failed, vacuous="" if suites.get("passed") else "no tests ran")
    skipped = added(tests, "skipped", "todo", "pending")
    tally = Tally(
        passed=tests.get("passed", 0), failed=tests.get("failed", 0), skipped=skipped, total=tests.get("total")
    )
    return closing("jest", line, index, tally, failed=failed)


def _files(text: Text) -> "Iterator[Summary]":
    """No closing lines: the files that failed still decide."""
    for index, line in text.having("FAIL ", "PASS "):
        if match := _FILE.match(line):
            yield closing("jest", line, index, failed=match[1] == "FAIL", partial=True)
