"""
Playbooks in other forms: ACE's text lines and Markdown out, text lines and every JSON form in.

Text lines are what the ACE paper's own program writes: `[id] helpful=X harmful=Y :: text` under `## SECTION`.
Source: ace-agent/ace, `playbook_utils.py`.
"""

import json
import re
from copy import deepcopy
from dataclasses import replace

from ace_reflect.playbook.change import Memory, Outcome, copy_of
from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.model import (
    OTHERS,
    KeyPoint,
    Playbook,
    empty_playbook,
    id_parts,
    key_points,
    resolve_section,
)
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.playbook.read import PlaybookUnreadable, Read, parse_playbook, read_playbook
from ace_reflect.playbook.render import heading, render_sections

_LINE = re.compile(
    r"^\s*(?:[-*]\s+)?\[([^\]\s]{1,64})\]\s*helpful\s*=\s*(\d{1,9})\s+harmful\s*=\s*(\d{1,9})\s*::\s?(.*)$"
)
#: What can only be meant as the beginning of a key point: an id in brackets at the margin, or both counters.
_MEANT = re.compile(
    r"^(?:[-*]\s+)?\[\s*[A-Za-z]{1,20}[\s_-]{0,3}\d{1,9}\s*\](?!\()|^.{0,100}?helpful\s*=.{0,40}?harmful\s*=.{0,40}?::"
)

#: First word of a section of the paper's program -> ours.
_SECTIONS_ELSEWHERE = {"STRATEGIES": "pat", "FORMULAS": "pat", "CODE": "pat", "PROBLEM-SOLVING": "pat", "VERIFICATION": "pat", "COMMON": "mis", "CONTEXT": "ctx"}  # fmt: skip


def to_lines(playbook: Playbook) -> str:
    """ACE's text lines; empty for a playbook without key points."""
    body = render_sections(playbook)
    return f"{body}\n" if body else ""


def to_markdown(playbook: Playbook) -> str:
    """A section for a CLAUDE.md: the texts under their headings, without ids and counters."""
    lines = ["## Learned key points"]
    current = None
    for section, point in key_points(playbook):
        if section != current:
            lines += ["", f"#{heading(section.capitalize())}", ""]
            current = section
        lines.append(f"- {neutralise(str(point.get('text', '')))}")
    return "\n".join(lines) + "\n" if current else ""


def read_any(data: bytes) -> Read:
    """A playbook out of a file of any known form. Raises PlaybookUnreadable with what was tried."""
    text = data.decode("utf-8-sig", "replace")
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        rows = None
    if text.lstrip().startswith("{"):
        read = parse_playbook(data)
    else:  # somebody's bare list of key points, or text lines
        flat = {"key_points": rows} if isinstance(rows, list) else read_lines(text)
        read = read_playbook(flat)
    if not any(key_points(read.playbook)):
        raise PlaybookUnreadable(
            "it holds no key point, neither as a playbook's JSON nor as lines `[pat-001] helpful=3 harmful=0 :: text`"
        )
    return read


def read_lines(text: str) -> Playbook:
    """
    The key points among text lines. A line that begins nothing goes on with the key point above it.

    Raises PlaybookUnreadable, with the line, for one that is meant as a key point and cannot be read as one.
    """
    playbook = empty_playbook()
    section = OTHERS
    point: KeyPoint | None = None
    begun: list[tuple[int, KeyPoint]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if entry := _LINE.match(line):
            name, helpful, harmful, said = entry.groups()
            counters = {"helpful": int(helpful), "harmful": int(harmful)}
            point = {"name": name, "text": said.strip(), **counters}
            playbook["sections"][section].append(point)
            begun.append((number, point))
        elif _MEANT.match(line):
            shown = neutralise(" ".join(line.split()))[:60]
            said = f"line {number} is no key point, `[id] helpful=N harmful=N :: text`, but looks like one: {shown}"
            raise PlaybookUnreadable(said, number)
        elif line.startswith("#") and not line.split()[0].strip("#"):
            title = line.strip("# ").upper()
            section = resolve_section(_SECTIONS_ELSEWHERE.get(title.partition(" ")[0], title))
            point = None
        elif point is not None:
            point["text"] = f"{point['text']} {line.strip()}".strip()
    for number, point in begun:
        if not point["text"]:
            said = f"line {number} begins the key point [{point['name']}], which has no text"
            raise PlaybookUnreadable(said, number)
    return playbook


def add_all(
    playbook: Playbook, incoming: Read, memory: Memory
) -> tuple[Playbook, list[Outcome], Memory]:
    """
    A copy of the playbook with the key points of another one, without those that say what is there already.

    An id is kept where it can be cited and was never used here, else the key point gets the next one of its section.
    """
    result = deepcopy(playbook)
    used = memory.with_ids(point["name"] for _, point in key_points(result))
    points = list(key_points(incoming.playbook))
    kept = {point["name"] for _, point in points if _is_free(point["name"], used)}
    memory = used.with_ids(kept)
    outcomes = []
    for section, point in points:
        name, why = point["name"], f"added to {section}"
        if present := same_text(result, point["text"]):
            why, before = f"{present} says that already", copy_of(point, section)
            outcomes.append(Outcome("ADD", name, applied=False, why=why, before=before))
            continue
        if name not in kept:
            name, memory = memory.next_id(section)
            why += f"; it was {point['name']} there"
        if point["name"] in incoming.migrated:
            memory = replace(memory, protected=memory.protected | {name})
        new = {**point, "name": name}
        result["sections"].setdefault(section, []).append(new)
        outcomes.append(Outcome("ADD", name, why=why, after=copy_of(new, section)))
    return result, outcomes, memory


def _is_free(name: str, used: Memory) -> bool:
    """Whether this id can be cited and was never used in this playbook."""
    slug, number = id_parts(name) or ("", 0)
    return number > max(used.floor, used.numbers.get(slug, 0))
