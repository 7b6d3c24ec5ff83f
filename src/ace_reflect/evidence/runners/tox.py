"""tox 3 and 4, nox: what their environments and sessions came to. The tests inside print their own summary."""

from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TOX = Late(
    r"^ {0,4}(?:ERROR: {2,4})?(?:(congratulations :\))|(evaluation failed :\()|\S{1,80}: (?:(OK) \([\d.]|(FAIL) (?:code|✖)|(commands succeeded)|(commands failed)))",
    needs=("FAIL code|FAIL ✖|OK (|commands failed|commands succeeded|congratulations :)|evaluation failed :(",),
)
_NOX = Late(
    r"^nox > (?:Session \S{1,120}|\* \S{1,120}:) (?:(was successful|success)|(failed|aborted|raised))",
    needs=("nox > ", "aborted|failed|raised|success"),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    for index, line in text.having(
        "congratulations :)", "evaluation failed", ": OK (", ": FAIL ", "commands ", "nox > "
    ):
        if match := _TOX.match(line):
            failed = bool(match[2] or match[4] or match[6])
            yield closing("tox", line, index, failed=failed, wrapper=True, open_ended=not (match[1] or match[2]))
        elif match := _NOX.match(line):
            yield closing("nox", line, index, failed=bool(match[2]), wrapper=True, open_ended=True)
