"""What a model's word comes to beside the gates', and who is to do what it calls open.

No opinion makes a disproven gate proven; incomplete with severity NONE and nothing missing waits for the person. What is a
person's (merging, publishing, deploying, deleting, paying, accounts, production) is never ordered, whoever names it.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ace_reflect.assess.answers import Assessment, JudgeAnswer, StopKindAnswer
from ace_reflect.assess.when import asks_person
from ace_reflect.evidence.facts import Ledger, Outcome
from ace_reflect.gates.model import EndState, Finding, Judgement, Mode, Severity, Verdict
from ace_reflect.gates.words import is_persons, sentences, starts
from ace_reflect.text import shortened

#: An assessment less confident than this does not make a stop complete.
CONFIDENCE = 0.8
#: What the agent may be told although the model calls it a person's.
_HARMLESS = re.compile(
    r"(?i)^\W*(?:please )?(?:(?:(?:re-?)?run|execute|npm|pnpm|yarn|cargo)\b.{0,30}\b(?:tests?|pytest|suite|specs|build|linter|type ?checks?)"
    r"|build (?:it|the project)|pytest|(?:read|look (?:at|into)|inspect|view|check)\b.{0,40}\b(?:files?|logs?))\b"
)
#: It is more than that, or elsewhere.
_MORE = re.compile(
    r"(?i)[,;?&|]|\b(?:and|then|or|that|before|after|once|your|by hand|manual\w*|prod\w*|live|staging|servers?|devices?|console"
    r"|dashboard|browser|accounts?|(?:deploy|publish|releas|merg|delet|migrat|pay)\w*)\b"
)
#: Where an order begins, or as a command's argument. "The merge conflict" and "the delete button" are the agent's.
_NEVER = re.compile(
    r"""(?ix)(?:^\W*|[,;:.(]\ *|\b(?:and|then|or|please|you|(?:needs?|have|has)\ to)\ )(?:
      (?:merge|(?:un)?publish|(?:re)?deploy|delete|pay|buy|purchase|subscribe|ship|sign\ up|roll\ (?:out|back)|go\ live|tag\ v?\d
        |release\ (?=v?\d|it\b|to\b|(?:the\ |a\ )?(?:new\ )?(?:package|version|app|update)\b)|(?:rotate|revoke)\b.{0,20}\b(?:key|token|secret)s?
        |(?:cut|make|create|do|open|close|set\ up|upgrade|link|connect)\ (?:an?\ |the\ |your\ )?(?:\w+\ )?(?:release|payment|purchase|deployment|account)
      )\b(?!['’`]|[-\ ](?:conflict|request|script|step|button|endpoint|route|handler|job|test|workflow|note|method|page|model|form|view)s?\b)
      |(?:remove|drop|destroy|wipe|purge|truncate)\b.{0,30}\b(?:branch|database|table|bucket|volume|cluster|backup|repository)(?:e?s)?\b
      |(?:upload|submit)\b.{0,40}\b(?:store|pypi|npm|registry|marketplace|hub)\b
      |(?:(?:re-?)?run|execute|(?:re)?start|apply|test|try|check|verify|migrate|move|enable|change)\b.{0,60}\bprod(?:uction)?\b(?!\ (?:mode|build))
    )|(?:`[^`\s]+|\b(?:npm|pnpm|yarn|bun|cargo|poetry|uv|gh|git|docker|make|just|terraform|kubectl))\ (?:[^`]{0,60}\ )?
      (?:merge|publish|deploy|release|delete|destroy|apply|upload|rm|drop|--force\S*|--delete|-D)(?=[\s`:,.]|$)
    |`(?:rm|twine|vercel|netlify|fly|helm)\ """
)
#: A file, a command, a number or an order; a courtesy has none of them.
_CONCRETE = re.compile(
    r"(?i)^(?!\W*(?:no|none|nothing|everything)\b)(?:.*(?:`|\w[./_]\w|#\d)"
    r"|\W*(?:(?:re-?)?run|execute|push|commit|mention|document|verify|show|read|use|look|call)\b)"
)


class Opinion(NamedTuple):
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


class Evaluation(NamedTuple):
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
    return common._replace(source="judge", severity=severity, reason=answer.feedback)


def from_kind(kind: StopKindAnswer, answer: str) -> Opinion | None:
    """A stuck turn as an opinion; None if its last words announce what may be a person's: the assessment asks whose it is."""
    last = shortened((sentences(answer) or [""])[-1], 160)
    if not may_order(last):
        return None
    missing = (f"the answer stops before the work is done: “{last}”",)
    return Opinion(
        "stop_kind", complete=False, severity=Severity.LOW, reason=kind.why, missing=missing
    )


def _unique(*items: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for item in (item for some in items for item in some):
        seen.setdefault(_key(item), shortened(item, 240))
    return tuple(seen.values())


def _key(item: str) -> str:
    return "".join(filter(str.isalnum, item)).lower()


def pressing(judgement: Judgement) -> list[Finding]:
    """The disproven checks that bear on this stop; no opinion overrides them."""
    found = judgement.findings
    return [each for each in found if each.open and not each.silent and each.mode is Mode.BLOCK]


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


def sort_items(
    items: Iterable[str], ledger: Ledger, *, persons: bool = False
) -> tuple[list[str], list[str], list[str]]:
    """The agent's items, a person's, and those the ledger shows as done. `persons`: the model says they are a person's."""
    agent, human, done = [], [], []
    for item in items:
        harmless = _HARMLESS.search(item) and not _MORE.search(item)
        if not may_order(item) or (persons and not harmless):
            human.append(item)
        elif _is_done(item, ledger):
            done.append(item)
        else:
            agent.append(item)
    return agent, human, done


def may_order(item: str) -> bool:
    """Whether the agent may be told this at all."""
    return not (_NEVER.search(item) or is_persons(f"You: {item}"))


def is_concrete(item: str) -> bool:
    """Whether it says what to do or where, as "All done" does not."""
    return bool(_CONCRETE.search(item) or starts("change", item))


def _is_done(item: str, ledger: Ledger) -> bool:
    """Whether the commands in its backticks passed, there, since the last edit; never what the prompt asks for."""
    last_edit = max((edit.sequence for edit in ledger.edits if edit.is_work), default=0)
    runs = [run for run in ledger.runs if run.sequence > last_edit]
    ended = {run.command: run.outcome for run in runs}
    ended |= {run.own: run.outcome for run in runs if run.own and run.cwd == ledger.cwd}
    named, words = item.split("`")[1::2], "".join(item.split("`")[::2])
    asked = "\n".join(ledger.now.typed)
    done = all(ended.get(name) is Outcome.PASSED and name not in asked for name in named)
    return bool(named) and done and "/" not in words  # another folder, perhaps
