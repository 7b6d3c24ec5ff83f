"""A stop that a model is asked about: what it is shown, whether the person has gone on meanwhile, what is recorded."""

import asyncio
import json
import time

from ace_reflect import log
from ace_reflect.assess import message, review, when
from ace_reflect.assess.instructions import project_texts
from ace_reflect.assess.role import asker_for
from ace_reflect.assess.stop import Outcome, assess_stop
from ace_reflect.assess.subject import subject_of
from ace_reflect.assess.work import read_turn
from ace_reflect.gates.model import EndState, Verdict
from ace_reflect.hooks import judge
from ace_reflect.hooks.edge import Event, Json, Pace, read_object
from ace_reflect.llm import event_loop
from ace_reflect.playbook.neutral import neutral_lines
from ace_reflect.state import cache, prompts, sessions

#: `cache` kind, by session: what was asked about last, and whether the session was woken for it.
_MEMORY = "assess-asked"
_STUCK_AFTER_S = 30.0  # a younger stop is not asked about whether it is stuck
_FOREGROUND_S = 60.0  # for everything, where somebody waits
_BACKGROUND_S = 190.0  # the same where nobody does; below the host's limit for this entry


class _GoneOnError(Exception):
    """The person, or the session, has gone on since the stop; the message says how."""


class Assessment:
    """One stop, which happened at `started` (seconds since 1970)."""

    def __init__(self, event: Event, started: float, pace: Pace) -> None:
        self.event, self.started, self.pace = event, started, pace
        self.row = prompts.ensure(event.state, event.session_id)
        builder, self.read_to, _ = judge.stored(event)
        self.ledger = builder.ledger()
        judge.hold_settings(event, self.ledger)
        self.judgement = judge.judge_ledger(event, self.ledger)
        self.attempts = self.judgement.history.attempts
        running = judge.running_tasks(event, self.ledger)
        self.questions = when.asks(self.judgement, event.settings, self.ledger, running)
        self.reviews = when.wants_review(self.judgement, event.settings, running)
        # In print mode the host always waits; elsewhere it does where this entry is registered so.
        self.foreground = self.judgement.task.print_mode or pace.waits

    def answer(self, woken: list[str]) -> Json | None:
        """Ask about the stop. What is to wake the session is put into `woken`; the answer is for a host that waits."""
        kept = cache.get(self.event.state, _MEMORY, self.event.session_id, "")
        told = read_object(kept) or {}
        try:
            if (told.get("prompt"), told.get("progress")) == self._about():
                line = self._nothing_done_since(told)
            else:
                line = self._concluded(event_loop.run(self._asked()), woken)
        except _GoneOnError as error:
            self.event.log("gone-on", why=str(error))
            return None
        if not self.foreground:  # a late answer goes to the model, not to the person
            return None
        if woken:
            return {"decision": "block", "reason": woken[0]}
        return {"systemMessage": neutral_lines(line)} if line else None

    def _about(self) -> tuple[int, str]:
        return self.row.id, when.progress(self.ledger)

    async def _asked(self) -> Outcome:
        """What comes of it; the asking ends as soon as the person has gone on."""
        asking = asyncio.ensure_future(self._outcome())
        try:
            while not asking.done():
                self._look()
                await asyncio.wait({asking}, timeout=self.pace.poll_s)
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        return asking.result()

    async def _outcome(self) -> Outcome:
        """The assessment where the rules left something open, and the review of what is complete by then."""
        event, ledger = self.event, self.ledger
        judgement, questions = self.judgement, self.questions
        if questions and questions[0].role == when.STOP_KIND and not self.foreground:
            # Whoever answers within that time is not stuck.
            await asyncio.sleep(self.started + _STUCK_AFTER_S - time.time())
        whole_s = _FOREGROUND_S if self.foreground else _BACKGROUND_S
        ends = time.monotonic() + whole_s - (time.time() - self.started)
        place = (event.state, event.project, event.environ)
        asker = asker_for(*place, session=event.session_id, ends=ends)
        why = questions[-1].why if questions else ""
        subject = subject_of(
            ledger,
            judgement,
            read_turn(event.transcript, ledger.turns[-1].line, ledger.lines),
            answer=event.text("last_assistant_message").strip() or None,
            why=why,
            max_attempts=event.settings.max_attempts,
            **project_texts(event.state, event.project)._asdict(),
        )
        event.log("asking", why=log.unquoted(why)[:120])
        outcome = Outcome(verdict=judgement.verdict, record={"source": "rules"}, asked=False)
        if questions:
            outcome = await assess_stop(asker, subject, ledger, judgement, questions)
        if self.reviews and outcome.verdict.complete:
            more = (asker, subject, ledger, judgement, event.project)
            outcome = await review.reviewed(outcome, *more)
        outcome.record["usage"] = {**asker.usage.to_json(), "calls": len(asker.calls)}
        return outcome

    def _look(self) -> None:
        """Raises _GoneOnError where the stop is not the last thing any more: nobody speaks about it then."""
        state, session_id = self.event.state, self.event.session_id
        row, session = prompts.current(state, session_id), sessions.get(state, session_id)
        if row is None or (row.id, row.attempts) != (self.row.id, self.row.attempts):
            raise _GoneOnError("a newer prompt")
        if session is not None and session.ended_at is not None:
            raise _GoneOnError("the session has ended")
        try:
            with open(self.event.transcript, "rb") as file:
                file.seek(self.read_to.offset if self.read_to else 0)
                new = file.read().replace(b'": ', b'":')
        except OSError:
            raise _GoneOnError("no transcript") from None
        if b'"type":"user"' in new:  # a prompt, a result, an interrupt, a notification
            raise _GoneOnError("a newer turn")

    def _concluded(self, outcome: Outcome, woken: list[str]) -> str:
        """Count, record, and wake the session where the agent can go on; the line to the person."""
        event, evaluation, reviews = self.event, outcome.evaluation, outcome.cross_review
        record = dict(outcome.record)
        usage, error = record.pop("usage"), str(record.get("error", ""))
        if not outcome.asked:
            event.log("not-asked", why=(error or json.dumps(reviews))[:400])
            return ""
        text, routing = "", None
        if evaluation is not None and evaluation.push:
            self.attempts += 1
            count = {"attempt": self.attempts, "most": event.settings.max_attempts}
            text = outcome.message or message.wake_message(evaluation, **count)
            text, routing = judge.handed_over(event, self.row.id, text)
        more = {"assessment": record, "usage": usage, "crossReview": reviews, "routing": routing}
        self._conclude(outcome.verdict, woke=bool(text), **more)
        if text:
            woken.append(neutral_lines(text))
        if text and reviews is not None:
            review.remember(event.state, event.session_id, reviews)
        event.log("wake" if text else "stands", by=record.get("source"), error=error[:200] or None)
        return outcome.line or (message.left_to_person(evaluation) if evaluation else "")

    def _nothing_done_since(self, told: Json) -> str:
        """A model was asked about this very state of the work: if it woke the session then, the stop is given up."""
        if not told.get("woke"):
            self.event.log("asked-before")
            return ""
        missing = tuple(map(str, told.get("missing") or ()))
        line = message.gave_up(missing, self.attempts)
        more = {"complete": False, "missing": missing, "system_message": line}
        verdict = self.judgement.verdict.replace(end_state=EndState.GAVE_UP, **more)
        self._conclude(verdict, woke=True)
        self.event.log("gave-up", attempt=self.attempts)
        return line

    def _conclude(self, verdict: Verdict, *, woke: bool, **more: object) -> None:
        """Put the verdict on record, unless the person has gone on; their own command hears it where it is a new one."""
        event = self.event
        history = self.judgement.history.replace(attempts=self.attempts)
        judgement = self.judgement.replace(verdict=verdict, history=history)
        prompt, progress = self._about()
        memory = {"prompt": prompt, "progress": progress, "woke": woke, "missing": verdict.missing}
        with event.state.transaction():
            self._look()
            judge.remember(event, self.row.id, judgement)
            cache.put(event.state, _MEMORY, event.session_id, "", json.dumps(memory).encode())
        tell = verdict != self.judgement.verdict
        judge.publish(event, self.ledger, judgement, tell=tell, **more)
