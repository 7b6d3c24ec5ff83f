"""What a stop comes to: a block within the budget, a wait, or a stop that stands, each with its end state."""

from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import human_action, message, prose
from ace_reflect.gates.completion import breaks_off
from ace_reflect.gates.model import (
    GIVEN_UP,
    OF_EARLIER,
    Cause,
    EndState,
    Finding,
    History,
    Judgement,
    Mode,
    Severity,
    State,
    StopKind,
    Verdict,
)
from ace_reflect.gates.pull_request import ci_is_the_task
from ace_reflect.gates.silence import read_only
from ace_reflect.gates.tests import asked_to_mend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.gates.case import Case
    from ace_reflect.gates.loops import Loops

    Standing = tuple[EndState, bool, str, str]  # whether it is complete, why, and the line to the person

#: Causes (of a finding in state UNKNOWN) for which a stop is not complete, though Claude is not sent back for them; and
#: the end state that the stop gets.
_DOUBTS = {
    Cause.STILL_RUNNING: EndState.WORKING,
    Cause.WITHOUT_RESULT: EndState.INCOMPLETE,
    Cause.NO_ANSWER: EndState.INCOMPLETE,
    Cause.NOTHING_DONE: EndState.INCOMPLETE,
    Cause.ONLY_READ: EndState.INCOMPLETE,
    Cause.LEFT_TO_TRY: EndState.WAITING_FOR_USER,
    Cause.PART_LEFT: EndState.INCOMPLETE,
    Cause.NOT_DONE: EndState.WAITING_FOR_USER,
    Cause.PAST_THE_HOOK: EndState.INCOMPLETE,
    Cause.LOOSENED: EndState.INCOMPLETE,
    Cause.KEPT_FROM_RUNNING: EndState.WAITING_FOR_USER,
}


def block(case: "Case", findings: tuple[Finding, ...], pressing: tuple[Finding, ...], loops: "Loops") -> Judgement:
    """
    Send Claude back to work, at most `settings.max_attempts` times for one prompt.

    The last of these messages says that it is the last. It comes early where the findings are the same as at the block
    before, for then nothing has happened since. After it the next stop stands (`_give_up`).
    """
    history, most = case.history, case.settings.max_attempts
    fingerprint = ";".join(sorted(finding.fingerprint for finding in pressing))
    same = bool(history.last_fingerprint) and fingerprint == history.last_fingerprint
    if history.attempts >= most or (same and history.last_told):
        return _give_up(case, findings, pressing)
    attempt = history.attempts + 1
    last = same or attempt >= most
    verdict = _verdict(
        case,
        pressing,
        decision="block",
        end_state=EndState.INCOMPLETE,
        requires_human_action=bool(human_action.asked_of_person(case.final)),
        feedback=message.feedback(pressing, case, loops, attempt=attempt, last=last, nothing_new=same),
    )
    if not verdict.severity:
        verdict = verdict.replace(severity=Severity.LOW)
    once = (f.key for f in pressing if f.key and (f.masked or f.cause is Cause.ASKS_NOBODY))
    after = history.replace(
        attempts=attempt,
        last_fingerprint=fingerprint,
        last_told=last,
        told=tuple(dict.fromkeys((*history.told, *once))),
    )
    return judged(case, findings, verdict, after)


def _give_up(case: "Case", findings: tuple[Finding, ...], pressing: tuple[Finding, ...]) -> Judgement:
    keys = (finding.key for finding in pressing if finding.key)
    after = case.history.replace(given_up=tuple(dict.fromkeys((*case.history.given_up, *keys))))
    verdict = _verdict(
        case,
        pressing,
        end_state=EndState.GAVE_UP,
        requires_human_action=bool(human_action.asked_of_person(case.final)),
        system_message=message.gave_up(pressing, case.history.attempts),
        why_silent="the last message to this prompt has been given",
    )
    return judged(case, findings, verdict, after)


def defer(case: "Case", findings: tuple[Finding, ...]) -> Judgement:
    running = f"still running: {prose.shortened('; '.join(case.running), 100)}"
    return judged(case, findings, _verdict(case, (), decision="defer", end_state=EndState.WORKING, why_silent=running))


def wait(case: "Case", findings: tuple[Finding, ...]) -> Judgement:
    """Gates are open, and the answer waits for the person: for a decision, or for what nobody else can do."""
    asked = (EndState.WAITING_FOR_USER, False, "the answer asks the person something", "")
    return stand(case, findings, *(_left_to_others(case, findings) or asked))


