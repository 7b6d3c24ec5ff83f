"""What it proves that a failure is *not* shown: tools that always speak when they fail, and pipes that would show it."""

from ace_reflect.evidence.outcome_line import CHECKS
from ace_reflect.evidence.runners.filters import Filters, cut_by_head, cut_by_tail, lets_through
from ace_reflect.late import IGNORECASE, Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.outcome_line import Line
    from ace_reflect.evidence.runners import Summary

#: Programs that always print a line of their own when what they run fails, and such lines.
_ANNOUNCED = {
    "make": ("make: *** [Makefile:1: test] Error 1",),
    "gmake": ("gmake: *** [Makefile:1: test] Error 1",),
    "just": ("error: Recipe `test` failed on line 3 with exit code 1",),
    "mise": ("[test] ERROR task failed",),
    "pnpm": (" ELIFECYCLE  Command failed with exit code 1.",),
    "bun": ('error: script "test" exited with code 1',),
    "rake": ("rake aborted!",),
    "tox": ("  evaluation failed :( (0.27 seconds)",),
    "nox": ("nox > Session tests failed.",),
    "mvn": ("[INFO] BUILD FAILURE",),
    "mvnw": ("[INFO] BUILD FAILURE",),
    "gradle": ("BUILD FAILED in 3s",),
    "gradlew": ("BUILD FAILED in 3s",),
    "cargo": (
        "error: test failed, to rerun pass `--lib`",
        "error: could not compile `app` (lib test) due to 1 previous error",
    ),
    "go": ("FAIL\texample.com/app\t0.1s",),
}
#: Where all passed these may print nothing, and where not always something; the second ones where they are told to be quiet.
_SPEAK_OF_FAILURES = frozenset({"dune", "zig", "make", "gmake", "just", "rake"})
_SPEAK_OF_FAILURES_QUIETLY = frozenset({"mvn", "mvnw", "gradle", "gradlew"})
_QUIET = frozenset({"-i", "--ignore-errors", "-s", "-q", "--silent", "--quiet"})
#: What a failing run would have printed next to what was shown, by family.
_FAILING_TWINS = {
    "go": ("FAIL\texample.com/app\t0.1s", "--- FAIL: TestA (0.00s)"),
    "cargo": ("test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",),
    "jest": ("FAIL src/a.test.js",),
    "vitest": (" FAIL  src/a.test.ts > a",),
    "tap": ("not ok 1 - a",),
    "jvm": ("[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0",),
    "pytest": ("FAILED tests/test_a.py::test_a - assert 0",),
    "plain": ("1 failed",),
    "scala": ("[error] Failed: Total 2, Failed 1, Errors 0, Passed 1",),
}
#: And what a passing one would have.
_PASSING_TWINS = {
    "go": ("ok  \texample.com/app\t0.1s",),
    "cargo": ("test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",),
    "jvm": ("[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0",),
}

#: What a failing run of a checker always prints among the rest, for `| grep -c error` and the like.
_COMPLAINTS = {
    "tsc": "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "vue-tsc": "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "mypy": "src/a.py:3: error: Incompatible return value type  [return-value]",
    "pyright": "  /app/a.py:3:5 - error: Import could not be resolved",
    "cargo": "error: could not compile `app` (lib) due to 1 previous error",
    "go": "./main.go:3:5: undefined: x",
    "eslint": "  3:5  error  'x' is assigned a value but never used  no-unused-vars",
}
#: Of these every line is a complaint.
_SILENT = frozenset({"tsc", "vue-tsc", "go", "gofmt", "goimports", "gofumpt", "flake8", "pyflakes"})
# How a line begins that says that something broke; "error" alone may be a page's or a file's name.
_BROKEN = Late(
    r"^[^\w/]{0,8}(?:error|fatal|failed|failure|aborted|panic)(?:[:!](?: |$)|\[| (?:in|while|during|building|when|at|on|occurred|encountered|to)\b)"
    r"|^ {0,4}[⨯✘×] \S|^Node\.js v\d",  # Node prints its version below an exception that nobody caught
    IGNORECASE,
    needs=("error|fatal|failed|failure|aborted|panic|⨯|✘|×|node.js v",),
)
_LAST_LINES = 5


