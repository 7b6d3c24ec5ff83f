"""Changes to a playbook: the curator's operations, imports, near-duplicates, pruning. Pure: values in, values out."""

import re
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from ace_reflect.playbook import model
from ace_reflect.playbook.dedup import meaning, same_text
from ace_reflect.playbook.model import KeyPoint, Playbook
from ace_reflect.playbook.read import Read, read_playbook
from ace_reflect.playbook.votes import apply_bullet_tags

MAX_OPERATIONS = 10
PRUNE_HARMFUL = 3
MAX_TEXT = 4_000  # characters; a longer one would leave no room for others

#: How a playbook shows a key point: "[pat-001] helpful=3 harmful=0 :: ".
_AS_RENDERED = re.compile(
    r"\A\s*(?:[-*]\s+)?`?\[(?:pat|mis|pref|ctx|oth|kpt)[-_]\d{1,9}\]`?(?:(?:\s+helpful=\d+\s+harmful=\d+)?\s*::|:|\s+helpful=\d+\s+harmful=\d+|(?=\s+[A-Z`]))\s+"
)
_KINDS = ("ADD", "UPDATE", "DELETE", "MERGE")
_KIND_FIELDS = ("op", "type", "operation", "action")

Operation = Mapping[str, Any]  # as `in_one_form` gives it


@dataclass(frozen=True, slots=True)
class Memory:
    """What playbook.json does not hold; the caller keeps it in `state.db`."""

    numbers: Mapping[str, int] = field(default_factory=dict)  # slug -> highest ever used
    protected: frozenset[str] = frozenset()  # migrated, no vote yet: not pruned
    floor: int = 0  # new ids are numbered above it: 9000 in the user's playbook

    def with_ids(self, names: Iterable[object]) -> "Memory":
        """With the numbers of these ids, so that what is added gets a higher one."""
        numbers = dict(self.numbers)
        for slug, number in filter(None, map(model.id_parts, names)):
            numbers[slug] = max(number, numbers.get(slug, 0))
        return replace(self, numbers=numbers)

    def is_free(self, name: str) -> bool:
        """Whether this id can be cited and was never used."""
        slug, number = model.id_parts(name) or ("", 0)
        return number > max(self.floor, self.numbers.get(slug, 0))

    def inherit(self, name: str, parents: Iterable[str]) -> "Memory":
        """A key point made from others is protected if one of them was."""
        own = frozenset() if self.protected.isdisjoint(parents) else {name}
        return replace(self, protected=self.protected | own)

    def voted(self, names: Iterable[str]) -> "Memory":
        return replace(self, protected=self.protected.difference(names))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One operation and its outcome. `before`, `after` and `removed` are key points with their `section`."""

    op: str = ""  # ADD, UPDATE, DELETE, MERGE, DEDUP, PRUNE
    key_point: str = ""  # the id it made or changed
    applied: bool = True
    why: str = ""
    before: KeyPoint | None = None
    after: KeyPoint | None = None
    removed: tuple[KeyPoint, ...] = ()  # went into it
    asked: Operation = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As `run --json` shows it: the operation's own fields, then `key_point`, `applied` and `why`."""
        own = {"key_point": self.key_point or None, "applied": self.applied, "why": self.why}
        asked = {name: value for name, value in self.asked.items() if name not in own}
        return {**asked, "op": self.op, **own}


def copy_of(point: Mapping[str, Any], section: str) -> KeyPoint:
    """The key point with its section, for the record."""
    return {**point, "section": section}


def update_playbook_data(playbook: Playbook, result: object) -> Playbook:
    """A changed copy: `result` (DESIGN §1) applied, then pruned. A text already there word for word is not added."""
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
    changed, _, memory = apply_operations(changed, operations, memory, limit=limit, said=str.split)
    return prune(changed, memory)[0]


def apply_operations(
    playbook: Playbook,
    operations: object,
    memory: Memory = Memory(),
    *,
    limit: int | None = MAX_OPERATIONS,
    said: Callable[[str], object] = meaning,
) -> tuple[Playbook, list[Outcome], Memory]:
    """The curator's operations on a copy of `playbook`, in order; one outcome each. Nothing is added if a key point says it
    already, by `said` (`same_text`). Never raises on what a model wrote.
    """
    bench = _Bench(deepcopy(playbook), memory, said)
    outcomes = []
    for number, operation in enumerate(_list(operations)):
        asked = in_one_form(operation if isinstance(operation, dict) else {})
        why = f"only the first {limit} operations of a reply are applied"
        outcome = Outcome(applied=False, why=why)
        if limit is None or number < limit:
            try:
                outcome = bench.apply(asked)
            except _Invalid as fault:
                outcome = replace(outcome, why=str(fault))
        outcomes.append(replace(outcome, op=asked["op"] or "?", asked=asked))
    return bench.playbook, outcomes, bench.memory


