"""`ace-reflect run`: the learning pipeline on transcripts, by hand."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli import run_page, run_project
from ace_reflect.cli.config import load_config
from ace_reflect.cli.named import FOLDER, NEW_FILE, TRANSCRIPT, transcript_files
from ace_reflect.cli.run_project import Homes
from ace_reflect.cli.terminal import wrapped
from ace_reflect.errors import AceReflectError, ModelError
from ace_reflect.learning.pipeline import Options, Report, learn
from ace_reflect.llm.registry import model_for
from ace_reflect.playbook.delta import compare
from ace_reflect.playbook.model import Playbook, key_points
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.settings import OFFLINE
from ace_reflect.state.db import State, open_state

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ran:
    """One transcript's outcome: what was learned, or why nothing could be."""

    path: str
    report: Report | None = None
    error: AceReflectError | None = None


@click.command(short_help="Learn from transcripts: citations, votes, changes of the playbook.")
@click.argument("transcripts", nargs=-1, required=True, type=TRANSCRIPT, metavar="TRANSCRIPT…")
@click.option(
    "--offline",
    is_flag=True,
    help="Judge by rule; nothing is sent anywhere. The default where no model is configured.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="PROVIDER/MODEL",
    help="Ask this model (again for a second choice).",
)
@click.option("--dry-run", is_flag=True, help="Show what would change; change and record nothing.")
@click.option(
    "--playbook",
    type=NEW_FILE,
    help="Learn into this file (default: the project's and, for votes, yours).",
)
@click.option(
    "--project",
    type=FOLDER,
    help="The project (default: the session's own folder, where it is there).",
)
@click.option("--again", is_flag=True, help="Learn once more from turns that count already.")
@click.option(
    "--json", "as_json", is_flag=True, help="The stable JSON form, schema ace-reflect/run/1."
)
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

    A folder takes all transcripts in it. A turn counts once, however often it is learned from. Each session is learned
    into the playbook of the project that it worked in, unless --project or --playbook names another.

    \b
    ace-reflect run ~/.claude/projects/-home-me-app/SESSION.jsonl
    ace-reflect run SESSION.jsonl --offline --dry-run
    ace-reflect run SESSION.jsonl --model anthropic/claude-sonnet-5 --json
    """
    if offline and models:
        raise click.UsageError("--offline and --model exclude each other")
    options_for = cache(
        partial(
            _options,
            models=models,
            offline=offline,
            playbook=playbook,
            again=again,
            dry_run=dry_run,
        )
    )
    files = transcript_files(transcripts)
    many = len(files) > 1 or any(os.path.isdir(path) for path in transcripts)
    here = os.path.abspath(project or paths.project_dir(os.environ))
    options_for(here)  # what is wrong with what was asked for shows before the first file is read
    homes = run_project.homes(files, here, given=project is not None or playbook is not None)
    for warning in homes.warnings:
        click.echo(wrapped(neutralise(warning), "note: ", "  "), err=True)
    ran = []
    with (
        open_state(paths.home(os.environ), durable=True) as state,
        run_page.progress(len(files), many=many) as say,
    ):
        for number, path in enumerate(files, start=1):
            item = _run_one(state, path, homes, options_for, partial(say.stage, path))
            ran.append(item)
            say.done(number, _page(item, brief=many, dry_run=dry_run), as_json=as_json)
    return _end(ran, many=many, dry_run=dry_run, as_json=as_json)


def _options(
    folder: str,
    *,
    models: tuple[str, ...],
    offline: bool,
    playbook: str | None,
    again: bool,
    dry_run: bool,
) -> Options:
    """How to learn into a project: by its configuration, and what the command line says beside it."""
    config = load_config(folder, {"models": list(models)} if models else {})
    for spec in models:
        if spec != OFFLINE:
            model_for(spec, config, os.environ)
    return Options(
        home_dir=paths.home(os.environ),
        project=folder,
        environ=os.environ,
        playbook=playbook,
        models=(OFFLINE,) if offline else config.file.models,
        review=config.settings.learning_review,
        ungrounded=config.settings.learning_ungrounded,
        again=again,
        dry_run=dry_run,
        config=config,
    )


def _run_one(
    state: State,
    path: str,
    homes: Homes,
    options_for: Callable[[str], Options],
    progress: Callable[[str], None],
) -> Ran:
    try:
        return Ran(path, learn(state, path, options_for(homes.of(path)), progress))
    except ModelError as error:
        return Ran(path, error=ModelError(f"{error}; --offline judges by rule, without a model"))
    except AceReflectError as error:
        return Ran(path, error=error)


def _page(item: Ran, *, brief: bool, dry_run: bool) -> str:
    if item.report is None:
        return neutralise(f"{os.path.basename(item.path)}: skipped: {item.error}") if brief else ""
    return run_page.page(
        item.report,
        tags_json(item.report),
        operations_json(item.report),
        dry_run=dry_run,
        brief=brief,
    )


def _end(ran: list[Ran], *, many: bool, dry_run: bool, as_json: bool) -> int:
    failed = [item for item in ran if item.error is not None]
    if not many and failed:
        assert failed[0].error is not None  # noqa: S101 - that is what failed means
        raise failed[0].error
    if as_json:
        _print_json(ran, dry_run=dry_run, many=many)
    if many and failed:
        click.echo(f"ace-reflect: {len(failed)} of {len(ran)} transcripts were skipped", err=True)
    return 1 if failed else 0


# ------------------------------------------------------------------ showing


def report_json(report: Report, *, dry_run: bool) -> Json:
    """One run as JSON, schema ace-reflect/run/1."""
    # A session that one of them has learned from already may be new to the other.
    others = [
        (place, done)
        for place, done in report.playbooks
        if place.real_path != report.place.real_path
    ]
    first = next(
        (done for place, done in report.playbooks if place.real_path == report.place.real_path),
        None,
    )
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
            "before": _count(first.before) if first else report.key_points,
            "after": _count(first.after) if first else report.key_points,
            "changed": bool(first and first.changed and not dry_run),
        },
        "usage": dict(report.usage),
    }
    for place, done in others:
        body["user_playbook"] = {"path": place.path, "changed": done.changed and not dry_run}
    if dry_run:
        body["dry_run"] = True
        body["diff"] = [
            change.to_json()
            for _, done in report.playbooks
            for change in compare(done.before, done.after)
        ]
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
    return [outcome.to_json() for outcome in applied] + [
        dict(operation) for operation in report.refused
    ]


def _count(playbook: Playbook) -> int:
    return sum(1 for _ in key_points(playbook))


def _print_json(ran: list[Ran], *, dry_run: bool, many: bool) -> None:
    import json

    from ace_reflect.redact import redact

    if many:
        rows = [
            report_json(item.report, dry_run=dry_run)
            if item.report
            else {"transcript": item.path, "error": str(item.error)}
            for item in ran
        ]
        body: Json = {"schema": "ace-reflect/run-many/1", "runs": rows}
    else:
        assert ran[0].report is not None  # noqa: S101 - an error was raised before
        body = report_json(ran[0].report, dry_run=dry_run)
    click.echo(redact(json.dumps(body, ensure_ascii=False, indent=2), os.environ))