def failures_would_show(line: "Line", filters: Filters, summary: "Summary") -> bool:
    """Whether the good results that are shown prove that none failed: the pipe would have let a failure through as well."""
    if line.end.truncated or cut_by_head(filters, len(line.shown)):
        return False
    if not filters.greps:
        return not (summary.partial or filters.other or filters.counts_only)
    twins = _FAILING_TWINS.get(summary.family)
    return twins is not None and lets_through(filters, twins)


def good_would_show(line: "Line", filters: Filters, summary: "Summary") -> bool:
    """
    Whether the empty packages that are shown prove that no test ran: the pipe would have let passing ones through as well.

    `grep -v ^ok` hides them, and so does `tail -5`: cargo always ends with the doc tests, of which there are often none.
    """
    # cargo closes with a blank line, which the host trims
    if cut_by_tail(filters, len(line.shown) + (summary.family == "cargo")) and not _is_named(line, summary):
        return False
    return lets_through(filters, _PASSING_TWINS.get(summary.family, ()))


def _is_named(line: "Line", summary: "Summary") -> bool:
    """Whether the command names the one package that is shown empty: `gradle :dist:test`, `go test ./cmd`."""
    words = (word.rstrip("/") for word in line.simple.unwrapped)
    tasks = line.which.runner.split()
    shown = f"{summary.label} {summary.quote}".replace("/", " ").split()
    return any(word.rpartition("/")[2] in shown for word in words if word not in tasks)


def silence_is_good(line: "Line", filters: Filters, *, began: bool) -> bool:
    """
    Whether silence proves that the command passed: it ran, the line let its complaints through, and there are none.
    `began`: the output shows that it ran.
    """
    simple, end = line.simple, line.end
    if end.truncated or end.failed or not end.known or simple.background or simple.captured:
        return False
    if simple.conditional == "||" and not line.surely_reached():
        return False
    if simple.in_loop or simple.masked.startswith(("||", "!", "if")):
        return False
    if line.output_elsewhere() or not line.errors_shown():
        return False
    if filters.other or filters.counts_only or cut_by_head(filters, len(line.shown)) or filters.tail == 1:
        return False
    if line.which.kind in CHECKS and not filters.greps:
        return not _ends_broken(line)
    return (began or not simple.conditional or line.surely_reached()) and _would_announce(line, filters)


def _ends_broken(line: "Line") -> bool:
    """Whether the last lines shown read like a failure, though no verdict of a known form stands in them."""
    said = [item for item in line.shown if item.strip()]
    if said and _tool(line) in _SILENT and said[-1].startswith("  ") and line.alone():
        return True  # where a complaint of several lines goes on
    return any(_BROKEN.match(item) for item in said[-_LAST_LINES:])


def count_complaints(line: "Line", filters: Filters) -> int | None:
    """
    How many complaints of a checker came through `| wc -l`, `| grep -c error` or `| grep error`; None where that is not known.

    Zero proves that it found nothing; more than zero is told only of tools that print nothing else.
    """
    simple, end = line.simple, line.end
    if line.which.kind not in CHECKS or not end.known or end.killed or simple.background:
        return None
    if simple.in_loop or simple.captured or filters.other or not line.alone():
        return None
    tool = _tool(line)
    if not _asks_for_complaints(filters, tool):
        return None
    said = [item for item in map(str.strip, line.shown) if item and not line.echoes(item)]
    if not filters.counts_only:
        return None if said else 0
    count = int(said[0]) if len(said) == 1 and said[0].isdecimal() and len(said[0]) < 7 else None
    return count if not count or tool in _SILENT else None


def _tool(line: "Line") -> str:
    return line.which.runner.partition(" ")[0]


def _asks_for_complaints(filters: Filters, tool: str) -> bool:
    twin = _COMPLAINTS.get(tool)
    if not filters.greps:
        return True
    return twin is not None and lets_through(filters.replace(counts_only=False), (twin,))


def _would_announce(line: "Line", filters: Filters) -> bool:
    """Whether the program that starts the tests (npm, make) prints a line of its own on failure, which the pipe would show."""
    words = line.simple.unwrapped
    if not words:  # a compound's redirection
        return False
    name, quiet = words[0].rpartition("/")[2], not _QUIET.isdisjoint(words)
    if not any(line.shown):
        speaks = name in (_SPEAK_OF_FAILURES_QUIETLY if quiet else _SPEAK_OF_FAILURES)
        return speaks and not filters.greps
    lines = _ANNOUNCED.get(name)
    return lines is not None and not quiet and lets_through(filters, lines)
