"""`ace-reflect run`: the learning pipeline on transcripts, by hand."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import click

from ace_reflect import log, paths
from ace_reflect.cli import options, transcripts
from ace_reflect.cli.books import before_and_after, differences_json, evidence_line
from ace_reflect.cli.config import load_config
from ace_reflect.cli.output import Json, Report, note, reporting, short_path
from ace_reflect.errors import ModelError, TranscriptError
from ace_reflect.learning import pipeline
from ace_reflect.learning.lesson import Options
from ace_reflect.learning.pipeline import learn
from ace_reflect.learning.worker import summary
from ace_reflect.llm.port import Usage
from ace_reflect.llm.registry import model_for
from ace_reflect.playbook.change import text_of
from ace_reflect.playbook.history import compare
from ace_reflect.playbook.model import key_points
from ace_reflect.settings import OFFLINE, online
from ace_reflect.state.db import State, open_state
from ace_reflect.text import counted, shortened

_MARKS = {"helpful": "+", "harmful": "-"}
_EVIDENCE_SHOWN = 2


@click.command()
@click.argument("named", nargs=-1, required=True, type=options.PATH, metavar="TRANSCRIPT | FOLDER…")
@click.option("--offline", is_flag=True, help="Judge by rule: nothing is sent anywhere.")
@click.option("--model", "models", multiple=True, help="Ask this model; repeat for a fallback.")
@click.option("--dry-run", is_flag=True, help="Show what would change; change and record nothing.")
@click.option("--playbook", type=options.NEW_FILE, help="Learn into this file only.")
@click.option("--project", type=options.FOLDER, help="The project (default: the session's own).")
@click.option("--again", is_flag=True, help="Learn again from turns already learned from.")
@reporting
def run(
    named: tuple[str, ...],
    offline: bool,
    models: tuple[str, ...],
    dry_run: bool,
    playbook: str | None,
    project: str | None,
    again: bool,
) -> Report:
    """Learn from sessions: which key points were cited, which helped or harmed, what should be added.

    A folder means all transcripts in it. A turn counts once, however often it is learned from. What a session teaches goes
    into the playbook of the project it worked in, unless --project or --playbook names another. --json prints the stable
    form, schema ace-reflect/run/1.

    \b
    ace-reflect run ~/.claude/projects/-home-me-app/SESSION.jsonl
    ace-reflect run SESSION.jsonl --offline --dry-run
    ace-reflect run SESSION.jsonl --model anthropic/claude-sonnet-5 --json
    """
    more = {"dry_run": dry_run, "playbook": playbook, "again": again}
    options_for = learning_options(offline=offline, models=models, **more)
    files = transcripts.files_of(named)
    here = options.project_of(project)
    options_for(here)  # a mistake in what was asked for shows before the first file is read
    folders = _folders(files, here, given=bool(project or playbook))
    with open_state(paths.home(os.environ), durable=True) as state:

        def learn_from(path: str) -> pipeline.Report:
            return learn_one(state, path, options_for(os.path.abspath(folders[path])))

        if len(files) == 1 and files[0] in named:
            found = learn_from(files[0])
            body = report_json(found, dry_run=dry_run)
            shown = {**body, "changes": changes_of(found)}
            return Report("run", body, _page, shown=shown, private=True)
        ran, errors = transcripts.each_of(files, "Learning", learn_from)
    body = {"runs": [*(report_json(found, dry_run=dry_run) for found in ran), *errors]}
    told = [shown_json(found, folders[found.transcript], dry_run=dry_run) for found in ran]
    code, shown = 2 if errors else 0, digest(told, errors)
    return Report("run-many", body, digest_page, code, shown=shown, private=True)


def _folders(files: Sequence[str], here: str, *, given: bool) -> dict[str, str]:
    """The project that each transcript is learned into: where the session worked; `here` if one was given, and for sessions
    of a single project that is not on this machine (it was moved, or they ran elsewhere).
    """
    worked_in = {path: transcripts.session_folder(path) or here for path in files}
    gone = [folder for folder in worked_in.values() if not os.path.isdir(folder)]
    if gone and not given and len(set(worked_in.values())) == 1:
        taken = f"{here} is taken for its project; --project names another"
        note(f"{gone[0]}, where the session worked, is not on this machine: {taken}")
        given = True
    return dict.fromkeys(files, here) if given else worked_in


def learning_options(
    *, offline: bool, models: tuple[str, ...], **more: Any
) -> Callable[..., Options]:
    """How to learn into a project: its configuration, and what the command line adds. Raises click.UsageError, ConfigError."""
    if offline and models:
        raise click.UsageError("--offline and --model cannot be combined")

    @cache
    def options_for(folder: str, *, final: bool = True) -> Options:
        config = load_config(folder, {"models": list(models)} if models else {})
        for spec in online(models):
            model_for(spec, config, os.environ)  # raises where there is none
        return Options(
            home_dir=paths.home(os.environ),
            project=folder,
            environ=os.environ,
            models=(OFFLINE,) if offline else config.settings.models,
            final=final,
            review=config.settings.learning_review,
            ungrounded=config.settings.learning_ungrounded,
            config=config,
            **more,
        )

    return options_for


def learn_one(state: State, path: str, how: Options) -> pipeline.Report:
    """Learn from one transcript. Sessions of other projects are never mixed into the playbook of this one."""
    if not os.path.isdir(how.project):
        gone = f"worked in {how.project}, which is not on this machine"
        way = "name its checkout with --project, or a playbook with --playbook"
        raise TranscriptError(f"{path}: {gone}; {way}")
    try:
        return logged(state, learn(state, path, how), how)
    except ModelError as error:
        raise ModelError(f"{error}; --offline judges by rule, without a model") from error


def logged(state: State, found: pipeline.Report, how: Options) -> pipeline.Report:
    """The report, once its line is in the log; a dry run has none, and a session without a new turn."""
    if found.learned and not how.dry_run:
        log.write(state.home_dir, "learn", session=found.session, decision=summary(found))
    return found


def report_json(report: pipeline.Report, *, dry_run: bool) -> Json:
    """One run as JSON, schema ace-reflect/run/1."""
    # A session that one of them has learned from already may be new to the other.
    own = [done for place, done in report.playbooks if place.real_path == report.place.real_path]
    applied = report.playbooks[0][1].outcomes if report.playbooks else ()
    counts = [sum(1 for _ in key_points(book)) for one in own for book in (one.before, one.after)]
    before, after = counts or (report.key_points, report.key_points)
    body: Json = {
        "schema": "ace-reflect/run/1",
        "transcript": report.transcript,
        "session_id": report.session,
        "mode": report.mode,
        "model": report.lesson.model,
        "turns": {"learned": report.learned, "known": report.known, "open": report.open},
        "cited_ids": list(report.cited),
        "analysis": report.lesson.analysis,
        "bullet_tags": _tags(report),
        "operations": [*(one.to_json() for one in applied), *map(dict, report.lesson.refused)],
        "candidates": [
            {"section": one.section, "text": one.text, "quote": one.quote, "why": one.why}
            for one in report.lesson.candidates
        ],
        "playbook": {
            "path": report.place.path,
            "before": before,
            "after": after,
            "changed": any(one.changed for one in own) and not dry_run,
        },
        "usage": dict(report.lesson.usage),
    }
    for place, done in report.playbooks:
        if place.real_path != report.place.real_path:
            body["user_playbook"] = {"path": place.path, "changed": done.changed and not dry_run}
    if dry_run:
        body["dry_run"] = True
        body["diff"] = [row for changes in changes_of(report).values() for row in changes]
    return body


def _tags(report: pipeline.Report) -> list[Json]:
    """Each key point's votes, those of several turns together."""
    found: dict[tuple[str, str, bool], Json] = {}
    for vote in (vote for _, applied in report.playbooks for vote in applied.votes):
        names = ("tag", "rationale", "based_on", "grounded", "counted")
        entry: Json = {"name": vote.key_point, **{name: getattr(vote, name) for name in names}}
        entry |= {"evidence": [], "votes": 0}
        entry = found.setdefault((vote.key_point, vote.tag, vote.counted), entry)
        entry["evidence"] += [dict(item) for item in vote.evidence]
        entry["votes"] += 1
    return list(found.values())


