"""deno test 1.x and 2.x."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_RESULT = Late(
    r"^(?:test result: )?(ok|FAILED)(?: \||\.) (\d{1,7}) passed(?: \(\d{1,7} steps?\))?(?: \||;) (\d{1,7}) failed(.{0,200})$",
    needs=(" failed", " passed"),
)
_NONE = Late(r"^error: No test modules found", needs=("error: No test modules found",))
_CHECK = Late(
    r"^error: (?:Type checking failed|Test failed|Module not found|Uncaught )",
    needs=("error: Module not found|error: Test failed|error: Type checking failed|error: Uncaught ",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    for index, line in text.having(" passed", "error: "):
        if match := _RESULT.match(line):
            extra = counts_in(match[4])
            tally = Tally(
                passed=int(match[2]),
                failed=int(match[3]),
                skipped=extra.get("ignored", 0),
                deselected=extra.get("filtered out", 0),
            )
            yield closing("deno test", line, index, tally, failed=match[1] == "FAILED")
        elif _NONE.match(line):
            yield closing("deno test", line, index, vacuous="no tests found")
        elif hinted and _CHECK.match(line):
            yield closing("deno test", line, index, failed=True, wrapper=True)
