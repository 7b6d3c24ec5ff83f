"""
The two files of a stop that gates ran on, for other tools: `.reflection/verdict_<session>.json` and the full record.

Everything is redacted, mode 0600, written whole or not at all. The folder is made only when gates ran, ignores itself
in git, and keeps the newest records. It stands in somebody's checkout: links are not followed.
"""

import json
import os
import time
from collections.abc import Mapping
from typing import Any

from ace_reflect import paths
from ace_reflect.hooks.verdict_file import safe_name, short_verdict, verdict_name, write_in
from ace_reflect.redact import redact_record, without_private

Json = dict[str, Any]

SCHEMA = "ace-reflect/record/1"
KEPT = 50  # full records, over all sessions of the project
#: Of each kind in a full record, the last ones: a stop of a long session costs no more than another's.
RECORDED_FACTS = 50
_MAX_CHARS = 400_000
_FEW_FACTS = 10
_STALE_S = 600


def write_artifacts(
    project: str,
    session_id: str,
    report: Json,
    environ: Mapping[str, str],
    *,
    patterns: tuple[str, ...] = (),
    **more: object,
) -> str:
    """
    Write both files; the name of the full record, or "" where they could not be written (never raises OSError).

    `report` is `gates.report.report(…, RECORDED_FACTS)`. `patterns`: the user's own for secrets. `more`: `assessment`,
    `crossReview`, `routing`, `attempt`, `usage`.
    """
    now = time.time()
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
    name = f"{safe_name(session_id)}_{int(now * 1000)}.json"
    verdict = report["verdict"]
    try:
        folder = _open_folder(project)
    except (OSError, ValueError):
        return ""
    try:
        write_in(folder, verdict_name(session_id), short_verdict(session_id, verdict))
        write_in(folder, name, _fitted(_record(session_id, at, report, more), environ, patterns))
        _rotate(folder, name)
    except OSError:
        return ""
    finally:
        os.close(folder)
    return name


def _record(session_id: str, at: str, report: Json, more: Mapping[str, object]) -> Json:
    return {
        "schema": SCHEMA,
        "sessionId": session_id,
        "timestamp": at,
        "task": {
            name: without_private(value) if name == "prompt" else value
            for name, value in report["task"].items()
        },
        "assessment": more.get("assessment"),
        "analysis": {
            name: report[name]
            for name in ("facts", "left_out", "gates", "verdict")
            if name in report
        },
        "crossReview": more.get("crossReview"),
        "routing": more.get("routing"),
        "attempt": more.get("attempt", 0),
        "endState": report["verdict"]["end_state"],
        "usage": more.get("usage"),
    }


def _fitted(record: Json, environ: Mapping[str, str], patterns: tuple[str, ...]) -> str:
    """As JSON, without secrets; one that is too long keeps a few facts of each kind."""
    text = json.dumps(redact_record(record, environ, patterns=patterns), ensure_ascii=False)
    if len(text) <= _MAX_CHARS:
        return text
    analysis = record["analysis"]
    few = {
        name: value[-_FEW_FACTS:] if isinstance(value, list) else value
        for name, value in analysis["facts"].items()
    }
    short = {**record, "analysis": {**analysis, "facts": few}}
    return json.dumps(redact_record(short, environ, patterns=patterns), ensure_ascii=False)


def _open_folder(project: str) -> int:
    """
    The folder as a descriptor, made where it is not there, with a `.gitignore` in it: a checkout may bring the folder
    along without one, and then `git add` would take the records. Raises OSError.
    """
    path = paths.artifacts_dir(project)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        folder = os.open(path, flags)
    except FileNotFoundError:
        os.mkdir(path, 0o700)
        folder = os.open(path, flags)
    try:
        if ".gitignore" not in os.listdir(folder):
            write_in(folder, ".gitignore", "*")
    except OSError:
        os.close(folder)
        raise
    return folder


def _rotate(folder: int, newest: str) -> None:
    """The oldest records go, but never `newest`: after the clock jumped back it is dated before all others."""
    there = os.listdir(folder)
    names = [
        name
        for name in there
        if name.endswith(".json") and not name.startswith(("verdict_", ".")) and name != newest
    ]
    names.sort(key=lambda name: name.rpartition("_")[2])
    left_over = [
        name
        for name in there
        if name.startswith(".") and name.endswith(".tmp") and _is_old(folder, name)
    ]
    for old in (*names[: -KEPT + 1], *left_over):
        os.unlink(old, dir_fd=folder)


def _is_old(folder: int, name: str) -> bool:
    """Whether a temporary file is nobody's any more: the hook that wrote it was killed."""
    return time.time() - os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime > _STALE_S
