"""
Whether a model is asked about a stop at all, and why. Rules decide what they can; this names what they leave open.

The first Stop entry writes the answer down, the second goes by it: so this is read on the hooks' path and imports what
the gates have imported already. It is also the dry count: what would have been asked, without asking.
"""

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Ledger
from ace_reflect.gates.model import EndState, Finding, Judgement, State, StopKind
from ace_reflect.settings import Settings, online
from ace_reflect.values import Value

STOP_KIND, ASSESS = "stop_kind", "assess"
#: What is settled, whoever might be asked: the person's word, a question answered, an error, the end of the budget.
_SETTLED = frozenset(
    {
        EndState.SKIPPED,
        EndState.ERROR,
        EndState.GAVE_UP,
        EndState.BLOCKED_ON_HUMAN,
    }
)
#: Gates that nothing but a look at CI, a look at the checkout or the ledger itself can settle.
_NOT_FOR_A_MODEL = frozenset({"ci", "claims", "completion"})
#: Why a stop is `not_applicable` though somebody worked; the others are no stops of a task.
_NOTHING = "nothing to prove"
_UNDONE = "a change was asked for, and none was made"


class Ask(Value):
    """One question to a model: the role that is asked first, and what the rules left open."""

    role: str
    why: str


def asks(
    judgement: Judgement, settings: Settings, ledger: Ledger, running: tuple[str, ...] = ()
) -> tuple[Ask, ...]:
    """
    What a model would be asked about this stop; nothing where rules decide.

    `running`: background work that will end by itself and bring a stop of its own.
    `stop_kind` comes before `assess`: if it says that the answer waits, works or is stuck, nothing else is asked.
    """
    if running or not _possible(judgement, settings):
        return ()
    why = left_open(judgement, ledger)
    if why == _UNDONE:
        return (Ask(role=STOP_KIND, why=why), Ask(role=ASSESS, why=why))
    if why:
        return (Ask(role=ASSESS, why=why),)
    return (
        (Ask(role=ASSESS, why="assess.when is always"),) if settings.assess_when == "always" else ()
    )


def wants_review(judgement: Judgement, settings: Settings, running: tuple[str, ...] = ()) -> bool:
    """
    Whether a reviewer and an auditor are asked about this stop: code was changed, and by rule the work is done. What the
    rules send back is reviewed when it is mended.
    """
    if (
        not settings.review_enabled
        or running
        or not (settings.review_reviewer or settings.review_auditor)
    ):
        return False
    verdict, task = judgement.verdict, judgement.task
    code = task.type == "coding" and task.source == "edits"
    done = verdict.decision == "allow" and verdict.end_state is EndState.COMPLETE
    return code and done and judgement.history.attempts < settings.max_attempts


def _possible(judgement: Judgement, settings: Settings) -> bool:
    """Whether anybody may be asked, and whether anything could come of it."""
    if not online(settings.models) or settings.assess_when == "never":
        return False
    verdict = judgement.verdict
    if verdict.decision != "allow" or verdict.end_state in _SETTLED:
        return False
    if verdict.end_state is EndState.NOT_APPLICABLE and verdict.why_silent != _NOTHING:
        return False
    return judgement.history.attempts < settings.max_attempts


def left_open(judgement: Judgement, ledger: Ledger) -> str:
    """What the rules could not tell of this stop, in words; "" where they decide."""
    verdict, task = judgement.verdict, judgement.task
    if asks_person(judgement) or verdict.stop_kind is StopKind.WORKING:
        return ""  # a question to the person, background work: the rules have read it
    unknown = next((f for f in judgement.findings if _undecided(f)), None)
    if unknown is not None:
        return f"{unknown.gate}: {unknown.reason}"
    waived = any(f.state is State.WAIVED for f in judgement.findings)
    if verdict.complete or verdict.end_state is EndState.INCOMPLETE or waived:
        return ""
    mine = [edit for edit in ledger.edits if edit.turn == ledger.turns[-1].number]
    if task.type == "coding" and any(edit.is_work for edit in mine):
        return "work was done, and there is nothing to prove it by"
    return _UNDONE if task.asks_for_change and only_looked(ledger) else ""


def only_looked(ledger: Ledger) -> bool:
    """Whether the turn did nothing but read."""
    looks = (
        all(item.kind is CommandKind.READ for item in classify(call.key))
        for call in ledger.calls
        if call.bash
    )
    return not any(call.write for call in ledger.calls) and all(looks)


def asks_person(judgement: Judgement) -> bool:
    """Whether the rules have read a question or a hand-over; a stop of which a gate cannot tell waits for the person too."""
    verdict = judgement.verdict
    unsure = any(_undecided(f) and f.reason == verdict.why_silent for f in judgement.findings)
    return verdict.stop_kind is StopKind.WAITING_FOR_USER and not unsure


def _undecided(finding: Finding) -> bool:
    return (
        finding.state is State.UNKNOWN
        and finding.gate not in _NOT_FOR_A_MODEL
        and not finding.silent
    )


def still_running(ledger: Ledger) -> tuple[str, ...]:
    """Background work of the session that has an end of its own, as its transcript shows it. A server has none."""
    return tuple(
        task.command or task.id
        for task in ledger.background
        if task.running and (task.subagent or task.kind is not CommandKind.SERVER)
    )


def progress(ledger: Ledger) -> str:
    """
    What changes whenever the agent has done something: its prompt, its calls, edits and runs.

    Where it is the same as when a model was asked last, the answer would be too.
    """
    turn = ledger.turns[-1] if ledger.turns else None
    if turn is None:
        return ""
    return (
        f"{turn.prompt_uuid or turn.line}:{turn.tool_calls}:{len(ledger.edits)}:{len(ledger.runs)}"
    )
