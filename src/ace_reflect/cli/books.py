"""Which playbook a command means, and what a person does to it: `ace-reflect playbook add, edit, remove, promote, undo, import`."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli.config import load_config
from ace_reflect.cli.options import FILE, NEW_FILE, project_of, project_option
from ace_reflect.cli.output import Json, Report, local, note, reporting
from ace_reflect.errors import PlaybookError
from ace_reflect.learning import recorded
from ace_reflect.playbook import history, model, store
from ace_reflect.playbook.change import MAX_TEXT, Memory, Outcome, add_all, apply_operations
from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.model import KeyPoint, Playbook, bare_id, counters, find, key_points
from ace_reflect.playbook.read import MAX_BYTES, Read, read_any
from ace_reflect.playbook.render import render_line
from ace_reflect.playbook.store import Place, place_of
from ace_reflect.redact import redact
from ace_reflect.state import record
from ace_reflect.state.db import State, open_for_command

SOURCES = {
    "read": "text that the model read",
    "user": "your words",
    "outcome": "an outcome in the session",
    "model": "the model's own judgement",
}
MARKS = {"helpful": "+", "harmful": "-"}  # of votes
#: The result of an edit: the new playbook, each operation, and what must be remembered outside the file.
Edited = tuple[Playbook, Sequence[Outcome], Memory]
Edit = Callable[[Playbook, Memory], Edited]

_RECORDED = ("op", "key_point", "before", "after")  # of an outcome
MOVED = "promoted to your own playbook: "
#: What an undo is called, and the undo of an undo.
TOOK_BACK, BROUGHT_BACK = "took back: ", "brought back: "


def at_playbook(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command gets `places`: the playbook that its options name, or the project's and then the person's own."""

    @project_option
    @click.option("--playbook", "path", type=NEW_FILE, help="A playbook file.")
    @click.option("--user", is_flag=True, help="Your own playbook, used in every project.")
    @wraps(command)
    def run(*arguments: Any, project: str | None, path: str | None, user: bool, **more: Any) -> Any:
        if sum((project is not None, path is not None, user)) > 1:
            raise click.UsageError("--project, --playbook and --user cannot be combined")
        own, of_project = users_playbook(), project_playbook(project)
        places = [of_project]
        if user:
            places = [own]
        elif path is not None:
            places = [place_of(path, own.home_dir)]
        elif project is None and of_project.real_path != own.real_path:
            places = [of_project, own]
        return command(*arguments, places=places, **more)

    return run


def book_command(command: Callable[..., Report]) -> Callable[..., int]:
    """A command on playbooks that reports: `at_playbook` and `--json`."""
    return at_playbook(reporting(command))


def project_playbook(project: str | None) -> Place:
    home, storage = paths.home(os.environ), load_config(project).settings.storage
    return place_of(paths.project_playbook(project_of(project), home, storage), home)


def users_playbook() -> Place:
    home = paths.home(os.environ)
    return place_of(paths.user_playbook(home), home)


def look(at: Place) -> Read:
    """The playbook as it is; each entry that cannot be read is noted on stderr. Raises PlaybookError."""
    shot = store.snapshot(at)
    for item in shot.unread:
        where = f"{item.name} in {item.section} cannot be read ({item.fault})"
        note(f"{at.path}: {where}: it is not used, and is left in the file unchanged")
    return shot


def about(at: Place) -> Json:
    """Its path, and whose it is: `user`, `project`, or `file` for one somewhere else."""
    stored = os.path.join(at.home_dir, "projects", "")
    in_project = at.path.endswith(os.path.join(".claude", "playbook.json"))
    scope = "project" if in_project or at.path.startswith(stored) else "file"
    return {"path": at.path, "scope": "user" if at.floor else scope}


def with_id(places: Sequence[Place], name: str) -> tuple[Place, str, KeyPoint]:
    """The playbook that holds this id, the section and the key point. Raises PlaybookError."""
    for at in places:
        if found := find(look(at).playbook, bare_id(name)):
            return at, *found
    where = " or ".join(at.path for at in places)
    raise PlaybookError(f"no key point is named {bare_id(name)!r} in {where}: see `playbook list`")


def point_json(section: str, point: KeyPoint) -> Json:
    """A key point as its file has it, with its section and its track record."""
    return {**point, "section": section, "track": round(model.track_record(*counters(point)), 3)}


