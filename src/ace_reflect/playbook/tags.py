"""Votes on key points."""

import sys
from typing import Any

from ace_reflect.playbook.model import KeyPoint, Playbook, count_of, key_points

TAGS = ("helpful", "harmful", "neutral")


def apply_bullet_tags(playbook: Playbook, bullet_tags: object) -> Playbook:
    """
    Count the reflector's tags: +1 helpful, +1 harmful, nothing for neutral. Returns the same object, changed in place.

    Every tag of the list counts, a second one for the same key point too. What cannot be applied (an unknown name, an
    unknown tag, no object at all) is named on stderr and passed over. Names and tags are taken to the letter: what a
    model writes beside it (`Helpful`, `[pat-001]`) is put right where its reply is read.

    Source: REQ-REFL-007, INV-REFL-003, INV-REFL-004.
    """
    if bullet_tags is None:
        return playbook
    if not isinstance(bullet_tags, (list, tuple)):
        _complain(f"bullet_tags is no list: {bullet_tags!r}")
        return playbook
    lookup = {point["name"]: point for _, point in _all_key_points(playbook)}
    for tag in bullet_tags:
        problem = _apply(lookup, tag)
        if problem:
            _complain(problem)
    return playbook


def _apply(lookup: dict[str, KeyPoint], tag: object) -> str | None:
    """Apply one tag; returns what was wrong with it."""
    if not isinstance(tag, dict):
        return f"a bullet tag is an object, not {tag!r}"
    name, value = tag.get("name"), tag.get("tag")
    if not isinstance(name, str) or name not in lookup:
        return f"no key point is named {name!r}"
    if not isinstance(value, str) or value not in TAGS:
        return f"{name}: unknown tag {value!r}"
    if value != "neutral":
        lookup[name][value] = _standing(lookup[name].get(value)) + 1
    return None


def _standing(counter: object) -> int:
    """A counter before its vote: as it stands, however high, for a vote never lowers one; put right where it is none."""
    return counter if type(counter) is int and counter >= 0 else count_of(counter)


def _all_key_points(playbook: Playbook) -> Any:
    """Key points of all sections; of a flat list that nobody has migrated yet, too."""
    yield from key_points(playbook)
    if not isinstance(playbook.get("sections"), dict):
        yield from key_points({"sections": {"OTHERS": playbook.get("key_points")}})


def _complain(problem: str) -> None:
    shown = "".join(character if character.isprintable() else "?" for character in problem)
    print(f"ace-reflect: bullet tag skipped: {shown[:300]}", file=sys.stderr)  # noqa: T201 - the specification asks for stderr
