"""Playbooks for tests, written as briefly as they are read."""

from typing import Any

from ace_reflect.playbook.model import SLUGS, empty_playbook

SECTION_OF = {slug: section for section, slug in SLUGS.items()}


def point(
    name: str, text: str = "use type hints", helpful: int = 0, harmful: int = 0, **more: Any
) -> dict[str, Any]:
    return {"name": name, "text": text, "helpful": helpful, "harmful": harmful, **more}


def playbook(*points: dict[str, Any]) -> dict[str, Any]:
    """A playbook with each key point in the section that its id says; other ids go to OTHERS."""
    made = empty_playbook()
    for one in points:
        made["sections"][SECTION_OF.get(one["name"].partition("-")[0], "OTHERS")].append(one)
    return made


def names(book: dict[str, Any]) -> list[str]:
    return [row["name"] for rows in book["sections"].values() for row in rows]


def named(book: dict[str, Any], name: str) -> dict[str, Any]:
    return next(row for rows in book["sections"].values() for row in rows if row["name"] == name)
