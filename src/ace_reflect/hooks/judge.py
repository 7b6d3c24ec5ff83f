"""A stop with news: the new part of the transcript into the ledger, the gates on it, the answer, the records.

The second entry judges again from the stored ledger: nothing is kept twice.
"""

import json
import os
import re

from ace_reflect import paths
from ace_reflect.assess import when
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Ledger, Outcome, Run
from ace_reflect.evidence.ledger import LedgerBuilder, feed_subagent
from ace_reflect.gates import words
from ace_reflect.gates.answer import Loops
from ace_reflect.gates.case import AWAITED, Case, ended, still_running
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.message import feedback
from ace_reflect.gates.model import History, Judgement, Mode
from ace_reflect.gates.tests import tests_gate
from ace_reflect.hooks import artifacts
from ace_reflect.hooks.edge import Event, Json, read_object
from ace_reflect.playbook.neutral import neutral_lines
from ace_reflect.project.facts import Project
from ace_reflect.project.git import stamp
from ace_reflect.report import session as report
from ace_reflect.settings import agent_of
from ace_reflect.state import cache, sessions
from ace_reflect.state.cache import packed, unpacked
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.reader import Cursor, TranscriptReader

_NOTE_AFTER = 3  # consecutive sessions of a project that gave a gate up
#: Raise it when a newer version finds other facts in the same files or lines: what was kept is then read afresh.
_PROJECTS_FORM, _LEDGERS_FORM = "9", "10"
_OWN_SKIP = "ace-reflect: Claude has switched its own checks off; they are on again"
_HISTORY = "history"  # `cache` kind, by session and project
_REPORTED = "reported"  # `cache` kind, by a subagent's file: what its last report was about


def judge_event(event: Event) -> Json | None:
    """Judge the stop of this event and answer it. Raises TranscriptError."""
    event.touch()
    row = sessions.prompt_or_new(event.state, event.session_id)
    ledger, kept = _read_ledger(event)
    judgement, questions, reviews = judged(event, ledger)
    verdict, routing = judgement.verdict, None
    blocks = verdict.decision == "block"
    if blocks:
        text, routing = handed_over(event, row.id, verdict.feedback)
        verdict = verdict.replace(feedback=text)
        judgement = judgement.replace(verdict=verdict)
    if judgement.gates_ran:
        full = report.report(ledger, judgement, artifacts.RECORDED_FACTS)
        artifacts.publish(event, full, attempt=judgement.history.attempts, routing=routing)
    else:
        artifacts.refresh_verdict(event, report.verdict(verdict))
    # Last of all: a stop that was killed before is judged anew, and only now the second entry writes its own records.
    with event.state.transaction():
        cache.put(event.state, cache.LEDGER, event.session_id, *kept)
        remember(event, row.id, judgement)
        cache.decided(event.state, event.raw, needs_model=bool(questions) or reviews)
    event.log(
        verdict.decision,
        end_state=verdict.end_state.value,
        gates=[f"{finding.gate}:{finding.state}" for finding in judgement.findings if finding.open],
        attempt=judgement.history.attempts,
        # Without what it names from the session, which is in quotes or after a colon.
        why=re.split("[:“`]", verdict.why_silent, maxsplit=1)[0].rstrip()[:60] or None,
    )
    told = "\n".join(filter(None, (*event.told, verdict.system_message)))
    answer: Json = {"systemMessage": neutral_lines(told)} if told else {}
    if blocks:
        answer |= {"decision": "block", "reason": neutral_lines(verdict.feedback)}
    return answer or None


