"""`ace-reflect run`: the learning pipeline on transcripts, by hand."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli.config import load_config
from ace_reflect.cli.named import FOLDER
from ace_reflect.errors import AceReflectError, TranscriptError
from ace_reflect.learning.pipeline import OFFLINE, Options, Report, learn
from ace_reflect.playbook.delta import compare
from ace_reflect.playbook.model import Playbook, key_points
from ace_reflect.playbook.neutral import neutral_lines
from ace_reflect.state.db import State, open_state

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ran:
    """One transcript's outcome: what was learned, or why nothing could be."""

    path: str
    report: Report | None = None
    error: AceReflectError | None = None


@click.command(short_help="Learn from transcripts: citations, votes, changes of the playbook.")
@click.argument("transcripts", nargs=-1, required=True, type=click.Path(), metavar="TRANSCRIPT…")
@click.option(
    "--offline", is_flag=True, help="Judge by rule; nothing is sent anywhere. The default where no model is configured."
)
@click.option(
    "--model", "models", multiple=True, metavar="PROVIDER/MODEL", help="Ask this model (again for a second choice)."
)
@click.option("--dry-run", is_flag=True, help="Show what would change; change and record nothing.")
@click.option(
    "--playbook",
    type=click.Path(dir_okay=False),
    help="Learn into this file (default: the project's and, for votes, yours).",
)
@click.option("--project", type=FOLDER, help="The project (default: the session's own folder, where it is there).")
@click.option("--again", is_flag=True, help="Learn once more from turns that count already.")
@click.option("--json", "as_json", is_flag=True, help="The stable JSON form, schema ace-reflect/run/1.")
def run(
    transcripts: tuple[str, ...],
    offline: bool,
    models: tuple[str, ...],
    dry_run: bool,
    playbook: str | None,
    project: str | None,
    again: bool,
    as_json: bool,
) -> int:
    """
    Learn from sessions: which key points were cited, which helped or harmed, what should be added.

    A folder takes all transcripts in it. A turn counts once, however often it is learned from.

    \b
    ace-reflect run ~/.claude/projects/-home-me-app/SESSION.jsonl
    ace-reflect run SESSION.jsonl --offline --dry-run
    ace-reflect run SESSION.jsonl --model anthropic/claude-sonnet-4-5 --json
    """
    if offline and models:
        raise click.UsageError("--offline and --model exclude each other")
    flags: dict[str, object] = {"models": list(models)} if models else {}
    config = load_config(project, flags)
    home = paths.home(os.environ)
    options = Options(
        home_dir=home,
        project=os.path.abspath(paths.project_dir(os.environ, project) if project is None else project),
        environ=os.environ,
        playbook=playbook,
        models=(OFFLINE,) if offline else config.file.models,
        review=config.settings.learning_review,
        ungrounded=config.settings.learning_ungrounded,
        again=again,
        dry_run=dry_run,
        config=config,
    )
    files = _files(transcripts)
    with open_state(home, durable=True) as state:
        ran = list(_run_all(state, files, options))
    many = len(files) > 1 or any(os.path.isdir(path) for path in transcripts)
    return _show(ran, options, many=many, as_json=as_json)


def _show(ran: list[Ran], options: Options, *, many: bool, as_json: bool) -> int:
    failed = [item for item in ran if item.error is not None]
    if not many and failed:
        assert failed[0].error is not None  # noqa: S101 - that is what failed means
        raise failed[0].error
    if as_json:
        _print_json(ran, options, many=many)
    else:
        _print_pages(ran, options, many=many)
    for item in failed:
        click.echo(neutral_lines(f"ace-reflect: skipped {item.error}"), err=True)
    return 1 if failed else 0


def _files(given: tuple[str, ...]) -> list[str]:
    from ace_reflect.transcript.files import session_files

    found: list[str] = []
    for path in given:
        inside = session_files(path) if os.path.isdir(path) else [path]
        if not inside:
            raise TranscriptError(f"{path}: no transcript (*.jsonl) in this folder")
        found += inside
    return list(dict.fromkeys(found))


