"""
Playbooks in other forms: ACE's text lines and Markdown out; both of them and every JSON form in.

Text lines are what the ACE paper's own program writes: `[id] helpful=X harmful=Y :: text` under `## SECTION`.
Source: ace-agent/ace, `playbook_utils.py`.
"""

import json
import re
from copy import deepcopy
from dataclasses import replace

from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.model import (
    OTHERS,
    SECTIONS,
    KeyPoint,
    Playbook,
    counters,
    empty_playbook,
    find,
    id_parts,
    key_points,
    resolve_section,
)
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.playbook.outcome import Memory, Outcome, copy_of
from ace_reflect.playbook.read import PlaybookUnreadable, Read, parse_playbook, read_playbook
from ace_reflect.playbook.render import heading, render_sections

_LINE = re.compile(
    r"^\s*(?:[-*]\s+)?\[([^\]\s]{1,64})\]\s*helpful\s*=\s*(\d{1,9})\s+harmful\s*=\s*(\d{1,9})\s*::\s?(.*)$"
)
#: What can only be meant as the beginning of a key point: an id in brackets at the margin, or both counters.
_MEANT = re.compile(
    r"^(?:[-*]\s+)?\[\s*[A-Za-z]{1,20}[\s_-]{0,3}\d{1,9}\s*\](?!\()|^.{0,100}?helpful\s*=.{0,40}?harmful\s*=.{0,40}?::"
)
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_BULLET = re.compile(
    r"^[-*+]\s+(\S.*)$"
)  # at the margin; one that is indented belongs to what stands above it

#: Sections of the paper's program that have another name here.
_SECTIONS_ELSEWHERE = {
    "STRATEGIES & INSIGHTS": "PATTERNS & APPROACHES",
    "STRATEGIES AND INSIGHTS": "PATTERNS & APPROACHES",
    "STRATEGIES AND HARD RULES": "PATTERNS & APPROACHES",
    "FORMULAS & CALCULATIONS": "PATTERNS & APPROACHES",
    "CODE SNIPPETS & TEMPLATES": "PATTERNS & APPROACHES",
    "PROBLEM-SOLVING HEURISTICS": "PATTERNS & APPROACHES",
    "VERIFICATION CHECKLIST": "PATTERNS & APPROACHES",
    "COMMON MISTAKES TO AVOID": "MISTAKES TO AVOID",
    "COMMON MISTAKES AND CORRECT STRATEGIES": "MISTAKES TO AVOID",
    "CONTEXT CLUES & INDICATORS": "PROJECT CONTEXT",
}
_MARKDOWN_TITLE = "Learned key points"
_MARKDOWN_TITLES = {section: section.capitalize() for section in SECTIONS}


def to_lines(playbook: Playbook) -> str:
    """ACE's text lines; empty for a playbook without key points."""
    body = render_sections(playbook)
    return f"{body}\n" if body else ""


def to_markdown(playbook: Playbook) -> str:
    """A section for a CLAUDE.md: the texts under their headings, without ids and counters."""
    lines = [f"## {_MARKDOWN_TITLE}", ""]
    current = None
    for section, point in key_points(playbook):
        if section != current:
            current = section
            title = _MARKDOWN_TITLES.get(section) or heading(section).removeprefix("## ")
            lines += [*([""] if len(lines) > 2 else []), f"### {title}", ""]
        lines.append(f"- {neutralise(str(point.get('text', '')))}")
    return "\n".join(lines) + "\n" if current else ""


def read_any(data: bytes) -> Read:
    """
    A playbook out of a file of any known form.

    Raises PlaybookUnreadable with what was tried, PlaybookNewer.
    """
    whole = data.decode("utf-8-sig", "replace")
    text = whole.lstrip()
    rows = _json_list(text) if text.startswith("[") else None
    if text.startswith("{"):
        read = parse_playbook(data)
    elif rows is not None:  # somebody's bare list of key points
        read = read_playbook({"key_points": rows})
    else:
        read = read_playbook(read_lines(whole))
    if not any(key_points(read.playbook)):
        raise PlaybookUnreadable(
            "it holds no key point, neither as a playbook's JSON nor as lines `[pat-001] helpful=3 harmful=0 :: text` "
            f"nor as a list under `## {_MARKDOWN_TITLE}`"
        )
    return read


