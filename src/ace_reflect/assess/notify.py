"""`notify.command`: the person's own command line gets each verdict on its stdin, as one JSON object. It runs detached, inside
a process of our own that ends it in time and logs how it ended; it calls none of our hooks.
"""

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
    ended = {"endState": verdict["end_state"]} if "end_state" in verdict else {}
    told = {"sessionId": session, **verdict, **ended}
    return __name__, {"command": command, "project": project, "session": session, "verdict": told}


def main() -> int:
    """The process in between: run the command, end it in time, log what went wrong. Returns 0."""
    return processes.run_alone("notify", _tell, lifetime_s=2 * int(LIMIT_S))


def _tell(state: State, given: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    why = run(given["command"], given["project"], given["verdict"], environ)
    if why:
        facts = {"session": given["session"], "decision": "failed", "why": why}
        log.write(state.home_dir, "notify", **facts)


def run(
    command: str,
    project: str,
    verdict: Mapping[str, Any],
    environ: Mapping[str, str],
    *,
    limit_s: float = LIMIT_S,
) -> str:
    """Run the command to its end or to the limit; says what went wrong, or ""."""
    import signal  # not needed by the hook that starts this
    import subprocess

    from ace_reflect.redact import redact_record

    text = json.dumps(redact_record(dict(verdict), environ), ensure_ascii=False)
    child = subprocess.Popen(  # noqa: S602 - the person's own command line, from trusted configuration
        command,
        shell=True,
        cwd=project if os.path.isdir(project) else None,
        env={**environ, "ACE_REFLECT_CHILD": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        child.communicate(f"{text}\n".encode("utf-8", "replace"), timeout=limit_s)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses if it has just ended
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return f"it still ran after {limit_s:g} s and was ended"
    return "" if child.returncode == 0 else f"it ended with {child.returncode}"