def before_and_after(change: Json) -> Iterator[str]:
    """`-` for what was removed, `+` for what was added."""
    for mark, point in (("-", change["before"]), ("+", change["after"])):
        if point:
            yield f"{mark} {render_line({'name': '', 'text': '', **point})}"


def evidence_line(item: Json) -> str:
    """`line 8: pytest -q → 3 passed`."""
    where = f"line {item['line']}: " if item.get("line") else ""
    return where + " → ".join(str(item[name]) for name in ("command", "quote") if item.get(name))


def change(
    state: State,
    place: Place,
    edit: Edit,
    *,
    why: str,
    op: str | None = None,
    undoes: str | None = None,
    origin: tuple[str, str, str] = ("user", "", ""),
) -> tuple[store.Change, list[Outcome]]:
    """Change a playbook and record who, what and why: the change of the file, and what came of each operation.

    `op` names the operations where that is not their own; `origin` is (source, session, quote) of a text that a person did
    not write. Raises PlaybookError, LockTimeout (nothing was changed), and what `edit` raises.
    """
    look(place)  # one that cannot be read is refused before anything of it is settled
    source, session, quote = origin
    evidence = ({"quote": quote},) if quote else ()
    about: Any = {"actor": "person", "reason": why, "source": source, "evidence": evidence}
    made: list[Outcome] = []

    def run(playbook: Playbook) -> tuple[Playbook, record.Rows]:
        after, found, memory = edit(playbook, recorded.memory_of(state, place))
        made[:] = [replace(one, op=op or one.op) for one in found]
        done = [{name: getattr(one, name) for name in _RECORDED} for one in made if one.applied]
        rows = record.Rows(changes=tuple(record.Change(**about, **one) for one in done))
        kept = {"numbers": dict(memory.numbers), "protected": tuple(sorted(memory.protected))}
        return after, rows.replace(session=session, **kept)

    return recorded.change(state, place, run, why=why, undoes=undoes), made


def operate(asked: list[dict[str, Any]], book: Playbook, memory: Memory) -> Edited:
    """Apply operations in the curator's form, as many as there are."""
    return apply_operations(book, asked, memory, limit=None)


def changed(edits: Mapping[Place, Edit], *, why: str, op: str | None = None) -> Report:
    """Change playbooks and say what was done. Raises PlaybookError if nothing could be."""
    with open_for_command() as state:
        made = [(at, change(state, at, edit, why=why, op=op)[1]) for at, edit in edits.items()]
    return _done([(at, outcome) for at, outcomes in made for outcome in outcomes])


def _done(outcomes: Sequence[tuple[Place, Outcome]]) -> Report:
    if outcomes and not any(one.applied or one.op == "IMPORT" for _, one in outcomes):
        raise PlaybookError(outcomes[0][1].why)
    rows, lines = [], []
    for at, one in outcomes:
        rows.append({**one.to_json(), "path": at.path})
        text, why = (one.after or one.before or {}).get("text", ""), one.why and f" ({one.why})"
        lines.append(f"{'' if one.applied else 'not done: '}{one.key_point}: {text}{why}")
    return Report("playbook-change", {"operations": rows}, "\n".join(lines))


def changes_page(change: Json) -> str:
    """A change to a playbook, and each key point that differs: `-` removed, `+` added."""
    lines = [f"{local(change['at'])}  {change['why']}"]
    for one in change["changes"]:
        lines.append(f"{one['kind']} in {one['section']}")
        lines += [f"    {line}" for line in before_and_after(one)]
    return "\n".join(lines if change["changes"] else [*lines, "no difference"])


def clean(text: str) -> str:
    """A person's text on one line, without secrets. Raises PlaybookError if it is empty or too long."""
    tidy = " ".join(text.split())
    if not any(letter.isalnum() for letter in tidy):  # `add -` means stdin elsewhere
        raise PlaybookError(f"a key point needs a text, and {tidy!r} says nothing")
    if len(tidy) > MAX_TEXT:
        raise PlaybookError(f"its text has {len(tidy):,} characters; {MAX_TEXT:,} is the most")
    without = redact(tidy, os.environ)
    if without != tidy:
        note("what looks like a secret was taken out of the text")
    return without


