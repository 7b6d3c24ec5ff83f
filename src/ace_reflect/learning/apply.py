"""
A lesson into one playbook: votes, operations, duplicates, pruning, saved together with their record, once.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from ace_reflect.learning.lesson import Lesson, Tag
from ace_reflect.learning.recorded import change, memory_of
from ace_reflect.learning.settle import why_of
from ace_reflect.playbook import store
from ace_reflect.playbook.change import apply_operations, kind_of, named_in, prune
from ace_reflect.playbook.dedup import merge_duplicates
from ace_reflect.playbook.model import Playbook, key_points
from ace_reflect.playbook.outcome import Outcome
from ace_reflect.playbook.tags import apply_bullet_tags
from ace_reflect.state import record
from ace_reflect.state.db import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The conditions under which a lesson is applied. `again`: turns that count already are judged once more."""

    session: str
    mode: str  # "offline", or the model's name
    ungrounded: str = "count"  # learning.ungrounded
    actor: str = "curator"
    again: bool = False
    dry_run: bool = False
    seen: Mapping[str, str] | None = (
        None  # id -> text of the key points as the operations' author saw them
    )


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a lesson in one playbook."""

    before: Playbook
    after: Playbook
    tags: tuple[tuple[Tag, bool], ...] = ()  # each with whether it was counted
    outcomes: tuple[Outcome, ...] = ()
    turns: tuple[str, ...] = ()  # keys of the turns that count from now on
    changed: bool = False


class Overtaken(Exception):
    """
    Another process has counted some of these turns meanwhile. What was judged together cannot be divided among turns, so
    the rest must be judged anew.
    """


def apply_lesson(
    state: State,
    place: store.Place,
    lesson: Lesson,
    waiting: Sequence[record.Waiting],
    turns: Sequence[str],
    terms: Terms,
) -> Applied:
    """
    Apply a lesson on these turns, without its votes for others. `waiting` goes to the inbox with it.

    Raises Overtaken, PlaybookError (nothing was changed), LockTimeout, StateError.
    """
    made: list[Applied] = []

    def edit(playbook: Playbook) -> tuple[Playbook, record.Rows]:
        applied, rows = _plan(state, place, playbook, lesson, waiting, turns, terms)
        made[:] = [applied]
        if not applied.changed and not terms.dry_run:
            # Still under the lock, so that nobody can learn the same turn in between.
            record.write(state, place.real_path, rows)
        return applied.after, rows

    if terms.dry_run:
        edit(store.snapshot(place).playbook)
    else:
        change(state, place, edit, why=why_of(terms.session))
    return made[0]


def _plan(
    state: State,
    place: store.Place,
    playbook: Playbook,
    lesson: Lesson,
    waiting: Sequence[record.Waiting],
    turns: Sequence[str],
    terms: Terms,
) -> tuple[Applied, record.Rows]:
    """Everything that follows from the lesson for the playbook as it is now."""
    if not terms.again and record.learned_turns(state, place.real_path, turns):
        raise Overtaken
    tags = [tag for tag in lesson.tags if not tag.turn or tag.turn in turns]
    memory = memory_of(state, place)
    judged = _judged(playbook, tags, terms)
    counted = [tag for tag, counts in judged if counts]
    after = apply_bullet_tags(
        deepcopy(playbook), [{"name": tag.name, "tag": tag.tag} for tag in counted]
    )
    voted = frozenset(tag.name for tag, _ in judged)
    operations, overtaken = _in_time(playbook, lesson.operations, terms.seen)
    after, outcomes, changed_memory = apply_operations(after, operations, memory.voted(voted))
    after, merged, changed_memory = merge_duplicates(after, changed_memory)
    after, pruned = prune(after, changed_memory)
    every = (*outcomes, *overtaken, *merged, *pruned)
    rows = record.Rows(
        turns=tuple(turns),
        votes=tuple(_vote(tag, counts) for tag, counts in judged),
        changes=tuple(
            row for outcome in every for row in _changes(outcome, lesson.operations, terms)
        ),
        waiting=tuple(waiting),
        numbers=dict(changed_memory.numbers),
        protect=tuple(sorted(changed_memory.protected)),
        unprotect=tuple(sorted(memory.protected - changed_memory.protected)),
        session=terms.session,
        mode=terms.mode,
    )
    applied = Applied(playbook, after, tuple(judged), every, rows.turns, after != playbook)
    return applied, rows


def _in_time(
    playbook: Playbook, operations: Sequence[Mapping[str, Any]], seen: Mapping[str, str] | None
) -> tuple[list[Mapping[str, Any]], list[Outcome]]:
    """
    The operations without those on a key point that a person or another session has rewritten while the model thought: they
    would undo what they know nothing of.
    """
    if seen is None:
        return list(operations), []
    now = {str(point["name"]): str(point.get("text", "")) for _, point in key_points(playbook)}
    kept, overtaken = [], []
    for operation in operations:
        changed = next(
            (name for name in named_in(operation) if name in now and now[name] != seen.get(name)),
            "",
        )
        if changed:
            why = f"{changed} was changed while the model thought about it"
            overtaken.append(Outcome(kind_of(operation), applied=False, why=why, asked=operation))
        else:
            kept.append(operation)
    return kept, overtaken


def _judged(playbook: Playbook, tags: Sequence[Tag], terms: Terms) -> list[tuple[Tag, bool]]:
    """Each tag once for each key point and turn, with whether it moves a counter."""
    names = {point["name"] for _, point in key_points(playbook)}
    seen: set[tuple[str, str]] = set()
    judged = []
    for tag in tags:
        if tag.name not in names or (tag.name, tag.turn) in seen:
            continue
        seen.add((tag.name, tag.turn))
        counts = tag.tag in {"helpful", "harmful"} and (tag.grounded or terms.ungrounded == "count")
        judged.append((tag, counts))
    return judged


def _vote(tag: Tag, counts: bool) -> record.Vote:
    return record.Vote(
        key_point=tag.name,
        tag=tag.tag,
        counted=counts,
        rationale=tag.rationale,
        based_on=tag.based_on,
        grounded=tag.grounded,
        evidence=tag.evidence,
        turn=tag.turn,
    )


_ACTORS = {"DEDUP": "dedup", "PRUNE": "prune"}


def _changes(
    outcome: Outcome, operations: Sequence[Mapping[str, Any]], terms: Terms
) -> list[record.Change]:
    if not outcome.applied:
        return []
    asked = outcome.asked if any(outcome.asked is operation for operation in operations) else {}
    evidence = {name: asked[name] for name in ("line", "quote", "file") if asked.get(name)}
    row = record.Change(
        op=outcome.op,
        key_point=outcome.key_point,
        before=outcome.before,
        after=outcome.after,
        actor=_ACTORS.get(outcome.op, terms.actor),
        reason=str(asked.get("reason") or outcome.why),
        source=str(asked.get("source", "")),
        evidence=(evidence,) if evidence else (),
    )
    # A key point that was merged into another is on record under its own id too: `playbook why ID` looks it up by that.
    gone = [
        replace(
            row,
            key_point=str(point.get("name", "")),
            before=point,
            reason=f"{outcome.why} ({outcome.key_point})",
        )
        for point in outcome.removed
        if point.get("name") != outcome.key_point
    ]
    return [row, *gone]
