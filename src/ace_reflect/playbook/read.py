"""A playbook's bytes, in every form that exists (DESIGN §4), read by shape into the one form that is written (`model`)."""

import json
import os
import re
import stat
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from ace_reflect.errors import PlaybookError
from ace_reflect.playbook import model
from ace_reflect.playbook.model import KeyPoint, Playbook

MAX_BYTES = 64 * 1024 * 1024  # no real playbook; /dev/zero behind a link is

#: What a fork of the flat list wrote beside the counters; meaningless here.
_FLAT_FIELDS = ("tags", "pending", "effect_rating", "risk_level", "innovation_level", "divider")
_ROWS = frozenset({"sections", "key_points"})  # a playbook's fields that hold its rows
_OTHER_TOOLS = ("bullets", "skills", "entries")  # where they keep what they learned

#: What the ACE paper's own program writes under `## SECTION`. Source: ace-agent/ace, `playbook_utils.py`.
_LINE = r"^\s*(?:[-*]\s+)?\[([^\]\s]{1,64})\]\s*helpful\s*=\s*(\d{1,9})\s+harmful\s*=\s*(\d{1,9})\s*::\s?(.*)$"
#: What can only be the beginning of a key point: an id in brackets at the margin, or both counters.
_MEANT = r"^(?:[-*]\s+)?\[\s*[A-Za-z]{1,20}[\s_-]{0,3}\d{1,9}\s*\](?!\()|^.{0,100}?helpful\s*=.{0,40}?harmful\s*=.{0,40}?::"
#: First word of a section of that program -> ours.
_SECTIONS_ELSEWHERE = {"STRATEGIES": "pat", "FORMULAS": "pat", "CODE": "pat", "PROBLEM-SOLVING": "pat", "VERIFICATION": "pat", "COMMON": "mis", "CONTEXT": "ctx"}  # fmt: skip


class PlaybookUnreadable(PlaybookError):
    """The bytes are not a playbook. `line` is where that shows, from 1; 0 if no line is to blame."""

    def __init__(self, fault: str, line: int = 0) -> None:
        super().__init__(fault)
        self.line = line


@dataclass(frozen=True, slots=True)
class Unread:
    """A row with content that is no key point: not used, but left in its section for the person to fix."""

    section: str
    row: object

    @property
    def name(self) -> str:
        """The name it gives itself, if any."""
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
    """A playbook in the written form, what happened to its rows, and the file's bytes (None without a file)."""

    playbook: Playbook
    migrated: frozenset[str] = frozenset()  # ids from a flat list: not pruned before a vote
    unread: tuple[Unread, ...] = ()
    data: bytes | None = None

    @property
    def digest(self) -> str:
        return digest(self.data)


def digest(data: bytes | None) -> str:
    """sha256 of a file's bytes; empty if there is no file."""
    import hashlib

    return "" if data is None else hashlib.sha256(data).hexdigest()


def read_bytes(path: str) -> bytes | None:
    """The file's bytes, None without a file. Raises PlaybookError if it is no plain file or cannot be opened."""
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
    return replace(read_playbook(loaded, floor=floor), data=data)


def read_playbook(data: object, *, floor: int = 0) -> Read:
    """A copy of loaded JSON in the written form; ids at or below `floor` get new numbers. Raises PlaybookUnreadable."""
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
            elif row and not isinstance(row, str):
                unread.append(Unread(section, row))
    head = {"version": data.get("version") or "1.0", "last_updated": data.get("last_updated")}
    more = {name: deepcopy(data[name]) for name in data if name not in {*head, *_ROWS}}
    migrated = frozenset(ids.given) if flat else frozenset()
    return Read({**head, **more, "sections": sections}, migrated, tuple(unread))


def read_any(data: bytes) -> Read:
    """A playbook from a file in any known form. Raises PlaybookUnreadable with what was tried."""
    text = data.decode("utf-8-sig", "replace")
    rows: object = None
    with suppress(ValueError, RecursionError):
        rows = json.loads(text)
    if other := _other_tools(rows):
        read = read_playbook(other)
    elif text.lstrip().startswith("{"):
        read = parse_playbook(data)
    else:  # somebody's bare list of key points, or text lines
        flat = {"key_points": rows} if isinstance(rows, list) else read_lines(text)
        read = read_playbook(flat)
    if not any(model.key_points(read.playbook)):
        raise PlaybookUnreadable(
            "it holds no key point, neither as a playbook's JSON nor as lines `[pat-001] helpful=3 harmful=0 :: text`"
        )
    return read


def _other_tools(data: object) -> dict[str, Any] | None:
    """Another ACE tool's file in our form, None for any other: entries with `content` in sections, in a list or by their
    ids, or with `text` by their ids. What is no longer in use stays out."""
    held: dict[str, Any] = data if isinstance(data, dict) else {"bullets": data}
    sections, by_id = held.get("sections"), not held.keys() & {*_ROWS, *_OTHER_TOOLS}
    rows: Any = next((held[name] for name in _OTHER_TOOLS if name in held), held if by_id else ())
    if isinstance(sections, dict) and not rows:
        lists = ((name, each) for name, each in sections.items() if isinstance(each, list))
        rows = [{"section": name, **row} for name, own in lists for row in own if type(row) is dict]
    entries = rows.values() if isinstance(rows, dict) else rows if isinstance(rows, list) else ()
    kept = [entry for entry in entries if isinstance(entry, dict) and _in_use(entry)]
    if not any("content" in entry or (by_id and "text" in entry) for entry in kept):
        return None
    found: dict[str, list[object]] = {}
    for entry in kept:
        votes = entry.get("votes")
        counts = (
            votes if isinstance(votes, dict) else {**entry, "score": votes or entry.get("score")}
        )
        point = {name: counts[name] for name in ("helpful", "harmful", "score") if counts.get(name)}
        row = {"text": entry.get("content") or entry.get("text"), **point}
        found.setdefault(str(entry.get("section") or model.OTHERS), []).append(row)
    return {"sections": found}


