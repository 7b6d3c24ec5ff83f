"""What a model's word comes to beside the gates'. No opinion makes a disproven gate proven; incomplete with severity NONE and
nothing missing waits for the person; what only a person can do lets the stop stand, and is never ordered.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ace_reflect.assess.answers import Assessment, JudgeAnswer
from ace_reflect.assess.items import is_concrete, may_order, sort_items
from ace_reflect.assess.when import asks_person
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.model import EndState, Finding, Judgement, Mode, Severity, Verdict
from ace_reflect.text import shortened

#: An assessment less confident than this does not make a stop complete.
CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """One model's opinion of a stop, in the common form."""

    source: str  # assessment, judge, stop_kind, review
    complete: bool
    severity: Severity = Severity.NONE
    reason: str = ""
    missing: tuple[str, ...] = ()  # what the agent could do itself
    next_actions: tuple[str, ...] = ()
    human: tuple[str, ...] = ()  # what only a person can do
    stuck: bool = False
    alternate: str = ""  # another way to try
    waits: EndState | None = None  # for the person's word, or for what runs
    unsure: bool = False  # called complete, with little confidence
    struck_out: tuple[str, ...] = ()  # what was called missing, and is done


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The verdict after the model's opinion. `push`: something is left that the agent can do."""

    verdict: Verdict
    opinion: Opinion
    push: bool = False


def from_assessment(assessment: Assessment, ledger: Ledger) -> Opinion:
    """The self-assessment as an opinion: its items sorted by who can do them."""
    status, sure = assessment.status, assessment.confidence
    done = status == "complete"
    stuck = status == "stuck" or (assessment.stuck and not done)
    left, theirs, struck = sort_items(assessment.remaining_work, ledger)
    left = [item for item in left if is_concrete(item) or not done]
    needs, persons, _ = sort_items(assessment.needs_user_action, ledger, persons=True)
    # After finished work "next steps" are suggestions; before it they are the work.
    steps, later, _ = sort_items([] if done else assessment.next_steps, ledger)
    human, named = _unique(theirs, persons, later), [*map(_key, persons)]
    left, steps = ([item for item in some if _key(item) not in named] for some in (left, steps))
    missing = _unique(left, needs)
    reason, way = f"the work is {status.replace('_', ' ')}", assessment.alternate_approach
    if done and sure < CONFIDENCE:
        reason = f"The model calls it complete, with a confidence of only {sure:.2f}"
    # What is left after the person's answer is no reason to go on without it; what the agent could ask itself is.
    waiting = status in {"waiting_for_user", "working"} and not needs
    return Opinion(
        source="assessment",
        complete=done and sure >= CONFIDENCE and not (missing or human or stuck),
        severity=Severity.MEDIUM if missing or steps else Severity.NONE,
        reason=reason,
        missing=missing,
        next_actions=_unique(needs, steps),
        human=human,
        unsure=done and sure < CONFIDENCE,
        stuck=stuck,
        alternate=way if may_order(way) else "",
        waits=EndState(status) if waiting else None,
        struck_out=tuple(struck),
    )


def from_judge(answer: JudgeAnswer, ledger: Ledger) -> Opinion:
    """The judge's verdict as an opinion. BLOCKER is the one severity that undoes `complete`."""
    severity, missing, steps = Severity[answer.severity], answer.missing, answer.next_actions
    done, persons = answer.complete and severity < Severity.BLOCKER, answer.requires_human_action
    # A fault with a severity that only the feedback describes.
    fault = "severity" in answer.model_fields_set and severity is not Severity.NONE
    bare = not (missing or steps or persons or answer.complete)
    said = answer.feedback or "something that the judge did not name"
    if severity is Severity.BLOCKER or (fault and bare and answer.feedback):
        missing = missing or [said]
    items = {"remaining_work": [] if done else missing, "next_steps": steps}
    if persons:
        items = {"needs_user_action": [*missing, *steps] or [said]}
    # Nothing wrong, nothing missing: it waits for the person, whatever steps are named for later.
    waiting = severity is Severity.NONE and not missing
    status = "complete" if done else "waiting_for_user" if waiting else "in_progress"
    told = {"status": status, "confidence": 1, **items}
    common = from_assessment(Assessment.model_validate(told), ledger)
    severity = Severity.NONE if done else severity
    return replace(common, source="judge", severity=severity, reason=answer.feedback)


def _unique(*items: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for item in (item for some in items for item in some):
        seen.setdefault(_key(item), shortened(item, 240))
    return tuple(seen.values())


def _key(item: str) -> str:
    return "".join(filter(str.isalnum, item)).lower()


def pressing(judgement: Judgement) -> list[Finding]:
    """The disproven checks that bear on this stop; no opinion overrides them."""
    found = [finding for finding in judgement.findings if finding.open and not finding.silent]
    return [finding for finding in found if finding.mode is Mode.BLOCK]


def evaluate(judgement: Judgement, opinion: Opinion) -> Evaluation:
    """The stop's verdict from the gates and the model's opinion."""
    rules, gates = judgement.verdict, pressing(judgement)
    missing = _unique([finding.reason for finding in gates], opinion.missing)
    severity = max((opinion.severity, *(finding.severity for finding in gates)))
    complete = opinion.complete and not gates and severity is not Severity.BLOCKER
    actions = _unique([f.settle or f.reason for f in gates], opinion.next_actions)
    left = bool(missing or actions or opinion.stuck)
    push = not complete and left and (bool(gates) or opinion.waits is None)
    if complete:
        end = EndState.WAITING_FOR_USER if asks_person(judgement) else EndState.COMPLETE
    elif push:
        end = EndState.INCOMPLETE
    elif opinion.human:
        end = EndState.BLOCKED_ON_HUMAN
    else:
        end = opinion.waits or EndState.WAITING_FOR_USER
    verdict = rules.replace(
        complete=complete,
        decision="allow",
        end_state=end,
        severity=Severity.NONE if complete else severity,
        missing=() if complete else missing,
        next_actions=() if complete else actions,
        requires_human_action=bool(opinion.human),
        why_silent="" if push or complete else (opinion.reason or rules.why_silent),
    )
    return Evaluation(verdict=verdict, opinion=opinion, push=push)
