"""`ace-reflect report` and `audit`: what was caught, learned and done in all sessions, as one page and in numbers."""

import os
import sys
from contextlib import suppress
from typing import Any

import click

from ace_reflect import atomic, config, paths
from ace_reflect.cli import options
from ace_reflect.cli.output import Json, Report, iso, progress, reporting, short_path, table
from ace_reflect.cli.transcripts import history_of
from ace_reflect.errors import TranscriptError
from ace_reflect.report import figures
from ace_reflect.report.history import History, read_history
from ace_reflect.state.db import open_for_command
from ace_reflect.text import counted

_HEADS = ("sessions", "stops", "proven", "open", "unknown", "not proven", "messages", "claims", "green first")  # fmt: skip


@click.command()
@options.project_option
@options.all_option
@options.since_option
@click.option("--output", type=options.NEW_FILE, help="Where to (default: in our home).")
@click.option("--no-open", is_flag=True, help="Write the page, and open no browser.")
@reporting
def report(output: str | None, no_open: bool, **which: Any) -> Report:
    """What was caught, what was learned, every session and the trends, in one HTML file that loads nothing.

    The first run reads all transcripts; later ones only what is new. A session stays in the report when Claude Code has
    deleted its transcript. With --json the same as data, and the page only if --output names a file.

    \b
    ace-reflect report --all
    ace-reflect report --since 30d --output report.html --no-open
    """
    from ace_reflect.report import page

    found, home = _sessions(**which), paths.home(os.environ)
    patterns = config.load(os.devnull, home, os.environ).settings.redaction_patterns
    with open_for_command() as state:
        data = page.view(found.sessions, len(found.unread), state, os.environ, patterns)
    path = os.path.abspath(output or os.path.join(home, "report.html"))
    as_json = click.get_current_context().params.get("as_json")
    shown = counted(len(found.sessions), "session")
    lines = [f"{shown}, {found.read} of them read just now, {len(found.unread)} unreadable."]
    lines += [f"  unread    {error['error']}" for error in found.unread[:5]]
    if output or not as_json:
        made = page.render(data).encode("utf-8", "replace")
        atomic.write(path, made)
        lines.append(f"The page is {short_path(path)} ({len(made) / 1000:,.0f} kB).")
        if not (no_open or as_json) and sys.stdout.isatty():
            click.launch(path)
    body = {**data, "page": path, "read": found.read, "errors": found.unread}
    return Report("report", body, "\n".join(lines), private=True)


def _sessions(project: str | None, everything: bool, since: float | None) -> History:
    """This project's sessions, or everybody's, since then; new transcripts are read. Raises TranscriptError."""
    here = None if everything else options.project_of(project)
    folder = os.path.join(paths.claude_dir(os.environ), "projects")
    if here:
        folder = paths.sessions_dir(os.environ, here)
    files = list[str]()
    with suppress(TranscriptError):  # Claude Code may have deleted them
        files = history_of(here)
    with progress(len(files), "Reading") as done:
        found = read_history(files, folder, paths.home(os.environ), os.environ, done)
    if not found.sessions:
        history_of(here)
    kept = [one for one in found.sessions if one["end"] >= (iso(since) or "")]
    return found._replace(sessions=kept)


@click.command()
@options.project_option
@options.all_option
@options.since_option
@click.option("--max-unproven", type=click.FloatRange(0, 1), help="Exit with 1 above this rate.")
@click.option("--markdown", is_flag=True, help="As Markdown, for $GITHUB_STEP_SUMMARY.")
@reporting
def audit(max_unproven: float | None, markdown: bool, **which: Any) -> Report:
    """How many stops were proven, open or unknown, which gates spoke, whether claims were borne out.

    By project, model and month. "Not proven" are the open and unknown ones among the stops with something to prove, with a
    95 % interval. --json prints the stable form, schema ace-reflect/audit/1.

    \b
    ace-reflect audit --all --since 30d
    ace-reflect audit --all --markdown >> "$GITHUB_STEP_SUMMARY"
    """
    found = _sessions(**which)
    total = figures.tally(found.sessions)
    rate = total["unproven"]["rate"] or 0.0
    body = {
        "total": total,
        "projects": figures.busiest(found.sessions, "project"),
        "models": figures.busiest(found.sessions, "model"),
        "months": figures.by(found.sessions, "month"),
        "errors": found.unread,
        "max_unproven": max_unproven,
        "passed": max_unproven is None or rate <= max_unproven,
    }
    text = _audit_page(body, markdown=markdown)
    return Report("audit", body, text, code=0 if body["passed"] else 1, private=True, fold=False)


def _audit_page(body: Json, *, markdown: bool) -> str:
    """What it comes to in words, and the tables."""
    total, limit = body["total"], body["max_unproven"]
    held = "holds" if body["passed"] else "exceeded"
    proven, green = (
        f"{figures.percent(total[name])} of {total[name]['of']}"
        for name in ("unproven", "first_green")
    )
    told = {
        "Not proven": f"{proven} stops with something to prove",
        "Limit": "" if limit is None else f"{limit:.0%} {held}",
        "Messages": f"{total['blocks']}, {total['sent']} of them sent",
        "By gate": _named(total["by_gate"]),
        "Came of it": _named(total["fates"]),
        "Claims": _named(total["claims"]),
        "Green first": f"{green} turns that edited code and ran tests",
        "Unreadable": _named({"transcripts": len(body["errors"])}),
    }
    lines = [f"{'* ' * markdown}{name}: {text}" for name, text in told.items() if text]
    parts = [f"{'## ' * markdown}ace-reflect audit", "\n".join(lines)]
    for name in ("project", "model", "month"):
        heads, every = (name, *_HEADS), [*body[f"{name}s"], {**total, "name": "all"}]
        parts.append(table(heads, map(_cells, every), right=_HEADS, markdown=markdown))
    parts.append("In brackets: 95 % intervals. Claims: borne out/unproven/contradicted.")
    return "\n\n".join(parts)


def _named(counts: Json) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in counts.items() if n)


def _cells(row: Json) -> tuple[str, ...]:
    numbers = (str(row[name]) for name in ("sessions", "stops", "proven", "open", "unknown"))
    unproven, green = figures.percent(row["unproven"]), figures.percent(row["first_green"])
    claims = "/".join(map(str, row["claims"].values()))
    return (figures.folder(row["name"]), *numbers, unproven, str(row["blocks"]), claims, green)
