"""
A playbook changed together with its record in `state.db`, by a lesson or by a person.

The order is the one that `settle` can finish: under the playbook's lock the intent is committed to `state.db`, then the
file is replaced, then the intent's rows become real.
"""

import time
from collections.abc import Callable

from ace_reflect.learning.settle import Moved, settle
from ace_reflect.playbook import store
from ace_reflect.playbook.index import indexed
from ace_reflect.playbook.model import Playbook
from ace_reflect.playbook.outcome import Memory
from ace_reflect.playbook.plain_file import read_bytes
from ace_reflect.state import intents, record
from ace_reflect.state.db import State

_TRIES = 40  # beside eight others that change it too, on a busy machine, four were not enough
_PAUSE_S = 0.02

#: Called under the lock with the playbook as it is now; gives the new one, and what is recorded if it is another.
Edit = Callable[[Playbook], tuple[Playbook, record.Rows]]


def change(
    state: State, place: store.Place, edit: Edit, *, why: str, undoes: str | None = None
) -> store.Change:
    """
    Settle what an earlier process began, then change the playbook and record it.

    Raises PlaybookError, LockTimeout, StateError (nothing was changed), and what `edit` raises.
    """
    for attempt in range(_TRIES):
        settle(state, place)
        try:
            return _once(state, place, edit, why=why, undoes=undoes)
        except Moved:
            if attempt == _TRIES - 1:
                raise
            time.sleep(_PAUSE_S)
    raise AssertionError("the loop returns or raises")


def memory_of(state: State, place: store.Place) -> Memory:
    """What state.db remembers of a playbook beside its file: the numbers ever used, the key points not to be pruned yet."""
    # A file in an older form was never written by us: until it is, each of its key points is protected from pruning.
    read = store.snapshot(place).read
    protected = record.protected(state, place.real_path) | read.migrated
    return read.reserve(Memory(record.numbers(state, place.real_path), protected, place.floor))


def _once(
    state: State, place: store.Place, edit: Edit, *, why: str, undoes: str | None
) -> store.Change:
    rows: list[record.Rows] = []
    begun: list[tuple[int, str]] = []  # the intent, and the digest of the file before it

    def run(playbook: Playbook) -> Playbook:
        if intents.pending(state, place.real_path):
            raise Moved
        changed, recorded = edit(playbook)
        rows.append(recorded)
        return changed

    def announce(planned: store.Planned) -> int:
        digests = (planned.before_digest, planned.after_digest)
        intent = intents.begin(state, place.real_path, digests, planned.content, rows[0])
        begun.append((intent, planned.before_digest))
        return intent

    try:
        done = store.change(place, run, why=why, announce=announce, undoes=undoes)
    except Exception:
        for intent, before in begun:
            _take_back(state, place, intent, before)
        raise
    for intent, _ in begun:
        intents.complete(state, intent)
        indexed(
            state.connection, place.path, floor=place.floor
        )  # so that no prompt has to wait for it
    return done


def _take_back(state: State, place: store.Place, intent: int, before: str) -> None:
    """
    Undo the intent after the file could not be replaced (a full disk, a folder that cannot be written). Only where the old
    file still stands; else `settle` finds out later what became of it.
    """
    data = read_bytes(place.path)
    if ("" if data is None else store.digest(data)) == before:
        intents.abandon(state, intent)
