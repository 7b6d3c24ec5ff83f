"""
What a model's word comes to beside the gates': complete or not, pushed or not, and why.

The gates have the last word. No opinion makes a disproven gate proven; `complete` with BLOCKER is not complete;
incomplete with severity NONE and nothing missing waits for the person and is not pushed; what only a person can do
lets the stop stand.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ace_reflect.assess.answers import Assessment, JudgeAnswer
from ace_reflect.assess.audit import Contradiction, pressing, struck_out
from ace_reflect.assess.when import asks_person
from ace_reflect.gates.model import (
    EndState,
    Finding,
    Judgement,
    Mode,
    Severity,
    State,
    Verdict,
)
from ace_reflect.gates.words import asks_for_change, is_persons
from ace_reflect.text import shortened

#: An assessment that is less sure than this does not make a stop complete.
CONFIDENCE = 0.8
_ITEM = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """One model's word on a stop, in the form that all of them come down to."""

    source: str  # assessment, judge, stop_kind, reviewer, auditor
    complete: bool
    severity: Severity = Severity.NONE
    reason: str = ""
    missing: tuple[str, ...] = ()  # what the agent could do itself
    next_actions: tuple[str, ...] = ()
    human: tuple[str, ...] = ()  # what only a person can do
    stuck: bool = False
    alternate: str = ""  # another way to try
    waits: bool = False  # the answer waits for the person's word
    contradictions: tuple[Contradiction, ...] = ()
    bearing: tuple[
        Contradiction, ...
    ] = ()  # those on checks that are called for: the record's side is what is missing
    struck_out: tuple[tuple[str, str], ...] = ()  # (item, why it is none)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The verdict with the model's word in it. `push`: there is something left that the agent can do."""

    verdict: Verdict
    opinion: Opinion
    push: bool = False


# ------------------------------------------------------------------ opinions


def from_assessment(
    assessment: Assessment, contradictions: Sequence[Contradiction], judgement: Judgement
) -> Opinion:
    """The self-assessment as an opinion: its items sorted by who can do them, its claims as the ledger leaves them."""
    done = assessment.status == "complete"
    open_items = _sorted(assessment.remaining_work, judgement)
    needs = _sorted(assessment.needs_user_action, judgement, by_default="human")
    # After finished work "next steps" are suggestions; before it they are the work.
    steps = _Sorted() if done else _sorted(assessment.next_steps, judgement)
    bearing = tuple(c for c in contradictions if _open_gates(c.gate, judgement))
    unproven = _unique(f.reason for c in bearing for f in _open_gates(c.gate, judgement))
    settle = _unique(f.settle for c in bearing for f in _open_gates(c.gate, judgement) if f.settle)
    missing = _unique(
        (*unproven, *open_items.agent, *needs.agent, *_skipped(assessment, judgement))
    )
    human = _unique((*open_items.human, *needs.human, *steps.human))
    stuck = assessment.stuck or assessment.status == "stuck"
    sure = assessment.certainty >= CONFIDENCE
    return Opinion(
        source="assessment",
        complete=done and sure and not missing and not human and not stuck,
        severity=_severity((*missing, *steps.agent), bearing)
        if not done or missing
        else Severity.NONE,
        reason=_reason(assessment, sure=sure),
        missing=missing,
        next_actions=_unique(
            (
                *(f"Run `{command}` and read its result" for command in settle),
                *needs.agent,
                *steps.agent,
            )
        ),
        human=human,
        stuck=stuck,
        alternate=assessment.alternate_approach if stuck else "",
        # What is left after the person's answer is no reason to go on without it; what the agent could ask itself is.
        waits=assessment.status == "waiting_for_user" and not needs.agent,
        contradictions=tuple(contradictions),
        bearing=bearing,
        struck_out=(*open_items.struck_out, *needs.struck_out, *steps.struck_out),
    )


