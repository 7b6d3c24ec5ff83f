"""How wide a page may be, and text brought into that width."""

import os
import re
import shutil
import sys
from textwrap import fill

import click

_LABEL = re.compile(r"(?P<margin>\s*(?:\| )?)(?P<label>\S+(?: \S+){0,2}\s{2,})?")
_BELOW_A_LABEL = 10  # what begins behind so many blanks belongs to the label of a line above
_LABELS_END = 24  # what looks like a label behind this column is none

LEAST_TEXT = 16  # columns: what folds in fewer is not read any more


def columns() -> int:
    """The terminal's width (or `COLUMNS`); 80 where there is no terminal."""
    return max(shutil.get_terminal_size(fallback=(80, 24)).columns, 40)


def page_width() -> int:
    """The width of a page that is read: the terminal's, and at most 80."""
    return min(columns(), 80)


def short_path(path: str) -> str:
    """A path as a person would type it: from the working directory where it lies below, else from `~`, else whole."""
    for folder, name in ((os.getcwd(), ""), (os.path.expanduser("~"), "~" + os.sep)):
        if path.startswith(folder + os.sep):
            return name + path[len(folder) + 1 :]
    return path


def wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """
    `text` in lines of the terminal's width, broken between words: what is to be copied, a path or a URL, stays whole.

    `first` stands before the first line and `rest` before the others (default: as many blanks).
    """
    margin = " " * len(first) if rest is None else rest
    made = fill(
        " ".join(text.split()),
        columns(),
        initial_indent=first,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return made or first.rstrip()


def tell(text: str) -> None:
    """A sentence to the person on stderr: broken between words in a terminal, one line for a program."""
    click.echo(hanging(text) if sys.stderr.isatty() else text, err=True)


def hanging(page: str, width: int | None = None) -> str:
    """A page whose lines go on below their own text where they are too long: behind a label, else a little further in."""
    return "\n".join(_hanging(line, width or columns()) for line in page.split("\n"))


def _hanging(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    found = _LABEL.match(line)
    margin, label = (found["margin"], found["label"] or "") if found else ("", "")
    if len(margin) + len(label) > _LABELS_END:
        label = ""
    further_in = len(label) or (2 if len(margin) < _BELOW_A_LABEL else 0)
    first, rest = margin + label, margin + " " * further_in
    return fill(
        line[len(first) :],
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
