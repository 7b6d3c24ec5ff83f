"""Which change of a playbook a person means, and how it is taken back."""

from collections.abc import Callable
from typing import Any

from ace_reflect import paths
from ace_reflect.cli import on_record
from ace_reflect.cli.on_record import Edited
from ace_reflect.cli.playbook_edits import PROMOTED_FROM, PROMOTED_TO, moved_from
from ace_reflect.cli.playbook_places import look
from ace_reflect.errors import PlaybookError
from ace_reflect.learning.settle import LEARNED_FROM
from ace_reflect.playbook import history
from ace_reflect.playbook.delta import compare, revert
from ace_reflect.playbook.model import Playbook
from ace_reflect.playbook.outcome import Memory, Outcome
from ace_reflect.playbook.store import Place, place_of
from ace_reflect.state import record
from ace_reflect.state.db import State

#: What an undo is called, and the undo of an undo.
_TOOK_BACK, _BROUGHT_BACK = "took back: ", "brought back: "


def version_named(at: Place, wanted: str | None, *, undoable: bool = False) -> history.Version:
    """
    The version that `wanted` names, else the last one; with `undoable` the last that is neither an undo nor taken back.

    Raises PlaybookError where there is none.
    """
    if wanted is not None:
        return history.find(at, wanted)
    kept, undone = _on_file(at)
    for version in kept:
        if not undoable or (version.undoes is None and version.id not in undone):
            return version
    raise PlaybookError(
        f"no change of {at.path} is on record" + (" that is not taken back already" if kept else "")
    )


def of_session(at: Place, session: str) -> list[history.Version]:
    """What was learned from one session and still stands, newest first."""
    kept, undone = _on_file(at)
    found = [
        version
        for version in kept
        if version.why.startswith(LEARNED_FROM + session) and version.id not in undone
    ]
    if not found:
        raise PlaybookError(
            f"nothing in {at.path} was learned from a session {session!r} that is not taken back already"
        )
    return found


def other_half(at: Place, version: history.Version) -> tuple[Place, history.Version] | None:
    """
    The change of the other playbook that belongs to this one, where a key point was moved between the two.

    Taken back in one of them alone, it would stand in both or in neither.
    """
    before, why = _told_apart(version.why)
    if why.startswith(PROMOTED_TO):
        other = place_of(paths.user_playbook(at.home_dir), at.home_dir)
        wanted = {before + moved_from(at, difference.name) for difference in version.differences}
        return _standing(other, lambda one: one.why in wanted)
    if why.startswith(PROMOTED_FROM):
        path, _, name = why.removeprefix(PROMOTED_FROM).rpartition(": ")
        return _standing(
            place_of(path, at.home_dir),
            lambda one: (
                one.why.startswith(before + PROMOTED_TO)
                and name in {each.name for each in one.differences}
            ),
        )
    return None


def _standing(
    at: Place, fits: Callable[[history.Version], bool]
) -> tuple[Place, history.Version] | None:
    kept, undone = _on_file(at)
    return next(((at, one) for one in kept if one.id not in undone and fits(one)), None)


def _on_file(at: Place) -> tuple[list[history.Version], set[str]]:
    """All versions, newest first, and the ids of those that are taken back."""
    kept = history.versions(at, look(at).digest)
    return kept, history.taken_back(kept)


def undo_one(state: State, at: Place, version: history.Version, *, dry_run: bool) -> dict[str, Any]:
    kept: list[Any] = []

    def take_back(book: Playbook, memory: Memory) -> Edited:
        result, left = revert(book, list(version.differences))
        kept[:] = left
        outcomes = [
            Outcome("UNDO", d.name, why=version.why, before=d.before, after=d.after)
            for d in compare(book, result)
        ]
        return Edited(result, tuple(outcomes), memory)

    before = look(at).playbook
    if dry_run:
        after = take_back(before, Memory()).playbook
    else:
        done = on_record.change(
            state, at, take_back, why=undo_of(version.why), op="UNDO", undoes=version.id
        )
        before, after = done.file.before.playbook, done.file.after
        if done.file.changed:
            _on_record(state, at, version)
    differences = compare(before, after)
    return {
        "path": at.path,
        "version": version.id,
        "why": version.why,
        "differences": differences,
        "changes": [difference.to_json() for difference in differences],
        "kept": [{"id": difference.name, "why": problem} for difference, problem in kept],
    }


def _on_record(state: State, at: Place, version: history.Version) -> None:
    """Its votes and changes no longer count; those of a change that it had taken back count again, and so on."""
    kept = {one.id: one for one in history.versions(at)}
    found: history.Version | None = version
    undone = True
    while found is not None:
        if found.intent is not None:
            record.undo_intent(state, found.intent, undone=undone)
        found, undone = kept.get(found.undoes or ""), not undone


def undo_of(why: str, *, would: bool = False) -> str:
    """What the undo of a change is called: "took back: …", and "brought back: …" where that took something back."""
    before, change = _told_apart(why)
    brings = before.endswith(_TOOK_BACK)
    if would:
        return f"would {'bring' if brings else 'take'} back: {change}"
    return (_BROUGHT_BACK if brings else _TOOK_BACK) + change


def _told_apart(why: str) -> tuple[str, str]:
    """The marks of an undo, or of several, and the change itself."""
    change = why
    while change.startswith((_TOOK_BACK, _BROUGHT_BACK)):
        change = change.partition(": ")[2]
    return why[: len(why) - len(change)], change
