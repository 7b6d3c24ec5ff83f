"""`ace-reflect statusline`: one short line for Claude Code's status line, which gives the session on stdin as JSON."""

import json
import os
import sys
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.errors import StateError
from ace_reflect.state import inbox, prompts, sessions
from ace_reflect.state.db import open_state

MARKS = {
    "complete": "✓ done",
    "incomplete": "… not done",
    "open_from_earlier": "… open from earlier",
    "waiting_for_user": "? your turn",
    "blocked_on_human": "! needs you",
    "working": "… working",
    "gave_up": "✗ gave up",
    "skipped": "– checks off",
    "error": "! no verdict",
}


@click.command()
def statusline() -> None:
    """
    One line for Claude Code's status line: the last verdict and what waits for review.

    In settings.json:

    \b
      "statusLine": {"type": "command", "command": "ace-reflect statusline"}

    \b
    Example:
      echo '{"session_id": "…"}' | ace-reflect statusline
    """
    payload = _payload()
    try:
        click.echo(line_for(str(payload.get("session_id") or ""), paths.home(os.environ)))
    except (StateError, OSError):
        click.echo("ace")


def line_for(session_id: str, home: str) -> str:
    """`ace ✓ done · 2 to review`; just `ace` where there is nothing to say."""
    with open_state(home, wait_s=0.2) as state:
        parts = []
        session = sessions.get(state, session_id) if session_id else None
        prompt = prompts.current(state, session_id) if session_id else None
        if session is not None and session.skipped:
            parts.append(MARKS["skipped"])
        elif prompt is not None and prompt.end_state in MARKS:
            parts.append(MARKS[prompt.end_state])
        waiting = inbox.count(state)
        if waiting:
            parts.append(f"{waiting} to review")
    return f"ace {' · '.join(parts)}" if parts else "ace"


def _payload() -> dict[str, Any]:
    if sys.stdin.isatty():
        return {}
    try:
        found = json.loads(sys.stdin.read() or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
