"""
Edits that the session itself took back: a bug put in to see a test fail, a print while looking for a cause, a scratch script.

Code that stands again as it stood when the tests passed is proven by that run, whatever was tried in between.

How it is told: for each file there is a stack of the changes that stand in it. An edit is put on top; one that is the exact
reverse of the top takes it off again; git's commands take off several. Each stack that ever was has a number, its *state*.
Two equal states of a file are the same text; state 0 is the text from before these edits.
"""

from ace_reflect.evidence.facts import Outcome
from ace_reflect.evidence.meaning import UNKNOWN_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Edit, Ledger, Run

    Walk = list[tuple[int, str, int]]  # of each change: its sequence, the file, the file's state after it
    Stack = list[tuple[str, int, int]]  # of each change that stands: what it is, its sequence, the state with it on top

_REMOVED, _RESTORED, _BROUGHT_BACK, _WRITTEN = "removed", "restored", "brought back", "written"


def is_nothing_left(walk: "Walk") -> bool:
    """Whether every file is back in the state from before the edits."""
    return bool(walk) and not any({path: state for _, path, state in walk}.values())


def runs_on_what_stands(walk: "Walk", runs: "tuple[Run, ...]") -> "tuple[Run, ...]":
    """The runs that saw every edited file in the state that it is in now."""
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
    The state that each change left its file in, in the order of the changes (see the module's docstring).

    Empty where no edit can have been taken back: then there is nothing to find out.
    """
    everywhere = [edit for edit in ledger.edits if _is_of_all(edit) or edit.change == _BROUGHT_BACK]
    if not everywhere and not any(edit.change == _RESTORED or ":" in edit.change for edit in edits[1:]):
        return []
    stacks: dict[str, Stack] = {}
    aside: dict[str, Stack] = {}  # what `git stash` took out of each file
    numbers: dict[tuple[int, str], int] = {}  # (state below, change) -> the state with that change on top
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
    Carry out one change on its file's stack. `since` is the sequence of the last commit: what git restores is that state.

    Returns what git took off the stack, so that a later `git stash pop` can bring it back.
    """
    old, _, new = edit.change.partition(":")
    if edit.change == _RESTORED:
        kept = [item for item in stack if item[1] <= since]
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


def is_aside(edit: "Edit", at: int, ledger: "Ledger") -> bool:
    """Whether an edit that was not committed was out of the checkout at a later time, stashed or thrown away."""
    moves = [one for one in ledger.edits if edit.sequence < one.sequence < at]
    moves = [one for one in moves if one.change == _BROUGHT_BACK or _is_of_all(one)]
    return bool(moves) and moves[-1].change == _RESTORED and _last_commit(moves[-1], ledger) < edit.sequence


def put_back_since(edit: "Edit", ledger: "Ledger") -> bool:
    """Whether git put the file of an edit back to its last commit, from before the edit, and nothing brought it back."""
    later = [other for other in ledger.edits if other.sequence > edit.sequence]
    if any(other.change == _BROUGHT_BACK for other in later):
        return False
    back = (other for other in later if other.change == _RESTORED and (other.path == edit.path or _is_of_all(other)))
    return any(_last_commit(other, ledger) < edit.sequence for other in back)


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
