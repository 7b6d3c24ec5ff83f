"""
What a stop is judged on: the session's ledger brought up to date, the checkout's facts, and what the host says beside them.

Both Stop entries look here; only the first reads the transcript.
"""

import json
import os

from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import CommandKind, Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.stop_case import AWAITED
from ace_reflect.project.facts import Project
from ace_reflect.project.infer import infer_project, merge
from ace_reflect.project.tree import stamp
from ace_reflect.state import cache, sessions
from ace_reflect.state.packed import Kept, packed, unpacked
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.reader import Cursor, TranscriptReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.hooks.edge import Event

    Json = dict[str, Any]

#: Subagents' files read at one stop; the rest waits for the next one.
_MAX_SUBAGENTS = 200
_SERVERS = frozenset({CommandKind.SERVER})
_PROJECTS_FORM = "4"  # another one where a newer program finds other facts in the same files
_LEDGERS_FORM = "2"  # the same for the lines of a transcript: a session that goes on across an upgrade is read anew


def read_ledger(event: "Event", identity: "tuple[int, int, int, int]") -> Ledger:
    """The session's ledger, brought up to date and stored. Only new bytes are read."""
    builder, cursor, others, kept = _stored(event)
    reader = TranscriptReader(event.transcript, cursor)
    if reader.restarted:
        builder, others = LedgerBuilder(), {}
    for record in reader:
        builder.feed(record)
    fresh = cursor is None or reader.restarted
    builder.count(reader.cursor.line, reader.bad_lines + (0 if fresh else builder.bad_lines))
    _read_subagents(event.transcript, builder, others)
    ledger = builder.ledger()
    stored = sessions.StoredLedger(
        device=identity[0],
        inode=identity[1],
        size=identity[2],
        mtime_ns=identity[3],
        cursor=json.dumps({**reader.cursor.to_json(), "form": _LEDGERS_FORM}),
        ledger=packed(ledger.__dict__, kept),
        builder=packed(builder.state()),
        extra=packed(others),
    )
    sessions.save_ledger(event.db, event.session_id, stored)
    return ledger


def _stored(event: "Event") -> "tuple[LedgerBuilder, Cursor | None, Json, Kept | None]":
    stored = sessions.load_ledger(event.db, event.session_id)
    if stored is None:
        return LedgerBuilder(), None, {}, None
    try:
        told = json.loads(stored.cursor)
        if told.get("form") != _LEDGERS_FORM:
            return LedgerBuilder(), None, {}, None
        ledger = Ledger.from_json(unpacked(stored.ledger))
        builder, cursor = LedgerBuilder(ledger, unpacked(stored.builder)), Cursor.from_json(told)
        others = unpacked(stored.extra) if stored.extra else {}
    except (ValueError, TypeError, KeyError, AttributeError):  # broken: the transcript has everything
        return LedgerBuilder(), None, {}, None
    return builder, cursor, others, Kept(ledger.__dict__, stored.ledger)


def stored_ledger(event: "Event") -> "tuple[Ledger, Cursor | None]":
    """What this session's last stop has read, and how far; an empty ledger where nothing is stored."""
    builder, cursor, *_ = _stored(event)
    return builder.ledger(), cursor


def _read_subagents(transcript: str, builder: LedgerBuilder, cursors: "Json") -> None:
    """Feed what is new in the subagents' files; one that cannot be read is left out."""
    for path in subagent_files(transcript)[:_MAX_SUBAGENTS]:
        name = os.path.basename(path)
        try:
            known = cursors.get(name)
            reader = TranscriptReader(path, Cursor.from_json(known) if known else None, file=name)
            if reader.restarted:
                reader.close()  # what it said before is in the ledger already, and cannot be told apart
                continue
            for record in reader:
                builder.feed(record)
            cursors[name] = reader.cursor.to_json()
        except TranscriptError:
            continue


def project_of(event: "Event", ledger: Ledger) -> Project:
    """The checkout's facts, from the cached copy while its files are as they were, completed by the session's own."""
    inferred = infer_project(ledger)
    found = kept(event, "project", event.project, _PROJECTS_FORM)
    try:
        project = Project.from_json(found) if found else None
    except (TypeError, AttributeError):  # another version's
        project = None
    if project is None or not all(stamp(line.partition("\t")[0]) == line for line in project.stamps):
        from ace_reflect.project.read import read_project  # only where a file changed: it costs a hook 8 ms

        project = read_project(event.project)
        if project.present:
            cache.put(event.db, "project", event.project, _PROJECTS_FORM, packed(project.__dict__))
    return merge(project, inferred)


def unreferenced(event: "Event", ledger: Ledger) -> tuple[str, ...] | None:
    """New source files of this turn that nothing names; looked for only where there are any and somebody wants to know."""
    if not any(edit.created for edit in ledger.edits) or event.settings.gate_mode("wiring") == "off":
        return None
    from ace_reflect.project import references

    new = references.new_sources(ledger)
    return references.unreferenced(event.project, new) if new else None


def final_text(event: "Event") -> str | None:
    """The host's own word for the last answer, where it gives one."""
    value = event.payload.get("last_assistant_message")
    return value if isinstance(value, str) and value.strip() else None


def background(event: "Event") -> tuple[str, ...] | None:
    """The finite background tasks that bear on a gate; None where the host does not list any tasks."""
    listed = _listed_tasks(event)
    return None if listed is None else tuple(_task_name(task) for task in listed if _is_kind(task, AWAITED))


def running(event: "Event", ledger: Ledger) -> tuple[str, ...]:
    """All background work that will end by itself and bring a stop of its own, whether or not a gate waits for it."""
    listed = _listed_tasks(event)
    if listed is None:
        from ace_reflect.assess.when import still_running

        return still_running(ledger)
    return tuple(_task_name(task) for task in listed if not _is_kind(task, _SERVERS, other=False))


def _listed_tasks(event: "Event") -> "list[Json] | None":
    """The tasks that run, as the host lists them; None where it lists none at all."""
    raw = event.payload.get("background_tasks")
    if not isinstance(raw, str):
        return None
    try:
        listed = json.loads(raw)
    except ValueError:
        return None
    tasks = [task for task in listed if isinstance(task, dict)] if isinstance(listed, list) else []
    return [task for task in tasks if task.get("status") in {"running", "pending", "in_progress", None}]


def _task_name(task: "Json") -> str:
    return str(task.get("description") or task.get("command") or task.get("id"))[:200]


def _is_kind(task: "Json", kinds: "frozenset[CommandKind]", *, other: bool = True) -> bool:
    """Whether a task's command is one of `kinds`; `other` for a task that is no shell command (a subagent)."""
    command = task.get("command")
    if task.get("type") != "shell" or not isinstance(command, str):
        return other and task.get("type") != "shell"
    from ace_reflect.evidence.commands import classify

    return any(item.kind in kinds for item in classify(command))


def kept(event: "Event", kind: str, key: str, identity: str) -> "Json":
    """What an earlier stop put into `cache`; {} where nothing can be read."""
    raw = cache.get(event.db, kind, key, identity)
    try:
        return unpacked(raw) if raw else {}
    except ValueError:
        return {}
