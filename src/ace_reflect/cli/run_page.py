"""What `ace-reflect run` shows a person: what was cited, how it was judged and on what, what changed."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import Any

import click

from ace_reflect.cli.terminal import page_width, short_path
from ace_reflect.learning.pipeline import Report
from ace_reflect.playbook.change import target_of, text_of
from ace_reflect.playbook.delta import Difference, compare
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.text import counted

_MARKS = {"helpful": "+", "harmful": "-", "neutral": " "}
_EVIDENCE_SHOWN = 2


class Progress:
    """What a person sees while sessions are learned from."""

    def __init__(self, count: int, bar: Any | None) -> None:
        self._count, self._bar = count, bar
        self._task = bar.add_task("", total=count) if bar else None

    def stage(self, path: str, stage: str) -> None:
        if self._bar:
            self._bar.update(self._task, description=f"{os.path.basename(path)}: {stage}")

    def done(self, number: int, page: str, *, as_json: bool) -> None:
        """Show a page as soon as there is one; under --json its first line, for stdout is the data's."""
        if self._bar:
            self._bar.advance(self._task)
        if not as_json and page:
            self._aside(page)
        elif as_json and self._count > 1:
            click.echo(f"{number} of {self._count}: {page.splitlines()[0]}", err=True)

    def _aside(self, page: str) -> None:
        """Not into the line in which the bar stands."""
        if self._bar:
            self._bar.stop()
        click.echo(page)
        if self._bar and not self._bar.finished:
            self._bar.start()


@contextmanager
def progress(count: int, *, many: bool) -> Iterator[Progress]:
    """How many there are, first; then, on a terminal, a bar that names what is being done."""
    from rich import progress as rich
    from rich.console import Console

    if many:
        click.echo(counted(count, "transcript"), err=True)
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Progress(count, None)
        return
    columns = (
        rich.SpinnerColumn(),
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
    )
    with rich.Progress(*columns, console=console, transient=True) as bar:
        yield Progress(count, bar)


def page(
    report: Report,
    tags: list[dict[str, Any]],
    operations: list[dict[str, Any]],
    *,
    dry_run: bool,
    brief: bool,
) -> str:
    """The page for one transcript; `brief` for one of many."""
    head = f"{neutralise(os.path.basename(report.transcript))}: {_turns(report)}"
    if not report.learned:
        return f"{head}\n{_nothing(report)}"
    head += f", {_whom(report)}"
    if brief:
        return f"{head}\n  {len(tags)} voted on, {sum(bool(o.get('applied')) for o in operations)} changes"
    parts = [
        head,
        fill(
            " ".join(neutralise(report.lesson.analysis).split()),
            page_width(),
            break_on_hyphens=False,
        ),
    ]
    parts.append(_block("Cited", [", ".join(report.cited) or "no key point"]))
    parts.append(_block("Votes", [_vote(tag) for tag in tags] or ["none"]))
    parts.append(
        _block("Proposals", [_operation(operation) for operation in operations] or ["none"])
    )
    parts.append(_changes(report, dry_run=dry_run))
    return "\n".join(parts)


def _turns(report: Report) -> str:
    new = counted(report.learned, "new turn")
    return new + (f", {report.known} known" if report.known else "")


def _whom(report: Report) -> str:
    if report.model is None:
        return "judged offline, by rule"
    tokens = report.usage.get("input_tokens", 0) + report.usage.get("output_tokens", 0)
    cost = report.usage.get("cost_usd")
    return f"judged by {report.model} ({tokens:,} tokens{f', ${cost:.4f}' if cost else ''})"


def _nothing(report: Report) -> str:
    if report.known:
        return "  Learned from already: nothing was changed. --again learns it once more."
    return "  No turn of a person's that is over: there is nothing to learn from."


def _vote(tag: dict[str, Any]) -> str:
    mark = _MARKS.get(tag["tag"], "?")
    aside = (
        ""
        if tag["counted"] or tag["tag"] == "neutral"
        else " (recorded, not counted: no outcome behind it)"
    )
    times = f" x{tag['votes']}" if tag["votes"] > 1 else ""
    lines = [f"{mark} {tag['name']} {tag['tag']}{times}{aside}: {tag['rationale']}"]
    lines += [
        f"    line {item['line']}: {_quoted(item)}"
        for item in tag["evidence"][:_EVIDENCE_SHOWN]
        if item.get("line")
    ]
    return "\n".join(lines)


def _quoted(item: dict[str, Any]) -> str:
    said = " → ".join(str(item[name]) for name in ("command", "quote") if item.get(name))
    return _cut(said, page_width() - 20)


def _operation(operation: dict[str, Any]) -> str:
    mark = "*" if operation.get("applied") else "x"
    why = (
        operation.get("why") if operation.get("applied") else None
    )  # a DELETE has a reason and no text
    text = text_of(operation) or why or target_of(operation) or ""
    name = f" {operation['key_point']}" if operation.get("key_point") else ""
    lines = [f"{mark} {operation['op']}{name}: {text}"]
    if operation.get("source"):
        quote = f', "{_cut(str(operation["quote"]), 50)}"' if operation.get("quote") else ""
        where = f" line {operation['line']}" if operation.get("line") else ""
        lines.append(f"    from: {operation['source']}{where}{quote}")
    if not operation.get("applied"):
        lines.append(f"    not applied: {operation.get('why', '')}")
    return "\n".join(lines)


def _changes(report: Report, *, dry_run: bool) -> str:
    blocks = []
    for place, applied in report.playbooks:
        rows = [_difference(change) for change in compare(applied.before, applied.after)]
        would = " would change so (--dry-run: nothing was written)" if dry_run and rows else ""
        blocks.append(_block(f"Playbook {short_path(place.path)}{would}", rows or ["unchanged"]))
    return "\n".join(blocks)


def _difference(change: Difference) -> str:
    rows = []
    if change.before is not None:
        rows.append(f"- {_line(change.before)}")
    if change.after is not None:
        rows.append(f"+ {_line(change.after)}")
    return "\n".join(rows)


def _line(point: dict[str, Any]) -> str:
    return f"[{point.get('name')}] helpful={point.get('helpful', 0)} harmful={point.get('harmful', 0)} :: {point.get('text', '')}"


def _block(title: str, rows: Iterable[str]) -> str:
    return "\n".join([f"\n{title}", *(_indented(row) for row in rows)])


def _indented(row: str) -> str:
    return "\n".join(map(_wrapped, row.split("\n")))


def _wrapped(text: str) -> str:
    """A line two columns in, and in its own indent; where it goes on, two further."""
    inner = "  " + " " * (len(text) - len(text.lstrip(" ")))
    return fill(
        neutralise(text),
        page_width(),
        initial_indent=inner,
        subsequent_indent=inner + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
