"""
A stop with news: the new part of the transcript into the ledger, the gates on it, the answer, the records.

The second entry judges again from the stored ledger: nothing is kept twice.
"""

import json
import os

from ace_reflect import log, paths
from ace_reflect.assess import notify, when
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Ledger
from ace_reflect.evidence.files import SETTINGS
from ace_reflect.evidence.ledger import LedgerBuilder, feed_subagent
from ace_reflect.gates import message, report
from ace_reflect.gates.case import AWAITED
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import History, Judgement
from ace_reflect.hooks import artifacts
from ace_reflect.hooks.edge import Event, Json, read_object
from ace_reflect.playbook.neutral import neutral_lines
from ace_reflect.project.facts import Project
from ace_reflect.project.git import stamp
from ace_reflect.settings import agent_of
from ace_reflect.state import cache, prompts, sessions
from ace_reflect.state.sessions import packed, unpacked
from ace_reflect.text import seen_from
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.reader import Cursor, TranscriptReader

_NOTE_AFTER = 3  # sessions of a project in a row that gave a gate up
#: Another one where a newer program finds other facts in the same files, or lines: what was kept is then read anew.
_PROJECTS_FORM, _LEDGERS_FORM = "7", "5"
_BROKEN = (ValueError, TypeError, KeyError, AttributeError)  # what another version has stored


def judge_event(event: Event, identity: sessions.Identity) -> Json | None:
    """Judge the stop of this event and answer it. `identity`: the transcript's."""
    ledger = _read_ledger(event, identity)
    held = hold_settings(event, ledger)
    if not event.settings.enabled:
        return None
    row = prompts.ensure(event.state, event.session_id)
    judgement, routing = judge_ledger(event, ledger), None
    verdict = judgement.verdict
    blocks = verdict.decision == "block"
    if blocks:
        text, routing = handed_over(event, row.id, verdict.feedback)
        verdict = verdict.replace(feedback=text)
        judgement = judgement.replace(verdict=verdict)
    if judgement.gates_ran:
        publish(event, ledger, judgement, routing=routing)
    else:
        artifacts.refresh_verdict(event.project, event.session_id, report.verdict(verdict))
    running = running_tasks(event, ledger)
    asked = when.asks(judgement, event.settings, ledger, running)
    needs_model = bool(asked) or when.wants_review(judgement, event.settings, running)
    # Last of all: a stop that was killed before is judged anew, and only now the second entry writes its own records.
    with event.state.transaction():
        remember(event, row.id, judgement)
        event.decided(needs_model=needs_model)
    event.log(
        verdict.decision,
        end_state=verdict.end_state.value,
        gates=[f"{finding.gate}:{finding.state}" for finding in judgement.findings if finding.open],
        attempt=judgement.history.attempts,
        # Without what it names of the session: that stands in quotes or behind a colon.
        why=None if blocks else log.unquoted(verdict.why_silent).partition(":")[0][:60],
    )
    said = verdict.system_message if judgement.gates_ran or not verdict.complete else ""
    told = "\n".join(filter(None, (held, "" if blocks else said)))
    answer: Json = {"systemMessage": neutral_lines(told)} if told else {}
    if blocks:
        answer |= {"decision": "block", "reason": neutral_lines(verdict.feedback)}
    return answer or None


def hold_settings(event: Event, ledger: Ledger) -> str:
    """
    Keep the settings that the session began with in force where its agent has edited a file of them since; what to tell the
    person of it, once. What a person changes meanwhile counts at once.
    """
    changed = event.settings != event.first_settings
    edited = {e.path for e in ledger.edits if e.by != "user" and e.path.endswith(SETTINGS)}
    if not (changed and edited):
        return ""
    event.settings = event.first_settings
    if cache.get(event.state, "held", event.session_id, "") is not None:
        return ""
    cache.put(event.state, "held", event.session_id, "", b"")
    name = seen_from(event.project, min(edited))
    return f"ace-reflect: this session has edited {name}; what it began with stays in force until it ends"


