"""
Every playbook form that exists, read by its shape into the one form that is written (`model`).

Forms in the field: `key_points` of strings, of `{name?, text, score?}`, of `{name, text, helpful, harmful}`, with extra
fields and divider rows; and `sections`, with sections or counters missing.
"""

import json
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
    Playbook,
    count_of,
    id_parts,
    make_id,
)
from ace_reflect.playbook.outcome import Memory

#: Fields that another fork wrote beside the counters; they mean nothing here and went with the flat list.
_FLAT_LIST_FIELDS = frozenset(
    {"score", "tags", "pending", "effect_rating", "risk_level", "innovation_level", "divider"}
)

KNOWN_MAJOR_VERSION = 1


class PlaybookUnreadable(PlaybookError):
    """The bytes are no playbook. `line` is where it shows, counted from 1; 0 where no line is to blame."""

    def __init__(self, fault: str, line: int = 0) -> None:
        super().__init__(fault)
        self.line = line


class MergeConflict(PlaybookUnreadable):
    """Git left both sides of a merge in the file."""


class PlaybookNewer(PlaybookError):
    """A newer program wrote it: the file is left where it is."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A row that cannot be read: it is not used, and stays in the file as it is for the person to mend."""

    section: str
    row: object
    behind: str  # the id of the key point before it, "" at the section's beginning

    @property
    def name(self) -> str:
        """What it calls itself, as far as it does."""
        name = self.row.get("name") if isinstance(self.row, dict) else None
        return (
            name.strip()[:24]
            if isinstance(name, str) and name.strip()
            else "an entry without a name"
        )

    @property
    def fault(self) -> str:
        if not isinstance(self.row, dict):
            return f"it is {_json_kind(self.row)}"
        text = self.row.get("text")
        if isinstance(text, str):
            return "its text is empty"
        return f"its text is {_json_kind(text)}" if "text" in self.row else "it has no text"


@dataclass(frozen=True, slots=True)
class Read:
    """A playbook in the written form, and what became of the rows on the way."""

    playbook: Playbook
    migrated: frozenset[str] = (
        frozenset()
    )  # ids that came from a flat list: not pruned before their first vote
    unread: tuple[Unread, ...] = ()  # rows that say something and are no key points

    def reserve(self, memory: Memory) -> Memory:
        """With the numbers of the rows that cannot be read: when they are mended, their ids are to be their own."""
        for item in self.unread:
            if parts := id_parts(item.name):
                memory = memory.with_number(*parts)
        return memory


def parse_playbook(data: bytes, *, floor: int = 0) -> Read:
    """
    Read the bytes of a playbook file.

    Raises PlaybookUnreadable with the place of the fault, or PlaybookNewer.
    """
    try:
        text = data.decode("utf-8-sig")
        loaded = json.loads(text)
    except UnicodeDecodeError as fault:
        raise PlaybookUnreadable(f"not UTF-8 text (byte {fault.start})") from fault
    except json.JSONDecodeError as fault:
        if line := _conflict(text):
            raise MergeConflict(f"line {line} begins a git merge conflict", line) from fault
        said = f"no valid JSON (line {fault.lineno}, column {fault.colno}: {fault.msg})"
        raise PlaybookUnreadable(said, fault.lineno) from fault
    except (ValueError, RecursionError) as fault:
        raise PlaybookUnreadable(f"no usable JSON ({type(fault).__name__})") from fault
    return read_playbook(loaded, floor=floor)


def _conflict(text: str) -> int:
    """The line on which git began to write down both sides of a merge, 0 where it did not."""
    lines = (
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if line.startswith("<<<<<<<")
    )
    return next(lines, 0)


def is_meant_as_playbook(data: bytes) -> bool:
    """Whether JSON says of itself that it is one: any object can be read as an empty playbook."""
    try:
        loaded = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    if not isinstance(loaded, dict):
        return False
    return isinstance(loaded.get("sections"), dict) or isinstance(loaded.get("key_points"), list)


def read_playbook(data: object, *, floor: int = 0) -> Read:
    """
    Bring loaded JSON into the written form. `data` is left alone.

    Ids at or below `floor` get new numbers above it (the user's playbook is numbered from 9001).
    """
    if not isinstance(data, dict):
        raise PlaybookUnreadable(f"a playbook is a JSON object, not {_json_kind(data)}")
    rows = _rows_by_shape(data)
    names = _Names(rows, floor)
    sections: dict[str, list[dict[str, Any]]] = {section: [] for section in SECTIONS}
    migrated: set[str] = set()
    unread: list[Unread] = []
    for section, row, flat in rows:
        point = _key_point(row, flat=flat)
        if point is None:
            if not _says_nothing(row):
                present = sections.get(section)
                unread.append(
                    Unread(section, deepcopy(row), present[-1]["name"] if present else "")
                )
            continue
        point["name"] = names.claim(point["name"])
        if flat:
            migrated.add(point["name"])
        sections.setdefault(section, []).append(point)
    return Read(_frame(data, sections), frozenset(migrated), tuple(unread))


def with_unread(playbook: Playbook, unread: Sequence[Unread]) -> Playbook:
    """A copy with the rows that could not be read where they stood: behind the same key point, as far as it is there."""
    result = deepcopy(playbook)
    for section in dict.fromkeys(item.section for item in unread):
        waiting: dict[str, list[object]] = {}
        for item in unread:
            if item.section == section:
                waiting.setdefault(item.behind, []).append(deepcopy(item.row))
        rows = waiting.pop("", [])
        for row in result["sections"].get(section) or ():
            rows += [row, *(waiting.pop(row["name"], []) if isinstance(row, dict) else ())]
        result["sections"][section] = [*rows, *(row for left in waiting.values() for row in left)]
    return result


