"""How playbooks, votes and changes look: tables of at most 80 columns for people, objects for programs."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from ace_reflect.cli.as_json import echo_json
from ace_reflect.cli.terminal import LEAST_TEXT, hanging, page_width
from ace_reflect.cli.times import day, local
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.delta import Difference
from ace_reflect.playbook.history import Version, taken_back
from ace_reflect.playbook.model import KeyPoint, Playbook, counters, key_points, track_record
from ace_reflect.playbook.neutral import neutral_id, neutralise
from ace_reflect.playbook.outcome import Outcome
from ace_reflect.playbook.render import render_line
from ace_reflect.playbook.store import Place
from ace_reflect.text import counted, shortened

Json = dict[str, Any]
_SOURCES = {
    "read": "text that the model read",
    "user": "your words",
    "outcome": "an outcome in the session",
    "model": "the model's own judgement",
}
_MARKS = {"added": "+", "removed": "-", "changed": "~"}
_NAMED = 3  # key points that a line of the history names
_WORDS = 38  # characters of each


def point_json(section: str, point: KeyPoint) -> Json:
    """A key point as it stands in its file, with its section and how sure one may be of it."""
    return {**point, "section": section, "track": round(track_record(*counters(point)), 3)}


def source_in_words(source: str) -> str:
    """Where a key point comes from: `read`, `user` or `outcome`; `model` where one wants it removed."""
    return _SOURCES.get(source, source)


def table(*columns: tuple[str, str], rows: Iterable[tuple[Any, ...]]) -> None:
    """
    Print a table. A column is (heading, "text" that folds | "right" | "left" that never does). Where the text would have
    no room beside the others, each row is a paragraph.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = list(rows)
    whole = [
        2 + max(len(str(cell)) for cell in (heading, *(row[at] for row in rows)))
        for at, (heading, kind) in enumerate(columns)
        if kind != "text"
    ]
    if page_width() - sum(whole) < LEAST_TEXT:
        for row in rows:
            click.echo(
                hanging("  ".join(filter(None, map(str, row))).replace("\n", "\n  "), page_width())
            )
        return
    made = Table(box=None, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    for heading, kind in columns:
        made.add_column(
            heading,
            justify="right" if kind == "right" else "left",
            overflow="fold",
            no_wrap=kind != "text",
        )
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
    console = Console(highlight=False, soft_wrap=False)
    console.width = page_width()
    with console.capture() as printed:
        console.print(made)
    click.echo("\n".join(line.rstrip() for line in printed.get().splitlines()))


def wrapped(text: str, indent: str = "  ") -> str:
    from textwrap import fill

    return fill(
        neutralise(text),
        page_width(),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def list_page(playbook: Playbook, title: str) -> None:
    """A playbook's key points under their sections."""
    from rich.text import Text

    click.echo(title)
    rows: list[tuple[Any, ...]] = []
    current = None
    for section, point in key_points(playbook):
        if section != current:
            current = section
            rows += [("", "", "", ""), ("", "", "", Text(neutralise(section), style="bold"))]
        helpful, harmful = counters(point)
        rows.append(
            (neutral_id(point["name"]), helpful, harmful, neutralise(str(point.get("text", ""))))
        )
    table(
        ("id", "left"),
        ("+", "right"),
        ("-", "right"),
        ("key point (+ helpful, - harmful votes)", "text"),
        rows=rows,
    )


def show_page(
    section: str, point: KeyPoint, title: str, votes: list[Json], *, protected: bool
) -> None:
    helpful, harmful = counters(point)
    click.echo(f"[{neutral_id(point['name'])}] {neutralise(section)} · {title}")
    click.echo(wrapped(str(point.get("text", ""))))
    click.echo(
        f"  helpful {helpful}, harmful {harmful}"
        if helpful or harmful or votes
        else "  no vote yet"
    )
    if votes:
        last = f"{counted(len(votes), 'vote')} on record, the last on {day(votes[0]['at'])}"
        click.echo(wrapped(f"{last}: `ace-reflect playbook why {point['name']}`"))
    if protected:
        click.echo("  from an older playbook: it is not pruned before its first vote")


def why_page(name: str, votes: list[Json], changes: list[Json]) -> None:
    """Every vote and change with its reason, newest first."""
    for title, rows, shown in (("Changes", changes, _change), ("Votes", votes, _vote)):
        if rows:
            click.echo(f"\n{title} of {name}" if title == "Votes" else f"{title} of {name}")
            for row in rows:
                click.echo(shown(row))


def _vote(vote: Json) -> str:
    mark = {"helpful": "+", "harmful": "-"}.get(vote["tag"], " ")
    facts = [f"{mark} {vote['tag']}", day(vote["at"]), vote["based_on"]]
    facts.append("with evidence" if vote["grounded"] else "no outcome behind it")
    if not vote["counted"] and vote["tag"] != "neutral":
        facts.append("not counted")
    if vote["undone_at"]:
        facts.append("taken back")
    lines = [hanging(f"  {', '.join(facts)}", page_width())]
    lines.append(
        wrapped(
            f"session {vote['session'] or 'unknown'}, judged by {vote['mode'] or 'rule'}", "    "
        )
    )
    if vote["rationale"]:
        lines.append(wrapped(vote["rationale"], "    "))
    return "\n".join([*lines, *(_evidence(item) for item in vote["evidence"] or [])])


def _evidence(item: Mapping[str, Any]) -> str:
    where = f"line {item['line']}: " if item.get("line") else ""
    gate = f"gate {item['gate']}: " if item.get("gate") else ""
    said = " → ".join(str(item[name]) for name in ("command", "quote") if item.get(name))
    return wrapped(f"{where}{gate}{said}", "      ")


def _change(change: Json) -> str:
    facts = [f"{change['op']} by {change['actor'] or 'person'}", day(change["at"])]
    if change["session"]:
        facts.append(f"session {change['session']}")
    if change["source"] and (change["actor"], change["source"]) != ("person", "user"):
        facts.append(f"from {source_in_words(change['source'])}")
    if change["undone_at"]:
        facts.append("taken back")
    lines = [wrapped(", ".join(facts))]
    if change["reason"]:
        lines.append(wrapped(change["reason"], "    "))
    lines += [
        _marked(mark, change[side])
        for mark, side in (("-", "before"), ("+", "after"))
        if change[side]
    ]
    return "\n".join([*lines, *(_evidence(item) for item in change["evidence"] or [])])


def _marked(mark: str, point: KeyPoint) -> str:
    return wrapped(f"{mark} {render_line({'name': '', 'text': '', **point})}", "    ")


def history_page(versions: list[Version]) -> None:
    undone = taken_back(versions)
    rows = [
        (number, local(version.at), _counts(version.differences), _why(version, undone))
        for number, version in enumerate(versions, start=1)
    ]
    table(("#", "right"), ("when", "left"), ("changes", "left"), ("why", "text"), rows=rows)


def version_json(number: int, version: Version, undone: set[str]) -> Json:
    return {
        "number": number,
        "id": version.id,
        "at": version.at,
        "why": version.why,
        "undoes": version.undoes,
        "undone": version.id in undone,
        "changes": [difference.to_json() for difference in version.differences],
    }


def _why(version: Version, undone: set[str]) -> str:
    """Why, and which key points it was: the first few by id and words, a line each."""
    shown = [_short(difference) for difference in version.differences[:_NAMED]]
    more = len(version.differences) - len(shown)
    said = neutralise(version.why) + (" (taken back)" if version.id in undone else "")
    return "\n".join([said, *shown, *([f"and {more} more"] if more else [])])


def _short(difference: Difference) -> str:
    point = difference.after or difference.before or {}
    return f"{_MARKS[difference.kind]} {neutral_id(difference.name)}: {shortened(neutralise(str(point.get('text', ''))), _WORDS)}"


def _counts(differences: Iterable[Difference]) -> str:
    kinds = [difference.kind for difference in differences]
    return (
        " ".join(f"{mark}{kinds.count(kind)}" for kind, mark in _MARKS.items() if kind in kinds)
        or "form only"
    )


def diff_page(differences: Iterable[Difference]) -> None:
    """Each key point that differs: what went with `-`, what came with `+`."""
    lines = []
    for difference in differences:
        section = neutralise(difference.moved_to or difference.section)
        lines.append(f"{difference.kind} in {section}")
        lines += [
            _marked(mark, point)
            for mark, point in (("-", difference.before), ("+", difference.after))
            if point
        ]
    click.echo("\n".join(lines) or "no difference")


def say(
    at: Place, outcomes: tuple[Outcome, ...], *, as_json: bool, refusal_fails: bool = True
) -> None:
    say_all([(at, outcome) for outcome in outcomes], as_json=as_json, refusal_fails=refusal_fails)


def say_all(
    outcomes: list[tuple[Place, Outcome]], *, as_json: bool, refusal_fails: bool = True
) -> None:
    """Tell what was done. A single operation that could not be is an error."""
    refused = [outcome for _, outcome in outcomes if not outcome.applied]
    if refusal_fails and refused and len(refused) == len(outcomes):
        raise PlaybookError(refused[0].why)
    if as_json:
        rows = [{**outcome.to_json(), "path": at.path} for at, outcome in outcomes]
        echo_json("playbook-change", {"operations": rows})
        return
    for _, outcome in outcomes:
        mark = "" if outcome.applied else "not done: "
        text = (outcome.after or outcome.before or {}).get("text", "")
        click.echo(
            f"{mark}{outcome.key_point}: {neutralise(str(text))}"
            + (f" ({outcome.why})" if outcome.why else "")
        )
