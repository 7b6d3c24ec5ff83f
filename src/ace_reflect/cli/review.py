"""`ace-reflect review`: key points that wait for a person."""

import json
import os
import sys
from dataclasses import replace
from functools import partial

import click

from ace_reflect import paths
from ace_reflect.cli.books import SOURCES, change, clean, from_editor, operate
from ace_reflect.cli.options import ROW_ID, Group
from ace_reflect.cli.output import Json, Report, local, reporting, say, short_path, table
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.change import Outcome
from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.store import place_of
from ace_reflect.state import record
from ace_reflect.state.db import State, open_for_command


@click.group(cls=Group, default="ask", short_help="Accept, edit or reject key points that wait.")
def review() -> None:
    """Key points that wait for you. None of them is injected until you accept it.

    They are sentences of yours that may be standing wishes, come from text that the model only read and anybody may have
    written, or would change what you decided. Without a subcommand this goes through them one by one.
    """


@review.command()
@reporting
def ask() -> Report:
    """Go through them one by one. Without a terminal they are listed."""
    with open_for_command() as state:
        waiting = _waiting(state) if sys.stdin.isatty() and sys.stdout.isatty() else {}
        for number, item in enumerate(waiting.values(), start=1):
            say(f"\n{number} of {len(waiting)}: {_described(item)}")
            say("k keep, e edit, d drop, n never again, q quit, any other key later")
            if (choice := click.getchar()) == "q":
                break
            try:  # saved at once: leaving in the middle loses nothing
                say(_decided(state, item, choice))
            except (PlaybookError, click.ClickException) as problem:
                say(f"ace-reflect: {problem}")  # one that cannot be accepted does not end the round
        if waiting and (left := [*_waiting(state).values()]):
            return Report("review", {"waiting": left}, f"{len(left)} still to decide.")
        return _listed(state)


def _decided(state: State, item: Json, choice: str) -> str:
    """What was done. Raises PlaybookError, click.ClickException."""
    if choice == "e":
        item = {**item, "text": from_editor(item["text"])}
        record.edit(state, item["id"], item["text"])
    if choice in {"k", "e"}:
        return f"accepted as {_accept(state, item).key_point}"
    if choice == "d":
        record.decide(state, item["id"], "dropped")
        return "dropped: it comes back if it is said again"
    if choice == "n":
        record.decide(state, item["id"], "rejected")
        return "rejected: the same text does not come back"
    return "it still waits"


@review.command("list")
@reporting
def list_() -> Report:
    """What waits, in every project."""
    with open_for_command() as state:
        return _listed(state)


def _listed(state: State) -> Report:
    return Report("review", {"waiting": [*_waiting(state).values()]}, _list_page)


def _waiting(state: State) -> dict[int, Json]:
    """What waits, by its number. `operation` is the curator's, None for an addition."""
    rows = record.waiting(state)
    return {row["id"]: {**row, "operation": json.loads(row["operation"] or "null")} for row in rows}


def _list_page(body: Json) -> str:
    rows = [(item["id"], local(item["at"])[:10], _described(item)) for item in body["waiting"]]
    shown = table(("id", "since", "key point"), rows, right=("id",))
    ways = "ace-reflect review accept ID… | edit ID | reject ID…"
    return f"{shown}\n\n{ways}" if rows else "Nothing waits for you."


def _described(item: Json) -> str:
    """The text, where it would go or what it would do to which key point, and where it comes from."""
    asked = item["operation"] or {}
    does = f"{asked['op']} {asked.get('target_id') or ''}" if asked else f"for {item['section']}"
    source = SOURCES.get(item["source"], item["source"])
    said = [one for one in item["heard"] if one["quote"]]
    times = (
        f"{one['day']} in session {one['session'][:8]}: “{one['quote'][:160]}”" for one in said
    )
    lines = (item["text"], f"{does} in {short_path(item['playbook'])}", f"from {source}", *times)
    return "\n  ".join(lines)


@review.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@reporting
def accept(ids: tuple[int, ...]) -> Report:
    """Add key points to their playbooks."""
    with open_for_command() as state:
        items = [_item(state, number) for number in ids]
        done = [(item, _accept(state, item)) for item in items]
    rows = [{"id": one["id"], "playbook": one["playbook"], **made.to_json()} for one, made in done]
    lines = [f"{item['id']} accepted as {made.key_point}: {item['text']}" for item, made in done]
    return Report("review-accept", {"accepted": rows}, "\n".join(lines))


@review.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@reporting
def reject(ids: tuple[int, ...]) -> Report:
    """Drop key points. The same text does not come back."""
    with open_for_command() as state:
        for item in [_item(state, number) for number in ids]:
            record.decide(state, item["id"], "rejected")
    return Report("review-reject", {"rejected": ids}, f"{', '.join(map(str, ids))} rejected")


@review.command()
@click.argument("number", type=ROW_ID, metavar="ID")
@click.argument("text", nargs=-1)
@reporting
def edit(number: int, text: tuple[str, ...]) -> Report:
    """Change the text of one that waits. Without TEXT your editor opens."""
    with open_for_command() as state:
        item = _item(state, number)
        new = clean(" ".join(text)) if text else from_editor(item["text"])
        record.edit(state, number, new)
    return Report("review-edit", {"id": number, "text": new}, f"{number}: {new}")


def _item(state: State, number: int) -> Json:
    if item := _waiting(state).get(number):
        return item
    raise PlaybookError(f"no key point {number} waits: see `ace-reflect review list`")


def _accept(state: State, item: Json) -> Outcome:
    """Into the playbook, then off the list. A kill in between leaves it waiting, and a second accept finds it there."""
    at = place_of(item["playbook"], paths.home(os.environ))
    asked = item["operation"] or {"op": "ADD"}  # with the text as the person left it
    field = "merged_text" if asked["op"] == "MERGE" else "text"
    operation = {"section": item["section"], **asked, field: item["text"]}
    origin = (item["source"], item["session"] or "", item["quote"] or "")
    edit = partial(operate, [operation])
    file, (outcome,) = change(state, at, edit, why="accepted in review", origin=origin)
    if not outcome.applied and (present := same_text(file.after, item["text"])):
        why = f"{present} says that already"
        outcome = replace(outcome, key_point=present, applied=True, why=why)
    if not outcome.applied:
        out = f"`ace-reflect review reject {item['id']}` drops it"
        raise PlaybookError(f"review {item['id']} cannot be accepted: {outcome.why}; {out}")
    record.decide(state, item["id"], "accepted", outcome.key_point)
    return outcome
