"""`ace-reflect check`: what really happened in a session, what each gate says about it, and the message Claude would get."""

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

import click

from ace_reflect import paths
from ace_reflect.assess.when import task_type
from ace_reflect.cli import options, transcripts
from ace_reflect.cli.output import Json, Report, columns, local, reporting, table
from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, Finding, Judgement, State
from ace_reflect.playbook.neutral import neutral_lines, neutralise
from ace_reflect.redact import redact
from ace_reflect.report.replay import Stop, project_for, stops_of
from ace_reflect.report.session import report, timeline
from ace_reflect.settings import Settings, setting_variables
from ace_reflect.text import counted, shortened
from ace_reflect.transcript.files import looks_like_transcript

_SIGNS = dict(zip(State, "✓✗?·–", strict=True))
_STOPS = {"block": "is blocked", "allow": "stands", "defer": "waits for what still runs"}
_MOST_ROWS = 60


@click.command()
@click.argument("named", nargs=-1, metavar="[TRANSCRIPT | FOLDER | ID]…")
@click.option("--project", type=options.FOLDER, help="The checkout (default: the session's own).")
@click.option("--every-stop", is_flag=True, help="A verdict for each stop, and what you said next.")
@click.option("--ids", is_flag=True, help="In a folder's table: the whole of each session's id.")
@reporting
def check(named: tuple[str, ...], project: str | None, every_stop: bool, ids: bool) -> Report:
    """Was it done? The facts, the gates and the verdict of a session, each with its evidence.

    Without an argument: the session it runs in, or this project's newest. A folder: all transcripts in it. The beginning
    of an id will do. Exits with 1 if a stop would be blocked. --json prints the stable form, schema ace-reflect/check/1.

    \b
    ace-reflect check ~/.claude/projects/-home-me-app/SESSION.jsonl
    ace-reflect check --every-stop --json SESSION.jsonl
    ace-reflect check ~/.claude/projects/-home-me-app --ids
    """
    given = [transcripts.of_id(name) for name in named]
    given = given or [transcripts.newest(options.project_of(project))]
    files = transcripts.files_of(given)
    judge = partial(check_one, project=project, every_stop=every_stop)
    if len(files) == 1 and files[0] in given:
        found = judge(files[0])
        as_json = click.get_current_context().params["as_json"]  # only what is shown is made
        body, text = (session_json(found), "") if as_json else ({}, _page(found))
        return Report("check", body, text, code=min(found.blocks, 1), private=True)
    checked, errors = transcripts.each_of(files, "Reading", judge)
    blocked = sum(item.blocks > 0 for item in checked)
    rows = [{"transcript": item.path, **session_json(item)} for item in checked]
    summary = {
        "transcripts": len(files),
        "skipped": len(errors),
        "would_block": blocked,
        "end_states": Counter(item.judgement.verdict.end_state.value for item in checked),
    }
    body = {"sessions": rows + errors, "summary": summary}
    code = 2 if not checked else 1 if blocked else 0
    page = partial(_folder_page, checked, None if ids else 8)
    return Report("check-many", body, page, code=code, private=True)


class Checked(NamedTuple):
    """One transcript, judged at its end, or at each of its stops."""

    path: str
    ledger: Ledger
    judgement: Judgement
    stops: tuple[Stop, ...] = ()

    @property
    def blocks(self) -> int:
        judged = [stop.judgement for stop in self.stops] or [self.judgement]
        return sum(one.verdict.decision == "block" for one in judged)


def check_one(path: str, project: str | None = None, *, every_stop: bool = False) -> Checked:
    """Judge one transcript. Raises TranscriptError if it is not one, and ConfigError."""
    if not looks_like_transcript(path):
        from ace_reflect.learning.gather import why_no_transcript

        raise TranscriptError(why_no_transcript(path))
    facts = project_for(project, transcripts.session_folder(path) or "")
    folder = project or (facts.root if facts.stamps else os.devnull)
    settings = _settings(folder, paths.home(os.environ))
    builder = LedgerBuilder()
    stops = tuple(stops_of(path, facts, settings, builder, last_only=not every_stop))
    ledger = builder.ledger()
    # Without a stop nobody has asked for anything yet.
    judgement = stops[-1].judgement if stops else judge_stop(ledger, facts, settings)
    return Checked(path, ledger, judgement, stops if every_stop else ())


