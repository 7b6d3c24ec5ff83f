"""`ace-reflect status`: one screen of what is on, what was learned and what waits."""

import os
from functools import partial
from typing import Any

import click

from ace_reflect import __version__, config, paths
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.log_page import END_STATES
from ace_reflect.cli.named import project_option
from ace_reflect.cli.playbook_places import unread_notes
from ace_reflect.cli.terminal import short_path, wrapped
from ace_reflect.cli.times import iso, local
from ace_reflect.errors import AceReflectError
from ace_reflect.playbook import store
from ace_reflect.playbook.model import key_points
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.settings import GATES, OFFLINE, Settings, config_files
from ace_reflect.state import inbox, jobs, sessions, trust, usage
from ace_reflect.state.db import State, open_state
from ace_reflect.text import counted

Json = dict[str, Any]


@click.command(short_help="One screen: what is on, what was learned, what waits.")
@project_option
@as_json_option
def status(project: str | None, as_json: bool) -> None:
    """
    What is on in this project, what was learned, what waits for you.

    \b
    ace-reflect status
    """
    folder = os.path.abspath(project or paths.project_dir(os.environ))
    found = gather_status(folder)
    if as_json:
        echo_json("status", found)
        return
    for name, text in _lines(found):
        click.echo(wrapped(neutralise(text), f"{name:10} "))


def gather_status(project: str) -> Json:
    """Everything on the screen, as plain data."""
    home = paths.home(os.environ)
    with open_state(home) as state:
        places = [
            store.place_of(path, home)
            for path in (paths.project_playbook(project), paths.user_playbook(home))
        ]
        books = [
            _playbook(state, place)
            for place in {place.real_path: place for place in places}.values()
        ]
        found, warnings = _config(state, project, home)
        settings = found.settings
        return {
            "version": __version__,
            "project": project,
            "home": home,
            "hooks": _registered(project),
            "enabled": settings.enabled and os.environ.get("ACE_REFLECT_DISABLE") != "1",
            "off_by": _off_by(settings),
            "models": list(settings.models),
            "models_unusable": _unusable(found),
            "gates": {name: settings.gate_mode(name) for name in GATES},
            "gates_changed": [item.partition("=")[0] for item in settings.gates],
            "warnings": warnings,
            "playbooks": books,
            "review": sum(int(book["waiting"]) for book in books),
            "queue": jobs.counts(state),
            "tokens_today": usage.tokens_today(state),
            "session": _session(state, project),
        }


def _config(state: State, project: str, home: str) -> tuple[config.Config, list[str]]:
    trusted = partial(trust.trusted_hash, state)
    try:
        found = config.load(project, home, os.environ, trusted=trusted)
    except AceReflectError as error:
        of_a_file = str(error).startswith(config_files(project, home))
        until = (
            "; until that is mended, no model, endpoint or command of this file counts"
            if of_a_file
            else ""
        )
        return config.load_usable(project, home, os.environ, trusted=trusted), [f"{error}{until}"]
    return found, list(found.warnings)


def _unusable(found: config.Config) -> dict[str, str]:
    """The models that cannot be asked from here, each with the reason, as far as it shows without asking."""
    from ace_reflect.llm.registry import why_unusable

    specs = (spec for spec in found.settings.models if spec != OFFLINE)
    return {spec: why for spec in specs if (why := why_unusable(spec, found, os.environ))}


def _off_by(settings: Settings) -> str | None:
    if os.environ.get("ACE_REFLECT_DISABLE") == "1":
        return "ACE_REFLECT_DISABLE=1"
    return None if settings.enabled else "`enabled: false`"


def _playbook(state: State, place: store.Place) -> Json:
    points, problem, unread = 0, "", []
    try:
        shot = store.snapshot(place)
        points = sum(1 for _ in key_points(shot.playbook))
        unread = unread_notes(place, shot)
    except AceReflectError as error:
        problem = str(error)
    row = state.one("SELECT max(at) FROM turns WHERE playbook = ?", (place.real_path,))
    votes = state.one(
        "SELECT count(*) FROM votes WHERE playbook = ? AND undone_at IS NULL", (place.real_path,)
    )
    return {
        "path": place.path,
        "exists": os.path.exists(place.path),
        "key_points": points,
        "votes": votes[0] if votes else 0,
        "learned_at": iso(row[0]) if row and row[0] else None,
        "waiting": inbox.count(state, place.real_path),
        "problem": problem,
        "unread": unread,
        "set_aside": store.kept_aside(place),
    }


