"""A stop with news: the new part of the transcript into the ledger, the gates on it, the answer, the records."""

import json
import os

from ace_reflect import gates, log
from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.message import handed_over
from ace_reflect.gates.model import History, Judgement
from ace_reflect.gates.report import report
from ace_reflect.hooks import stop_facts
from ace_reflect.hooks.artifacts import RECORDED_FACTS, write_artifacts
from ace_reflect.state import cache, claims, prompts, sessions, stops
from ace_reflect.state.packed import packed
from ace_reflect.transcript.files import subagent_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.assess.when import Ask
    from ace_reflect.gates.model import Verdict
    from ace_reflect.hooks.edge import Answer, Event
    from ace_reflect.hooks.routes import Route
    from ace_reflect.state.prompts import PromptRow

    Json = dict[str, Any]

#: The modules of the gates by which a person's words, and the answers before them, are read (`words_in_force`).
READERS = "words_in_force words vocabulary tests_waived tests_may_fail requests phrases shared_verb foreign_words opening prose honesty foreign_answers exempt known_number lasting"


def judge_event(event: "Event", identity: "tuple[int, int, int, int]") -> "Answer | None":
    """Judge the stop of this event and answer it."""
    try:
        ledger = stop_facts.read_ledger(event, identity)
    except TranscriptError as error:
        event.log("no-transcript", error=type(error).__name__)
        return None
    row = prompts.ensure(event.db, event.session_id)
    judgement, route = _routed(event, row, judge_ledger(event, ledger, row))
    _remember(event, row, ledger, judgement)
    _log(event, judgement)
    if judgement.gates_ran:
        _publish(event, ledger, judgement, route)
    _tell_second_entry(event, ledger, judgement)
    return _answer(judgement)


def judge_ledger(event: "Event", ledger: Ledger, row: "PromptRow") -> Judgement:
    """What the gates say of this event's stop. The second entry judges again from the stored ledger: nothing is kept twice."""
    reading = _reading()
    heard = stop_facts.kept(event, "heard", event.session_id, reading)  # by earlier stops
    known = len(heard)
    judgement = judge_stop(
        ledger,
        stop_facts.project_of(event, ledger),
        event.settings,
        _history(event, row, _turn_key(ledger)),
        final_text=stop_facts.final_text(event),
        background=stop_facts.background(event),
        permission_mode=event.text("permission_mode") or None,
        subagents_found=len(subagent_files(event.transcript)),
        unreferenced=stop_facts.unreferenced(event, ledger),
        heard=heard,
    )
    if len(heard) > known:
        cache.put(event.db, "heard", event.session_id, reading, packed(heard))
    return judgement


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


def _remember(event: "Event", row: "PromptRow", ledger: Ledger, judgement: Judgement) -> None:
    """What the prompt's next stop has to know of this one (`_history`), and what the session has given up."""
    history = judgement.history
    data = json.dumps({"turn": _turn_key(ledger), "told": list(history.told), "last_told": history.last_told})
    with event.db.transaction():
        prompts.update(
            event.db,
            row.id,
            attempts=history.attempts,
            fingerprint=history.last_fingerprint,
            end_state=judgement.verdict.end_state.value,
            verdict=verdict_text(judgement.verdict),
            data=data,
        )
        sessions.touch(event.db, event.session_id, project=event.project, transcript=event.transcript)
        sessions.give_up(event.db, event.session_id, history.given_up)


def verdict_text(verdict: "Verdict") -> str:
    """A verdict as its prompt's row keeps it: JSON."""
    return json.dumps(
        {"complete": verdict.complete, "severity": verdict.severity.name, "missing": list(verdict.missing)}
    )


def _log(event: "Event", judgement: Judgement) -> None:
    verdict = judgement.verdict
    event.log(
        verdict.decision,
        end_state=verdict.end_state.value,
        gates=[f"{finding.gate}:{finding.state}" for finding in judgement.findings if finding.open],
        attempt=judgement.history.attempts,
        why=None if verdict.decision == "block" else log.unquoted(verdict.why_silent)[:60],
    )


def _publish(event: "Event", ledger: Ledger, judgement: Judgement, route: "Route | None") -> None:
    """The verdict for others: the artifacts, and the person's own command."""
    routing = route.as_json() if route is not None else None
    full = write_record(event, ledger, judgement, attempt=judgement.history.attempts, routing=routing)
    notify(event, full["verdict"])


def write_record(event: "Event", ledger: Ledger, judgement: Judgement, **more: object) -> "Json":
    """Write the artifacts of a stop; `more` as for `write_artifacts`. The report that stands in them."""
    full = report(ledger, judgement, RECORDED_FACTS)
    patterns = event.settings.redaction_patterns
    write_artifacts(event.project, event.session_id, full, event.environ, patterns=patterns, **more)
    return full


def _tell_second_entry(event: "Event", ledger: Ledger, judgement: Judgement) -> None:
    """What was decided, and what is left to ask a model. Last of all: only then the second entry writes its own records."""
    asked: tuple[Ask, ...] = ()
    review = False
    if event.settings.models or event.settings.review_enabled:  # where nobody may be asked, nothing looks for questions
        from ace_reflect.assess.when import wants_review

        asked = open_questions(event, ledger, judgement)
        review = wants_review(judgement, event.settings, stop_facts.running(event, ledger))
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

    final = stop_facts.final_text(event) or (ledger.turns[-1].final_text if ledger.turns else "")
    return asks(judgement, event.settings, final, stop_facts.running(event, ledger))


def notify(event: "Event", verdict: "Json") -> None:
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
