"""
Edits that the session itself took back: a bug put in to see a test fail, a print while looking for a cause, a scratch script.

Code that stands again as it stood when the tests passed is proven by that run, whatever was tried in between.
"""

from ace_reflect.evidence.facts import Outcome
from ace_reflect.evidence.meaning import UNKNOWN_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Edit, Ledger, Run

    Walk = list[tuple[int, str, int]]  # sequence, file, number of what stands in it then
    Stack = list[tuple[str, int, int]]  # what stands in a file: change, sequence, number of all up to it

_REMOVED, _RESTORED, _BROUGHT_BACK, _WRITTEN = "removed", "restored", "brought back", "written"


def is_nothing_left(walk: "Walk") -> bool:
    """Whether each of the edits was taken back."""
    return bool(walk) and not any({path: state for _, path, state in walk}.values())


def runs_on_what_stands(walk: "Walk", runs: "tuple[Run, ...]") -> "tuple[Run, ...]":
    """The runs at which every file of the edits stood as it stands after the last of them."""
    last = {path: state for _, path, state in walk}
    other = {path for path, state in last.items() if state}
    found, place = [], 0
    for run in runs if walk else ():
        while place < len(walk) and walk[place][0] < run.sequence:
            _, path, state = walk[place]
            (other.discard if state == last[path] else other.add)(path)
            place += 1
        if place and not other:
            found.append(run)
    return tuple(found)


def walk_of(edits: "tuple[Edit, ...]", ledger: "Ledger") -> "Walk":
    """
    (sequence, file, the number of what stands in it then; 0: nothing) for each change.

    Empty where nothing shows that any was taken back.
    """
    everywhere = [edit for edit in ledger.edits if _is_of_all(edit) or edit.change == _BROUGHT_BACK]
    if not everywhere and not any(edit.change == _RESTORED or ":" in edit.change for edit in edits[1:]):
        return []
    stacks: dict[str, Stack] = {}
    aside: dict[str, Stack] = {}  # what `git stash` took out of each file
    numbers: dict[tuple[int, str], int] = {}  # of a change on top of what stood before it
    found = []
    for edit in sorted((*edits, *everywhere), key=lambda one: one.sequence):
        since = _last_commit(edit, ledger) if edit.change == _RESTORED else 0
        back = edit.change == _BROUGHT_BACK
        for path in tuple(stacks) if back or _is_of_all(edit) else (edit.path,):
            stack = stacks.setdefault(path, [])
            if back:
                for change, sequence, _ in aside.pop(path, ()):
                    _put(change, sequence, stack, numbers)
            elif taken := _take(edit, stack, since, numbers):
                aside[path] = taken
            found.append((edit.sequence, path, stack[-1][2] if stack else 0))
    return found


def _last_commit(edit: "Edit", ledger: "Ledger") -> int:
    done = (commit.sequence for commit in ledger.commits if commit.outcome in {Outcome.PASSED, Outcome.UNKNOWN})
    return max((sequence for sequence in done if sequence < edit.sequence), default=0)


def _take(edit: "Edit", stack: "Stack", since: int, numbers: "dict[tuple[int, str], int]") -> "Stack":
    """
    Put a change on top of what stands in a file, or take back what it takes back. `since`: the last commit.

    Returns what git took out of the file; a later `git stash pop` finds it there.
    """
    old, _, new = edit.change.partition(":")
    kept = [item for item in stack if item[1] <= since] if edit.change == _RESTORED else stack
    if len(kept) < len(stack) or _is_of_all(edit):
        taken, stack[:] = stack[len(kept) :], kept
        return taken
    if new and stack and stack[-1][0] == f"{new}:{old}":
        stack.pop()
    else:
        _put(edit.change if new else f"#{edit.sequence}", edit.sequence, stack, numbers)
    return []


def _put(change: str, sequence: int, stack: "Stack", numbers: "dict[tuple[int, str], int]") -> None:
    under = stack[-1][2] if stack else 0
    stack.append((change, sequence, numbers.setdefault((under, change), len(numbers) + 1)))


def all_restored_since(edit: "Edit", ledger: "Ledger") -> bool:
    """Whether the whole checkout was put back to its last commit after an edit (`git reset --hard`, `git checkout .`)."""
    return any(_is_of_all(other) and other.sequence > edit.sequence for other in ledger.edits)


def _is_of_all(edit: "Edit") -> bool:
    return edit.change == _RESTORED and edit.path.rpartition("/")[2] == UNKNOWN_FILES


def made_and_removed(ledger: "Ledger") -> frozenset[str]:
    """Files that the session itself made and took away again: scratch scripts, whatever they were called."""
    first: dict[str, Edit] = {}
    last: dict[str, Edit] = {}
    removals = [edit for edit in ledger.edits if edit.change == _REMOVED]
    if not removals:
        return frozenset()
    for edit in ledger.edits:
        first.setdefault(edit.path, edit)
        if edit.change != _REMOVED:
            last[edit.path] = edit
    made = (path for path, edit in first.items() if edit.created or edit.change == _WRITTEN)
    return frozenset(
        path
        for path in made
        if any(gone.sequence > last[path].sequence and _holds(gone.path, path) for gone in removals)
    )


def _holds(removed: str, path: str) -> bool:
    return path == removed or path.startswith(removed.rstrip("/") + "/")
