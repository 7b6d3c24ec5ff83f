"""What a model's word comes to beside the gates'. No opinion makes a disproven gate proven; incomplete with severity NONE and
nothing missing waits for the person; what only a person can do lets the stop stand, and is never ordered.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ace_reflect.assess.answers import Assessment, JudgeAnswer
from ace_reflect.assess.when import asks_person
from ace_reflect.evidence.facts import Ledger, Outcome
from ace_reflect.gates.model import EndState, Finding, Judgement, Mode, Severity, Verdict
from ace_reflect.gates.words import is_persons
from ace_reflect.text import shortened

#: An assessment less confident than this does not make a stop complete.
CONFIDENCE = 0.8
#: What may be taken back from a list of things for the person: running tests and builds, reading files and logs.
_AGENTS = re.compile(
    r"(?i)^\W*(?:please |you (?:need|have|should) (?:to )?)*(?:(?:re-?)?run\b.{0,40}\b(?:tests?|suite|specs?|builds?|linter|type ?check\w*)"
    r"|(?:run\W+)?(?:npm|pnpm|yarn|bun|go|cargo|make|pytest)\b|build (?:it|the)\b|compile\b"
    r"|(?:read|look (?:at|into)|inspect|view|check|review)\b.{0,40}\b(?:files?|logs?|output|source|code|diff)\b)"
)


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
    done, stuck = status == "complete", assessment.stuck or status == "stuck"
    left, theirs, struck = _sorted(assessment.remaining_work, ledger)
    needs, persons, _ = _sorted(assessment.needs_user_action, ledger, persons=True)
    # After finished work "next steps" are suggestions; before it they are the work.
    steps, later, _ = _sorted([] if done else assessment.next_steps, ledger)
    missing, human = _unique(left, needs), _unique(theirs, persons, later)
    reason = f"the work is {status.replace('_', ' ')}"
    if done and sure < CONFIDENCE:
        reason = f"called complete, with a confidence of {sure:.2f}"
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
        stuck=stuck,
        alternate=assessment.alternate_approach,
        waits=EndState(status) if waiting else None,
        struck_out=tuple(struck),
    )


def from_judge(answer: JudgeAnswer, ledger: Ledger) -> Opinion:
    """The judge's verdict as an opinion. BLOCKER is the one severity that undoes `complete`."""
    severity, persons = Severity[answer.severity], answer.requires_human_action
    done = answer.complete and severity is not Severity.BLOCKER
    # A fault with a severity that only the feedback describes.
    fault = "severity" in answer.model_fields_set and severity is not Severity.NONE
    bare = not (answer.missing or answer.next_actions or persons or answer.complete)
    told = [answer.feedback] if answer.feedback and fault and bare else answer.missing
    missing, human, struck = _sorted(told, ledger, persons=persons)
    actions, later, _ = _sorted(answer.next_actions, ledger, persons=persons)
    if persons and not (human or later or missing):
        human = [answer.feedback or "something that only a person can do"]
    if severity is Severity.BLOCKER and not missing:
        missing = [answer.feedback or "the judge found a blocker"]
    # Nothing wrong, nothing missing: it waits for the person, whatever steps are named for later.
    waiting = severity is Severity.NONE and not answer.missing
    return Opinion(
        source="judge",
        complete=done and not (human or later),
        severity=Severity.NONE if done else severity,
        reason=answer.feedback,
        missing=() if done else _unique(missing),
        next_actions=tuple(actions),
        human=_unique(human, later),
        waits=EndState.WAITING_FOR_USER if waiting else None,
        struck_out=tuple(struck),
    )


def _sorted(
    items: Iterable[str], ledger: Ledger, *, persons: bool = False
) -> tuple[list[str], list[str], list[str]]:
    """The agent's items, a person's, and those the ledger shows as done. `persons`: the model says they are a person's."""
    agent, human, done = [], [], []
    for item in items:
        if not _AGENTS.search(item) and (persons or is_persons(f"You: {item}")):
            human.append(item)
        elif _is_done(item, ledger):
            done.append(item)
        else:
            agent.append(item)
    return agent, human, done


def _is_done(item: str, ledger: Ledger) -> bool:
    """Whether the commands in an item's backticks have passed since the last edit; not those that the prompt asks for."""
    last_edit = max((edit.sequence for edit in ledger.edits if edit.is_work), default=0)
    ended = {run.own or run.command: run for run in ledger.runs if run.sequence > last_edit}
    passed = [name for name, run in ended.items() if run.outcome is Outcome.PASSED]
    named, asked = item.split("`")[1::2], ledger.turns[-1].prompt if ledger.turns else ""
    return bool(named) and all(name in passed and name not in asked for name in named)


def _unique(*items: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for item in (item for some in items for item in some):
        seen.setdefault("".join(filter(str.isalnum, item)).lower(), shortened(item, 240))
    return tuple(seen.values())


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
