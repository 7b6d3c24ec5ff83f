"""unittest and what speaks like it: Django, nose, nose2, green, shunit2."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_RAN = Late(r"^Ran (\d+) tests?(?: in [\d.]+s)?(?: using \d+ processes?)?\.?$", needs=(" test", "Ran "))
_VERDICT = Late(
    r"^(OK|PASSED|FAILED|NO TESTS RAN)(?: \(([\w =,]{1,200})\))?$", needs=("FAILED|NO TESTS RAN|OK|PASSED",)
)
_FAILED = Late(
    r"^FAILED \(((?:(?:failures|errors|skipped|expected failures|unexpected successes)=\d+(?:, )?)+)\)$",
    needs=("FAILED (", "errors|failures|skipped|unexpected successes"),
)
_COUNT = Late(r"([a-z][a-z ]*)=(\d+)")


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    ran: tuple[int, int] | None = None
    for index, line in text.having("Ran ", "OK", "FAILED", "PASSED", "NO TESTS RAN"):
        if match := _RAN.match(line):
            ran = (index, int(match[1]))
        elif match := _VERDICT.match(line):
            if ran is not None and index - ran[0] <= 6:
                yield _run(index, f"{text.lines[ran[0]]}: {line}", ran[1], match)
                ran = None
            elif hinted or _FAILED.match(line):
                yield _run(index, line, None, match)


def _run(index: int, line: str, ran: int | None, match: "re.Match[str]") -> Summary:
    counts = {name.strip(): int(number) for name, number in _COUNT.findall(match[2] or "")}
    failed = added(counts, "failures", "errors", "unexpected successes")
    skipped = counts.get("skipped", 0)
    bad = match[1] == "FAILED"
    if ran is None:
        return closing("unittest", line, index, Tally(failed=failed or None, skipped=skipped or None), failed=bad)
    return closing("unittest", line, index, Tally.of_all(ran, failed, skipped).replace(total=ran), failed=bad)
