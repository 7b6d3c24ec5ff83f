"""The two files of a stop, for other tools: `<project>/.reflection/verdict_<session>.json` and the full record.

Redacted, mode 0600, written whole or not at all. The folder is made only when gates ran, ignores itself in git, and keeps
the newest records. It stands in somebody's checkout: neither it nor a file in it is followed where it is a link, and a
session id is never trusted as a file name.
"""

import json
import os
import re
import time
import zlib
from contextlib import suppress

from ace_reflect import atomic, paths
from ace_reflect.assess import notify
from ace_reflect.hooks.edge import Event, Json
from ace_reflect.redact import redact_record

KEPT = 50  # full records, over all sessions of the project
#: Of each kind in a full record, the last ones: a stop of a long session costs no more than another's.
RECORDED_FACTS = 20


def publish(event: Event, report: Json, *, tell: bool = True, **more: object) -> None:
    """Write both files, unless the disk or the folder says no; with `tell` the person's own command hears of it too.
    `report` has the last RECORDED_FACTS; `more`: `assessment`, `crossReview`, `routing`, `attempt`, `usage`.
    """
    parts = ("facts", "left_out", "gates", "verdict")
    name, verdict = _verdict(event.session_id, report["verdict"])
    record = {
        "schema": "ace-reflect/record/1",
        "sessionId": event.session_id,
        "timestamp": verdict["timestamp"],
        "task": report["task"],
        "analysis": {part: report[part] for part in parts if part in report},
        "endState": verdict["endState"],
        **dict.fromkeys(("assessment", "crossReview", "routing", "attempt", "usage")),
        **more,
    }
    clean = redact_record(record, event.environ, patterns=event.settings.redaction_patterns)
    folder = paths.artifacts_dir(event.project)
    new = f"{safe_name(event.session_id)}_{time.time_ns() // 1_000_000}.json"
    # A read-only checkout, a full disk: the stop is answered all the same.
    with suppress(OSError, ValueError):
        if not os.path.lexists(folder):
            os.mkdir(folder, 0o700)
        _write(folder, ".gitignore", "*")  # also over one that a checkout brings along
        _write(folder, name, json.dumps(verdict))
        _write(folder, new, json.dumps(clean, ensure_ascii=False))
        # The oldest go, but never the new one: after the clock jumped back it is dated before all others.
        atomic.remove_stale(folder)
        names = {old for old in os.listdir(folder) if old.endswith(".json")} - {new}
        records = [old for old in names if not old.startswith(("verdict_", "."))]
        for old in sorted(records, key=lambda name: name.rpartition("_")[2])[: -KEPT + 1]:
            os.unlink(os.path.join(folder, old))
    command = event.settings.notify_command
    if command and tell:
        told = (event.session_id, command, event.project, clean["analysis"]["verdict"])
        event.to_start.append(notify.telling(*told))


def refresh_verdict(event: Event, verdict: Json) -> None:
    """Write this verdict (as `report.session.verdict` gives it) over one that exists; none is made. Never raises OSError."""
    folder = paths.artifacts_dir(event.project)
    name, told = _verdict(event.session_id, verdict)
    with suppress(OSError, ValueError):
        if os.path.isfile(os.path.join(folder, name)):
            _write(folder, name, json.dumps(told))


def safe_name(session_id: str) -> str:
    """The session id where it is a plain file name, as the host's are; else one made from it."""
    if re.fullmatch(r"\w[\w.-]{0,99}", session_id, re.ASCII):
        return session_id
    return f"session-{zlib.crc32(session_id.encode('utf-8', 'replace')):08x}"


def _verdict(session_id: str, verdict: Json) -> tuple[str, Json]:
    """The name of the verdict's file, and what stands in it."""
    told = {"sessionId": session_id, "complete": verdict["complete"]}
    told |= {"severity": verdict["severity"], "endState": verdict["end_state"]}
    told["timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return f"verdict_{safe_name(session_id)}.json", told


def _write(folder: str, name: str, text: str) -> None:
    """Write a file whole or not at all, unless the folder is a link. Raises OSError."""
    if os.path.islink(folder):
        raise NotADirectoryError(folder)
    data = f"{text}\n".encode("utf-8", "replace")
    atomic.write(os.path.join(folder, name), data, sync=False)