def _run_all(state: State, files: list[str], options: Options) -> Iterator[Ran]:
    with _progress(len(files)) as say:
        for path in files:
            try:
                yield Ran(path, learn(state, path, options, partial(say, path)))
            except AceReflectError as error:
                if len(files) == 1:
                    raise
                yield Ran(path, error=error)
            say(path, "")


@contextmanager
def _progress(count: int) -> Iterator[Callable[[str, str], None]]:
    """A bar over the files on a terminal, naming what is being done; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=count)

        def say(path: str, stage: str) -> None:
            if stage:
                bar.update(task, description=f"{os.path.basename(path)}: {stage}")
            else:
                bar.advance(task)

        yield say


# ------------------------------------------------------------------ showing


def report_json(report: Report, options: Options) -> Json:
    """One run in the form of DESIGN §9, and a little more."""
    first = report.playbooks[0][1] if report.playbooks else None
    before = first.before if first else None
    body: Json = {
        "schema": "ace-reflect/run/1",
        "transcript": report.transcript,
        "session_id": report.session,
        "mode": report.mode,
        "model": report.model,
        "turns": {"learned": report.learned, "known": report.known, "open": report.open},
        "cited_ids": list(report.cited),
        "analysis": report.lesson.analysis,
        "bullet_tags": tags_json(report),
        "operations": operations_json(report),
        "playbook": {
            "path": report.place.path,
            "before": _count(before) if before is not None else report.key_points,
            "after": _count(first.after) if first else report.key_points,
            "changed": bool(first and first.changed and not options.dry_run),
        },
        "usage": dict(report.usage),
    }
    if len(report.playbooks) > 1:
        body["user_playbook"] = {"path": report.playbooks[1][0].path, "changed": report.playbooks[1][1].changed}
    if options.dry_run:
        body["dry_run"] = True
        body["diff"] = [change.to_json() for _, done in report.playbooks for change in compare(done.before, done.after)]
    return body


def tags_json(report: Report) -> list[Json]:
    """Each key point's votes, those of several turns together."""
    found: dict[tuple[str, str, bool], Json] = {}
    for _, applied in report.playbooks:
        for tag, counted in applied.tags:
            entry = found.setdefault(
                (tag.name, tag.tag, counted),
                {
                    "name": tag.name,
                    "tag": tag.tag,
                    "rationale": tag.rationale,
                    "counted": counted,
                    "evidence": [],
                    "based_on": tag.based_on,
                    "grounded": tag.grounded,
                    "votes": 0,
                },
            )
            entry["evidence"] += [dict(item) for item in tag.evidence]
            entry["votes"] += 1
    return list(found.values())


def operations_json(report: Report) -> list[Json]:
    applied = report.playbooks[0][1].outcomes if report.playbooks else ()
    return [outcome.to_json() for outcome in applied] + [dict(operation) for operation in report.refused]


def _count(playbook: Playbook) -> int:
    return sum(1 for _ in key_points(playbook))


def _print_json(ran: list[Ran], options: Options, *, many: bool) -> None:
    import json

    from ace_reflect.redact import redact

    if many:
        rows = [
            report_json(item.report, options) if item.report else {"transcript": item.path, "error": str(item.error)}
            for item in ran
        ]
        body: Json = {"schema": "ace-reflect/run-many/1", "runs": rows}
    else:
        assert ran[0].report is not None  # noqa: S101 - an error was raised before
        body = report_json(ran[0].report, options)
    click.echo(redact(json.dumps(body, ensure_ascii=False, indent=2), os.environ))


def _print_pages(ran: list[Ran], options: Options, *, many: bool) -> None:
    from ace_reflect.cli import run_page

    for item in ran:
        if item.report is not None:
            click.echo(
                run_page.page(item.report, tags_json(item.report), operations_json(item.report), options, brief=many)
            )
