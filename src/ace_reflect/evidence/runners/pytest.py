"""pytest, with xdist, cov, sugar and rerunfailures. Printed forms of pytest 2.9 to 9."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = r"failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|reruns|subtests (?:passed|failed|skipped)|subtests"
_PART = rf"\d{{1,7}} (?:{_WORDS})"
_TIME = r" in [\d:.]{1,12}s?(?: seconds)?(?: \([\d:, a-z]{1,30}\))?"
# "=== 1 failed, 26 passed, 1 skipped in 1.48s ===", with -q no "="; "no tests ran in 0.01s"
_CLOSING = Late(
    rf"^=*[ ]?((?:{_PART})(?:, (?:{_PART})){{0,9}}|no tests ran|no tests collected(?:, \d+ errors?)?){_TIME}[ ]?=*$",
    needs=(" in ", "deselected|error|failed|no tests collected|no tests ran|passed|rerun|skipped|subtests|warning"),
)
_LISTED = Late(
    rf"^=*[ ]?(?:no tests collected \((\d+) deselected\)|(?:\d+/)?\d+ tests? collected(?: \(\d+ deselected\))?(?:, \d+ errors?)?){_TIME}[ ]?=*$",
    needs=(" test collected| tests collected", " in "),
)
_SUGAR = Late(r"^Results \([\d.:a-z ]{1,20}\):$", needs=("Results (",))
_SUGAR_PART = Late(
    rf"^ {{1,10}}({_PART})$",
    needs=(" deselected| error| failed| passed| rerun| skipped| subtests| warning| xfailed| xpassed",),
)
_NUMBER = Late(r"(\d+) (subtests )?([a-z]+)")
_SINGLE = Late(
    r"^(?:\[gw\d+\] \[ *\d+%\] )?(FAILED|ERROR) \S[^ ]*?(?:::|\.py)|^\S+::\S.*? (FAILED|ERROR|PASSED)(?: +\[ *\d+%\])?$",
    needs=(" ERROR| FAILED| PASSED|ERROR |FAILED ",),
)
_STOPPED = Late(
    r"^!{3,} (?:xdist\.dsession\.Interrupted: |Interrupted: )?(?:stopping after (\d+) failures?|(\d+) errors? during collection) !{3,}$",
    needs=(" error during collection| errors during collection|stopping after ",),
)
_COLLECTED = Late(r"^collected (\d+) items?", needs=(" item", "collected "))
_NEVER = Late(
    r"^(?:ERROR: (?:usage:|file or directory not found|not found:|found no collectors)|.*?error: unrecognized arguments: |pytest: error: )",
    needs=(
        "ERROR: file or directory not found|ERROR: found no collectors|ERROR: not found:|ERROR: usage:|error: unrecognized arguments: |pytest: error: ",
    ),
)
_CONFTEST = Late(
    r"^ImportError while loading conftest |^INTERNALERROR> |^pytest\.PytestConfigWarning",
    needs=("INTERNALERROR> |ImportError while loading conftest |pytest.PytestConfigWarning",),
)
_COVERAGE = Late(
    r"^(?:FAIL|ERROR:) ?.{0,40}Required test coverage of .{1,60} not reached",
    needs=("Required test coverage of ", " not reached"),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    last = -1
    for index, line in text.having(" in ", "Results (", "Required test coverage", "rror"):
        found = _one(text, index, line, hinted)
        if found:
            last = index
            yield found
    if last < 0:
        yield from _without_closing(text, hinted)


def _one(text: Text, index: int, line: str, hinted: bool) -> Summary | None:
    if match := _CLOSING.match(line):
        return _closing_line(text, index, line, match[1])
    if match := _LISTED.match(line):
        return closing("pytest", line, index, vacuous="the tests were only listed", failed="error" in line)
    if _SUGAR.match(line):
        return _sugar(text, index, line)
    if _CONFTEST.match(line):
        return closing("pytest", line, index, failed=True)
    if _COVERAGE.match(line):
        return closing("pytest", line, index, failed=True, wrapper=True)
    if hinted and _NEVER.match(line):
        return closing("pytest", line, index, vacuous="pytest did not start")
    return None


def _closing_line(text: Text, index: int, line: str, parts: str) -> Summary | None:
    if parts.startswith("no tests"):
        return closing("pytest", line, index, vacuous="no tests ran", failed="error" in parts)
    tally, errors = _tally(parts)
    before = text.lines[max(0, index - 3) : index]
    if any("KeyboardInterrupt" in item and item.startswith("!!!") for item in before) and not tally.failed:
        return None
    return closing(
        "pytest", line, index, tally, failed=bool(errors), vacuous="" if _says_anything(parts) else "no tests ran"
    )


def _says_anything(parts: str) -> bool:
    """A line with nothing but "1 warning" belongs to a run in which nothing was collected."""
    return any(not word.startswith("warning") for _, _, word in _NUMBER.findall(parts))


def _tally(parts: str) -> tuple[Tally, int]:
    """The counts of a closing line; expected failures ran and came out as expected."""
    counts: dict[str, int] = {}
    for number, subtests, word in _NUMBER.findall(parts):
        if not subtests:
            counts[word.rstrip("s") if word != "passed" else word] = int(number)
        elif word == "failed":
            counts["failed"] = counts.get("failed", 0) + int(number)
    errors = counts.get("error", 0)
    passed = counts.get("passed", 0) + counts.get("xfailed", 0) + counts.get("xpassed", 0)
    failed = counts.get("failed", 0) + errors
    tally = Tally(passed=passed, failed=failed, skipped=counts.get("skipped", 0), deselected=counts.get("deselected"))
    return tally, errors


def _sugar(text: Text, index: int, line: str) -> Summary:
    parts = []
    for _, follows in text.near(index, 12):
        if match := _SUGAR_PART.match(follows):
            parts.append(match[1])
    tally, errors = _tally(", ".join(parts))
    return closing("pytest", f"{line} {', '.join(parts)}", index, tally, failed=bool(errors))


def _without_closing(text: Text, hinted: bool) -> "Iterator[Summary]":
    """The closing line was cut away: single tests that failed still decide, single ones that passed prove nothing."""
    for index, line in text.having("FAILED", "ERROR", "PASSED"):
        match = _SINGLE.match(line)
        if match and (match[1] or match[2]):
            failed = match[1] or match[2] != "PASSED"
            yield closing("pytest", line, index, failed=bool(failed), partial=True)
    for index, line in text.having("!!! "):
        if _STOPPED.match(line):
            yield closing("pytest", line, index, failed=True, partial=True)
    if hinted:
        for index, line in text.having("collected 0 items"):
            if _COLLECTED.match(line):
                yield closing("pytest", line, index, vacuous="no tests ran", partial=True)