def merge_duplicates(
    playbook: Playbook, memory: Memory = Memory()
) -> tuple[Playbook, list[Outcome], Memory]:
    """A copy with near-duplicates merged: the first in canonical order stays, with its text, and gets the others' votes."""
    result = deepcopy(playbook)
    alike: dict[object, list[tuple[str, KeyPoint]]] = {}
    for found in model.key_points(result):
        alike.setdefault(meaning(str(found[1].get("text", ""))), []).append(found)
    outcomes = []
    for same in alike.values():
        (section, point), *others = same
        if others:
            before = copy_of(point, section)
            point |= _summed(one for _, one in same)
            after, gone = copy_of(point, section), _take_out(result, others)
            names = [one["name"] for one in gone]
            why = f"says the same as {', '.join(names)}"
            outcomes.append(Outcome("DEDUP", point["name"], True, why, before, after, gone))
            memory = memory.inherit(point["name"], names)
    return result, outcomes, memory


def prune(playbook: Playbook, memory: Memory = Memory()) -> tuple[Playbook, list[Outcome]]:
    """A copy without the key points that did harm: harmful >= 3 and harmful > helpful. Migrated ones wait for a vote."""
    result = deepcopy(playbook)
    outcomes = []
    for section, point in list(model.key_points(result)):
        helpful, harmful = model.counters(point)
        if PRUNE_HARMFUL <= harmful > helpful and point["name"] not in memory.protected:
            (gone,) = _take_out(result, [(section, point)])
            why = f"harmful {harmful} times, helpful {helpful}"
            outcomes.append(Outcome("PRUNE", point["name"], why=why, before=gone))
    return result, outcomes


def add_all(
    playbook: Playbook, incoming: Read, memory: Memory
) -> tuple[Playbook, list[Outcome], Memory]:
    """A copy with what only the other playbook says; its ids are kept if they can be cited and are free."""
    bench = _Bench(deepcopy(playbook), memory, meaning)
    points = list(model.key_points(incoming.playbook))
    kept = {point["name"] for _, point in points if bench.memory.is_free(point["name"])}
    bench.memory = bench.memory.with_ids(kept)
    outcomes = []
    for section, point in points:
        name, why = point["name"], f"added to {section}"
        if present := same_text(bench.playbook, point["text"]):
            why, before = f"{present} says that already", copy_of(point, section)
            outcomes.append(Outcome("ADD", name, applied=False, why=why, before=before))
            continue
        after = bench.new(section, point, name if name in kept else "")
        if name not in kept:
            why += f"; it was {name} there"
        if name in incoming.migrated:
            protected = bench.memory.protected | {after["name"]}
            bench.memory = replace(bench.memory, protected=protected)
        outcomes.append(Outcome("ADD", after["name"], why=why, after=after))
    return bench.playbook, outcomes, bench.memory


def _summed(points: Iterable[KeyPoint]) -> dict[str, int]:
    """The sums of their votes."""
    votes = [model.counters(point) for point in points]
    return {"helpful": sum(one for one, _ in votes), "harmful": sum(other for _, other in votes)}


def _take_out(playbook: Playbook, gone: Iterable[tuple[str, KeyPoint]]) -> tuple[KeyPoint, ...]:
    """Remove these key points from their sections; copies of them for the record."""
    for section, point in gone:
        playbook["sections"][section].remove(point)
    return tuple(copy_of(point, section) for section, point in gone)


class _Invalid(Exception):
    """Why an operation is skipped."""


