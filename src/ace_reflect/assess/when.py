"""
Whether a model is asked about a stop at all, and why. Rules decide what they can; this names what they leave open.

The first Stop entry writes the answer down, the second goes by it: so this is read on the hooks' path and imports what
the gates have imported already. It is also the dry count: what would have been asked, without asking.
"""

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.gates import remaining_work
from ace_reflect.gates.model import Cause, EndState, State, StopKind
from ace_reflect.settings import online
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Ledger
    from ace_reflect.gates.model import Finding, Judgement
    from ace_reflect.settings import Settings

STOP_KIND, ASSESS = "stop_kind", "assess"
#: What is settled, whoever might be asked: the person's word, a question answered, an error, the end of the budget.
_SETTLED = frozenset(
    {EndState.SKIPPED, EndState.NOT_APPLICABLE, EndState.ERROR, EndState.GAVE_UP, EndState.BLOCKED_ON_HUMAN}
)
#: Gates that nothing but a look at CI, a look at the checkout or the ledger itself can settle.
_NOT_FOR_A_MODEL = frozenset({"ci", "wiring", "claims", "completion"})
_UNSAID = "nothing says whether it is done"


class Ask(Value):
    """One question to a model: the role that is asked first, and what the rules left open."""

    role: str
    why: str


def asks(judgement: "Judgement", settings: "Settings", final: str, running: tuple[str, ...] = ()) -> tuple[Ask, ...]:
    """
    What a model would be asked about this stop; nothing where rules decide.

    `final`: the last answer's text. `running`: background work that will end by itself and bring a stop of its own.
    `stop_kind` comes before `assess`: if it says that the answer waits, works or is stuck, nothing else is asked.
    """
    if running or not _possible(judgement, settings):
        return ()
    kind, why = judgement.verdict.stop_kind, left_open(judgement, final)
    if kind is StopKind.UNCLEAR and final.strip() and not _reported(judgement):
        return (Ask(role=STOP_KIND, why=_UNSAID), Ask(role=ASSESS, why=why or _UNSAID))
    if why:
        return (Ask(role=ASSESS, why=why),)
    return (Ask(role=ASSESS, why="assess.when is always"),) if settings.assess_when == "always" else ()


def wants_review(judgement: "Judgement", settings: "Settings", running: tuple[str, ...] = ()) -> bool:
    """
    Whether a reviewer and an auditor are asked about this stop: code was changed, and by rule the work is done. What the
    rules send back is reviewed when it is mended.
    """
    if not settings.review_enabled or running or not (settings.review_reviewer or settings.review_auditor):
        return False
    verdict, task = judgement.verdict, judgement.task
    code = task.type == "coding" and task.source == "edits"
    done = verdict.decision == "allow" and verdict.end_state is EndState.COMPLETE
    return code and done and judgement.history.attempts < settings.max_attempts


def _possible(judgement: "Judgement", settings: "Settings") -> bool:
    """Whether anybody may be asked, and whether anything could come of it."""
    if not online(settings.models) or settings.assess_when == "never":
        return False
    verdict = judgement.verdict
    if verdict.decision != "allow" or verdict.end_state in _SETTLED:
        return False
    return judgement.history.attempts < settings.max_attempts


def left_open(judgement: "Judgement", final: str) -> str:
    """What the rules could not tell of this stop, in words; "" where they decide."""
    kind = judgement.verdict.stop_kind
    if kind in {StopKind.WAITING_FOR_USER, StopKind.WORKING}:
        return ""  # a question to the person, background work: the rules have read it
    unknown = next((f for f in judgement.findings if _undecided(f)), None)
    if unknown is not None:
        return f"{unknown.gate}: {unknown.reason}"
    completion = next((f for f in judgement.findings if f.gate == "completion"), None)
    doubt = completion if completion is not None and completion.state is State.UNKNOWN else None
    if doubt is not None and doubt.cause in {Cause.NOTHING_DONE, Cause.ONLY_READ, Cause.LEFT_TO_TRY}:
        return f"completion: {doubt.reason}"
    if kind is StopKind.GENUINELY_STUCK:
        return "the answer says that it is stuck"
    left = remaining_work.left_in_answer(final) if not judgement.task.print_mode else ()
    if left and not any(f.gate == "remaining_work" and f.open for f in judgement.findings):
        return f"the answer lists work that is left: {left[0]}"[:200]
    stands = doubt is None and judgement.verdict.end_state is not EndState.INCOMPLETE
    said = kind is not StopKind.UNCLEAR or _reported(judgement)
    return "work was done, and there is nothing to prove it by" if judgement.unproven and stands and said else ""


def _reported(judgement: "Judgement") -> bool:
    """Proven work with a plain report on it: without a done word the text stays unclear, and yet there is nothing to ask."""
    return any(f.gate == "completion" and f.state is State.PROVEN for f in judgement.findings)


def _undecided(finding: "Finding") -> bool:
    return finding.state is State.UNKNOWN and finding.gate not in _NOT_FOR_A_MODEL and not finding.silent


def still_running(ledger: "Ledger") -> tuple[str, ...]:
    """Background work of the session that has an end of its own, as its transcript shows it. A server has none."""
    return tuple(
        task.command or task.id
        for task in ledger.background
        if task.running and (task.subagent or task.kind is not CommandKind.SERVER)
    )


def progress(ledger: "Ledger") -> str:
    """
    What changes whenever the agent has done something: its prompt, its calls, edits and runs.

    Where it is the same as when a model was asked last, the answer would be too.
    """
    turn = ledger.turns[-1] if ledger.turns else None
    if turn is None:
        return ""
    return f"{turn.prompt_uuid or turn.line}:{turn.tool_calls}:{len(ledger.edits)}:{len(ledger.runs)}"
