"""What commands share: groups, kinds of paths, the project."""

import os
import re
import time
from datetime import datetime
from typing import Any

import click

from ace_reflect import paths

FOLDER = click.Path(exists=True, file_okay=False)
FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)
NEW_FILE = click.Path(dir_okay=False)
PATH = click.Path(exists=True)
ROW_ID = click.IntRange(1, 2**63 - 1)

_UNITS = {"h": 3600.0, "d": 86_400.0, "w": 604_800.0}


def moment(_context: click.Context, _option: click.Parameter, text: str | None) -> float | None:
    """Seconds since the epoch for `30d`, `12h`, `2w` ago, or a date. Raises click.BadParameter."""
    if text is None:
        return None
    if age := re.fullmatch(r"(\d{1,5})([hdw])", text.strip()):
        return time.time() - int(age[1]) * _UNITS[age[2]]
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise click.BadParameter(f"{text!r} is neither 30d, 12h, 2w nor a date") from None


project_option = click.option("--project", type=FOLDER, help="The project (default: this one).")
all_option = click.option("--all", "everything", is_flag=True, help="Every project's sessions.")
since_option = click.option("--since", metavar="AGE", callback=moment, help="30d, 12h, 2026-11-01.")


class Group(click.Group):
    """Commands of one kind. Without a command `default` runs; an option before a command is an error, and never ignored."""

    def __init__(self, *arguments: Any, default: str | None = "list", **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.default = default

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        first = arguments[0] if arguments else "-"
        if self.default and first.startswith("-") and first not in {"-h", "--help"}:
            arguments = [self.default, *arguments]
        return super().parse_args(context, arguments or ["--help"])


def project_of(given: str | None) -> str:
    """The project a command is about: `--project`, else Claude Code's, else the working directory."""
    return os.path.abspath(given or paths.project_dir(os.environ))
