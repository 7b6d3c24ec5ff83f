"""A stop with news: the new part of the transcript into the ledger, the gates on it, the answer, the records."""

import json
import os

from ace_reflect import gates
from ace_reflect.artifacts import RECORDED_FACTS, write_artifacts
from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import CommandKind, Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.message import handed_over
from ace_reflect.gates.model import History, Judgement
from ace_reflect.gates.report import report
from ace_reflect.gates.stop_case import AWAITED
from ace_reflect.project.facts import Project
from ace_reflect.project.infer import infer_project, merge
from ace_reflect.project.tree import stamp
from ace_reflect.state import cache, claims, prompts, sessions, stops
from ace_reflect.state.packed import Kept, packed, unpacked
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.reader import Cursor, TranscriptReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.assess.when import Ask
    from ace_reflect.hooks.edge import Answer, Event
    from ace_reflect.hooks.routes import Route
    from ace_reflect.state.prompts import PromptRow

    Json = dict[str, Any]

#: Subagents' files read at one stop; the rest waits for the next one.
_MAX_SUBAGENTS = 200
_SERVERS = frozenset({CommandKind.SERVER})
_PROJECTS_FORM = "3"  # another one where a newer program finds other facts in the same files
#: The modules of the gates by which a person's words, and the answers before them, are read (`words.standing`).
READERS = "words vocabulary tests_waived requests phrases shared_verb foreign_words opening prose honesty foreign_answers exempt known_number lasting"


def judge_event(event: "Event", identity: "tuple[int, int, int, int]") -> "Answer | None":
    """Judge the stop of this event and answer it."""
    try:
        ledger = _read(event, identity)
    except TranscriptError as error:
        event.log("no-transcript", error=type(error).__name__)
        return None
    row = prompts.ensure(event.db, event.session_id)
    judgement, route = _routed(event, row, judge_ledger(event, ledger, row))
    _record(event, row, ledger, judgement, route)
    return _answer(judgement)


def judge_ledger(event: "Event", ledger: Ledger, row: "PromptRow") -> Judgement:
    """What the gates say of this event's stop. The second entry judges again from the stored ledger: nothing is kept twice."""
    reading = _reading()
    heard = _kept(event, "heard", event.session_id, reading)  # by earlier stops
    known = len(heard)
    judgement = judge_stop(
        ledger,
        project_of(event, ledger),
        event.settings,
        _history(event, row, _turn_key(ledger)),
        final_text=final_text(event),
        background=background(event),
        permission_mode=event.text("permission_mode") or None,
        subagents_found=len(subagent_files(event.transcript)),
        unreferenced=_unreferenced(event, ledger),
        heard=heard,
    )
    if len(heard) > known:
        cache.put(event.db, "heard", event.session_id, reading, packed(heard))
    return judgement


def _kept(event: "Event", kind: str, key: str, identity: str) -> "Json":
    """What an earlier stop put into `cache`; {} where nothing can be read."""
    raw = cache.get(event.db, kind, key, identity)
    try:
        return unpacked(raw) if raw else {}
    except ValueError:
        return {}


def _reading() -> str:
    """By what words are read: another version reads them anew."""
    folder = os.path.dirname(gates.__file__)
    return "|".join([cache.file_identity(f"{folder}/{name}.py") for name in READERS.split()])


def _routed(event: "Event", row: "PromptRow", judgement: Judgement) -> "tuple[Judgement, Route | None]":
    """A block's message with the agent that the fix is handed to, where routing is on and one is known by now."""
    if judgement.verdict.decision != "block" or not event.settings.routing_enabled:
        return judgement, None
    from ace_reflect.hooks.routes import route_of

    route = route_of(event, row.id)
    if route is None or not route.agent:
        return judgement, route
    text = handed_over(judgement.verdict.feedback, route.agent)
    return judgement.replace(verdict=judgement.verdict.replace(feedback=text)), route


def _turn_key(ledger: Ledger) -> str:
    return ledger.turns[-1].prompt_uuid or str(ledger.turns[-1].line) if ledger.turns else ""


def _answer(judgement: Judgement) -> "Answer | None":
    verdict = judgement.verdict
    blocks = verdict.decision == "block"
    if not blocks and not (verdict.system_message and (judgement.gates_ran or not verdict.complete)):
        return None
    from ace_reflect.playbook.neutral import neutral_lines  # its tables are for a stop that has something to say

    if blocks:
        return {"decision": "block", "reason": neutral_lines(verdict.feedback)}
    return {"systemMessage": neutral_lines(verdict.system_message)}


# ------------------------------------------------------------------ reading


