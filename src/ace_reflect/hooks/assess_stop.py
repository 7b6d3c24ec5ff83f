"""A stop that a model is asked about: what it is shown, whether the person has gone on meanwhile, what is recorded."""

import asyncio
import json
import time
from typing import Any

from ace_reflect import log
from ace_reflect.assess.asker import Asker, asker_for
from ace_reflect.assess.instructions import project_texts
from ace_reflect.assess.message import gave_up, left_to_person, wake_message
from ace_reflect.assess.review import remember, reviewed
from ace_reflect.assess.run import Outcome, assess_stop
from ace_reflect.assess.subject import Subject, subject_of
from ace_reflect.assess.when import STOP_KIND, Ask, asks, progress, wants_review
from ace_reflect.assess.work import read_turn
from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.message import handed_over
from ace_reflect.gates.model import EndState, Judgement, Verdict
from ace_reflect.gates.report import verdict as verdict_json
from ace_reflect.hooks import stop_facts, stop_judge
from ace_reflect.hooks.assess import Pace
from ace_reflect.hooks.edge import Answer, Event
from ace_reflect.hooks.routes import Route
from ace_reflect.hooks.still_there import Watch
from ace_reflect.llm import event_loop
from ace_reflect.state import cache, prompts
from ace_reflect.state.prompts import PromptRow

Json = dict[str, Any]

#: `cache` kind, by session: what was asked about last, and whether the session was woken for it.
_MEMORY = "assess-asked"


class Woken:
    """What the second entry says: `message` wakes the session, `answer` is for a host that waits (print mode)."""

    __slots__ = ("answer", "message")

    def __init__(self, message: str = "", answer: Answer | None = None) -> None:
        self.message = message
        self.answer = answer


class _Stop:
    """One stop with all that belongs to it."""

    __slots__ = (
        "event",
        "final",
        "foreground",
        "judgement",
        "ledger",
        "pace",
        "questions",
        "reviews",
        "row",
        "started",
        "watch",
        "why",
    )

    def __init__(self, event: Event, started: float, pace: Pace) -> None:
        self.event = event
        self.started = started
        self.pace = pace
        self.row: PromptRow = prompts.ensure(event.db, event.session_id)
        self.ledger: Ledger
        self.ledger, cursor = stop_facts.stored_ledger(event)
        self.judgement: Judgement = stop_judge.judge_ledger(event, self.ledger)
        self.questions: tuple[Ask, ...] = asks(
            self.judgement, event.settings, self.ledger, stop_facts.running(event, self.ledger)
        )
        turn = self.ledger.turns[-1] if self.ledger.turns else None
        self.final = stop_facts.final_text(event) or (turn.final_text if turn is not None else "")
        self.watch = Watch(event, self.row.id, cursor, self.final)
        # What the rules left open; a stop that is only reviewed leaves nothing.
        self.why = self.questions[-1].why if self.questions else ""
        self.reviews = wants_review(
            self.judgement, event.settings, stop_facts.running(event, self.ledger)
        )
        # In print mode the host always waits; elsewhere it does where this entry is registered so.
        self.foreground = self.judgement.task.print_mode or pace.waits


def assess_event(event: Event, started: float, pace: Pace) -> Woken:
    """Ask about the stop of this event, and say what is to be said. `started` is when it happened."""
    stop = _Stop(event, started, pace)
    if not (stop.questions or stop.reviews):
        event.log("not-needed")
        return Woken()
    remembered = _remembered(stop)
    if remembered is not None and remembered.get("progress") == progress(stop.ledger):
        return _nothing_done_since(stop, remembered)
    outcome, gone = event_loop.run(_asked(stop))
    if outcome is None:
        event.log("gone-on", why=gone)
        return Woken()
    if not outcome.asked:
        event.log(
            "not-asked", why=(str(outcome.record.get("error", "")) or _review_error(outcome))[:200]
        )
        return Woken()
    return _concluded(stop, outcome)


# ------------------------------------------------------------------ asking


