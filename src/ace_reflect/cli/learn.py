"""`ace-reflect run` and `learn`: from transcripts that are named, from history, and with the running Claude as the reflector."""

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial, reduce
from shutil import which
from typing import Any

import click

from ace_reflect import log, paths
from ace_reflect.cli import options, transcripts
from ace_reflect.cli.books import MARKS, before_and_after, evidence_line
from ace_reflect.cli.config import load_config
from ace_reflect.cli.output import Json, Report, note, reporting, short_path
from ace_reflect.errors import ModelError, TranscriptError
from ace_reflect.learning import pipeline
from ace_reflect.learning.lesson import CLAUDE, Options
from ace_reflect.learning.worker import summary
from ace_reflect.llm.port import OWN_TAGS, Reply, Usage
from ace_reflect.llm.registry import model_for
from ace_reflect.playbook.change import text_of
from ace_reflect.playbook.history import compare
from ace_reflect.playbook.neutral import neutral_lines
from ace_reflect.settings import OFFLINE, online
from ace_reflect.state import processes, sessions
from ace_reflect.state.db import State, open_for_command
from ace_reflect.text import counted, shortened

#: The options that `run` and `learn` share, in the order of their help.
_HOW = (
    click.option("--offline", is_flag=True, help="Judge by rule: nothing is sent anywhere."),
    click.option("--model", "models", multiple=True, help="Whom to ask; repeat for a fallback."),
    click.option("--dry-run", is_flag=True, help="Show what would change; change nothing."),
    click.option("--again", is_flag=True, help="Also from turns already learned from."),
    options.project_option,
    reporting,
)
_GONE = "whose folder is not on this machine"
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


def _how(command: Callable[..., Any]) -> Callable[..., Any]:
    return reduce(lambda made, option: option(made), reversed(_HOW), command)


@click.command()
@click.argument("named", nargs=-1, required=True, type=options.PATH, metavar="TRANSCRIPT | FOLDER…")
@click.option("--playbook", type=options.NEW_FILE, help="Learn into this file only.")
@_how
def run(named: tuple[str, ...], project: str | None, **how: Any) -> Report:
    """Learn from sessions: which key points were cited, which helped or harmed, what should be added.

    A folder means all transcripts in it. A turn counts once, however often it is learned from. What a session teaches goes
    into the playbook of the project it worked in, unless --project or --playbook names another. --json prints the stable
    form, schema ace-reflect/run/1.

    \b
    ace-reflect run ~/.claude/projects/-home-me-app/SESSION.jsonl
    ace-reflect run SESSION.jsonl --offline --dry-run
    ace-reflect run SESSION.jsonl --model anthropic/claude-sonnet-5 --json
    """
    options_for = cache(partial(_options, **how))
    files, here = transcripts.files_of(named), options.project_of(project)
    options_for(here)  # a mistake in what was asked for shows before the first file is read
    places, left_out = dict.fromkeys(files, here), list[str]()
    if not (project or how["playbook"]):
        places, left_out = _places(files, here, moved=True)
    own = {path: options_for(folder) for path, folder in places.items()}
    with open_for_command() as state:
        if len(files) == 1 and files[0] in named:
            return Report("run", _learn(state, own, files[0]), _run_page, private=True)
        ran, errors = transcripts.each_of([*own], "Learning", partial(_learn, state, own))
    errors += [{"transcript": path, "error": f"a session {_GONE}"} for path in left_out]
    body, code = {"runs": [*ran, *errors]}, 2 if errors else 0
    return Report("run-many", body, lambda body: _digest_page(_digest(body["runs"])), code, True)


