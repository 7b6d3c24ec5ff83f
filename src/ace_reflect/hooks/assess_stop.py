"""A stop that a model is asked about: what it is shown, whether the person has gone on meanwhile, what is recorded."""

import json
import sys
import time

from ace_reflect.assess import message, review, when
from ace_reflect.assess.instructions import project_texts
from ace_reflect.assess.role import asker_for
from ace_reflect.assess.stop import Outcome, assess_stop
from ace_reflect.assess.subject import read_turn, subject_of
from ace_reflect.gates.model import EndState
from ace_reflect.hooks import artifacts, judge
from ace_reflect.hooks.edge import Event, Json, read_object
from ace_reflect.llm import event_loop
from ace_reflect.playbook.neutral import neutral_lines
from ace_reflect.report import session as report
from ace_reflect.state import cache, sessions

#: `cache` kind, by session: what was asked about last, and whether the session was woken for it.
_MEMORY = "assess-asked"
_STUCK_AFTER_S = 30.0  # a younger stop is not asked about whether it is stuck
_FOREGROUND_S = 60.0  # for everything, where somebody waits
_BACKGROUND_S = 190.0  # the same where nobody does; below the host's limit for this entry


class _GoneOnError(Exception):
    """The person, or the session, has gone on since the stop; the message says how."""


class Assessment:
    """One stop, which happened at `started` (seconds since 1970)."""

    def __init__(self, event: Event, started: float) -> None:
        self.event, self.started = event, started
        self.row = sessions.prompt_or_new(event.state, event.session_id)
        builder, self.read_to, _ = judge.stored(event)
        self.ledger = builder.ledger()
        self.judgement, self.questions, self.reviews = judge.judged(event, self.ledger)
        #: What a model would say again where it is the same.
        self.about = [self.row.id, when.progress(self.ledger)]
        # In print mode the host always waits, and so does Codex, which alone names turns; elsewhere it does where this
        # entry is registered so.
        waits = "--wait" in sys.argv or "turn_id" in event.payload
        self.foreground = self.ledger.now.print_mode or waits

    def answer(self) -> Json | None:
        """Ask about the stop, and wake the session where work is left; the answer is for a host that waits."""
        event, asked = self.event, cache.get(self.event.state, _MEMORY, self.event.session_id)
        told = read_object(asked) or {}
        try:
            again = told.get("about") == self.about
            outcome = self._again(told) if again else self._asked()
            if not outcome.asked:
                why = outcome.record.get("error") or json.dumps(outcome.cross_review)
                event.log("not-asked", why=why[:400])
                return None
            text = self._concluded(outcome)
        except _GoneOnError as error:
            event.log("gone-on", why=str(error))
            return None
        if text:
            event.code = 2  # wakes the session
            sys.stderr.write(f"{text}\n")
        if not self.foreground:  # a late answer goes to the model, not to the person
            return None
        if text:
            return {"decision": "block", "reason": text}
        found = outcome.evaluation
        line = outcome.line or (message.left_to_person(found) if found else "")
        return {"systemMessage": neutral_lines(line)} if line else None

    def _asked(self) -> Outcome:
        """The assessment where the rules left something open, and the review of what is complete by then."""
        event, ledger, judgement = self.event, self.ledger, self.judgement
        kinds = [question.role for question in self.questions]
        if when.STOP_KIND in kinds and not self.foreground:
            # Whoever answers within that time is not stuck.
            time.sleep(max(self.started + _STUCK_AFTER_S - time.time(), 0))
        self._look()
        whole_s = _FOREGROUND_S if self.foreground else _BACKGROUND_S
        ends = time.monotonic() + whole_s - (time.time() - self.started)
        place = (event.state, event.project, event.environ)
        asker = asker_for(*place, session=event.session_id, ends=ends)
        subject = subject_of(
            ledger,
            judgement,
            read_turn(event.transcript, ledger.now.line, ledger.lines),
            answer=event.text("last_assistant_message").strip() or None,
            why=self.questions[-1].why if self.questions else "",
            max_attempts=event.settings.max_attempts,
            **project_texts(event.state, event.project)._asdict(),
        )

        async def outcome() -> Outcome:
            found = Outcome(verdict=judgement.verdict, record={"source": "rules"}, asked=False)
            about = (asker, subject, ledger, judgement)
            if self.questions:
                found = await assess_stop(*about, self.questions)
            if self.reviews and found.verdict.complete:
                found = await review.reviewed(found, *about, event.project)
            return found

        found = event_loop.run(outcome())
        found.record["usage"] = {**asker.usage.to_json(), "calls": len(asker.calls)}
        return found

    def _look(self) -> None:
        """Raises _GoneOnError where the stop is not the last thing any more: nobody speaks about it then."""
        state, session_id = self.event.state, self.event.session_id
        if sessions.prompt(state, session_id) != self.row:
            raise _GoneOnError("a newer prompt")
        session = sessions.get(state, session_id)
        if session is not None and session.ended_at is not None:
            raise _GoneOnError("the session has ended")
        with open(self.event.transcript, "rb") as file:
            file.seek(self.read_to.offset if self.read_to else 0)
            new = file.read().replace(b'": ', b'":')
        if b'"type":"user"' in new:  # a prompt, a result, an interrupt, a notification
            raise _GoneOnError("a newer turn")

    def _again(self, told: Json) -> Outcome:
        """A model was asked about this very state of the work: if it woke the session then, the stop is given up."""
        verdict, missing = self.judgement.verdict, tuple(told["missing"])
        if not told["woke"]:
            return Outcome(verdict=verdict, record={"error": "asked before"}, asked=False)
        line = message.gave_up(missing, self.judgement.history.attempts)
        more = {"complete": False, "missing": missing, "system_message": line}
        verdict = verdict.replace(end_state=EndState.GAVE_UP, **more)
        return Outcome(verdict=verdict, record={"source": "rules"}, line=line)

    def _concluded(self, outcome: Outcome) -> str:
        """Count and record, unless the person has gone on; the message that wakes the session, where the agent can go on."""
        event, evaluation, reviews = self.event, outcome.evaluation, outcome.cross_review
        text, routing, history, verdict = "", None, self.judgement.history, outcome.verdict
        if evaluation is not None and evaluation.push:
            history = history.replace(attempts=history.attempts + 1)
            count = {"attempt": history.attempts, "most": event.settings.max_attempts}
            text = outcome.message or message.wake_message(evaluation, **count)
            text, routing = judge.handed_over(event, self.row.id, text)
        woke = bool(text) or verdict.end_state is EndState.GAVE_UP
        memory = {"about": self.about, "woke": woke, "missing": verdict.missing}
        judgement = self.judgement.replace(verdict=verdict, history=history)
        with event.state.transaction():
            self._look()
            judge.remember(event, self.row.id, judgement)
            cache.put(event.state, _MEMORY, event.session_id, "", json.dumps(memory).encode())
            if text and reviews is not None:
                review.remember(event.state, event.session_id, reviews)
        record = outcome.record
        more = {"usage": record.pop("usage", None), "assessment": record, "crossReview": reviews}
        more |= {"attempt": history.attempts, "routing": routing}
        full = report.report(self.ledger, judgement, artifacts.RECORDED_FACTS)
        # The person's own command hears a verdict that is a new one.
        artifacts.publish(event, full, tell=verdict != self.judgement.verdict, **more)
        by, error = record.get("source"), record.get("error")
        event.log("wake" if text else "stands", by=by, error=error, why=verdict.why_silent or None)
        return neutral_lines(text)