def from_editor(text: str) -> str:
    """What the person saved. Raises PlaybookError if they left the editor without saving."""
    if not sys.stdin.isatty():
        raise click.UsageError("give the new text, or a terminal to edit it in")
    if (edited := click.edit(f"{text}\n")) is None:
        raise PlaybookError("not saved in the editor: nothing was changed")
    return clean(edited)


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--section", type=click.Choice([*model.SLUGS.values()]), default="pref")
@book_command
def add(text: tuple[str, ...], section: str, places: list[Place]) -> Report:
    """Add a key point of your own, by default to USER PREFERENCES.

    \b
    ace-reflect playbook add "Use uv, never pip" --section pref
    """
    operation = {"op": "ADD", "text": clean(" ".join(text)), "section": section}
    return changed({places[0]: partial(operate, [operation])}, why="added by hand")


@click.command()
@click.argument("name", metavar="ID")
@click.argument("text", nargs=-1)
@book_command
def edit(name: str, text: tuple[str, ...], places: list[Place]) -> Report:
    """Rewrite a key point; without TEXT your editor opens. It keeps its votes.

    \b
    ace-reflect playbook edit pat-003 "Run the unit tests before each commit"
    """
    at, _, point = with_id(places, name)
    new = clean(" ".join(text)) if text else from_editor(point["text"])
    operation = {"op": "UPDATE", "target_id": point["name"], "text": new}
    return changed({at: partial(operate, [operation])}, why="edited by hand", op="EDIT")


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="ID…")
@book_command
def remove(names: tuple[str, ...], places: list[Place]) -> Report:
    """Remove key points. `playbook undo` brings them back; their ids are not used again."""
    asked: dict[Place, list[dict[str, Any]]] = {}
    for name in dict.fromkeys(map(bare_id, names)):
        at, _, point = with_id(places, name)
        operation = {"op": "DELETE", "target_id": point["name"], "reason": "removed by hand"}
        asked.setdefault(at, []).append(operation)
    edits = {at: partial(operate, wanted) for at, wanted in asked.items()}
    return changed(edits, why="removed by hand")


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="ID…")
@project_option
@reporting
def promote(names: tuple[str, ...], project: str | None) -> Report:
    """Move key points to your own playbook, for every project."""
    source, target = project_playbook(project), users_playbook()
    found = [with_id([source], name)[1:] for name in dict.fromkeys(map(bare_id, names))]
    outcomes: list[tuple[Place, Outcome]] = []
    with open_for_command() as state:
        recorded.settle(state, target)  # with what a promotion that was killed had moved
        rows = record.changes_of(state, target.real_path)
        reasons = {row["reason"] for row in rows if not row["undone_at"]}
        # Into the one first: a kill in between leaves it in both, and never in neither.
        for section, point in found:
            # Of both, for `undo` finds the other by it.
            why = f"{MOVED}{point['name']} of {source.path}"
            edit = partial(_take_in, section, point, why in reasons)
            _, (made,) = change(state, target, edit, why=why, op="PROMOTE")
            if made.applied:
                asked = [{"op": "DELETE", "target_id": point["name"], "reason": "promoted"}]
                change(state, source, partial(operate, asked), why=why, op="PROMOTE")
            outcomes.append((target, made))
    return _done(outcomes)


def _take_in(
    section: str, point: KeyPoint, counted: bool, book: Playbook, memory: Memory
) -> Edited:
    """Into another playbook, with its votes unless they are `counted` there: under a new id, or into what says the same."""
    name, known = point["name"], same_text(book, point["text"])
    why = f"{known} says that already; the votes of {name} went to it"
    made = Outcome("", known or "", why=why)
    if not known:
        asked = [{"op": "ADD", "text": point["text"], "section": section}]
        book, (made,), memory = operate(asked, book, memory)
        made = replace(made, why=f"{name} is {made.key_point} now") if made.applied else made
    if found := find(book, made.key_point):
        section, taken = found
        before = {**taken, "section": section} if known else None
        both = zip(("helpful", "harmful"), counters(taken), counters(point), strict=True)
        votes = {} if known and counted else {count: one + more for count, one, more in both}
        taken.update({**point, **taken, **votes})
        made = replace(made, before=before, after={**taken, "section": section})
    return book, [made], memory


def on_file(at: Place) -> tuple[list[history.Version], set[str]]:
    """All versions, newest first, and the ids of those that were undone."""
    kept = history.versions(at.history_dir, look(at).digest)
    return kept, history.taken_back(kept)


