"""sbt with ScalaTest, MUnit, JUnit, specs2 and ZIO Test; Mill; scala-cli; weaver."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LEVEL = r"^(?:\[(?:info|error|warn)\] *)?"
_SCALATEST = Late(
    _LEVEL + r"Tests: succeeded (\d{1,6}), failed (\d{1,6}), canceled (\d{1,6}), ignored (\d{1,6}), pending (\d{1,6})$",
    needs=(", failed ", ", ignored "),
)
_ABORTED = Late(
    _LEVEL + r"\*\*\* (?:\d{1,6} (?:SUITES?|TESTS?) (?:ABORTED|FAILED)|RUN ABORTED)", needs=("ABORTED|FAILED", "*** ")
)
_SBT = Late(
    _LEVEL
    + r"(Passed|Failed|Error): Total (\d{1,6}), Failed (\d{1,6}), Errors (\d{1,6}), Passed (\d{1,6})((?:, [A-Z][a-z]{4,10} \d{1,6}){0,4})",
    needs=(", Failed ", ", Passed "),
)
_NONE = Late(
    _LEVEL + r"No tests (?:were executed|to run for)",
    needs=("No tests to run for|No tests were executed",),
)
_TASK = Late(
    r"^\[error\] \(.{1,120}\) (?:sbt\.TestsFailedException|Compilation failed|sbt\.)|^\[error\] \d{1,6} errors? found",
    needs=("[error] ", " error found| errors found|) Compilation failed|) sbt."),
)
_ZIO = Late(
    r"^(\d{1,6}) tests? passed\. (\d{1,6}) tests? failed\. (\d{1,6}) tests? ignored\.",
    needs=(" test passed. | tests passed. ", " test ignored.| tests ignored."),
)
_MILL = Late(r"^Tests: (\d{1,6}), Passed: (\d{1,6}), Failed: (\d{1,6})$", needs=(", Passed: ", ", Failed: "))
_EXTRA = Late(r"([A-Z][a-z]+) (\d+)")


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    """sbt repeats ScalaTest's counts in its own line; the two are one run."""
    framework = False
    for index, line in text.having("Tests: ", "***", ": Total ", "o tests ", "No tests", "[error]", " passed. "):
        found = _one(line, index)
        if found is None:
            continue
        if found.runner == "sbt" and framework and not found.wrapper:
            framework = False
            continue
        framework = framework or found.runner == "scalatest"
        yield found


def _one(line: str, index: int) -> Summary | None:
    if match := _SCALATEST.match(line):
        passed, failed, canceled, ignored, pending = (int(number) for number in match.groups())
        return closing(
            "scalatest",
            line,
            index,
            Tally(passed=passed, failed=failed, skipped=canceled + ignored + pending),
            open_ended=True,
        )
    if match := _SBT.match(line):
        _, failed, errors, passed = (int(number) for number in match.groups()[1:5])
        extra = {name: int(number) for name, number in _EXTRA.findall(match[6])}
        tally = Tally(passed=passed, failed=failed + errors, skipped=sum(extra.values()))
        return closing("sbt", line, index, tally, failed=match[1] != "Passed", open_ended=True)
    if match := _ZIO.match(line):
        passed, failed, ignored = (int(number) for number in match.groups())
        return closing("zio-test", line, index, Tally(passed=passed, failed=failed, skipped=ignored))
    if match := _MILL.match(line):
        return closing("mill", line, index, Tally(passed=int(match[2]), failed=int(match[3])))
    if _ABORTED.match(line) or _TASK.match(line):
        return closing("sbt", line, index, failed=True, wrapper=True)
    if _NONE.match(line):
        return closing("sbt", line, index, vacuous="no tests ran", open_ended=True)
    return None
