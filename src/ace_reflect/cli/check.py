"""`ace-reflect check`: what really happened in a session, what each gate says of it, and the message Claude would get."""

import os
from collections.abc import Iterator
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli import check_page
from ace_reflect.cli.check_transcript import Checked, bad_at, check_one
from ace_reflect.cli.named import FOLDER, TRANSCRIPT, transcript_files
from ace_reflect.cli.terminal import columns, hanging
from ace_reflect.errors import TranscriptError
from ace_reflect.gates.replay import Stop
from ace_reflect.gates.report import gate, report, verdict
from ace_reflect.playbook.neutral import neutral_lines, neutralise
from ace_reflect.redact import redact
from ace_reflect.text import counted, shortened

Json = dict[str, Any]


@click.command(short_help="Is it done? Facts, gates and the message Claude would get.")
@click.argument("transcripts", nargs=-1, type=TRANSCRIPT, metavar="[TRANSCRIPT…]")
@click.option(
    "--this-session", is_flag=True, help="The Claude Code session that this command runs in."
)
@click.option(
    "--project",
    type=FOLDER,
    help="The checkout that the session worked in (default: the session's own folder, where it is on this machine).",
)
@click.option(
    "--every-stop",
    is_flag=True,
    help="A verdict for each stop in the session, as the hook would have given it, with what you said next.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="The stable JSON form, schema ace-reflect/check/1."
)
def check(
    transcripts: tuple[str, ...],
    this_session: bool,
    project: str | None,
    every_stop: bool,
    as_json: bool,
) -> int:
    """
    Was it done? Read transcripts and show the facts, the gates and the verdict, each with its evidence.

    A folder takes all transcripts in it. Exits with 1 if a stop would be blocked.

    \b
    ace-reflect check ~/.claude/projects/-home-me-app/SESSION.jsonl
    ace-reflect check --every-stop --json SESSION.jsonl
    ace-reflect check ~/.claude/projects/-home-me-app
    """
    if this_session:
        transcripts = (*transcripts, _this_session())
    if not transcripts:
        raise click.UsageError("name a transcript or a folder of them, or --this-session")
    files = transcript_files(transcripts)
    checked = list(_check_all(files, project, every_stop=every_stop))
    many = len(files) > 1 or any(os.path.isdir(path) for path in transcripts)
    if not many and checked[0].error:
        raise TranscriptError(checked[0].error)
    if as_json:
        _print_json(checked, many=many)
    else:
        _print_pages(checked, many=many)
    for item in checked:
        if item.error:
            click.echo(neutral_lines(f"ace-reflect: skipped {item.error}"), err=True)
    failed = any(item.blocks for item in checked) or all(item.error for item in checked)
    return 1 if failed else 0


# ------------------------------------------------------------------ which files


def _this_session() -> str:
    """The transcript of the session that we run inside; the host names the session, not the file."""
    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    folders = os.path.join(paths.claude_dir(os.environ), "projects")
    if not session or os.path.basename(session) != session:
        raise TranscriptError(
            "this is no Claude Code session (CLAUDE_CODE_SESSION_ID is not set); name the transcript"
        )
    for folder in sorted(os.listdir(folders)) if os.path.isdir(folders) else ():
        path = os.path.join(folders, folder, f"{session}.jsonl")
        if os.path.exists(path):
            return path
    raise TranscriptError(f"{folders}: holds no transcript of session {session} yet")


def _check_all(files: list[str], project: str | None, *, every_stop: bool) -> Iterator[Checked]:
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    for path in track(
        files,
        description="Reading",
        console=console,
        transient=True,
        disable=len(files) < 2 or not console.is_terminal,
    ):
        yield check_one(path, project, every_stop=every_stop)


# ------------------------------------------------------------------ showing


def session_json(item: Checked) -> Json:
    """One session in the form of `check --json`."""
    if item.ledger is None or item.judgement is None:
        return {"transcript": item.path, "error": item.error}
    found = report(item.ledger, item.judgement)
    if item.stops:
        found["stops"] = [_stop_json(stop) for stop in item.stops]
    return found


def _stop_json(stop: Stop) -> Json:
    return {
        "line": stop.line,
        "turn": stop.ledger.turns[-1].number if stop.ledger.turns else 0,
        "prompt": stop.judgement.task.prompt[:200],
        "gates": [gate(finding) for finding in stop.judgement.findings],
        "verdict": verdict(stop.judgement.verdict),
        "in_mid_turn": stop.in_mid_turn,
        "next_words": stop.next_words[:2000],
    }


