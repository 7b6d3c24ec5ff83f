"""vitest 0.x to 4, workspaces too."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTS = r"((?:\d{1,7} [a-z]{4,12}(?: \| )?){1,6} ?(?:\((\d{1,7})\))?|no tests)"
_LINE = Late(rf"^ {{0,12}}(Test Files|Tests|Type Errors|Errors) {{2,6}}{_PARTS}$", needs=("Errors|Test Files|Tests",))
_NONE = Late(r"^ *No test (?:files|suite) found", needs=("No test files found|No test suite found",))
_SINGLE = Late(
    r"^ ?(?:( FAIL  \S)|([❯×]) \S[^\n]{0,200}?\.[cm]?[jt]sx? .{0,60}\(\d+ tests?(?: \| .{1,60})?\)|(✓) (?:\|[^|]{1,60}\| )?\S[^\n]{0,200}?\.[cm]?[jt]sx? .{0,20}\(\d+ tests?)",
    needs=(" FAIL  | test",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    block: dict[str, tuple[int, str, str]] = {}
    told = False
    for index, line in text.having("Test Files", "Tests  ", "Errors  ", "No test "):
        if match := _LINE.match(line):
            if block and (match[1] in block or index - max(at for at, _, _ in block.values()) > 3):
                yield _run(block)
                block = {}
            block[match[1]] = (index, line, match[2])
            told = True
        elif _NONE.match(line):
            told = True
            yield closing("vitest", line, index, vacuous="no tests found")
    if block:
        yield _run(block)
    if not told:
        yield from _single(text)


def _run(block: dict[str, tuple[int, str, str]]) -> Summary:
    """The block of closing lines; an error outside of the tests fails the run as well."""
    index = max(at for at, _, _ in block.values())
    line = "; ".join(quoted.strip() for _, quoted, _ in block.values())
    files, tests = _numbers(block.get("Test Files")), _numbers(block.get("Tests"))
    failed = bool(files.get("failed") or _numbers(block.get("Errors")) or _numbers(block.get("Type Errors")))
    if "Tests" not in block:
        return closing("vitest", line, index, failed=failed, vacuous="" if files.get("passed") else "no tests ran")
    skipped = tests.get("skipped", 0) + tests.get("todo", 0)
    tally = Tally(passed=tests.get("passed", 0), failed=tests.get("failed", 0), skipped=skipped)
    return closing("vitest", line, index, tally, failed=failed)


def _numbers(part: tuple[int, str, str] | None) -> dict[str, int]:
    return counts_in(part[2]) if part else {}


def _single(text: Text) -> "Iterator[Summary]":
    for index, line in text.having("FAIL", "❯", "×", "✓"):
        if match := _SINGLE.match(line):
            yield closing("vitest", line, index, failed=not match[3], partial=True)
