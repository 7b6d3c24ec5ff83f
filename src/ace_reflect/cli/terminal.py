"""How wide a page may be, and text brought into that width."""

import shutil
from textwrap import fill


def columns() -> int:
    """The terminal's width (or `COLUMNS`); 80 where there is no terminal."""
    return max(shutil.get_terminal_size(fallback=(80, 24)).columns, 40)


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
