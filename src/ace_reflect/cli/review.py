"""`ace-reflect review`: key points that wait for a person."""

import json
import os
import sys
from dataclasses import replace
from functools import partial
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli.books import SOURCES, open_for_change
from ace_reflect.cli.options import ROW_ID, Group
from ace_reflect.cli.output import Json, Report, local, reporting, say, short_path, table
from ace_reflect.cli.playbook_changes import change, clean, from_editor, operate
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.change import Outcome
from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.store import place_of
from ace_reflect.state import record
from ace_reflect.state.db import State


@click.group(cls=Group, default="ask", short_help="Accept, edit or reject key points that wait.")
def review() -> None:
    """Key points that wait for you. None of them is injected until you accept it.

    They come from text that the model read in files, web pages or tool output, which anybody may have written, or they
    would change what you decided. Without a subcommand this goes through them one by one.
    """


@review.command()
@reporting
def ask() -> Report:
    """Go through them one by one. Without a terminal they are listed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _listed()
    with open_for_change() as state:
        waiting = record.waiting(state)
        for number, item in enumerate(waiting, start=1):
            say(f"\n{number} of {len(waiting)}: {_described(_item_json(item))}")
            kind = click.Choice(list("aersq"))
            choice = click.prompt("accept, edit, reject, skip or quit", type=kind, default="s")
            if choice == "q":
                break
            _decide(state, item, choice)  # saved at once: leaving in the middle loses nothing
    return _listed()


def _decide(state: State, item: Json, choice: str) -> None:
    try:
        if choice == "e":
            new = from_editor(str(item["text"]))
            if new is None:  # leaving an editor without saving accepts nothing
                say("not saved: it still waits")
                return
            record.edit(state, item["id"], new)
            item = {**item, "text": new}
        if choice in {"a", "e"}:
            say(f"accepted as {_accept(state, item).key_point}")
        elif choice == "r":
            record.decide(state, item["id"], "rejected")
            say("rejected: the same text does not come back")
    except (PlaybookError, click.ClickException) as problem:
        say(f"ace-reflect: {problem}")  # one that cannot be accepted does not end the round


@review.command("list")
@reporting
def list_() -> Report:
    """What waits, in every project."""
    return _listed()


def _listed() -> Report:
    with open_for_change() as state:
        waiting = [_item_json(item) for item in record.waiting(state)]
    return Report("review", {"waiting": waiting}, _list_page)


def _item_json(item: Json) -> Json:
    shown = {key: item[key] for key in item if key not in {"state", "key_point", "decided_at"}}
    return {**shown, "operation": _asked(item)}


def _list_page(body: Json) -> str:
    if not body["waiting"]:
        return "Nothing waits for you."
    rows = [(item["id"], local(item["at"])[:10], _described(item)) for item in body["waiting"]]
    shown = table(("id", "since", "key point"), rows, right=("id",))
    return f"{shown}\n\nace-reflect review accept ID… | edit ID | reject ID…"


def _described(item: Json) -> str:
    """The text, where it would go or what it would do to which key point, and where it comes from."""
    asked = item["operation"] or {}
    does = f"{asked['op']} {asked.get('target_id') or ''}" if asked else f"for {item['section']}"
    source = SOURCES.get(item["source"], item["source"])
    quote = f': "{item["quote"][:160]}"' if item["quote"] else ""
    where = short_path(item["playbook"])
    return f"{item['text']}\n  {does} in {where}\n  from {source}{quote}"


@review.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@reporting
def accept(ids: tuple[int, ...]) -> Report:
    """Add key points to their playbooks."""
    with open_for_change() as state:
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
    with open_for_change() as state:
        for item in [_item(state, number) for number in ids]:
            record.decide(state, item["id"], "rejected")
    page = f"{', '.join(map(str, ids))} rejected"
    return Report("review-reject", {"rejected": ids}, page)


@review.command()
@click.argument("number", type=ROW_ID, metavar="ID")
@click.argument("text", nargs=-1)
@reporting
def edit(number: int, text: tuple[str, ...]) -> Report:
    """Change the text of one that waits. Without TEXT your editor opens."""
    with open_for_change() as state:
        item = _item(state, number)
        new = clean(" ".join(text)) if text else from_editor(str(item["text"]))
        if new is None:
            raise PlaybookError(f"review {number} was not saved in the editor: nothing was changed")
        record.edit(state, number, new)
    return Report("review-edit", {"id": number, "text": new}, f"{number}: {new}")


def _item(state: State, number: int) -> Json:
    item = next(iter(state.rows("SELECT * FROM inbox WHERE id = ?", (number,))), None)
    if item is None or item["state"] != "waiting":
        decided = f"was {item['state']} already" if item else "is unknown"
        raise PlaybookError(f"review {number} {decided}: see `ace-reflect review list`")
    return item


def _asked(item: Json) -> dict[str, Any] | None:
    """The curator's operation; None for an addition."""
    return json.loads(item["operation"]) if item["operation"] else None


def _accept(state: State, item: Json) -> Outcome:
    """Into the playbook, then off the list. A kill in between leaves it waiting, and a second accept finds it there."""
    at = place_of(str(item["playbook"]), paths.home(os.environ))
    asked = _asked(item) or {"op": "ADD"}  # with the text as the person left it
    field = "merged_text" if asked["op"] == "MERGE" else "text"
    operation = {"section": item["section"], **asked, field: item["text"]}
    file, (outcome,) = change(
        state,
        at,
        partial(operate, [operation]),
        why="accepted in review",
        origin=(str(item["source"]), str(item["session"] or ""), str(item["quote"] or "")),
    )
    present = None if outcome.applied else same_text(file.after, str(item["text"]))
    if present:
        why = f"{present} says that already"
        outcome = replace(outcome, key_point=present, applied=True, why=why)
    if not outcome.applied:
        out = f"`ace-reflect review reject {item['id']}` drops it"
        raise PlaybookError(f"review {item['id']} cannot be accepted: {outcome.why}; {out}")
    record.decide(state, item["id"], "accepted", outcome.key_point)
    return outcome
