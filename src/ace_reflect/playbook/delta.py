"""What differs between two playbooks, and how to take it back."""

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from ace_reflect.playbook.model import KeyPoint, Playbook, count_of, key_points


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
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.name,
            "kind": self.kind,
            "section": self.moved_to or self.section,
            "before": self.before,
            "after": self.after,
        }


def compare(before: Playbook, after: Playbook) -> list[Difference]:
    """The differences in canonical order: what went or changed first, then what came."""
    old, new = _by_name(before), _by_name(after)
    found = []
    for name, (section, position, point) in old.items():
        now = new.get(name)
        if now is None:
            found.append(Difference(name, section, point, None, position))
        elif now[2] != point or now[0] != section:
            found.append(
                Difference(
                    name, section, point, now[2], position, now[0] if now[0] != section else None
                )
            )
    found += [
        Difference(name, section, None, point, position)
        for name, (section, position, point) in new.items()
        if name not in old
    ]
    return found


def revert(
    playbook: Playbook, differences: list[Difference]
) -> tuple[Playbook, list[tuple[Difference, str]]]:
    """
    The playbook with these differences taken back, and those that could not be, each with the reason.

    Later changes to the same key points stay: counters are reduced by what was counted then, a text is restored only
    where nobody rewrote it since.
    """
    result = deepcopy(playbook)
    kept: list[tuple[Difference, str]] = []
    for difference in differences:
        problem = _revert_one(result, difference)
        if problem:
            kept.append((difference, problem))
    return result, kept


def _revert_one(playbook: Playbook, difference: Difference) -> str | None:
    now = _by_name(playbook).get(difference.name)
    if difference.after is None:
        if now is not None:
            return "it is there again"
        _put_back(playbook, difference)
        return None
    if now is None:
        return "it has been removed since"
    section, _, point = now
    if difference.before is None:
        if point["text"] != difference.after["text"]:
            return "its text has been changed since"
        playbook["sections"][section].remove(point)
        return None
    return _restore(playbook, section, point, difference)


def _put_back(playbook: Playbook, difference: Difference) -> None:
    rows = playbook["sections"].setdefault(difference.section, [])
    rows.insert(min(difference.position, len(rows)), deepcopy(difference.before))


def _restore(
    playbook: Playbook, section: str, point: KeyPoint, difference: Difference
) -> str | None:
    before, after = difference.before or {}, difference.after or {}
    for counter in ("helpful", "harmful"):
        counted = count_of(after.get(counter)) - count_of(before.get(counter))
        point[counter] = max(count_of(point.get(counter)) - counted, 0)
    if before["text"] != after["text"]:
        if point["text"] != after["text"]:
            return "its text has been changed since; its counters were taken back"
        point["text"] = before["text"]
    if difference.moved_to == section:
        playbook["sections"][section].remove(point)
        _put_back(playbook, replace(difference, before=point))
    return None


def _by_name(playbook: Playbook) -> dict[str, tuple[str, int, KeyPoint]]:
    positions: dict[str, int] = {}
    found = {}
    for section, point in key_points(playbook):
        position = positions.get(section, 0)
        positions[section] = position + 1
        found[point["name"]] = (section, position, point)
    return found
