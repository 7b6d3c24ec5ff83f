"""`ace-reflect statusline`: one short line for Claude Code's status line, which gives the session on stdin as JSON."""

import json
import os
import sys

import click

from ace_reflect import paths
from ace_reflect.errors import StateError
from ace_reflect.state import record, sessions
from ace_reflect.state.db import open_state

#: end state -> how it is shown, here and by `status` and `log`
MARKS = {
    "complete": "✓ done",
    "incomplete": "… not done",
    "open_from_earlier": "… open from earlier",
    "waiting_for_user": "? your turn",
    "blocked_on_human": "! needs you",
    "working": "… working",
    "gave_up": "✗ gave up",
    "skipped": "– checks off",
    "not_applicable": "nothing to check",
    "error": "! no verdict",
}


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