def from_judge(answer: JudgeAnswer, judgement: Judgement) -> Opinion:
    """The judge's verdict as an opinion. BLOCKER is the one severity that undoes `complete`."""
    severity = Severity[answer.severity]
    by_default = "human" if answer.requires_human_action else "agent"
    missing = _sorted(
        answer.missing or _fault_without_items(answer), judgement, by_default=by_default
    )
    actions = _sorted(answer.next_actions, judgement, by_default=by_default)
    human = _unique((*missing.human, *actions.human))
    if answer.requires_human_action and not human and not missing.agent:
        human = (answer.feedback or "something that only a person can do",)
    blocker = severity is Severity.BLOCKER
    left = missing.agent or ((answer.feedback or "the judge found a blocker",) if blocker else ())
    return Opinion(
        source="judge",
        complete=answer.complete and not blocker and not human,
        severity=severity if not answer.complete or blocker else Severity.NONE,
        reason=answer.feedback,
        missing=() if answer.complete and not blocker else _unique(left),
        next_actions=actions.agent,
        human=human,
        # Nothing wrong and nothing missing: it waits for the person, whatever steps are named for later.
        waits=severity is Severity.NONE and not answer.missing,
        struck_out=(*missing.struck_out, *actions.struck_out),
    )


def _fault_without_items(answer: JudgeAnswer) -> list[str]:
    """What is missing where the judge found a fault, gave its severity, and told of it in the feedback alone."""
    told = (
        "severity" in answer.model_fields_set
        and answer.severity != "NONE"
        and bool(answer.feedback)
    )
    bare = not answer.complete and not answer.next_actions and not answer.requires_human_action
    return [answer.feedback] if told and bare else []


@dataclass(frozen=True, slots=True)
class _Sorted:
    agent: tuple[str, ...] = ()
    human: tuple[str, ...] = ()
    struck_out: tuple[tuple[str, str], ...] = ()


def _sorted(items: Iterable[str], judgement: Judgement, *, by_default: str = "agent") -> _Sorted:
    """Items by who can do them, told by action and object; without those that a gate has settled."""
    agent, human, none = [], [], []
    for item in items:
        agents = bool(_AGENTS.search(item)) or asks_for_change(item)
        persons = not agents and is_persons(f"You: {item}")
        why = "" if persons else struck_out(item, judgement)
        if why:
            none.append((item, why))
        elif persons or (by_default == "human" and not agents):
            human.append(item)
        else:
            agent.append(item)
    return _Sorted(tuple(agent), tuple(human), tuple(none))


def _skipped(assessment: Assessment, judgement: Judgement) -> tuple[str, ...]:
    """Required tests that were skipped, whatever for. "None" is no reason, and no skip."""
    required = any(
        f.gate == "tests" and f.state in {State.DISPROVEN, State.PROVEN} for f in judgement.findings
    )
    if not required or not assessment.tests.skipped:
        return ()
    why = (
        f" ({shortened(assessment.tests.skip_reason, 100)})" if assessment.tests.skip_reason else ""
    )
    return (f"required tests were skipped{why}",)


def _open_gates(gate: str, judgement: Judgement) -> list[Finding]:
    """A check's findings that are the business of this stop and not settled yet."""
    return [
        f
        for f in judgement.findings
        if f.gate == gate
        and f.state in {State.DISPROVEN, State.UNKNOWN}
        and f.mode is Mode.BLOCK
        and not f.silent
    ]


#: What may be taken back from a list of things for the person: running tests and builds, reading files and logs.
_AGENTS = re.compile(
    r"(?i)^\W*(?:please |you (?:need|have|should) (?:to )?)*(?:(?:re-?)?run\b.{0,40}\b(?:tests?|suite|specs?|builds?|linter|type ?check\w*)"
    r"|(?:run\W+)?(?:npm|pnpm|yarn|bun|go|cargo|make|pytest)\b|build (?:it|the)\b|compile\b"
    r"|(?:read|look (?:at|into)|inspect|view|check|review)\b.{0,40}\b(?:files?|logs?|output|source|code|diff)\b)"
)
_HIGH = re.compile(r"(?i)\b(?:tests?|pytest|specs?|builds?|compil\w+|type ?check)\b")
_MEDIUM = re.compile(r"(?i)\b(?:ci|checks?|pipelines?)\b")


