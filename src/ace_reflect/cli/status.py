"""`ace-reflect status`, one screen of what is on, was learned and waits; and `skip`, which silences the checks."""

import os

import click

from ace_reflect import __version__
from ace_reflect.cli.books import look, project_playbook, users_playbook
from ace_reflect.cli.config import load_config
from ace_reflect.cli.log import MARKS
from ace_reflect.cli.options import project_of, project_option
from ace_reflect.cli.output import Json, Report, iso, local, reporting, short_path
from ace_reflect.errors import AceReflectError, StateError
from ace_reflect.install import codex
from ace_reflect.install.host import obstacles, plugin_enabled
from ace_reflect.install.registration import registered_files
from ace_reflect.playbook.model import key_points
from ace_reflect.playbook.store import Place
from ace_reflect.settings import GATES
from ace_reflect.state import jobs, record, sessions
from ace_reflect.state.db import State, open_for_command
from ace_reflect.text import counted


@click.command()
@project_option
@reporting
def status(project: str | None) -> Report:
    """What is on in this project, what was learned, what waits for you."""
    project = project_of(project)
    found = load_config(project)
    settings, off_by = found.settings, None
    if os.environ.get("ACE_REFLECT_DISABLE") == "1":
        off_by = "ACE_REFLECT_DISABLE=1"
    elif not settings.enabled:
        off_by = "`enabled: false`"
    files = (*registered_files(project, os.environ), *codex.registered(project, os.environ))
    hooks = [path for _, path, _ in files]
    if plugin := plugin_enabled(os.environ):
        hooks.append(f"plugin {plugin}")
    until = "until that is fixed, no model, endpoint or command in this file takes effect"
    faults = [f"{fault}; {until}" for fault in found.fault.splitlines()]
    places = {place.real_path: place for place in (project_playbook(project), users_playbook())}
    with open_for_command() as state:
        books = [_playbook(state, place) for place in places.values()]
        newest = sessions.newest(state, project)
        prompt = sessions.prompt(state, newest.id) if newest else None
        body = {
            "version": __version__,
            "project": project,
            "home": state.home_dir,
            "hooks": hooks,
            "enabled": off_by is None,
            "off_by": off_by,
            "models": list(settings.models),
            "gates": {name: settings.gate_mode(name) for name in GATES},
            "warnings": [*obstacles(project, os.environ), *faults, *found.warnings],
            "playbooks": books,
            "review": sum(book["waiting"] for book in books),
            "queue": jobs.counts(state),
            "tokens_today": record.tokens_today(state),
            "session": newest
            and {
                "id": newest.id,
                "seen_at": iso(newest.seen_at),
                "skipped": newest.skipped_at is not None,
                "end_state": prompt and prompt.end_state,
                "blocks": prompt.attempts if prompt else 0,
            },
        }
    return Report("status", body, _page)


def _playbook(state: State, place: Place) -> Json:
    points, problem = 0, ""
    try:
        points = sum(1 for _ in key_points(look(place).playbook))
    except AceReflectError as error:
        problem = str(error)
    learned = state.value("SELECT max(at) FROM turns WHERE playbook = ?", (place.real_path,))
    return {
        "path": place.path,
        "exists": os.path.exists(place.path),
        "key_points": points,
        "votes": sum(record.count_votes(state, place.real_path)[0].values()),
        "learned_at": iso(learned),
        "waiting": record.count_waiting(state, place.real_path),
        "problem": problem,
    }


def _page(found: Json) -> str:
    off = f" (switched off here by {found['off_by']})" if found["off_by"] else ""
    books, waiting, models = found["playbooks"], found["review"], found["models"]
    gates = [f"{name} {mode}" for name, mode in found["gates"].items() if mode != GATES[name]]
    queued = [f"{count} {state}" for state, count in found["queue"].items() if state != "done"]
    hooks, session = ", ".join(map(short_path, found["hooks"])), found["session"]
    rows = [
        ("version", f"ace-reflect {found['version']}{off}"),
        ("project", short_path(found["project"])),
        ("hooks", hooks or "not registered: run `ace-reflect install`"),
        ("models", ", ".join(models) or "none: learning is offline, nothing is sent anywhere"),
        ("gates", f"defaults, but {', '.join(gates)}" if gates else "defaults"),
        *(("playbook", _book(book)) for book in books if book["exists"] or book["votes"]),
        ("review", f"{waiting} to decide: `ace-reflect review`" if waiting else "nothing waits"),
        ("queue", f"{', '.join(queued)}: `ace-reflect queue`" if queued else "empty"),
    ]
    if found["tokens_today"]:
        rows.append(("tokens", f"{found['tokens_today']:,} today (`ace-reflect log --cost`)"))
    if session:
        end = MARKS.get(session["end_state"], session["end_state"])
        skipped = "checks off (`ace-reflect skip --undo`)" if session["skipped"] else ""
        said = (session["id"][:8], local(session["seen_at"]), end, skipped)
        rows.append(("session", ", ".join(filter(None, said))))
    rows += [("note", text) for text in found["warnings"]]
    return "\n".join(f"{name:9}  {text}" for name, text in rows)


def _book(book: Json) -> str:
    if book["problem"]:
        return str(book["problem"])
    learned = f", learned {local(book['learned_at'])}" if book["learned_at"] else ""
    holds = f"{counted(book['key_points'], 'key point')}, {counted(book['votes'], 'vote')}"
    return f"{holds}{learned}: {short_path(book['path'])}"


@click.command()
@click.option("--session", metavar="ID", help="The session, or the beginning of its id.")
@project_option
@click.option("--undo", is_flag=True, help="Switch them on again.")
@reporting
def skip(session: str | None, project: str | None, undo: bool) -> Report:
    """Switch the checks off for a session, or on again; without --session the project's newest.

    Other sessions and learning are not affected.

    \b
    ace-reflect skip
    ace-reflect skip --session 65f68b31 --undo
    """
    with open_for_command() as state:
        newest = sessions.newest(state, project_of(project))
        found, which = [newest.id] if newest else [], "of this project"
        if session is not None:
            found = sessions.starting_with(state, session)
            which = f"whose id begins with {session!r}"
        if len(found) != 1:
            raise StateError(
                f"{len(found) or 'no'} sessions {which} are known: --session names one"
            )
        sessions.skip(state, found[0], on=not undo)
    how = "on again" if undo else "off (`ace-reflect skip --undo` switches them on again)"
    page = f"The checks are {how} for session {found[0]}."
    return Report("skip", {"session": found[0], "skipped": not undo}, page)