class _Bench:
    """The playbook while operations are applied to it. The outcomes' `op` and `asked` are the caller's to fill in."""

    def __init__(self, playbook: Playbook, memory: Memory, said: Callable[[str], object]) -> None:
        self.playbook = playbook
        self.memory = memory.with_ids(point["name"] for _, point in model.key_points(playbook))
        self.said = said

    def apply(self, operation: Operation) -> Outcome:
        """Raises _Invalid. A merge ignores ids that are unknown or named twice."""
        kind, text = operation["op"], text_of(operation)
        named = ((name, model.find(self.playbook, name)) for name in named_in(operation))
        found = [pair for pair in dict(named).values() if pair]
        if kind not in _KINDS:
            raise _Invalid(f"the operation is none of {', '.join(_KINDS)}")
        if kind in {"UPDATE", "DELETE"} and not found:
            name = operation.get("target_id")
            raise _Invalid(f"no key point of this playbook is named {name!r}"[:200])
        if kind != "DELETE" and not text:
            raise _Invalid("it has no text")
        if kind != "DELETE" and len(text) > MAX_TEXT:
            raise _Invalid(f"its text is {len(text):,} characters long; {MAX_TEXT:,} is the most")
        if kind == "UPDATE":
            return self.update(*found[0], text)
        if kind == "DELETE":
            (gone,) = _take_out(self.playbook, found)
            reason = operation.get("reason")
            why = reason.strip() if isinstance(reason, str) else ""
            return Outcome("", gone["name"], why=why or "removed", before=gone)
        wanted = operation.get("section")
        if kind == "ADD":
            return self.add(text, model.resolve_section(wanted))
        return self.merge(found, text, wanted if isinstance(wanted, str) else "")

    def add(self, text: str, section: str) -> Outcome:
        if present := same_text(self.playbook, text, self.said):
            raise _Invalid(f"{present} says that already")
        after = self.new(section, {"text": text, "helpful": 0, "harmful": 0})
        return Outcome("", after["name"], why=f"added to {section}", after=after)

    def update(self, section: str, point: KeyPoint, text: str) -> Outcome:
        if text == point["text"]:
            raise _Invalid(f"{point['name']} says exactly that already")
        before, point["text"] = copy_of(point, section), text
        after = copy_of(point, section)
        return Outcome("", point["name"], why="rewritten", before=before, after=after)

    def merge(self, sources: list[tuple[str, KeyPoint]], text: str, wanted: str) -> Outcome:
        """Into a new key point with all their votes, in the first one's section unless another is given."""
        if len(sources) < 2:
            raise _Invalid("a merge needs two different key points of this playbook")
        section = model.resolve_section(wanted) if wanted.strip() else sources[0][0]
        gone = _take_out(self.playbook, sources)
        after = self.new(section, {**sources[0][1], "text": text, **_summed(gone)})
        names = [one["name"] for one in gone]
        self.memory = self.memory.inherit(after["name"], names)
        why = f"made of {', '.join(names)}"
        return Outcome("", after["name"], why=why, after=after, removed=gone)

    def new(self, section: str, fields: KeyPoint, name: str = "") -> KeyPoint:
        """Put a key point with these fields and this id, or the next, at its section's end. A copy of it for the record."""
        if not name:
            memory, slug = self.memory, model.SLUGS[model.resolve_section(section)]
            name = model.make_id(slug, max(memory.numbers.get(slug, 0), memory.floor) + 1)
            self.memory = memory.with_ids([name])
        point = {"name": name, **fields} | {"name": name}
        sections = self.playbook.setdefault("sections", {})
        sections[section] = [*_list(sections.get(section)), point]
        return copy_of(point, section)


def in_one_form(operation: Mapping[str, Any]) -> dict[str, Any]:
    """An operation as the prompt asks for it, from what the field's other programs and models write: its kind under `op` ("" for
    none), a text under `text` or a merge's `merged_text`, and no other one (what is checked is written), an id under `target_id`.
    """
    named = next((operation[name] for name in _KIND_FIELDS if name in operation), None)
    kind = named.strip().upper() if isinstance(named, str) else ""
    texts = ("merged_text", "text") if kind == "MERGE" else ("text", "content")
    text = next((name for name in texts if name in operation), texts[0])
    rename = {text: texts[0]} if "target_id" in operation else {text: texts[0], "id": "target_id"}
    drop = {*_KIND_FIELDS, "text", "content", "merged_text"} - {text}
    kept = {rename.get(name, name): operation[name] for name in operation if name not in drop}
    return {"op": kind, **kept}


def text_of(operation: Operation) -> str:
    """The text an operation would write, or "", without the id and counters that models copy in front of it."""
    text = operation.get("merged_text" if operation["op"] == "MERGE" else "text")
    return _AS_RENDERED.sub("", text, count=1).strip() if isinstance(text, str) else ""


def named_in(operation: Operation) -> list[str]:
    """The ids of the key points that an operation would change or remove."""
    merged = _list(operation.get("source_ids")) if operation["op"] == "MERGE" else []
    named = [operation.get("target_id")] if operation["op"] in {"UPDATE", "DELETE"} else merged
    return [model.bare_id(name) for name in named if isinstance(name, str)]


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
