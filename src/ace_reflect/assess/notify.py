"""
`notify.command`: the person's own command line gets each verdict on its stdin, as one JSON object.

A project's file names such a command only once it is trusted (`config.FREE_KEYS`). It runs detached, for a bounded time,
inside a process of our own that logs how it ended; it calls none of our hooks, so that it may start Claude Code itself.
"""

import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

MODULE = "ace_reflect.assess.notify"
LIMIT_S = 30.0
_SHORT = 40
_MAX_VERDICT = 40_000  # characters; what does not fit the pipe is cut to the verdict's short form


def start(
    environ: Mapping[str, str],
    session: str,
    command: str,
    project: str,
    verdict: Mapping[str, Any],
) -> None:
    """Run `command` with the verdict, and return at once. Raises OSError; ValueError for a command that is far too long."""
    import json

    from ace_reflect.state import spawn

    # Both spellings: who reads `.reflection/verdict_<session>.json` reads this too.
    ended = {"endState": verdict["end_state"]} if "end_state" in verdict else {}
    told = {"sessionId": session, **verdict, **ended}
    if len(json.dumps(told)) > _MAX_VERDICT:
        told = {key: value for key, value in told.items() if key == "sessionId" or _is_short(value)}
    payload = {"command": command, "project": project, "session": session, "verdict": told}
    spawn.start(MODULE, environ, json.dumps(payload).encode())


def _is_short(value: object) -> bool:
    return len(value) <= _SHORT if isinstance(value, str) else not isinstance(value, list)


def main() -> int:
    """The process in between: run the command, end it in time, log what went wrong. Returns 0."""
    import json

    from ace_reflect import log, paths

    home = paths.home(os.environ)
    try:
        given = json.loads(sys.stdin.buffer.read())
        why = run(given["command"], given["project"], given["verdict"], os.environ)
    except Exception as error:  # noqa: BLE001 - nobody looks at this process: the log is the only place to say it
        log.failure(home, "notify", error)
        return 0
    if why:
        log.write(home, "notify", session=str(given.get("session", "")), decision="failed", why=why)
    else:
        log.debug(
            home, os.environ, "notify", session=str(given.get("session", "")), decision="told"
        )
    return 0


def run(
    command: str,
    project: str,
    verdict: Mapping[str, Any],
    environ: Mapping[str, str],
    *,
    limit_s: float = LIMIT_S,
) -> str:
    """Run the command to its end or to the limit; what went wrong, in words, or ""."""
    import json
    import subprocess
    from contextlib import suppress

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
        child.communicate((text + "\n").encode("utf-8", "replace"), timeout=limit_s)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses where it ended just now
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return f"it still ran after {limit_s:g} s and was ended"
    return "" if child.returncode == 0 else f"it ended with {child.returncode}"
