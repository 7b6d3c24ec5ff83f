"""What a person's commands do to a playbook: key points added, rewritten, moved to another playbook."""

import os
import sys
from dataclasses import replace
from typing import Any

import click

from ace_reflect.cli import on_record
from ace_reflect.cli.on_record import Edited
from ace_reflect.errors import PlaybookError
from ace_reflect.learning.settle import settle
from ace_reflect.playbook.change import MAX_TEXT, apply_operations
from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.model import KeyPoint, Playbook, counters, find
from ace_reflect.playbook.outcome import Memory, Outcome, copy_of
from ace_reflect.playbook.store import Place
from ace_reflect.state import record
from ace_reflect.state.db import State


def edited(result: tuple[Playbook, list[Outcome], Memory]) -> Edited:
    book, outcomes, memory = result
    return Edited(book, tuple(outcomes), memory)


def operations(operations: list[dict[str, Any]]) -> on_record.Edit:
    return lambda book, memory: edited(apply_operations(book, operations, memory, limit=None))


def rewritten(
    book: Playbook, memory: Memory, name: str, text: str | None, section: str | None
) -> Edited:
    """With another text, in another section, or both; the id stays."""
    found = find(book, name)
    if found is None:
        raise PlaybookError(f"{name} has been removed in the meantime")
    home, point = found
    before = copy_of(point, home)
    if text is not None:
        point["text"] = text
    if section is not None and section != home:
        book["sections"][home].remove(point)
        book["sections"][section].append(point)
    after = copy_of(point, section or home)
    if after == before:
        return Edited(
            book,
            (Outcome("EDIT", name, applied=False, why=f"{name} says exactly that already"),),
            memory,
        )
    return Edited(
        book, (Outcome("EDIT", name, why="rewritten", before=before, after=after),), memory
    )


def take_in(section: str, point: KeyPoint) -> on_record.Edit:
    """Into another playbook, with its votes: under a new number, or into the key point that says the same."""

    def run(book: Playbook, memory: Memory) -> Edited:
        present = find(book, same_text(book, point["text"]) or "")
        if present:
            return _with_votes(book, memory, present, point)
        operation = {"op": "ADD", "text": point["text"], "section": section}
        changed, outcomes, memory = apply_operations(book, [operation], memory)
        outcome = outcomes[0]
        found = find(changed, outcome.key_point) if outcome.applied else None
        if found:
            found[1].update({key: value for key, value in point.items() if key != "name"})
            outcome = replace(
                outcome,
                why=f"{point['name']} is {outcome.key_point} now",
                after=copy_of(found[1], found[0]),
            )
        return Edited(changed, (outcome,), memory)

    return run


def taken_in_before(
    state: State, source: Place, target: Place, name: str, why: str
) -> tuple[Outcome, ...]:
    """
    What a promotion that was killed half-way had brought into the target: its votes must not go there twice.

    `why` is the reason that it recorded. Empty where there was none, or it was finished or taken back.
    """
    for place in (target, source):
        settle(state, place)
    made = [
        row
        for row in record.changes_of(state, target.real_path)
        if row["reason"] == why and not row["undone_at"]
    ]
    gone = [
        row for row in record.changes_of(state, source.real_path, name) if row["op"] == "PROMOTE"
    ]
    if not made or (gone and gone[0]["id"] > made[0]["id"]):
        return ()
    key_point = made[0]["key_point"]
    return (
        Outcome("PROMOTE", key_point, why=f"{name} is {key_point} now", after=made[0]["after"]),
    )


def _with_votes(
    book: Playbook, memory: Memory, present: tuple[str, KeyPoint], more: KeyPoint
) -> Edited:
    home, point = present
    before = copy_of(point, home)
    votes = zip(counters(point), counters(more), strict=True)
    point["helpful"], point["harmful"] = (one + other for one, other in votes)
    why = f"{point['name']} says that already; the votes of {more['name']} went to it"
    return Edited(
        book,
        (Outcome("MERGE", point["name"], why=why, before=before, after=copy_of(point, home)),),
        memory,
    )


#: Why a promotion changed the project's playbook; the person's own says `moved_from`.
MOVED = "promoted to your own playbook"
PROMOTED_TO, PROMOTED_FROM = "promoted to ", "promoted from "


def moved_from(source: Place, name: str) -> str:
    return f"{PROMOTED_FROM}{source.path}: {name}"


def clean(text: str) -> str:
    """A person's text without secrets, on one line."""
    from ace_reflect.redact import redact

    tidy = " ".join(text.split())
    if not says_something(tidy):
        raise click.UsageError(
            "a key point needs a text" + (f", and {tidy!r} is none" if tidy else "")
        )
    if len(tidy) > MAX_TEXT:
        raise PlaybookError(
            f"a key point has at most {MAX_TEXT:,} characters; this one has {len(tidy):,}"
        )
    clean = redact(tidy, os.environ)
    if clean != tidy:
        click.echo("note: what looks like a secret was taken out of the text", err=True)
    return clean


def says_something(text: str) -> bool:
    """Whether there is a letter or a digit in it: `add -` means stdin elsewhere, and `...` says nothing."""
    return any(letter.isalnum() for letter in text)


def from_editor(text: str) -> str | None:
    """What the person saved; None where they left the editor without saving."""
    if not sys.stdin.isatty():
        raise click.UsageError("give the new text, or a terminal for your editor")
    edited = click.edit(text + "\n")
    return clean(edited) if edited is not None else None
