"""PHPUnit 6 to 12, ParaTest, Pest 1 to 4, `php artisan test`, Codeception."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_OK = Late(r"^OK \((\d{1,6}) tests?, \d{1,7} assertions?\)$", needs=(" assertion)| assertions)", "OK ("))
_HEAD = Late(
    r"^(?:OK, but |FAILURES!|ERRORS!|WARNINGS!|Tests: \d)", needs=("ERRORS!|FAILURES!|OK, but |Tests: |WARNINGS!",)
)
_COUNTS = Late(
    r"^Tests: (\d{1,6}), Assertions: \d{1,7}((?:, [A-Z][\w ]{1,40}: \d{1,6})*)\.$", needs=(", Assertions: ", "Tests: ")
)
_COUNT = Late(r", ([A-Z][\w ]+): (\d+)")
_NONE = Late(
    r"^(?:No tests executed!|(?: *INFO  )?No tests found(?: in class .{1,200})?\.?)$",
    needs=("No tests executed!|No tests found",),
)
_PEST = Late(
    r"^ {0,4}Tests: {1,8}((?:\d{1,6} (?:failed|passed|skipped|todos?|risky|warnings?|incomplete|deprecated|notices?|pending)(?:, )?){1,8})(?: \(\d{1,7} assertions?\))?$",
    needs=("Tests:", " deprecated| failed| incomplete| notice| passed| pending| risky| skipped| todo| warning"),
)
_LISTED = Late(
    r"^There (?:was|were) \d{1,6} (?:failure|error)s?:$", needs=("There was |There were ", " error| failure")
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    for index, line in text.having("OK (", "Tests:", "No tests", "FAILURES!", "ERRORS!"):
        if match := _OK.match(line):
            yield closing("phpunit", line, index, Tally(passed=int(match[1]), failed=0))
        elif match := _COUNTS.match(line):
            yield _counted(match, line, index)
        elif match := _PEST.match(line):
            yield _pest(match[1], line, index)
        elif _NONE.match(line) and (hinted or "!" in line):
            yield closing("phpunit", line, index, vacuous="no tests found")
        elif line in ("FAILURES!", "ERRORS!"):
            yield closing("phpunit", line, index, failed=True, wrapper=True)
    if not _HEAD.may_match(text.whole) and not _OK.may_match(text.whole):  # the closing line is cut away
        for index, line in text.having("There w"):
            if _LISTED.match(line):
                yield closing("phpunit", line, index, failed=True, partial=True)


def _counted(match: "re.Match[str]", line: str, index: int) -> Summary:
    counts = {name: int(number) for name, number in _COUNT.findall(match[2])}
    tally = Tally.of_all(int(match[1]), added(counts, "Failures", "Errors"), added(counts, "Skipped", "Incomplete"))
    return closing("phpunit", line, index, tally)


def _pest(parts: str, line: str, index: int) -> Summary:
    counts = counts_in(parts)
    passed = added(counts, "passed", "risky", "warning", "warnings", "deprecated", "notice", "notices")
    skipped = added(counts, "skipped", "todo", "todos", "incomplete", "pending")
    return closing("pest", line, index, Tally(passed=passed, failed=counts.get("failed", 0), skipped=skipped))
