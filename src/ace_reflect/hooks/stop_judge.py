"""A stop with news: the new part of the transcript into the ledger, the gates on it, the answer, the records."""

import json
from typing import Any

from ace_reflect import log
from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.message import handed_over
from ace_reflect.gates.model import History, Judgement, Verdict
from ace_reflect.gates.report import report
from ace_reflect.gates.report import verdict as verdict_json
from ace_reflect.hooks import stop_facts
from ace_reflect.hooks.artifacts import RECORDED_FACTS, write_artifacts
from ace_reflect.hooks.edge import Answer, Event
from ace_reflect.hooks.verdict_file import refresh_verdict
from ace_reflect.state import claims, prompts, sessions, stops
from ace_reflect.state.prompts import PromptRow

Json = dict[str, Any]

_NOTE_AFTER = 3  # sessions of a project in a row that gave a gate up


def judge_event(event: Event, identity: tuple[int, int, int, int]) -> Answer | None:
    """Judge the stop of this event and answer it."""
    try:
        ledger = stop_facts.read_ledger(event, identity)
    except TranscriptError as error:
        event.log("no-transcript", error=type(error).__name__)
        return None
    row = prompts.ensure(event.db, event.session_id)
    judgement, routing = _routed(event, row, judge_ledger(event, ledger))
    _remember(event, row, judgement)
    _log(event, judgement)
    if judgement.gates_ran:
        _publish(event, ledger, judgement, routing)
    else:
        refresh_verdict(event.project, event.session_id, verdict_json(judgement.verdict))
    _tell_second_entry(event, ledger, judgement)
    return _answer(judgement)


def judge_ledger(event: Event, ledger: Ledger) -> Judgement:
    """What the gates say of this event's stop. The second entry judges again from the stored ledger: nothing is kept twice."""
    return judge_stop(
        ledger,
        stop_facts.project_of(event, ledger),
        event.settings,
        _history(event),
        final_text=stop_facts.final_text(event),
        background=stop_facts.background(event, ledger),
        permission_mode=event.text("permission_mode") or None,
    )


def _routed(event: Event, row: PromptRow, judgement: Judgement) -> tuple[Judgement, Json | None]:
    """A block's message with the agent that the fix is handed to, where routing is on and one is known by now."""
    if judgement.verdict.decision != "block" or not event.settings.routing_enabled:
        return judgement, None
    from ace_reflect.hooks.routes import route_of

    route = route_of(event, row.id)
    if route is None or not route.agent:
        return judgement, route.as_json() if route is not None else None
    text = handed_over(judgement.verdict.feedback, route.agent)
    return judgement.replace(verdict=judgement.verdict.replace(feedback=text)), route.as_json()


def _answer(judgement: Judgement) -> Answer | None:
    verdict = judgement.verdict
    blocks = verdict.decision == "block"
    if not blocks and not (
        verdict.system_message and (judgement.gates_ran or not verdict.complete)
    ):
        return None
    from ace_reflect.playbook.neutral import (
        neutral_lines,
    )  # its tables are for a stop that has something to say

    if blocks:
        return {"decision": "block", "reason": neutral_lines(verdict.feedback)}
    return {"systemMessage": neutral_lines(verdict.system_message)}


# ------------------------------------------------------------------ remembering


def _history(event: Event) -> History:
    """What the session's earlier stops came to; `judge_stop` starts the counters anew where the prompt is another."""
    session = sessions.get(event.db, event.session_id)
    chosen = {item.partition("=")[0] for item in event.settings.gates}
    noted = sessions.noted_gates(event.db, event.project)
    return _from_text(sessions.history(event.db, event.session_id)).replace(
        skipped=bool(session and session.skipped),
        notes=tuple(gate for gate in noted if gate not in chosen),
    )


def _from_text(text: str) -> History:
    try:
        return History.from_json(json.loads(text)) if text else History()
    except (ValueError, TypeError, AttributeError):  # another version's
        return History()


