"""
The two files of a stop, for other tools: `<project>/.reflection/verdict_<session>.json` and the full record.

Redacted, mode 0600, written whole or not at all. The folder is made only when gates ran, ignores itself in git, and keeps
the newest records. It stands in somebody's checkout: neither it nor a file in it is followed where it is a link, and a
session id is never trusted as a file name.
"""

import json
import os
import re
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress

from ace_reflect import atomic, paths
from ace_reflect.hooks.edge import Json
from ace_reflect.redact import redact_record
from ace_reflect.text import without_private

KEPT = 50  # full records, over all sessions of the project
#: Of each kind in a full record, the last ones: a stop of a long session costs no more than another's.
RECORDED_FACTS = 50


def write_artifacts(
    project: str,
    session_id: str,
    report: Json,
    environ: Mapping[str, str],
    *,
    patterns: tuple[str, ...] = (),
    **more: object,
) -> Json:
    """
    Write both files, unless the disk or the folder says no; the redacted verdict.

    `report` is `gates.report.report(…, RECORDED_FACTS)`. `patterns`: the user's own for secrets. `more`: `assessment`,
    `crossReview`, `routing`, `attempt`, `usage`.
    """
    task, verdict = report["task"], report["verdict"]
    parts = ("facts", "left_out", "gates", "verdict")
    record = {
        "schema": "ace-reflect/record/1",
        "sessionId": session_id,
        "timestamp": _now(),
        "task": {**task, "prompt": without_private(task.get("prompt", ""))},
        "analysis": {name: report[name] for name in parts if name in report},
        "endState": verdict["end_state"],
        **dict.fromkeys(("assessment", "crossReview", "routing", "attempt", "usage")),
        **more,
    }
    clean = redact_record(record, environ, patterns=patterns)
    folder = paths.artifacts_dir(project)
    name = f"{safe_name(session_id)}_{time.time_ns() // 1_000_000}.json"
    # A read-only checkout, a full disk: the stop is answered all the same.
    with suppress(OSError, ValueError):
        if not os.path.lexists(folder):
            os.mkdir(folder, 0o700)
        # A checkout may bring the folder along without one, and then `git add` would take the records.
        if not os.path.lexists(os.path.join(folder, ".gitignore")):
            _write(folder, ".gitignore", "*")
        _write(folder, *_verdict(session_id, verdict))
        _write(folder, name, json.dumps(clean, ensure_ascii=False))
        _rotate(folder, name)
    told: Json = clean["analysis"]["verdict"]
    return told


def refresh_verdict(project: str, session_id: str, verdict: Mapping[str, object]) -> None:
    """Write this verdict (as `gates.report.verdict` gives it) over one that exists; none is made. Never raises OSError."""
    folder = paths.artifacts_dir(project)
    name, text = _verdict(session_id, verdict)
    path = os.path.join(folder, name)
    with suppress(OSError, ValueError):
        if os.path.isfile(path) and not os.path.islink(path):
            _write(folder, name, text)


def safe_name(session_id: str) -> str:
    """The session id where it is a plain file name, as the host's are; else one made from it."""
    if re.fullmatch(r"\w[\w.-]{0,99}", session_id, re.ASCII):
        return session_id
    return f"session-{zlib.crc32(session_id.encode('utf-8', 'replace')):08x}"


def _verdict(session_id: str, verdict: Mapping[str, object]) -> tuple[str, str]:
    """The name of the verdict's file, and what stands in it."""
    told = {"sessionId": session_id, "complete": verdict["complete"]}
    told |= {"severity": verdict["severity"], "endState": verdict["end_state"]}
    return f"verdict_{safe_name(session_id)}.json", json.dumps({**told, "timestamp": _now()})


def _now() -> str:
    now = time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"


def _write(folder: str, name: str, text: str) -> None:
    """Write a file whole or not at all, unless the folder is a link. Raises OSError."""
    if os.path.islink(folder):
        raise NotADirectoryError(folder)
    data = f"{text}\n".encode("utf-8", "replace")
    atomic.write(os.path.join(folder, name), data, sync=False)


def _rotate(folder: str, newest: str) -> None:
    """The oldest records go, but never `newest`: after the clock jumped back it is dated before all others."""
    atomic.remove_stale(folder)
    others = {name for name in os.listdir(folder) if name.endswith(".json")} - {newest}
    records = [name for name in others if not name.startswith(("verdict_", "."))]
    for name in sorted(records, key=lambda name: name.rpartition("_")[2])[: -KEPT + 1]:
        os.unlink(os.path.join(folder, name))
