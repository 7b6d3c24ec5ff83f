"""
What is named on the command line and must be there. A folder or file that is not is an expected failure, as an unknown
id is: exit 1, and `{"error": …}` under --json. Exit 2 is for what no command understands.
"""

import os
from typing import Any

import click

from ace_reflect.errors import AceReflectError


class Folder(click.Path):
    """A folder that is there."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = os.fsdecode(super().convert(value, param, ctx))
        if not os.path.isdir(path):
            raise AceReflectError(f"{path}: {'is no folder' if os.path.exists(path) else 'there is no such folder'}")
        return path


class NewFile(click.Path):
    """A file that is there or is to be."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = os.fsdecode(super().convert(value, param, ctx))
        if os.path.isdir(path):
            raise AceReflectError(f"{path}: is a folder; name a file in it")
        return path


class File(NewFile):
    """A file that is there; with `allow_dash` also `-`, stdin."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        if not (self.allow_dash and path == "-") and not os.path.exists(path):
            raise AceReflectError(f"{path}: there is no such file")
        return path


FOLDER, NEW_FILE, FILE_OR_STDIN = Folder(), NewFile(), File(allow_dash=True)

project_option = click.option("--project", type=FOLDER, help="The project (default: the working directory).")
