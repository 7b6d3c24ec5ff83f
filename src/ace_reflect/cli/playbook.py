"""`ace-reflect playbook`: look at what was learned. The commands that change it are in `playbook_changes`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from ace_reflect.cli import books, playbook_changes
from ace_reflect.cli.options import Group
from ace_reflect.cli.output import Json, Report, local, short_path, table
from ace_reflect.cli.sync import sync
from ace_reflect.learning.recorded import memory_of
from ace_reflect.playbook import history
from ace_reflect.playbook.model import Playbook, bare_id, counters, find, key_points
from ace_reflect.playbook.render import format_playbook, to_lines, to_markdown, utf16_units
from ace_reflect.playbook.store import Place, to_bytes
from ace_reflect.state import record
from ace_reflect.state.db import State
from ace_reflect.text import counted, shortened

_MOST_IDS = 10
_FORMS: dict[str, Callable[[Playbook], str | bytes]] = {
    "json": to_bytes,
    "lines": to_lines,
    "markdown": to_markdown,
}
_MARKS = {"added": "+", "removed": "-", "changed": "~"}
_NAMED = 3  # key points that a line of the history names


@click.group(cls=Group, short_help="Look at the playbook and change it.")
def playbook() -> None:
    """What was learned: list it, ask why, change it, undo it.

    Without a subcommand it lists the project's key points and your own (numbered from 9001).

    \b
    ace-reflect playbook
    ace-reflect playbook why pat-003
    ace-reflect playbook undo
    """


for command in (*playbook_changes.COMMANDS, sync):
    playbook.add_command(command)


@playbook.command("list")
@books.book_command
def list_(places: list[Place]) -> Report:
    """All key points with their votes, the project's and then your own."""
    rows = [
        {
            "path": at.path,
            "scope": books.scope_of(at),
            "key_points": [books.point_json(*pair) for pair in key_points(books.look(at).playbook)],
        }
        for at in places
    ]
    return Report("playbook", {"playbooks": rows}, _list_page)


def _list_page(body: Json) -> str:
    pages = []
    for book in body["playbooks"]:
        rows: list[Sequence[Any]] = []
        section = None
        for point in book["key_points"]:
            if point["section"] != section:
                section = point["section"]
                rows += [("", "", "", ""), ("", "", "", f"{section}:")]
            rows.append((point["name"], *counters(point), point.get("text", "")))
        heads = ("id", "+", "-", "key point (+ helpful, - harmful votes)")
        if rows:
            shown = table(heads, rows, right="+-")
            pages.append(f"{book['scope']} playbook: {short_path(book['path'])}\n{shown}")
    if pages:
        return "\n\n".join(pages)
    where = " or ".join(book["path"] for book in body["playbooks"])
    return f'No key points yet in {where}.\nThey come from sessions, or from you: ace-reflect playbook add "Use uv, never pip"'


@playbook.command()
@click.argument("name", metavar="ID")
@books.book_command
def show(name: str, places: list[Place]) -> Report:
    """One key point in full."""
    at, section, point = books.with_id(places, name)
    with books.open_for_change() as state:
        votes = record.votes_of(state, at.real_path, point["name"])
        body = {
            "path": at.path,
            "scope": books.scope_of(at),
            "protected": point["name"] in memory_of(state, at).protected,
            "votes": len(votes),
            "key_point": books.point_json(section, point),
        }
    return Report("key-point", body, _show_page)


def _show_page(body: Json) -> str:
    point, (helpful, harmful) = body["key_point"], counters(body["key_point"])
    votes = f"helpful {helpful}, harmful {harmful}; {counted(body['votes'], 'vote')} on record"
    kept = "; not pruned before its first vote" if body["protected"] else ""
    head = f"[{point['name']}] {point['section']} · {body['scope']} playbook"
    return f"{head}\n  {point.get('text', '')}\n  {votes}{kept}"


@playbook.command()
@click.argument("name", metavar="ID")
@books.book_command
def why(name: str, places: list[Place]) -> Report:
    """Every vote on a key point and every change to it, with the evidence."""
    name = bare_id(name)
    present = [at for at in places if find(books.look(at).playbook, name)]
    with books.open_for_change() as state:
        for at in present or places:  # of a key point that is there, or of one that was
            votes = record.votes_of(state, at.real_path, name)
            changes = record.changes_of(state, at.real_path, name)
            if present or votes or changes:
                body = {"id": name, "path": at.path, "votes": votes, "changes": changes}
                return Report("why", body, _why_page)
    raise books.unknown_id(places, name)


def _why_page(body: Json) -> str:
    """Newest first."""
    lines = [f"{body['id']}: nothing on record"] * (not body["changes"] and not body["votes"])
    lines += [f"Changes to {body['id']}", *map(_change, body["changes"])] * bool(body["changes"])
    lines += [f"Votes on {body['id']}", *map(_vote, body["votes"])] * bool(body["votes"])
    return "\n".join(lines)


def _vote(vote: Json) -> str:
    mark = {"helpful": "+", "harmful": "-"}.get(vote["tag"], " ")
    facts = [f"{mark} {vote['tag']}", local(vote["at"]), vote["based_on"]]
    facts.append("with evidence" if vote["grounded"] else "no outcome behind it")
    if not vote["counted"] and vote["tag"] != "neutral":
        facts.append("not counted")
    if vote["undone_at"]:
        facts.append("taken back")
    who = f"session {vote['session'] or 'unknown'}, judged by {vote['mode'] or 'rule'}"
    return _entry(facts, [who, vote["rationale"]], vote["evidence"])