def _session(state: State, project: str) -> Json | None:
    newest = sessions.newest(state, project)
    if newest is None:
        return None
    row = state.one(
        "SELECT end_state, attempts FROM prompts WHERE session = ? AND end_state <> '' ORDER BY id DESC LIMIT 1",
        (newest.id,),
    )
    return {
        "id": newest.id,
        "seen_at": iso(newest.seen_at),
        "skipped": newest.skipped,
        "end_state": row[0] if row else None,
        "blocks": row[1] if row else 0,
    }


def _registered(project: str) -> list[str]:
    """The settings files that hold our hooks, and the plugin where it is enabled."""
    from ace_reflect.install.host import plugin_enabled
    from ace_reflect.install.registration import registered_files

    found = [path for _, path, _ in registered_files(project, os.environ)]
    plugin = plugin_enabled(os.environ)
    return [*found, f"plugin {plugin}"] if plugin else found


def _lines(found: Json) -> list[tuple[str, str]]:
    off = "" if found["enabled"] else f" (switched off here by {found['off_by']})"
    rows = [
        ("version", f"ace-reflect {found['version']}{off}"),
        ("project", short_path(found["project"])),
        (
            "hooks",
            ", ".join(short_path(path) for path in found["hooks"])
            or "not registered: run `ace-reflect install`",
        ),
        (
            "models",
            ", ".join(_model(spec, found) for spec in found["models"])
            or "none: learning is offline, nothing is sent anywhere",
        ),
        ("gates", _gates(found)),
    ]
    rows += [
        ("playbook", _book(book)) for book in found["playbooks"] if book["exists"] or book["votes"]
    ]
    if not any(book["exists"] for book in found["playbooks"]):
        rows.append(("playbook", "none yet: it is made when something is learned"))
    aside = [path for book in found["playbooks"] for path in book["set_aside"]]
    rows += [
        (
            "playbook",
            f"{short_path(path)} was set aside, for it was no playbook: mend it and put it back",
        )
        for path in aside
    ]
    rows += [("review", _review(found["review"])), ("queue", _queue(found["queue"]))]
    if found["tokens_today"]:
        rows.append(("tokens", f"{found['tokens_today']:,} today (`ace-reflect log --cost`)"))
    if found["session"]:
        rows.append(("session", _last(found["session"])))
    unread = [note for book in found["playbooks"] for note in book["unread"]]
    return rows + [("note", note) for note in (*unread, *found["warnings"])]


def _model(spec: str, found: Json) -> str:
    why = found["models_unusable"].get(spec)
    return f"{spec} (cannot be asked: {why})" if why else spec


def _gates(found: Json) -> str:
    changed = [f"{name} {found['gates'][name]}" for name in found["gates_changed"]]
    return f"as by default, but {', '.join(changed)}" if changed else "as by default"


def _book(book: Json) -> str:
    if book["problem"]:
        return str(book["problem"])
    learned = f", learned {local(book['learned_at'])}" if book["learned_at"] else ""
    holds = f"{counted(book['key_points'], 'key point')}, {counted(book['votes'], 'vote')}"
    return f"{holds}{learned}: {short_path(book['path'])}"


def _review(count: int) -> str:
    return (
        f"{count} {'waits' if count == 1 else 'wait'}: `ace-reflect review`"
        if count
        else "nothing waits"
    )


def _queue(counts: dict[str, int]) -> str:
    open_jobs = counts.get("queued", 0) + counts.get("running", 0)
    parts = [f"{open_jobs} to do" if open_jobs else "empty"]
    if counts.get("set-aside"):
        parts.append(f"{counts['set-aside']} set aside: `ace-reflect queue`")
    return ", ".join(parts)


def _last(session: Json) -> str:
    said = [session["id"][:8], local(session["seen_at"])]
    if session["end_state"]:
        said.append(END_STATES.get(session["end_state"], session["end_state"]))
    if session["skipped"]:
        said.append("checks off (`ace-reflect skip --undo`)")
    return ", ".join(said)
