"""clojure.test (lein, clj, bb), Kaocha, Midje, ERT, FiveAM, Racket's rackunit."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_RAN = Late(r"^Ran (\d{1,6}) tests containing (\d{1,7}) assertions\.$", needs=(" tests containing ", " assertions."))
_VERDICT = Late(r"^(\d{1,6}) failures?, (\d{1,6}) errors?\.$", needs=(" error.| errors.", " failure, | failures, "))
_KAOCHA = Late(
    r"^(\d{1,6}) tests?, \d{1,7} assertions?(?:, (\d{1,6}) errors?)?(?:, (\d{1,6}) pending)?, (\d{1,6}) failures?\.$",
    needs=(" assertion", " test, | tests, "),
)
_ERT = Late(
    r"^Ran (\d{1,6}) tests?, (\d{1,6}) results? as expected(?:, (\d{1,6}) unexpected)?(?:, (\d{1,6}) skipped)?",
    needs=("Ran ", " result as expected| results as expected"),
)
_FIVEAM = Late(r"^ *Fail: (\d{1,6}) \( ?\d{1,3}%\)$", needs=("Fail: ",))
_RACKUNIT = Late(
    r"^(\d{1,6}) tests? passed$|^(\d{1,6})/(\d{1,6}) test failures$",
    needs=(" test failures| test passed| tests passed",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    ran: tuple[int, str, int] | None = None
    for index, line in text.having("Ran ", " failure", " tests passed", "Fail: "):
        if match := _RAN.match(line):
            ran = (index, line, int(match[1]))
        elif (match := _VERDICT.match(line)) and ran and index - ran[0] <= 2:
            failed = int(match[1]) + int(match[2])
            yield closing("clojure.test", f"{ran[1]} {line}", index, Tally(total=ran[2], failed=failed))
            ran = None
        elif match := _KAOCHA.match(line):
            total, errors, pending, failures = (int(number or 0) for number in match.groups())
            yield closing("kaocha", line, index, Tally.of_all(total, errors + failures, pending))
        elif match := _ERT.match(line):
            _, expected, unexpected, skipped = (int(number or 0) for number in match.groups())
            yield closing(
                "ert", line, index, Tally(passed=max(expected - skipped, 0), failed=unexpected, skipped=skipped)
            )
        elif match := _FIVEAM.match(line):
            yield closing("fiveam", line, index, failed=match[1] != "0", open_ended=True)
        elif hinted and (match := _RACKUNIT.match(line)):
            yield closing("raco test", line, index, Tally(passed=int(match[1] or 0), failed=int(match[2] or 0)))
