"""
The whole of asking about one stop: its kind, the assessment, the judge, and what it all comes to beside the gates.

Handed the asker, the subject and the judgement; touches no file and speaks to nobody but the models.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ace_reflect.assess.asker import Asker
from ace_reflect.assess.evaluate import Evaluation, Opinion, evaluate, failed
from ace_reflect.assess.self_assessment import Assessed, assess
from ace_reflect.assess.stop_kind import Kind, ask_kind, kind_of
from ace_reflect.assess.subject import Subject
from ace_reflect.assess.text import last_sentence
from ace_reflect.assess.when import STOP_KIND, Ask
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.model import EndState, Judgement, Severity, StopKind, Verdict
from ace_reflect.text import shortened

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """
    What came of it. `verdict` is final; `evaluation` is None where the stop's kind settled it or nobody answered.

    `record` is the artifact's `assessment`. `asked` is false where nobody was asked (no budget, no time): then nothing
    has changed and nothing is to be recorded. `message` and `line` are what a review has to say to the session and to
    the person, `cross_review` the artifact's `crossReview`.
    """

    verdict: Verdict
    evaluation: Evaluation | None = None
    record: Json
    asked: bool = True
    cross_review: Json | None = None
    message: str = ""
    line: str = ""

    @property
    def push(self) -> bool:
        return self.evaluation is not None and self.evaluation.push


async def assess_stop(
    asker: Asker, subject: Subject, ledger: Ledger, judgement: Judgement, questions: Sequence[Ask]
) -> Outcome:
    """Ask what the rules left open about a stop, one question at least. Never raises an `Exception` for what a model does."""
    kind: Kind | None = None
    if questions[0].role == STOP_KIND:
        told = await ask_kind(asker, subject)
        kind = kind_of(told)
        settled = _by_kind(kind, judgement, subject)
        if settled is not None:
            return settled
        if (
            told.value is None and not told.said
        ):  # nobody can be reached: another question would go the same way
            return _unanswered(judgement, subject, told.why, asked=told.asked)
    assessed = await assess(asker, subject, ledger, judgement)
    if assessed.opinion is None:
        return _unanswered(judgement, subject, assessed.why, asked=assessed.asked, kind=kind)
    evaluation = evaluate(judgement, assessed.opinion)
    return Outcome(
        verdict=evaluation.verdict, evaluation=evaluation, record=_record(assessed, kind, subject)
    )


def _by_kind(kind: Kind, judgement: Judgement, subject: Subject) -> Outcome | None:
    """What the stop's kind settles by itself: who waits or works is left in peace, who is stuck is told to go on."""
    record = {"source": "stop_kind", "stopKind": _kind_json(kind), "why": subject.why}
    if kind.kind in {StopKind.WAITING_FOR_USER, StopKind.WORKING}:
        end = EndState.WORKING if kind.kind is StopKind.WORKING else EndState.WAITING_FOR_USER
        verdict = judgement.verdict.replace(
            complete=False, end_state=end, stop_kind=kind.kind, why_silent=kind.why
        )
        return Outcome(verdict=verdict, record=record)
    if not kind.nudge:
        return None
    last = shortened(last_sentence(subject.answer), 160)
    opinion = Opinion(
        source="stop_kind",
        complete=False,
        severity=Severity.LOW,
        reason=kind.why,
        missing=(
            f"the answer stops before the work is done: “{last}”"
            if last
            else "the turn ends without a result",
        ),
    )
    evaluation = evaluate(judgement, opinion)
    verdict = evaluation.verdict.replace(stop_kind=kind.kind)
    return Outcome(verdict=verdict, evaluation=replace(evaluation, verdict=verdict), record=record)


def _unanswered(
    judgement: Judgement, subject: Subject, why: str, *, asked: bool, kind: Kind | None = None
) -> Outcome:
    record = {
        "source": "none",
        "error": why,
        "why": subject.why,
        **({"stopKind": _kind_json(kind)} if kind else {}),
    }
    return Outcome(
        verdict=failed(judgement) if asked else judgement.verdict, record=record, asked=asked
    )


def _record(assessed: Assessed, kind: Kind | None, subject: Subject) -> Json:
    """The artifact's `assessment`: what was said, by whom, and what the ledger says to it."""
    opinion = assessed.opinion
    assert opinion is not None  # noqa: S101 - the caller looked
    judged = assessed.judged
    told = assessed.assessment if judged is None else judged
    return {
        "source": opinion.source,
        "model": told.model,
        "cached": told.source == "cache",
        "why": subject.why,
        "answer": told.value.model_dump(mode="json") if told.value is not None else None,
        **({"unreadable": assessed.assessment.said} if judged is not None else {}),
        "contradictions": [item.as_json() for item in opinion.contradictions],
        "struckOut": [{"item": item, "because": why} for item, why in opinion.struck_out],
        **({"stopKind": _kind_json(kind)} if kind is not None else {}),
    }


def _kind_json(kind: Kind) -> Json:
    told = kind.kind.value if kind.kind is not None else None
    return {"kind": told, "confidence": kind.confidence, "why": kind.why}
