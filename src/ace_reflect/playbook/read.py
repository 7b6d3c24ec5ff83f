"""
A playbook's bytes, in every form that exists, read by shape into the one form that is written (`model`).

Forms in the field: `key_points` of strings, of `{name?, text, score?}`, of `{name, text, helpful, harmful}`, with extra
fields and divider rows; and `sections`, with sections or counters missing.
"""

import json
import os
import stat
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.model import (
    LEGACY_SLUG,
    OTHERS,
    SECTIONS,
    SLUGS,
    KeyPoint,
    Playbook,
    count_of,
    counters,
    id_parts,
    make_id,
)

MAX_BYTES = 64 * 1024 * 1024  # no person's playbook; /dev/zero behind a link is

#: What a fork of the flat list wrote beside the counters; it means nothing here.
_FLAT_LIST_FIELDS = frozenset(
    ("tags", "pending", "effect_rating", "risk_level", "innovation_level", "divider")
)

_ROWS = frozenset({"sections", "key_points"})  # the fields of a playbook that hold its rows


class PlaybookUnreadable(PlaybookError):
    """The bytes are no playbook. `line` is where it shows, counted from 1; 0 where no line is to blame."""

    def __init__(self, fault: str, line: int = 0) -> None:
        super().__init__(fault)
        self.line = line


@dataclass(frozen=True, slots=True)
class Unread:
    """A row that cannot be read: it is not used, and stays in its section for the person to mend."""

    section: str
    row: object

    @property
    def name(self) -> str:
        """What it calls itself, as far as it does."""
        name = self.row.get("name") if isinstance(self.row, dict) else None
        return str(name or "").strip()[:24] or "an entry without a name"

    @property
    def fault(self) -> str:
        if not isinstance(self.row, dict):
            return f"it is {_json_kind(self.row)}"
        text = self.row.get("text", "")
        return f"its text is {_json_kind(text)}" if text else "it has no text"


@dataclass(frozen=True, slots=True)
class Read:
    """A playbook in the written form, and what became of the rows on the way."""

    playbook: Playbook
    migrated: frozenset[str] = frozenset()  # ids from a flat list: not pruned before a vote
    unread: tuple[Unread, ...] = ()  # rows that say something and are no key points


def read_bytes(path: str) -> bytes | None:
    """The file's bytes, None where there is none. Raises PlaybookError for what is no plain file or cannot be opened."""
    try:
        status = os.stat(path)  # before opening: a pipe would block, a device would never end
        if not stat.S_ISREG(status.st_mode):
            raise PlaybookError(f"{path} is no file but a folder, a pipe or a device")
        if status.st_size > MAX_BYTES:
            raise PlaybookError(f"{path} is {status.st_size:,} bytes long, which no playbook is")
        with open(path, "rb") as file:
            return file.read()
    except OSError as fault:
        if isinstance(fault, FileNotFoundError) and not os.path.islink(path):
            return None
        raise PlaybookError(f"cannot read {path}: {fault.strerror}") from fault


def parse_playbook(data: bytes, *, floor: int = 0) -> Read:
    """Read the bytes of a playbook file. Raises PlaybookUnreadable with the place of the fault."""
    try:
        loaded = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        raise PlaybookUnreadable(f"not UTF-8 text (byte {fault.start})") from fault
    except json.JSONDecodeError as fault:
        for number, line in enumerate(fault.doc.splitlines(), start=1):
            if line.startswith("<<<<<<<"):
                said = f"line {number} begins a git merge conflict (`git checkout --ours`, or --theirs, takes one side)"
                raise PlaybookUnreadable(said, number) from fault
        said = f"no valid JSON (line {fault.lineno}, column {fault.colno}: {fault.msg})"
        raise PlaybookUnreadable(said, fault.lineno) from fault
    except (ValueError, RecursionError) as fault:
        raise PlaybookUnreadable(f"no usable JSON ({type(fault).__name__})") from fault
    return read_playbook(loaded, floor=floor)


