"""All that is asked about one stop (its kind, the assessment, the judge), each by a fresh call; and what it comes to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ace_reflect.assess.answers import Assessment, JudgeAnswer, StopKindAnswer
from ace_reflect.assess.evaluate import Evaluation, evaluate, from_assessment, from_judge, from_kind
from ace_reflect.assess.role import Asker, Role, Told, ask_models
from ace_reflect.assess.subject import Subject, newest
from ace_reflect.assess.when import STOP_KIND, Ask
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.model import EndState, Judgement, StopKind, Verdict
from ace_reflect.text import cut_middle

Json = dict[str, Any]

#: Asked once: if the answer is prose, the judge reads it.
ASSESS: Role[Assessment] = Role("assess", Assessment, max_tokens=2_500, fresh_s=3_600.0, asks=1)
JUDGE: Role[JudgeAnswer] = Role("judge", JudgeAnswer, max_tokens=1_500, fresh_s=3_600.0)
#: Asked only when the message is half a minute old: slow is not stuck.
KIND: Role[StopKindAnswer] = Role(
    "stop_kind", StopKindAnswer, deadline_s=30.0, max_tokens=400, fresh_s=60.0, fast=True
)
_NUDGE_FROM = 0.5  # confidence below which a stuck turn is left alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome. If nobody was `asked` (no budget, no time), nothing has changed and nothing is recorded."""

    verdict: Verdict
    evaluation: Evaluation | None = None  # None if the stop's kind settled it or nobody answered
    record: Json  # the artifact's `assessment`
    asked: bool = True
    cross_review: Json | None = None  # the artifact's `crossReview`
    message: str = ""  # of a review, to the session
    line: str = ""  # of a review, to the person


async def assess_stop(
    asker: Asker, subject: Subject, ledger: Ledger, judgement: Judgement, questions: Sequence[Ask]
) -> Outcome:
    """Ask what the rules left open about a stop, at least one question. Never raises an `Exception` for what a model does."""
    record: Json = {"why": subject["why"]}
    if questions[0].role == STOP_KIND:
        kind = await ask_models(KIND, kind_values(subject), asker)
        if kind.value is None and not kind.said:  # another question would fail the same way
            return _unanswered(judgement, kind, record)
        record["stopKind"] = {"kind": None, "confidence": 0.0, "why": kind.why}
        settled = _by_kind(kind.value, judgement, subject, record) if kind.value else None
        if settled is not None:
            return settled
    told = await ask_models(ASSESS, subject, asker)
    if told.value is not None:
        evaluation = evaluate(judgement, from_assessment(told.value, ledger))
        return _outcome(evaluation, told, record)
    if not told.said.strip():
        return _unanswered(judgement, told, record)
    judged = await ask_models(JUDGE, judge_values(subject, told.said), asker)
    if judged.value is None:
        return _unanswered(judgement, replace(judged, asked=True), record)
    record["unreadable"] = told.said
    return _outcome(evaluate(judgement, from_judge(judged.value, ledger)), judged, record)


def kind_values(subject: Subject) -> dict[str, str]:
    """The values for the stop-kind prompt."""
    return {
        **subject,
        "task": cut_middle(subject["task"], 900),
        "answer": cut_middle(subject["answer"], 1_300),
        "work": newest(subject["work"].splitlines(), 800, what="lines"),
        "facts": newest(subject["facts"].splitlines(), 500, what="lines"),
    }


def judge_values(subject: Subject, assessment: str = "") -> dict[str, str]:
    """The values for the judge's prompt. `assessment`: the text of one that could not be read, or ""."""
    none = "(there is none: judge from the facts, the work and the last answer)"
    return {**subject, "assessment": assessment.strip() or none}


def _by_kind(
    kind: StopKindAnswer, judgement: Judgement, subject: Subject, record: Json
) -> Outcome | None:
    """What the stop's kind settles by itself: one that waits or works is left alone, one that is stuck is told to go on."""
    record["stopKind"] = kind.model_dump(mode="json")
    record = {"source": "stop_kind", **record}
    if kind.kind in {StopKind.WAITING_FOR_USER, StopKind.WORKING}:
        found = {"end_state": EndState(kind.kind), "stop_kind": kind.kind, "why_silent": kind.why}
        verdict = judgement.verdict.replace(complete=False, **found)
        return Outcome(verdict=verdict, record=record)
    stuck = kind.kind is not StopKind.COMPLETE and kind.confidence >= _NUDGE_FROM
    opinion = from_kind(kind, subject["answer"]) if stuck else None
    if opinion is None:
        return None
    evaluation = evaluate(judgement, opinion)
    verdict = evaluation.verdict.replace(stop_kind=kind.kind)
    return Outcome(verdict=verdict, evaluation=evaluation._replace(verdict=verdict), record=record)


def _outcome(evaluation: Evaluation, told: Told[Any], record: Json) -> Outcome:
    record = {
        "source": evaluation.opinion.source,
        "model": told.model,
        "cached": told.source == "cache",
        "answer": told.value and told.value.model_dump(mode="json"),
        "struckOut": list(evaluation.opinion.struck_out),
        **record,
    }
    return Outcome(verdict=evaluation.verdict, evaluation=evaluation, record=record)


def _unanswered(judgement: Judgement, told: Told[Any], record: Json) -> Outcome:
    """If every model failed, the verdict is an error and the stop stands; if nobody was asked, it is as before."""
    verdict = judgement.verdict
    if told.asked:
        failed = {"end_state": EndState.ERROR, "why_silent": "no model answered"}
        verdict = verdict.replace(complete=False, decision="allow", **failed)
    record = {"source": "none", "error": told.why, **record}
    return Outcome(verdict=verdict, record=record, asked=told.asked)
