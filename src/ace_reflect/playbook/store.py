"""Playbooks on disk. Every change is one function: lock, read, change, write a temporary file, fsync, replace.

Several sessions ending at once is the normal case. Readers need no lock: a file is replaced whole or not at all.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime

from ace_reflect import atomic, paths
from ace_reflect.errors import LockTimeout, PlaybookError
from ace_reflect.playbook import history
from ace_reflect.playbook.model import USER_FLOOR, Playbook, empty_playbook
from ace_reflect.playbook.read import (
    PlaybookUnreadable,
    Read,
    Unread,
    digest,
    parse_playbook,
    read_bytes,
    read_playbook,
)

LOCK_DEADLINE_S = 10.0

PathLike = str | os.PathLike[str]

#: Called before a file is replaced, with the digests before and after and the new text; returns the intent's number.
Announce = Callable[[tuple[str, str], str], int]


@dataclass(frozen=True, slots=True)
class Place:
    """A playbook's path and what belongs to it. `floor` is 9000 for the user's own, else 0."""

    path: str
    home_dir: str
    floor: int = 0

    @property
    def real_path(self) -> str:
        """Where a symlink leads: that file is locked and replaced, and this path identifies the playbook in `state.db`."""
        return os.path.realpath(self.path)

    @property
    def history_dir(self) -> str:
        """The folder of its earlier versions, with a name that people recognise: `<project>-<digest>`."""
        project = os.path.basename(os.path.dirname(os.path.dirname(self.real_path)))
        readable = re.sub(r"[^A-Za-z0-9._-]+", "_", project)[:40].lstrip(".") or "playbook"
        name = f"{readable}-{digest(os.fsencode(self.real_path))[:12]}"
        return os.path.join(self.home_dir, "history", name)


@dataclass(frozen=True, slots=True)
class Change:
    """What a change did; `changed` is false if nothing was written."""

    before: Read
    after: Playbook
    after_digest: str
    changed: bool = False


def place_of(path: PathLike, home_dir: str | None = None) -> Place:
    """The place of a playbook file; the one at `<home>/playbook.json` is the user's own."""
    home_dir = home_dir or paths.home(os.environ)
    plain = os.path.abspath(os.path.expanduser(os.fspath(path)))
    users_own = os.path.realpath(plain) == os.path.realpath(paths.user_playbook(home_dir))
    return Place(plain, home_dir, USER_FLOOR if users_own else 0)


def load_playbook(path: PathLike) -> Playbook:
    """The playbook at `path` in the written form; an empty one if there is no file. Raises PlaybookError."""
    return snapshot(place_of(path)).playbook


def save_playbook(path: PathLike, playbook: Playbook) -> None:
    """Replace the file at `path` by `playbook`. Raises PlaybookError (the old file is kept), LockTimeout."""
    wanted = read_playbook(playbook).playbook
    change(place_of(path), lambda _: wanted, why="saved", stamp=False)


def snapshot(place: Place) -> Read:
    """Read without changing anything: a person may be in the middle of a merge. Raises PlaybookError."""
    data = read_bytes(place.path)
    try:
        return Read(empty_playbook()) if data is None else parse_playbook(data, floor=place.floor)
    except PlaybookUnreadable as fault:
        where = f"{place.path}:{fault.line}" if fault.line else place.path
        raise PlaybookError(
            f"{where} is no playbook: {fault}; it was left as it is. Fix it there, or move it away to start afresh; "
            f"earlier versions are in {place.history_dir}"
        ) from fault


def change(
    place: Place,
    edit: Callable[[Playbook], Playbook],
    *,
    why: str,
    announce: Announce | None = None,
    stamp: bool = True,
    undoes: str | None = None,
    deadline_s: float = LOCK_DEADLINE_S,
) -> Change:
    """Read, change and replace under the lock. `edit` gets a copy of the playbook as it is now and returns the new one.
    If it differs, `last_updated` becomes now (`stamp`). `undoes` names the version that is undone. Raises PlaybookError (the
    old file is kept), LockTimeout, and what `edit` and `announce` raise.
    """
    with locked(place, deadline_s):
        before = snapshot(place)
        after = edit(deepcopy(before.playbook))
        if stamp and after == before.playbook:
            return Change(before, after, before.digest)
        now = datetime.now(UTC)
        at = now.isoformat(timespec="seconds")
        stamped = {**after, "last_updated": at} if stamp else after
        data = to_bytes(stamped, before.unread)
        if data == before.data:
            return Change(before, after, before.digest)
        digests = (before.digest, digest(data))
        name = history.new_id(place.history_dir, now, digests[1])
        intent = announce(digests, data.decode()) if announce else None
        differences = tuple(history.compare(before.playbook, after))
        version = history.Version(name, at, why, *digests, undoes, intent, differences)
        history.keep(place.history_dir, version, place.path, before.data or b"")
        _replace(place, data)
        return Change(before, parse_playbook(data).playbook, version.after_digest, changed=True)


def to_bytes(playbook: Playbook, unread: Sequence[Unread] = ()) -> bytes:
    """The written form (DESIGN §4); rows that could not be read come last in their section."""
    sections = {name: list(rows) for name, rows in playbook["sections"].items()}
    for item in unread:
        sections.setdefault(item.section, []).append(item.row)
    text = json.dumps({**playbook, "sections": sections}, indent=2, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace")  # half a surrogate becomes \udXXX: valid JSON


@contextmanager
def locked(place: Place, deadline_s: float = LOCK_DEADLINE_S) -> Iterator[None]:
    """One writer at a time for this playbook, through whatever link. Raises LockTimeout, PlaybookError."""
    from filelock import FileLock, Timeout

    folder = os.path.join(place.home_dir, "locks")
    path = os.path.join(folder, f"{digest(os.fsencode(place.real_path))[:24]}.lock")
    try:
        paths.make_folder(folder)
        lock = FileLock(path, timeout=deadline_s, mode=0o600)
        lock.acquire()
    except Timeout:
        raise LockTimeout(
            f"another process has been changing {place.path} for {deadline_s:g} s; nothing was changed, try again"
        ) from None
    except (OSError, NotImplementedError) as fault:  # the file system has no locks
        raise PlaybookError(f"cannot lock {place.path}: {fault}") from fault
    try:
        yield
    finally:
        lock.release()


def _replace(place: Place, data: bytes) -> None:
    """Temporary file beside the target, fsync, rename over it, fsync the folder. Until then the old file stays."""
    target = place.real_path
    folder = os.path.dirname(target)
    try:
        paths.make_folder(folder, 0o755)
        atomic.remove_stale(folder, os.path.basename(target))  # only the lock holder writes
        atomic.write(target, data, mode=atomic.mode_of(target))
    except OSError as fault:
        raise PlaybookError(
            f"cannot write {place.path}: {fault.strerror}; what was there is unchanged"
        ) from fault