def read_lines(text: str) -> Playbook:
    """
    The key points among text lines. A line that begins nothing goes on with the key point above it; text before the
    first one, and unknown headings' names, are left out.

    In a list, that is after a key point with a bullet and in the Markdown section that `to_markdown` writes, a bullet
    begins a key point even without id and counters; its name is then the line's, which nobody can cite. Of a file with
    such a section nothing else is read.

    Raises PlaybookUnreadable, with the line, for one that is meant as a key point and cannot be read as one.
    """
    playbook = empty_playbook()
    section, point, before = OTHERS, None, ""
    rows, markdown = _rows(text)
    in_list = markdown
    begun: list[tuple[int, KeyPoint]] = []
    for number, line in rows:
        title, entry = _HEADING.match(line), _LINE.match(line)
        bullet = _BULLET.match(line) if in_list and not entry else None
        if not entry and _MEANT.match(line):
            raise _misshapen(number, line)
        new = _from_line(entry) if entry else _from_bullet(bullet, number) if bullet else None
        if new:
            point = new
            in_list = in_list or line.lstrip()[0] in "-*"
            playbook["sections"][section].append(point)
            begun.append((number, point))
        elif title:
            section, point, in_list = _section(title[2].rstrip("#").rstrip()), None, markdown
        elif markdown and not before.strip() and not line[:1].isspace():
            point = None  # a paragraph of its own
        elif point is not None and line.strip():
            point["text"] = f"{point['text']} {line.strip()}".strip()
        before = line
    for number, point in begun:
        if not point["text"]:
            raise PlaybookUnreadable(
                f"line {number} begins the key point [{point['name']}], which has no text", number
            )
    return playbook


def _rows(text: str) -> tuple[list[tuple[int, str]], bool]:
    """(number, line) of what may hold key points, and whether that is the Markdown section alone."""
    rows = list(enumerate(text.splitlines(), start=1))
    own: list[tuple[int, str]] = []
    depth = 0  # of the section's heading, while in it
    for number, line in rows:
        title = _HEADING.match(line)
        if title and title[2].rstrip("# ").casefold() == _MARKDOWN_TITLE.casefold():
            depth = len(title[1])
        elif title and len(title[1]) <= depth:
            depth = 0
        elif depth:
            own.append((number, line))
    return own or rows, bool(own)


def _from_line(entry: re.Match[str]) -> KeyPoint:
    name, helpful, harmful, said = entry.groups()
    return {"name": name, "text": said.strip(), "helpful": int(helpful), "harmful": int(harmful)}


def _from_bullet(bullet: re.Match[str], number: int) -> KeyPoint:
    return {"name": f"line-{number}", "text": bullet[1].strip(), "helpful": 0, "harmful": 0}


def _misshapen(number: int, line: str) -> PlaybookUnreadable:
    shown = neutralise(" ".join(line.split()))
    shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
    said = f"line {number} is no key point, `[id] helpful=N harmful=N :: text`, but looks like one: {shown}"
    return PlaybookUnreadable(said, number)


def add_all(
    playbook: Playbook, incoming: Read, memory: Memory
) -> tuple[Playbook, list[Outcome], Memory]:
    """
    The playbook with the key points of another one; the argument is left alone.

    What says the same as one that is there is left out, so that importing twice adds nothing. An id is kept where it
    can be cited and is free, else the key point gets the next one of its section.
    """
    result = deepcopy(playbook)
    used = memory = memory.with_numbers_of(result)
    for _, point in key_points(
        incoming.playbook
    ):  # new ids are numbered above those that come with the file
        if _can_keep(result, point["name"], used):
            memory = memory.with_number(*_parts(point["name"]))
    outcomes = []
    for section, point in key_points(incoming.playbook):
        present = same_text(result, point["text"])
        if present:
            outcomes.append(_left_out(section, point, present))
            continue
        name = point["name"]
        if not _can_keep(result, name, used):
            name, memory = memory.next_id(section)
        outcomes.append(_add(result, section, point, name))
        if point["name"] in incoming.migrated:
            memory = replace(memory, protected=memory.protected | {name})
    return result, outcomes, memory


def _add(playbook: Playbook, section: str, point: KeyPoint, name: str) -> Outcome:
    helpful, harmful = counters(point)
    new = {**point, "name": name, "helpful": helpful, "harmful": harmful}
    playbook["sections"].setdefault(section, []).append(new)
    was = f"; it was {point['name']} there" if name != point["name"] else ""
    return Outcome("ADD", name, why=f"added to {section}{was}", after=copy_of(new, section))


def _left_out(section: str, point: KeyPoint, present: str) -> Outcome:
    return Outcome(
        "ADD",
        point["name"],
        applied=False,
        why=f"{present} says that already",
        before=copy_of(point, section),
    )


def _can_keep(playbook: Playbook, name: str, used: Memory) -> bool:
    """Whether this id can be cited and was never used in this playbook."""
    parts = id_parts(name)
    if parts is None or find(playbook, name):
        return False
    slug, number = parts
    return number > max(used.floor, used.numbers.get(slug, 0))


def _parts(name: str) -> tuple[str, int]:
    parts = id_parts(name)
    assert parts is not None  # noqa: S101 - only citable ids are kept
    return parts


def _section(title: str) -> str:
    tidy = " ".join(title.split()).upper().rstrip(":")
    return _SECTIONS_ELSEWHERE.get(tidy) or resolve_section(tidy)


def _json_list(text: str) -> list[object] | None:
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return loaded if isinstance(loaded, list) else None
