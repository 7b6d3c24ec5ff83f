"""Stops at which nothing is said, whatever the gates say."""

from ace_reflect.gates.model import EndState
from ace_reflect.gates.vocabulary import ALL
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.gates.case import Case

#: How the prompts of our own model calls begin (prompts/*.txt).
_OWN_SESSION = Late(
    r"^\s*(?:ACE-REFLECT (?:ASSESSMENT|JUDGE|REVIEW|ROUTING)|You are the Reflector\. A coding agent keeps|You are the Curator of a coding agent's playbook|You are one role inside a tool that reads finished coding sessions)",
    needs=(
        "ACE-REFLECT ASSESSMENT|ACE-REFLECT JUDGE|ACE-REFLECT REVIEW|ACE-REFLECT ROUTING|You are one role inside a tool that reads finished coding sessions|You are the Curator of a coding agent's playbook|You are the Reflector. A coding agent keeps",
    ),
)


def quiet(case: "Case", permission_mode: str | None) -> tuple[EndState, bool, str] | None:
    """(end state, complete, why) where nothing is to be said at this stop, whatever the gates say."""
    turn = case.turn
    waived = case.words.waiver(ALL)
    if case.history.skipped or waived is not None:
        said = f"the person said: “{waived.quote}”" if waived else "switched off for this session"
        return EndState.SKIPPED, False, said
    if _OWN_SESSION.match(turn.prompt):
        return EndState.NOT_APPLICABLE, False, "a session of our own"
    if turn.interrupted:
        return EndState.NOT_APPLICABLE, False, "the person interrupted it"
    if turn.api_error:
        return EndState.ERROR, False, "the turn ended in an error of the API"
    if _in_plan_mode(case, permission_mode):
        return EndState.NOT_APPLICABLE, True, "plan mode"
    if case.task.plan_only and not case.worked:
        return EndState.NOT_APPLICABLE, True, "a plan was asked for"
    if turn.pending_calls:
        if _asks_person(case):
            return EndState.WAITING_FOR_USER, False, "a question to the person stands open"
        return EndState.WORKING, False, "a tool call has no result yet"
    if not turn.tool_calls and not case.final.strip():
        return EndState.NOT_APPLICABLE, False, "nothing happened in this turn"
    return None


def _asks_person(case: "Case") -> bool:
    """Whether the turn's last call is one that only the person can answer: a question, or a plan to be accepted."""
    return any(call.name in {"AskUserQuestion", "ExitPlanMode"} for call in case.own(case.ledger.calls)[-1:])


def _in_plan_mode(case: "Case", permission_mode: str | None) -> bool:
    if permission_mode is not None:
        return permission_mode == "plan" or case.turn.plan_rejected
    return case.turn.plan_mode or case.ledger.plan_mode or case.turn.plan_rejected


def read_only(case: "Case") -> bool:
    """A question, or a turn that only read and was not asked to change anything."""
    return not case.worked and not case.task.asks_for_change
