"""`ace-reflect review`: key points that wait for a person."""

import json
import os
import sys
from dataclasses import replace
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli import on_record
from ace_reflect.cli import playbook_edits as edits
from ace_reflect.cli import playbook_page as page
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.groups import Group
from ace_reflect.cli.named import ROW_ID
from ace_reflect.cli.playbook_places import at_playbook, open_for_change, places
from ace_reflect.cli.times import day
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.change import kind_of, target_of, text_field
from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.playbook.outcome import Outcome
from ace_reflect.playbook.store import place_of
from ace_reflect.state import inbox
from ace_reflect.state.db import State

Item = dict[str, Any]


@click.group(
    cls=Group,
    invoke_without_command=True,
    short_help="Accept, edit or reject key points that wait.",
)
@as_json_option
@click.pass_context
def review(context: click.Context, as_json: bool) -> None:
    """
    Key points that wait for you. None of them is injected before you accept it.

    They come from text that the model read in files, web pages or tool output, which anybody may have written, or would
    change what you settled. Without a word this goes through them one by one.

    \b
    Example:
      ace-reflect review
      ace-reflect review accept 3 4
    """
    if context.invoked_subcommand is not None:
        return
    with open_for_change() as state:
        waiting = inbox.waiting(state)
        if as_json or not waiting or not (sys.stdin.isatty() and sys.stdout.isatty()):
            _show(waiting, as_json=as_json)
        else:
            _one_by_one(state, waiting)


@review.command("list")
@at_playbook
@as_json_option
def list_(project: str | None, path: str | None, user: bool, as_json: bool) -> None:
    """
    What waits, for every project, or for the playbook that is named.

    \b
    Example:
      ace-reflect review list --project .
    """
    named = project is not None or path is not None or user
    with open_for_change() as state:
        waiting = inbox.waiting(state, places(project, path, user)[0].real_path if named else None)
    _show(waiting, as_json=as_json)


@review.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@as_json_option
def accept(ids: tuple[int, ...], as_json: bool) -> None:
    """
    Take key points into their playbooks.

    \b
    Example:
      ace-reflect review accept 3 4
    """
    with open_for_change() as state:
        items = [_item(state, number) for number in ids]
        done = [(item, _accept(state, item)) for item in items]
    if as_json:
        rows = [
            {"id": item["id"], "playbook": item["playbook"], **outcome.to_json()}
            for item, outcome in done
        ]
        echo_json("review-accept", {"accepted": rows})
        return
    for item, outcome in done:
        click.echo(
            page.wrapped(f"{item['id']} accepted as {outcome.key_point}: {item['text']}", "")
        )


@review.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@as_json_option
def reject(ids: tuple[int, ...], as_json: bool) -> None:
    """
    Drop key points. The same text does not come back.

    \b
    Example:
      ace-reflect review reject 5
    """
    with open_for_change() as state:
        for item in [_item(state, number) for number in ids]:
            inbox.reject(state, item["id"])
    if as_json:
        echo_json("review-reject", {"rejected": list(ids)})
    else:
        click.echo(f"rejected: {', '.join(map(str, ids))}", err=True)


@review.command()
@click.argument("number", type=ROW_ID, metavar="ID")
@click.argument("text", nargs=-1)
@as_json_option
def edit(number: int, text: tuple[str, ...], as_json: bool) -> None:
    """
    Change the text of a key point that waits; without a text your editor opens. It goes on waiting.

    \b
    Example:
      ace-reflect review edit 3 "Run make generate after a change of the schema"
    """
    with open_for_change() as state:
        item = _item(state, number)
        new = edits.clean(" ".join(text)) if text else edits.from_editor(str(item["text"]))
        if new is None:
            raise PlaybookError(
                f"review {number} was not saved in the editor: it waits as it stands"
            )
        inbox.edit(state, number, new)
    if as_json:
        echo_json("review-edit", {"id": number, "text": new})
    else:
        click.echo(f"{number}: {new}")


def _item(state: State, number: int) -> Item:
    item = inbox.get(state, number)
    if item is None or item["state"] != "waiting":
        decided = f"was {item['state']} already" if item else "is unknown"
        raise PlaybookError(
            f"review {number} {decided}: `ace-reflect review list` shows what waits"
        )
    return item


