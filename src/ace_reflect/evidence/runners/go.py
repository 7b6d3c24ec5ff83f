"""go test, plain, with -v and with -json."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# A package that is well: its time or (cached), then coverage or "[no tests to run]".
_OK = Late(r"^ok\s{1,6}(\S{1,300})\s{1,4}(?:[\d.]{1,12}s|\(cached\))(?:\s.{0,200})?$", needs=("ok",))
_NO_FILES = Late(
    r"^\?\s{1,8}\S{1,300}\s{1,4}\[no test files\]|^\t\S{1,300}\t\tcoverage: 0\.0% of statements",
    needs=("\t\tcoverage: 0.0% of statements|[no test files]",),
)
_FAIL = Late(
    r"^FAIL\s{1,4}(\S{1,300})(?:\s{1,4}(?:[\d.]{1,12}s|\(cached\))|\s\[(?:build|setup) failed\])", needs=("FAIL",)
)
_FAIL_ALONE = Late(r"^(?:FAIL|--- FAIL: \S{1,300}.{0,40})$", needs=("FAIL",))
_TOP = Late(r"^--- (PASS|FAIL|SKIP): (\S{1,300}) \([\d.]{1,12}s\)", needs=("--- FAIL: |--- PASS: |--- SKIP: ",))
_JSON = Late(r'^\{.{0,200}?"Action":"(pass|fail|skip)"', needs=('"Action":"fail"|"Action":"pass"|"Action":"skip"',))
# The module's own files are wrong: nothing is built, and no "FAIL" is printed.
_MODULE = Late(
    r"^go: (?:updates to go\.mod needed|inconsistent vendoring|.{1,250}(?:missing go\.sum entry|requires go >= ))|^\S{1,200}\.go:\d{1,6}:\d{1,4}: (?:no required module provides|missing go\.sum entry)",
    needs=(
        "go: |.go:",
        "updates to go.mod needed|inconsistent vendoring|missing go.sum entry|requires go >= |no required module provides",
    ),
)
_NONE = "no tests to run"


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    if '"Action":"' in text.whole:
        yield from _json(text)
    block = dict.fromkeys(("PASS", "FAIL", "SKIP"), 0)
    closed = False
    for index, line in text.having("ok", "FAIL", "--- ", "[no test files]", "coverage: 0.0%", "PASS"):
        if match := _TOP.match(line):
            block[match[1]] += 1
            continue
        found = _package(line, index, block)
        if found:
            closed = True
            yield found
            block = dict.fromkeys(block, 0)
    for index, line in text.having("go: ", ".go:"):
        if _MODULE.match(line):
            yield closing("go test", line, index, failed=True, wrapper=True)
    if not closed or block["FAIL"]:
        yield from _cut(text, block, closed)


def _package(line: str, index: int, block: dict[str, int]) -> Summary | None:
    """One package's closing line. Its tests are counted only where -v lists those that passed as well."""
    if _OK.match(line):
        vacuous = _NONE if f"[{_NONE}]" in line else ""
        return closing("go test", line, index, _tally(block), vacuous=vacuous, open_ended=True)
    if _FAIL.match(line):
        listed = _tally(block) if block["PASS"] else Tally(failed=block["FAIL"] or None)
        return closing("go test", line, index, listed, failed=True, open_ended=True)
    if _NO_FILES.match(line):
        return closing("go test", line, index, vacuous="no test files", open_ended=True)
    return None


def _tally(block: dict[str, int]) -> Tally:
    if not any(block.values()):
        return Tally()
    return Tally(passed=block["PASS"], failed=block["FAIL"], skipped=block["SKIP"])


def _cut(text: Text, block: dict[str, int], closed: bool) -> "Iterator[Summary]":
    """Single tests without their package's line, which a filter or a limit took away."""
    for index, line in text.having("FAIL", "--- PASS", "--- SKIP", "PASS"):
        if _FAIL_ALONE.match(line):
            yield closing("go test", line, index, Tally(failed=block["FAIL"] or None), failed=True, partial=True)
            return
    if closed:
        return
    for index, line in text.having("PASS"):
        if line == "PASS":
            yield closing("go test", line, index, _tally(block), open_ended=True)
            return
    if block["PASS"] or block["SKIP"]:
        index, line = next(pair for pair in text.having("--- PASS", "--- SKIP"))
        yield closing("go test", line, index, _tally(block), passed=True, partial=True)


def _json(text: Text) -> "Iterator[Summary]":
    """`go test -json`: an event a line; those without "Test" close a package."""
    block = dict.fromkeys(("PASS", "FAIL", "SKIP"), 0)
    for index, line in text.having('"Action":"'):
        match = _JSON.match(line)
        if not match:
            continue
        if '"Test":"' in line:
            block[match[1].upper()] += 1
            continue
        tally = _tally(block)
        # a package that passed without an event of a test: those were cut or filtered away, unless it says that it has none
        empty = match[1] == "skip" or (_NONE in text.whole and match[1] == "pass")
        vacuous = "no tests ran" if empty and not tally.executed() else ""
        yield closing("go test", line, index, tally, failed=match[1] == "fail", vacuous=vacuous, open_ended=True)
        block = dict.fromkeys(block, 0)
