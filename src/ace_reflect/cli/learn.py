"""`ace-reflect learn`: from history in one go, and with the running Claude as the reflector."""

import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from glob import glob
from shutil import which
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli import options, transcripts
from ace_reflect.cli.output import Json, Report, note, reporting, short_path
from ace_reflect.cli.run import changes_of, learn_one, learning_options, report_json
from ace_reflect.errors import ConfigError, TranscriptError
from ace_reflect.learning import pipeline
from ace_reflect.learning.apply import Overtaken
from ace_reflect.learning.lesson import CLAUDE, Options
from ace_reflect.llm.port import Reply, Usage
from ace_reflect.settings import online
from ace_reflect.state.db import State, open_state
from ace_reflect.text import counted

_UNITS = {"h": 3600.0, "d": 86_400.0, "w": 604_800.0}
_CURATOR = Usage(3_000, 1_500)  # tokens beside the reflector's request, in the mean
_ANSWER = """

# How to answer

Answer the request above yourself, as the Reflector, in one JSON object, and hand it over on stdin:

{program} learn {transcript} --answer - <<'JSON'
{{"analysis": "…", "bullet_tags": […]}}
JSON

What comes back is the Curator's request. Answer it, too, and hand over both together, in one object with the keys
"analysis", "bullet_tags", "reasoning" and "operations". Each is checked as any model's answer is.
"""


@click.command()
@click.argument("named", nargs=-1, type=options.PATH, metavar="[TRANSCRIPT | FOLDER]…")
@click.option("--all", "everything", is_flag=True, help="The sessions of every project.")
@click.option("--since", metavar="AGE", help="Only sessions since then: 30d, 12h, 2026-11-01.")
@click.option("--estimate", is_flag=True, help="Say what it would take, and ask nobody.")
@click.option("--yes", is_flag=True, help="Do not ask before anything is sent to a model.")
@click.option("--offline", is_flag=True, help="Judge by rule: nothing is sent anywhere.")
@click.option("--model", "models", multiple=True, help="Ask this model; repeat for a fallback.")
@click.option("--dry-run", is_flag=True, help="Show what would change; change and record nothing.")
@click.option("--request", is_flag=True, help="Print what a reflector is asked about a session.")
@click.option("--answer", type=options.FILE, help="Learn from this answer (JSON; - for stdin).")
@options.project_option
@reporting
def learn(
    named: tuple[str, ...],
    everything: bool,
    since: str | None,
    estimate: bool,
    yes: bool,
    offline: bool,
    models: tuple[str, ...],
    dry_run: bool,
    request: bool,
    answer: str | None,
    project: str | None,
) -> Report:
    """Learn from this project's sessions, or all of them: what was learned, where, and what waits for you.

    A turn counts once, however often it is learned from. With a model you are told what it costs before anything is sent.
    --request and --answer are for the Claude that runs in a session: it is the reflector then (`/ace-reflect:learn`).

    \b
    ace-reflect learn
    ace-reflect learn --all --since 30d --estimate
    """
    here = options.project_of(project)
    options_for = learning_options(offline=offline, models=models, dry_run=dry_run)
    with open_state(paths.home(os.environ), durable=True) as state:
        if request or answer:
            from ace_reflect.cli.check import newest_transcript

            path = transcripts.files_of(named or (newest_transcript(here),))[0]
            folder = transcripts.session_folder(path) or here
            prepared = _prepared(state, path, options_for(folder, final=False))
            own = options_for(folder, final=False)
            return _answered(state, prepared, own, answer) if answer else _request(prepared, own)
        files = transcripts.files_of(named) if named else _history(None if everything else here)
        oldest = _moment(since) if since else 0.0
        files = [path for path in files if os.path.getmtime(path) >= oldest]
        places = {path: transcripts.session_folder(path) or here for path in files}
        gone = [path for path in files if not os.path.isdir(places[path])]
        files = [path for path in files if path not in gone]
        if gone:
            note(
                f"{counted(len(gone), 'session')} left out: the folder it worked in is not on this machine"
            )
        asked = [spec for path in files[:1] for spec in online(options_for(places[path]).models)]
        told = _estimate(state, files, places, options_for) if asked or estimate else {}
        if estimate:
            return Report("learn-estimate", {**told, "left_out": len(gone)}, _estimate_page)
        if asked and not (yes or click.confirm(f"{_estimate_page(told)} Go on?", err=True)):
            return Report(
                "learn", {"sessions": 0, "projects": [], "errors": []}, "Nothing was sent."
            )

        def one(path: str) -> Json:
            found = learn_one(state, path, places[path], options_for)
            changes = changes_of(found)
            return {
                **report_json(found, dry_run=dry_run),
                "changes": changes,
                "project": places[path],
            }

        ran, errors = transcripts.each_of(files, "Learning", one)
    return Report(
        "learn",
        digest(ran, errors),
        _digest_page,
        code=2 if errors and not ran else 0,
        private=True,
    )


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
    body = {"sessions": sum(each["sessions"] for each in kept), "known": len(ran) - len(kept)}
    return {**body, "projects": kept, "errors": list(errors), "usage": spent.to_json()}


