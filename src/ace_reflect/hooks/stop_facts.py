"""
What a stop is judged on: the session's ledger brought up to date, the checkout's facts, and what the host says beside them.

Both Stop entries look here; only the first reads the transcript.
"""

import json
import os
from typing import Any

from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.case import AWAITED
from ace_reflect.hooks.edge import Event
from ace_reflect.project.facts import Project
from ace_reflect.project.git import stamp
from ace_reflect.project.infer import infer_project, merge
from ace_reflect.state import cache, sessions
from ace_reflect.state.packed import Kept, packed, unpacked
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.reader import Cursor, TranscriptReader

Json = dict[str, Any]

_ARMING = ("CronCreate", "ScheduleWakeup")
#: Kinds of background tasks that never end.
_ENDLESS = ("teammate", "mcp")
#: Subagents' files read at one stop; the rest waits for the next one.
_MAX_SUBAGENTS = 200
_PROJECTS_FORM = "5"  # another one where a newer program finds other facts in the same files
_LEDGERS_FORM = "3"  # the same for the lines of a transcript: a session that goes on across an upgrade is read anew


def read_ledger(event: Event, identity: tuple[int, int, int, int]) -> Ledger:
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


def _stored(event: Event) -> tuple[LedgerBuilder, Cursor | None, Json, Kept | None]:
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
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
    ):  # broken: the transcript has everything
        return LedgerBuilder(), None, {}, None
    return builder, cursor, others, Kept(ledger.__dict__, stored.ledger)


def stored_ledger(event: Event) -> tuple[Ledger, Cursor | None]:
    """What this session's last stop has read, and how far; an empty ledger where nothing is stored."""
    builder, cursor, *_ = _stored(event)
    return builder.ledger(), cursor


def _read_subagents(transcript: str, builder: LedgerBuilder, cursors: Json) -> None:
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


def project_of(event: Event, ledger: Ledger) -> Project:
    """The checkout's facts, from the cached copy while its files are as they were, completed by the session's own."""
    inferred = infer_project(ledger)
    raw = cache.get(event.db, "project", event.project, _PROJECTS_FORM)
    try:
        project = Project.from_json(unpacked(raw)) if raw else None
    except (ValueError, TypeError, AttributeError):  # another version's
        project = None
    if project is None or not all(
        stamp(line.partition("\t")[0]) == line for line in project.stamps
    ):
        from ace_reflect.project.read import read_project  # only where a file of it changed

        project = read_project(event.project)
        if project.present:
            cache.put(event.db, "project", event.project, _PROJECTS_FORM, packed(project.__dict__))
    return merge(project.replace(root=_as_typed(event.project, ledger.cwd or "")), inferred)


def _as_typed(project: str, cwd: str) -> str:
    """The project's folder by the name that the session's paths begin with, where a link gives it two."""
    inside = os.path.relpath(os.path.realpath(cwd), os.path.realpath(project)) if cwd else ".."
    if inside == ".":
        return cwd
    return cwd[: -len(inside) - 1] if cwd.endswith(f"/{inside}") else project


def final_text(event: Event) -> str | None:
    """The host's own word for the last answer, where it gives one."""
    value = event.payload.get("last_assistant_message")
    return value if isinstance(value, str) and value.strip() else None


def background(event: Event, ledger: Ledger) -> tuple[str, ...] | None:
    """
    What the host lists that will end or wake the session by itself and bears on a gate; None where it lists nothing at all.

    A teammate, an MCP server's task or a watcher never ends, and what ran before this turn, or for a day, holds nothing up.
    """
    tasks, crons = event.payload.get("background_tasks"), event.payload.get("session_crons")
    if not isinstance(tasks, list) and not isinstance(crons, list):
        return None
    turn = ledger.turns[-1].number if ledger.turns else 0
    earlier = {task.id for task in ledger.background if task.turn < turn}
    awaited = [task for task in _running(tasks) if task.get("id") not in earlier and _ends(task)]
    # One that recurs may be another turn's; what the host lists does not say.
    here = any(call.name in _ARMING for call in ledger.calls)
    armed = [cron for cron in _objects(crons) if here or cron.get("recurring") is not True]
    return tuple(_task_name(task) for task in awaited + armed)


def running(event: Event, ledger: Ledger) -> tuple[str, ...]:
    """All background work that will end by itself and bring a stop of its own, whether or not a gate waits for it."""
    tasks = event.payload.get("background_tasks")
    if not isinstance(tasks, list):
        from ace_reflect.assess.when import still_running

        return still_running(ledger)
    return tuple(_task_name(task) for task in _running(tasks) if _ends(task, of_a_gate=False))


def _objects(listed: object) -> list[Json]:
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def _running(listed: object) -> list[Json]:
    return [
        task
        for task in _objects(listed)
        if task.get("status") in {"running", "pending", "in_progress", None}
    ]


def _task_name(task: Json) -> str:
    told = task.get("description") or task.get("command") or task.get("prompt") or task.get("id")
    return str(told)[:200]


def _ends(task: Json, *, of_a_gate: bool = True) -> bool:
    """Whether a task has an end of its own: a subagent, or a command that is neither a server nor a watcher."""
    command, kind = task.get("command"), str(task.get("type"))
    if kind != "shell" or not isinstance(command, str):
        return kind != "shell" and not any(word in kind for word in _ENDLESS)
    kinds = [(item.kind, item.watch) for item in classify(command)]
    if any(watch or kind is CommandKind.SERVER for kind, watch in kinds):
        return False
    return not of_a_gate or any(kind in AWAITED for kind, _ in kinds)