def shown_json(report: pipeline.Report, project: str, *, dry_run: bool) -> Json:
    """The same with all that changed and where the session worked, for a digest."""
    changes = changes_of(report)
    return {**report_json(report, dry_run=dry_run), "changes": changes, "project": project}


def changes_of(report: pipeline.Report) -> dict[str, list[Json]]:
    """What changed in each playbook, by its path."""
    pairs = report.playbooks
    return {at.path: differences_json(compare(done.before, done.after)) for at, done in pairs}


def _page(run: Json) -> str:
    head = _head(run)
    if not run["turns"]["learned"]:
        return head
    votes = [line for tag in run["bullet_tags"] for line in _vote(tag)]
    proposals = [line for operation in run["operations"] for line in _operation(operation)]
    blocks = {
        "Cited": [", ".join(run["cited_ids"]) or "no key point"],
        "Votes": votes or ["none"],
        "Proposals": proposals or ["none"],
    }
    for path, changes in run["changes"].items():
        would = " would change (--dry-run: nothing was written)" * ("diff" in run)
        rows = [line for change in changes for line in before_and_after(change)]
        blocks[f"Playbook {short_path(path)}{would * bool(rows)}"] = rows or ["unchanged"]
    parts = ["\n  ".join([title, *rows]) for title, rows in blocks.items()]
    return "\n\n".join([f"{head}\n{run['analysis']}", *parts])


