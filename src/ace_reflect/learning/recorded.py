"""Changes a playbook together with its record in `state.db`, and finishes what a killed process began.

Under the playbook's lock the intent is committed to `state.db`, then the file is replaced, then the intent's rows become
real. The next process sees from the file how far a killed one got: nothing is lost, nothing counts twice.
"""

import os
import time
from collections.abc import Callable

from ace_reflect import log
from ace_reflect.errors import LockTimeout, PlaybookError
from ace_reflect.playbook import history, store
from ace_reflect.playbook.change import Memory
from ace_reflect.playbook.history import Difference
from ace_reflect.playbook.index import indexed
from ace_reflect.playbook.model import Playbook, counters, find
from ace_reflect.playbook.read import digest, parse_playbook, read_bytes
from ace_reflect.playbook.store import Place
from ace_reflect.state import record
from ace_reflect.state.db import State
from ace_reflect.state.record import Intent

_TRIES = 40  # four were not enough with eight other writers on a busy machine
_PAUSE_S = 0.02

#: Called under the lock with the playbook as it is now; returns the new one, and what to record if it differs.
Edit = Callable[[Playbook], tuple[Playbook, record.Rows]]


class _Moved(Exception):
    """Another process changed the playbook between our read and our lock. Whoever catches this tries again."""


def why_of(session: str) -> str:
    """What a playbook's history says about a learned version."""
    return f"learned from session {session}" if session else "learned"


def change(
    state: State, place: Place, edit: Edit, *, why: str, undoes: str | None = None
) -> store.Change:
    """Change a playbook and record it. Raises PlaybookError, LockTimeout, StateError (nothing was changed), and what `edit` does."""
    for _ in range(_TRIES):
        settle(state, place)
        try:
            return _once(state, place, edit, why=why, undoes=undoes)
        except _Moved:
            time.sleep(_PAUSE_S)
    raise LockTimeout(f"{place.path} keeps being changed by others; try again")


def memory_of(state: State, place: Place) -> Memory:
    """What state.db remembers about a playbook: the numbers ever used, the key points not to be pruned yet."""
    # A file in an older form was never written by us: until it is, each of its key points is protected from pruning.
    read = store.snapshot(place)
    protected = record.protected(state, place.real_path) | read.migrated
    memory = Memory(record.numbers(state, place.real_path), protected, place.floor)
    return memory.with_ids(item.name for item in read.unread)


def _once(state: State, place: Place, edit: Edit, *, why: str, undoes: str | None) -> store.Change:
    rows = record.Rows()
    begun: list[int] = []  # the intent

    def run(playbook: Playbook) -> Playbook:
        nonlocal rows
        if record.pending(state, place.real_path):
            raise _Moved
        changed, rows = edit(playbook)
        return changed

    def announce(digests: tuple[str, str], content: str) -> int:
        begun.append(record.begin(state, place.real_path, digests, content, rows))
        return begun[0]

    before = _digest(place)
    try:
        done = store.change(place, run, why=why, announce=announce, undoes=undoes)
    except Exception:
        # A full disk, a read-only folder. If the old file was replaced all the same, `settle` finds out.
        if begun and _digest(place) == before:
            record.abandon(state, begun[0])
        raise
    if begun:
        record.complete(state, begun[0])
        indexed(state.connection, place.path, floor=place.floor)  # so that no prompt waits for it
    return done


def _digest(place: Place) -> str:
    return digest(read_bytes(place.path))


def settle(state: State, place: Place) -> None:
    """Complete or abandon every intent of a playbook. Raises PlaybookError, LockTimeout (it stays)."""
    for intent in record.pending(state, place.real_path):
        for _ in range(_TRIES):
            try:
                decision = _settle_one(state, place, intent)
            except _Moved:
                continue
            log.write(place.home_dir, "settle", session=intent.session, decision=decision)
            break


def settle_all(state: State, home_dir: str) -> None:
    """The same for every playbook with an intent whose folder is still there."""
    paths = {intent.playbook for intent in record.pending(state)}
    for path in sorted(path for path in paths if os.path.isdir(os.path.dirname(path))):
        try:
            settle(state, store.place_of(path, home_dir))
        except (PlaybookError, LockTimeout) as error:
            # It keeps its intent; other projects do not wait for it.
            log.failure(home_dir, "settle", error)


def _settle_one(state: State, place: Place, intent: Intent) -> str:
    now, how = _digest(place), "completed"
    if now == intent.hash_before != intent.hash_after:
        _roll_forward(place, intent)
        how = "rolled-forward"
    elif now != intent.hash_after and not _shows(place, intent):
        record.abandon(state, intent.id)
        return "abandoned"
    record.complete(state, intent.id)
    return how


def _roll_forward(place: Place, intent: Intent) -> None:
    def check(digests: tuple[str, str], _: str) -> int:
        if digests != (intent.hash_before, intent.hash_after):
            raise _Moved
        return intent.id

    wanted = parse_playbook(intent.content.encode(), floor=place.floor).playbook
    why = why_of(intent.session)
    done = store.change(place, lambda _: wanted, why=why, stamp=False, announce=check)
    if done.after_digest != intent.hash_after:
        raise _Moved


def _shows(place: Place, intent: Intent) -> bool:
    """Whether the intent's change did reach the file, which somebody has changed again since: a version of it was kept (that
    is done before the file is replaced), and a later one began from it or more than half of its differences still stand.

    Raises PlaybookError for a file that cannot be read: nobody knows what it will hold once it is repaired.
    """
    versions = history.versions(place.history_dir)
    own = next((version for version in versions if version.intent == intent.id), None)
    if own is None:
        return False
    if any(version.before_digest == intent.hash_after for version in versions):
        return True
    now = store.snapshot(place)
    seen = [_in_force(now.playbook, difference) for difference in own.differences]
    return sum(seen) * 2 > len(seen)


def _in_force(current: Playbook, difference: Difference) -> bool:
    found, wanted = find(current, difference.name), difference.after
    if wanted is None or found is None:
        return wanted is None and found is None
    point = found[1]
    return point.get("text") == wanted.get("text") and counters(point) == counters(wanted)
