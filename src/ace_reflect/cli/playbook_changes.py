"""`ace-reflect playbook add, edit, remove, promote, undo, import`: the commands that change it."""

from typing import Any

import click

from ace_reflect.cli import on_record
from ace_reflect.cli import playbook_edits as edits
from ace_reflect.cli import playbook_page as page
from ace_reflect.cli import playbook_undo as undoing
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.named import FILE_OR_STDIN, project_option
from ace_reflect.cli.on_record import Edited
from ace_reflect.cli.playbook_places import (
    at_playbook,
    look,
    open_for_change,
    place,
    places,
    section_named,
    with_id,
)
from ace_reflect.cli.times import local
from ace_reflect.errors import PlaybookError
from ace_reflect.learning.recorded import memory_of
from ace_reflect.playbook import exchange
from ace_reflect.playbook.change import MAX_TEXT
from ace_reflect.playbook.model import Playbook, bare_id, key_points
from ace_reflect.playbook.outcome import Memory, Outcome
from ace_reflect.playbook.plain_file import MAX_BYTES
from ace_reflect.playbook.store import Place

section_option = click.option(
    "--section",
    callback=section_named,
    help="Its section: a name, its beginning, or pat, mis, pref, ctx, oth.",
)


@click.command()
@click.argument("text", nargs=-1, required=True)
@section_option
@at_playbook
@as_json_option
def add(
    text: tuple[str, ...],
    section: str | None,
    project: str | None,
    path: str | None,
    user: bool,
    as_json: bool,
) -> None:
    """
    Add a key point of your own, by default to USER PREFERENCES.

    \b
    Example:
      ace-reflect playbook add "Use uv, never pip" --section pref
    """
    operation = {
        "op": "ADD",
        "text": edits.clean(" ".join(text)),
        "section": section or "USER PREFERENCES",
    }
    at = place(project, path, user)
    look(at)
    with open_for_change() as state:
        done = on_record.change(state, at, edits.operations([operation]), why="added by hand")
    page.say(at, done.outcomes, as_json=as_json)


@click.command()
@click.argument("name", metavar="ID")
@click.argument("text", nargs=-1)
@section_option
@at_playbook
@as_json_option
def edit(
    name: str,
    text: tuple[str, ...],
    section: str | None,
    project: str | None,
    path: str | None,
    user: bool,
    as_json: bool,
) -> None:
    """
    Rewrite a key point; without a text your editor opens. Its votes stay with it.

    \b
    Example:
      ace-reflect playbook edit pat-003 "Run the unit tests before each commit"
    """
    at, _, point = with_id(places(project, path, user), name)
    new = (
        edits.clean(" ".join(text))
        if text
        else None
        if section
        else edits.from_editor(str(point["text"]))
    )

    def rewrite(book: Playbook, memory: Memory) -> Edited:
        return edits.rewritten(book, memory, point["name"], new, section)

    with open_for_change() as state:
        done = on_record.change(state, at, rewrite, why="edited by hand", op="EDIT")
    page.say(at, done.outcomes, as_json=as_json)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="ID…")
@at_playbook
@as_json_option
def remove(
    names: tuple[str, ...], project: str | None, path: str | None, user: bool, as_json: bool
) -> None:
    """
    Remove key points. `playbook undo` brings them back; their ids are not used again.

    \b
    Example:
      ace-reflect playbook remove oth-004 oth-007
    """
    found = [
        with_id(places(project, path, user), name) for name in dict.fromkeys(map(bare_id, names))
    ]
    outcomes: list[tuple[Place, Outcome]] = []
    with open_for_change() as state:
        for at in dict.fromkeys(at for at, _, _ in found):
            wanted = [point["name"] for place_, _, point in found if place_ == at]
            operations = [
                {"op": "DELETE", "target_id": name, "reason": "removed by hand"} for name in wanted
            ]
            done = on_record.change(state, at, edits.operations(operations), why="removed by hand")
            outcomes += [(at, outcome) for outcome in done.outcomes]
    page.say_all(outcomes, as_json=as_json)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="ID…")
