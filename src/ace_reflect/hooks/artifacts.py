"""
The two files of a stop, for other tools: `<project>/.reflection/verdict_<session>.json` and the full record.

Redacted, mode 0600, written whole or not at all. The folder is made only when gates ran, ignores itself in git, and keeps
the newest records. It stands in somebody's checkout: neither it nor a file in it is followed where it is a link, and a
session id is never trusted as a file name.
"""

import json
import os
import time
import zlib
from collections.abc import Mapping

from ace_reflect import paths
from ace_reflect.hooks.edge import Json
from ace_reflect.redact import redact_record, without_private

KEPT = 50  # full records, over all sessions of the project
#: Of each kind in a full record, the last ones: a stop of a long session costs no more than another's.
RECORDED_FACTS = 50
_STALE_S = 600
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


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
    try:
        if not os.path.lexists(folder):
            os.mkdir(folder, 0o700)
        # A checkout may bring the folder along without one, and then `git add` would take the records.
        if not os.path.lexists(os.path.join(folder, ".gitignore")):
            _write(folder, ".gitignore", "*")
        _write(folder, *_verdict(session_id, verdict))
        _write(folder, name, json.dumps(clean, ensure_ascii=False))
        _rotate(folder, name)
    except (OSError, ValueError):
        pass  # a read-only checkout, a full disk: the stop is answered all the same
    told: Json = clean["analysis"]["verdict"]
    return told


def refresh_verdict(project: str, session_id: str, verdict: Mapping[str, object]) -> None:
    """Write this verdict (as `gates.report.verdict` gives it) over one that exists; none is made. Never raises OSError."""
    folder = paths.artifacts_dir(project)
    name, text = _verdict(session_id, verdict)
    path = os.path.join(folder, name)
    try:
        if os.path.isfile(path) and not os.path.islink(path):
            _write(folder, name, text)
    except (OSError, ValueError):
        return


def safe_name(session_id: str) -> str:
    """The full session id where it is a plain file name, else one made from it that no other id gets."""
    plain = "".join(letter if letter in _PLAIN else "_" for letter in session_id)[:100].lstrip(".")
    if plain == session_id and plain:
        return plain
    return f"{plain[:60] or 'session'}-{zlib.crc32(session_id.encode('utf-8', 'replace')):08x}"


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
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    # Made anew, so that no link is followed and no pipe waited for.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(f"{text}\n".encode("utf-8", "replace"))
        os.replace(temporary, os.path.join(folder, name))
    except OSError:
        os.unlink(temporary)
        raise


def _rotate(folder: str, newest: str) -> None:
    """The oldest records go, but never `newest`: after the clock jumped back it is dated before all others."""
    old = []
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.endswith(".tmp"):  # left by a hook that was killed
            if time.time() - os.lstat(path).st_mtime > _STALE_S:
                os.unlink(path)
        elif name.endswith(".json") and not name.startswith(("verdict_", ".")) and name != newest:
            old.append((name.rpartition("_")[2], path))
    for _, path in sorted(old)[: -KEPT + 1]:
        os.unlink(path)
