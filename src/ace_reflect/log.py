"""
One JSON line a decision, in `<home>/log.jsonl`: event, session, gate, verdict, milliseconds. Never a prompt, never a secret.

Imported by every hook: `os`, `sys` and `time` only, so the few lines of JSON writing are our own.
"""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

from ace_reflect import paths

MAX_BYTES = 1_000_000  # then the file becomes log.jsonl.1; two files are kept
MAX_DIAGNOSTICS = 50
_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(32), 0x7F)} | {34: '\\"', 92: "\\\\"}


def write(home_dir: str, event: str, **facts: object) -> None:
    """Append one line; never raises, for a full disk must not stop a person's work."""
    try:
        _append(paths.log_file(home_dir), _line({"at": _now(), "event": event, **facts}))
    except (OSError, ValueError):
        return


def unquoted(why: str) -> str:
    """A reason without the prompt or the command that it quotes: the log holds neither."""
    for opens, closes in (("“", "”"), ("`", "`")):
        before, opened, quoted = why.partition(opens)
        if opened:
            why = before + "…" + (quoted.rpartition(closes)[2] if closes in quoted else "")
    return why


def entries(home_dir: str) -> Iterator[dict[str, Any]]:
    """What was logged, oldest first; a line that a full disk cut off is passed over. Raises OSError for a log that cannot be read."""
    import json  # no hook reads its log

    path = paths.log_file(home_dir)
    for name in (path + ".1", path):
        try:
            with open(name, encoding="utf-8", errors="replace") as file:
                lines = file.readlines()
        except FileNotFoundError:
            continue
        for line in lines:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                yield row


def debug(home_dir: str, environ: Mapping[str, str], event: str, **facts: object) -> None:
    """The same, only with `REFLECTION_DEBUG=1`."""
    if environ.get("REFLECTION_DEBUG") == "1":
        write(home_dir, event, level="debug", **facts)


def failure(home_dir: str, event: str, error: BaseException, **facts: object) -> None:
    """A failure of our own: its kind, message and the place in our code, without any value of the session."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = (
        f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        if trace is not None
        else ""
    )
    # The message of a decoding error quotes the text it failed on, so only our own errors speak for themselves.
    said = (
        str(error)
        if type(error).__module__.startswith("ace_reflect")
        or isinstance(error, (OSError, ImportError))
        else ""
    )
    if said:
        from ace_reflect.redact import redact  # a path that it names may hold a secret

        said = redact(said, os.environ)
    write(home_dir, event, error=type(error).__name__, message=said[:300], where=where, **facts)


def save_diagnostic(content: str, name: str) -> None:
    """
    In diagnostic mode, keep `content` redacted under `<home>/diagnostic/`; otherwise do nothing. Never raises.

    The mode is on with `ACE_REFLECT_DIAGNOSTIC=1` or a file `<project>/.claude/diagnostic_mode`.
    Source: REQ-REFL-006.
    """
    environ = os.environ
    try:
        marker = os.path.join(paths.project_dir(environ), ".claude", "diagnostic_mode")
        if environ.get("ACE_REFLECT_DIAGNOSTIC") != "1" and not os.path.exists(marker):
            return
        from ace_reflect import config, redact

        home = paths.home(environ)
        own = config.load_usable(paths.project_dir(environ), home, environ).redaction_patterns
        folder = os.path.join(home, "diagnostic")
        paths.make_folder(folder)
        safe = "".join(ch if ch.isalnum() or ch in "-_" else "_" for ch in str(name))[:80]
        target = os.path.join(
            folder, f"{time.strftime('%Y%m%dT%H%M%S')}_{time.time_ns() % 10**9:09d}_{safe}.txt"
        )
        text = redact.redact(str(content), environ, patterns=own)
        with open(
            os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600),
            "w",
            encoding="utf-8",
            errors="replace",
        ) as file:
            file.write(text)
        # Never the one just written, which is dated before all others after the clock jumped back.
        others = sorted(old for old in os.listdir(folder) if old != os.path.basename(target))
        for old in others[: -MAX_DIAGNOSTICS + 1]:
            os.unlink(os.path.join(folder, old))
    except (OSError, ValueError) as error:
        sys.stderr.write(
            f"ace-reflect: the diagnostic {name!r} could not be written: {type(error).__name__}\n"
        )


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _append(path: str, line: str) -> None:
    folder = os.path.dirname(path)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except FileNotFoundError:
        paths.make_folder(folder)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        # One write of one line: lines of hooks that run at the same time do not mix.
        os.write(descriptor, line.encode("utf-8", "replace"))
        full = os.fstat(descriptor).st_size > MAX_BYTES
    finally:
        os.close(descriptor)
    if full:
        os.replace(path, path + ".1")


def _line(facts: Mapping[str, object]) -> str:
    return (
        "{"
        + ", ".join(
            f"{_value(key)}: {_value(value)}" for key, value in facts.items() if value is not None
        )
        + "}\n"
    )


def _value(value: object) -> str:
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    text = str(value).translate(_ESCAPES)
    if (
        not text.isascii()
    ):  # a table of all surrogates would cost every hook more than the line it writes
        text = "".join(f"\\u{ord(ch):04x}" if "\ud800" <= ch <= "\udfff" else ch for ch in text)
    return f'"{text}"'
