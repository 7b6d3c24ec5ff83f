"""Which playbook a command means, and how its key points are shown."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli.config import load_config
from ace_reflect.cli.options import NEW_FILE, project_of, project_option
from ace_reflect.cli.output import Json, Report, note, reporting
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.model import KeyPoint, bare_id, counters, find, track_record
from ace_reflect.playbook.read import Read
from ace_reflect.playbook.render import render_line
from ace_reflect.playbook.store import Place, place_of, snapshot

SOURCES = {
    "read": "text that the model read",
    "user": "your words",
    "outcome": "an outcome in the session",
    "model": "the model's own judgement",
}


def at_playbook(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command gets `places`: the playbook that its options name, or the project's and then the person's own."""

    @project_option
    @click.option("--playbook", "path", type=NEW_FILE, help="A playbook file.")
    @click.option("--user", is_flag=True, help="Your own playbook, used in every project.")
    @wraps(command)
    def run(*arguments: Any, project: str | None, path: str | None, user: bool, **more: Any) -> Any:
        if sum((project is not None, path is not None, user)) > 1:
            raise click.UsageError("--project, --playbook and --user cannot be combined")
        own, of_project = users_playbook(), project_playbook(project)
        places = [of_project]
        if user:
            places = [own]
        elif path is not None:
            places = [place_of(path, own.home_dir)]
        elif project is None and of_project.real_path != own.real_path:
            places = [of_project, own]
        return command(*arguments, places=places, **more)

    return run


def book_command(command: Callable[..., Report]) -> Callable[..., int]:
    """A command on playbooks that reports: `at_playbook` and `--json`."""
    return at_playbook(reporting(command))


def project_playbook(project: str | None) -> Place:
    home, storage = paths.home(os.environ), load_config(project).settings.storage
    return place_of(paths.project_playbook(project_of(project), home, storage), home)


def users_playbook() -> Place:
    home = paths.home(os.environ)
    return place_of(paths.user_playbook(home), home)


def look(at: Place) -> Read:
    """The playbook as it is; each entry that cannot be read is noted on stderr. Raises PlaybookError."""
    shot = snapshot(at)
    for item in shot.unread:
        where = f"{item.name} in {item.section} cannot be read ({item.fault})"
        note(f"{at.path}: {where}: it is not used, and is left in the file unchanged")
    return shot


def scope_of(at: Place) -> str:
    """`user`, `project`, or `file` for one somewhere else."""
    if at.floor:
        return "user"
    stored = os.path.join(at.home_dir, "projects", "")
    in_project = at.path.endswith(os.path.join(".claude", "playbook.json"))
    return "project" if in_project or at.path.startswith(stored) else "file"


def with_id(places: Sequence[Place], name: str) -> tuple[Place, str, KeyPoint]:
    """The playbook that holds this id, the section and the key point. Raises PlaybookError."""
    for at in places:
        if found := find(look(at).playbook, bare_id(name)):
            return at, *found
    raise unknown_id(places, name)


def unknown_id(places: Sequence[Place], name: str) -> PlaybookError:
    where = " or ".join(at.path for at in places)
    return PlaybookError(f"no key point is named {bare_id(name)!r} in {where}: see `playbook list`")


def point_json(section: str, point: KeyPoint) -> Json:
    """A key point as its file has it, with its section and its track record."""
    return {**point, "section": section, "track": round(track_record(*counters(point)), 3)}


def before_and_after(change: Json) -> Iterator[str]:
    """`-` for what was removed, `+` for what was added."""
    for mark, point in (("-", change["before"]), ("+", change["after"])):
        if point:
            yield f"{mark} {render_line({'name': '', 'text': '', **point})}"


def evidence_line(item: Json) -> str:
    """`line 8: pytest -q → 3 passed`."""
    where = f"line {item['line']}: " if item.get("line") else ""
    return where + " → ".join(str(item[name]) for name in ("command", "quote") if item.get(name))