def _settings(folder: str, home: str) -> Settings:
    """The settings in force in a folder. Raises ConfigError. Where nothing is set, nobody waits for pydantic."""
    files = (paths.project_config(folder), paths.user_config(home))
    if not any(map(os.path.exists, files)) and not setting_variables(os.environ):
        return Settings()
    from ace_reflect import config

    return config.load(folder, home, os.environ).sound().settings


def session_json(item: Checked) -> Json:
    """One session in the form of `check --json`."""
    stops = []
    for stop in item.stops:
        now, whole = stop.ledger.now, report(stop.ledger, stop.judgement)
        told = {name: whole[name] for name in ("task", "facts", "gates", "verdict")}
        told |= {"line": stop.line, "turn": now.number, "in_mid_turn": stop.in_mid_turn}
        told |= {"prompt": now.prompt[:200], "said_next": stop.next_words[:2000] or None}
        stops.append(told)
    return {**report(item.ledger, item.judgement), **({"stops": stops} if stops else {})}


def render(ledger: Ledger, judgement: Judgement) -> str:
    """The page as plain text."""
    width, given, rows = columns(), judgement.verdict, timeline(ledger)
    task, source = task_type(ledger)
    damaged = f", {ledger.bad_lines} of them damaged" if ledger.bad_lines else ""
    agents = f", {counted(ledger.subagents, 'subagent')}" if ledger.subagents else ""
    lines = [
        _fit(f"session {ledger.session_id or '?'}", 4 * width),
        f"{ledger.lines} lines{damaged}{agents}",
        f"asked     {_fit(ledger.now.prompt, 4 * width) or '(nobody asked for anything)'}",
        f"task      {task} (from its {source})",
        "",
    ]
    lines += ["What happened"] * bool(rows)
    lines += [f"  … {len(rows) - _MOST_ROWS} earlier entries"] * (len(rows) > _MOST_ROWS)
    for row in rows[-_MOST_ROWS:]:
        what = f"{row['what']} ×{row['times']}" if row["times"] > 1 else row["what"]
        lines.append(f"  {row['line']:6}  {row['kind']:7}{_fit(what, width - 19)}")
        lines += [f"{'':19}{_fit(row['outcome'], width - 20)}"] * bool(row["outcome"])
    lines += [*[""] * bool(rows), "Gates"]
    for finding in judgement.findings:
        lines += _gate_lines(finding, 2 * width)
    end = "complete" if given.complete else "not complete"
    if given.end_state is EndState.NOT_APPLICABLE:
        end = "nothing to prove"
    lines += ["", f"Verdict   {end} ({given.end_state.value}); the stop {_STOPS[given.decision]}"]
    lines += [f"{'':10}{_fit(given.why_silent, 2 * width)}"] * (given.why_silent not in {"", end})
    told = _fit(given.system_message, 4 * width)
    lines += [f"{'':10}to you: {told}"] * bool(told)
    feedback = [f"  {line}" for line in neutral_lines(given.feedback).splitlines()]
    return "\n".join([*lines, *["", "Claude would get"] * bool(feedback), *feedback])


