"""Which project a session is learned into: its own, where that is on this machine."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from ace_reflect.errors import TranscriptError
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import Context


@dataclass(frozen=True, slots=True)
class Homes:
    """The project's folder of each transcript, and what a person should know of it."""

    here: str
    folders: dict[str, str] = field(default_factory=dict)
    gone: dict[str, str] = field(
        default_factory=dict
    )  # transcript -> its folder, which is not on this machine
    warnings: tuple[str, ...] = ()

    def of(self, transcript: str) -> str:
        """Raises TranscriptError where it would be one more project's playbook that foreign sessions are mixed into."""
        if transcript in self.gone:
            raise TranscriptError(
                f"{transcript}: worked in {self.gone[transcript]}, which is not on this machine; name its checkout with"
                " --project, or a playbook with --playbook"
            )
        return self.folders.get(transcript, self.here)


def homes(transcripts: Sequence[str], here: str, *, given: bool) -> Homes:
    """
    Where each transcript is learned into; `here` for all where a project or a playbook was `given`.

    Sessions of a single project that is not on this machine (it was moved, or the session ran elsewhere) are learned
    into `here` too, with a warning.
    """
    if given:
        return Homes(here)
    worked_in = {path: folder for path in transcripts if (folder := session_folder(path))}
    folders = {
        path: os.path.abspath(folder) for path, folder in worked_in.items() if os.path.isdir(folder)
    }
    gone = {path: folder for path, folder in worked_in.items() if path not in folders}
    if gone and len(set(worked_in.values())) == 1:
        folder = next(iter(gone.values()))
        warning = f"{folder}, where the session worked, is not on this machine: {here} is taken for its project; --project names another"
        return Homes(here, warnings=(warning,))
    return Homes(here, folders, gone)


def session_folder(transcript: str) -> str | None:
    """The folder that a session began in; None where the file tells none, or is no transcript."""
    try:
        for record in TranscriptReader(transcript):
            if isinstance(record, Context) and record.cwd:
                return record.cwd
    except (TranscriptError, OSError):
        return None
    return None
