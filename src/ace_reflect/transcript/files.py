"""Where transcripts lie. Nothing but `os` here: a stop hook asks for the subagents' files."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIX = ".jsonl"
_LOOK = 64 << 10
_HEAD = 4 << 10
_SIGNS = (b'"sessionId"', b'"uuid"', b'"leafUuid"')
#: Of a line that an export or a script has left with nothing else.
_BARE_SIGNS = (b'"type"', b'"message"', b'"role"')
_SKIPPED = ("subagents", "tool-results", "node_modules", ".git")
_DEEPEST = 4


def subagent_files(transcript_path: str) -> list[str]:
    """
    The transcripts of a session's subagents, in the order of their names; empty when there are none.

    Newer hosts keep them in `<session>/subagents/`, older ones (2.0.28 on) beside the transcript, where the session's id
    in their first line tells whose they are.
    """
    stem = transcript_path.removesuffix(_SUFFIX)
    found = sorted(_agents_below(os.path.join(stem, "subagents")))
    return found or _agents_beside(transcript_path)


def looks_like_transcript(path: str) -> bool:
    """Whether one of the first lines is an object with a transcript's fields. A file that cannot be read does not."""
    try:
        with open(path, "rb") as file:
            start = file.read(_LOOK)
    except (OSError, ValueError):
        return False
    return any(line.lstrip().startswith(b"{") and _is_signed(line) for line in start.split(b"\n"))


def _is_signed(line: bytes) -> bool:
    return any(sign in line for sign in _SIGNS) or all(sign in line for sign in _BARE_SIGNS)


def session_files(folder: str) -> list[str]:
    """The sessions' transcripts in a folder and below it, by name; subagents' files are not sessions."""
    return sorted(_sessions_below(folder, 0))


def _sessions_below(folder: str, depth: int) -> "Iterator[str]":
    for entry in _entries(folder):
        if entry.name.endswith(_SUFFIX) and not _is_agent(entry.name) and entry.is_file():
            yield entry.path
        elif depth < _DEEPEST and entry.name not in _SKIPPED and entry.is_dir(follow_symlinks=False):
            yield from _sessions_below(entry.path, depth + 1)


def _agents_below(folder: str, depth: int = 0) -> "Iterator[str]":
    for entry in _entries(folder):
        if _is_agent(entry.name) and entry.is_file():
            yield entry.path
        elif depth < _DEEPEST and entry.is_dir(follow_symlinks=False):
            yield from _agents_below(entry.path, depth + 1)


def _agents_beside(transcript_path: str) -> list[str]:
    folder, name = os.path.split(transcript_path)
    mark = f'"sessionId":"{name.removesuffix(_SUFFIX)}"'.encode("utf-8", "surrogateescape")
    agents = sorted(
        entry.path for entry in _entries(folder or ".") if _is_agent(entry.name) and entry.path != transcript_path
    )
    return [path for path in agents if mark in _head(path)]


def _is_agent(name: str) -> bool:
    return name.startswith("agent-") and name.endswith(_SUFFIX)


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD).split(b"\n", 1)[0]
    except OSError:
        return b""


def _entries(folder: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (OSError, ValueError):
        return []
