"""
MISTAKES TO AVOID by rule: what failed after the session's own edits and was then mended, and stops that were sent back.

Two things can be told without a model: which file had to follow another one, and which command finds what a change
breaks. The words hold no counts and no line numbers, so the same lesson of another day is the same key point.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ace_reflect.evidence.facts import CommandKind, Edit, Outcome, Run, Turn
from ace_reflect.learning.gather import Gathered, lies_in
from ace_reflect.learning.judged import code_edits, conclusive_runs, typed_command

SECTION = "MISTAKES TO AVOID"
_MOST = 3  # a session
_NAMED = 2  # more files than these are no pair that belongs together

#: The part of a workspace is no selection of one day's: `pnpm --filter api test` is how that part is tested.
_WORKSPACE = re.compile(r"(?:--filter|-F|--workspace|-w|-p|--package|--projects?|-pl|--scope)[ =]")
_TEST_MARK = re.compile(r"(?:^tests?_)|(?:[._-]?(?:tests?|spec)$)", re.IGNORECASE)


def mistakes(
    gathered: Gathered, turns: Sequence[Turn], known: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The proposals, each text once. `known`: the key points there are, of which one may name the command already."""
    found: dict[str, dict[str, Any]] = {}
    for turn in turns:
        for text, run in (*_broken_then_fixed(gathered, turn, known), *_sent_back(gathered, turn)):
            found.setdefault(text, _proposal(text, run))
    return list(found.values())[:_MOST]


def _broken_then_fixed(
    gathered: Gathered, turn: Turn, known: Mapping[str, str]
) -> Iterator[tuple[str, Run]]:
    """A run that failed after this turn's own edits and passed once something else was changed."""
    runs, edits = conclusive_runs(gathered, turn), code_edits(gathered, turn)
    for at, failed in enumerate(runs):
        if failed.outcome is not Outcome.FAILED or failed.kind is CommandKind.LINT:
            continue
        fixed = next(
            (run for run in runs[at + 1 :] if _same(run, failed) and run.outcome is Outcome.PASSED),
            None,
        )
        if fixed is None or _failed_already(runs[:at], failed, edits):
            continue
        passed = [
            run.sequence
            for run in runs[:at]
            if _same(run, failed) and run.outcome is Outcome.PASSED
        ]
        before = [
            edit for edit in edits if max(passed, default=-1) < edit.sequence < failed.sequence
        ]
        between = [edit for edit in edits if failed.sequence < edit.sequence < fixed.sequence]
        if between and any(
            edit.kind != "test" for edit in before
        ):  # a test that was written first is meant to fail
            text = _followed(gathered, failed, before, between) or _checked(
                gathered, failed, known, _passed_alone(runs[:at], failed, before)
            )
            if text is not None:
                yield text, failed


def _failed_already(earlier: Sequence[Run], failed: Run, edits: Sequence[Edit]) -> bool:
    """A test that was red before anything was edited is the task, not a mistake."""
    red = (run.sequence for run in earlier if _same(run, failed) and run.outcome is Outcome.FAILED)
    return bool(edits) and any(at < edits[0].sequence for at in red)


def _same(one: Run, other: Run) -> bool:
    """Whether two runs ask the same: of a compiler the same command, of a test runner the same part of the workspace."""
    if (one.kind, one.runner, one.cwd) != (other.kind, other.runner, other.cwd):
        return False
    if one.kind is CommandKind.TEST:
        return _part(one) == _part(other)
    return typed_command(one) == typed_command(other)


def _part(run: Run) -> str:
    return run.selected if _WORKSPACE.match(run.selected) else ""


def _followed(
    gathered: Gathered, failed: Run, before: Sequence[Edit], between: Sequence[Edit]
) -> str | None:
    """Which other file had to be changed as well; None where it is the same one, its own test, or half the project."""
    changed = _paths(gathered, [edit for edit in before if edit.kind != "test"])
    touched = {_subject(path) for path in (*changed, *_paths(gathered, before))}
    made = set(_paths(gathered, [edit for edit in gathered.ledger.edits if edit.created]))
    also = [
        path
        for path in _paths(gathered, between)
        if _subject(path) not in touched and path not in made
    ]
    if not 0 < len(changed) <= _NAMED or not 0 < len(also) <= _NAMED:
        return None
    if any(os.path.isabs(path) or path.startswith("..") for path in (*changed, *also)):
        return None
    verb = "changes" if len(changed) == 1 else "change"
    command = None if _is_selection(failed) else typed_command(failed)
    what = (
        f"`{command}`"
        if command
        else "a test"
        if failed.kind is CommandKind.TEST
        else f"the {failed.kind.value}"
    )
    return f"When {_listed(changed)} {verb}, look at {_listed(also)} too: {what} failed until that was changed as well."


