"""
Earlier versions of each playbook, in `<home>/history/<playbook>/`.

A version is two files: `<id>.json`, the playbook as it was before the change, byte for byte, and `<id>.why.json`, what
the change was. Ids sort by time.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ace_reflect import atomic, paths
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.delta import Difference, compare
from ace_reflect.playbook.model import Playbook, empty_playbook
from ace_reflect.playbook.read import parse_playbook

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ace_reflect.playbook.store import Place, Planned, Snapshot

KEPT_VERSIONS = 100
KEPT_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Version:
    """One change of a playbook: when, why, and what it did."""

    id: str
    at: str  # ISO 8601, UTC
    why: str
    before_digest: str
    after_digest: str
    folder: str
    undoes: str | None = None  # the version that this change took back
    intent: int | None = None  # of `state.db`: leads to the votes and changes on record
    differences: tuple[Difference, ...] = ()

    def playbook_before(self) -> Playbook:
        """The playbook as it was before this change. Raises PlaybookError where the copy is gone."""
        data = _read(os.path.join(self.folder, f"{self.id}.json"))
        if data is None:
            raise PlaybookError(f"the version {self.id} is no longer kept")
        return parse_playbook(data).playbook if data else empty_playbook()


def folder_of(place: Place) -> str:
    """The history folder of one playbook, named so that a person finds it: `<project>-<digest>`."""
    real = place.real_path
    project = os.path.basename(os.path.dirname(os.path.dirname(real)))
    readable = re.sub(r"[^A-Za-z0-9._-]+", "_", project)[:40].lstrip(".") or "playbook"
    return os.path.join(
        place.home_dir,
        "history",
        f"{readable}-{hashlib.sha256(os.fsencode(real)).hexdigest()[:12]}",
    )


def keep(
    place: Place,
    before: Snapshot,
    after: Playbook,
    planned: Planned,
    *,
    now: datetime,
    intent: int | None = None,
) -> str:
    """
    Keep what is about to be replaced. Returns the version's id.

    Raises PlaybookError: a change whose earlier version cannot be kept is not made.
    """
    folder = folder_of(place)
    version = f"{_after_all(folder, now):%Y%m%dT%H%M%S%f}-{planned.after_digest[:6]}"
    about = {
        "path": place.path,
        "at": now.isoformat(timespec="seconds"),
        "why": planned.why,
        "undoes": planned.undoes,
        "intent": intent,
        "before_digest": planned.before_digest,
        "after_digest": planned.after_digest,
        "differences": [_difference_to_json(d) for d in compare(before.playbook, after)],
    }
    try:
        paths.make_folder(folder)
        atomic.write(os.path.join(folder, f"{version}.json"), before.data or b"")
        atomic.write(
            os.path.join(folder, f"{version}.why.json"),
            json.dumps(about, ensure_ascii=True).encode(),
        )
    except OSError as fault:
        raise PlaybookError(
            f"cannot keep the earlier version of {place.path} in {folder}: {fault.strerror}; nothing was changed"
        ) from fault
    _rotate(folder)
    return version


def versions(place: Place, now_digest: str | None = None) -> list[Version]:
    """
    All changes on record, newest first. One that cannot be read is left out, and so is one that was prepared and then
    not made (the process was killed): the next change began where it had begun. `now_digest` is the file's. Raises
    PlaybookError for a folder that cannot be read: what is on record is not known then.
    """
    folder = folder_of(place)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as fault:
        raise PlaybookError(
            f"cannot read the history of {place.path} in {folder}: {fault.strerror}"
        ) from fault
    found = (
        _version(folder, name[: -len(".why.json")]) for name in names if name.endswith(".why.json")
    )
    made: list[Version] = []
    begins_at = now_digest
    for version in sorted(
        (version for version in found if version), key=lambda version: version.id, reverse=True
    ):
        if (
            begins_at is None
            or begins_at != version.before_digest
            or begins_at == version.after_digest
        ):
            made.append(version)
        begins_at = version.before_digest
    return made


def taken_back(kept: Iterable[Version]) -> set[str]:
    """The ids of those that are taken back, newest first given; a change whose undo was itself taken back stands again."""
    found: set[str] = set()
    for version in kept:
        if version.undoes is not None and version.id not in found:
            found.add(version.undoes)
    return found


def find(place: Place, wanted: str) -> Version:
    """A version by its id, the beginning of it, or its place in the list (`1` is the newest). Raises PlaybookError."""
    kept = versions(place)
    if wanted.isdecimal() and len(wanted) < 8:  # ids begin with a date
        matching = kept[int(wanted) - 1 :][:1] if int(wanted) else []
    else:
        matching = [version for version in kept if version.id.startswith(wanted)]
    if len(matching) != 1:
        problem = "several versions begin with" if matching else "no version is named"
        raise PlaybookError(
            f"{place.path}: {problem} {wanted!r}; `ace-reflect playbook history` lists them"
        )
    return matching[0]


def _version(folder: str, version: str) -> Version | None:
    data = _read(os.path.join(folder, f"{version}.why.json"))
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        about = json.loads(data or b"")
        differences = tuple(_difference_from_json(row) for row in about["differences"])
        return Version(
            id=version,
            at=about["at"],
            why=about["why"],
            before_digest=about["before_digest"],
            after_digest=about["after_digest"],
            folder=folder,
            undoes=about.get("undoes"),
            intent=about.get("intent"),
            differences=differences,
        )
    return None


def _difference_to_json(difference: Difference) -> dict[str, Any]:
    return {name: getattr(difference, name) for name in Difference.__slots__}


def _difference_from_json(row: dict[str, Any]) -> Difference:
    known: dict[str, Any] = {name: row.get(name) for name in Difference.__slots__}
    return Difference(**known)


def _after_all(folder: str, now: datetime) -> datetime:
    """`now`, or just after the newest version: ids are in the order of the changes even where the clock jumped back."""
    newest = max(
        (name.partition("-")[0] for name in _names(folder) if name[:1].isdigit()), default=""
    )
    with suppress(ValueError):
        return max(
            now,
            datetime.strptime(newest, "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)
            + timedelta(microseconds=1),
        )
    return now


def _rotate(folder: str) -> None:
    """Keep the newest versions, as many and as large as the caps allow."""
    atomic.remove_stale(folder)
    size = 0
    ids = sorted(
        {name.partition(".")[0] for name in _names(folder) if not name.startswith(".")},
        reverse=True,
    )
    for count, version in enumerate(ids, start=1):
        files = [os.path.join(folder, f"{version}{ending}") for ending in (".json", ".why.json")]
        size += sum(_size(path) for path in files)
        if count > 1 and (count > KEPT_VERSIONS or size > KEPT_BYTES):
            for path in files:
                with suppress(OSError):
                    os.unlink(path)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
