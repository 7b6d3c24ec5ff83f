"""`ace-reflect report`: one page of what was caught, learned and done in all sessions."""

import os
import sys

import click

from ace_reflect import atomic, config, paths
from ace_reflect.cli import options
from ace_reflect.cli.output import Json, Report, iso, progress, reporting, short_path
from ace_reflect.cli.transcripts import history_of
from ace_reflect.errors import TranscriptError
from ace_reflect.report.history import History, read_history
from ace_reflect.state.db import open_state
from ace_reflect.text import counted


@click.command()
@options.project_option
@options.all_option
@options.since_option
@click.option("--output", type=options.NEW_FILE, help="Where to (default: in our home).")
@click.option("--no-open", is_flag=True, help="Write the page, and open no browser.")
@reporting
def report(
    project: str | None, everything: bool, since: float | None, output: str | None, no_open: bool
) -> Report:
    """What was caught, what was learned, every session and the trends, in one HTML file that loads nothing.

    The first run reads all transcripts; later ones only what is new. A session stays in the report when Claude Code has
    deleted its transcript. With --json the same as data, and the page only if --output names a file.

    \b
    ace-reflect report --all
    ace-reflect report --since 30d --output report.html --no-open
    """
    from ace_reflect.report import page

    found = known_sessions(project, everything, since)
    home = paths.home(os.environ)
    patterns = config.load(os.devnull, home, os.environ).settings.redaction_patterns
    with open_state(home) as state:
        data = page.view(found.sessions, len(found.unread), state, os.environ, patterns)
    path = os.path.abspath(output or os.path.join(home, "report.html"))
    as_json = click.get_current_context().params.get("as_json")
    if output or not as_json:
        atomic.write(path, page.render(data).encode("utf-8", "replace"))
        if not (no_open or as_json) and sys.stdout.isatty():
            click.launch(path)
    body = {**data, "page": path, "read": found.read, "errors": found.unread}
    return Report("report", body, "" if as_json else _page(path, body), private=True)


def known_sessions(project: str | None, everything: bool, since: float | None) -> History:
    """This project's sessions, or everybody's, since then; new transcripts are read. Raises TranscriptError."""
    here = None if everything else options.project_of(project)
    folder = os.path.join(paths.claude_dir(os.environ), "projects")
    if here:
        folder = paths.sessions_dir(os.environ, here)
    files, none = list[str](), None
    try:
        files = history_of(here)
    except TranscriptError as error:  # Claude Code may have deleted them
        none = error
    with progress(len(files), "Reading") as done:
        found = read_history(files, folder, paths.home(os.environ), os.environ, done)
    if none and not found.sessions:
        raise none
    kept = [one for one in found.sessions if one["end"] >= (iso(since) or "")]
    return found._replace(sessions=kept)


def _page(path: str, body: Json) -> str:
    total, fates = body["total"], body["total"]["fates"]
    came = ", ".join(f"{count} {fate.replace('_', ' ')}" for fate, count in fates.items() if count)
    points = sum(len(book["key_points"]) for book in body["playbooks"])
    lines = [
        f"{counted(total['sessions'], 'session')}, {body['read']} of them read just now, {len(body['errors'])} unreadable",
        f"  stops     {total['stops']}: {total['proven']} proven, {total['open']} open, {total['unknown']} unknown, else nothing to prove",
        f"  messages  {total['blocks']}{': ' if came else ''}{came}",
        f"  learned   {counted(points, 'key point')}, {len(body['waiting'])} for you to review",
    ]
    lines += [f"  unread    {error['error']}" for error in body["errors"][:5]]
    size = os.path.getsize(path) / 1000
    return "\n".join([*lines, f"The page is {short_path(path)} ({size:,.0f} kB)."])
