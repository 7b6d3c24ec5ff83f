"""The playbook's form: sections, slugs, ids, counters. Imports nothing, since every hook that injects loads it.

Playbooks and key points are plain dicts (`playbook/playbook.schema.json`), as they come from a person's editor: a counter
may be missing, a section may be null.
"""

from collections.abc import Iterator
from typing import Any

Playbook = dict[str, Any]
KeyPoint = dict[str, Any]

#: Section -> slug of its ids, in canonical order.
SLUGS = {
    "PATTERNS & APPROACHES": "pat",
    "MISTAKES TO AVOID": "mis",
    "USER PREFERENCES": "pref",
    "PROJECT CONTEXT": "ctx",
    "OTHERS": "oth",
}
SECTIONS = tuple(SLUGS)
OTHERS = "OTHERS"
LEGACY_SLUG = "kpt"  # ids in flat lists: kpt_001

#: Ids of the user's own playbook are numbered above this, so that they never collide with a project's.
USER_FLOOR = 9000

MOST_VOTES = 999_999_999


def empty_playbook() -> Playbook:
    return {"version": "1.0", "last_updated": None, "sections": {name: [] for name in SECTIONS}}


def resolve_section(name: object) -> str:
    """The section meant by a slug or by a name in any spelling; OTHERS if it is unknown."""
    wanted = _letters(name.upper().replace("&AMP;", "&")) if isinstance(name, str) else ""
    for section, slug in SLUGS.items():
        if wanted in {_letters(section), slug.upper()}:
            return section
    return OTHERS


def _letters(name: str) -> str:
    """`PATTERNSANDAPPROACHES` for "## Patterns & approaches:", "PATTERNS_AND_APPROACHES" and the like."""
    return "".join(character for character in name.replace("&", "AND") if character.isalnum())


def key_points(playbook: object) -> Iterator[tuple[str, KeyPoint]]:
    """Every key point with its section, in canonical order, a file's own sections last. Other rows are skipped."""
    sections = playbook.get("sections") if isinstance(playbook, dict) else None
    if not isinstance(sections, dict):
        return
    for section in (*SECTIONS, *(name for name in sections if name not in SLUGS)):
        rows = sections.get(section)
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and isinstance(row.get("name"), str):
                yield section, row


def find(playbook: object, name: str) -> tuple[str, KeyPoint] | None:
    """The key point with this id and its section, or None."""
    return next((found for found in key_points(playbook) if found[1]["name"] == name), None)


def count_of(value: object) -> int:
    """A counter from whatever a file holds, even a thousand digits: 0 to `MOST_VOTES`, 0 if it is no number."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    if isinstance(value, float) and abs(value) < MOST_VOTES:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return 0
    return min(max(value, 0), MOST_VOTES)


def counters(point: KeyPoint) -> tuple[int, int]:
    """(helpful, harmful)."""
    return count_of(point.get("helpful")), count_of(point.get("harmful"))


def id_parts(name: object) -> tuple[str, int] | None:
    """("pat", 7) of "pat-007", ("kpt", 7) of "kpt_007"; None for any other name."""
    if not isinstance(name, str) or len(name) > 24:
        return None
    slug, dash, number = name.partition("_" if name.startswith(LEGACY_SLUG) else "-")
    known = slug in SLUGS.values() if dash == "-" else slug == LEGACY_SLUG
    return (slug, int(number)) if known and number.isascii() and number.isdecimal() else None


def bare_id(name: str) -> str:
    """An id without brackets and blanks around it."""
    return name.strip().strip("[]").strip()


def make_id(slug: str, number: int) -> str:
    return f"{slug}{'_' if slug == LEGACY_SLUG else '-'}{number:03d}"


def track_record(helpful: int, harmful: int) -> float:
    """How sure it is that the key point helps, 0 to 1: the lower bound of the share of helpful votes, with one of each kind
    added (untried: 0.17). Source: E. B. Wilson 1927, "Probable inference", one-sided at 90 %.
    """
    votes = helpful + harmful + 2
    share = (helpful + 1) / votes
    z = 1.2816
    spread = z * (share * (1 - share) / votes + z * z / (4 * votes * votes)) ** 0.5
    return float((share + z * z / (2 * votes) - spread) / (1 + z * z / votes))
