"""`ace-reflect log`: what was decided, a plain line for each decision, and what models cost; `statusline`: the last verdict."""

import json
import os
import sys
from collections import defaultdict

import click

from ace_reflect import paths
from ace_reflect.cli.output import Json, Report, local, reporting, table
from ace_reflect.errors import StateError
from ace_reflect.log import entries
from ace_reflect.state import record, sessions
from ace_reflect.state.db import open_for_command, open_state

#: end state -> how it is shown, here and by `status` and `log`
MARKS = {
    "complete": "✓ proven",
    "incomplete": "… not done",
    "open_from_earlier": "… open from earlier",
    "waiting_for_user": "? up to you",
    "blocked_on_human": "! needs you",
    "working": "… working",
    "gave_up": "✗ gave up",
    "skipped": "– checks off",
    "not_applicable": "nothing to check",
    "error": "! no verdict",
}
#: (event, decision), the decision of any event, or any decision of an event -> what happened; `{name}` is a field of the line.
_SAID = {
    ("UserPromptSubmit", "injected"): "prompt: key points given to Claude ({characters} characters)",
    ("UserPromptSubmit", "nothing-new"): "prompt: no key point to add",
    ("Stop", "nothing-new"): "stop: stands, nothing new since the last one",
    ("Stop", "transcript-behind"): "stop: stands, its answer did not reach the transcript in time",
    ("Stop", "block"): "stop: sent back to Claude (message {attempt})",
    ("Stop", "allow"): "stop: stands",
    ("SubagentStop", "block"): "subagent: told that its tests fail",
    ("SubagentStop", "allow"): "subagent: goes",
    ("SubagentStop", "transcript-behind"): "subagent: goes, its report did not reach its transcript in time",
    ("SessionStart", "compact"): "compaction: key points and how to go on given to Claude ({characters} characters)",
    ("PreCompact", "queued"): "compaction: finished turns queued for learning",
    ("SessionEnd", "queued"): "session ended: queued for learning",
    ("Assess", "wake"): "model check: sent back to Claude (message {attempt})",
    ("state-set-aside", ""): "state.db was broken: set aside as {corrupt}, a new one was started",
    "SessionStart": "session started ({decision})",
    "Assess": "model check: {decision}",
    "settle": "playbook: a change that was cut short was {decision}",
    "learn": "learned: {decision}",
    "unreadable-payload": "{event} hook: what Claude Code sent cannot be read ({size_bytes} bytes); nothing was done",
}  # fmt: skip
_COLUMNS = ("role", "model", "calls", "input_tokens", "output_tokens", "cost_usd")
_REASONS = ("why", "problem", "error", "models", "model")


@click.command()
@click.option("--cost", is_flag=True, help="Tokens and cost of the model calls instead.")
@click.option("-n", "--lines", type=click.IntRange(min=1), default=40, show_default=True)
@reporting
def log(cost: bool, lines: int) -> Report:
    """What was decided at each prompt and stop, what was learned, what failed: the latest lines. Prompts are never logged."""
    rows = [] if cost else [*entries(paths.home(os.environ))][-lines:]
    with open_for_command() as state:
        if cost:
            spent = [dict(zip(_COLUMNS, row, strict=True)) for row in record.spent_by_model(state)]
            body = {"tokens_today": record.tokens_today(state), "usage": spent}
            return Report("cost", body, _cost_page)
        for row in rows:
            if (known := sessions.get(state, str(row.get("session", "")))) and known.project:
                row["project"] = known.project
    return Report("log", {"lines": rows}, _page, fold=False)  # one line each, for `grep`


def _cost_page(body: Json) -> str:
    heads, rows = ("role", "calls", "input", "output", "USD", "model"), []
    for row in body["usage"]:
        price = "?" if row["cost_usd"] is None else f"{row['cost_usd']:.4f}"
        tokens = (f"{row['input_tokens']:,}", f"{row['output_tokens']:,}")
        rows.append((row["role"], row["calls"], *tokens, price, row["model"]))
    today = f"Today: {body['tokens_today']:,} tokens. ? means that the price is not known."
    shown = f"{table(heads, rows, right=heads[1:5])}\n\n{today}"
    return shown if rows else "No model was asked: nothing was sent anywhere."


def _page(body: Json) -> str:
    lines = []
    for row in body["lines"]:
        at = local(str(row.get("at", "")), "%Y-%m-%d %H:%M:%S")
        ms = f" ({row['ms']} ms)" if "ms" in row else ""
        where = f"{os.path.basename(row['project'])}  " if row.get("project") else ""
        session = str(row.get("session", ""))[:8]
        lines.append(f"{at}  {session:8}  {where}{_in_words(row)}{ms}".rstrip())
    return "\n".join(lines) or "Nothing has been logged yet."


def _in_words(row: Json) -> str:
    """What one line of the log says, without its time and session. A line from a newer version is left as it is."""
    from ace_reflect.install.registration import (
        EVENTS,  # brings pydantic, for which a status line has no time
    )

    event, decision = str(row.get("event", "")), str(row.get("decision", ""))
    if "error" in row and not decision:  # its kind and place are for a bug report
        where = f"the {event} hook" if event in EVENTS else event or "ace-reflect"
        told = f": {row['message']}" if row.get("message") else ""
        kind = ", ".join(str(row[name]) for name in ("error", "where") if row.get(name))
        return f"error in {where}{told} ({kind})"
    said = _SAID.get((event, decision)) or _SAID.get(decision) or _SAID.get(event)
    said = (said or f"{event}: {decision}").format_map(defaultdict(lambda: "?", row))
    if row.get("end_state") and said.endswith("stands"):
        said = f"{said}, {MARKS.get(row['end_state'], row['end_state'])}"
    gates = [str(gate).replace(":", " ").replace("_", " ") for gate in row.get("gates") or ()]
    why = [str(row[name]) for name in _REASONS if row.get(name)]
    still_open = ""
    if decision == "allow" and gates:  # they are no reason for a stop that stands
        still_open, gates = f"; still open: {', '.join(gates)}", []
    return f"{said}{': ' * bool(gates + why)}{'; '.join(gates + why)}{still_open}"


@click.command()
def statusline() -> None:
    """The last verdict and what waits for review. In settings.json:

    \b
      "statusLine": {"type": "command", "command": "ace-reflect statusline"}
    """
    try:
        payload = {} if sys.stdin.isatty() else json.loads(sys.stdin.read())
        session_id = str(payload.get("session_id") or "")
        with open_state(paths.home(os.environ), wait_s=0.2, whole=False) as state:
            session, prompt = sessions.get(state, session_id), sessions.prompt(state, session_id)
            waiting = record.count_waiting(state)
    except (StateError, OSError, ValueError, AttributeError, RecursionError):
        session, prompt, waiting = None, None, 0
    end_state = prompt.end_state if prompt else ""
    mark = MARKS.get("skipped" if session and session.skipped_at else end_state, "")
    parts = [mark] * (bool(mark) and end_state != "not_applicable")
    parts += [f"{waiting} to review"] * bool(waiting)
    click.echo(f"ace-reflect {' · '.join(parts)}".rstrip())