@click.command()
@click.argument("named", nargs=-1, type=options.PATH, metavar="[TRANSCRIPT | FOLDER]…")
@options.all_option
@options.since_option
@click.option("--estimate", is_flag=True, help="Say what it would take, and ask nobody.")
@click.option("--yes", is_flag=True, help="Do not ask before anything is sent to a model.")
@click.option("--batch", is_flag=True, help="By Message Batches of Anthropic: cheaper, slower.")
@click.option("--request", is_flag=True, help="Print what a reflector is asked about a session.")
@click.option("--answer", type=options.FILE, help="Learn from this answer (JSON; - for stdin).")
@_how
def learn(
    named: tuple[str, ...],
    everything: bool,
    since: float | None,
    estimate: bool,
    yes: bool,
    batch: bool,
    request: bool,
    answer: str | None,
    project: str | None,
    **how: Any,
) -> Report:
    """Learn from this project's sessions, or all of them: what was learned, where, and what waits for you.

    A turn counts once, however often it is learned from. With a model you are told what it costs before anything is sent.
    --request and --answer are for the Claude that runs in a session: it is the reflector then (`/ace-reflect:learn`).

    \b
    ace-reflect learn
    ace-reflect learn --all --since 30d --estimate
    """
    options_for, here = cache(partial(_options, **how)), options.project_of(project)
    with open_for_command() as state:
        if request or answer:
            path = transcripts.files_of(named or (transcripts.newest(here),))[0]
            folder = transcripts.session_folder(path) or here
            return _by_claude(state, path, options_for(folder, final=False), answer)
        files = transcripts.files_of(named or transcripts.history_of(None if everything else here))
        files = [path for path in files if os.path.getmtime(path) >= (since or 0.0)]
        own = {}
        places, left_out = _places(files, here, moved=False)
        for path, folder in places.items():
            known = sessions.get(state, os.path.basename(path).removesuffix(".jsonl"))
            # Its last turn is open while its Claude Code still runs.
            goes_on = known and not known.ended_at and processes.alive(known.process)
            own[path] = options_for(folder, final=not goes_on)
        asked = any(online(one.models) for one in own.values())
        told = _estimate(state, own) if asked or estimate else {}
        if estimate:
            return Report("learn-estimate", {**told, "left_out": len(left_out)}, _estimate_page)
        if asked and not (yes or click.confirm(f"{_estimate_page(told)} Go on?", err=True)):
            return Report("learn", _digest([]), "Nothing was sent.")
        if batch:
            ran, errors = _in_batches(state, own)
        else:
            ran, errors = transcripts.each_of([*own], "Learning", partial(_learn, state, own))
    code = 2 if errors and not ran else 0
    return Report("learn", _digest([*ran, *errors]), _digest_page, code=code, private=True)


def _places(files: Sequence[str], here: str, moved: bool) -> tuple[dict[str, str], list[str]]:
    """The project that each session worked in, and those left out because it is gone; if `moved`, a single one is `here` now."""
    places = {path: transcripts.session_folder(path) or here for path in files}
    gone = [path for path, folder in places.items() if not os.path.isdir(folder)]
    if moved and gone and len({*places.values()}) == 1:
        taken = f"{here} is taken for its project; --project names another"
        note(f"{places[files[0]]}, where the session worked, is not on this machine: {taken}")
        return dict.fromkeys(files, here), []
    if gone:
        way = "`ace-reflect run --project CHECKOUT` names it"
        note(f"{counted(len(gone), 'session')} left out {_GONE}; {way}")
    return {path: places[path] for path in files if path not in gone}, gone


def _options(
    folder: str, *, offline: bool, models: tuple[str, ...], final: bool = True, **more: Any
) -> Options:
    """How to learn into a project: its configuration, and what the command line adds. Raises click.UsageError, ConfigError."""
    if offline and models:
        raise click.UsageError("--offline and --model cannot be combined")
    config = load_config(folder, {"models": list(models)} if models else {}).sound()
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


def _learn(state: State, own: Mapping[str, Options], path: str) -> Json:
    """Learn from one transcript: what came of it, as JSON."""
    try:
        return _told(state, pipeline.learn(state, path, own[path]), own[path])
    except ModelError as error:
        raise ModelError(f"{error}; --offline judges by rule, without a model") from error


def _told(state: State, found: pipeline.Report, how: Options) -> Json:
    """The report as JSON, once its line is in the log; a dry run has none, and a session without a new turn."""
    if found.learned and not how.dry_run:
        log.write(state.home_dir, "learn", session=found.session, decision=summary(found))
    return _run_json(found, how)


def _in_batches(state: State, own: Mapping[str, Options]) -> tuple[list[Json], list[Json]]:
    """All that is new in one batch of reflections, and one of curations; what a session's failed call costs, only it loses."""
    from ace_reflect.learning.consult import ask_batch

    def prepare(path: str) -> pipeline.Prepared:
        return pipeline.prepare(state, path, own[path])

    read, errors = transcripts.each_of([*own], "Reading", prepare)
    new = {one.report.transcript: one for one in read if one.case.turns}
    hows = [own[path] for path in new]
    lessons = ask_batch(state, [one.case for one in new.values()], hows, note) if new else []
    answers = dict(zip(new, lessons, strict=True))

    def finish(path: str) -> Json:
        if isinstance(lesson := answers[path], ModelError):
            raise lesson
        return _told(state, pipeline.finish(state, new[path], lesson, own[path]), own[path])

    ran, failed = transcripts.each_of([*new], "Saving", finish)
    return ran, errors + failed


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
    return {
        "sessions": len(new),
        "transcripts": [path for path, count in reversed(found) if count],
        "known": len(found) - len(new),
        "model": model or None,
        "usage": priced(size, model).to_json(),
    }