def _verdict(case: "Case", still_open: tuple[Finding, ...], **more: "Any") -> Verdict:
    """A verdict "not complete, and the stop stands", which lists what is still open; `more` overrides single fields."""
    fields = {
        "complete": False,
        "decision": "allow",
        "stop_kind": _kind(case),
        "severity": max((finding.severity for finding in still_open), default=Severity.NONE),
        "missing": tuple(dict.fromkeys(finding.reason for finding in still_open)),
        "next_actions": tuple(dict.fromkeys(finding.settle or finding.reason for finding in still_open)),
    }
    return Verdict(**{**fields, **more})


def _kind(case: "Case") -> StopKind:
    """How the answer presents itself. One that breaks off in mid-sentence is stuck, whatever stands before the break."""
    told = {StopKind.COMPLETE, StopKind.UNCLEAR}
    return StopKind.GENUINELY_STUCK if case.stop_kind in told and breaks_off(case.final) else case.stop_kind


def let_stand(case: "Case", findings: tuple[Finding, ...]) -> Judgement:
    """No gate demands anything, so the stop stands. What is left to say is how: complete, waiting, or left open."""
    return stand(case, findings, *(_left_to_others(case, findings) or _on_its_own(case, findings)))


def _left_to_others(case: "Case", findings: tuple[Finding, ...]) -> "Standing | None":
    """How the stop stands where its answer hands over to background work or to the person; None where it does not."""
    if case.stop_kind is StopKind.WORKING and (case.running or _runs_on(case)):
        return EndState.WORKING, False, "background work goes on", ""
    theirs = human_action.asked_of_person(case.final)
    if theirs and case.stop_kind in {StopKind.WAITING_FOR_USER, StopKind.GENUINELY_STUCK}:
        return EndState.BLOCKED_ON_HUMAN, False, "only a person can go on", message.left_to_person(theirs)
    if case.stop_kind is StopKind.WAITING_FOR_USER and not read_only(case):
        return EndState.WAITING_FOR_USER, False, "the answer asks the person something", _warnings(findings)
    return None


def _on_its_own(case: "Case", findings: tuple[Finding, ...]) -> "Standing":
    """How the stop stands where it waits for nobody: first by what the gates found, then by what the answer says."""
    mine = tuple(f for f in findings if _is_owed(f))
    forgone = all(f.silent == GIVEN_UP for f in mine)  # the person was told when it was given up
    if mine and not (forgone and read_only(case)):
        end = EndState.GAVE_UP if any(f.silent == GIVEN_UP or f.masked for f in mine) else EndState.WAITING_FOR_USER
        left = "" if forgone and not case.ships else message.left_open(mine)
        return end, False, mine[0].silent or "it was said once", left
    if read_only(case):
        return EndState.NOT_APPLICABLE, True, "a question, or a turn that only read", ""
    warnings = _warnings(findings)
    if still := _still_fails(case):
        return EndState.INCOMPLETE, False, still, warnings
    if doubt := _doubt(case, findings):
        return doubt[0], False, doubt[1], warnings
    if case.stop_kind is StopKind.WORKING:
        return EndState.WORKING, False, "the answer says that work goes on", ""
    if case.stop_kind is StopKind.GENUINELY_STUCK:
        return EndState.WAITING_FOR_USER, False, "the answer says what blocks it", ""
    if ci_is_the_task(case) and any(finding.gate == "ci" and finding.state is not State.PROVEN for finding in findings):
        return EndState.INCOMPLETE, False, "whether CI is green now was not looked at", warnings
    if case.running and any(task.running and task.subagent for task in case.own(case.ledger.background)):
        return EndState.WORKING, False, "background work goes on", warnings
    unshown = tuple(f.reason for f in findings if f.state is State.UNKNOWN and f.cause is Cause.CHECK_NOT_SHOWN)
    return EndState.COMPLETE, True, "", warnings or message.completed(_shown_now(case, findings), unshown)


def _is_owed(finding: Finding) -> bool:
    """Whether a gate that may block is open because of this prompt's work, and not only because of an earlier one's."""
    return finding.open and finding.mode is Mode.BLOCK and finding.silent != OF_EARLIER


def _doubt(case: "Case", findings: tuple[Finding, ...]) -> tuple[EndState, str] | None:
    """
    (end state, reason) of the finding that keeps the stop from counting as complete though nothing is asked for; None
    where there is none. Read from the end: the completion gate is the last, and has the first word here.
    """
    for finding in reversed(findings):
        end = _DOUBTS.get(finding.cause) if finding.cause and finding.state is State.UNKNOWN else None
        if end and _weighs(finding, case):
            return end, finding.reason
    return None


