"""`notify.command`: the person's own command line gets each verdict on its stdin, in a detached process that ends it in time."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ace_reflect import log
from ace_reflect.state import processes
from ace_reflect.state.db import State

LIMIT_S = 30.0


def telling(
    session: str, command: str, project: str, verdict: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """What runs `command` with the verdict: the module to start, and what it is given."""
    # Both spellings: readers of `.reflection/verdict_<session>.json` read this too.
    told = {"sessionId": session, **verdict, "endState": verdict["end_state"]}
    return __name__, {"command": command, "project": project, "session": session, "verdict": told}


def main() -> int:
    """The process in between. Returns 0."""
    return processes.run_alone("notify", run, lifetime_s=2 * int(LIMIT_S))


def run(
    state: State, given: Mapping[str, Any], environ: Mapping[str, str], limit_s: float = LIMIT_S
) -> None:
    """Run the command to its end or to the limit, and log what went wrong."""
    import signal  # not needed by the hook that starts this
    import subprocess

    from ace_reflect.redact import redact_record

    project, verdict = given["project"], redact_record(dict(given["verdict"]), environ)
    child = subprocess.Popen(  # noqa: S602 - the person's own command line, from trusted configuration
        given["command"],
        shell=True,
        cwd=project if os.path.isdir(project) else None,
        env={**environ, "ACE_REFLECT_CHILD": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    text = f"{json.dumps(verdict, ensure_ascii=False)}\n".encode("utf-8", "replace")
    try:
        child.communicate(text, timeout=limit_s)
        why = f"it ended with {child.returncode}" if child.returncode else ""
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses if it has just ended
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        why = f"it still ran after {limit_s:g} s and was ended"
    if why:
        facts = {"session": given["session"], "decision": "failed", "why": why}
        log.write(state.home_dir, "notify", **facts)