def _digest_page(body: Json) -> str:
    if not body["projects"]:
        return "Nothing new to learn from."
    lines = []
    for each in body["projects"]:
        counts = (counted(each["sessions"], "session"), counted(each["turns"], "turn"))
        lines.append(
            f"{short_path(each['project'])}: {', '.join((*counts, counted(each['votes'], 'vote')))}"
        )
        lines += [f"  + {row['name']}  {row['text']}" for row in each["added"]]
        lines += [f"  ? {row['text']}" for row in each["waiting"]]
        lines += ["  nothing that a later session needs"] * (not each["added"] + each["waiting"])
    waits = sum(len(each["waiting"]) for each in body["projects"])
    word = f"{counted(waits, 'key point')} {'waits' if waits == 1 else 'wait'}"
    lines += ["", f"? {word} for you: ace-reflect review"] if waits else []
    usage = body["usage"]
    if usage["input_tokens"]:
        price = "" if usage["cost_usd"] is None else f", ${usage['cost_usd']:.2f}"
        lines.append(f"It took {usage['input_tokens'] + usage['output_tokens']:,} tokens{price}.")
    return "\n".join(lines)


def _history(project: str | None) -> list[str]:
    """The transcripts that Claude Code keeps of a project, or of all (None); the oldest first."""
    every = os.path.join(paths.claude_dir(os.environ), "projects", "*")
    folder = paths.sessions_dir(os.environ, project) if project else every
    found = glob(os.path.join(folder, "*.jsonl"))
    if not found:
        raise TranscriptError(f"no session of {project or 'any project'} is on this machine")
    return sorted(found, key=os.path.getmtime)


def _moment(text: str) -> float:
    """Seconds since the epoch for `30d`, `12h`, `2w` ago, or a date. Raises click.BadParameter."""
    if age := re.fullmatch(r"(\d{1,5})([hdw])", text.strip()):
        return time.time() - int(age[1]) * _UNITS[age[2]]
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise click.BadParameter(f"--since: {text!r} is neither 30d, 12h, 2w nor a date") from None


def _estimate(
    state: State, files: Sequence[str], places: Mapping[str, str], options_for: Any
) -> Json:
    """The tokens that a model would be asked with, and what it lists for them. Nothing is sent."""
    from ace_reflect.learning.consult import Questions
    from ace_reflect.learning.segment import estimate_tokens
    from ace_reflect.llm.calls import priced

    def tokens(path: str) -> tuple[str, int]:
        own = options_for(places[path])
        prepared = pipeline.prepare(state, path, own)
        asked = Questions.of(prepared.case, own).reflector if prepared.case.turns else None
        return path, estimate_tokens(asked.prompt + asked.system) if asked else 0

    found, _ = transcripts.each_of(files, "Reading", tokens)
    new = [count for _, count in found if count]
    model = next(iter(online(options_for(places[files[0]]).models)), "") if files else ""
    size = Usage(sum(new) + len(new) * _CURATOR.input_tokens, len(new) * _CURATOR.output_tokens)
    usage = priced(size, model).to_json()
    return {
        "sessions": len(new),
        "transcripts": [path for path, count in reversed(found) if count],
        "known": len(found) - len(new),
        "model": model or None,
        "usage": usage,
    }


def _estimate_page(body: Json) -> str:
    usage = body["usage"]
    price = "" if usage["cost_usd"] is None else f", about ${usage['cost_usd']:.2f}"
    whom = f" to {body['model']}" if body["model"] else ", if a model were named (--model)"
    size = f"{usage['input_tokens']:,} tokens in and {usage['output_tokens']:,} out at most"
    return f"{counted(body['sessions'], 'session')} with something new: {size}{price}{whom}."


def _prepared(state: State, path: str, own: Options) -> pipeline.Prepared:
    prepared = pipeline.prepare(state, path, own)
    if not prepared.case.turns:
        raise TranscriptError(f"{path}: nothing new to learn from; a turn counts when it is over")
    return prepared


def _request(prepared: pipeline.Prepared, own: Options) -> Report:
    from ace_reflect.learning.consult import Questions

    asked = Questions.of(prepared.case, own).reflector
    path = prepared.report.transcript
    program = "ace-reflect" if which("ace-reflect") else os.path.abspath(sys.argv[0])
    how = _ANSWER.format(program=program, transcript=path)
    body = {"transcript": path, "system": asked.system, "prompt": asked.prompt}
    return Report(
        "learn-request", body, f"{asked.system}\n\n{asked.prompt}{how}", private=True, fold=False
    )


def _answered(state: State, prepared: pipeline.Prepared, own: Options, source: str) -> Report:
    """A reflection alone is answered with the curator's request; with its operations it is applied."""
    from ace_reflect.learning.consult import Questions
    from ace_reflect.learning.curator import read_curation
    from ace_reflect.learning.reflector import read_reflection

    with click.open_file(source, encoding="utf-8", errors="replace") as file:
        reply = Reply(file.read(), CLAUDE)
    questions, reflection = Questions.of(prepared.case, own), read_reflection(reply)
    if '"operations"' not in reply.text:
        asked = questions.curator(reflection)
        body = {"transcript": prepared.report.transcript, "prompt": asked.prompt}
        return Report("learn-request", body, asked.prompt, private=True, fold=False)
    operations = read_curation(reply)["operations"]
    lesson = questions.lesson(reflection, operations, CLAUDE, {})
    try:
        found = pipeline.finish(state, prepared, lesson, own)
    except Overtaken:
        raise ConfigError(
            "somebody else has learned from this session meanwhile: ask again"
        ) from None
    run = {**report_json(found, dry_run=own.dry_run), "changes": changes_of(found)}
    return Report(
        "learn", digest([{**run, "project": own.project}], []), _digest_page, private=True
    )