def _estimate_page(body: Json) -> str:
    usage = body["usage"]
    price = "" if usage["cost_usd"] is None else f", about ${usage['cost_usd']:.2f}"
    whom = f" to {body['model']}" if body["model"] else ", if a model were named (--model)"
    size = f"{usage['input_tokens']:,} tokens in and {usage['output_tokens']:,} out at most"
    return f"{counted(body['sessions'], 'session')} with something new: {size}{price}{whom}."


def _by_claude(state: State, path: str, how: Options, source: str | None) -> Report:
    """The reflector's request. A reflection alone is answered with the curator's request; with its operations it is applied."""
    from ace_reflect.learning.consult import Questions
    from ace_reflect.learning.curator import read_curation
    from ace_reflect.learning.reflector import read_reflection

    prepared = pipeline.prepare(state, path, how)
    if not prepared.case.turns:
        known = "; --again takes those that were" if prepared.report.known else ""
        raise TranscriptError(f"{path}: no turn is over that was not learned from already{known}")
    questions = Questions.of(prepared.case, how)
    if source is None:
        asked = questions.reflector
        program = "ace-reflect" if which("ace-reflect") else os.path.abspath(sys.argv[0])
        system, after = asked.system, _ANSWER.format(program=program, transcript=path)
    else:
        with click.open_file(source, encoding="utf-8", errors="replace") as file:
            reply = Reply(file.read(), CLAUDE)
        reflection = read_reflection(reply)
        if '"operations"' in reply.text:
            lesson = questions.lesson(reflection, read_curation(reply)["operations"], CLAUDE, {})
            found = _told(state, pipeline.finish(state, prepared, lesson, how), how)
            return Report("learn", _digest([found]), _digest_page, private=True)
        asked, system, after = questions.curator(reflection), "", ""
    body = {"transcript": path, "system": system, "prompt": asked.prompt}
    # In a session's context our own blocks stay whole, and every other tag is disarmed.
    own = rf"(</?(?:{'|'.join(OWN_TAGS)})>)"
    parts = re.split(own, f"{system}\n\n{asked.prompt}{after}".lstrip())
    page = "".join(part if at % 2 else neutral_lines(part) for at, part in enumerate(parts))
    return Report("learn-request", body, lambda _: page, private=True, fold=False)


def _run_json(report: pipeline.Report, how: Options) -> Json:
    """One session as JSON, schema ace-reflect/run/1."""
    applied = report.playbooks[0][1].outcomes if report.playbooks else ()
    diff = [
        {"playbook": place.path, **difference.to_json()}
        for place, done in report.playbooks
        for difference in compare(done.before, done.after)
    ]
    kinds = [row["kind"] for row in diff if row["playbook"] == report.place.path]
    return {
        "schema": "ace-reflect/run/1",
        "transcript": report.transcript,
        "session_id": report.session,
        "project": how.project,
        "mode": report.mode,
        "model": report.lesson.model,
        "turns": {"learned": report.learned, "known": report.known, "open": report.open},
        "cited_ids": list(report.cited),
        "analysis": report.lesson.analysis,
        "bullet_tags": _tags(report),
        "operations": [*(one.to_json() for one in applied), *map(dict, report.lesson.refused)],
        "candidates": [_picked(one, "section text quote why") for one in report.lesson.waiting],
        "playbook": {
            "path": report.place.path,
            "before": report.key_points,
            "after": report.key_points + kinds.count("added") - kinds.count("removed"),
            "changed": bool(kinds) and not how.dry_run,
        },
        "usage": dict(report.lesson.usage),
        "dry_run": how.dry_run,
        "diff": diff,
    }


def _tags(report: pipeline.Report) -> list[Json]:
    """Each key point's votes, those of several turns together."""
    found: dict[tuple[str, str, bool], Json] = {}
    for vote in (vote for _, applied in report.playbooks for vote in applied.votes):
        told = _picked(vote, "tag rationale based_on grounded counted")
        new: Json = {"name": vote.key_point, **told, "evidence": [], "votes": 0}
        entry = found.setdefault((vote.key_point, vote.tag, vote.counted), new)
        entry["evidence"] += [dict(item) for item in vote.evidence]
        entry["votes"] += 1
    return list(found.values())


def _picked(record: object, names: str) -> Json:
    return {name: getattr(record, name) for name in names.split()}