def _checked(
    gathered: Gathered, failed: Run, known: Mapping[str, str], passed: str | None
) -> str | None:
    """Which command found what the change had broken; None where it has no name that holds, or is known already."""
    command = _whole_command(gathered, failed)
    if command is None:
        return None
    if passed is not None and passed != command[0]:
        return f"`{passed}` is not enough before saying that it is done: it passed here where `{command[0]}`{command[1]} failed on the same code. Run both."
    if any(f"`{command[0]}`" in text for text in known.values()):
        return None
    return f"Run `{command[0]}`{command[1]} after changing code, before saying that it is done: it showed here what a change had broken."


def _passed_alone(earlier: Sequence[Run], failed: Run, before: Sequence[Edit]) -> str | None:
    """The whole run of other tests that had passed on the very code on which this one failed."""
    tests = (
        run
        for run in earlier
        if run.kind is CommandKind.TEST
        and run.outcome is Outcome.PASSED
        and run.sequence > before[-1].sequence
    )
    alike = (typed_command(run) for run in tests if not _is_selection(run) and _part(run) == _part(failed) and run.cwd == failed.cwd)  # fmt: skip
    return next((text for text in alike if text), None)


def _sent_back(gathered: Gathered, turn: Turn) -> Iterator[tuple[str, Run]]:
    """
    A mistake shown by a stop that was sent back: code had been edited and not tested since, and the tests that were run
    then passed. Running them would have been enough.
    """
    lines = [sent.line for sent in gathered.feedback if lies_in(sent.line, (turn,))]
    if not lines:
        return
    tests = [
        run
        for run in conclusive_runs(gathered, turn)
        if run.kind is CommandKind.TEST and run.file is None
    ]
    early = [run for run in tests if run.line < lines[0]]
    late = [run for run in tests if run.line > lines[0] and run.outcome is Outcome.PASSED]
    edits = [edit for edit in code_edits(gathered, turn) if edit.line < lines[0]]
    if not late or not edits or any(run.sequence > edits[-1].sequence for run in early):
        return
    command = _whole_command(gathered, late[0])
    if command is not None:
        yield (
            f"Run `{command[0]}`{command[1]} after the last edit and before ending the turn: a stop without it had to be sent back.",
            late[0],
        )


def _whole_command(gathered: Gathered, run: Run) -> tuple[str, str] | None:
    """
    The command as it is to be run another day, and where: of a selection, the whole run of the same check that the
    session shows elsewhere.
    """
    named = [
        (other, typed_command(other)) for other in gathered.ledger.runs if _is_alike(other, run)
    ]
    usable = [(other, text) for other, text in named if text and not _is_selection(other)]
    if not usable:
        return None
    asked = typed_command(run) or ""
    other, text = min(usable, key=lambda found: (found[1] != asked, not asked.startswith(found[1]), bool(_at(gathered, found[0]))))  # fmt: skip
    where = _at(gathered, other)
    if where.startswith(("..", "/")):
        return None
    return text, f" (in `{where}`)" if where else ""


def _is_alike(other: Run, run: Run) -> bool:
    return (
        (other.kind, other.runner) == (run.kind, run.runner)
        and other.executed
        and _part(other) == _part(run)
    )


def _is_selection(run: Run) -> bool:
    """Whether it ran what one day's work was about: named tests or files, not a part of the workspace."""
    return bool(run.targets) or bool(run.selected and not _part(run))


def _at(gathered: Gathered, run: Run) -> str:
    """The folder of a run, relative to the project's; empty where it is that."""
    root = gathered.ledger.cwd
    found = os.path.relpath(run.cwd, root) if run.cwd and root else "."
    return "" if found == "." else found


def _subject(path: str) -> str:
    """What a file is about: `a/resume.go` and `b/resume_test.go` are about the same."""
    return _TEST_MARK.sub("", os.path.splitext(os.path.basename(path))[0]).lower()


def _paths(gathered: Gathered, edits: Iterable[Edit]) -> list[str]:
    root = gathered.ledger.cwd or ""
    names = [
        os.path.relpath(edit.path, root)
        if root and edit.path.startswith(root + os.sep)
        else edit.path
        for edit in edits
    ]
    return list(dict.fromkeys(names))


def _listed(paths: Sequence[str]) -> str:
    return " and ".join(f"`{path}`" for path in paths)


def _proposal(text: str, run: Run) -> dict[str, Any]:
    line = run.result_line or run.line
    return {
        "op": "ADD",
        "section": SECTION,
        "text": text,
        "source": "outcome",
        "line": line,
        "quote": run.quote[:300],
    }