@project_option
@as_json_option
def promote(names: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """
    Move key points to your own playbook, where they serve every project. Their votes go with them.

    \b
    Example:
      ace-reflect playbook promote pref-002
    """
    source, target = place(project, None, False), place(None, None, True)
    found = [with_id([source], name)[1:] for name in dict.fromkeys(map(bare_id, names))]
    outcomes: list[tuple[Place, Outcome]] = []
    with open_for_change() as state:
        for (
            section,
            point,
        ) in found:  # into the one first: a kill in between leaves it in both, and never in neither
            why = edits.moved_from(source, point["name"])
            into = edits.taken_in_before(state, source, target, point["name"], why)
            if not into:
                into = on_record.change(
                    state, target, edits.take_in(section, point), why=why, op="PROMOTE"
                ).outcomes
            if into[0].applied:
                operation = {"op": "DELETE", "target_id": point["name"], "reason": "promoted"}
                on_record.change(
                    state, source, edits.operations([operation]), why=edits.MOVED, op="PROMOTE"
                )
            outcomes += [(target, outcome) for outcome in into]
    page.say_all(outcomes, as_json=as_json)


@click.command()
@click.argument("version", required=False)
@click.option("--session", help="All that was learned from this session (the beginning of its id).")
@click.option("--dry-run", is_flag=True, help="Show what would be taken back.")
@at_playbook
@as_json_option
def undo(
    version: str | None,
    session: str | None,
    dry_run: bool,
    project: str | None,
    path: str | None,
    user: bool,
    as_json: bool,
) -> None:
    """
    Take back a change: the last one, or VERSION (its number or id in `playbook history`).

    Only what that change did is taken back: later votes and texts stay. Turns whose votes are taken back are not
    learned again by themselves. A key point that was promoted goes back where it came from.

    \b
    Example:
      ace-reflect playbook undo
      ace-reflect playbook undo --session 4f2a
    """
    if version and session:
        raise click.UsageError("VERSION and --session exclude each other")
    at = place(project, path, user)
    wanted = (
        undoing.of_session(at, session)
        if session
        else [undoing.version_named(at, version, undoable=True)]
    )
    pairs = [(at, one) for one in wanted]
    pairs += [half for one in wanted if (half := undoing.other_half(at, one))]
    with open_for_change() as state:
        taken = [undoing.undo_one(state, where, one, dry_run=dry_run) for where, one in pairs]
    if as_json:
        echo_json("undo", {"path": at.path, "dry_run": dry_run, "undone": taken})
        return
    for (_, one), row in zip(pairs, taken, strict=True):
        click.echo(f"{undoing.undo_of(one.why, would=dry_run)} ({local(one.at)})", err=True)
        page.diff_page(row["differences"])
        for left in row["kept"]:
            click.echo(f"{left['id']}: {left['why']}", err=True)


@click.command("import")
@click.argument("file", type=FILE_OR_STDIN)
@click.option("--dry-run", is_flag=True, help="Show what would be added.")
@at_playbook
@as_json_option
def import_(
    file: str, dry_run: bool, project: str | None, path: str | None, user: bool, as_json: bool
) -> None:
    """
    Add the key points of another playbook: any JSON form, lines `[id] helpful=X harmful=Y :: text`, or the Markdown
    section that `export` writes (- reads stdin).

    What is there already is left out, so that importing twice adds nothing. Votes come along; Markdown has none, and no
    ids: a text that was rewritten there comes in as a new key point.

    \b
    Example:
      ace-reflect playbook import ../other/.claude/playbook.json
    """
    at = place(project, path, user)
    look(at)
    incoming = _incoming(file)

    def take_in(book: Playbook, memory: Memory) -> Edited:
        return edits.edited(exchange.add_all(book, incoming, memory))

    if dry_run:
        with open_for_change() as state:
            outcomes = take_in(look(at).playbook, memory_of(state, at)).outcomes
    else:
        with open_for_change() as state:
            outcomes = on_record.change(
                state, at, take_in, why=f"imported from {file}", op="IMPORT"
            ).outcomes
    page.say(at, outcomes, as_json=as_json, refusal_fails=False)
    added = sum(outcome.applied for outcome in outcomes)
    click.echo(
        f"{added} {'would be ' if dry_run else ''}added, {len(outcomes) - added} there already",
        err=True,
    )


def _incoming(file: str) -> Any:
    try:
        with click.open_file(file, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as fault:
        raise PlaybookError(f"cannot read {file}: {fault.strerror}") from fault
    if len(data) > MAX_BYTES:
        raise PlaybookError(
            f"{file} is longer than {MAX_BYTES:,} bytes, which no playbook is; nothing was taken in"
        )
    try:
        read = exchange.read_any(data)
    except PlaybookError as fault:
        raise PlaybookError(f"{file} cannot be imported: {fault}; nothing was taken in") from fault
    for item in read.unread:
        click.echo(
            f"note: {file}: {item.name} in {item.section} is left out: {item.fault}", err=True
        )
    for section, point in list(key_points(read.playbook)):
        if why := _why_left_out(" ".join(point["text"].split())):
            click.echo(f"note: {file}: {point['name']} in {section} is left out: {why}", err=True)
            read.playbook["sections"][section].remove(point)
        else:
            point["text"] = edits.clean(point["text"])
    return read


def _why_left_out(text: str) -> str:
    """What is wrong with an imported text, "" where nothing is. A long one is not cut: it could say something else then."""
    if not edits.says_something(text):
        return f"{text!r} says nothing"
    return (
        f"its text has {len(text):,} characters; {MAX_TEXT:,} is the most"
        if len(text) > MAX_TEXT
        else ""
    )