def _run_page(run: Json) -> str:
    """One session: the votes, what was proposed and what changed, each with its evidence."""
    turns, diff = run["turns"], run["diff"]
    known = f", {turns['known']} known" if turns["known"] else ""
    head = f"{os.path.basename(run['transcript'])}: {counted(turns['learned'], 'new turn')}{known}"
    if not turns["learned"]:
        again = "Already learned from: nothing was changed. --again learns from it again."
        none = "No finished turn: there is nothing to learn from yet."
        return f"{head}\n  {again if turns['known'] else none}"
    by = f"by {run['model']} ({_took(run['usage'])})" if run["model"] else "offline, by rule"
    blocks = {
        "Cited": [", ".join(run["cited_ids"]) or "no key point"],
        "Votes": [line for tag in run["bullet_tags"] for line in _vote(tag)],
        "Proposals": [line for operation in run["operations"] for line in _operation(operation)],
    }
    for path in dict.fromkeys([run["playbook"]["path"], *(row["playbook"] for row in diff)]):
        rows = [line for row in diff if row["playbook"] == path for line in before_and_after(row)]
        would = " would change (--dry-run: nothing was written)" * (run["dry_run"] and bool(rows))
        blocks[f"Playbook {short_path(path)}{would}"] = rows or ["unchanged"]
    parts = ["\n  ".join([title, *(rows or ["none"])]) for title, rows in blocks.items()]
    return "\n\n".join([f"{head}, judged {by}\n{run['analysis']}", *parts])


def _took(usage: Json) -> str:
    tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    cost = usage.get("cost_usd")
    return f"{tokens:,} tokens" if cost is None else f"{tokens:,} tokens, ${cost:.4f}"


def _vote(tag: Json) -> list[str]:
    loose = not tag["counted"] and tag["tag"] != "neutral"
    aside = " (recorded, not counted: no outcome behind it)" if loose else ""
    times = f" x{tag['votes']}" if tag["votes"] > 1 else ""
    head = f"{MARKS.get(tag['tag'], ' ')} {tag['name']} {tag['tag']}{times}{aside}"
    shown = [item for item in tag["evidence"] if item.get("line")][:2]
    proofs = (f"    {shortened(evidence_line(item))}" for item in shown)
    return [f"{head}: {tag['rationale']}", *proofs]


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


def _digest(rows: Sequence[Json]) -> Json:
    """What many runs come to, by project; a row with an `error` is a transcript that could not be learned from."""
    ran = [row for row in rows if "error" not in row]
    projects: dict[str, Json] = {}
    spent = Usage()
    for run in ran:
        empty: Json = {"sessions": 0, "turns": 0, "votes": 0, "added": [], "waiting": []}
        of = projects.setdefault(run["project"], {"project": run["project"], **empty})
        of["sessions"] += bool(run["turns"]["learned"])
        of["turns"] += run["turns"]["learned"]
        of["votes"] += sum(tag["votes"] for tag in run["bullet_tags"] if tag["counted"])
        quotes = {op.get("key_point"): op.get("quote") for op in run["operations"]}
        for point in (row["after"] for row in run["diff"] if row["kind"] == "added"):
            name = point["name"]
            of["added"].append({"name": name, "text": point["text"], "quote": quotes.get(name)})
        of["waiting"] += [{"text": one["text"], "quote": one["quote"]} for one in run["candidates"]]
        usage = run["usage"]
        given, said = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
        spent += Usage(given, said, usage.get("cost_usd"))
    kept = [each for each in projects.values() if each["turns"]]
    sessions = sum(each["sessions"] for each in kept)
    return {
        "sessions": sessions,
        "known": len(ran) - sessions,
        "projects": kept,
        "errors": [row for row in rows if "error" in row],
        "usage": spent.to_json(),
        "dry_run": any(run["dry_run"] for run in ran),
    }


def _heard(project: Json) -> list[str]:
    """What waits, each once, in however many sessions it was said."""
    return list(dict.fromkeys(row["text"] for row in project["waiting"]))


def _digest_page(body: Json) -> str:
    """The same for people."""
    if not body["projects"]:
        return "Nothing new to learn from."
    news = [each for each in body["projects"] if each["added"] or each["waiting"] or each["votes"]]
    lines = []
    for each in news:
        counts = [counted(each[f"{name}s"], name) for name in ("session", "turn", "vote")]
        lines.append(f"{short_path(each['project'])}: {', '.join(counts)}")
        lines += [f"  + {row['name']}  {row['text']}" for row in each["added"]]
        lines += [f"  ? {text}" for text in _heard(each)]
    if others := len(body["projects"]) - len(news):
        lines += [f"{counted(others, 'project')}: nothing that a later session needs"]
    waits = sum(len(_heard(each)) for each in body["projects"])
    word = f"{counted(waits, 'key point')} {'waits' if waits == 1 else 'wait'}"
    lines += ["", f"? {word} for you: ace-reflect review"] if waits else []
    lines += ["--dry-run: nothing was written."] * body["dry_run"]
    lines += [f"It took {_took(body['usage'])}."] * bool(body["usage"]["input_tokens"])
    return "\n".join(lines)
