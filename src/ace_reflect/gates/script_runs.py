"""
Scripts of the project that were run by themselves after their last edit: `python scripts/release.py --dry-run`.

Nothing imports such a script and hardly ever a test covers it, so that its own run is what shows whether it works. It shows
nothing of other files, and one that failed shows nothing: what the project's tests say is asked for then.
"""

from ace_reflect.evidence.facts import Outcome
from ace_reflect.evidence.kinds import is_script
from ace_reflect.gates import debt, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt


def by_themselves(each: "Debt", case: "Case") -> "tuple[Debt, ...]":
    """A debt for each script of `each` that was run by itself since, with those runs; none where the tests ran since."""
    if not case.ledger.script_runs or any(run.executed for run in each.after):
        return ()
    found = []
    for path in dict.fromkeys(edit.path for edit in each.edits if edit.kind == "code"):
        edits = tuple(edit for edit in each.edits if edit.path == path)
        ran = tuple(run for run in case.ledger.script_runs if _is_of(run, path) and debt.follows(run, edits[-1]))
        if ran and _is_evidence(ran[-1]) and _is_in_script_folder(path, each, case):
            found.append(each.replace(edits=edits, runs=ran, baselines=()))
    return tuple(found)


def without(apart: "tuple[Debt, ...]", each: "Debt") -> "tuple[Debt, ...]":
    """What is left of a debt when those edits are taken out of it; empty if nothing is."""
    paths = {part.last_edit.path for part in apart}
    edits = tuple(edit for edit in each.edits if edit.path not in paths)
    return (each.replace(edits=edits),) if edits else ()


def is_by_itself(run: "Run | None", case: "Case") -> bool:
    return run is not None and run in case.ledger.script_runs


def _is_evidence(run: "Run") -> bool:
    """Whether it ran and is not seen to fail: where a pipe hides its status (`| head -20`), what it printed was looked at."""
    return run.outcome is Outcome.PASSED or (run.outcome is Outcome.UNKNOWN and not (run.cut_off or run.running))


def _is_of(run: "Run", path: str) -> bool:
    """Whether it ran this script, or the folder that is one: `go run ./scripts/seed`."""
    return run.targets == (path,) or (run.runner == "go run" and run.targets == (path.rpartition("/")[0],))


def _is_in_script_folder(path: str, each: "Debt", case: "Case") -> bool:
    """Whether its package keeps scripts in that folder: `scripts/x.py`, and not `src/tools/x.py`, which is a library's."""
    inside = places.relative(path, case.root) or path
    own = inside.removeprefix(each.scope).lstrip("/") if each.scope else inside
    return is_script(f"{own.partition('/')[0]}/x")
