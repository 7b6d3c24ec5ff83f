"""`ace-reflect playbook`: look at what was learned and change it."""

import os
from typing import Any

import click

from ace_reflect import atomic
from ace_reflect.cli import playbook_changes as changes
from ace_reflect.cli import playbook_page as page
from ace_reflect.cli import playbook_undo as undoing
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.groups import Group
from ace_reflect.cli.named import NEW_FILE
from ace_reflect.cli.playbook_places import (
    at_playbook,
    look,
    open_for_change,
    place,
    places,
    scope_of,
    unknown,
    with_id,
)
from ace_reflect.cli.terminal import wrapped
from ace_reflect.cli.times import local
from ace_reflect.errors import PlaybookError
from ace_reflect.learning.recorded import memory_of
from ace_reflect.playbook import exchange, history
from ace_reflect.playbook.delta import compare
from ace_reflect.playbook.model import Playbook, bare_id, find, key_points
from ace_reflect.playbook.store import Place
from ace_reflect.state import record
from ace_reflect.state.db import State


@click.group(
    cls=Group, invoke_without_command=True, short_help="Look at the playbook and change it."
)
@at_playbook
@as_json_option
@click.pass_context
def playbook(
    context: click.Context, project: str | None, path: str | None, user: bool, as_json: bool
) -> None:
    """
    What was learned: list it, ask why, change it, take it back.

    Without a word it lists the project's key points and your own.

    \b
    Example:
      ace-reflect playbook
      ace-reflect playbook why pat-003
      ace-reflect playbook undo
    """
    if context.invoked_subcommand is None:
        _list(places(project, path, user), as_json=as_json)


@playbook.command("list")
@at_playbook
@as_json_option
def list_(project: str | None, path: str | None, user: bool, as_json: bool) -> None:
    """
    All key points with their votes, the project's and then your own.

    \b
    Example:
      ace-reflect playbook list --user
    """
    _list(places(project, path, user), as_json=as_json)


@playbook.command()
@click.argument("name", metavar="ID")
@at_playbook
@as_json_option
def show(name: str, project: str | None, path: str | None, user: bool, as_json: bool) -> None:
    """
    One key point, whole.

    \b
    Example:
      ace-reflect playbook show pat-003
    """
    at, section, point = with_id(places(project, path, user), name)
    with open_for_change() as state:
        votes = record.votes_of(state, at.real_path, point["name"])
        protected = point["name"] in memory_of(state, at).protected
    if as_json:
        body = {"path": at.path, "scope": scope_of(at), "protected": protected, "votes": len(votes)}
        echo_json("key-point", {**body, "key_point": page.point_json(section, point)})
    else:
        page.show_page(section, point, f"{scope_of(at)} playbook", votes, protected=protected)


@playbook.command()
@click.argument("name", metavar="ID")
@at_playbook
@as_json_option
def why(name: str, project: str | None, path: str | None, user: bool, as_json: bool) -> None:
    """
    Every vote on a key point and every change of it: when, by whom, and on what evidence.

    \b
    Example:
      ace-reflect playbook why mis-002
    """
    candidates, name = places(project, path, user), bare_id(name)
    with open_for_change() as state:
        at, votes, changes = _record_of(state, candidates, name)
    if as_json:
        echo_json("why", {"id": name, "path": at.path, "votes": votes, "changes": changes})
    elif votes or changes:
        page.why_page(name, votes, changes)
    else:
        click.echo(
            f"{name}: nothing on record. It was there before ace-reflect was, or came in by another hand."
        )


@playbook.command("history")
@at_playbook
@as_json_option
def history_(project: str | None, path: str | None, user: bool, as_json: bool) -> None:
    """
    Every change of the playbook that is kept, newest first.

    \b
    Example:
      ace-reflect playbook history
    """
    at = place(project, path, user)
    kept = history.versions(at, look(at).digest)
    if as_json:
        undone = history.taken_back(kept)
        rows = [
            page.version_json(number, version, undone)
            for number, version in enumerate(kept, start=1)
        ]
        echo_json("history", {"path": at.path, "versions": rows})
    elif kept:
        page.history_page(kept)
    else:
        click.echo(f"No change of {at.path} is on record yet.")