def _weighs(finding: Finding, case: "Case") -> bool:
    """
    Whether a doubt keeps the stop from being complete. Four kinds often do not: tests that the environment kept from
    running, and a run that shows no result, count only where no other test passed, a loosened test only where mending tests was the task, and a run without
    an end only while this turn's own still runs: an earlier turn's was left, or ended unseen.
    """
    if finding.cause is Cause.STILL_RUNNING:
        return bool(case.running) and any(run.running for run in case.own(case.ledger.runs))
    if finding.cause in {Cause.KEPT_FROM_RUNNING, Cause.WITHOUT_RESULT}:
        return _nothing_passed(case)
    return finding.cause is not Cause.LOOSENED or asked_to_mend(case)


def _nothing_passed(case: "Case") -> bool:
    """Whether this turn changed something, no test passed in it, and its answer does not say that work goes on."""
    runs = case.own(case.ledger.runs)
    passed = any(run.kind is CommandKind.TEST and run.outcome is Outcome.PASSED for run in runs)
    return case.worked and case.stop_kind is not StopKind.WORKING and not passed


def _runs_on(case: "Case") -> bool:
    """Whether background work of this turn goes on that has an end, though no gate waits for it: a training, a download."""
    tasks = case.own(case.ledger.background)
    return any(task.running and task.kind is not CommandKind.SERVER for task in tasks)


def _still_fails(case: "Case") -> str:
    """
    Why a turn that was asked for a change and saw a check fail last is not done; "" where it may be.

    What was edited by name is debt, and the tests' gate has its say. `sed -i … $(grep -rl …)` names nothing.
    """
    edits = case.own(case.ledger.edits)
    unnamed = bool(edits) and all(edit.unnamed and not edit.formatter for edit in edits)
    if (case.worked and not unnamed) or not case.task.asks_for_change or case.task.type != "coding":
        return ""  # "run the tests and tell me what fails" asks for no more than that
    runs = [run for run in case.own(case.ledger.runs) if run.executed]
    if not runs or runs[-1].outcome is not Outcome.FAILED:
        return ""
    what = "files were changed that the command does not name" if unnamed else "nothing was changed"
    return f"{what}, and `{prose.shortened(runs[-1].command, 60)}` failed last"


def stand(
    case: "Case", findings: tuple[Finding, ...], end: EndState, complete: bool, why: str, system: str = ""
) -> Judgement:
    """The stop stands. `system`: a line to the person, which is shown once for a prompt."""
    theirs = _left_by_finished_work(case) if end is EndState.COMPLETE else ""
    system = ". ".join(filter(None, (system, theirs)))
    said = f"said:{system}" if system else ""
    new = said and said not in case.history.told
    verdict = _verdict(
        case,
        () if complete else tuple(filter(_is_owed, findings)),
        complete=complete,
        end_state=end,
        requires_human_action=end is EndState.BLOCKED_ON_HUMAN or bool(theirs),
        system_message=system if new else "",
        why_silent=why,
    )
    return judged(case, findings, verdict, case.history.replace(told=(*case.history.told, said)) if new else None)


def _left_by_finished_work(case: "Case") -> str:
    """The line on a step that only the person can take and that is left behind finished work: it keeps nothing from being done."""
    items = human_action.asked_of_person(case.final) or human_action.listed_for_person(case.plain)
    return message.left_to_person(items) if items else ""


def _shown_now(case: "Case", findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings proven in this turn. What an earlier turn proved, the person was told at its end."""
    return tuple(f for f in findings if f.evidence and (f.evidence[-1].file or f.evidence[-1].line >= case.turn.line))


def _warnings(findings: tuple[Finding, ...]) -> str:
    """The line to the person for gates in mode `warn`, and for what is unknown: a test that was loosened, a plan that was cut short."""
    found = [f for f in findings if f.mode is Mode.WARN and f.open]
    unknown = [f for f in findings if f.state is State.UNKNOWN]
    found += [
        f for f in unknown if f.gate == "tests" and not (f.silent or f.masked) and f.cause is not Cause.BY_SUBAGENT
    ]
    found += [f for f in unknown if f.cause is Cause.OFF_THE_LIST]
    # The completion gate's other doubts; these three the person sees in the answer itself.
    seen = {Cause.PART_LEFT, Cause.NOT_DONE, Cause.NO_ANSWER}
    found += [f for f in unknown if f.gate == "completion" and f.cause in _DOUBTS and f.cause not in seen]
    return message.left_open(tuple(found)) if found else ""


def judged(case: "Case", findings: tuple[Finding, ...], verdict: Verdict, history: History | None = None) -> Judgement:
    ran = any(finding.state is not State.NOT_APPLICABLE for finding in findings if finding.gate != "completion")
    nothing_known = all(f.state is State.NOT_APPLICABLE for f in findings if f.gate in {"tests", "build"})
    return Judgement(
        task=case.task,
        findings=findings,
        verdict=verdict,
        history=history or case.history,
        gates_ran=ran,
        unproven=case.worked and case.task.type == "coding" and nothing_known,
    )
