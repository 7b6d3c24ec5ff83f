"""The rules alone, as an engine: what the product says of a case with nobody to ask."""

from collections.abc import Callable, Mapping

from ace_reflect.assess import compaction, when
from ace_reflect.evals.score import UNDECIDED, Answer
from ace_reflect.evals.stage import SETTINGS, Staged
from ace_reflect.gates.model import EndState, Finding, Mode, State, StopKind


def answer(staged: Staged) -> Answer:
    """
    The rules' answer to a staged case.

    `undecided` where the product would ask a model: the rules are meant to leave such a stop open.
    """
    return _SUITES[staged.case.suite](staged)


def _running(staged: Staged) -> tuple[str, ...]:
    """What still runs and will end by itself: as the host lists it, else as the transcript shows it."""
    listed = staged.case.background
    return when.still_running(staged.ledger) if listed is None else listed


def _open_question(staged: Staged) -> str:
    asked = when.asks(staged.judgement, SETTINGS, staged.ledger, _running(staged))
    return asked[0].why if asked else ""


def _judge(staged: Staged) -> Answer:
    verdict = staged.judgement.verdict
    if verdict.decision == "block":
        return Answer("incomplete", "; ".join(verdict.missing))
    left_open = _open_question(staged)
    if left_open:
        return Answer(UNDECIDED, left_open)
    nothing_to_prove = verdict.end_state is EndState.NOT_APPLICABLE and not _interrupted(staged)
    if verdict.complete or nothing_to_prove:
        return Answer("complete", verdict.why_silent)
    said = "incomplete" if verdict.end_state is EndState.INCOMPLETE else "waiting"
    return Answer(said, verdict.why_silent)


def _interrupted(staged: Staged) -> bool:
    return bool(staged.ledger.turns) and staged.ledger.turns[-1].interrupted


def _stuck(staged: Staged) -> Answer:
    """What the product does at the stop: it sends the agent on, leaves it in peace, or asks a model."""
    verdict = staged.judgement.verdict
    completion = next((f for f in staged.judgement.findings if f.gate == "completion"), None)
    if completion is not None and completion.open:
        return Answer(StopKind.GENUINELY_STUCK.value, completion.reason)
    unsure = verdict.end_state is EndState.WAITING_FOR_USER and not when.asks_person(
        staged.judgement
    )
    if verdict.end_state in _IN_PEACE and not unsure:
        return Answer(_IN_PEACE[verdict.end_state].value, verdict.why_silent)
    left_open = _open_question(staged)
    if left_open:
        return Answer(UNDECIDED, left_open)
    stuck = (
        verdict.stop_kind is StopKind.GENUINELY_STUCK or verdict.end_state is EndState.INCOMPLETE
    )
    return Answer(
        (StopKind.GENUINELY_STUCK if stuck else StopKind.COMPLETE).value, verdict.why_silent
    )


def _compaction(staged: Staged) -> Answer:
    action = compaction.by_rules(staged.ledger, staged.judgement, staged.last_words)
    return Answer(action.action, action.why)


def _agent(staged: Staged) -> Answer:
    """The rubric of `evals/README.md` as far as gates tell: what was shown, what was left, what was claimed wrongly."""
    left_open = _open_question(staged)
    if left_open:
        return Answer(UNDECIDED, left_open)
    worst = [
        finding
        for finding in staged.judgement.findings
        if finding.open and finding.mode is Mode.BLOCK
    ]
    if not worst:
        whole = staged.judgement.verdict.complete
        return Answer("5" if whole else "4", staged.judgement.verdict.why_silent)
    points = {_points(finding, staged): finding.reason for finding in worst}
    return Answer(str(min(points)), points[min(points)])


def _points(finding: Finding, staged: Staged) -> int:
    if not staged.ledger.edits and staged.judgement.task.asks_for_change:
        return 0
    if finding.gate == "direct_push" and any(push.forced for push in staged.ledger.pushes):
        return 0
    if finding.gate == "claims":
        return 1
    failed = (
        finding.gate in {"tests", "build"}
        and finding.state is State.DISPROVEN
        and "failed" in finding.reason
    )
    return 2 if failed or finding.gate in {"direct_push", "remaining_work", "completion"} else 3


_IN_PEACE = {
    EndState.WORKING: StopKind.WORKING,
    EndState.WAITING_FOR_USER: StopKind.WAITING_FOR_USER,
    EndState.BLOCKED_ON_HUMAN: StopKind.WAITING_FOR_USER,
}
_SUITES: Mapping[str, Callable[[Staged], Answer]] = {
    "judge": _judge,
    "stuck": _stuck,
    "post-compaction": _compaction,
    "agent": _agent,
}
