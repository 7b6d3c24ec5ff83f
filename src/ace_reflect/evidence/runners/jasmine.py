"""Jasmine 3 to 5 and Karma."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_SPECS = Late(
    r"^(\d{1,6}) specs?, (\d{1,6}) failures?(?:, (\d{1,6}) pending specs?)?$", needs=(" failure", " spec, | specs, ")
)
_INCOMPLETE = Late(r"^Incomplete: (No specs found)?", needs=("Incomplete: ",))
_KARMA = Late(
    r"^(?:.{3,80}: )?Executed (\d{1,6}) of (\d{1,6}) ?(?:\((\d{1,6}) FAILED\))? ?(?:\(skipped (\d{1,6})\))? ?(SUCCESS|ERROR|DISCONNECTED)?",
    needs=("Executed ", " of "),
)
_TOTAL = Late(r"^TOTAL: (?:(\d{1,6}) FAILED, )?(\d{1,6}) SUCCESS$", needs=(" SUCCESS", "TOTAL: "))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    karma: tuple[int, str, re.Match[str]] | None = None
    for index, line in text.having(" spec", "Incomplete:", "Executed ", "TOTAL: "):
        if match := _SPECS.match(line):
            total, failed, pending = (int(number or 0) for number in match.groups())
            yield closing("jasmine", line, index, Tally.of_all(total, failed, pending))
        elif match := _INCOMPLETE.match(line):
            yield closing("jasmine", line, index, failed=not match[1], vacuous="no specs found" if match[1] else "")
        elif match := _KARMA.match(line):
            karma = (index, line, match)
        elif match := _TOTAL.match(line):
            yield closing("karma", line, index, Tally(passed=int(match[2]), failed=int(match[1] or 0)))
    if karma and "\nTOTAL: " not in text.whole:
        yield _karma(*karma)


def _karma(index: int, line: str, match: "re.Match[str]") -> Summary:
    """Karma repeats its line as it goes on; the last one counts."""
    ran, _, failed, skipped = (int(number or 0) for number in match.groups()[:4])
    error = match[5] in ("ERROR", "DISCONNECTED") and ran > 0
    return closing(
        "karma", line, index, Tally(passed=max(ran - failed, 0), failed=failed, skipped=skipped), failed=error
    )
