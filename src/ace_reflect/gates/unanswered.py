"""Runs that failed, and of which no later run has shown that all of it passes now."""

from ace_reflect.evidence.facts import Outcome
from ace_reflect.evidence.kinds import absolute
from ace_reflect.gates.places import within
from ace_reflect.late import folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ace_reflect.evidence.facts import Run


#: Suites of their own, and commands that run them with all others.
_APART = ("integration", "e2e", "end-to-end", "acceptance", "functional", "smoke", "playwright", "cypress", ":all", "-all", "check", "verify", "ci", "full")  # fmt: skip


def unanswered(runs: "Sequence[Run]") -> "Run | None":
    """The last failed run of these that none of the passing ones behind it covers; None where there is none."""
    for place in range(len(runs) - 1, -1, -1):
        failed = runs[place]
        if failed.outcome is Outcome.FAILED and not any(
            run.outcome is Outcome.PASSED and _covers(run, failed) for run in runs[place + 1 :]
        ):
            return failed
    return None


def fewer_since(newest_first: "Iterable[Run]") -> "Run | None":
    """The last whole run that failed, where fewer tests have passed in parts of it since than failed in it."""
    passed = 0
    for run in newest_first:
        if run.outcome is Outcome.PASSED:
            if not run.limited or run.counts is None or run.counts.passed is None:
                return None
            passed += run.counts.passed
        elif run.outcome is Outcome.FAILED and not run.limited:
            failed = run.counts.failed if run.counts is not None else None
            return run if failed is not None and failed > passed else None
    return None


def _covers(run: "Run", failed: "Run") -> bool:
    """Whether a run is no narrower than one that failed. Where one of their folders is not known, it is not compared."""
    if _is_apart(failed) and not _is_apart(run):
        return False
    if not run.limited:
        return True
    if not failed.limited:
        return False
    if run.cwd != failed.cwd and None in (run.cwd, failed.cwd):
        return True
    return _selects(run.selected, failed.selected) and (
        not run.targets or bool(failed.targets and all(_reached(target, failed.cwd, run) for target in failed.targets))
    )


def _is_apart(run: "Run") -> bool:
    """Whether it runs a suite that the plain command leaves out: `test:integration`, `-tags=e2e`, one that runs everything too."""
    return is_apart(run.runner) or (run.runner == "go test" and "-tags" in run.command)


def is_apart(name: str) -> bool:
    """Whether a runner's or a task's name is that of such a suite."""
    low = folded(name)
    return any(word in low for word in _APART)


def _reached(target: str, cwd: str | None, run: "Run") -> bool:
    """Whether a run reaches what a target, named in `cwd`, means: a file, a place in one, a folder, a package."""
    path = absolute(target, cwd or "/")
    return any(_is_in(path, absolute(aim, run.cwd or "/")) or _bears(target, aim) for aim in run.targets)


def _is_in(path: str, aim: str) -> bool:
    return within(path, aim) or path.startswith(f"{aim}:")


def _bears(target: str, name: str) -> bool:
    """Whether a file has a name in its own: `jest parser` runs `src/parser.test.ts`."""
    file = target.rpartition("/")[2]
    return "." in file and name.isidentifier() and name in file


def _selects(names: str, failed: str) -> bool:
    """Whether a selection reaches what another one reached: `-run Parser` all of `-run ParserErrors`, and not the other way."""
    if not names:
        return True
    wanted = _words(names)
    return bool(failed) and all(any(word in name for word in wanted) for name in _words(failed))


def _words(selection: str) -> "list[str]":
    """The names in it: `-k 'a or b'`, `-run A|B`, `-Dtest=A,B`."""
    plain = selection.replace("|", " ").replace(",", " ").replace("'", " ").replace('"', " ")
    return [word for word in plain.split() if word != "or" and (word[0] != "-" or "=" in word)]
