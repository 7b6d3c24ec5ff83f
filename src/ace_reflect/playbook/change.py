"""
Changes of a playbook: the curator's operations, near-duplicates, pruning. Pure: values in, values out.

At most ten operations a reply, in order; an invalid one is skipped with a reason and spoils no other; an id is never
used twice.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from ace_reflect.playbook.dedup import identical_text, meaning, same_text
from ace_reflect.playbook.model import (
    PRUNE_HARMFUL,
    SLUGS,
    KeyPoint,
    Playbook,
    bare_id,
    counters,
    find,
    id_parts,
    key_points,
    make_id,
    resolve_section,
    summed,
)
from ace_reflect.playbook.read import read_playbook
from ace_reflect.playbook.votes import apply_bullet_tags

MAX_OPERATIONS = 10
MAX_TEXT = 4_000  # characters; more could never be injected beside others

#: How a playbook shows a key point: "[pat-001] helpful=3 harmful=0 :: ".
_AS_RENDERED = re.compile(
    r"\A\s*(?:[-*]\s+)?`?\[(?:pat|mis|pref|ctx|oth|kpt)[-_]\d{1,9}\]`?(?:(?:\s+helpful=\d+\s+harmful=\d+)?\s*::|:|\s+helpful=\d+\s+harmful=\d+|(?=\s+[A-Z`]))\s+"
)
_KIND_FIELDS = ("op", "type", "operation", "action")
_TEXT_FIELDS = ("text", "content", "merged_text")

Operation = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Memory:
    """What playbook.json does not hold; the caller keeps it in `state.db`."""

    numbers: Mapping[str, int] = field(default_factory=dict)  # slug -> highest ever used
    protected: frozenset[str] = frozenset()  # migrated, no vote yet: not pruned
    floor: int = 0  # new ids are numbered above it: 9000 in the user's playbook

    def with_ids(self, names: Iterable[object]) -> "Memory":
        """With the numbers of these ids: what is added gets a higher one."""
        numbers = dict(self.numbers)
        for slug, number in filter(None, map(id_parts, names)):
            numbers[slug] = max(number, numbers.get(slug, 0))
        return replace(self, numbers=numbers)

    def next_id(self, section: str) -> tuple[str, "Memory"]:
        """An id that was never used, for a key point of this section, and the memory of it."""
        slug = SLUGS[resolve_section(section)]
        name = make_id(slug, max(self.numbers.get(slug, 0), self.floor) + 1)
        return name, self.with_ids([name])

    def inherit(self, name: str, parents: Iterable[str]) -> "Memory":
        """A key point made from others is protected where one of them was."""
        own = frozenset() if self.protected.isdisjoint(parents) else {name}
        return replace(self, protected=self.protected | own)

    def voted(self, names: Iterable[str]) -> "Memory":
        return replace(self, protected=self.protected.difference(names))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One operation with what came of it. `before`, `after` and `removed` are key points with their `section`."""

    op: str  # ADD, UPDATE, DELETE, MERGE, DEDUP, PRUNE
    key_point: str = ""  # the id it made or changed
    applied: bool = True
    why: str = ""
    before: KeyPoint | None = None
    after: KeyPoint | None = None
    removed: tuple[KeyPoint, ...] = ()  # went into it
    asked: Mapping[str, Any] = field(default_factory=dict)  # the operation as the model wrote it

    def to_json(self) -> dict[str, Any]:
        """As `run --json` shows it: the operation's own fields, then `key_point`, `applied` and `why`."""
        own = {"key_point": self.key_point or None, "applied": self.applied, "why": self.why}
        drop = {"op", "type", *own}
        asked = {name: value for name, value in self.asked.items() if name not in drop}
        return {"op": self.op, **asked, **own}


def copy_of(point: Mapping[str, Any], section: str) -> KeyPoint:
    """The key point with its section, for the record."""
    return {**point, "section": section}


def update_playbook_data(playbook: Playbook, result: object) -> Playbook:
    """
    A changed copy of `playbook`: operations (at most 10), then prune. A text that is there word for word is not added.

    `result` is `{"operations": […]}`, or the older `{"evaluations": [{"name", "rating"}], "new_key_points": [text, …]}`;
    a list of operations, even an empty one, makes `new_key_points` count for nothing.
    """
    read = read_playbook(playbook)
    result = result if isinstance(result, Mapping) else {}
    rated = [row for row in _list(result.get("evaluations")) if isinstance(row, dict)]
    tags = [{"name": row.get("name"), "tag": row.get("rating")} for row in rated]
    changed = apply_bullet_tags(read.playbook, tags)
    voted = [tag["name"] for tag in tags if isinstance(tag["name"], str)]
    operations, limit = result.get("operations"), MAX_OPERATIONS
    if not isinstance(operations, list):
        operations = [
            {**row, "op": "ADD"} if isinstance(row, dict) else {"op": "ADD", "text": row}
            for row in _list(result.get("new_key_points"))
        ]
        limit = len(operations)
    memory = Memory(protected=read.migrated).voted(voted)
    changed, _, memory = apply_operations(
        changed, operations, memory, limit=limit, same=identical_text
    )
    return prune(changed, memory)[0]


