"""
A person's own change of a playbook, with its record in `state.db`.

The order is learning's: what an earlier process began is settled, the intent is committed, the file is replaced, the
rows become real.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ace_reflect.learning.settle import Moved, settle
from ace_reflect.playbook import store
from ace_reflect.playbook.index import indexed
from ace_reflect.playbook.model import Playbook
from ace_reflect.playbook.outcome import Memory, Outcome
from ace_reflect.state import intents, record
from ace_reflect.state.db import State

_TRIES = 4


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit made of the playbook."""

    playbook: Playbook
    outcomes: tuple[Outcome, ...]
    memory: Memory


Edit = Callable[[Playbook, Memory], Edited]


@dataclass(frozen=True, slots=True)
class Changed:
    """A change that was made, and each operation in it."""

    file: store.Change
    outcomes: tuple[Outcome, ...]


def change(
    state: State, place: store.Place, edit: Edit, *, why: str, op: str | None = None, undoes: str | None = None
) -> Changed:
    """
    Change a playbook and record who, what and why. `op` names the operations on the record where it is not their own.

    Raises PlaybookError, LockTimeout (nothing was changed), and what `edit` raises.
    """
    store.snapshot(place)  # one that cannot be read is refused before anything of it is settled
    for attempt in range(_TRIES):
        settle(state, place)
        try:
            return _once(state, place, edit, why=why, op=op, undoes=undoes)
        except Moved:
            if attempt == _TRIES - 1:
                raise
    raise AssertionError("the loop returns or raises")


def memory_of(state: State, place: store.Place, migrated: Iterable[str] = ()) -> Memory:
    """What is remembered beside the file."""
    protected = record.protected(state, place.real_path) | frozenset(migrated)
    return Memory(record.numbers(state, place.real_path), protected, place.floor)


def _once(state: State, place: store.Place, edit: Edit, *, why: str, op: str | None, undoes: str | None) -> Changed:
    made: list[Edited] = []
    begun: list[int] = []
    read = store.snapshot(place).read
    memory = read.reserve(memory_of(state, place, read.migrated))

    def run(playbook: Playbook) -> Playbook:
        if intents.pending(state, place.real_path):
            raise Moved
        made[:] = [edit(playbook, memory)]
        return made[0].playbook

    def announce(planned: store.Planned) -> int:
        rows = _rows(made[0], memory, why, op)
        digests = (planned.before_digest, planned.after_digest)
        begun[:] = [intents.begin(state, place.real_path, digests, planned.content, rows)]
        return begun[0]

    try:
        done = store.change(place, run, why=why, announce=announce, undoes=undoes)
    except Exception:
        for intent in begun:  # the file was not replaced: nothing is intended any more
            intents.abandon(state, intent)
        raise
    for intent in begun:
        intents.complete(state, intent)
    if done.changed:
        indexed(state.connection, place.path, floor=place.floor)  # so that no prompt has to wait for it
    return Changed(done, made[0].outcomes)


def _rows(edited: Edited, memory: Memory, why: str, op: str | None) -> record.Rows:
    return record.Rows(
        changes=tuple(
            record.Change(
                op=op or outcome.op,
                key_point=outcome.key_point,
                before=outcome.before,
                after=outcome.after,
                actor="person",
                reason=why if op else outcome.why or why,
                source="user",
            )
            for outcome in edited.outcomes
            if outcome.applied
        ),
        numbers=dict(edited.memory.numbers),
        protect=tuple(sorted(edited.memory.protected)),
        unprotect=tuple(sorted(memory.protected - edited.memory.protected)),
    )