def read_playbook(data: object, *, floor: int = 0) -> Read:
    """
    Bring loaded JSON into the written form. `data` is left alone.

    Ids at or below `floor` get new numbers above it (the user's playbook is numbered from 9001). Raises
    PlaybookUnreadable.
    """
    if not isinstance(data, dict):
        raise PlaybookUnreadable(f"a playbook is a JSON object, not {_json_kind(data)}")
    flat = data.get("sections") is None
    written = _rows_by_section(deepcopy(data))
    ids = _Ids([row for rows in written.values() for row in rows], floor)
    sections: dict[str, list[KeyPoint]] = {}
    unread: list[Unread] = []
    for section, rows in written.items():
        points = sections[section] = []
        for row in rows:
            point = _key_point(row, flat=flat)
            if point is not None:
                points.append({**point, "name": ids.claim(point["name"])})
            elif row and not (isinstance(row, str) or _is_divider(row)):
                unread.append(Unread(section, row))
    head = {"version": data.get("version") or "1.0", "last_updated": data.get("last_updated")}
    more = {name: deepcopy(data[name]) for name in data if name not in {*head, *_ROWS}}
    migrated = frozenset(ids.given) if flat else frozenset()
    return Read({**head, **more, "sections": sections}, migrated, tuple(unread))


def with_unread(playbook: Playbook, unread: Sequence[Unread]) -> Playbook:
    """A copy with the rows that could not be read, each at its section's end."""
    result = deepcopy(playbook)
    for item in unread:
        result["sections"].setdefault(item.section, []).append(item.row)
    return result


def _rows_by_section(data: dict[str, Any]) -> dict[str, list[object]]:
    """
    The rows of each section, canonical ones first; `sections` wins over `key_points`. Raises PlaybookUnreadable.

    The shape decides and not `version`. An object with neither is an empty playbook only where it has nothing else either:
    it may be another tool's.
    """
    found: dict[str, list[object]] = {section: [] for section in SECTIONS}
    sections = data.get("sections")
    if sections is None:
        if not data.keys() & _ROWS and data.keys() - {"version", "last_updated"}:
            raise PlaybookUnreadable("it has neither sections nor key points")
        found[OTHERS] = _list(data.get("key_points"), '"key_points"')
        return found
    if not isinstance(sections, dict):
        raise PlaybookUnreadable(f'"sections" is {_json_kind(sections)} instead of an object')
    for written, content in sections.items():
        tidy = " ".join(written.split()).upper()
        section = tidy if tidy in SLUGS else written  # one of somebody's own stays as it is
        found.setdefault(section, []).extend(_list(content, f'section "{written[:40]}"'))
    return found


def _list(value: object, what: str) -> list[object]:
    if value is not None and not isinstance(value, list):
        raise PlaybookUnreadable(f"{what} is {_json_kind(value)} instead of a list")
    return value or []


def _key_point(row: object, *, flat: bool) -> KeyPoint | None:
    """One row as a key point (its name may still be empty), or None for a divider and what has no text."""
    if isinstance(row, str):
        row = {"text": row}
    if not isinstance(row, dict) or _is_divider(row):
        return None
    name, text = row.get("name"), row.get("text")
    if not isinstance(text, str) or not text.strip():
        return None
    votes = counters(row) if {"helpful", "harmful"} & row.keys() else _from_score(row.get("score"))
    point = {
        "name": name.strip() if isinstance(name, str) else "",
        "text": text,
        "helpful": votes[0],
        "harmful": votes[1],
    }
    dropped = {*point, "score", *(_FLAT_LIST_FIELDS if flat else ())}
    return point | {key: value for key, value in row.items() if key not in dropped}


def _is_divider(row: object) -> bool:
    return isinstance(row, dict) and row.get("divider") is True


def _from_score(score: object) -> tuple[int, int]:
    """The counters of an older file, which had one signed number."""
    if isinstance(score, (int, float)) and score < 0:
        return 0, count_of(-score)
    return count_of(score), 0


class _Ids:
    """Gives every key point an id of its own: its old one where that is free, else the next number."""

    def __init__(self, rows: list[object], floor: int) -> None:
        names = [row.get("name") for row in rows if isinstance(row, dict)]
        self._in_file = {name.strip() for name in names if isinstance(name, str)}
        self._floor = floor
        self._highest: dict[str, int] = {}  # slug -> highest number so far
        self.given: set[str] = set()

    def claim(self, name: str) -> str:
        slug, number = id_parts(name) or (LEGACY_SLUG, self._floor + 1)
        if not name or name in self.given or number <= self._floor:
            number = max(self._highest.get(slug, 0), self._floor) + 1
            while (name := make_id(slug, number)) in self._in_file or name in self.given:
                number += 1
        self.given.add(name)
        if id_parts(name):
            self._highest[slug] = max(self._highest.get(slug, 0), number)
        return name


def _json_kind(value: object) -> str:
    kinds = {list: "a list", dict: "an object", str: "a string", bool: "true or false"}
    return "null" if value is None else kinds.get(type(value), "a number")
