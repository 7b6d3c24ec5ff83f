"""`ace-reflect playbook`: look at what was learned, and hand it to others. The commands that change it are in `books`."""

import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import click

from ace_reflect import atomic, paths
from ace_reflect.cli import books
from ace_reflect.cli.options import Group, project_of, project_option
from ace_reflect.cli.output import Json, Report, local, reporting, short_path, table
from ace_reflect.errors import PlaybookError
from ace_reflect.learning.recorded import memory_of
from ace_reflect.playbook.history import Version
from ace_reflect.playbook.model import bare_id, counters, key_points
from ace_reflect.playbook.render import to_markdown
from ace_reflect.playbook.store import Place, to_bytes
from ace_reflect.state import record
from ace_reflect.state.db import open_for_command
from ace_reflect.text import counted

_MOST_IDS = 10
_MARKS = {"added": "+", "removed": "-", "changed": "~"}
_BEGIN = "<!-- ace-reflect: begin (made by `ace-reflect playbook sync`; edits in here are lost) -->"
_END = "<!-- ace-reflect: end -->"
_FILES = ("AGENTS.md", "CLAUDE.md")


@click.group(cls=Group, short_help="Look at the playbook and change it.")
def playbook() -> None:
    """What was learned: list it, ask why, change it, undo it.

    Without a subcommand it lists the project's key points and your own (numbered from 9001).

    \b
    ace-reflect playbook
    ace-reflect playbook why pat-003
    ace-reflect playbook undo
    """


for command in books.COMMANDS:
    playbook.add_command(command)


@playbook.command("list")
@books.book_command
def list_(places: list[Place]) -> Report:
    """All key points with their votes, the project's and then your own."""
    rows = []
    for at in places:
        points = [books.point_json(*pair) for pair in key_points(books.look(at).playbook)]
        rows.append({**books.about(at), "key_points": points})
    return Report("playbook", {"playbooks": rows}, _list_page)


def _list_page(body: Json) -> str:
    heads = ("id", "+", "-", "key point (+ helpful, - harmful votes)")
    pages = []
    for book in body["playbooks"]:
        rows: list[Sequence[Any]] = []
        for section, points in groupby(book["key_points"], lambda point: point["section"]):
            rows += [("", "", "", ""), ("", "", "", f"{section}:")]
            rows += [(one["name"], *counters(one), one.get("text", "")) for one in points]
        if rows:
            head = f"{book['scope']} playbook: {short_path(book['path'])}"
            pages.append(f"{head}\n{table(heads, rows, right='+-')}")
    where = " or ".join(book["path"] for book in body["playbooks"])
    nothing = f'No key points yet in {where}.\nThey come from sessions, or from you: ace-reflect playbook add "Use uv, never pip"'
    return "\n\n".join(pages) or nothing


@playbook.command()
@click.argument("name", metavar="ID")
@books.book_command
def show(name: str, places: list[Place]) -> Report:
    """One key point in full."""
    at, section, point = books.with_id(places, name)
    body = {**books.about(at), "key_point": books.point_json(section, point)}
    with open_for_command() as state:
        body["protected"] = point["name"] in memory_of(state, at).protected
        body["votes"] = len(record.votes_of(state, at.real_path, point["name"]))
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
    with open_for_command() as state:
        votes = [row for at in places for row in record.votes_of(state, at.real_path, name)]
        changes = [row for at in places for row in record.changes_of(state, at.real_path, name)]
    if not (votes or changes):
        books.with_id(places, name)  # raises for one that never was
    return Report("why", {"id": name, "votes": votes, "changes": changes}, _why_page)


def _why_page(body: Json) -> str:
    """Newest first."""
    lines = []
    for head, told, rows in (("Changes to", _change, "changes"), ("Votes on", _vote, "votes")):
        lines += [f"{head} {body['id']}"] * bool(body[rows])
        for row in body[rows]:
            facts, *texts = (text for text in told(row) if text)
            lines += [f"  {facts}{', taken back' * bool(row['undone_at'])}"]
            lines += [f"    {text}" for text in texts]
            lines += [f"      {books.evidence_line(item)}" for item in row["evidence"] or ()]
    return "\n".join(lines) or f"{body['id']}: nothing on record"


def _vote(vote: Json) -> Iterable[str]:
    proof = "with evidence" if vote["grounded"] else "no outcome behind it"
    idle = ", not counted" if not vote["counted"] and vote["tag"] != "neutral" else ""
    yield f"{books.MARKS.get(vote['tag'], ' ')} {vote['tag']}, {local(vote['at'])}, {vote['based_on']}, {proof}{idle}"
    yield f"session {vote['session'] or 'unknown'}, judged by {vote['mode'] or 'rule'}"
    yield vote["rationale"]


def _change(change: Json) -> Iterable[str]:
    session = f", session {change['session']}" if change["session"] else ""
    source = books.SOURCES.get(change["source"], change["source"])
    said = not source or (change["actor"], change["source"]) == ("person", "user")
    origin = "" if said else f", from {source}"
    yield f"{change['op']} by {change['actor'] or 'person'}, {local(change['at'])}{session}{origin}"
    yield change["reason"]
    yield from books.before_and_after(change)


@playbook.command("history")
@books.book_command
def history_(places: list[Place]) -> Report:
    """The playbook's changes on record, newest first."""
    at = places[0]
    kept, undone = books.on_file(at)
    rows = []
    for number, version in enumerate(kept, start=1):
        about = {"number": number, **_version_json(version), "undoes": version.undoes}
        rows.append({**about, "undone": version.id in undone})
    return Report("history", {"path": at.path, "versions": rows}, _history_page)