def apply_operations(
    playbook: Playbook,
    operations: object,
    memory: Memory | None = None,
    *,
    limit: int | None = MAX_OPERATIONS,
    same: Callable[[Playbook, str], str | None] = same_text,
) -> tuple[Playbook, list[Outcome], Memory]:
    """
    The curator's operations on a copy of `playbook`, in order; one outcome for each. `same` finds the key point that says
    already what is to be added. Never raises on what a model wrote.
    """
    bench = _Bench(deepcopy(playbook), memory or Memory(), same)
    outcomes = []
    for number, operation in enumerate(_list(operations)):
        asked = operation if isinstance(operation, dict) else {}
        why = f"only the first {limit} operations of a reply are applied"
        outcome = Outcome("", applied=False, why=why)
        if limit is None or number < limit:
            outcome = bench.apply(asked)
        outcomes.append(replace(outcome, op=kind_of(asked) or "?", asked=asked))
    return bench.playbook, outcomes, bench.memory


def merge_duplicates(
    playbook: Playbook, memory: Memory | None = None
) -> tuple[Playbook, list[Outcome], Memory]:
    """A copy with near-duplicates merged: the first in canonical order stays, with its text, and gets the others' votes."""
    memory = memory or Memory()
    result = deepcopy(playbook)
    alike: dict[object, list[tuple[str, KeyPoint]]] = {}
    for found in key_points(result):
        alike.setdefault(meaning(found[1]), []).append(found)
    outcomes = []
    for same in alike.values():
        (section, point), *others = same
        if others:
            before = copy_of(point, section)
            point["helpful"], point["harmful"] = summed(one for _, one in same)
            after, gone = copy_of(point, section), _take_out(result, others)
            names = [one["name"] for one in gone]
            why = f"says the same as {', '.join(names)}"
            outcomes.append(Outcome("DEDUP", point["name"], True, why, before, after, gone))
            memory = memory.inherit(point["name"], names)
    return result, outcomes, memory


def prune(playbook: Playbook, memory: Memory | None = None) -> tuple[Playbook, list[Outcome]]:
    """A copy without the key points that did harm: harmful >= 3 and harmful > helpful. Migrated ones wait for a vote."""
    protected = memory.protected if memory else frozenset()
    result = deepcopy(playbook)
    outcomes = []
    for section, point in list(key_points(result)):
        helpful, harmful = counters(point)
        if PRUNE_HARMFUL <= harmful > helpful and point["name"] not in protected:
            (gone,) = _take_out(result, [(section, point)])
            why = f"harmful {harmful} times, helpful {helpful}"
            outcomes.append(Outcome("PRUNE", point["name"], why=why, before=gone))
    return result, outcomes


def _take_out(playbook: Playbook, gone: Iterable[tuple[str, KeyPoint]]) -> tuple[KeyPoint, ...]:
    """Remove these key points from their sections; copies of them for the record."""
    for section, point in gone:
        playbook["sections"][section].remove(point)
    return tuple(copy_of(point, section) for section, point in gone)


class _Invalid(Exception):
    """Why an operation is skipped."""


