"""Runs that failed, and of which no later run has shown that all of it passes now."""

from ace_reflect.evidence.facts import Outcome
from ace_reflect.evidence.kinds import absolute
from ace_reflect.gates.places import within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ace_reflect.evidence.facts import Run


def limited(run: "Run") -> bool:
    return bool(run.targets or run.selected)


def unanswered(runs: "Sequence[Run]") -> "Run | None":
    """The last failed run of these that none of the passing ones behind it covers; None where there is none."""
    for place in range(len(runs) - 1, -1, -1):
        failed = runs[place]
        if failed.outcome is Outcome.FAILED and not any(
            run.outcome is Outcome.PASSED and _covers(run, failed) for run in runs[place + 1 :]
        ):
            return failed
    return None


def _covers(run: "Run", failed: "Run") -> bool:
    """Whether a run is no narrower than one that failed. What is run elsewhere is not compared."""
    if not limited(run) or run.cwd != failed.cwd:
        return True
    if not limited(failed):
        return False
    return _selects(run.selected, failed.selected) and (
        not run.targets or bool(failed.targets and all(_reached(target, run) for target in failed.targets))
    )


def _reached(target: str, run: "Run") -> bool:
    """Whether a run reaches what a target names: a file, a place in one, a folder, a package."""
    cwd = run.cwd or "/"  # that of both runs
    return any(_is_in(absolute(target, cwd), absolute(aim, cwd)) or _bears(target, aim) for aim in run.targets)


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
