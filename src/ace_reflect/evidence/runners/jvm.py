"""Maven Surefire and Failsafe, Gradle, the JUnit console, TestNG; Ant prints JUnit's lines."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_LEVEL = r"^(?:\[(?:INFO|ERROR|WARNING|WARN)\] *|\[junit\] *)?"
_RUN = Late(
    _LEVEL
    + r"Tests run: *(\d{1,7}), +Failures: *(\d{1,7})(?:, +Errors: *(\d{1,7}))?(?:, +Skipped: *(\d{1,7}))?(.{0,200})$",
    needs=("Failures:", "Tests run:"),
)
_NONE = Late(
    _LEVEL
    + r"(?:No tests to run\.|Tests are skipped\.|There are no tests to run\.|No tests were executed!|No tests matching pattern|Not compiling test sources)",
    needs=(
        "No tests matching pattern|No tests to run.|No tests were executed!|Not compiling test sources|Tests are skipped.|There are no tests to run.",
    ),
)
_FAILED = Late(
    _LEVEL + r"(?:There are test failures\.|COMPILATION ERROR *:?|Failed to execute goal |Tests are failing)",
    needs=("COMPILATION ERROR|Failed to execute goal |Tests are failing|There are test failures.",),
)
_NOTHING = Late(
    _LEVEL + r"(?:Failed to execute goal .{0,300}(?:No tests were executed|No tests matching pattern|there is no POM)"
    r"|Unknown lifecycle phase |No plugin found for prefix |The goal you specified requires a project|Non-readable POM )",
    needs=(
        "Failed to execute goal |No plugin found for prefix |Non-readable POM |The goal you specified requires a project|Unknown lifecycle phase ",
    ),
)
_BUILD = Late(
    _LEVEL + r"BUILD (SUCCESS|FAILURE|SUCCESSFUL|FAILED)\b",
    needs=("BUILD FAILED|BUILD FAILURE|BUILD SUCCESS",),
)
_GRADLE_TASK = Late(
    r"^(?:> Task )?(:(?:[\w.-]{1,80}:){0,8}(?:\w{0,40}[tT]est(?:\w{0,40})?|check))(?: (UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED|FAILED))?$",
    needs=("Test|check|test",),
)
_GRADLE_COUNT = Late(
    r"^(\d{1,7}) tests? completed(?:, (\d{1,7}) failed)?(?:, (\d{1,7}) skipped)?$",
    needs=(" test completed| tests completed",),
)
_GRADLE_NONE = Late(
    r"^> No tests found for given includes|^No tests found for given includes|^> There are no test sources|^Task '.{1,100}' not found in ",
    needs=("> There are no test sources|No tests found for given includes|Task '",),
)
_CONSOLE = Late(
    r"^\[ {1,12}(?P<number>\d{1,7}) tests (?P<word>found|skipped|started|aborted|successful|failed) {1,12}\]$",
    needs=(" tests aborted| tests failed| tests found| tests skipped| tests started| tests successful",),
)
_JUNIT4 = Late(r"^OK \((\d{1,7}) tests?\)$", needs=(" test)| tests)", "OK ("))
_TESTNG = Late(
    r"^Total tests run: (\d{1,7})(?:, Passes: (\d{1,7}))?, Failures: (\d{1,7}), Skips: (\d{1,7})$",
    needs=("Total tests run: ", ", Failures: "),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    yield from _surefire(text)
    yield from _gradle(text)
    yield from _console(text)
    for index, line in text.having("BUILD "):
        if match := _BUILD.match(line):
            good = match[1].startswith("SUCCESS")
            yield closing(
                "mvn" if match[1] in ("SUCCESS", "FAILURE") else "gradle", line, index, failed=not good, wrapper=True
            )


def _surefire(text: Text) -> "Iterator[Summary]":
    """Each class prints a line with its time; the module's line has none and holds them all."""
    classes: list[Summary] = []
    for index, line in text.having(
        "Tests run:",
        "o tests ",
        "No tests",
        "Tests are ",
        "est failures",
        "COMPILATION ERROR",
        "Failed to execute",
        "OK (",
        "Total tests run",
        "lifecycle phase",
        "No plugin found",
        "goal you specified",
        "Non-readable",
    ):
        if match := _RUN.match(line):
            found = _surefire_run(match, line, index)
            if found.open_ended:
                classes.append(found)
            else:
                classes.clear()
                yield found.replace(open_ended=True)
        elif _NOTHING.match(line) or _NONE.match(line):
            several = "Reactor Summary" in text.whole  # a module without tests beside others
            yield closing("mvn", line, index, vacuous="no tests ran", open_ended=several)
        elif _FAILED.match(line):
            yield closing("mvn", line, index, failed=True, wrapper=True)
        elif match := _JUNIT4.match(line):
            yield closing("junit", line, index, Tally(passed=int(match[1])))
        elif match := _TESTNG.match(line):
            total, _, failed, skips = (int(number or 0) for number in match.groups())
            yield closing("testng", line, index, Tally.of_all(total, failed, skips))
    yield from classes


def _surefire_run(match: "re.Match[str]", line: str, index: int) -> Summary:
    total, failures, errors, skipped = (int(number or 0) for number in match.groups()[:4])
    tally = Tally.of_all(total, failures + errors, skipped)
    return closing("mvn", line, index, tally, open_ended="Time elapsed" in (match[5] or ""))


def _gradle(text: Text) -> "Iterator[Summary]":
    """A test task that is up to date or from the cache passed on the same inputs; NO-SOURCE had nothing to run."""
    successful = "BUILD SUCCESSFUL" in text.whole
    for index, line in text.having("est", ":check"):
        if match := _GRADLE_TASK.match(line):
            found = _gradle_task(match, line, index, successful)
            if found:
                yield found
        elif match := _GRADLE_COUNT.match(line):
            total, failed, skipped = (int(number or 0) for number in match.groups())
            yield closing("gradle", line, index, Tally.of_all(total, failed, skipped))
        elif _GRADLE_NONE.match(line):
            yield closing("gradle", line, index, vacuous="no tests found")


def _gradle_task(match: "re.Match[str]", line: str, index: int, successful: bool) -> Summary | None:
    task, state = match[1].rpartition(":")[2], match[2]
    if task == "check" or task.startswith(("compile", "process")) or task.endswith(("Classes", "Resources")):
        return None
    if state == "FAILED":
        return closing("gradle", line, index, failed=True, wrapper=True)
    if state in ("NO-SOURCE", "SKIPPED"):
        return closing(
            "gradle",
            line,
            index,
            vacuous="no tests to run" if state == "NO-SOURCE" else "the tests were skipped",
            open_ended=match[1].count(":") > 1,  # a project among others
        )
    if successful:
        return closing("gradle", f"{line}: BUILD SUCCESSFUL", index, open_ended=True)
    return None


def _console(text: Text) -> "Iterator[Summary]":
    """The JUnit platform's console launcher: a line for each count."""
    for _, last, block in text.blocks(_CONSOLE, " tests "):
        tally = Tally(
            passed=block.get("successful", 0), failed=added(block, "failed", "aborted"), skipped=block.get("skipped", 0)
        )
        yield closing("junit", ", ".join(f"{number} tests {word}" for word, number in block.items()), last, tally)
