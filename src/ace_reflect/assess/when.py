"""Whether a model is asked about a stop, and why: what the rules leave open. On a hook's path: it imports what gates do."""

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Ledger
from ace_reflect.gates.model import EndState, Finding, Judgement, State, StopKind
from ace_reflect.gates.words import asks_for_change
from ace_reflect.settings import Settings, online
from ace_reflect.values import Value

STOP_KIND, ASSESS = "stop_kind", "assess"
#: Settled without a model: by the person's word, a question, an error, the end of the budget.
_SETTLED = (EndState.SKIPPED, EndState.ERROR, EndState.GAVE_UP, EndState.BLOCKED_ON_HUMAN)
#: Gates that only a look at CI, at the checkout or at the ledger can settle.
_NOT_FOR_A_MODEL = ("ci", "claims", "completion")
#: Why a stop is `not_applicable` although work was done; otherwise there was no task.
_NOTHING = "nothing to prove"
_UNDONE = "a change was asked for, and none was made"


class Ask(Value):
    """One question to a model: the role that is asked first, and what the rules left open."""

    role: str
    why: str


def task_type(ledger: Ledger) -> tuple[str, str]:
    """What kind of task a session has, and what says so: a hint, and a last "commit and push" ends a coding task."""
    kinds = [edit.kind for edit in ledger.edits]
    if kinds:
        docs = "docs" if kinds.count("docs") * 2 > len(kinds) else "ops"
        return "coding" if {"code", "test"} & {*kinds} else docs, "edits"
    if ledger.pushes or ledger.commits:
        return "ops", "commands"
    asks = any(asks_for_change(turn.prompt) for turn in ledger.turns)
    looks = any(turn.tool_calls for turn in ledger.turns)
    return "coding" if asks else "research" if looks else "other", "words"


def asks(
    judgement: Judgement, settings: Settings, ledger: Ledger, running: tuple[str, ...] = ()
) -> tuple[Ask, ...]:
    """What a model would be asked, in order; nothing if rules decide, or if something `running` will cause another stop."""
    verdict = judgement.verdict
    off = not online(settings.models) or settings.assess_when == "never" or bool(running)
    settled = verdict.decision != "allow" or verdict.end_state in _SETTLED
    idle = verdict.end_state is EndState.NOT_APPLICABLE and verdict.why_silent != _NOTHING
    if off or settled or idle or judgement.history.attempts >= settings.max_attempts:
        return ()
    always = "assess.when is always" if settings.assess_when == "always" else ""
    why = left_open(judgement, ledger) or always
    first = (Ask(role=STOP_KIND, why=why),) if why == _UNDONE else ()
    return (*first, Ask(role=ASSESS, why=why)) if why else ()


def wants_review(
    judgement: Judgement, settings: Settings, ledger: Ledger, running: tuple[str, ...] = ()
) -> bool:
    """Whether reviewers are asked about this stop: code was changed, and the rules call it done."""
    on = settings.review_enabled and (settings.review_reviewer or settings.review_auditor)
    verdict, code = judgement.verdict, task_type(ledger) == ("coding", "edits")
    done = verdict.decision == "allow" and verdict.end_state is EndState.COMPLETE
    left = judgement.history.attempts < settings.max_attempts
    return bool(on) and not running and code and done and left


def left_open(judgement: Judgement, ledger: Ledger) -> str:
    """What the rules could not tell about this stop, in words; "" if they decide."""
    verdict = judgement.verdict
    if asks_person(judgement) or verdict.stop_kind is StopKind.WORKING:
        return ""  # a question to the person, or background work: the rules know
    for finding in judgement.findings:
        if _undecided(finding):
            return f"{finding.gate}: {finding.reason}"
    waived = any(finding.state is State.WAIVED for finding in judgement.findings)
    if verdict.complete or verdict.end_state is EndState.INCOMPLETE or waived:
        return ""
    worked = any(edit.is_work and edit.turn == ledger.now.number for edit in ledger.edits)
    if worked and task_type(ledger)[0] == "coding":
        return "work was done, and there is nothing to prove it by"
    return _UNDONE if asks_for_change(ledger.now.prompt) and only_looked(ledger) else ""


def only_looked(ledger: Ledger) -> bool:
    """Whether the turn did nothing but read."""
    ran = (item for call in ledger.calls if call.bash for item in classify(call.key))
    wrote = any(call.write for call in ledger.calls)
    return not wrote and all(item.kind is CommandKind.READ for item in ran)


def asks_person(judgement: Judgement) -> bool:
    """Whether the rules found a question or a hand-over; a stop that a gate cannot judge waits for the person too."""
    verdict = judgement.verdict
    unsure = any(_undecided(f) and f.reason == verdict.why_silent for f in judgement.findings)
    return verdict.stop_kind is StopKind.WAITING_FOR_USER and not unsure


def _undecided(finding: Finding) -> bool:
    unknown = finding.state is State.UNKNOWN and not finding.silent
    return unknown and finding.gate not in _NOT_FOR_A_MODEL


def progress(ledger: Ledger) -> str:
    """Changes whenever the agent has done something. If it is the same, so would a model's answer be."""
    turn = ledger.now
    done = (turn.prompt_uuid or turn.line, turn.tool_calls, len(ledger.edits), len(ledger.runs))
    return ":".join(map(str, done))
