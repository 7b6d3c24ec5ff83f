"""`ace-reflect skip`: the checks stay silent for one session. The same as saying "skip gates for this session" in it."""

import os

import click

from ace_reflect import paths
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.named import project_option
from ace_reflect.cli.terminal import tell
from ace_reflect.errors import StateError
from ace_reflect.state import sessions
from ace_reflect.state.db import State, open_state


@click.command(short_help="Switch the checks off for a session.")
@click.option(
    "--session",
    metavar="ID",
    help="The session (the beginning of its id is enough); default: the project's newest.",
)
@project_option
@click.option("--undo", is_flag=True, help="Switch them on again.")
@as_json_option
def skip(session: str | None, project: str | None, undo: bool, as_json: bool) -> None:
    """
    Switch the checks off for one session, or on again. Other sessions, and learning, go on as before.

    \b
    ace-reflect skip
    ace-reflect skip --session 65f68b31 --undo
    """
    folder = os.path.abspath(project or paths.project_dir(os.environ))
    with open_state(paths.home(os.environ)) as state:
        found = _find(state, session, folder)
        sessions.skip(state, found, on=not undo)
    if as_json:
        echo_json("skip", {"session": found, "skipped": not undo})
    else:
        again = "" if undo else " `ace-reflect skip --undo` switches them on again."
        tell(f"The checks are {'on again' if undo else 'off'} for session {found}.{again}")


def _find(state: State, wanted: str | None, project: str) -> str:
    if wanted is None:
        newest = sessions.newest(state, project)
        if newest is None:
            raise StateError(
                f"no session of {project} is known; name one with --session, or the project with --project"
            )
        return newest.id
    found = sessions.starting_with(state, wanted)
    if len(found) != 1:
        problem = (
            "no session is known whose id begins"
            if not found
            else "several sessions are known whose ids begin"
        )
        raise StateError(
            f"{problem} with {wanted!r}; `ace-reflect status` names the project's newest"
        )
    return found[0]