def _read(event: "Event", identity: "tuple[int, int, int, int]") -> Ledger:
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
        cursor=json.dumps(reader.cursor.to_json()),
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
        ledger = Ledger.from_json(unpacked(stored.ledger))
        builder, cursor = LedgerBuilder(ledger, unpacked(stored.builder)), Cursor.from_json(json.loads(stored.cursor))
        others = unpacked(stored.extra) if stored.extra else {}
    except (ValueError, TypeError, KeyError):
        # Written by another version, or broken: the transcript has everything.
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
    kept = _kept(event, "project", event.project, _PROJECTS_FORM)
    try:
        project = Project.from_json(kept) if kept else None
    except (TypeError, AttributeError):  # another version's
        project = None
    if project is None or not all(stamp(line.partition("\t")[0]) == line for line in project.stamps):
        from ace_reflect.project.read import read_project  # only where a file changed: it costs a hook 8 ms

        project = read_project(event.project)
        if project.present:
            cache.put(event.db, "project", event.project, _PROJECTS_FORM, packed(project.__dict__))
    return merge(project, inferred)


def _unreferenced(event: "Event", ledger: Ledger) -> tuple[str, ...] | None:
    """New source files of this turn that nothing names; looked for only where there are any and somebody wants to know."""
    last = ledger.turns[-1].number if ledger.turns else 0
    new = tuple(edit.path for edit in ledger.edits if edit.turn == last and edit.created and edit.kind == "code")
    if not new or event.settings.gate_mode("wiring") == "off":
        return None
    from ace_reflect.project.references import unreferenced

    return unreferenced(event.project, new)


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


# ------------------------------------------------------------------ remembering


def _history(event: "Event", row: "PromptRow", turn: str) -> History:
    """What this prompt's earlier stops came to. A prompt that no hook announced starts anew all the same."""
    session = sessions.get(event.db, event.session_id)
    base = History(given_up=sessions.given_up(event.db, event.session_id), skipped=bool(session and session.skipped))
    try:
        data = json.loads(row.data) if row.data else {}
    except ValueError:
        data = {}
    if not isinstance(data, dict) or data.get("turn") not in {None, turn}:
        return base
    told = data.get("told")
    return base.replace(
        attempts=row.attempts,
        last_fingerprint=row.fingerprint,
        last_told=bool(data.get("last_told")),
        told=tuple(str(key) for key in told) if isinstance(told, list) else (),
    )


def _record(
    event: "Event", row: "PromptRow", ledger: Ledger, judgement: Judgement, route: "Route | None" = None
) -> None:
    verdict, history = judgement.verdict, judgement.history
    blocked = verdict.decision == "block"
    data = json.dumps({"turn": _turn_key(ledger), "told": list(history.told), "last_told": history.last_told})
    with event.db.transaction():
        prompts.update(
            event.db,
            row.id,
            attempts=history.attempts,
            fingerprint=history.last_fingerprint,
            end_state=verdict.end_state.value,
            verdict=json.dumps(
                {"complete": verdict.complete, "severity": verdict.severity.name, "missing": list(verdict.missing)}
            ),
            data=data,
        )
        sessions.touch(event.db, event.session_id, project=event.project, transcript=event.transcript)
        sessions.give_up(event.db, event.session_id, history.given_up)
    gates = [f"{finding.gate}:{finding.state}" for finding in judgement.findings if finding.open]
    event.log(
        verdict.decision,
        end_state=verdict.end_state.value,
        gates=gates,
        attempt=history.attempts,
        why=verdict.why_silent[:60] if not blocked else None,
    )
    if judgement.gates_ran:
        full = report(ledger, judgement, RECORDED_FACTS)
        routing = route.as_json() if route is not None else None
        write_artifacts(event.project, event.session_id, full, event.environ, attempt=history.attempts, routing=routing)
        notify(event, full["verdict"])
    _tell_second_entry(event, ledger, judgement)


def _tell_second_entry(event: "Event", ledger: Ledger, judgement: Judgement) -> None:
    """What was decided, and what is left to ask a model. Last of all: what the second entry writes comes after ours."""
    asked: tuple[Ask, ...] = ()
    review = False
    if event.settings.models or event.settings.review_enabled:  # where nobody may be asked, nothing looks for questions
        from ace_reflect.assess.when import wants_review

        asked = open_questions(event, ledger, judgement)
        review = wants_review(judgement, event.settings, running(event, ledger))
    stops.put(
        event.db,
        claims.stop_key("Stop", event.raw),
        event.session_id,
        judgement.verdict.decision,
        needs_model=bool(asked) or review,
        data=json.dumps({"asks": [[ask.role, ask.why] for ask in asked]}),
    )


def open_questions(event: "Event", ledger: Ledger, judgement: Judgement) -> "tuple[Ask, ...]":
    """What a model would be asked about this stop; the second entry goes on only where there is something."""
    from ace_reflect.assess.when import asks

    final = final_text(event) or (ledger.turns[-1].final_text if ledger.turns else "")
    return asks(judgement, event.settings, final, running(event, ledger))


def notify(event: "Event", verdict: "Json") -> None:
    """Give the verdict to the person's own command, without waiting for it."""
    command = event.settings.notify_command
    if not command:
        return
    from ace_reflect.assess import notify as messenger  # only where a command is configured

    try:
        messenger.start(event.environ, event.session_id, command, event.project, verdict)
    except (OSError, ValueError) as error:
        event.log("notify-failed", error=type(error).__name__)