def judge_subagent(event: Event, file: str, said: str) -> str:
    """What a subagent that reports `said` is told before it may end: `file` is its transcript. "" for nothing, and that is for
    all but a last real run that is red for its own edits, where the report does not mention it. Raises TranscriptError.
    """
    ledger, _ = _read_ledger(event)
    history = _history(event, ledger)
    red = _own_failure(ledger, file)
    if red is None or history.skipped or words.waiver(ledger.turns, "gates"):
        return ""
    edits = [edit for edit in ledger.edits if edit.file == file]
    code = [edit.line for edit in edits if edit.kind == "code"]
    place = (_REPORTED, file, event.session_id)
    mark = f"{red.line} {code[-1:]}".encode()
    known = cache.get(event.state, *place) == mark  # it was resumed, and has reported on this
    cache.put(event.state, *place, mark)
    # In a claim "fails as expected" admits nothing; in a report it says what is so.
    admits = words.found("admits", said.replace("as expected", "")) or words.asks_person(said)
    if known or admits:
        return ""
    if red.languages:
        edits = [edit for edit in edits if edit.language in red.languages]
    seen = tuple(run for run in ledger.runs if run.file in {None, file})
    ledger = ledger.replace(edits=tuple(edits), runs=seen)
    case = Case(
        ledger, ledger.now, _project_of(event, ledger), event.settings, history, (), said, ""
    )
    for finding in tests_gate(case):
        if finding.open and finding.mode is Mode.BLOCK and finding.key not in history.given_up:
            text = feedback((finding,), Loops(), (1, 1), last=True, same=False)
            return neutral_lines(text)
    return ""


def _own_failure(ledger: Ledger, file: str) -> Run | None:
    """The last real run of a subagent if it failed, and nothing that others did may be why."""
    runs = [run for run in ledger.runs if run.kind is CommandKind.TEST and run.file == file]
    last = ended(runs)[-1:]
    if not last or last[0].outcome is not Outcome.FAILED:
        return None
    own = [*runs, *(edit for edit in ledger.edits if edit.file == file)]
    begun = min(fact.sequence for fact in own)
    before = [run for run in ended(ledger.runs) if run.sequence < begun]
    green = max((run.sequence for run in before if run.outcome is Outcome.PASSED), default=0)
    # What others did in the same tree, and no run has shown to be good before it came, may be what fails.
    others = [e for e in ledger.edits if e.file != file and e.sequence > green and e.is_work]
    return None if others else last[0]


def judged(event: Event, ledger: Ledger) -> tuple[Judgement, tuple[when.Ask, ...], bool]:
    """What the gates say about this stop; what a model is asked; whether reviewers are."""
    running = _awaited(event, ledger)
    judgement = judge_stop(
        ledger,
        _project_of(event, ledger),
        event.settings,
        _history(event, ledger),
        final_text=event.text("last_assistant_message").strip() or None,
        background=running,
        permission_mode=event.text("permission_mode") or None,
    )
    questions = when.asks(judgement, event.settings, ledger, running)
    reviews = when.wants_review(judgement, event.settings, ledger, running)
    return judgement, questions, reviews


def handed_over(event: Event, row: int, text: str) -> tuple[str, Json | None]:
    """A message with the agent that the fix is handed to, if installed, and the artifact's `routing` (None: it is off)."""
    if not event.settings.routing_enabled:
        return text, None
    found = read_object(cache.get(event.state, cache.ROUTE, event.session_id, str(row))) or {}
    category = found.get("category", "default")
    model, agent = event.settings.routing_models.get(category, ""), agent_of(category)
    folders = (os.path.join(event.project, ".claude"), paths.claude_dir(event.environ))
    files = [os.path.join(folder, "agents", f"{agent}.md") for folder in folders]
    there = model and category != "default" and any(map(os.path.isfile, files))
    routing = {"category": category, "model": model or None, "agent": agent if there else None}
    if there:
        from ace_reflect.assess.message import handed_over as to_agent  # brings pydantic

        text = to_agent(text, agent)
    return text, routing


def _read_ledger(event: Event) -> tuple[Ledger, tuple[str, bytes]]:
    """The session's ledger, brought up to date, and what is kept of it. Only new bytes are read. Raises TranscriptError."""
    identity, (builder, cursor, files) = cache.file_identity(event.transcript), stored(event)
    reader = TranscriptReader(event.transcript, cursor)
    if reader.restarted:
        builder, cursor, files = LedgerBuilder(), None, {}
    for record in reader:
        builder.feed(record)
    builder.count(reader.cursor.line, reader.bad_lines)
    for path in subagent_files(event.transcript):
        name = os.path.basename(path)
        known = Cursor.from_json(files[name]) if name in files else None
        read_to = feed_subagent(builder, path, known, final=False)
        files |= {name: read_to.to_json()} if read_to else {}
    ledger = builder.ledger()
    more = {"form": _LEDGERS_FORM, "cursor": reader.cursor, "builder": builder.state()}
    return ledger, (identity, packed({**ledger.__dict__, **more, "files": files}))


