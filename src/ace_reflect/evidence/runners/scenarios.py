"""Cucumber in all its languages, behave, Robot Framework."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_CUCUMBER = Late(
    r"^(\d{1,6}) [Ss]cenarios?(?: \(((?:\d{1,6} [a-z]{4,12}(?:, )?){1,6})\))?$", needs=(" Scenario| scenario",)
)
_BEHAVE = Late(
    r"^(\d{1,6}) scenarios? passed, (\d{1,6}) failed(?:, (\d{1,6}) error(?:ed)?)?, (\d{1,6}) skipped(?:, (\d{1,6}) (?:untested|undefined))?",
    needs=(" failed", " skipped"),
)
_ROBOT = Late(
    r"^(\d{1,6}) tests?, (\d{1,6}) passed, (\d{1,6}) failed(?:, (\d{1,6}) skipped)?$", needs=(" failed", " passed, ")
)
_ROBOT_NONE = Late(
    r"^\[ ERROR \] Suite '.{1,200}' contains no tests", needs=("' contains no tests", "[ ERROR ] Suite '")
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    robot: tuple[int, str, re.Match[str]] | None = None
    for index, line in text.having("cenario", " tests, ", " test, ", "contains no tests"):
        if match := _CUCUMBER.match(line):
            yield _cucumber(match, line, index)
        elif match := _BEHAVE.match(line):
            passed, failed, errors, skipped, undefined = (int(number or 0) for number in match.groups())
            tally = Tally(passed=passed, failed=failed + errors + undefined, skipped=skipped)
            yield closing("behave", line, index, tally)
        elif match := _ROBOT.match(line):
            robot = (index, line, match)  # one for each suite, the outermost last
        elif _ROBOT_NONE.match(line):
            yield closing("robot", line, index, vacuous="no tests found")
    if robot:
        index, line, match = robot
        _, passed, failed, skipped = (int(number or 0) for number in match.groups())
        yield closing("robot", line, index, Tally(passed=passed, failed=failed, skipped=skipped))


def _cucumber(match: "re.Match[str]", line: str, index: int) -> Summary:
    counts = counts_in(match[2] or "")
    failed = added(counts, "failed", "undefined", "ambiguous", "unknown")
    skipped = added(counts, "skipped", "pending")
    return closing("cucumber", line, index, Tally(passed=counts.get("passed", 0), failed=failed, skipped=skipped))
