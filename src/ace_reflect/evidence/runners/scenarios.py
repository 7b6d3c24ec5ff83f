"""Cucumber in all its languages, behave, Robot Framework."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
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
_NUMBER = Late(r"(\d+) ([a-z]+)")


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    robot: tuple[int, str, re.Match[str]] | None = None
    for index, line in text.having("cenario", " tests, ", " test, ", "contains no tests"):
        if match := _CUCUMBER.match(line):
            yield _cucumber(match, line, index)
        elif match := _BEHAVE.match(line):
            passed, failed, errors, skipped, undefined = (int(number or 0) for number in match.groups())
            yield closing(
                "behave", line, index, Tally(passed=passed, failed=failed + errors + undefined, skipped=skipped)
            )
        elif match := _ROBOT.match(line):
            robot = (index, line, match)  # one for each suite, the outermost last
        elif _ROBOT_NONE.match(line):
            yield closing("robot", line, index, vacuous="no tests found")
    if robot:
        index, line, match = robot
        _, passed, failed, skipped = (int(number or 0) for number in match.groups())
        yield closing("robot", line, index, Tally(passed=passed, failed=failed, skipped=skipped))


def _cucumber(match: "re.Match[str]", line: str, index: int) -> Summary:
    counts = {word: int(number) for number, word in _NUMBER.findall(match[2] or "")}
    failed = sum(counts.get(word, 0) for word in ("failed", "undefined", "ambiguous", "unknown"))
    skipped = counts.get("skipped", 0) + counts.get("pending", 0)
    return closing("cucumber", line, index, Tally(passed=counts.get("passed", 0), failed=failed, skipped=skipped))