def judge_ledger(event: Event, ledger: Ledger) -> Judgement:
    """What the gates say of this event's stop."""
    return judge_stop(
        ledger,
        _project_of(event, ledger),
        event.settings,
        _history(event),
        final_text=event.text("last_assistant_message").strip() or None,
        background=_awaited(event, ledger),
        permission_mode=event.text("permission_mode") or None,
    )


def handed_over(event: Event, row: int, text: str) -> tuple[str, Json | None]:
    """A message with the agent that the fix is handed to, if installed, and the artifact's `routing` (None: it is off)."""
    if not event.settings.routing_enabled:
        return text, None
    found = read_object(cache.get(event.state, cache.ROUTE, event.session_id, str(row)))
    category = str(found.get("category")) if found else "default"
    model, agent = event.settings.routing_model(category), agent_of(category)
    folders = (os.path.join(event.project, ".claude"), paths.claude_dir(event.environ))
    files = [os.path.join(folder, "agents", f"{agent}.md") for folder in folders]
    there = model and category != "default" and any(map(os.path.isfile, files))
    routing = {"category": category, "model": model or None, "agent": agent if there else None}
    return (message.handed_over(text, agent) if there else text), routing


def _read_ledger(event: Event, identity: sessions.Identity) -> Ledger:
    """The session's ledger, brought up to date and stored. Only new bytes are read. Raises TranscriptError."""
    builder, cursor, files = stored(event)
    reader = TranscriptReader(event.transcript, cursor)
    if reader.restarted:
        builder, cursor, files = LedgerBuilder(), None, {}
    for record in reader:
        builder.feed(record)
    builder.count(reader.cursor.line, reader.bad_lines + (builder.bad_lines if cursor else 0))
    for path in subagent_files(event.transcript):
        name = os.path.basename(path)
        known = Cursor.from_json(files[name]) if name in files else None
        read_to = feed_subagent(builder, path, known, final=False)
        files |= {name: read_to.to_json()} if read_to else {}
    ledger = builder.ledger()
    row = sessions.StoredLedger(
        cursor=json.dumps({**reader.cursor.to_json(), "form": _LEDGERS_FORM}),
        ledger=packed(ledger.__dict__),
        builder=packed(builder.state()),
        extra=packed(files),
    )
    sessions.save_ledger(event.state, event.session_id, identity, row)
    return ledger


def stored(event: Event) -> tuple[LedgerBuilder, Cursor | None, Json]:
    """What this session's last stop has read, how far, and how far in each subagent's file; else an empty ledger."""
    row = sessions.load_ledger(event.state, event.session_id)
    try:
        told = json.loads(row.cursor) if row is not None else {}
        if row is not None and told.get("form") == _LEDGERS_FORM:
            ledger = Ledger.from_json(unpacked(row.ledger))
            builder = LedgerBuilder(ledger, unpacked(row.builder))
            return builder, Cursor.from_json(told), unpacked(row.extra or b"{}")
    except _BROKEN:
        pass  # the transcript has everything
    return LedgerBuilder(), None, {}


def _project_of(event: Event, ledger: Ledger) -> Project:
    """The checkout's facts, from the cached copy while its files are as they were."""
    raw = cache.get(event.state, "project", event.project, _PROJECTS_FORM)
    try:
        project = Project.from_json(unpacked(raw or b"{}"))
    except _BROKEN:
        project = Project()
    stamps = [stamp(row.partition("\t")[0]) == row for row in project.stamps]
    if not stamps or not all(stamps):
        from ace_reflect.project.read import read_project  # only where a file of it changed

        project = read_project(event.project)
        kept = packed(project.__dict__)
        cache.put(event.state, "project", event.project, _PROJECTS_FORM, kept)
    cwd = ledger.cwd or event.project
    # A folder with two names, by a link, is called what the session's paths begin with.
    same = os.path.realpath(cwd) == os.path.realpath(event.project)
    return project.replace(root=cwd if same else event.project)


