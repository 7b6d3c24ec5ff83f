"""
Playbooks on disk. Every change is one function: lock, read, change, write beside, fsync, replace.

Several sessions end at once; that is the normal case. A model is never asked while the lock is held. Readers need no
lock: a file is replaced whole or not at all.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
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
    parse_playbook,
    read_bytes,
    read_playbook,
    with_unread,
)

LOCK_DEADLINE_S = 10.0

PathLike = str | os.PathLike[str]

#: Called with the digests before and after, and the file as it is to be; gives the number of the intent.
Announce = Callable[[tuple[str, str], str], int]


@dataclass(frozen=True, slots=True)
class Place:
    """A playbook's path and what belongs to it. `floor` is 9000 for the user's own, else 0."""

    path: str
    home_dir: str
    floor: int = 0

    @property
    def real_path(self) -> str:
        """Where a symlink leads: that file is locked and replaced, and `state.db` knows the playbook by this path."""
        return os.path.realpath(self.path)

    @property
    def through_link(self) -> bool:
        """Whether the file or its folder is a link."""
        return os.path.islink(self.path) or os.path.islink(os.path.dirname(self.path))

    @property
    def history_dir(self) -> str:
        """The folder of its earlier versions, named so that a person finds it: `<project>-<digest>`."""
        project = os.path.basename(os.path.dirname(os.path.dirname(self.real_path)))
        readable = re.sub(r"[^A-Za-z0-9._-]+", "_", project)[:40].lstrip(".") or "playbook"
        name = f"{readable}-{digest(os.fsencode(self.real_path))[:12]}"
        return os.path.join(self.home_dir, "history", name)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A playbook as it stood in its file."""

    read: Read
    data: bytes | None  # None where there is no file

    @property
    def playbook(self) -> Playbook:
        return self.read.playbook

    @property
    def digest(self) -> str:
        """sha256 of the file's bytes; empty where there is no file."""
        return "" if self.data is None else digest(self.data)


@dataclass(frozen=True, slots=True)
class Change:
    """What a change did; not `changed` where nothing was written."""

    before: Snapshot
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
    """The playbook at `path` in the written form; an empty one where there is no file. Raises PlaybookError."""
    return snapshot(place_of(path)).playbook


def save_playbook(path: PathLike, playbook: Playbook) -> None:
    """
    Write `playbook` in place of what is at `path`, whole or not at all.

    Raises PlaybookError (the old file stands, also one that is no playbook), LockTimeout.
    """
    wanted = read_playbook(playbook).playbook
    change(place_of(path), lambda _: wanted, why="saved", stamp=False)


def snapshot(place: Place) -> Snapshot:
    """Read without changing anything: a person may be in the middle of a merge. Raises PlaybookError."""
    data = read_bytes(place.path)
    if data is None:
        return Snapshot(Read(empty_playbook()), None)
    try:
        return Snapshot(parse_playbook(data, floor=place.floor), data)
    except PlaybookUnreadable as fault:
        where = f"{place.path}:{fault.line}" if fault.line else place.path
        raise PlaybookError(
            f"{where} is no playbook: {fault}; it was left as it is. Mend it there, or move it away to begin anew; "
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
    """
    Read, change and replace under the lock. `edit` gets a copy of the playbook as it is now and returns the new one.

    `announce` is called before the file is replaced. Where something changed, `last_updated` becomes now (`stamp`).
    `undoes` names the version taken back. Raises PlaybookError (the old file stands), LockTimeout, and what `edit` and
    `announce` raise.
    """
    with locked(place, deadline_s):
        before = snapshot(place)
        after = edit(deepcopy(before.playbook))
        if stamp and after == before.playbook:
            return Change(before, after, before.digest)
        now = datetime.now(UTC)
        stamped = {**after, "last_updated": now.isoformat(timespec="seconds")} if stamp else after
        data = to_bytes(with_unread(stamped, before.read.unread))
        if data == before.data:
            return Change(before, after, before.digest)
        digests = (before.digest, digest(data))
        version = history.Version(
            id=history.new_id(place.history_dir, now, digests[1]),
            at=now.isoformat(timespec="seconds"),
            why=why,
            before_digest=digests[0],
            after_digest=digests[1],
            undoes=undoes,
            intent=announce(digests, data.decode()) if announce else None,
            differences=tuple(history.compare(before.playbook, after)),
        )
        history.keep(place.history_dir, version, place.path, before.data or b"")
        _replace(place, data)
        return Change(before, parse_playbook(data).playbook, version.after_digest, changed=True)


def to_bytes(playbook: Playbook) -> bytes:
    """The written form: indent 2, UTF-8, non-ASCII kept, newline at the end."""
    text = json.dumps(playbook, indent=2, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace")  # half a surrogate becomes \udXXX: valid JSON


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def locked(place: Place, deadline_s: float = LOCK_DEADLINE_S) -> Iterator[None]:
    """One writer at a time to this playbook, whichever link leads to it. Raises LockTimeout, PlaybookError."""
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
    except (OSError, NotImplementedError) as fault:  # a file system without locks
        raise PlaybookError(f"cannot lock {place.path}: {fault}") from fault
    try:
        yield
    finally:
        lock.release()


def _replace(place: Place, data: bytes) -> None:
    """Temporary file beside the target, fsync, rename over it, fsync the folder. The old file stands until then."""
    target = place.real_path
    folder = os.path.dirname(target)
    try:
        paths.make_folder(folder, 0o755)
        atomic.remove_stale(folder, os.path.basename(target))  # only the lock's holder writes here
        atomic.write(target, data, mode=atomic.mode_of(target))
    except OSError as fault:
        raise PlaybookError(
            f"cannot write {place.path}: {fault.strerror}; what was there is unchanged"
        ) from fault