def _gate_lines(finding: Finding, room: int) -> list[str]:
    """A gate's state, why, the evidence, and what would settle it."""
    state, mode = finding.state.value.replace("_", " "), finding.mode.value
    only = f" ({mode} only)" if mode != "block" else ""
    where = f" in {_fit(finding.scope, 40)}" if finding.scope else ""
    lines = [f"  {_SIGNS[finding.state]} {finding.gate:15}{state}{only}{where}"]
    told = [finding.reason]
    for item in finding.evidence[:3] if finding.state is not State.NOT_APPLICABLE else ():
        file = f" of {_fit(item.file, 40)}" if item.file else ""
        told.append(f"line {item.line}{file}: {item.quote}")
    told += [f"not raised here: {finding.silent}"] * bool(finding.silent)
    is_open = finding.state in {State.DISPROVEN, State.UNKNOWN}
    told += [f"to settle it: {finding.settle}"] * bool(finding.settle and is_open)
    return lines + [f"      {_fit(text, room)}" for text in told]


def _fit(text: str, room: int) -> str:
    return shortened(neutralise(str(text)), room)


def _page(item: Checked) -> str:
    if not item.stops:
        return render(item.ledger, item.judgement)
    lines, room = [], columns() - 10
    for number, stop in enumerate(item.stops, start=1):
        given = stop.judgement.verdict
        cut = " – the file ends in mid-turn" if stop.in_mid_turn else ""
        state = given.end_state.value
        lines.append(f"stop {number}, line {stop.line}: {given.decision} ({state}){cut}")
        lines.append(f"  asked   {_fit(stop.ledger.now.prompt, room)}")
        lines += [f"  | {line}" for line in neutral_lines(given.feedback).splitlines()]
        told = {"why": given.why_silent, "to you": given.system_message}
        told["next"] = shortened(stop.next_words, room)
        lines += [f"  {label:7} {neutralise(text)}" for label, text in told.items() if text]
        lines.append("")
    lines.append(f"{counted(len(item.stops), 'stop')}, {item.blocks} would be blocked")
    return "\n".join(lines)


def _folder_page(checked: Sequence[Checked], most: int | None, body: Json) -> str:
    """A table for each project, newest session first."""
    parts = []
    by_folder = sorted(sorted(checked, key=_place, reverse=True), key=lambda item: _place(item)[0])
    for folder, items in groupby(by_folder, key=lambda item: _place(item)[0]):
        heads = ("session", "edits, tests", "verdict", "first prompt, and why")
        rows = table(heads, (_cells(each, most) for each in items))
        parts.append(f"{neutralise(folder)}\n{rows}\n")
    sums = body["summary"]
    ends = [f"{count} {state.replace('_', ' ')}" for state, count in sums["end_states"].items()]
    parts.append(f"{counted(sums['transcripts'], 'transcript')}: {', '.join(ends)}")
    parts.append(f"{sums['would_block']} would be blocked, {sums['skipped']} skipped")
    return "\n".join(parts)


def _place(item: Checked) -> tuple[str, str]:
    """The session's folder, and when its last prompt was given."""
    return item.ledger.cwd or "(no folder)", item.ledger.turns[-1].at if item.ledger.turns else ""


def _cells(item: Checked, most: int | None) -> tuple[str, ...]:
    given = item.judgement.verdict
    asked = [turn.prompt for turn in item.ledger.turns if turn.prompt]
    tests = [run.outcome.replace("-", " ") for run in item.ledger.runs if run.kind == "test"]
    name = os.path.basename(item.path).removesuffix(".jsonl")
    done = counted(sum(edit.is_work for edit in item.ledger.edits), "edit")
    end = "block" if given.decision == "block" else given.end_state.value.replace("_", " ")
    if item.stops:
        end += f"\n{item.blocks} of {counted(len(item.stops), 'stop')}"
    why = given.missing[0] if given.missing else given.why_silent
    said = redact(asked[0], os.environ) if asked else ""  # before a column breaks a key in two
    return (
        f"{local(_place(item)[1])[:10]}\n{neutralise(name)[:most]}",
        f"{done}\ntests {tests[-1] if tests else 'not run'}",
        end,
        f"{_fit(said, 100)}\n→ {neutralise(redact(why, os.environ))}".removesuffix("\n→ "),
    )
