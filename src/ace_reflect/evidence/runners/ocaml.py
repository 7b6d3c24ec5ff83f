"""Alcotest and OUnit, as `dune test` shows them."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ALCOTEST = Late(
    r"^(?:Test Successful|(\d{1,6}) (?:failures?|errors?)!) in [\d.]{1,12}s\. (\d{1,6}) tests? run\.$",
    needs=(" in ", " test run.| tests run."),
)
_OUNIT_RAN = Late(r"^Ran: (\d{1,6}) tests in: [\d.]{1,12} seconds\.$", needs=("Ran: ", " seconds."))
_OUNIT = Late(
    r"^FAILED: Cases: (\d{1,6}) Tried: (\d{1,6}) Errors: (\d{1,6}) Failures: (\d{1,6}) Skip: +(\d{1,6})",
    needs=(" Errors: ", " Tried: "),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    ran: tuple[int, str, int] | None = None
    for index, line in text.having(" run.", "Ran: ", "FAILED: Cases", "OK"):
        if match := _ALCOTEST.match(line):
            failed, total = int(match[1] or 0), int(match[2])
            yield closing("alcotest", line, index, Tally.of_all(total, failed))
        elif match := _OUNIT_RAN.match(line):
            ran = (index, line, int(match[1]))
        elif line.startswith("OK") and ran and index - ran[0] == 1:
            yield closing("ounit", f"{ran[1]} {line}", index, Tally(passed=ran[2], failed=0))
        elif match := _OUNIT.match(line):
            cases, _, errors, failures, skip = (int(number) for number in match.groups())
            yield closing("ounit", line, index, Tally.of_all(cases, errors + failures, skip))
