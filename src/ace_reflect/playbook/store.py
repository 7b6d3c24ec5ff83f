"""
Playbooks on disk. Every change is one function: lock, read, change, write beside, fsync, replace.

Several sessions end at once; that is the normal case. A model is never asked while the lock is held. Readers need no
lock: a file is replaced whole or not at all.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime

from ace_reflect import atomic, paths
from ace_reflect.errors import LockTimeout, PlaybookError
from ace_reflect.playbook import history
from ace_reflect.playbook.model import USER_FLOOR, Playbook, empty_playbook
from ace_reflect.playbook.plain_file import read_bytes, reason_of
from ace_reflect.playbook.read import (
    MergeConflict,
    PlaybookNewer,
    PlaybookUnreadable,
    Read,
    is_meant_as_playbook,
    parse_playbook,
    read_playbook,
    with_unread,
)

LOCK_DEADLINE_S = 10.0
_ASIDE = ".unreadable-"

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Place:
    """A playbook's path and what belongs to it. `floor` is 9000 for the user's own, else 0."""

    path: str
    home_dir: str
    floor: int = 0

    @property
    def real_path(self) -> str:
        """
        Where a symlink leads: it is the target that is locked and replaced, so that the link stays. `state.db` knows the
        playbook by this path.
        """
        return os.path.realpath(self.path)

    @property
    def through_link(self) -> bool:
        """Whether the file or its folder is a link: one in a repository may point at anything of the person's."""
        return os.path.islink(self.path) or os.path.islink(os.path.dirname(self.path))


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
class Planned:
    """What is about to be written, for the caller that must commit its intent first."""

    path: str
    before_digest: str
    after_digest: str
    content: str  # the file as it is to be
    why: str
    undoes: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What a change did. `version` is its id in the history, None where nothing was written."""

    before: Snapshot
    after: Playbook
    after_digest: str
    version: str | None = None

    @property
    def changed(self) -> bool:
        return self.version is not None


class PlaybookBroken(PlaybookError):
    """A file that is no playbook, and was left as it is. `line` is where it shows, 0 where no line is to blame."""

    def __init__(self, place: Place, fault: PlaybookUnreadable) -> None:
        where = f"{place.path}:{fault.line}" if fault.line else place.path
        super().__init__(
            f"{where} is no playbook: {fault}; it was left as it is. {_way_out(place, fault)}"
        )
        self.path = place.path
        self.line = fault.line


class PlaybookSetAside(PlaybookError):
    """A file that was no playbook, and where it is now."""

    def __init__(self, path: str, kept_as: str, fault: str) -> None:
        super().__init__(
            f"{path} is no playbook: {fault}. It was set aside as {kept_as}, unchanged; mend it there and put it back"
        )
        self.path = path
        self.kept_as = kept_as


def place_of(path: PathLike, home_dir: str | None = None) -> Place:
    """The place of a playbook file; the one at `<home>/playbook.json` is the user's own."""
    home_dir = home_dir or paths.home(os.environ)
    plain = os.path.abspath(os.path.expanduser(os.fspath(path)))
    users_own = os.path.realpath(plain) == os.path.realpath(paths.user_playbook(home_dir))
    return Place(plain, home_dir, USER_FLOOR if users_own else 0)


def load_playbook(path: PathLike) -> Playbook:
    """
    The playbook at `path` in the written form; an empty one where there is no file.

    Raises PlaybookError. A file that is no playbook is set aside first, and the error names both files.
    """
    place = place_of(path)
    try:
        return snapshot(place).playbook
    except PlaybookBroken:
        return set_aside(place).playbook


def save_playbook(path: PathLike, playbook: Playbook) -> None:
    """
    Write `playbook` in place of what is at `path`: whole or not at all, the earlier version kept in the history.

    A file there that is no playbook is set aside, which stderr says. Raises PlaybookError (the old file stands),
    LockTimeout.
    """
    place, wanted = place_of(path), read_playbook(playbook).playbook
    try:
        change(place, lambda _: wanted, why="saved", stamp=False)
    except PlaybookBroken:
        try:
            set_aside(place)
        except PlaybookSetAside as notice:
            print(f"ace-reflect: {notice}", file=sys.stderr)  # noqa: T201 - nothing was lost, and the save goes on
        change(place, lambda _: wanted, why="saved", stamp=False)


def snapshot(place: Place) -> Snapshot:
    """
    Read without changing anything. Raises PlaybookError: PlaybookBroken, with the way out, for a file that is no playbook.

    Such a file stays where it is, for a person may be in the middle of a merge; who is about to replace it sets it aside.
    """
    try:
        return _read(place)
    except PlaybookUnreadable as fault:
        raise PlaybookBroken(place, fault) from fault


def set_aside(place: Place) -> Snapshot:
    """Move a file that is no playbook out of the way. Raises PlaybookSetAside, which names both files, when it did."""
    with locked(place):
        try:
            return _read(place)
        except PlaybookUnreadable as fault:
            if place.through_link:
                raise PlaybookBroken(place, fault) from fault
            raise PlaybookSetAside(
                place.path, _move_aside(place.path, str(fault)), str(fault)
            ) from fault


