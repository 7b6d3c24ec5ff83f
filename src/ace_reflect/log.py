"""One JSON line per decision, in `<home>/log.jsonl`: event, session, gate, verdict, milliseconds. No prompts, no secrets."""

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ace_reflect import paths

MAX_BYTES = 1_000_000  # then it becomes log.jsonl.1; two files are kept
MAX_DIAGNOSTICS = 50


def write(home_dir: str, event: str, **facts: object) -> None:
    """Append one line. Never raises: a full disk must not stop a person's work."""
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    told = {name: fact for name, fact in facts.items() if fact is not None}
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    with suppress(OSError, ValueError):
        line = json.dumps({"at": at, "event": event, **told}, default=str)
        path = os.path.join(home_dir, "log.jsonl")
        paths.make_folder(home_dir)
        with open(os.open(path, flags, 0o600), "ab", buffering=0) as file:
            file.write(f"{line}\n".encode())  # one write: lines of concurrent hooks do not mix
            full = file.tell() > MAX_BYTES
        if full:
            os.replace(path, path + ".1")


def entries(home_dir: str) -> Iterator[dict[str, Any]]:
    """What was logged, oldest first; a line cut off by a full disk is skipped. Raises OSError."""
    path = os.path.join(home_dir, "log.jsonl")
    for name in filter(os.path.exists, (path + ".1", path)):
        with open(name, encoding="utf-8", errors="replace") as file:
            for line in file:
                with suppress(ValueError):
                    if isinstance(row := json.loads(line), dict):
                        yield row


def failure(home_dir: str, event: str, error: BaseException, **facts: object) -> None:
    """A failure of our own: its kind, message and place in our code, without any value from the session."""
    trace, message, where = error.__traceback__, "", ""
    while trace is not None:
        where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    # A decoding error quotes the text it failed on, so only our own errors' messages are logged.
    ours = type(error).__module__.startswith("ace_reflect")
    if ours or isinstance(error, OSError | ImportError):
        from ace_reflect.redact import redact  # a path that it names may hold a secret

        message = redact(str(error), os.environ)[:300]
    write(home_dir, event, error=type(error).__name__, message=message, where=where, **facts)


def save_diagnostic(content: str, name: str) -> None:
    """Keep `content` redacted under `<home>/diagnostic/` where `ACE_REFLECT_DIAGNOSTIC=1` or a file
    `<project>/.claude/diagnostic_mode` says so. Never raises. Source: REQ-REFL-006.
    """
    environ, home = os.environ, paths.home(os.environ)
    try:
        project = paths.project_dir(environ)
        marked = os.path.exists(os.path.join(project, ".claude", "diagnostic_mode"))
        if environ.get("ACE_REFLECT_DIAGNOSTIC") != "1" and not marked:
            return
        from ace_reflect import atomic, config, redact

        own = config.load(project, home, environ).settings.redaction_patterns
        text = redact.redact(str(content), environ, patterns=own)
        folder = os.path.join(home, "diagnostic")
        paths.make_folder(folder)
        safe = re.sub(r"[^\w-]", "_", str(name))[:80]
        new = f"{time.strftime('%Y%m%dT%H%M%S')}_{time.time_ns() % 10**9:09d}_{safe}.txt"
        atomic.write(os.path.join(folder, new), text.encode("utf-8", "replace"))
        # Never the new one, which is dated before all others after the clock jumped back.
        others = sorted(old for old in os.listdir(folder) if old != new)
        for old in others[: -MAX_DIAGNOSTICS + 1]:
            os.unlink(os.path.join(folder, old))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"ace-reflect: {name!r} could not be written: {type(error).__name__}\n")
