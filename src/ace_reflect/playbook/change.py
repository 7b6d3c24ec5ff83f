"""
The curator's operations, and what follows them. Pure: values in, values out.

At most ten operations a reply, in order; an invalid one is skipped with a reason and spoils no other; an id is never
used twice.
"""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from ace_reflect.playbook.dedup import identical_text, same_text
from ace_reflect.playbook.model import (
    KeyPoint,
    Playbook,
    bare_id,
    counters,
    find,
    resolve_section,
    section_lists,
    should_be_pruned,
)
from ace_reflect.playbook.outcome import Memory, Outcome, copy_of
from ace_reflect.playbook.read import read_playbook
from ace_reflect.playbook.tags import apply_bullet_tags

MAX_OPERATIONS = 10
MAX_TEXT = 4_000  # characters; more could never be injected beside others


def update_playbook_data(playbook: Playbook, result: object) -> Playbook:
    """
    A changed copy of `playbook`: operations (at most 10), then prune. The argument is left alone.

    A text that is there already, word for word, is not added again; near-duplicates are the pipeline's step.
    `result` is `{"operations": […]}`, or the older `{"evaluations": [{"name", "rating"}], "new_key_points": [text, …]}`;
    a list of operations, even an empty one, makes `new_key_points` count for nothing.
    """
    read = read_playbook(playbook)
    result = result if isinstance(result, Mapping) else {}
    changed = apply_bullet_tags(read.playbook, _evaluations_as_tags(result.get("evaluations")))
    voted = {
        tag["name"]
        for tag in _evaluations_as_tags(result.get("evaluations"))
        if isinstance(tag["name"], str)
    }
    memory = Memory(protected=read.migrated - voted)
    if isinstance(result.get("operations"), list):
        changed, _, memory = apply_operations(
            changed, result["operations"], memory, same=identical_text
        )
    else:
        additions = _additions(result.get("new_key_points"))
        changed, _, memory = apply_operations(
            changed, additions, memory, limit=None, same=identical_text
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
    Apply a curator's operations to a copy of `playbook`, in order. `same` finds the key point that says already what is
    to be added.

    Returns the copy, one outcome for each operation, and what is to be remembered. Never raises on what a model wrote.
    """
    bench = _Bench(deepcopy(playbook), memory or Memory(), same)
    outcomes = []
    for number, operation in enumerate(operations if isinstance(operations, list) else []):
        if limit is not None and number >= limit:
            outcomes.append(
                _skipped(operation, f"only the first {limit} operations of a reply are applied")
            )
        else:
            outcomes.append(bench.apply(operation))
    return bench.playbook, outcomes, bench.memory


def prune(playbook: Playbook, memory: Memory | None = None) -> tuple[Playbook, list[Outcome]]:
    """A copy without the key points that did harm: harmful >= 3 and harmful > helpful. Migrated ones wait for a vote."""
    protected = memory.protected if memory else frozenset()
    result = deepcopy(playbook)
    outcomes = []
    for section, rows in section_lists(result):
        for point in [row for row in rows if isinstance(row, dict)]:
            if should_be_pruned(point) and point.get("name") not in protected:
                rows.remove(point)
                helpful, harmful = counters(point)
                gone = copy_of(point, section)
                why = f"harmful {harmful} times, helpful {helpful}"
                outcomes.append(
                    Outcome("PRUNE", str(point.get("name")), why=why, before=gone, removed=(gone,))
                )
    return result, outcomes


class _Bench:
    """The playbook while operations are applied to it."""

    def __init__(
        self, playbook: Playbook, memory: Memory, same: Callable[[Playbook, str], str | None]
    ) -> None:
        self.playbook = playbook
        self.memory = memory.with_numbers_of(playbook)
        self.same = same

    def apply(self, operation: object) -> Outcome:
        if not isinstance(operation, dict):
            return _skipped(operation, "an operation is an object")
        kind = kind_of(operation)
        apply = _OPERATIONS.get(kind)
        if apply is None:
            return _skipped(operation, "the operation is none of ADD, UPDATE, DELETE and MERGE")
        outcome = apply(self, operation)
        return replace(outcome, op=kind, asked=operation)

    def add(self, operation: Mapping[str, Any]) -> Outcome:
        text, problem = _text(operation)
        if problem:
            return _refused(problem)
        present = self.same(self.playbook, text)
        if present:
            return _refused(f"{present} says that already")
        section = resolve_section(operation.get("section"))
        point: KeyPoint = {"name": self.next_id(section), "text": text, "helpful": 0, "harmful": 0}
        self.rows(section).append(point)
        return Outcome(
            "ADD", point["name"], why=f"added to {section}", after=copy_of(point, section)
        )

    def update(self, operation: Mapping[str, Any]) -> Outcome:
        text, problem = _text(operation)
        found = self.named(target_of(operation))
        if found is None:
            return _refused(_no_such(target_of(operation)))
        section, point = found
        if problem or text == point["text"]:
            return _refused(problem or f"{point['name']} says exactly that already")
        before = copy_of(point, section)
        point["text"] = text
        return Outcome(
            "UPDATE", point["name"], why="rewritten", before=before, after=copy_of(point, section)
        )

    def delete(self, operation: Mapping[str, Any]) -> Outcome:
        found = self.named(target_of(operation))
        if found is None:
            return _refused(_no_such(target_of(operation)))
        section, point = found
        self.rows(section).remove(point)
        gone = copy_of(point, section)
        return Outcome(
            "DELETE",
            point["name"],
            why=_reason(operation) or "removed",
            before=gone,
            removed=(gone,),
        )

    def merge(self, operation: Mapping[str, Any]) -> Outcome:
        text, problem = _text(operation)
        wanted = operation.get("source_ids")
        sources = self.sources(wanted if isinstance(wanted, list) else [])
        if problem or len(sources) < 2:
            return _refused(problem or "a merge needs two different key points of this playbook")
        section = self.merged_section(operation.get("section"), sources[0][0])
        first = sources[0][1]
        summed = [
            sum(counts) for counts in zip(*(counters(point) for _, point in sources), strict=True)
        ]
        more = {
            key: value
            for key, value in first.items()
            if key not in {"name", "text", "helpful", "harmful"}
        }
        point = {
            "name": self.next_id(section),
            "text": text,
            "helpful": summed[0],
            "harmful": summed[1],
            **more,
        }
        gone = []
        for home, source in sources:
            self.rows(home).remove(source)
            gone.append(copy_of(source, home))
        self.rows(section).append(point)
        self.memory = self.memory.inherit(point["name"], [source["name"] for source in gone])
        why = f"made of {', '.join(source['name'] for source in gone)}"
        return Outcome(
            "MERGE", point["name"], why=why, after=copy_of(point, section), removed=tuple(gone)
        )

    def sources(self, wanted: list[Any]) -> list[tuple[str, KeyPoint]]:
        """The key points that a merge names, each once; unknown ids are passed over."""
        found = {}
        for name in wanted:
            present = self.named(name)
            if present:
                found[present[1]["name"]] = present
        return list(found.values())

    def merged_section(self, wanted: object, default: str) -> str:
        return resolve_section(wanted) if isinstance(wanted, str) and wanted.strip() else default

    def named(self, name: object) -> tuple[str, KeyPoint] | None:
        if not isinstance(name, str):
            return None
        return find(self.playbook, name) or find(self.playbook, bare_id(name))

    def next_id(self, section: str) -> str:
        name, self.memory = self.memory.next_id(section)
        return name

    def rows(self, section: str) -> list[Any]:
        sections = self.playbook.setdefault("sections", {})
        if not isinstance(sections.get(section), list):
            sections[section] = []
        rows: list[Any] = sections[section]
        return rows


_OPERATIONS: dict[str, Callable[[_Bench, Mapping[str, Any]], Outcome]] = {
    "ADD": _Bench.add,
    "UPDATE": _Bench.update,
    "DELETE": _Bench.delete,
    "MERGE": _Bench.merge,
}


#: How a playbook shows a key point: "[pat-001] helpful=3 harmful=0 :: ".
_AS_RENDERED = re.compile(
    r"\A\s*(?:[-*]\s+)?`?\[(?:pat|mis|pref|ctx|oth|kpt)[-_]\d{1,9}\]`?(?:(?:\s+helpful=\d+\s+harmful=\d+)?\s*::|:|\s+helpful=\d+\s+harmful=\d+|(?=\s+[A-Z`]))\s+"
)
_KIND_FIELDS = ("op", "type", "operation", "action")
_TEXT_FIELDS = ("text", "content", "merged_text")


def kind_of(operation: Mapping[str, Any]) -> str:
    """ADD, UPDATE, …: under `op`, or as the field's other programs and models write it; "" where nothing names one."""
    named = next((operation[name] for name in _KIND_FIELDS if name in operation), None)
    return named.strip().upper() if isinstance(named, str) else ""


def in_one_form(operation: Mapping[str, Any]) -> dict[str, Any]:
    """
    An operation with its kind under `op` and no text but the one that would be applied: what is checked, what a person
    accepts and what is written are then the same.
    """
    field = text_field(operation)
    drop = {*_KIND_FIELDS, *(name for name in _TEXT_FIELDS if name != field)}
    return {
        "op": kind_of(operation),
        **{name: value for name, value in operation.items() if name not in drop},
    }


def text_of(operation: Mapping[str, Any]) -> str:
    """The text that an operation would write, "" for none: without the id and counters that a model copies in front."""
    text = operation.get(text_field(operation))
    return _AS_RENDERED.sub("", text, count=1).strip() if isinstance(text, str) else ""


def target_of(operation: Mapping[str, Any]) -> object:
    """The id of the key point that an UPDATE or DELETE is about, as it was written."""
    return operation.get("target_id", operation.get("id"))


def named_in(operation: Mapping[str, Any]) -> list[str]:
    """The ids of the key points that an operation would change or remove."""
    kind, sources = kind_of(operation), operation.get("source_ids")
    named = (
        sources
        if kind == "MERGE"
        else [target_of(operation)]
        if kind in {"UPDATE", "DELETE"}
        else []
    )
    return (
        [bare_id(name) for name in named if isinstance(name, str)]
        if isinstance(named, list)
        else []
    )


def text_field(operation: Mapping[str, Any]) -> str:
    """Where the text of this kind of operation stands."""
    names = ("merged_text", "text") if kind_of(operation) == "MERGE" else ("text", "content")
    return next((name for name in names if name in operation), names[0])


def _text(operation: Mapping[str, Any]) -> tuple[str, str]:
    """(the text, what is wrong with it)."""
    text = text_of(operation)
    if not text:
        return "", "it has no text"
    if len(text) > MAX_TEXT:
        return "", f"its text is {len(text):,} characters long; {MAX_TEXT:,} is the most"
    return text, ""


def _reason(operation: Mapping[str, Any]) -> str:
    reason = operation.get("reason")
    return reason.strip() if isinstance(reason, str) else ""


def _no_such(name: object) -> str:
    return f"no key point of this playbook is named {name!r}"[:200]


def _refused(why: str) -> Outcome:
    return Outcome("", applied=False, why=why)


def _skipped(operation: object, why: str) -> Outcome:
    asked = operation if isinstance(operation, dict) else {}
    return Outcome(kind_of(asked) or "?", applied=False, why=why, asked=asked)


def _evaluations_as_tags(evaluations: object) -> list[dict[str, Any]]:
    rows = evaluations if isinstance(evaluations, list) else []
    return [
        {"name": row.get("name"), "tag": row.get("rating")} for row in rows if isinstance(row, dict)
    ]


def _additions(texts: object) -> list[Any]:
    """`new_key_points` as operations: texts, or objects with a text and a section."""
    rows = texts if isinstance(texts, list) else []
    return [
        {**row, "op": "ADD"} if isinstance(row, dict) else {"op": "ADD", "text": row}
        for row in rows
    ]
