"""Which playbook a command means."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ace_reflect import paths
from ace_reflect.cli.named import NEW_FILE, project_option
from ace_reflect.cli.terminal import wrapped
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.model import SLUGS, KeyPoint, bare_id, find
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.playbook.store import Place, Snapshot, place_of, snapshot
from ace_reflect.state.db import State, open_state

Command = TypeVar("Command", bound=Callable[..., Any])


def at_playbook(command: Command) -> Command:
    """The three ways to say which playbook: `--project DIR`, `--playbook PATH`, `--user`."""
    command = click.option("--user", is_flag=True, help="Your own playbook, for every project.")(
        command
    )
    command = click.option("--playbook", "path", type=NEW_FILE, help="A playbook file.")(command)
    return project_option(command)


def places(project: str | None, path: str | None, user: bool) -> list[Place]:
    """The playbook that was named; the project's and then the person's own where none was."""
    if sum((project is not None, path is not None, user)) > 1:
        raise click.UsageError("--project, --playbook and --user exclude each other")
    home = paths.home(os.environ)
    own = place_of(paths.user_playbook(home), home)
    if path is not None:
        return [place_of(path, home)]
    if user:
        return [own]
    projects = place_of(paths.project_playbook(project or paths.project_dir(os.environ)), home)
    if project is None and not os.path.exists(projects.path):
        _tell_of_one_above(projects, own)
    return (
        [projects]
        if project is not None or projects.real_path == own.real_path
        else [projects, own]
    )


def _tell_of_one_above(at: Place, own: Place) -> None:
    """In a subfolder of a project the project's playbook is not found: say where it is, before a second one is begun."""
    folder = os.path.dirname(os.path.dirname(at.real_path))
    while (above := os.path.dirname(folder)) != folder:
        folder, found = above, paths.project_playbook(above)
        if os.path.isfile(found) and os.path.realpath(found) != own.real_path:
            _note_once(
                f"{at.path} is not there, but {found} is: `--project {folder}` means that one"
            )
            return


def _note_once(text: str) -> None:
    told: set[str] = (
        click.get_current_context().find_root().meta.setdefault("ace_reflect.notes", set())
    )
    if text not in told:
        click.echo(wrapped(neutralise(text), "note: ", "  "), err=True)
    told.add(text)


def look(at: Place) -> Snapshot:
    """The playbook as it stands; what of it cannot be read is said once on stderr. Raises PlaybookError."""
    shot = snapshot(at)
    told: set[str] = (
        click.get_current_context().find_root().meta.setdefault("ace_reflect.unread", set())
    )
    if at.real_path not in told:
        for note in unread_notes(at, shot):
            click.echo(wrapped(neutralise(note), "note: ", "  "), err=True)
    told.add(at.real_path)
    return shot


def unread_notes(at: Place, shot: Snapshot) -> list[str]:
    """A line for each entry that cannot be read, with where it stands."""
    return [
        f"{at.path}: {item.name} in {item.section} cannot be read ({item.fault}): it is not used, and stays in the file as it is"
        for item in shot.read.unread
    ]


def place(project: str | None, path: str | None, user: bool) -> Place:
    """The one playbook that a change is for: the project's where none was named."""
    return places(project, path, user)[0]


def scope_of(at: Place) -> str:
    """`user`, `project`, or `file` for one somewhere else."""
    if at.floor:
        return "user"
    return "project" if at.path.endswith(os.path.join(".claude", "playbook.json")) else "file"


def with_id(candidates: list[Place], name: str) -> tuple[Place, str, KeyPoint]:
    """The playbook that holds this id, the section and the key point. Raises PlaybookError."""
    wanted = bare_id(name)
    for at in candidates:
        found = find(look(at).playbook, wanted)
        if found:
            return at, *found
    raise PlaybookError(unknown(wanted, candidates))


def unknown(name: str, candidates: list[Place]) -> str:
    where = " or ".join(at.path for at in candidates)
    return f"no key point is named {name!r} in {where}: `ace-reflect playbook list` shows all"


def section_named(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> str | None:
    """A section by its name, its slug (`pat`) or the beginning of its name."""
    if value is None:
        return None
    wanted = " ".join(value.split()).upper()
    for section, slug in SLUGS.items():
        if wanted in {section, slug.upper()} or (len(wanted) > 2 and section.startswith(wanted)):
            return section
    known = ", ".join(f'"{section}" ({slug})' for section, slug in SLUGS.items())
    raise click.BadParameter(f"{value!r} is none of {known}")


def open_for_change() -> State:
    """`state.db`, waited for as long as a person would, and synced before a playbook changes."""
    return open_state(paths.home(os.environ), durable=True, wait_s=10.0)