def digest(ran: Sequence[Json], errors: Sequence[Mapping[str, str]]) -> Json:
    """What many runs come to: for each project what was learned, in words, what waits, and what it took."""
    projects: dict[str, Json] = {}
    spent = Usage()
    for run in ran:
        empty: Json = {"sessions": 0, "turns": 0, "votes": 0, "added": [], "waiting": []}
        of = projects.setdefault(run["project"], {"project": run["project"], **empty})
        of["sessions"] += bool(run["turns"]["learned"])
        of["turns"] += run["turns"]["learned"]
        of["votes"] += sum(tag["votes"] for tag in run["bullet_tags"] if tag["counted"])
        quotes = {op.get("key_point"): op.get("quote") for op in run["operations"]}
        for change in (row for rows in run["changes"].values() for row in rows):
            if change["kind"] == "added":
                point = change["after"]
                row = {"name": point["name"], "text": point["text"]}
                of["added"].append({**row, "quote": quotes.get(point["name"])})
        of["waiting"] += [{"text": one["text"], "quote": one["quote"]} for one in run["candidates"]]
        usage = run["usage"]
        given, said = usage.get("input_tokens") or 0, usage.get("output_tokens") or 0
        spent += Usage(given, said, usage.get("cost_usd"))
    kept = [each for each in projects.values() if each["turns"]]
    sessions = sum(each["sessions"] for each in kept)
    body: Json = {"sessions": sessions, "known": len(ran) - sessions, "projects": kept}
    dry_run = any("diff" in run for run in ran)
    return {**body, "errors": list(errors), "usage": spent.to_json(), "dry_run": dry_run}


def digest_page(body: Json) -> str:
    if not body["projects"]:
        return "Nothing new to learn from."
    lines = []
    for each in body["projects"]:
        counts = [counted(each[f"{name}s"], name) for name in ("session", "turn", "vote")]
        lines.append(f"{short_path(each['project'])}: {', '.join(counts)}")
        lines += [f"  + {row['name']}  {row['text']}" for row in each["added"]]
        lines += [f"  ? {row['text']}" for row in each["waiting"]]
        lines += ["  nothing that a later session needs"] * (not each["added"] + each["waiting"])
    waits = sum(len(each["waiting"]) for each in body["projects"])
    word = f"{counted(waits, 'key point')} {'waits' if waits == 1 else 'wait'}"
    lines += ["", f"? {word} for you: ace-reflect review"] if waits else []
    lines += ["--dry-run: nothing was written."] * body["dry_run"]
    usage = body["usage"]
    if usage["input_tokens"]:
        price = "" if usage["cost_usd"] is None else f", ${usage['cost_usd']:.2f}"
        lines.append(f"It took {usage['input_tokens'] + usage['output_tokens']:,} tokens{price}.")
    return "\n".join(lines)


def _head(run: Json) -> str:
    turns, usage = run["turns"], run["usage"]
    known = f", {turns['known']} known" if turns["known"] else ""
    name = os.path.basename(run["transcript"])
    head = f"{name}: {counted(turns['learned'], 'new turn')}{known}"
    if not turns["learned"] and turns["known"]:
        again = "Already learned from: nothing was changed. --again learns from it again."
        return f"{head}\n  {again}"
    if not turns["learned"]:
        return f"{head}\n  No finished turn: there is nothing to learn from yet."
    if run["model"] is None:
        return f"{head}, judged offline, by rule"
    tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    cost = f", ${usage['cost_usd']:.4f}" if usage.get("cost_usd") else ""
    return f"{head}, judged by {run['model']} ({tokens:,} tokens{cost})"


def _vote(tag: Json) -> list[str]:
    loose = not tag["counted"] and tag["tag"] != "neutral"
    aside = " (recorded, not counted: no outcome behind it)" if loose else ""
    times = f" x{tag['votes']}" if tag["votes"] > 1 else ""
    head = f"{_MARKS.get(tag['tag'], ' ')} {tag['name']} {tag['tag']}{times}{aside}"
    shown = [item for item in tag["evidence"] if item.get("line")][:_EVIDENCE_SHOWN]
    lines = [f"{head}: {tag['rationale']}"]
    return lines + [f"    {shortened(evidence_line(item))}" for item in shown]


def _operation(operation: Json) -> list[str]:
    applied, why = operation.get("applied"), str(operation.get("why") or "")
    # A DELETE has a reason and no text.
    text = text_of(operation) or (why if applied else "") or operation.get("target_id") or ""
    name = f" {operation['key_point']}" if operation.get("key_point") else ""
    lines = [f"{'*' if applied else 'x'} {operation['op']}{name}: {text}"]
    if operation.get("source"):
        quote = f', "{shortened(str(operation["quote"]), 50)}"' if operation.get("quote") else ""
        where = f" line {operation['line']}" if operation.get("line") else ""
        lines.append(f"    from: {operation['source']}{where}{quote}")
    return lines if applied else [*lines, f"    not applied: {why}"]