@playbook.command()
@click.argument("version", required=False)
@click.option(
    "--since", is_flag=True, help="All that changed since then, not only what that change did."
)
@at_playbook
@as_json_option
def diff(
    version: str | None,
    since: bool,
    project: str | None,
    path: str | None,
    user: bool,
    as_json: bool,
) -> None:
    """
    What a change did: the last one, or VERSION (its number or id in `playbook history`).

    \b
    Example:
      ace-reflect playbook diff 3 --since
    """
    at = place(project, path, user)
    wanted = undoing.version_named(at, version)
    found = (
        compare(wanted.playbook_before(), look(at).playbook) if since else list(wanted.differences)
    )
    if as_json:
        rows = [difference.to_json() for difference in found]
        echo_json(
            "diff",
            {
                "path": at.path,
                "version": wanted.id,
                "at": wanted.at,
                "why": wanted.why,
                "changes": rows,
            },
        )
    else:
        click.echo(f"{local(wanted.at)}  {wanted.why}", err=True)
        page.diff_page(found)


@playbook.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "lines", "markdown"]),
    default="json",
    show_default=True,
)
@click.option("-o", "--output", type=NEW_FILE, help="Write to a file (default: stdout).")
@click.option("--force", is_flag=True, help="Replace the file where it exists.")
@at_playbook
def export(
    form: str, output: str | None, force: bool, project: str | None, path: str | None, user: bool
) -> None:
    """
    Write the playbook as JSON, as ACE's text lines, or as a Markdown section for a CLAUDE.md.

    \b
    Example:
      ace-reflect playbook export --format markdown >> CLAUDE.md
    """
    book = look(place(project, path, user)).playbook
    made = {"json": _as_json, "lines": exchange.to_lines, "markdown": exchange.to_markdown}[form](
        book
    )
    data = made.encode("utf-8", "backslashreplace")
    if output is None:
        click.echo(data, nl=False)  # as bytes: it is data, whatever letters the terminal knows
        return
    if os.path.exists(output) and not os.path.isfile(output):
        raise PlaybookError(
            f"{output} is no file but a pipe or a device: name a file, or leave -o out to write to stdout"
        )
    if os.path.lexists(output) and not force:
        raise PlaybookError(f"{output} exists: name another file, or give --force to replace it")
    try:
        atomic.write(os.path.abspath(output), data, mode=0o644)
    except OSError as fault:
        raise PlaybookError(f"cannot write {output}: {fault.strerror}") from fault


@playbook.command()
@at_playbook
@as_json_option
def stats(project: str | None, path: str | None, user: bool, as_json: bool) -> None:
    """
    The playbook's health: size, votes and what stands behind them, what was never used, what is contested.

    \b
    Example:
      ace-reflect playbook stats
    """
    from ace_reflect.cli.playbook_stats import stats_of, stats_page

    with open_for_change() as state:
        found = [stats_of(state, at) for at in places(project, path, user)]
    if as_json:
        echo_json("playbook-stats", {"playbooks": found})
    else:
        stats_page(found)


# ------------------------------------------------------------------ what the commands share


def _list(wanted: list[Place], *, as_json: bool) -> None:
    books = [(at, look(at).playbook) for at in wanted]
    if as_json:
        rows = [
            {
                "path": at.path,
                "scope": scope_of(at),
                "key_points": [page.point_json(*pair) for pair in key_points(book)],
            }
            for at, book in books
        ]
        echo_json("playbook", {"playbooks": rows})
        return
    shown = [(at, book) for at, book in books if any(key_points(book))]
    for number, (at, book) in enumerate(shown):
        page.list_page(book, f"{chr(10) if number else ''}{scope_of(at)} playbook: {at.path}")
    if not shown:
        click.echo(
            wrapped(f"No key point yet in {' or '.join(at.path for at, _ in books)}.", rest="  ")
        )
        click.echo('Sessions bring them, or you: ace-reflect playbook add "Use uv, never pip"')


def _record_of(
    state: State, candidates: list[Place], name: str
) -> tuple[Place, list[Any], list[Any]]:
    """The record of an id: of a key point that is there, or of one that was."""
    present = [at for at in candidates if find(look(at).playbook, name)]
    for at in present or candidates:
        votes = record.votes_of(state, at.real_path, name)
        changes = record.changes_of(state, at.real_path, name)
        if present or votes or changes:
            return at, votes, changes
    raise PlaybookError(unknown(name, candidates))


def _as_json(book: Playbook) -> str:
    from ace_reflect.playbook.store import to_bytes

    return to_bytes(book).decode()


for command in (
    changes.add,
    changes.edit,
    changes.remove,
    changes.promote,
    changes.undo,
    changes.import_,
):
    playbook.add_command(command)