async def _asked(stop: _Stop) -> tuple[Outcome | None, str]:
    """What came of it, and what the person did meanwhile."""
    if stop.questions and stop.questions[0].role == STOP_KIND and not stop.foreground:
        gone = await _until_old_enough(stop)
        if gone:
            return None, gone
    whole_s = stop.pace.foreground_s if stop.foreground else stop.pace.background_s
    left_s = whole_s - (time.time() - stop.started)
    asker = _asker(stop, left_s)
    try:
        subject = _subject(stop)
    except TranscriptError:
        return None, "no transcript"
    first = stop.questions[0].role if stop.questions else "review"
    stop.event.log("asking", why=log.unquoted(stop.why)[:120], first=first)
    asking = asyncio.ensure_future(_assessed_and_reviewed(stop, asker, subject))
    while not asking.done():
        await asyncio.wait({asking}, timeout=stop.pace.poll_s)
        gone = stop.watch.gone_on()
        if gone:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            return None, gone
    outcome = asking.result()
    outcome.record["usage"] = {**asker.usage.to_json(), "calls": len(asker.calls)}
    return outcome, ""


async def _assessed_and_reviewed(stop: _Stop, asker: Asker, subject: Subject) -> Outcome:
    """The assessment where the rules left something open, and the review of what is complete by then."""
    judgement = stop.judgement
    if stop.questions:
        outcome = await assess_stop(asker, subject, stop.ledger, judgement, stop.questions)
    else:
        outcome = Outcome(verdict=judgement.verdict, record={"source": "rules"}, asked=False)
    if not stop.reviews or not outcome.verdict.complete:
        return outcome
    return await reviewed(outcome, asker, subject, stop.ledger, judgement, stop.event.project)


async def _until_old_enough(stop: _Stop) -> str:
    """
    Wait until the stop is `message_age_s` old, for whoever answers within that time is not stuck. What the person did
    meanwhile, in a word; "" where nothing.
    """
    while time.time() - stop.started < stop.pace.message_age_s:
        gone = stop.watch.gone_on()
        if gone:
            return gone
        await asyncio.sleep(min(stop.pace.poll_s, stop.pace.message_age_s))
    return stop.watch.gone_on()


def _asker(stop: _Stop, left_s: float) -> Asker:
    event = stop.event
    return asker_for(
        event.db,
        event.project,
        event.environ,
        session=event.session_id,
        ends=time.monotonic() + left_s,
    )


def _subject(stop: _Stop) -> Subject:
    event, ledger = stop.event, stop.ledger
    texts = project_texts(event.db, event.project)
    turn = ledger.turns[-1]
    return subject_of(
        ledger,
        stop.judgement,
        read_turn(event.transcript, turn.line, ledger.lines),
        answer=stop.final,
        why=stop.why,
        max_attempts=event.settings.max_attempts,
        instructions=texts.instructions,
        rubric=texts.rubric,
    )


def _review_error(outcome: Outcome) -> str:
    """Why nobody reviewed."""
    record = outcome.cross_review or {}
    said = [str(review["error"]) for review in record.get("reviews", ()) if "error" in review]
    return str(record.get("error", "")) or "; ".join(said)


# ------------------------------------------------------------------ what it comes to


def _concluded(stop: _Stop, outcome: Outcome) -> Woken:
    """Count, record, and wake the session where the agent can go on."""
    event = stop.event
    attempt = stop.judgement.history.attempts + 1
    verdict = outcome.verdict
    message = ""
    if outcome.push and outcome.evaluation is not None:
        message = outcome.message or wake_message(
            outcome.evaluation, attempt=attempt, most=event.settings.max_attempts
        )
        route = _route(stop)
        message = (
            handed_over(message, route.agent) if route is not None and route.agent else message
        )
    if not _commit(
        stop, verdict, attempt if message else attempt - 1, woke=bool(message), outcome=outcome
    ):
        event.log("gone-on", why="a newer prompt")
        return Woken()
    _write(stop, outcome, verdict, attempt if message else attempt - 1)
    event.log(
        "wake" if message else "stands",
        end_state=verdict.end_state.value,
        by=str(outcome.record.get("source")),
        attempt=attempt if message else None,
        error=str(outcome.record["error"])[:200] if "error" in outcome.record else None,
    )
    if message:
        return Woken(message, {"decision": "block", "reason": message} if stop.foreground else None)
    line = outcome.line or (
        left_to_person(outcome.evaluation) if outcome.evaluation is not None else ""
    )
    # Late answers of a background entry go to the model: only a host that waits can show a line to the person.
    return Woken(answer={"systemMessage": line} if line and stop.foreground else None)


