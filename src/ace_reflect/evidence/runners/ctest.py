"""CTest and Meson."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
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
    needs=("tests defined.|tests were found!!!", "No suitable tests defined.|No tests defined.|No tests were found!!!"),
)
_SINGLE = Late(
    r"^ {0,4}\d{1,6}/\d{1,6} Test +#\d{1,6}: .{1,300}\*\*\*(?:Failed|Timeout|Not Run|Exception)",
    needs=(" Test", "***Exception|***Failed|***Not Run|***Timeout"),
)
_NOT_RUN = Late(
    r"^\t *\d{1,6} - .{1,200} \((?:Skipped|Disabled|Not Run \(Disabled\))\)$", needs=(" (Disabled)| (Skipped)",)
)
_MESON = Late(
    r"^(Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): {1,20}(\d{1,6})$",
    needs=("Fail:|Ok:|Skipped:|Timeout:|Unexpected Pass:",),
)
_MESON_BAD = ("Fail", "Unexpected Pass", "Timeout")


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
    block: dict[str, int] = {}
    at = 0
    for index, line in text.having("Ok: ", "Fail: ", "Pass: ", "Skipped: ", "Timeout: "):
        if match := _MESON.match(line):
            block[match[1]], at = int(match[2]), index
    if "Ok" in block or any(block.get(name) for name in _MESON_BAD):
        tally = Tally(
            passed=block.get("Ok", 0) + block.get("Expected Fail", 0),
            failed=sum(block.get(name, 0) for name in _MESON_BAD),
            skipped=block.get("Skipped", 0),
        )
        yield closing("meson test", ", ".join(f"{name}: {number}" for name, number in block.items()), at, tally)
