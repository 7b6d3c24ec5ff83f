"""
Finish what a killed process began.

An intent stands in `state.db` before its playbook is replaced. Whoever comes next finds out from the file how far it
got, and either rolls it forward or takes it as never begun: nothing is lost, nothing counts twice.
"""

import os

from ace_reflect import log
from ace_reflect.errors import LockTimeout, PlaybookError
from ace_reflect.playbook import history, store
from ace_reflect.playbook.delta import Difference
from ace_reflect.playbook.model import Playbook, counters, find
from ace_reflect.playbook.plain_file import read_bytes
from ace_reflect.playbook.read import parse_playbook, with_unread
from ace_reflect.state import intents
from ace_reflect.state.db import State
from ace_reflect.state.intents import Intent

_TRIES = 5


class Moved(Exception):
    """Another process changed the playbook between our look at it and our lock on it. Whoever catches this tries again."""


def settle(state: State, place: store.Place) -> int:
    """
    Complete or abandon every intent that stands for this playbook; how many there were.

    Raises PlaybookError, LockTimeout (the intent stays for the next time).
    """
    pending = intents.pending(state, place.real_path)
    for intent in pending:
        for _ in range(_TRIES):
            try:
                _settle_one(state, place, intent)
            except Moved:
                continue
            break
    return len(pending)


def settle_all(state: State, home_dir: str) -> int:
    """The same for every playbook with an intent whose folder is still there."""
    settled = 0
    for path in sorted({intent.playbook for intent in intents.pending(state)}):
        if not os.path.isdir(os.path.dirname(path)):
            continue
        try:
            settled += settle(state, store.place_of(path, home_dir))
        except (
            PlaybookError,
            LockTimeout,
        ) as error:  # it keeps its intent, and no other project has to wait for it
            log.failure(home_dir, "settle", error)
    return settled


#: What a playbook's history says of a version that was learned, before the session's id.
LEARNED_FROM = "learned from session "


def why_of(session: str) -> str:
    return LEARNED_FROM + session if session else "learned"


def _settle_one(state: State, place: store.Place, intent: Intent) -> None:
    data = read_bytes(place.path)
    now = "" if data is None else store.digest(data)
    if now == intent.hash_after:
        how = "completed"
    elif now == intent.hash_before:
        _roll_forward(place, intent)
        how = "rolled-forward"
    elif _shows(place, intent):
        how = "completed"
    else:
        intents.abandon(state, intent.id)
        log.write(place.home_dir, "settle", session=intent.session, decision="abandoned")
        return
    intents.complete(state, intent.id)
    log.write(place.home_dir, "settle", session=intent.session, decision=how)


def _roll_forward(place: store.Place, intent: Intent) -> None:
    def check(planned: store.Planned) -> int:
        if planned.before_digest != intent.hash_before or planned.after_digest != intent.hash_after:
            raise Moved
        return intent.id

    read = parse_playbook(intent.content.encode(), floor=place.floor)
    wanted = read.playbook
    if store.digest(store.to_bytes(with_unread(wanted, read.unread))) != intent.hash_after:
        raise Moved
    done = store.change(
        place, lambda _: wanted, why=why_of(intent.session), stamp=False, announce=check
    )
    if done.after_digest != intent.hash_after:
        raise Moved


def _shows(place: store.Place, intent: Intent) -> bool:
    """
    Whether the intent's change did reach the file, which somebody has changed again since.

    It did not where the history has no version of this intent, for a version is kept before the file is replaced. It did
    where a later version began from what the intent wrote, or where more than half of its differences are still in the
    file. Raises PlaybookError for a file that cannot be read: nobody knows what it will hold when it is mended.
    """
    versions = history.versions(place)
    own = next((version for version in versions if version.intent == intent.id), None)
    if own is None:
        return False
    if any(version.before_digest == intent.hash_after for version in versions):
        return True
    now = store.snapshot(place)
    if now.data is None:
        return False
    current = now.playbook
    seen = [_in_force(current, difference) for difference in own.differences]
    return sum(seen) * 2 > len(seen)


def _in_force(current: Playbook, difference: Difference) -> bool:
    found = find(current, difference.name)
    if difference.after is None:
        return found is None
    if found is None:
        return False
    helpful, harmful = counters(difference.after)
    now = counters(found[1])
    return (
        found[1].get("text") == difference.after.get("text")
        and now[0] >= helpful
        and now[1] >= harmful
    )