def _says_nothing(row: object) -> bool:
    """Dividers, and rows that are empty."""
    return (
        not row
        or (isinstance(row, str) and not row.strip())
        or (isinstance(row, dict) and row.get("divider") is True)
    )


def _json_kind(value: object) -> str:
    kinds = {
        list: "a list",
        dict: "an object",
        str: "a string",
        bool: "true or false",
        type(None): "null",
    }
    return kinds.get(type(value), "a number")


def _rows_by_shape(data: dict[str, Any]) -> list[tuple[str, object, bool]]:
    """The rows of a form that is known, whatever version it says; an unknown one may be a newer program's."""
    try:
        rows = _rows(data)
    except PlaybookUnreadable:
        _refuse_newer(data.get("version"))
        raise
    if data.get("sections") is None and data.get("key_points") is None:
        _refuse_newer(data.get("version"))
    return rows


def _refuse_newer(version: object) -> None:
    """Known forms all say 1.0; a higher major number on another form is from a program that knows better."""
    major = str(version).strip().partition(".")[0]
    if major.isdecimal() and len(major) < 6 and int(major) > KNOWN_MAJOR_VERSION:
        raise PlaybookNewer(
            f"its version is {version!s}, and this program knows {KNOWN_MAJOR_VERSION}.x: update ace-reflect"
        )


def _rows(data: dict[str, Any]) -> list[tuple[str, object, bool]]:
    """(section, row, from a flat list) for every row; `sections` wins over `key_points`."""
    sections, flat = data.get("sections"), data.get("key_points")
    if sections is None:
        if flat is not None and not isinstance(flat, list):
            raise PlaybookUnreadable(f'"key_points" is {_json_kind(flat)} instead of a list')
        return [(OTHERS, row, True) for row in flat or []]
    if not isinstance(sections, dict):
        raise PlaybookUnreadable(f'"sections" is {_json_kind(sections)} instead of an object')
    rows: list[tuple[str, object, bool]] = []
    for section in sorted(sections, key=_canonical_first):
        content = sections[section]
        if content is not None and not isinstance(content, list):
            raise PlaybookUnreadable(
                f'section "{section[:40]}" is {_json_kind(content)} instead of a list'
            )
        rows += [(_section_name(section), row, False) for row in content or []]
    return rows


def _section_name(written: str) -> str:
    """A canonical section however it is spelled; a section of somebody's own stays as it is."""
    tidy = " ".join(written.split()).upper()
    return tidy if tidy in SLUGS else written


def _canonical_first(section: str) -> int:
    name = _section_name(section)
    return SECTIONS.index(name) if name in SLUGS else len(SECTIONS)


def _key_point(row: object, *, flat: bool) -> dict[str, Any] | None:
    """One row as a key point (its name may still be empty), or None for a divider and what has no text."""
    if isinstance(row, str):
        row = {"text": row}
    if not isinstance(row, dict) or row.get("divider") is True:
        return None
    text = row.get("text")
    if not isinstance(text, str) or not text.strip():
        return None
    name = row.get("name")
    helpful, harmful = _counters(row)
    known = {"name", "text", "helpful", "harmful", "score"} | (_FLAT_LIST_FIELDS if flat else set())
    more = {key: deepcopy(value) for key, value in row.items() if key not in known}
    return {
        "name": name.strip() if isinstance(name, str) else "",
        "text": text,
        "helpful": helpful,
        "harmful": harmful,
        **more,
    }


def _counters(row: dict[str, Any]) -> tuple[int, int]:
    """Counters as they stand; from the old signed score only where there is neither."""
    if "helpful" in row or "harmful" in row:
        return count_of(row.get("helpful")), count_of(row.get("harmful"))
    score = row.get("score")
    if isinstance(score, str) and score.strip().startswith("-"):
        return 0, count_of(score.strip()[1:])
    if isinstance(score, (int, float)) and not isinstance(score, bool) and score < 0:
        return 0, count_of(-score)
    return count_of(score), 0


def _frame(data: dict[str, Any], sections: dict[str, list[dict[str, Any]]]) -> Playbook:
    """The fields around the sections: unknown ones stay, in their place."""
    kept = {
        key: deepcopy(value) for key, value in data.items() if key not in {"key_points", "sections"}
    }
    head = {
        "version": kept.pop("version", None) or "1.0",
        "last_updated": kept.pop("last_updated", None),
    }
    empty_own: dict[str, list[Any]] = {
        key: [] for key in data.get("sections") or {} if _section_name(key) not in sections
    }
    return {**head, **kept, "sections": {**sections, **empty_own}}


class _Names:
    """Gives every key point an id of its own: its old one where that is free, else the next number."""

    def __init__(self, rows: list[tuple[str, object, bool]], floor: int) -> None:
        self._floor = floor
        self._in_file = {
            row["name"].strip()
            for _, row, _ in rows
            if isinstance(row, dict) and isinstance(row.get("name"), str)
        }
        self._given: set[str] = set()
        self._seen: dict[
            str, int
        ] = {}  # slug -> highest number so far, as the field's own migration counts

    def claim(self, wanted: str) -> str:
        parts = id_parts(wanted)
        below = parts is not None and parts[1] <= self._floor
        free = bool(wanted) and wanted not in self._given and not below
        name = wanted if free else self._next(parts[0] if parts else LEGACY_SLUG)
        self._given.add(name)
        taken = id_parts(name)
        if taken:
            self._seen[taken[0]] = max(self._seen.get(taken[0], 0), taken[1])
        return name

    def _next(self, slug: str) -> str:
        number = max(self._seen.get(slug, 0), self._floor) + 1
        while make_id(slug, number) in self._in_file or make_id(slug, number) in self._given:
            number += 1
        return make_id(slug, number)