class _Bench:
    """The playbook while operations are applied to it. The outcomes' `op` and `asked` are the caller's to fill in."""

    def __init__(
        self, playbook: Playbook, memory: Memory, same: Callable[[Playbook, str], str | None]
    ) -> None:
        self.playbook = playbook
        self.memory = memory.with_ids(point["name"] for _, point in key_points(playbook))
        self.same = same

    def apply(self, operation: Operation) -> Outcome:
        known = {"ADD": self.add, "UPDATE": self.update, "DELETE": self.delete, "MERGE": self.merge}
        try:
            return known.get(kind_of(operation), self.unknown)(operation)
        except _Invalid as fault:
            return Outcome("", applied=False, why=str(fault))

    def unknown(self, _: Operation) -> Outcome:
        raise _Invalid("the operation is none of ADD, UPDATE, DELETE, MERGE")

    def add(self, operation: Operation) -> Outcome:
        text, section = _text(operation), resolve_section(operation.get("section"))
        if present := self.same(self.playbook, text):
            raise _Invalid(f"{present} says that already")
        point = self.new(section, {"text": text, "helpful": 0, "harmful": 0})
        after = copy_of(point, section)
        return Outcome("", point["name"], why=f"added to {section}", after=after)

    def update(self, operation: Operation) -> Outcome:
        section, point = self.target(operation)
        text = _text(operation)
        if text == point["text"]:
            raise _Invalid(f"{point['name']} says exactly that already")
        before, point["text"] = copy_of(point, section), text
        after = copy_of(point, section)
        return Outcome("", point["name"], why="rewritten", before=before, after=after)

    def delete(self, operation: Operation) -> Outcome:
        (gone,) = _take_out(self.playbook, [self.target(operation)])
        reason = operation.get("reason")
        why = reason.strip() if isinstance(reason, str) else ""
        return Outcome("", gone["name"], why=why or "removed", before=gone)

    def merge(self, operation: Operation) -> Outcome:
        """Into a new key point with all their votes. Ids that are unknown or named twice are passed over."""
        text = _text(operation)
        named = [self.named(name) for name in _list(operation.get("source_ids"))]
        sources = {found[1]["name"]: found for found in named if found}
        if len(sources) < 2:
            raise _Invalid("a merge needs two different key points of this playbook")
        section, first = next(iter(sources.values()))
        wanted = operation.get("section")
        if isinstance(wanted, str) and wanted.strip():
            section = resolve_section(wanted)
        helpful, harmful = summed(point for _, point in sources.values())
        gone = _take_out(self.playbook, sources.values())
        point = self.new(section, {**first, "text": text, "helpful": helpful, "harmful": harmful})
        self.memory = self.memory.inherit(point["name"], sources)
        why, after = f"made of {', '.join(sources)}", copy_of(point, section)
        return Outcome("", point["name"], why=why, after=after, removed=gone)

    def target(self, operation: Operation) -> tuple[str, KeyPoint]:
        """The key point that an UPDATE or DELETE is about, and its section. Raises _Invalid."""
        name = target_of(operation)
        if found := self.named(name):
            return found
        raise _Invalid(f"no key point of this playbook is named {name!r}"[:200])

    def named(self, name: object) -> tuple[str, KeyPoint] | None:
        if not isinstance(name, str):
            return None
        return find(self.playbook, name) or find(self.playbook, bare_id(name))

    def new(self, section: str, fields: KeyPoint) -> KeyPoint:
        """A key point with these fields and the next id, at its section's end."""
        name, self.memory = self.memory.next_id(section)
        point = {"name": name, **fields} | {"name": name}
        sections = self.playbook.setdefault("sections", {})
        sections[section] = [*_list(sections.get(section)), point]
        return point


def kind_of(operation: Operation) -> str:
    """ADD, UPDATE, …: under `op`, or as the field's other programs and models write it; "" where nothing names one."""
    named = next((operation[name] for name in _KIND_FIELDS if name in operation), None)
    return named.strip().upper() if isinstance(named, str) else ""


def in_one_form(operation: Operation) -> dict[str, Any]:
    """An operation with its kind under `op` and no text but the one that would be applied: what is checked is written."""
    field = text_field(operation)
    drop = {*_KIND_FIELDS, *_TEXT_FIELDS} - {field}
    kept = {name: value for name, value in operation.items() if name not in drop}
    return {"op": kind_of(operation), **kept}


def text_field(operation: Operation) -> str:
    """Where the text of this kind of operation stands."""
    names = ("merged_text", "text") if kind_of(operation) == "MERGE" else ("text", "content")
    return next((name for name in names if name in operation), names[0])


def text_of(operation: Operation) -> str:
    """The text that an operation would write, "" for none: without the id and counters that a model copies in front."""
    text = operation.get(text_field(operation))
    return _AS_RENDERED.sub("", text, count=1).strip() if isinstance(text, str) else ""


def target_of(operation: Operation) -> object:
    """The id of the key point that an UPDATE or DELETE is about, as it was written."""
    return operation.get("target_id", operation.get("id"))


def named_in(operation: Operation) -> list[str]:
    """The ids of the key points that an operation would change or remove."""
    kind = kind_of(operation)
    named = _list(operation.get("source_ids")) if kind == "MERGE" else []
    if kind in {"UPDATE", "DELETE"}:
        named = [target_of(operation)]
    return [bare_id(name) for name in named if isinstance(name, str)]


def _text(operation: Operation) -> str:
    """Raises _Invalid for no text, or one that is too long."""
    text = text_of(operation)
    if not text:
        raise _Invalid("it has no text")
    if len(text) > MAX_TEXT:
        raise _Invalid(f"its text is {len(text):,} characters long; {MAX_TEXT:,} is the most")
    return text


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
