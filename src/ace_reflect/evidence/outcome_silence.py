"""What it proves that a failure is *not* shown: tools that always speak when they fail, and pipes that would show it."""

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.runners.filters import Filters, cut_by_head, lets_through

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
    "go": ("FAIL\texample.com/app\t0.1s", "FAIL"),
}
_QUIET = frozenset({"-i", "--ignore-errors", "-s", "-q", "--silent", "--quiet"})
#: Kinds whose tools print what is wrong, and are silent or brief when nothing is.
_LOUD = frozenset({CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT})
#: What a failing run would have printed next to what was shown, by family.
_FAILING_TWINS = {
    "go": ("FAIL\texample.com/app\t0.1s", "--- FAIL: TestA (0.00s)"),
    "cargo": ("test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",),
    "jest": ("FAIL src/a.test.js",),
    "vitest": (" FAIL  src/a.test.ts > a",),
    "tap": ("not ok 1 - a",),
    "jvm": ("[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0",),
    "pytest": ("FAILED tests/test_a.py::test_a - assert 0",),
}
#: And what a passing one would have.
_PASSING_TWINS = {
    "go": ("ok  \texample.com/app\t0.1s",),
    "cargo": ("test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",),
    "jvm": ("[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0",),
}


def failures_would_show(line: "Line", filters: Filters, summary: "Summary") -> bool:
    """Whether a failing package or test would stand next to the good ones that are shown."""
    if line.end.truncated or cut_by_head(filters, len(line.shown)):
        return False
    if not filters.greps:
        return summary.open_ended and not summary.partial and not filters.other and not filters.counts_only
    twins = _FAILING_TWINS.get(summary.family)
    return twins is not None and lets_through(filters, twins)


def good_would_show(filters: Filters, summary: "Summary") -> bool:
    """Whether packages with passing tests would stand next to the empty ones that are shown (`grep -v ^ok` hides them)."""
    return not filters.greps or lets_through(filters, _PASSING_TWINS.get(summary.family, ()))


def silence_is_good(line: "Line", filters: Filters, *, began: bool) -> bool:
    """Whether a failure would have been seen here, and none is. `began`: the output shows that the command ran."""
    simple, end = line.simple, line.end
    if end.truncated or end.failed or not end.known or simple.background or simple.captured:
        return False
    if simple.in_loop or simple.conditional == "||" or simple.masked.startswith(("||", "!", "if", "for", "while")):
        return False
    if line.output_elsewhere() or not line.errors_shown():
        return False
    if filters.other or filters.counts_only or cut_by_head(filters, len(line.shown)) or (filters.tail or 2) < 2:
        return False
    if line.which.kind in _LOUD and not filters.greps:
        return True
    return (began or not simple.conditional) and _would_announce(line, filters)


def _would_announce(line: "Line", filters: Filters) -> bool:
    """Whether what started it would have said that it failed, in a line that the pipe lets through."""
    words = line.simple.unwrapped or line.simple.argv
    lines = _ANNOUNCED.get(words[0].rpartition("/")[2]) if words else None
    if not lines or not _QUIET.isdisjoint(words[1:]):
        return False
    return lets_through(filters, lines) and any(line.shown)
