"""
What is named on the command line and must be there. A folder or file that is not is an expected failure, as an unknown
id is: exit 1, and `{"error": …}` under --json. Exit 2 is for what no command understands.
"""

import os
from collections.abc import Iterable
from typing import Any

import click

from ace_reflect.errors import AceReflectError, TranscriptError

_NO_NAME = "the name of the file is empty"
_MOST = 2**63 - 1  # what a row's number can be


class RowId(click.types.IntParamType):
    """The number of a row of `state.db`. A word, or a number that no row can have, is as unknown as any that is not there."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            raise AceReflectError(
                f"{value} is unknown: ids are numbers here; `list` shows what there is"
            ) from None
        if number > _MOST:
            raise AceReflectError(
                f"{number} is unknown: no number is as large as that; `list` shows what there is"
            )
        return number


class Named(click.Path):
    """A path as it was typed. What is wrong with it we say ourselves: click would call it a mistake in the usage."""

    def __init__(self, *, allow_dash: bool = False) -> None:
        super().__init__(readable=False, allow_dash=allow_dash)


class Folder(Named):
    """A folder that is there."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = os.fsdecode(super().convert(value, param, ctx))
        if not path:
            raise AceReflectError("the name of the folder is empty")
        if not os.path.isdir(path):
            raise AceReflectError(
                f"{path}: {'is no folder' if os.path.exists(path) else 'there is no such folder'}"
            )
        return path


class NewFile(Named):
    """A file that is there or is to be."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = os.fsdecode(super().convert(value, param, ctx))
        if not path:
            raise AceReflectError(_NO_NAME)
        if os.path.isdir(path):
            raise AceReflectError(f"{path}: is a folder; name a file in it")
        return path


class File(NewFile):
    """A file that is there; with `allow_dash` also `-`, stdin."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        if not (self.allow_dash and path == "-") and (reason := why_not_there(path)):
            raise AceReflectError(reason)
        return path


FOLDER, NEW_FILE, FILE_OR_STDIN, TRANSCRIPT = Folder(), NewFile(), File(allow_dash=True), Named()
ROW_ID = RowId()

project_option = click.option(
    "--project", type=FOLDER, help="The project (default: the working directory)."
)


def why_not_there(path: str) -> str:
    """Why nothing is found under that name, in words that name it; "" where something is."""
    if not path:
        return _NO_NAME
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return f"{path}: there is no such file"
    except OSError as error:
        return f"{path}: {error.strerror}"
    return ""


def transcript_files(given: Iterable[str]) -> list[str]:
    """
    The transcripts that were named, and all in the folders that were, each once.

    Raises TranscriptError for what is not there, for a pipe or a device (a transcript is read more than once), and for a
    folder that cannot be read or holds none.
    """
    from ace_reflect.transcript.files import session_files

    found: list[str] = []
    for path in given:
        if reason := why_not_there(path):
            raise TranscriptError(reason)
        if os.path.isfile(path):
            found.append(path)
            continue
        if not os.path.isdir(path):
            raise TranscriptError(
                f"{path}: is no file but a pipe or a device: write the transcript to a file and name that"
            )
        if not os.access(path, os.R_OK | os.X_OK):
            raise TranscriptError(f"{path}: this folder cannot be read (Permission denied)")
        inside = session_files(path)
        if not inside:
            raise TranscriptError(f"{path}: no transcript (*.jsonl) in this folder")
        found += inside
    return list(dict.fromkeys(found))