def version_named(at: Place, wanted: str | None, *, undoable: bool = False) -> history.Version:
    """The version that is named, else the last (with `undoable`: that is no undo and not taken back). Raises PlaybookError."""
    if wanted is not None:
        return history.find(at.history_dir, wanted)
    kept, undone = on_file(at)
    for version in kept:
        if not undoable or (version.undoes is None and version.id not in undone):
            return version
    left = " that has not been undone already" if kept else ""
    raise PlaybookError(f"no change to {at.path} is on record{left}")


@click.command()
@click.argument("version", required=False)
@book_command
def undo(version: str | None, places: list[Place]) -> Report:
    """Undo the last change, or VERSION (its number in `history`). Later votes and edits stay."""
    at = places[0]
    wanted = version_named(at, version, undoable=True)
    pairs = [(at, wanted)]
    if MOVED in wanted.why:  # the key point must be in exactly one of the two playbooks
        source = place_of(wanted.why.partition(MOVED)[2].partition(" of ")[2], at.home_dir)
        other = source if at.floor else users_playbook()
        kept, undone = on_file(other)
        halves = [one for one in kept if one.why == wanted.why and one.id not in undone]
        pairs += [(other, half) for half in halves[:1]]
    with open_for_command() as state:
        taken = [_undo_one(state, *pair) for pair in pairs]
    return Report("undo", {"path": at.path, "undone": taken}, _undo_page)


def _undo_page(body: Json) -> str:
    lines = []
    for one in body["undone"]:
        lines.append(changes_page(one))
        lines += [f"{left['id']}: {left['why']}" for left in one["kept"]]
    return "\n".join(lines)


def _undo_one(state: State, at: Place, version: history.Version) -> Json:
    kept: list[Any] = []

    def take_back(book: Playbook, memory: Memory) -> Edited:
        after, kept[:] = history.revert(book, list(version.differences))
        differing = history.compare(book, after)
        made = [Outcome("", one.name, before=one.before, after=one.after) for one in differing]
        return after, made, memory

    what = version.why.removeprefix(TOOK_BACK).removeprefix(BROUGHT_BACK)
    why = (BROUGHT_BACK if version.why.startswith(TOOK_BACK) else TOOK_BACK) + what
    file, _ = change(state, at, take_back, why=why, op="UNDO", undoes=version.id)
    # Its votes and changes no longer count; those of a change that it had taken back count again, and so on.
    earlier = {one.id: one for one in history.versions(at.history_dir)}
    found: history.Version | None = version if file.changed else None
    undone = True
    while found is not None:
        if found.intent is not None:
            record.undo_intent(state, found.intent, undone=undone)
        found, undone = earlier.get(found.undoes or ""), not undone
    return {
        "path": at.path,
        "version": version.id,
        "at": version.at,
        "why": why,
        "changes": [one.to_json() for one in history.compare(file.before.playbook, file.after)],
        "kept": [{"id": difference.name, "why": problem} for difference, problem in kept],
    }


@click.command("import")
@click.argument("file", type=FILE)
@book_command
def import_(file: str, places: list[Place]) -> Report:
    """Add the key points of another playbook, with their votes.

    JSON in any known form, or lines `[id] helpful=X harmful=Y :: text`; - reads stdin. Duplicates are left out.
    """
    with click.open_file(file, "rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise PlaybookError(f"{file} is longer than {MAX_BYTES:,} bytes, which no playbook is")
    try:
        incoming = read_any(data)
    except PlaybookError as fault:
        raise PlaybookError(f"{file} cannot be imported: {fault}; nothing was changed") from fault
    for item in incoming.unread:
        note(f"{file}: {item.name} in {item.section} is left out: {item.fault}")
    for section, point in list(key_points(incoming.playbook)):
        try:
            point["text"] = clean(point["text"])
        except PlaybookError as why:  # cut, it could say something else
            note(f"{file}: {point['name']} in {section} is left out: {why}")
            incoming.playbook["sections"][section].remove(point)
    edits = {places[0]: lambda book, memory: add_all(book, incoming, memory)}
    return changed(edits, why=f"imported from {file}", op="IMPORT")


COMMANDS = (add, edit, remove, promote, undo, import_)
