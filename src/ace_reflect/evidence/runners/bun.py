"""bun test 1.x."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing, shown
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNT = Late(
    r"^ *(\d{1,7}) (pass|fail|skip|todo|errors?|filtered out)$", needs=(" error| fail| filtered out| pass| skip| todo",)
)
_RAN = Late(r"^Ran (\d{1,7}) tests? across (\d{1,7}) files?\.", needs=("Ran ", " test across | tests across "))
_NONE = Late(
    r"^(?:No tests found!|error: 0 test files matching |error: regex \".{0,200}\" matched 0 tests|The following filters did not match any test files)",
    needs=(
        'No tests found!|The following filters did not match any test files|error: 0 test files matching |error: regex "',
    ),
)
_SINGLE = Late(r"^\(fail\) \S", needs=("(fail) ",))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    block: dict[str, int] = {}
    first = -1
    for index, line in text.having(
        " pass",
        " fail",
        " skip",
        " todo",
        " error",
        " filtered out",
        "Ran ",
        "No tests found!",
        "test files",
        "matched 0 tests",
    ):
        if match := _COUNT.match(line):
            first = index if not block else first
            block[match[2].rstrip("s") if match[2] != "pass" else "pass"] = int(match[1])
        elif match := _RAN.match(line):
            yield _run(line, index, block, int(match[1]))
            block = {}
        elif _NONE.match(line):
            yield closing("bun", line, index, vacuous="no tests found")
    if "pass" in block or "fail" in block:
        yield _run("", first, block, None)
    else:
        yield from _single(text)


def _run(line: str, index: int, block: dict[str, int], ran: int | None) -> Summary:
    """`tail -1` leaves only how many ran: that says no verdict, unless it is none."""
    skipped = block.get("skip", 0) + block.get("todo", 0)
    tally = Tally(
        passed=block.get("pass"), failed=block.get("fail"), skipped=skipped, deselected=block.get("filtered out")
    )
    if not block:
        return closing("bun", line, index, Tally(total=ran), partial=bool(ran))
    return closing(
        "bun", f"{shown(block)}. {line}" if line else shown(block), index, tally, failed=bool(block.get("error"))
    )


def _single(text: Text) -> "Iterator[Summary]":
    for index, line in text.having("(fail) "):
        if _SINGLE.match(line):
            yield closing("bun", line, index, failed=True, partial=True)
