"""Where Codex keeps rollouts: `<CODEX_HOME>/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`, a subagent's beside its parent's."""

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from glob import escape, glob
from typing import Any

#: What names a line of Codex; inside of a text the quotes would be escaped.
_LINES = (b'"type":"session_meta"', b'"type":"response_item"', b'"type":"event_msg"')
_START = 4096  # bytes: all that is looked at here stands before the long instructions
_PARENT = rb'"parent_thread_id":"([\w-]{36})"'
_OWNERS = rb'"(?:parent_thread_id|session_id)":"([\w-]{36})"'


def codex_dir(environ: Mapping[str, str]) -> str:
    """Codex's own folder: `$CODEX_HOME`, else `~/.codex`."""
    home = environ.get("HOME") or os.path.expanduser("~")
    return os.path.abspath(environ.get("CODEX_HOME") or os.path.join(home, ".codex"))


def rollouts(environ: Mapping[str, str], project: str | None, session: str = "*") -> list[str]:
    """The sessions of a project, or of all (None), by name; not those of subagents."""
    found = glob(
        os.path.join(
            escape(codex_dir(environ)), "sessions", "*", "*", "*", f"rollout-*{session}.jsonl"
        )
    )
    wanted = (path for path in sorted(found) if project is None or folder_of(path) == project)
    return [path for path in wanted if not parent_of(path)]


def is_rollout(start: bytes) -> bool:
    """Whether a file that begins so was written by Codex."""
    line = start.partition(b"\n")[0].replace(b'": ', b'":')
    before_0_30 = line.startswith(b'{"id":"') and b'"instructions":' in line
    return before_0_30 or any(sign in line for sign in _LINES)


def is_rollout_name(path: str) -> bool:
    return os.path.basename(path).startswith("rollout-")


def subagent_files(path: str) -> list[str]:
    """The rollouts of a session's subagents, by name, as far as the day after it began."""
    folder, name = os.path.split(path)
    days = sorted(glob(os.path.join(escape(os.path.dirname(os.path.dirname(folder))), "*", "*")))
    later = days[days.index(folder) + 1 :][:1] if folder in days else []
    others = (
        each for day in (folder, *later) for each in sorted(glob(f"{escape(day)}/rollout-*.jsonl"))
    )
    own = name.removesuffix(".jsonl")[-36:].encode()
    younger = [each for each in others if os.path.basename(each) > name]
    return [
        each for each in younger if parent_of(each) and own in re.findall(_OWNERS, _start(each))
    ]


def parent_of(path: str) -> str:
    """The session whose subagent wrote this rollout; "" for none."""
    found = re.search(_PARENT, _start(path)) if is_rollout_name(path) else None
    return found[1].decode() if found else ""


def folder_of(path: str) -> str:
    """The folder that a session began in; "" where the rollout does not say."""
    found = re.search(rb'"cwd":("(?:[^"\\]|\\.)*")', _start(path))
    with suppress(ValueError):
        return str(json.loads(found[1])) if found else ""
    return ""


def told_by_codex(path: str) -> dict[str, Any]:
    """Folder, model and tokens of a session with its subagents, for the report. Raises OSError."""
    folders, models = [""], [""]
    spent = {"tokens_in": 0, "tokens_cached": 0, "tokens_out": 0}
    for name in (path, *subagent_files(path)):
        with open(name, "rb") as file:
            for raw in file:
                if b'"cwd"' not in raw and b'"last_token_usage"' not in raw:
                    continue
                with suppress(ValueError, RecursionError, AttributeError, TypeError):
                    own = json.loads(raw)["payload"]
                    if name == path and own.get("model"):
                        models.append(str(own["model"]))
                    folders.append(str(own.get("cwd") or ""))
                    used = (own.get("info") or {}).get("last_token_usage") or {}
                    cached = used.get("cached_input_tokens", 0)
                    spent["tokens_in"] += used.get("input_tokens", 0) - cached
                    spent["tokens_cached"] += cached
                    spent["tokens_out"] += used.get("output_tokens", 0)
    model = max(models[1:], key=models.count, default="")
    return {"project": next(filter(None, folders), ""), "model": model, **spent}


def _start(path: str) -> bytes:
    with suppress(OSError), open(path, "rb") as file:
        return file.read(_START).replace(b'": ', b'":')
    return b""
