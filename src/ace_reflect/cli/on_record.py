"""A person's own change of a playbook, with its record in `state.db`."""

from collections.abc import Callable
from dataclasses import dataclass

from ace_reflect.learning import recorded
from ace_reflect.learning.recorded import memory_of
from ace_reflect.playbook import store
from ace_reflect.playbook.model import Playbook
from ace_reflect.playbook.outcome import Memory, Outcome
from ace_reflect.state import record
from ace_reflect.state.db import State


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit made of the playbook."""

    playbook: Playbook
    outcomes: tuple[Outcome, ...]
    memory: Memory


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a text comes from that a person did not write: its kind of source, the session, and what was said there."""

    source: str = "user"
    session: str = ""
    quote: str = ""


Edit = Callable[[Playbook, Memory], Edited]


@dataclass(frozen=True, slots=True)
class Changed:
    """A change that was made, and each operation in it."""

    file: store.Change
    outcomes: tuple[Outcome, ...]


def change(
    state: State,
    place: store.Place,
    edit: Edit,
    *,
    why: str,
    op: str | None = None,
    undoes: str | None = None,
    origin: Origin = Origin(),
) -> Changed:
    """
    Change a playbook and record who, what and why. `op` names the operations on the record where it is not their own.

    Raises PlaybookError, LockTimeout (nothing was changed), and what `edit` raises.
    """
    store.snapshot(place)  # one that cannot be read is refused before anything of it is settled
    made: list[Edited] = []

    def run(playbook: Playbook) -> tuple[Playbook, record.Rows]:
        memory = memory_of(state, place)
        made[:] = [edit(playbook, memory)]
        return made[0].playbook, _rows(made[0], memory, why, op, origin)

    return Changed(recorded.change(state, place, run, why=why, undoes=undoes), made[0].outcomes)


def _rows(edited: Edited, memory: Memory, why: str, op: str | None, origin: Origin) -> record.Rows:
    return record.Rows(
        changes=tuple(
            record.Change(
                op=op or outcome.op,
                key_point=outcome.key_point,
                before=outcome.before,
                after=outcome.after,
                actor="person",
                reason=why if op else outcome.why or why,
                source=origin.source,
                evidence=({"quote": origin.quote},) if origin.quote else (),
            )
            for outcome in edited.outcomes
            if outcome.applied
        ),
        numbers=dict(edited.memory.numbers),
        protect=tuple(sorted(edited.memory.protected)),
        unprotect=tuple(sorted(memory.protected - edited.memory.protected)),
        session=origin.session,
    )
