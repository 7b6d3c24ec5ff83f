"""What becomes of an operation on the playbook, and what must be remembered beside the file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from ace_reflect.playbook.model import (
    SLUGS,
    KeyPoint,
    Playbook,
    highest_numbers,
    make_id,
    resolve_section,
)


@dataclass(frozen=True, slots=True)
class Memory:
    """
    What playbook.json does not hold (it lives in `state.db`, by playbook): the caller reads it, hands it in and stores
    what comes back.
    """

    numbers: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType({})
    )  # slug -> highest ever used
    protected: frozenset[str] = frozenset()  # migrated, no vote yet: not pruned
    floor: int = 0  # new ids are numbered above it: 9000 in the user's playbook

    def with_number(self, slug: str, number: int) -> "Memory":
        return replace(self, numbers={**self.numbers, slug: max(number, self.numbers.get(slug, 0))})

    def with_numbers_of(self, playbook: Playbook) -> "Memory":
        """With the numbers that are in use: what is added gets a higher one."""
        found = highest_numbers(playbook)
        return replace(
            self,
            numbers={
                slug: max(self.numbers.get(slug, 0), found.get(slug, 0))
                for slug in {**self.numbers, **found}
            },
        )

    def next_id(self, section: str) -> tuple[str, "Memory"]:
        """An id that was never used, for a key point of this section, and the memory of it."""
        slug = SLUGS[resolve_section(section)]
        number = max(self.numbers.get(slug, 0), self.floor) + 1
        return make_id(slug, number), self.with_number(slug, number)

    def inherit(self, name: str, parents: Iterable[str]) -> "Memory":
        """A key point made from others is protected where one of them was."""
        if name not in self.protected and self.protected.intersection(parents):
            return replace(self, protected=self.protected | {name})
        return self

    def voted(self, names: Iterable[str]) -> "Memory":
        return replace(self, protected=self.protected - frozenset(names))


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    One operation with what came of it.

    `before` and `after` are the key point with its `section`; `removed` those that went into it or away.
    """

    op: str  # ADD, UPDATE, DELETE, MERGE, DEDUP, PRUNE
    key_point: str = ""  # the id it made or changed
    applied: bool = True
    why: str = ""
    before: KeyPoint | None = None
    after: KeyPoint | None = None
    removed: tuple[KeyPoint, ...] = ()
    #: The operation as the model wrote it.
    asked: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> dict[str, Any]:
        """As `run --json` shows it: the operation's own fields, then `applied` and `why`."""
        known = {
            key: value
            for key, value in self.asked.items()
            if key not in {"op", "type", "applied", "why", "key_point"}
        }
        return {
            "op": self.op,
            **known,
            "key_point": self.key_point or None,
            "applied": self.applied,
            "why": self.why,
        }


def copy_of(point: Mapping[str, Any], section: str) -> KeyPoint:
    """The key point with its section, for the record."""
    return {**point, "section": section}