def _route(stop: _Stop) -> Route | None:
    """Whom the fix is handed to, where routing is on."""
    if not stop.event.settings.routing_enabled:
        return None
    from ace_reflect.hooks.routes import route_of

    return route_of(stop.event, stop.row.id)


def _nothing_done_since(stop: _Stop, remembered: Json) -> Woken:
    """
    A model was asked about this very state of the work already, so it is not asked (and paid for) again. If it woke the
    session then, the session has done nothing about it: the stop stands as given up.
    """
    if not remembered.get("woke"):
        stop.event.log("asked-before")
        return Woken()
    missing = tuple(str(item) for item in remembered.get("missing") or ())
    verdict = stop.judgement.verdict.replace(
        complete=False,
        end_state=EndState.GAVE_UP,
        missing=missing,
        system_message=gave_up(missing, stop.judgement.history.attempts),
        why_silent="nothing was done since the last message",
    )
    if _commit(stop, verdict, stop.judgement.history.attempts, woke=True):
        _write(stop, None, verdict, stop.judgement.history.attempts)
    stop.event.log("gave-up", attempt=stop.judgement.history.attempts)
    shown = verdict.system_message if stop.foreground else ""
    return Woken(answer={"systemMessage": shown} if shown else None)


def _commit(
    stop: _Stop, verdict: Verdict, attempts: int, *, woke: bool, outcome: Outcome | None = None
) -> bool:
    """Put the verdict on record and count the attempt, if this is still the prompt's last stop; False if not."""
    state, row = stop.event.db, stop.row
    with state.transaction():
        current = prompts.current(state, stop.event.session_id)
        if current is None or current.id != row.id or current.attempts != row.attempts:
            return False
        text = stop_judge.verdict_text(verdict)
        prompts.update(
            state, row.id, attempts=attempts, end_state=verdict.end_state.value, verdict=text
        )
        stop_judge.save_history(stop.event, stop.judgement.history.replace(attempts=attempts))
        memory = {
            "prompt": row.id,
            "progress": progress(stop.ledger),
            "woke": woke,
            "missing": list(verdict.missing),
        }
        cache.put(state, _MEMORY, stop.event.session_id, "", json.dumps(memory).encode())
        if woke and outcome is not None and outcome.cross_review is not None:
            remember(state, stop.event.session_id, outcome.cross_review)
    return True


def _remembered(stop: _Stop) -> Json | None:
    raw = cache.get(stop.event.db, _MEMORY, stop.event.session_id, "")
    try:
        found = json.loads(raw) if raw is not None else None
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.get("prompt") == stop.row.id else None


def _write(stop: _Stop, outcome: Outcome | None, verdict: Verdict, attempt: int) -> None:
    """The artifacts with the final verdict, and the person's own command where it differs from the rules'."""
    event = stop.event
    judgement = stop.judgement.replace(verdict=verdict)
    record = dict(outcome.record) if outcome is not None else None
    usage = record.pop("usage", None) if record is not None else None
    route = _route(stop)
    full = stop_judge.write_record(
        event,
        stop.ledger,
        judgement,
        attempt=attempt,
        assessment=record,
        usage=usage,
        crossReview=outcome.cross_review if outcome is not None else None,
        routing=route.as_json()
        if route is not None and verdict.end_state is EndState.INCOMPLETE
        else None,
    )
    rules = verdict_json(stop.judgement.verdict)
    if any(full["verdict"][name] != rules[name] for name in ("complete", "end_state", "severity")):
        stop_judge.notify(event, full["verdict"])