def stored(event: Event) -> tuple[LedgerBuilder, Cursor | None, Json]:
    """What this session's last stop has read, how far, and how far in each subagent's file; else an empty ledger."""
    kept = unpacked(cache.get(event.state, cache.LEDGER, event.session_id))
    if kept.get("form") != _LEDGERS_FORM:
        return LedgerBuilder(), None, {}
    builder = LedgerBuilder(Ledger.from_json(kept), kept["builder"])
    return builder, Cursor.from_json(kept["cursor"]), kept["files"]


def _project_of(event: Event, ledger: Ledger) -> Project:
    """The checkout's facts, from the cached copy while its files are as they were."""
    kept = cache.get(event.state, "project", event.project, _PROJECTS_FORM)
    project = Project.from_json(unpacked(kept))
    changed = [row for row in project.stamps if stamp(row.partition("\t")[0]) != row]
    if changed or not project.stamps:
        from ace_reflect.project.read import read_project  # only where a file of it changed

        project = read_project(event.project)
        kept = packed(project.__dict__)
        cache.put(event.state, "project", event.project, _PROJECTS_FORM, kept)
    cwd = ledger.cwd or event.project
    # A folder with two names, through a link, gets the one that the session's paths begin with.
    same = os.path.realpath(cwd) == os.path.realpath(event.project)
    return project.replace(root=cwd if same else event.project)


def _awaited(event: Event, ledger: Ledger) -> tuple[str, ...]:
    """What will end or wake the session by itself and bears on a gate, as the host lists it; else by the transcript."""
    given = (event.payload.get(name) for name in ("background_tasks", "session_crons"))
    listed = [each for each in given if isinstance(each, list)]
    earlier = {task.id for task in ledger.background if task.turn < ledger.now.number}
    items = [item for each in listed for item in each if isinstance(item, dict)]
    awaited = [item for item in items if item.get("id") not in earlier and _ends(item)]
    names = (item.get("description") or item.get("prompt") or item.get("id") for item in awaited)
    return tuple(str(name)[:200] for name in names) if listed else still_running(ledger)


def _ends(item: Json) -> bool:
    """Whether it ends and bears on a gate: a wake-up, a subagent, a command that is no server or watcher."""
    kind = item.get("type")
    if kind is None:  # a cron that recurs may be another turn's; what the host lists does not say
        return item.get("recurring") is not True
    if kind != "shell":
        return "teammate" not in str(kind) and "mcp" not in str(kind)
    kinds = {command.kind for command in classify(str(item.get("command")))}
    return CommandKind.SERVER not in kinds and not AWAITED.isdisjoint(kinds)


def _history(event: Event, ledger: Ledger) -> History:
    """What the session's earlier stops came to; `judge_stop` starts the counters anew where the prompt is another."""
    session = sessions.get(event.state, event.session_id)
    kept = read_object(cache.get(event.state, _HISTORY, event.session_id)) or {}
    noted = sessions.noted_gates(event.state, event.project)
    notes = tuple(gate for gate in noted if gate not in event.settings.gates)
    skipped = session is not None and session.skipped_at is not None
    own = (call.key for call in ledger.calls if call.bash and call.turn == ledger.now.number)
    if skipped and any("reflect" in key and " skip" in key for key in own):
        sessions.skip(event.state, event.session_id, on=False)
        event.told.append(_OWN_SKIP)
        skipped = False
    return History.from_json(kept).replace(skipped=skipped, notes=notes)


def remember(event: Event, row: int, judgement: Judgement) -> None:
    """What the next stop has to know. A gate given up in three sessions in a row is a note from now on."""
    state, history, end = event.state, judgement.history.to_json(), judgement.verdict.end_state
    sessions.note_stop(state, row, attempts=judgement.history.attempts, end_state=end.value)
    place = (_HISTORY, event.session_id, event.project)
    cache.put(state, *place, json.dumps(history).encode())
    others = [read_object(raw) or {} for raw in cache.others(state, *place, _NOTE_AFTER - 1)]
    if len(others) == _NOTE_AFTER - 1:
        keys = [each.get("given_up", ()) for each in (history, *others)]
        for gate in set.intersection(*({key.partition(" ")[0] for key in each} for each in keys)):
            sessions.note_gate(state, event.project, gate)