def _print_json(checked: list[Checked], *, many: bool) -> None:
    import json

    if not many:
        body = session_json(checked[0])
    else:
        body = {
            "schema": "ace-reflect/check-many/1",
            "sessions": [{"transcript": item.path, **session_json(item)} for item in checked],
            "summary": _summary(checked),
        }
    click.echo(redact(json.dumps(body, ensure_ascii=False, indent=2), os.environ))


def _summary(checked: list[Checked]) -> Json:
    states: dict[str, int] = {}
    for item in checked:
        if item.judgement is not None:
            name = item.judgement.verdict.end_state.value
            states[name] = states.get(name, 0) + 1
    stops = [stop for item in checked for stop in item.stops]
    found = {
        "transcripts": len(checked),
        "skipped": sum(bool(item.error) for item in checked),
        "would_block": sum(item.blocks for item in checked),
        "end_states": states,
    }
    return found | {"stops": len(stops), "stops_blocked": _blocked(stops)} if stops else found


def _blocked(stops: list[Stop]) -> int:
    return sum(stop.judgement.verdict.decision == "block" for stop in stops)


def _print_pages(checked: list[Checked], *, many: bool) -> None:
    if many:
        _print_table(checked)
        return
    item = checked[0]
    if item.ledger is None or item.judgement is None:
        return
    if item.stops:
        click.echo(redact(_stops_page(item), os.environ))
    else:
        page = check_page.render(
            item.ledger,
            item.judgement,
            source=item.path,
            width=columns(),
            bad_at=bad_at(item.path, item.ledger),
        )
        click.echo(redact(page, os.environ).rstrip())


def _stops_page(item: Checked) -> str:
    rows = []
    for number, stop in enumerate(item.stops, start=1):
        given = stop.judgement.verdict
        rows.append(
            f"stop {number}, line {stop.line}: {given.decision} ({given.end_state.value})"
            + (" – the file ends in mid-turn" if stop.in_mid_turn else "")
        )
        rows.append(
            f"  asked   {shortened(neutralise(stop.judgement.task.prompt), columns() - 10)}"
        )
        rows += [f"  | {line}" for line in neutral_lines(given.feedback).splitlines()]
        rows += [f"  to you  {neutralise(given.system_message)}"] if given.system_message else []
        rows += (
            [f"  next    {shortened(neutralise(stop.next_words), columns() - 10)}"]
            if stop.next_words
            else []
        )
        rows.append("")
    rows.append(f"{counted(len(item.stops), 'stop')}, {_blocked(item.stops)} would be blocked")
    return hanging("\n".join(rows))


def _print_table(checked: list[Checked]) -> None:
    from rich.console import Console
    from rich.table import Table

    stops = any(item.stops for item in checked)
    table = Table(box=None, pad_edge=False, expand=True)
    table.add_column("session", overflow="ellipsis", no_wrap=True, width=24)
    table.add_column("task", no_wrap=True, width=8)
    table.add_column("verdict", no_wrap=True, width=16)
    if stops:
        table.add_column("blocked", no_wrap=True, justify="right", width=7)
    table.add_column("first open gate", overflow="ellipsis", no_wrap=True, ratio=1)
    for item in checked:
        cells = _cells(item)
        table.add_row(*(cells if stops else (*cells[:3], cells[4])))
    Console(width=columns()).print(table)
    sums = _summary(checked)
    click.echo(
        f"{counted(sums['transcripts'], 'transcript')}, {sums['would_block']} would be blocked, {sums['skipped']} skipped"
    )


def _cells(item: Checked) -> tuple[str, str, str, str, str]:
    if item.judgement is None:
        return _name(item.path), "", "skipped", "", ""
    given = item.judgement.verdict
    end = "block" if given.decision == "block" else given.end_state.value
    blocked = f"{_blocked(item.stops)}/{len(item.stops)}" if item.stops else ""
    first = neutralise(given.missing[0]) if given.missing else ""
    return _name(item.path), item.judgement.task.type, end, blocked, first


def _name(path: str) -> str:
    return neutralise(os.path.basename(path).removesuffix(".jsonl"))
