"""`ace-reflect log`: what was decided, a line a decision, and what models cost."""

import os
import sys
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.log_page import in_words
from ace_reflect.cli.terminal import hanging
from ace_reflect.cli.times import local
from ace_reflect.errors import AceReflectError, StateError
from ace_reflect.log import entries
from ace_reflect.state import sessions, usage
from ace_reflect.state.db import open_state

_LINES = 40


@click.command(short_help="What was decided, and what models cost.")
@click.option(
    "--session", metavar="ID", help="Only this session (the beginning of its id is enough)."
)
@click.option("--cost", is_flag=True, help="Tokens and cost of the model calls instead.")
@click.option(
    "-n",
    "--lines",
    type=click.IntRange(min=1),
    show_default=str(_LINES),
    help="How many of the latest lines.",
)
@as_json_option
def log(session: str | None, cost: bool, lines: int | None, as_json: bool) -> None:
    """
    What was decided at each prompt and stop, what was learned, and what failed; oldest first, and never a prompt in it.

    With --json the lines stand as in log.jsonl.

    \b
    ace-reflect log --session 65f68b31
    ace-reflect log --cost
    """
    if cost and lines is not None:
        raise click.UsageError(
            "--cost adds up all calls: -n, which counts lines of the log, has no meaning there"
        )
    if cost:
        _costs(session, as_json=as_json)
        return
    try:
        logged = list(entries(paths.home(os.environ)))
    except OSError as fault:
        raise AceReflectError(
            f"{fault.filename} cannot be read: {fault.strerror}; mend its permissions, or move it away: a new one is begun"
        ) from fault
    if session is not None:
        logged = [
            row for row in logged if session and str(row.get("session", "")).startswith(session)
        ]
        if not logged:
            _refuse_unknown(session)
    rows = logged[-(lines or _LINES) :]
    if as_json:
        echo_json("log", {"lines": rows})
        return
    for row in rows:
        click.echo(_line(row))
    if not rows:
        click.echo(
            "Nothing was logged" + (f" for a session {session}." if session else " yet."), err=True
        )


def _line(row: dict[str, Any]) -> str:
    at = local(str(row.get("at", "")), to_the_second=True)
    ms = f" ({row['ms']} ms)" if "ms" in row else ""
    text = f"{at}  {str(row.get('session', ''))[:8]:8}  {in_words(row)}{ms}"
    text = "".join(ch if ch.isprintable() else "�" for ch in text.rstrip())
    # In a pipe a decision is one line, for `grep`.
    return hanging(text) if sys.stdout.isatty() else text


def _refuse_unknown(session: str) -> None:
    """Raise StateError unless the session is on record: its lines may be gone, for the log's size is capped."""
    with open_state(paths.home(os.environ)) as state:
        if not sessions.starting_with(state, session):
            raise StateError(
                f"no session is known whose id begins with {session!r}; `ace-reflect log` shows the latest"
            )


def _costs(session: str | None, *, as_json: bool) -> None:
    with open_state(paths.home(os.environ)) as state:
        rows = usage.by_model(state, session)
        today = usage.tokens_today(state)
    if session is not None and not rows:
        _refuse_unknown(session)
    names = ("role", "model", "calls", "input_tokens", "output_tokens", "cost_usd")
    if as_json:
        calls = [dict(zip(names, row, strict=True)) for row in rows]
        echo_json("cost", {"tokens_today": today, "usage": calls})
        return
    if not rows:
        click.echo(
            "No model was asked"
            + (" for this session." if session else " yet: nothing was sent anywhere.")
        )
        return
    click.echo(f"{'role':12} {'model':30} {'calls':>5} {'input':>9} {'output':>8} {'USD':>9}")
    for role, model, calls, given, got, price in rows:
        shown = f"{price:9.4f}" if price is not None else f"{'?':>9}"
        click.echo(f"{role[:12]:12} {model[:30]:30} {calls:5} {given:9,} {got:8,} {shown}")
    click.echo(f"\nToday: {today:,} tokens. A ? is a price that is not known.")
