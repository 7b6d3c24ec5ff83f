"""TAP 12 to 14 and what closes with its counts: bats, node:test, tape, node-tap, prove, QUnit, automake."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_POINT = Late(r"^(ok|not ok)(?: (\d{1,7}))?\b(?: .{0,400}?(?:# ?(SKIP|TODO|skip|todo)\b.{0,400})?)?$", needs=("ok",))
_PLAN = Late(r"^1\.\.(\d{1,7})(?: ?# ?(.{0,200}))?$", needs=("1..",))
_BAIL = Late(r"^Bail out!", needs=("Bail out!",))
# node:test "ℹ pass 2" and "# pass 2", tape "# pass  2", QUnit the same
_NODE = Late(
    r"^(?:ℹ|#|i) {1,2}(?P<word>tests|suites|pass|fail|cancelled|skipped|skip|todo) {1,2}(?P<number>\d{1,7})$",
    needs=("cancelled|fail|pass|skip|suites|tests|todo",),
)
_NODE_TAP = Late(
    r"^# \{ total: (\d{1,7})(?:, pass: (\d{1,7}))?(?:, fail: (\d{1,7}))?(?:, (?:todo|skip): \d{1,7}){0,2} \}",
    needs=("# { total: ",),
)
_TAP_16 = Late(r"^Asserts: {1,4}((?:\d{1,7} [a-z]{4,8}, ){1,4})of (\d{1,7})", needs=("Asserts:", "of "))
_TAP_18 = Late(
    r"^Asserts: {1,4}(\d{1,7}) pass {1,4}(\d{1,7}) fail {1,4}(?:(\d{1,7}) (?:skip|pend|todo) {1,4}){0,2}\d{1,7} of \d{1,7} complete",
    needs=("Asserts:", " pass", " complete"),
)
_PROVE = Late(r"^Result: (PASS|FAIL|NOTESTS)$", needs=("Result: FAIL|Result: NOTESTS|Result: PASS",))
_PROVE_FILES = Late(r"^Files=(\d{1,7}), Tests=(\d{1,7}),", needs=(", Tests=", "Files="))
_AUTOMAKE = Late(
    r"^# (?P<word>TOTAL|PASS|SKIP|XFAIL|FAIL|XPASS|ERROR): {1,3}(?P<number>\d{1,7})$",
    needs=("# ERROR:|# FAIL:|# PASS:|# SKIP:|# TOTAL:|# XFAIL:|# XPASS:",),
)
_BATS = Late(
    r"^(\d{1,6}) tests?, (\d{1,6}) failures?(?:, (\d{1,6}) not run)?(?:, (\d{1,6}) skipped)?(?: in \d{1,6} seconds?)?$",
    needs=(" failure", " test, | tests, "),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    found = [*_closing_counts(text), *_node(text), *_automake(text)]
    yield from found
    if not found:
        yield from _points(text)


def _closing_counts(text: Text) -> "Iterator[Summary]":
    tests: int | None = None
    for index, line in text.having("Files=", "Result: ", "# { total", "Asserts:", " failure"):
        if match := _PROVE_FILES.match(line):
            tests = int(match[2])
        elif match := _PROVE.match(line):
            vacuous = "" if match[1] != "NOTESTS" else "no tests ran"
            failed, shown = match[1] == "FAIL", f"{text.lines[index - 1]} {line}" if tests is not None else line
            yield closing("prove", shown, index, Tally(total=tests), failed=failed, vacuous=vacuous)
            tests = None
        elif match := _NODE_TAP.match(line):
            total, passed, failures = (int(number or 0) for number in match.groups())
            yield closing("tap", line, index, Tally(passed=passed, failed=failures, skipped=total - passed - failures))
        elif match := _TAP_16.match(line):
            counts = counts_in(match[1])
            tally = Tally(passed=counts.get("passed", 0), failed=counts.get("failed", 0), skipped=counts.get("skip", 0))
            yield closing("tap", line, index, tally)
        elif match := _TAP_18.match(line):
            passed, failed, skipped = (int(number or 0) for number in match.groups())
            yield closing("tap", line, index, Tally(passed=passed, failed=failed, skipped=skipped))
        elif (match := _BATS.match(line)) and not text.lines[index - 1].startswith("Finished in "):  # that is ExUnit's
            total, failures, not_run, skipped = (int(number or 0) for number in match.groups())
            yield closing("bats", line, index, Tally.of_all(total - not_run, failures, skipped))


def _node(text: Text) -> "Iterator[Summary]":
    """The closing block of node's own runner; a limit may leave only a part of it."""
    told = False
    signs = (" tests ", " pass ", " fail ", " cancelled ", " skipped ", " skip ", " todo ", " suites ")
    for first, _, block in text.blocks(_NODE, *signs):
        told = True
        yield from _node_run(first, block)
    if not told and "\n✖ failing tests:\n" in text.whole:  # node lists them below its counts
        index = text.lines.index("✖ failing tests:")
        yield closing("node --test", text.lines[index], index, failed=True, partial=True)


def _node_run(index: int, block: dict[str, int]) -> "Iterator[Summary]":
    if "pass" not in block and "fail" not in block and block.get("tests", 1) and not block.get("cancelled"):
        return
    known = "pass" in block or "tests" in block
    failed = added(block, "fail", "cancelled")
    skipped = added(block, "skipped", "skip", "todo")
    tally = Tally(passed=block.get("pass"), failed=failed, skipped=skipped, total=block.get("tests"))
    line = ", ".join(f"{name} {number}" for name, number in block.items())
    yield closing("node --test", line, index, tally, passed=not known and not failed)


def _automake(text: Text) -> "Iterator[Summary]":
    """A block for each folder of a recursive make."""
    for _, last, block in text.blocks(_AUTOMAKE, "# "):
        if "TOTAL" in block or "PASS" in block:
            tally = Tally(
                passed=added(block, "PASS", "XFAIL"),
                failed=added(block, "FAIL", "ERROR", "XPASS"),
                skipped=block.get("SKIP", 0),
            )
            line = ", ".join(f"{name}: {number}" for name, number in block.items())
            yield closing("make check", line, last, tally, open_ended=True)


def _points(text: Text) -> "Iterator[Summary]":
    """Bare test points. Without a plan that is met, points that passed are no proof of the rest."""
    plan = reason = None
    passed = failed = skipped = last = first_bad = 0
    seen = False
    for index, line in text.having("ok", "1..", "Bail out!"):
        if match := _PLAN.match(line):
            plan, reason, last = int(match[1]), match[2], index if not seen else last
        elif match := _POINT.match(line):
            seen, last = True, index
            if (match[3] or "").lower() == "skip":
                skipped += 1
            elif match[1] == "ok" or match[3]:
                passed += 1
            else:
                failed, first_bad = failed + 1, first_bad or index
        elif _BAIL.match(line):
            failed, first_bad, seen = failed + 1, first_bad or index, True
    if plan is None and not seen:
        return
    if plan is None and not text.whole.startswith("\nTAP version") and not failed:
        return
    yield _tap_run(text, plan, reason, Tally(passed=passed, failed=failed, skipped=skipped), first_bad or last)


def _tap_run(text: Text, plan: int | None, reason: str | None, tally: Tally, index: int) -> Summary:
    if plan == 0:
        return closing("TAP", text.lines[index], index, vacuous=f"all skipped: {reason}" if reason else "no tests ran")
    shown = f"{text.lines[index]} ({tally.passed} ok, {tally.failed} not ok)"
    short = plan is None or (tally.passed or 0) + (tally.failed or 0) + (tally.skipped or 0) < plan
    return closing("TAP", shown, index, tally, partial=short)
