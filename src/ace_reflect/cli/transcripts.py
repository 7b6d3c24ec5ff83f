"""The transcripts that were named on the command line."""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from glob import escape, glob
from typing import TypeVar

from ace_reflect import paths
from ace_reflect.cli.output import progress, say
from ace_reflect.errors import AceReflectError, TranscriptError
from ace_reflect.transcript.codex_files import rollouts
from ace_reflect.transcript.files import session_files
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import Context

T = TypeVar("T")


def files_of(named: Iterable[str]) -> list[str]:
    """The files named, and all in the folders named. Raises TranscriptError for a pipe: files are read twice."""
    found: list[str] = []
    for path in named:
        inside = session_files(path) if os.path.isdir(path) else [path] * os.path.isfile(path)
        if not inside:
            what = "no transcript" if os.path.exists(path) else "there is no such file"
            raise TranscriptError(f"{path}: {what}; a transcript is a .jsonl file")
        found += inside
    return list(dict.fromkeys(found))


def history_of(project: str | None, name: str = "*") -> list[str]:
    """The transcripts that Claude Code and Codex keep of a project, or of all (None); the oldest first. Raises
    TranscriptError.
    """
    every = os.path.join(paths.claude_dir(os.environ), "projects", "*")
    folder = paths.sessions_dir(os.environ, project) if project else every
    wanted = os.path.join(folder, f"{name}.jsonl")
    if not (found := [*glob(wanted), *rollouts(os.environ, project, name)]):
        raise TranscriptError(f"no transcript at {wanted}: name one, or a folder of them")
    return sorted(found, key=os.path.getmtime)


def of_id(named: str) -> str:
    """The transcript of a session by the beginning of its id; a path as it is. Raises TranscriptError."""
    is_path = os.path.exists(named) or os.sep in named or named.endswith(".jsonl")
    return named if is_path else history_of(None, f"{escape(named)}*")[-1]


def newest(project: str) -> str:
    """The current session's if this runs inside one, else the project's newest. Raises TranscriptError."""
    inside = map(os.environ.get, ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"))
    if session := next(filter(None, inside), None):
        return history_of(None, escape(os.path.basename(session)))[-1]
    return history_of(project)[-1]


def each_of(
    files: Sequence[str], doing: str, do: Callable[[str], T]
) -> tuple[list[T], list[dict[str, str]]]:
    """What `do` makes of each transcript; and, for JSON, those that cannot be used (also reported on stderr)."""
    results, errors = [], []
    with progress(len(files), doing) as done:
        for path in files:
            try:
                results.append(do(path))
            except AceReflectError as error:
                say(f"skipped: {error}")
                errors.append({"transcript": path, "error": str(error)})
            done(os.path.basename(path))
    return results, errors


def session_folder(transcript: str) -> str | None:
    """The folder a session began in; None if the file does not say, or is not a transcript."""
    with suppress(TranscriptError, OSError):
        found = (record for record in TranscriptReader(transcript) if isinstance(record, Context))
        return next((record.cwd for record in found if record.cwd), None)
    return None
