"""Where transcripts are."""

import os
from contextlib import suppress

from ace_reflect.transcript import codex_files
from ace_reflect.transcript.codex_files import is_rollout

_SIGNS = (b'"sessionId"', b'"uuid"', b'"leafUuid"', b'"message":{"role"')


def subagent_files(path: str) -> list[str]:
    """The transcripts of a session's subagents, by name: from `<session>/subagents/`, or Codex's rollouts beside its own."""
    if codex_files.is_rollout_name(path):
        return codex_files.subagent_files(path)
    return _below(os.path.join(path.removesuffix(".jsonl"), "subagents"), agents=True)


def session_files(folder: str) -> list[str]:
    """The sessions' transcripts in a folder and below it, by name; subagents' files are not sessions."""
    found = (path for path in _below(folder, agents=False) if "/subagents/" not in path)
    return [path for path in found if not codex_files.parent_of(path)]


def looks_like_transcript(path: str) -> bool:
    """Whether one of the first lines is an object with a transcript's fields. An unreadable file does not."""
    lines: list[bytes] = []
    if os.path.isfile(path):  # a pipe would wait for its writer
        with suppress(OSError), open(path, "rb") as file:
            lines = file.read(64 << 10).split(b"\n")
    found = (row for row in lines if row[:1] == b"{")
    return any(is_rollout(row) or any(sign in row for sign in _SIGNS) for row in found)


def _below(folder: str, *, agents: bool) -> list[str]:
    found = []
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("node_modules", ".git")]
        names = [name for name in files if name.endswith(".jsonl")]
        found += [os.path.join(at, name) for name in names if name.startswith("agent-") is agents]
    return sorted(found)
