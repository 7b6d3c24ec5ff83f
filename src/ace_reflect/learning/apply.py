"""Applies a lesson to one playbook: votes, operations, duplicates, pruning, saved once, together with their record."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import NamedTuple

from ace_reflect.errors import AceReflectError
from ace_reflect.learning.lesson import Lesson, Operation, Options
from ace_reflect.learning.recorded import change, memory_of, why_of
from ace_reflect.playbook import change as changing
from ace_reflect.playbook.change import Outcome
from ace_reflect.playbook.model import Playbook, find, key_points
from ace_reflect.playbook.store import Place, snapshot
from ace_reflect.playbook.votes import apply_bullet_tags
from ace_reflect.settings import OFFLINE
from ace_reflect.state import record
from ace_reflect.state.db import State


class Applied(NamedTuple):
    """What a lesson did to one playbook."""

    before: Playbook
    after: Playbook
    votes: tuple[record.Vote, ...]
    outcomes: tuple[Outcome, ...]


class Overtaken(AceReflectError):
    """Another process has counted some of these turns meanwhile: they were judged together, so judge them again."""


def apply_lesson(
    state: State, place: Place, lesson: Lesson, turns: Sequence[str], session: str, options: Options
) -> Applied:
    """Apply the lesson of these turns. Raises Overtaken, PlaybookError (nothing was changed), LockTimeout, StateError."""
    made: list[Applied] = []

    def edit(playbook: Playbook) -> tuple[Playbook, record.Rows]:
        if not options.again and record.learned_turns(state, place.real_path, turns):
            raise Overtaken("others have learned from this session meanwhile: ask again")
        votes = _own_votes(playbook, lesson, turns, options.ungrounded)
        applied, rows = _plan(memory_of(state, place), playbook, lesson, votes)
        rows = rows.replace(turns=tuple(turns), session=session)
        made[:] = [applied]
        if applied.after == playbook and not options.dry_run:
            # Still under the lock, so that nobody learns the same turn in between.
            record.write(state, place.real_path, rows)
        return applied.after, rows

    if options.dry_run:
        edit(snapshot(place).playbook)
    else:
        change(state, place, edit, why=why_of(session))
    return made[0]


def _plan(
    memory: changing.Memory, playbook: Playbook, lesson: Lesson, votes: tuple[record.Vote, ...]
) -> tuple[Applied, record.Rows]:
    """What the lesson means for the playbook as it is now."""
    counted = [{"name": vote.key_point, "tag": vote.tag} for vote in votes if vote.counted]
    after = apply_bullet_tags(deepcopy(playbook), counted)
    pairs = [(asked, _overtaken(playbook, asked, lesson.seen)) for asked in lesson.operations]
    operations = [asked for asked, late in pairs if late is None]
    voted = memory.voted(frozenset(vote.key_point for vote in votes))
    after, outcomes, changed = changing.apply_operations(after, operations, voted)
    after, merged, changed = changing.merge_duplicates(after, changed)
    after, pruned = changing.prune(after, changed)
    every = (*outcomes, *(late for _, late in pairs if late), *merged, *pruned)
    done = [outcome for outcome in every if outcome.applied]
    rows = record.Rows(
        votes=votes,
        changes=tuple(row for outcome in done for row in _changes(outcome, lesson.model)),
        waiting=lesson.waiting,
        numbers=dict(changed.numbers),
        protected=tuple(sorted(changed.protected)),
        mode=lesson.model or OFFLINE,
    )
    return Applied(playbook, after, votes, every), rows


def _own_votes(
    playbook: Playbook, lesson: Lesson, turns: Sequence[str], ungrounded: str
) -> tuple[record.Vote, ...]:
    """A lesson's votes for this playbook and these turns, one for each key point and turn."""
    names = {point["name"] for _, point in key_points(playbook)}
    once: dict[tuple[str, str], record.Vote] = {}
    for vote in lesson.votes:
        if vote.key_point in names and vote.turn in {"", *turns}:
            counted = vote.counted and (vote.grounded or ungrounded == "count")
            once.setdefault((vote.key_point, vote.turn), vote.replace(counted=counted))
    return tuple(once.values())


def _overtaken(playbook: Playbook, asked: Operation, seen: Mapping[str, str]) -> Outcome | None:
    """Why an operation comes too late: its key point was rewritten while the model was thinking."""
    for name in changing.named_in(asked):
        found = find(playbook, name)
        if found and found[1]["text"] != seen.get(name):
            why = f"{name} was changed while the model thought about it"
            return Outcome(asked["op"], applied=False, why=why, asked=asked)
    return None


def _changes(outcome: Outcome, model: str | None) -> list[record.Change]:
    """The rows of one outcome; a key point that was merged into another is on record under its own id, too."""
    asked = outcome.asked or {}
    evidence = {name: asked[name] for name in ("line", "quote", "file") if asked.get(name)}
    author = "curator" if model else OFFLINE
    row = record.Change(
        op=outcome.op,
        key_point=outcome.key_point,
        before=outcome.before,
        after=outcome.after,
        actor=outcome.op.lower() if outcome.op in {"DEDUP", "PRUNE"} else author,
        reason=str(asked.get("reason") or outcome.why),
        source=str(asked.get("source", "")),
        evidence=(evidence,) if evidence else (),
    )
    also = row.replace(reason=f"{outcome.why} ({outcome.key_point})")
    return [row, *(also.replace(key_point=str(one["name"]), before=one) for one in outcome.removed)]
