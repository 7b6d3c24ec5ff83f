"""`ace-reflect learn`: from history in one go, and with the running Claude as the reflector."""

import os
import sys
from collections.abc import Mapping
from functools import partial
from shutil import which
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli import options, transcripts
from ace_reflect.cli.output import Json, Report, note, reporting
from ace_reflect.cli.run import digest, digest_page, learn_one, learning_options, logged, shown_json
from ace_reflect.errors import AceReflectError, ConfigError, ModelError, TranscriptError
from ace_reflect.learning import pipeline
from ace_reflect.learning.apply import Overtaken
from ace_reflect.learning.lesson import CLAUDE, Options
from ace_reflect.llm.port import Reply, Usage
from ace_reflect.settings import online
from ace_reflect.state import processes, sessions
from ace_reflect.state.db import State, open_state
from ace_reflect.text import counted

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
@options.all_option
@options.since_option
@click.option("--estimate", is_flag=True, help="Say what it would take, and ask nobody.")
@click.option("--yes", is_flag=True, help="Do not ask before anything is sent to a model.")
@click.option("--offline", is_flag=True, help="Judge by rule: nothing is sent anywhere.")
@click.option("--model", "models", multiple=True, help="Ask this model; repeat for a fallback.")
@click.option("--batch", is_flag=True, help="By Message Batches of Anthropic: cheaper, slower.")
@click.option("--dry-run", is_flag=True, help="Show what would change; change and record nothing.")
@click.option("--again", is_flag=True, help="Also from turns already learned from.")
@click.option("--request", is_flag=True, help="Print what a reflector is asked about a session.")
@click.option("--answer", type=options.FILE, help="Learn from this answer (JSON; - for stdin).")
@options.project_option
@reporting
def learn(
    named: tuple[str, ...],
    everything: bool,
    since: float | None,
    estimate: bool,
    yes: bool,
    offline: bool,
    models: tuple[str, ...],
    batch: bool,
    dry_run: bool,
    again: bool,
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
    options_for = learning_options(offline=offline, models=models, dry_run=dry_run, again=again)
    with open_state(paths.home(os.environ), durable=True) as state:
        if request or answer:
            path = transcripts.files_of(named or (transcripts.newest(here),))[0]
            folder = transcripts.session_folder(path) or here
            how = options_for(folder, final=False)
            prepared = _prepared(state, path, how)
            return _answered(state, prepared, how, answer) if answer else _request(prepared, how)
        history = transcripts.history_of
        files = transcripts.files_of(named) if named else history(None if everything else here)
        files = [path for path in files if os.path.getmtime(path) >= (since or 0.0)]
        places = {path: transcripts.session_folder(path) or here for path in files}
        gone = [path for path in files if not os.path.isdir(places[path])]
        files = [path for path in files if path not in gone]
        if gone:
            where = "the folder it worked in is not on this machine"
            note(f"{counted(len(gone), 'session')} left out: {where}")
        own = {path: options_for(places[path], final=not _goes_on(state, path)) for path in files}
        asked = online(own[files[0]].models) if files else ()
        told = _estimate(state, own) if asked or estimate else {}
        if estimate:
            return Report("learn-estimate", {**told, "left_out": len(gone)}, _estimate_page)
        if asked and not (yes or click.confirm(f"{_estimate_page(told)} Go on?", err=True)):
            return Report("learn", digest([], []), "Nothing was sent.")

        if batch:
            ran, errors = _in_batches(state, own)
        else:
            one = partial(learn_one, state)
            ran, errors = transcripts.each_of(files, "Learning", lambda path: one(path, own[path]))
    rows = [shown_json(found, places[found.transcript], dry_run=dry_run) for found in ran]
    code = 2 if errors and not ran else 0
    return Report("learn", digest(rows, errors), digest_page, code=code, private=True)


def _goes_on(state: State, transcript: str) -> bool:
    """Whether a session's Claude Code still runs: its last turn is open then."""
    known = sessions.get(state, os.path.basename(transcript).removesuffix(".jsonl"))
    return bool(known and not known.ended_at and processes.alive(known.process))


def _in_batches(state: State, own: Mapping[str, Options]) -> tuple[list[Any], list[dict[str, str]]]:
    """All that is new in one batch of reflections, and one of curations; what a session's failed call costs, only it loses."""
    from ace_reflect.learning.consult import ask_batch

    def prepared(path: str) -> pipeline.Prepared:
        return pipeline.prepare(state, path, own[path])

    read, errors = transcripts.each_of([*own], "Reading", prepared)
    new = [one for one in read if one.case.turns]
    hows = [own[one.report.transcript] for one in new]
    lessons = ask_batch(state, [one.case for one in new], hows, note) if new else []
    ran = []
    for one, how, lesson in zip(new, hows, lessons, strict=True):
        try:
            if isinstance(lesson, ModelError):
                raise lesson
            ran.append(logged(state, pipeline.finish(state, one, lesson, how), how))
        except (AceReflectError, Overtaken) as error:
            errors.append({"transcript": one.report.transcript, "error": str(error)})
            note(f"skipped: {errors[-1]['error']}")
    return ran, errors


def _estimate(state: State, own: Mapping[str, Options]) -> Json:
    """The tokens that a model would be asked with, and what it lists for them. Nothing is sent."""
    from ace_reflect.learning.consult import Questions
    from ace_reflect.learning.segment import estimate_tokens
    from ace_reflect.llm.calls import priced

    def tokens(path: str) -> tuple[str, int]:
        case = pipeline.prepare(state, path, own[path]).case
        asked = Questions.of(case, own[path]).reflector if case.turns else None
        return path, estimate_tokens(asked.prompt + asked.system) if asked else 0

    found, _ = transcripts.each_of([*own], "Reading", tokens)
    new = [count for _, count in found if count]
    model = next((spec for how in own.values() for spec in online(how.models)), "")
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
        known = "; --again takes those that were" if prepared.report.known else ""
        raise TranscriptError(f"{path}: no turn is over that was not learned from already{known}")
    return prepared


def _request(prepared: pipeline.Prepared, own: Options) -> Report:
    from ace_reflect.learning.consult import Questions

    asked = Questions.of(prepared.case, own).reflector
    path = prepared.report.transcript
    program = "ace-reflect" if which("ace-reflect") else os.path.abspath(sys.argv[0])
    how = _ANSWER.format(program=program, transcript=path)
    body = {"transcript": path, "system": asked.system, "prompt": asked.prompt}
    page = f"{asked.system}\n\n{asked.prompt}{how}"
    return Report("learn-request", body, page, private=True, fold=False)


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
        found = logged(state, pipeline.finish(state, prepared, lesson, own), own)
    except Overtaken:
        why = "somebody else has learned from this session meanwhile: ask again"
        raise ConfigError(why) from None
    body = digest([shown_json(found, own.project, dry_run=own.dry_run)], [])
    return Report("learn", body, digest_page, private=True)