def _history_page(body: Json) -> str:
    """Each change, its reason, and the key points it touched."""
    rows = []
    for version in body["versions"]:
        touched = ", ".join(f"{_MARKS[one['kind']]} {one['id']}" for one in version["changes"])
        why = version["why"] + " (taken back)" * version["undone"]
        rows.append((version["number"], local(version["at"]), f"{why}\n{touched}"))
    nothing = f"No change to {body['path']} is on record yet."
    return table(("#", "when", "what and why"), rows, right="#") if rows else nothing


@playbook.command()
@click.argument("version", required=False)
@books.book_command
def diff(version: str | None, places: list[Place]) -> Report:
    """What the last change did, or VERSION (its number in `history`)."""
    at = places[0]
    found = _version_json(books.version_named(at, version))
    return Report("diff", {"path": at.path, "version": found["id"], **found}, books.changes_page)


def _version_json(version: Version) -> Json:
    changes = [difference.to_json() for difference in version.differences]
    return {"id": version.id, "at": version.at, "why": version.why, "changes": changes}


@playbook.command()
@books.at_playbook
def export(places: list[Place]) -> None:
    """Print it as JSON, which `playbook import` reads elsewhere."""
    # As bytes: it is data, whatever letters the terminal knows.
    click.echo(to_bytes(books.look(places[0]).playbook), nl=False)


@playbook.command()
@books.book_command
def stats(places: list[Place]) -> Report:
    """Its votes, how much of it was injected and cited, and which key points have no votes or contested ones."""
    found = []
    with open_for_command() as state:
        for at in places:
            votes, with_evidence = record.count_votes(state, at.real_path)
            points = [point for _, point in key_points(books.look(at).playbook)]
            pairs = {point["name"]: counters(point) for point in points}
            injected, cited = record.count_injected(state, at.real_path)
            of_book = {
                **books.about(at),
                "key_points": len(points),
                "votes": {tag: votes.get(tag, 0) for tag in ("helpful", "harmful", "neutral")},
                "votes_with_evidence": with_evidence,
                "injected": injected,
                "cited": cited,
                "counters": [sum(each) for each in zip((0, 0), *pairs.values(), strict=True)],
                "waiting_for_review": record.count_waiting(state, at.real_path),
                "never_voted": [name for name, pair in pairs.items() if pair == (0, 0)],
                "contested": [name for name, pair in pairs.items() if min(pair) > 0],
            }
            found.append(of_book)
    return Report("playbook-stats", {"playbooks": found}, _stats_page)


def _stats_page(body: Json) -> str:
    lines = []
    for book in body["playbooks"]:
        votes = ", ".join(f"{count} {tag}" for tag, count in book["votes"].items())
        never, contested = book["never_voted"], book["contested"]
        lines += [
            f"{book['scope']} playbook: {short_path(book['path'])}",
            f"  key points          {book['key_points']}",
            "  votes in the file   {} helpful, {} harmful".format(*book["counters"]),
            f"  votes on record     {votes}; {book['votes_with_evidence']} with evidence",
            f"  injected, cited     {book['injected']} times in sessions learned from, {book['cited']} of them cited",
            f"  waiting for review  {book['waiting_for_review']}",
            f"  no + or - vote yet  {len(never)}  {', '.join(never[:_MOST_IDS])}",
            f"  + and - votes       {len(contested)}  {', '.join(contested[:_MOST_IDS])}",
        ]
    return "\n".join(lines)


@playbook.command()
@click.option("--file", "name", help="The file (default: AGENTS.md, else CLAUDE.md).")
@click.option("--remove", is_flag=True, help="Take the section out again.")
@project_option
@reporting
def sync(name: str | None, remove: bool, project: str | None) -> Report:
    """Write the project's key points into AGENTS.md or CLAUDE.md, for tools that read no playbook.

    Only the section between its own two marks is written; all else in the file stays as it is, to the byte.
    """
    folder = project_of(project)
    there = [one for one in _FILES if os.path.exists(os.path.join(folder, one))]
    path = os.path.join(folder, name or (*there, _FILES[0])[0])
    if not paths.leads_into(path, folder):
        raise PlaybookError(f"{path} leads out of the project: nothing was written")
    before = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            before = file.read()
    marks = (before.count(_BEGIN), before.count(_END))
    if marks not in {(0, 0), (1, 1)} or before.find(_END) < before.find(_BEGIN):
        raise PlaybookError(f"{path}: ace-reflect's marks do not pair: fix them by hand")
    shown = "" if remove else to_markdown(books.look(books.project_playbook(project)).playbook)
    section = f"{_BEGIN}\n{shown}{_END}\n" if shown else ""
    head, begin, rest = before.partition(_BEGIN)
    if begin:
        tail = rest.partition(_END)[2].removeprefix("\n")
        after = (head if section else head.removesuffix("\n")) + section + tail
    else:
        after = before + "\n" * bool(before and section) + section
    mode = atomic.mode_of(path) if before else 0o644
    if after != before and after:
        atomic.write(path, after.encode("utf-8", "surrogateescape"), mode=mode)
    elif after != before:
        os.unlink(path)  # nothing but our section was in it
    did = "is up to date" if after == before else "written" if shown else "section removed"
    body = {"file": path, "changed": after != before, "section": bool(shown)}
    return Report("playbook-sync", body, f"{short_path(path)}: {did}")