def _accept(state: State, item: Item) -> Outcome:
    """Into the playbook, then off the list. A kill in between leaves it waiting, and a second accept finds it there."""
    at = place_of(str(item["playbook"]), paths.home(os.environ))
    done = on_record.change(
        state,
        at,
        edits.operations([_operation(item)]),
        why="accepted in review",
        origin=on_record.Origin(
            str(item["source"]), str(item["session"] or ""), str(item["quote"] or "")
        ),
    )
    outcome = done.outcomes[0]
    present = None if outcome.applied else same_text(done.file.after, str(item["text"]))
    if present:
        outcome = replace(
            outcome, key_point=present, applied=True, why=f"{present} says that already"
        )
    if not outcome.applied:
        raise PlaybookError(
            f"review {item['id']} cannot be taken in: {outcome.why}; `ace-reflect review reject {item['id']}` drops it"
        )
    inbox.accept(state, item["id"], outcome.key_point)
    return outcome


def _operation(item: Item) -> dict[str, Any]:
    """What the curator asked for, with the text as the person left it."""
    asked = _asked(item) or {"op": "ADD"}
    return {"section": item["section"], **asked, text_field(asked): item["text"]}


def _asked(item: Item) -> dict[str, Any] | None:
    """The curator's operation; None for an addition."""
    return json.loads(item["operation"]) if item["operation"] else None


def _show(waiting: list[Item], *, as_json: bool) -> None:
    if as_json:
        echo_json("review", {"waiting": [_item_json(item) for item in waiting]})
    elif waiting:
        rows = [
            (item["id"], day(item["at"])[:10], _section(item), _described(item)) for item in waiting
        ]
        page.table(
            ("id", "right"),
            ("since", "left"),
            ("section", "text"),
            ("key point", "text"),
            rows=rows,
        )
        click.echo("\nace-reflect review accept ID… | edit ID | reject ID…", err=True)
    else:
        click.echo("Nothing waits for you.")


def _item_json(item: Item) -> Item:
    shown = {key: item[key] for key in item if key not in {"operation", "state", "key_point"}}
    return {**shown, "operation": _asked(item)}


def _section(item: Item) -> str:
    asked = _asked(item) or {}
    kind = kind_of(asked)
    if kind not in {"UPDATE", "MERGE", "DELETE"}:
        return str(item["section"])
    return neutralise(f"{kind} {target_of(asked) or ''}")  # an id as a model wrote it


def _described(item: Item) -> str:
    source = page.source_in_words(str(item["source"]))
    quote = f': "{neutralise(str(item["quote"]))[:160]}"' if item["quote"] else ""
    return f"{neutralise(str(item['text']))}\n  from {source}{quote}"


def _one_by_one(state: State, waiting: list[Item]) -> None:
    """Ask about each. What was decided is saved at once, so that leaving in the middle loses nothing."""
    for number, item in enumerate(waiting, start=1):
        click.echo(
            f"\n{number} of {len(waiting)}  {_section(item)}  {neutralise(item['playbook'])}"
        )
        click.echo(page.wrapped(str(item["text"])))
        for line in _described(item).split("\n")[1:]:
            click.echo(page.wrapped(line.strip(), "    "))
        choice = click.prompt(
            "accept, edit, reject, skip or quit",
            type=click.Choice(list("aersq")),
            default="s",
            show_choices=True,
        )
        if choice == "q":
            return
        _decide(state, item, choice)


def _decide(state: State, item: Item, choice: str) -> None:
    try:
        if choice == "e":
            new = edits.from_editor(str(item["text"]))
            if new is None:  # leaving an editor without saving takes nothing in
                click.echo("not saved: it goes on waiting")
                return
            inbox.edit(state, item["id"], new)
            item = {**item, "text": new}
        if choice in {"a", "e"}:
            click.echo(f"accepted as {_accept(state, item).key_point}")
        elif choice == "r":
            inbox.reject(state, item["id"])
            click.echo("rejected: the same text does not come back")
    except (
        PlaybookError,
        click.ClickException,
    ) as problem:  # one that cannot be taken in does not end the round
        click.echo(f"ace-reflect: {problem}", err=True)
