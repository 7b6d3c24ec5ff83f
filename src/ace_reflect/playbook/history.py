"""The differences between two playbooks, how to undo them, and earlier versions in `<home>/history/<playbook>/`.

A version is two files: `<id>.json`, the playbook before the change, byte for byte, and `<id>.why.json`, what the change was.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from ace_reflect import atomic, paths
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.model import KeyPoint, Playbook, count_of, key_points
from ace_reflect.playbook.read import read_bytes

KEPT_VERSIONS = 100
_ID_TIME = "%Y%m%dT%H%M%S%f"
_BEFORE, _WHY = ".json", ".why.json"


@dataclass(frozen=True, slots=True)
class Difference:
    """One key point before and after: added (`before` is None), removed (`after` is None) or changed."""

    name: str
    section: str
    before: KeyPoint | None
    after: KeyPoint | None
    position: int = 0  # in its section, for putting a removed one back
    moved_to: str | None = None

    @property
    def kind(self) -> str:
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"

    def to_json(self) -> dict[str, Any]:
        about = {"id": self.name, "kind": self.kind, "section": self.moved_to or self.section}
        return {**about, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class Version:
    """One change of a playbook: when, why, and what it did."""

    id: str
    at: str  # ISO 8601, UTC
    why: str
    before_digest: str
    after_digest: str
    undoes: str | None = None  # the version that this change undid
    intent: int | None = None  # in `state.db`: leads to the votes and changes on record
    differences: tuple[Difference, ...] = ()


def new_id(folder: str, now: datetime, after_digest: str) -> str:
    """The id of a change made now. It sorts after all others, even if the clock was set back."""
    newest = max((name for name in _names(folder) if name[:1].isdigit()), default="")
    with suppress(ValueError):
        last = datetime.strptime(newest.partition("-")[0], _ID_TIME).replace(tzinfo=UTC)
        now = max(now, last + timedelta(microseconds=1))
    return f"{now:{_ID_TIME}}-{after_digest[:6]}"


def keep(folder: str, version: Version, path: str, before: bytes) -> None:
    """Keep the bytes that are about to be replaced, and drop the oldest versions. Raises PlaybookError: nothing is changed."""
    about = {"path": path, **asdict(version)}
    del about["id"]
    start = os.path.join(folder, version.id)
    try:
        paths.make_folder(folder)
        atomic.write(start + _BEFORE, before)
        atomic.write(start + _WHY, json.dumps(about).encode())
        atomic.remove_stale(folder)
    except OSError as fault:
        raise PlaybookError(
            f"cannot keep the earlier version of {path} in {folder}: {fault.strerror}; nothing was changed"
        ) from fault
    ids = {name.partition(".")[0] for name in _names(folder)} - {""}
    for old in sorted(ids)[:-KEPT_VERSIONS]:
        for ending in (_BEFORE, _WHY):
            with suppress(OSError):
                os.unlink(os.path.join(folder, old + ending))


def versions(folder: str, now_digest: str | None = None) -> list[Version]:
    """All readable changes on record, newest first, except those that were prepared and never made because the process was
    killed: the next change (or the file, by `now_digest`) begins where they began. Raises PlaybookError.
    """
    made: list[Version] = []
    begins_at = now_digest
    for name in sorted((name for name in _names(folder) if name.endswith(_WHY)), reverse=True):
        if version := _version(folder, name.removesuffix(_WHY)):
            if version.before_digest != begins_at or begins_at == version.after_digest:
                made.append(version)
            begins_at = version.before_digest
    return made


def taken_back(kept: Iterable[Version]) -> set[str]:
    """The ids of those that were undone; `kept` has the newest first. Undoing an undo restores the change."""
    found: set[str] = set()
    for version in kept:
        if version.undoes is not None and version.id not in found:
            found.add(version.undoes)
    return found


def find(folder: str, wanted: str) -> Version:
    """A version by its id, the beginning of its id, or its place in the list (`1` is the newest). Raises PlaybookError."""
    kept = versions(folder)
    if wanted.isdecimal() and len(wanted) < 8:  # ids begin with a date
        matching = kept[int(wanted) - 1 :][:1] if int(wanted) else []
    else:
        matching = [version for version in kept if version.id.startswith(wanted)]
    if len(matching) != 1:
        problem = "several versions begin with" if matching else "no version is named"
        raise PlaybookError(f"{problem} {wanted!r}; `ace-reflect playbook history` lists them")
    return matching[0]


def compare(before: Playbook, after: Playbook) -> list[Difference]:
    """The differences in canonical order: what was removed or changed, then what was added."""
    old, new = _by_name(before), _by_name(after)
    found = []
    for name, (section, position, point) in old.items():
        now_in, _, now = new.get(name, (section, 0, None))
        if (now_in, now) != (section, point):
            moved_to = now_in if now_in != section else None
            found.append(Difference(name, section, point, now, position, moved_to))
    came = [(name, *new[name]) for name in new if name not in old]
    return found + [Difference(name, at, None, point, place) for name, at, place, point in came]


def revert(
    playbook: Playbook, differences: Iterable[Difference]
) -> tuple[Playbook, list[tuple[Difference, str]]]:
    """The playbook with these differences undone, and those that could not be, each with the reason. Later changes stay:
    counters lose what was counted then, and a text is restored only if nobody has rewritten it since.
    """
    result = deepcopy(playbook)
    done = ((difference, _revert_one(result, difference)) for difference in differences)
    return result, [(difference, problem) for difference, problem in done if problem]


def _revert_one(playbook: Playbook, difference: Difference) -> str:
    """Undo one difference in place; returns what could not be undone, or ""."""
    before, after = difference.before, difference.after
    now = _by_name(playbook).get(difference.name)
    if after is None:
        if now is not None:
            return "it is there again"
        _put_back(playbook, difference, before)
        return ""
    if now is None:
        return "it has been removed since"
    section, _, point = now
    rewritten = point["text"] != after["text"]
    if before is None:
        if rewritten:
            return "its text has been changed since"
        playbook["sections"][section].remove(point)
        return ""
    for counter in ("helpful", "harmful"):
        counted = count_of(after.get(counter)) - count_of(before.get(counter))
        point[counter] = max(count_of(point.get(counter)) - counted, 0)
    if before["text"] != after["text"]:
        if rewritten:
            return "its text has been changed since; its counters were taken back"
        point["text"] = before["text"]
    if difference.moved_to == section:
        playbook["sections"][section].remove(point)
        _put_back(playbook, difference, point)
    return ""


def _put_back(playbook: Playbook, difference: Difference, point: KeyPoint | None) -> None:
    rows = playbook["sections"].setdefault(difference.section, [])
    rows.insert(min(difference.position, len(rows)), deepcopy(point))


def _by_name(playbook: Playbook) -> dict[str, tuple[str, int, KeyPoint]]:
    """Id -> (section, position among its key points, key point)."""
    sections = Counter[str]()
    found = {}
    for section, point in key_points(playbook):
        found[point["name"]] = (section, sections[section], point)
        sections[section] += 1
    return found


def _version(folder: str, name: str) -> Version | None:
    known = {field.name for field in fields(Version)} - {"id"}
    try:
        about = json.loads(read_bytes(os.path.join(folder, name + _WHY)) or b"")
        own = {field: value for field, value in about.items() if field in known}
        own["differences"] = tuple(Difference(**row) for row in about["differences"])
        return Version(id=name, **own)
    except (ValueError, TypeError, AttributeError, KeyError, PlaybookError):
        return None


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as fault:
        raise PlaybookError(f"cannot read the history in {folder}: {fault.strerror}") from fault