def _awaited(event: Event, ledger: Ledger) -> tuple[str, ...] | None:
    """What the host lists that will end or wake the session by itself and bears on a gate; None where it lists nothing."""
    tasks, crons = _listed(event, "background_tasks"), _listed(event, "session_crons")
    if tasks is None and crons is None:
        return None
    turn = ledger.turns[-1].number if ledger.turns else 0
    # What ran before this turn holds nothing up.
    earlier = {task.id for task in ledger.background if task.turn < turn}
    # A cron that recurs may be another turn's; what the host lists does not say.
    armed = any(call.name in {"CronCreate", "ScheduleWakeup"} for call in ledger.calls)
    awaited = [t for t in tasks or () if t.get("id") not in earlier and _ends(t, of_a_gate=True)]
    awaited += [cron for cron in crons or () if armed or cron.get("recurring") is not True]
    return tuple(map(_name, awaited))


def running_tasks(event: Event, ledger: Ledger) -> tuple[str, ...]:
    """All background work that will end by itself and bring a stop of its own, whether or not a gate waits for it."""
    tasks = _listed(event, "background_tasks")
    if tasks is None:
        return when.still_running(ledger)
    return tuple(_name(task) for task in tasks if _ends(task))


def _listed(event: Event, field: str) -> list[Json] | None:
    """The objects of a list in a Stop's payload; None where the host gives no list."""
    listed = event.payload.get(field)
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else None


def _name(task: Json) -> str:
    fields = ("description", "command", "prompt", "id")
    return next((str(task[field])[:200] for field in fields if task.get(field)), "")


def _ends(task: Json, *, of_a_gate: bool = False) -> bool:
    """Whether a task runs and has an end of its own: a subagent, or a command that is neither a server nor a watcher."""
    command, kind = task.get("command"), str(task.get("type"))
    if task.get("status") not in {"running", "pending", "in_progress", None}:
        return False
    if kind != "shell" or not isinstance(command, str):
        return kind != "shell" and "teammate" not in kind and "mcp" not in kind
    commands = classify(command)
    if any(item.watch or item.kind is CommandKind.SERVER for item in commands):
        return False
    return not of_a_gate or any(item.kind in AWAITED for item in commands)


def _history(event: Event) -> History:
    """What the session's earlier stops came to; `judge_stop` starts the counters anew where the prompt is another."""
    session = sessions.get(event.state, event.session_id)
    noted = sessions.noted_gates(event.state, event.project)
    notes = tuple(gate for gate in noted if gate not in event.settings.gates)
    if session is None:
        return History(notes=notes)
    return _from_text(session.history).replace(skipped=session.skipped, notes=notes)


def _from_text(text: str) -> History:
    try:
        return History.from_json(json.loads(text or "{}"))
    except _BROKEN:
        return History()


def remember(event: Event, row: int, judgement: Judgement) -> None:
    """What the next stop has to know. A gate that was given up in three sessions in a row is a note from now on."""
    state, history, end = event.state, judgement.history, judgement.verdict.end_state
    prompts.update(state, row, attempts=history.attempts, end_state=end.value)
    event.touch()
    text = json.dumps(history.replace(skipped=False, notes=()).to_json())
    sessions.save_history(state, event.session_id, text)
    before = _NOTE_AFTER - 1
    texts = sessions.earlier_histories(state, event.project, event.session_id, before)
    in_a_row = [_given_up(history), *(_given_up(_from_text(text)) for text in texts)]
    if len(in_a_row) == _NOTE_AFTER:
        for gate in set.intersection(*in_a_row):
            sessions.note_gate(state, event.project, gate)


def _given_up(history: History) -> set[str]:
    return {key.partition(" ")[0] for key in history.given_up}


def publish(
    event: Event, ledger: Ledger, judgement: Judgement, *, tell: bool = True, **more: object
) -> None:
    """The artifacts of a stop, and with `tell` the person's own command. `more`: what only the second entry knows."""
    full = report.report(ledger, judgement, artifacts.RECORDED_FACTS)
    patterns = event.settings.redaction_patterns
    more["attempt"] = judgement.history.attempts
    verdict = artifacts.write_artifacts(
        event.project, event.session_id, full, event.environ, patterns=patterns, **more
    )
    command = event.settings.notify_command
    if command and tell:
        event.to_start.append(notify.telling(event.session_id, command, event.project, verdict))
