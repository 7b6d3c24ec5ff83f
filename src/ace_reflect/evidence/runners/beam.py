"""ExUnit (mix test), EUnit and Common Test (rebar3), Gleam."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_MIX = Late(
    r"^((?:\d{1,6} (?:doctests?|tests?|properties|property|features?), ){1,4})(\d{1,6}) failures?((?:, \d{1,6} (?:excluded|skipped|invalid|cancelled|not run)(?: \(including [^)]{1,40}\))?){0,4})$",
    needs=(" failure", "feature|properties|property|test"),
)
_NONE = Late(
    r"^(?:There are no tests to run|There were no tests to run\.|All tests have been excluded\.|Paths given to \"mix test\" did not match)",
    needs=(
        'All tests have been excluded.|Paths given to "mix test" did not match|There are no tests to run|There were no tests to run.',
    ),
)
_COMPILE = Late(
    r"^== Compilation error in file |^\*\* \(Mix\) (?!The task)|^ERROR! Test suite aborted after successful execution|^===> (?:Compiling .{1,200} failed|Error running tests|Failures occurred running tests)",
    needs=("** (Mix) |== Compilation error in file |===> |ERROR! Test suite aborted after successful execution",),
)
_EUNIT = Late(r"^ {0,4}All (\d{1,6}) tests passed\.$|^ {0,4}Test passed\.$", needs=(" tests passed.|Test passed.",))
_EUNIT_FAILED = Late(
    r"^ {0,4}Failed: (\d{1,6})\. +Skipped: (\d{1,6})\. +Passed: (\d{1,6})\.$", needs=("Passed: ", "Skipped: ")
)
_CT = Late(
    r"^(?:Failed (\d{1,6}) tests?\. )?(?:Skipped (\d{1,6}) \([\d, ]{1,20}\) tests?\. )?Passed (\d{1,6}) tests?\.$",
    needs=("Passed ", " test.| tests."),
)
_GLEAM = Late(r"^(\d{1,6}) passed, (?:no|(\d{1,6})) failures?$", needs=(" passed, ", " failure"))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    excluded = False
    for index, line in text.having(
        " failure",
        "no tests to run",
        "excluded.",
        "== Compilation",
        "ERROR! Test suite",
        "** (Mix)",
        "===> ",
        " passed",
        "Passed",
        "did not match",
    ):
        if match := _MIX.match(line):
            yield _mix(text, match, line, index)
        elif _NONE.match(line):
            excluded = True
            yield closing(
                "mix test", line, index, vacuous="no tests ran" if not line.startswith("All") else "all excluded"
            )
        elif _COMPILE.match(line) and not excluded:
            yield closing("mix test", line, index, failed=True, wrapper=True)
        else:
            yield from _erlang(line, index)


def _mix(text: Text, match: "re.Match[str]", line: str, index: int) -> Summary:
    extra = counts_in(match[3])
    failed = int(match[2]) + added(extra, "invalid", "cancelled")
    tally = Tally.of_all(
        sum(counts_in(match[1]).values()), failed, added(extra, "skipped", "not run"), extra.get("excluded", 0)
    )
    runner = "eunit" if "===> Performing EUnit" in text.whole else "mix test"
    return closing(runner, line, index, tally)


def _erlang(line: str, index: int) -> "Iterator[Summary]":
    if match := _EUNIT.match(line):
        yield closing("eunit", line, index, Tally(passed=int(match[1] or 1), failed=0))
    elif match := _EUNIT_FAILED.match(line):
        failed, skipped, passed = (int(number) for number in match.groups())
        yield closing("eunit", line, index, Tally(passed=passed, failed=failed, skipped=skipped))
    elif match := _CT.match(line):
        failed, skipped, passed = (int(number or 0) for number in match.groups())
        yield closing("ct", line, index, Tally(passed=passed, failed=failed, skipped=skipped))
    elif match := _GLEAM.match(line):
        yield closing("gleam test", line, index, Tally(passed=int(match[1]), failed=int(match[2] or 0)))
