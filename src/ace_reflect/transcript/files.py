"""Where transcripts lie."""

import os

_LOOK = 64 << 10
_SIGNS = (b'"sessionId"', b'"uuid"', b'"leafUuid"', b'"message":{"role"')


def subagent_files(path: str) -> list[str]:
    """The transcripts of a session's subagents, which lie in `<session>/subagents/`, by name."""
    folder = os.path.join(path.removesuffix(".jsonl"), "subagents")
    return [file for file in _below(folder) if _is_agent(file)]


def session_files(folder: str) -> list[str]:
    """The sessions' transcripts in a folder and below it, by name; subagents' files are not sessions."""
    return [path for path in _below(folder) if "/subagents/" not in path and not _is_agent(path)]


def looks_like_transcript(path: str) -> bool:
    """Whether one of the first lines is an object with a transcript's fields. A file that cannot be read does not."""
    try:
        if not os.path.isfile(path):  # a pipe would wait for its writer
            return False
        with open(path, "rb") as file:
            lines = file.read(_LOOK).split(b"\n")
    except (OSError, ValueError):
        return False
    return any(line[:1] == b"{" and any(sign in line for sign in _SIGNS) for line in lines)


def _below(folder: str) -> list[str]:
    found = []
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("node_modules", ".git")]
        found += [os.path.join(at, name) for name in files if name.endswith(".jsonl")]
    return sorted(found)


def _is_agent(path: str) -> bool:
    return os.path.basename(path).startswith("agent-")