def save_history(event: Event, history: History) -> None:
    """What the next stop has to know. A gate that was given up in three sessions in a row is a note from now on."""
    text = json.dumps(history.replace(skipped=False, notes=()).to_json())
    sessions.save_history(event.db, event.session_id, text)
    gates = {key.partition(" ")[0] for key in history.given_up} - set(history.notes)
    if not gates:
        return
    earlier = sessions.earlier_histories(event.db, event.project, event.session_id, _NOTE_AFTER - 1)
    given_up = [{key.partition(" ")[0] for key in _from_text(each).given_up} for each in earlier]
    for gate in gates:
        if len(given_up) == _NOTE_AFTER - 1 and all(gate in names for names in given_up):
            sessions.note_gate(event.db, event.project, gate)


def _remember(event: Event, row: PromptRow, judgement: Judgement) -> None:
    with event.db.transaction():
        prompts.update(
            event.db,
            row.id,
            attempts=judgement.history.attempts,
            end_state=judgement.verdict.end_state.value,
            verdict=verdict_text(judgement.verdict),
        )
        sessions.touch(
            event.db, event.session_id, project=event.project, transcript=event.transcript
        )
        save_history(event, judgement.history)


def verdict_text(verdict: Verdict) -> str:
    """A verdict as its prompt's row keeps it: JSON."""
    return json.dumps(
        {
            "complete": verdict.complete,
            "severity": verdict.severity.name,
            "missing": list(verdict.missing),
        }
    )


def _log(event: Event, judgement: Judgement) -> None:
    verdict = judgement.verdict
    event.log(
        verdict.decision,
        end_state=verdict.end_state.value,
        gates=[f"{finding.gate}:{finding.state}" for finding in judgement.findings if finding.open],
        attempt=judgement.history.attempts,
        why=None if verdict.decision == "block" else _told_apart(verdict.why_silent),
    )


def _told_apart(why: str) -> str:
    """A reason without what it names of the session: that stands in quotes or behind a colon."""
    return log.unquoted(why).partition(":")[0][:60]


def _publish(event: Event, ledger: Ledger, judgement: Judgement, routing: Json | None) -> None:
    """The verdict for others: the artifacts, and the person's own command."""
    full = write_record(
        event, ledger, judgement, attempt=judgement.history.attempts, routing=routing
    )
    notify(event, full["verdict"])


def write_record(event: Event, ledger: Ledger, judgement: Judgement, **more: object) -> Json:
    """Write the artifacts of a stop; `more` as for `write_artifacts`. The report that stands in them."""
    full = report(ledger, judgement, RECORDED_FACTS)
    patterns = event.settings.redaction_patterns
    write_artifacts(event.project, event.session_id, full, event.environ, patterns=patterns, **more)
    return full


def _tell_second_entry(event: Event, ledger: Ledger, judgement: Judgement) -> None:
    """What was decided, and what is left to ask a model. Last of all: only then the second entry writes its own records."""
    asked: list[list[str]] = []
    review = False
    if event.settings.models or event.settings.review_enabled:  # else nobody may be asked
        from ace_reflect.assess.when import asks, wants_review

        running = stop_facts.running(event, ledger)
        asked = [[ask.role, ask.why] for ask in asks(judgement, event.settings, ledger, running)]
        review = wants_review(judgement, event.settings, running)
    stops.put(
        event.db,
        claims.stop_key("Stop", event.raw),
        event.session_id,
        judgement.verdict.decision,
        needs_model=bool(asked) or review,
        data=json.dumps({"asks": asked}),
    )


def notify(event: Event, verdict: Json) -> None:
    """Give the verdict to the person's own command, without waiting for it."""
    command = event.settings.notify_command
    if not command:
        return
    from ace_reflect.assess import notify as messenger  # only where a command is configured

    if event.settings.redaction_patterns:
        from ace_reflect.redact import redact_record

        verdict = redact_record(verdict, event.environ, patterns=event.settings.redaction_patterns)
    try:
        messenger.start(event.environ, event.session_id, command, event.project, verdict)
    except (OSError, ValueError) as error:
        event.log("notify-failed", error=type(error).__name__)