def _in_use(entry: dict[str, Any]) -> bool:
    gone = any(entry.get(name) is True for name in ("deprecated", "archived", "deleted"))
    return entry.get("status", "active") == "active" and not gone


def read_lines(text: str) -> Playbook:
    """The key points among text lines. Raises PlaybookUnreadable for a malformed one."""
    from ace_reflect.playbook.neutral import neutralise

    playbook, section = model.empty_playbook(), model.OTHERS
    point: KeyPoint = {}  # the last one; none after a heading
    begun = []
    for number, line in enumerate(text.splitlines(), start=1):
        if entry := re.match(_LINE, line):
            name, helpful, harmful, said = entry.groups()
            point = {"name": name, "text": said.strip()}
            point |= {"helpful": int(helpful), "harmful": int(harmful)}
            playbook["sections"][section].append(point)
            begun.append((number, point))
        elif re.match(_MEANT, line):
            shown = neutralise(" ".join(line.split()))[:60]
            said = f"line {number} is no key point, `[id] helpful=N harmful=N :: text`, but looks like one: {shown}"
            raise PlaybookUnreadable(said, number)
        elif line.startswith("#") and not line.split()[0].strip("#"):
            title = line.strip("# ").upper()
            section = model.resolve_section(_SECTIONS_ELSEWHERE.get(title.partition(" ")[0], title))
            point = {}
        elif point:  # any other line continues the one above it
            point["text"] = f"{point['text']} {line.strip()}".strip()
    for number, point in begun:
        if not point["text"]:
            said = f"line {number} begins the key point [{point['name']}], which has no text"
            raise PlaybookUnreadable(said, number)
    return playbook


def _rows_by_section(data: dict[str, Any]) -> dict[str, list[object]]:
    """The rows of each section without dividers, canonical sections first. Raises PlaybookUnreadable."""
    found: dict[str, list[object]] = {section: [] for section in model.SLUGS}
    sections = data.get("sections")
    if any(isinstance(data.get(name), dict) for name in _OTHER_TOOLS):
        said = "it is another tool's; `ace-reflect playbook import` takes its key points over"
        raise PlaybookUnreadable(said)
    if sections is None:
        # It may be another tool's file.
        if not data.keys() & _ROWS and data.keys() - {"version", "last_updated"}:
            raise PlaybookUnreadable("it has neither sections nor key points")
        found[model.OTHERS] = _list(data.get("key_points"), '"key_points"')
        return found
    if not isinstance(sections, dict):
        raise PlaybookUnreadable(f'"sections" is {_json_kind(sections)} instead of an object')
    for written, content in sections.items():
        tidy = " ".join(written.split()).upper()
        section = tidy if tidy in model.SLUGS else written  # their own stays as it is
        found.setdefault(section, []).extend(_list(content, f'section "{written[:40]}"'))
    return found


def _list(value: object, what: str) -> list[object]:
    if value is not None and not isinstance(value, list):
        raise PlaybookUnreadable(f"{what} is {_json_kind(value)} instead of a list")
    rows: list[object] = value or []
    return [row for row in rows if not (isinstance(row, dict) and row.get("divider") is True)]


def _key_point(row: object, *, flat: bool) -> KeyPoint | None:
    """One row as a key point (its name may still be empty), or None if it has no text."""
    row = {"text": row} if isinstance(row, str) else row
    text = row.get("text") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(text, str) or not text.strip():
        return None
    name, score = row.get("name"), row.get("score")
    helpful, harmful = model.counters(row)
    if not {"helpful", "harmful"} & row.keys():  # an older file has one signed number
        helpful = model.count_of(score)
        harmful = model.count_of(-score) if isinstance(score, (int, float)) else 0
    name = name.strip() if isinstance(name, str) else ""
    point = {"name": name, "text": text, "helpful": helpful, "harmful": harmful}
    dropped = {*point, "score", *(_FLAT_FIELDS if flat else ())}
    return point | {key: value for key, value in row.items() if key not in dropped}


class _Ids:
    """Gives every key point its own id: the old one if it is free, else the next number."""

    def __init__(self, rows: list[object], floor: int) -> None:
        names = [row.get("name") for row in rows if isinstance(row, dict)]
        self._in_file = {name.strip() for name in names if isinstance(name, str)}
        self._floor = floor
        self._highest: dict[str, int] = {}  # slug -> highest number so far
        self.given: set[str] = set()

    def claim(self, name: str) -> str:
        slug, number = model.id_parts(name) or (model.LEGACY_SLUG, self._floor + 1)
        if not name or name in self.given or number <= self._floor:
            number = max(self._highest.get(slug, 0), self._floor) + 1
            while (name := model.make_id(slug, number)) in self._in_file or name in self.given:
                number += 1
        self.given.add(name)
        if model.id_parts(name):
            self._highest[slug] = max(self._highest.get(slug, 0), number)
        return name


def _json_kind(value: object) -> str:
    kinds = {list: "a list", dict: "an object", str: "a string", bool: "true or false"}
    return "null" if value is None else kinds.get(type(value), "a number")
