"""What a command hands over, and how it is shown: an object for programs, a page for people."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from textwrap import TextWrapper
from typing import Any, NamedTuple

import click

from ace_reflect.playbook.neutral import neutral_lines, neutralise
from ace_reflect.redact import redact

Json = dict[str, Any]
Words = Sequence[str]
Rows = Iterable[Sequence[Any]]

_LABEL = re.compile(r"(\s*(?:\| )?)(\S+(?: \S+){0,2}\s{2,})?")
_LABELS_END = 26  # what ends beyond this column is not a label
_DEEP = 10  # a line indented this far belongs to the label above it
_LEAST_TEXT = 15  # columns: a table of sessions fits into 60


class Report(NamedTuple):
    """What a command found. `page` is the text for people, or makes it of the body, whose texts are safe for a terminal by
    then. `private`: it quotes a transcript, so what looks like a secret is taken out. `fold`: the page may be broken into lines.
    """

    schema: str
    body: Mapping[str, Any]
    page: Callable[[Json], str] | str
    code: int = 0
    private: bool = False
    fold: bool = True


def reporting(command: Callable[..., Report]) -> Callable[..., int]:
    """Give a command `--json`, and print the report it returns in the form that was asked for."""

    @click.option("--json", "as_json", is_flag=True, help="As JSON.")
    @wraps(command)
    def run(*arguments: Any, as_json: bool, **options: Any) -> int:
        report = command(*arguments, **options)
        if as_json:
            body = {"schema": f"ace-reflect/{report.schema}/1", **report.body}
            text = visible_json(body, indent=2, default=str)
        elif isinstance(report.page, str):
            text = neutral_lines(report.page)
        else:
            text = report.page(_safe(report.body, private=report.private)).rstrip()
        text = redact(text, os.environ) if report.private else text
        click.echo(folded(text) if report.fold and not as_json else text)
        return report.code

    return run


def _safe(value: Any, *, private: bool) -> Any:
    """The same object, each text of it on one line, without what moves a terminal's cursor and, if `private`, secrets."""
    if isinstance(value, str):
        return neutralise(redact(value, os.environ) if private else value)
    if isinstance(value, Mapping):
        return {neutralise(key): _safe(item, private=private) for key, item in value.items()}
    several = isinstance(value, list | tuple)
    return [_safe(item, private=private) for item in value] if several else value


def say(text: str) -> None:
    """A sentence to the person, on stderr: folded in a terminal, one line for a program."""
    text = neutral_lines(text)
    click.echo(folded(text) if sys.stderr.isatty() else text, err=True)


def note(text: str) -> None:
    """Something worth knowing besides what was asked for; said once per run."""
    told = click.get_current_context().find_root().meta.setdefault("ace_reflect.notes", set())
    if text not in told:
        say(f"note: {text}")
    told.add(text)


@contextmanager
def progress(total: int, doing: str) -> Iterator[Callable[[str], None]]:
    """A progress bar on stderr, if that is a terminal. Each call advances it by one and names what was done."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda what: bar.update(task, advance=1, description=f"{doing}: {what}")


def columns() -> int:
    """The terminal's width (or `COLUMNS`); 80 without a terminal."""
    import shutil

    return max(shutil.get_terminal_size(fallback=(80, 24)).columns, 40)


def folded(page: str) -> str:
    """A page in the terminal's width: a long line goes on below its own text. A path, which is to be copied, is not broken."""
    width, lines = columns(), []
    for line in page.split("\n"):
        found = _LABEL.match(line) if len(line) > width else None
        if not found:
            lines.append(line)
            continue
        margin, label = found[1], found[2] or ""
        if len(margin + label) > _LABELS_END:
            label = ""
        rest = margin + " " * (len(label) or 2 * (0 < len(margin) < _DEEP))
        whole: Any = {"break_long_words": False, "break_on_hyphens": False}
        start = margin + label
        lines.append(TextWrapper(width, start, rest, **whole).fill(line[len(start) :]))
    return "\n".join(lines)


def table(heads: Words, rows: Rows, *, right: Words = (), markdown: bool = False) -> str:
    """A table whose last column folds in a terminal; `right` names the right-aligned columns."""
    from rich.box import MARKDOWN
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [[str(cell) for cell in row] for row in rows]
    made = Table(box=MARKDOWN if markdown else None, pad_edge=markdown, padding=(0, 2, 0, 0))
    needed = _LEAST_TEXT
    for head, *column in zip(heads, *cells, strict=True):
        last, justify = head == heads[-1], "right" if head in right else "left"
        made.add_column(head, justify=justify, overflow="fold", no_wrap=markdown or not last)  # type: ignore[arg-type]
        needed += 0 if last else 2 + max(map(len, "\n".join([head, *column]).split("\n")))
    for row in cells:
        made.add_row(*map(Text, row))
    width = 1_000 if markdown else max(columns(), needed)
    console = Console(highlight=False, force_terminal=False, width=width)  # bold would be folded
    with console.capture() as printed:
        console.print(made)
    return "\n".join(line.rstrip() for line in printed.get().strip("\n").splitlines())


def short_path(path: str) -> str:
    """A path as a person would type it: relative to the working directory or to `~` if it is inside, else absolute."""
    for folder, name in ((os.getcwd(), ""), (os.path.expanduser("~"), "~" + os.sep)):
        if path.startswith(folder + os.sep):
            return name + path[len(folder) + 1 :]
    return path


def iso(at: float | None) -> str | None:
    """Seconds since the epoch as ISO 8601 in UTC, to the second; None of nothing."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}" if at else None


def local(at: float | str, form: str = "%Y-%m-%d %H:%M") -> str:
    """Local time for seconds since the epoch or ISO 8601 in UTC; any other text unchanged."""
    try:
        moment = datetime.fromisoformat(at if isinstance(at, str) else iso(at) or "")
    except ValueError:
        return str(at)
    return moment.astimezone().strftime(form)


def visible_json(value: object, **options: Any) -> str:
    """JSON with an escape for every letter that a person would not see, or that moves a terminal."""
    told = json.dumps(value, ensure_ascii=False, **options)
    letters = {each for each in set(told) if not (each.isprintable() or each == "\n")}
    escapes = {ord(each): json.dumps(each)[1:-1] for each in letters}
    return told.translate(escapes) if escapes else told
