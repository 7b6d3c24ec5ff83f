"""CTest and Meson."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CTEST = Late(
    r"^\d{1,3}% tests passed(?:, (\d{1,6}) tests? failed)? out of (\d{1,6})$", needs=("% tests passed", " out of ")
)
_NONE = Late(
    r"^(?:No tests were found!!!|No tests defined\.|No suitable tests defined\.)$",
    needs=("No suitable tests defined.|No tests defined.|No tests were found!!!",),
)
_SINGLE = Late(
    r"^ {0,4}\d{1,6}/\d{1,6} Test +#\d{1,6}: .{1,300}\*\*\*(?:Failed|Timeout|Not Run|Exception)",
    needs=(" Test", "***Exception|***Failed|***Not Run|***Timeout"),
)
_NOT_RUN = Late(
    r"^\t *\d{1,6} - .{1,200} \((?:Skipped|Disabled|Not Run \(Disabled\))\)$", needs=(" (Disabled)| (Skipped)",)
)
_MESON = Late(
    r"^(?P<word>Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): {1,20}(?P<number>\d{1,6})$",
    needs=("Fail:|Ok:|Skipped:|Timeout:|Unexpected Pass:",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    told = False
    for index, line in text.having("tests passed", "No tests were found", "No tests defined", "No suitable tests"):
        if match := _CTEST.match(line):
            told = True
            failed, total = int(match[1] or 0), int(match[2])
            skipped = sum(1 for _, follows in text.near(index, 200) if _NOT_RUN.match(follows))
            yield closing("ctest", line, index, Tally.of_all(total, failed, skipped).replace(total=total))
        elif _NONE.match(line):
            told = True
            yield closing("ctest", line, index, vacuous="no tests found")
    yield from _meson(text)
    if not told:
        for index, line in text.having("***"):
            if _SINGLE.match(line):
                yield closing("ctest", line, index, failed=True, partial=True)


def _meson(text: Text) -> "Iterator[Summary]":
    for _, last, block in text.blocks(_MESON, "Ok: ", "Fail: ", "Pass: ", "Skipped: ", "Timeout: "):
        failed = added(block, "Fail", "Unexpected Pass", "Timeout")
        if "Ok" in block or failed:
            tally = Tally(passed=added(block, "Ok", "Expected Fail"), failed=failed, skipped=block.get("Skipped", 0))
            yield closing("meson test", ", ".join(f"{word}: {number}" for word, number in block.items()), last, tally)