def _severity(items: Sequence[str], contradictions: Sequence[Contradiction]) -> Severity:
    """Tests and builds HIGH, CI MEDIUM, anything LOW. BLOCKER is never an assessment's to give."""
    text = "\n".join((*items, *(c.gate for c in contradictions)))
    if not text:
        return Severity.NONE
    if _HIGH.search(text):
        return Severity.HIGH
    return Severity.MEDIUM if _MEDIUM.search(text) else Severity.LOW


def _reason(assessment: Assessment, *, sure: bool) -> str:
    said = {
        "in_progress": "the work is not finished",
        "stuck": "the work is stuck",
        "blocked": "the work is blocked",
    }
    if assessment.status == "complete" and not sure:
        return f"called complete, with a confidence of {assessment.certainty:.2f}"
    return said.get(assessment.status, assessment.status.replace("_", " "))


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for item in items:
        seen.setdefault(re.sub(r"\W+", " ", item).strip().lower(), shortened(item, _ITEM))
    return tuple(seen.values())


# ------------------------------------------------------------------ merging


def combined(first: Opinion, *others: Opinion) -> Opinion:
    """Several opinions as one: complete only if all say so, the gravest severity, everybody's items."""
    every = (first, *others)
    return replace(
        first,
        complete=all(one.complete for one in every),
        severity=max(one.severity for one in every),
        missing=_unique(item for one in every for item in one.missing),
        next_actions=_unique(item for one in every for item in one.next_actions),
        human=_unique(item for one in every for item in one.human),
        stuck=any(one.stuck for one in every),
        alternate=next((one.alternate for one in every if one.alternate), ""),
        contradictions=tuple(c for one in every for c in one.contradictions),
        bearing=tuple(c for one in every for c in one.bearing),
        struck_out=tuple(pair for one in every for pair in one.struck_out),
    )


def evaluate(judgement: Judgement, opinion: Opinion) -> Evaluation:
    """The stop's verdict, with the model's word beside the gates'."""
    rules = judgement.verdict
    open_gates = pressing(judgement)
    missing = _unique((*(finding.reason for finding in open_gates), *opinion.missing))
    severity = max((opinion.severity, *(finding.severity for finding in open_gates)))
    complete = opinion.complete and not open_gates and severity is not Severity.BLOCKER
    actions = _unique((*(f.settle or f.reason for f in open_gates), *opinion.next_actions))
    doable = bool(missing or (actions and not complete) or opinion.stuck)
    push = not complete and doable and not (opinion.waits and not open_gates)
    verdict = rules.replace(
        complete=complete,
        decision="allow",
        end_state=_end_state(judgement, opinion, complete=complete, push=push),
        severity=Severity.NONE if complete else severity,
        missing=() if complete else missing,
        next_actions=() if complete else actions,
        requires_human_action=bool(opinion.human),
        why_silent="" if push or complete else (opinion.reason or rules.why_silent),
    )
    return Evaluation(verdict=verdict, opinion=opinion, push=push)


def _end_state(judgement: Judgement, opinion: Opinion, *, complete: bool, push: bool) -> EndState:
    if complete:
        return EndState.WAITING_FOR_USER if asks_person(judgement) else EndState.COMPLETE
    if push:
        return EndState.INCOMPLETE
    return EndState.BLOCKED_ON_HUMAN if opinion.human else EndState.WAITING_FOR_USER


def failed(judgement: Judgement) -> Verdict:
    """The verdict where every model failed: not complete, an error, and the stop stands."""
    return judgement.verdict.replace(
        complete=False, decision="allow", end_state=EndState.ERROR, why_silent="no model answered"
    )
