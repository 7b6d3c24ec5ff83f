"""Codex CLI: the file that our hooks are registered in, what it makes of them, and a session of its form for doctor."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from shutil import which
from typing import Any

from ace_reflect.errors import ConfigError
from ace_reflect.install import registration
from ace_reflect.project.git import read_text
from ace_reflect.transcript.codex_files import codex_dir

Json = dict[str, Any]
_PATCH = "*** Begin Patch\n*** Update File: slug.py\n@@\n-    text.lower()\n+    text.casefold()\n*** End Patch\n"
_SESSION = "01a217f5-20ce-7e41-a366-13aae029ddc4"


def hooks_path(scope: str, project: str, environ: Mapping[str, str]) -> str:
    """`hooks.json` of the person, or of a project. Raises ConfigError for `local`, which Codex does not have."""
    if scope == "local":
        raise ConfigError("Codex has no local settings; use --scope user or --scope project")
    folder = codex_dir(environ) if scope == "user" else os.path.join(project, ".codex")
    return os.path.join(folder, "hooks.json")


def registered(
    project: str, environ: Mapping[str, str]
) -> list[tuple[str, str, registration.Entries]]:
    """(scope, path, the entries of ours) of each hooks.json that has any; one that cannot be read is passed over."""
    paths = {scope: hooks_path(scope, project, environ) for scope in ("user", "project")}
    return [*registration.in_files(paths)]


def entries(*, assess: bool) -> registration.Entries:
    """What belongs into `hooks`. Codex waits for every hook, and takes at most 3 s for a SessionEnd."""
    found = registration.entries(assess=assess, foreground=True)
    found["SessionEnd"][0]["hooks"][0]["timeout"] = 3
    return found


def notes(file: str, environ: Mapping[str, str]) -> list[str]:
    """What a person should know before the hooks are registered in `file`."""
    found = []
    if not which("codex", path=environ.get("PATH")):
        found.append("no `codex` command was found; the hooks work as soon as it is there")
    beside = os.path.join(os.path.dirname(file), "config.toml")
    if "[[hooks." in read_text(beside):
        found.append(f"{beside} has hooks too; Codex runs both, and warns of two places")
    return found


def untrusted(file: str, events: Mapping[str, object], environ: Mapping[str, str]) -> list[str]:
    """The events whose hooks in `file` nobody has trusted yet: Codex starts none of those, and does not say so."""
    known = read_text(os.path.join(codex_dir(environ), "config.toml"))
    snake = {event: re.sub(r"(?<!^)([A-Z])", r"_\1", event).lower() for event in events}
    files = {file, os.path.realpath(file)}
    return [e for e in events if not any(f'"{one}:{snake[e]}:' in known for one in files)]


def write_session(path: Path, project: str, said: str, *, tested: bool) -> dict[str, str]:
    """Write the rollout of an edit, with a passing run of the tests or without; the ids of its stop's payload."""
    patch = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "1", "input": _PATCH}
    run = {
        "type": "function_call",
        "name": "exec_command",
        "call_id": "2",
        "arguments": '{"cmd": "pytest -q"}',
    }
    printed = (
        "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\n3 passed in 0.02s"
    )
    items: list[Json] = [
        {"type": "message", "role": "user", "content": [{"text": "Make slugs keep their digits."}]},
        patch,
        {"type": "custom_tool_call_output", "call_id": "1", "output": "Success."},
        *[run, {"type": "function_call_output", "call_id": "2", "output": printed}] * tested,
        {"type": "message", "role": "assistant", "content": [{"text": said}]},
    ]  # fmt: skip
    lines: list[Json] = [{"type": "session_meta", "payload": {"id": _SESSION, "cwd": project}}]
    lines += [{"type": "response_item", "payload": item} for item in items]
    path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines))
    return {"session_id": _SESSION, "turn_id": "1", "transcript_path": str(path)}