def kept_aside(place: Place) -> list[str]:
    """The files that were set aside beside this playbook and still wait to be mended, oldest first."""
    folder, name = os.path.split(place.path)
    try:
        beside = os.listdir(folder)
    except OSError:
        return []
    return sorted(
        os.path.join(folder, entry) for entry in beside if entry.startswith(f"{name}{_ASIDE}")
    )


def change(
    place: Place,
    edit: Callable[[Playbook], Playbook],
    *,
    why: str,
    announce: Callable[[Planned], int | None] | None = None,
    stamp: bool = True,
    undoes: str | None = None,
    deadline_s: float = LOCK_DEADLINE_S,
) -> Change:
    """
    Read, change and replace under the lock. `edit` gets a copy of the playbook as it is now and returns the new one.

    `announce` is called before the file is replaced and may raise to stop it; the number that it returns (an intent's)
    is kept with the version in the history. Neither may ask a model. Nothing is written where nothing changed; otherwise
    `last_updated` becomes now (`stamp`). `undoes` names the version taken back. Rows that could not be read stay in the
    file as they are.

    Raises PlaybookError (the old file stands, also one that is no playbook), LockTimeout, and what `edit` and `announce`
    raise.
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
        planned = Planned(place.path, before.digest, digest(data), data.decode(), why, undoes)
        intent = announce(planned) if announce else None
        version = history.keep(place, before, after, planned, now=now, intent=intent)
        _replace(place, data)
        return Change(before, parse_playbook(data).playbook, planned.after_digest, version)


def to_bytes(playbook: Playbook) -> bytes:
    """The written form: indent 2, UTF-8, non-ASCII kept, newline at the end."""
    text = json.dumps(playbook, indent=2, ensure_ascii=False)
    return (text + "\n").encode(
        "utf-8", "backslashreplace"
    )  # a lone surrogate becomes \udXXX again: valid JSON


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def locked(place: Place, deadline_s: float = LOCK_DEADLINE_S) -> Iterator[None]:
    """One writer at a time to this playbook, whichever link leads to it. Raises LockTimeout, PlaybookError."""
    from filelock import FileLock, Timeout

    name = hashlib.sha256(os.fsencode(place.real_path)).hexdigest()[:24]
    folder = os.path.join(place.home_dir, "locks")
    try:
        paths.make_folder(folder)
        lock = FileLock(os.path.join(folder, f"{name}.lock"), timeout=deadline_s, mode=0o600)
        lock.acquire()
    except Timeout:
        raise LockTimeout(
            f"another process has been changing {place.path} for {deadline_s:g} s; nothing was changed, try again"
        ) from None
    except (OSError, NotImplementedError) as fault:
        raise PlaybookError(f"cannot lock {place.path}: {reason_of(fault)}") from fault
    try:
        yield
    finally:
        lock.release()


def _read(place: Place) -> Snapshot:
    data = read_bytes(place.path)
    if data is None:
        return Snapshot(Read(empty_playbook()), None)
    try:
        found = Snapshot(parse_playbook(data, floor=place.floor), data)
    except PlaybookNewer as fault:
        raise PlaybookNewer(f"{place.path} was written by a newer program: {fault}") from None
    if place.through_link and not is_meant_as_playbook(data):
        raise PlaybookUnreadable("it has neither sections nor key points")
    return found


def _way_out(place: Place, fault: PlaybookUnreadable) -> str:
    if place.through_link:
        return f"It is a link to {os.path.realpath(place.path)}, and neither was touched: mend that, or remove the link"
    if isinstance(fault, MergeConflict):
        return (
            f"Settle it there, or take one side (`git checkout --ours {place.path}`, or --theirs)"
        )
    earlier = history.folder_of(place)
    or_earlier = f", bring back an earlier version from {earlier}" if os.path.isdir(earlier) else ""
    return f"Mend it there{or_earlier}, or move it away to begin anew"


def _move_aside(path: str, fault: str) -> str:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    kept_as = f"{path}{_ASIDE}{stamp}"
    try:
        os.rename(path, kept_as)
    except OSError as problem:
        raise PlaybookError(
            f"{path} is no playbook: {fault}; it could not be set aside ({reason_of(problem)}) and was left alone"
        ) from problem
    return kept_as


def _replace(place: Place, data: bytes) -> None:
    """Temporary file beside the target, fsync, rename over it, fsync the folder. The old file stands until then."""
    target = place.real_path
    folder = os.path.dirname(target)
    try:
        paths.make_folder(folder, 0o755)
        atomic.remove_stale(
            folder, os.path.basename(target)
        )  # only the holder of the lock writes here
        atomic.write(target, data, mode=atomic.mode_of(target))
    except OSError as fault:
        raise PlaybookError(
            f"cannot write {place.path}: {reason_of(fault)}; what was there is unchanged"
        ) from fault
