"""Where transcripts are."""

import os
from contextlib import suppress

_LOOK = 64 << 10
_SIGNS = (b'"sessionId"', b'"uuid"', b'"leafUuid"', b'"message":{"role"')


def subagent_files(path: str) -> list[str]:
    """The transcripts of a session's subagents, from `<session>/subagents/`, by name."""
    return _below(os.path.join(path.removesuffix(".jsonl"), "subagents"), agents=True)


def session_files(folder: str) -> list[str]:
    """The sessions' transcripts in a folder and below it, by name; subagents' files are not sessions."""
    return [path for path in _below(folder, agents=False) if "/subagents/" not in path]


def looks_like_transcript(path: str) -> bool:
    """Whether one of the first lines is an object with a transcript's fields. An unreadable file does not."""
    lines: list[bytes] = []
    if os.path.isfile(path):  # a pipe would wait for its writer
        with suppress(OSError), open(path, "rb") as file:
            lines = file.read(_LOOK).split(b"\n")
    return any(line[:1] == b"{" and any(sign in line for sign in _SIGNS) for line in lines)


def _below(folder: str, *, agents: bool) -> list[str]:
    found = []
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("node_modules", ".git")]
        names = [name for name in files if name.endswith(".jsonl")]
        found += [os.path.join(at, name) for name in names if name.startswith("agent-") is agents]
    return sorted(found)