def _change(change: Json) -> str:
    facts = [f"{change['op']} by {change['actor'] or 'person'}", local(change["at"])]
    if change["session"]:
        facts.append(f"session {change['session']}")
    if change["source"] and (change["actor"], change["source"]) != ("person", "user"):
        facts.append(f"from {books.SOURCES.get(change['source'], change['source'])}")
    if change["undone_at"]:
        facts.append("taken back")
    return _entry(facts, [change["reason"], *books.before_and_after(change)], change["evidence"])


def _entry(facts: Iterable[str], texts: Iterable[str], evidence: Iterable[Json] | None) -> str:
    lines = [f"  {', '.join(facts)}", *(f"    {text}" for text in texts if text)]
    return "\n".join([*lines, *(f"      {books.evidence_line(item)}" for item in evidence or ())])


@playbook.command("history")
@books.book_command
def history_(places: list[Place]) -> Report:
    """The playbook's changes on record, newest first."""
    at = places[0]
    kept = history.versions(at.history_dir, books.look(at).digest)
    undone = history.taken_back(kept)
    rows = [
        {
            "number": number,
            "id": version.id,
            "at": version.at,
            "why": version.why,
            "undoes": version.undoes,
            "undone": version.id in undone,
            "changes": books.differences_json(version.differences),
        }
        for number, version in enumerate(kept, start=1)
    ]
    return Report("history", {"path": at.path, "versions": rows}, _history_page)


def _history_page(body: Json) -> str:
    """Each change, its reason, and the first few key points it touched."""
    rows = []
    for version in body["versions"]:
        lines = [version["why"] + " (taken back)" * version["undone"]]
        for change in version["changes"][:_NAMED]:
            text = (change["after"] or change["before"] or {}).get("text", "")
            lines.append(f"{_MARKS[change['kind']]} {change['id']}: {shortened(text, 38)}")
        more = len(version["changes"]) - _NAMED
        lines += [f"and {more} more"] if more > 0 else []
        rows.append((version["number"], local(version["at"]), "\n".join(lines)))
    nothing = f"No change to {body['path']} is on record yet."
    return table(("#", "when", "what and why"), rows, right="#") if rows else nothing


@playbook.command()
@click.argument("version", required=False)
@books.book_command
def diff(version: str | None, places: list[Place]) -> Report:
    """What the last change did, or VERSION (its number in `history`)."""
    at = places[0]
    one = playbook_changes.version_named(at, version)
    changes = books.differences_json(one.differences)
    body = {"path": at.path, "version": one.id, "at": one.at, "why": one.why, "changes": changes}
    return Report("diff", body, playbook_changes.changes_page)


@playbook.command()
@click.option("--format", "form", type=click.Choice([*_FORMS]), default="json", show_default=True)
@books.at_playbook
def export(form: str, places: list[Place]) -> None:
    """Print it as JSON, as ACE's text lines or as Markdown."""
    made = _FORMS[form](books.look(places[0]).playbook)
    # As bytes: it is data, whatever letters the terminal knows.
    click.echo(made if isinstance(made, bytes) else made.encode("utf-8", "replace"), nl=False)


@playbook.command()
@books.book_command
def stats(places: list[Place]) -> Report:
    """Its size, its votes, and which key points have no votes or contested ones."""
    with books.open_for_change() as state:
        found = [_stats(state, at) for at in places]
    return Report("playbook-stats", {"playbooks": found}, _stats_page)


def _stats(state: State, at: Place) -> Json:
    """Counts, and the ids of those that deserve a look."""
    shot = books.look(at)
    points = [point for _, point in key_points(shot.playbook)]
    votes, with_evidence = record.count_votes(state, at.real_path)
    pairs = {point["name"]: counters(point) for point in points}
    injected, cited = record.count_injected(state, at.real_path)
    return {
        "path": at.path,
        "scope": books.scope_of(at),
        "key_points": len(points),
        "injected_size": utf16_units(format_playbook(shot.playbook)),
        "votes": {tag: votes.get(tag, 0) for tag in ("helpful", "harmful", "neutral")},
        "votes_with_evidence": with_evidence,
        "injected": injected,
        "cited": cited,
        "counters": [sum(each) for each in zip((0, 0), *pairs.values(), strict=True)],
        "waiting_for_review": record.count_waiting(state, at.real_path),
        "never_voted": [name for name, pair in pairs.items() if pair == (0, 0)],
        "contested": [name for name, pair in pairs.items() if min(pair) > 0],
    }


def _stats_page(body: Json) -> str:
    lines = []
    for book in body["playbooks"]:
        votes = ", ".join(f"{count} {tag}" for tag, count in book["votes"].items())
        never, contested = book["never_voted"], book["contested"]
        lines += [
            f"{book['scope']} playbook: {short_path(book['path'])}",
            f"  key points          {book['key_points']}",
            f"  size when injected  {book['injected_size']:,} characters",
            "  votes in the file   {} helpful, {} harmful".format(*book["counters"]),
            f"  votes on record     {votes}; {book['votes_with_evidence']} with evidence",
            f"  injected, cited     {book['injected']} times in sessions learned from, {book['cited']} of them cited",
            f"  waiting for review  {book['waiting_for_review']}",
            f"  no + or - vote yet  {len(never)}  {', '.join(never[:_MOST_IDS])}",
            f"  + and - votes       {len(contested)}  {', '.join(contested[:_MOST_IDS])}",
        ]
    return "\n".join(lines)
