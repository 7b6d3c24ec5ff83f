"""
The decision on one stop: block with a message, let it stand, or wait for what still runs.

`judge_stop` is a pure function of the facts, the project, the settings and the history of earlier stops.
"""

from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates import human_action, stop_kind, verdicts
from ace_reflect.gates.build import build_gate
from ace_reflect.gates.case import Case
from ace_reflect.gates.claims import claims_gate
from ace_reflect.gates.completion import completion_gate, with_question_back
from ace_reflect.gates.loops import Loops, find_loops
from ace_reflect.gates.model import (
    Cause,
    EndState,
    Finding,
    History,
    Judgement,
    Mode,
    Severity,
    State,
    StopKind,
    Task,
    Verdict,
)
from ace_reflect.gates.pull_request import ci_gate, direct_push_gate, pr_gate
from ace_reflect.gates.remaining_work import remaining_work_gate
from ace_reflect.gates.silence import quiet
from ace_reflect.gates.stop_case import current_turn, read_case
from ace_reflect.gates.tests import tests_gate
from ace_reflect.gates.wiring import wiring_gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.project.facts import Project
    from ace_reflect.settings import Settings

#: Which open gate a message leads with, among those of one severity.
_RANK = ("claims", "tests", "build", "direct_push", "pr", "remaining_work", "completion", "ci", "wiring")


def judge_stop(  # noqa: PLR0913 - what a stop is made of
    ledger: Ledger,
    project: "Project",
    settings: "Settings",
    history: History | None = None,
    *,
    final_text: str | None = None,
    background: tuple[str, ...] | None = None,
    permission_mode: str | None = None,
    unreferenced: tuple[str, ...] | None = None,
    subagents_found: int = 0,
    heard: "dict[str, Any] | None" = None,
) -> Judgement:
    """
    Judge a stop.

    `final_text`: the hook's `last_assistant_message` (None: the transcript's own). `background`: descriptions of finite
    background tasks that still run, as the host lists them (None: as the transcript shows). `unreferenced`: new files
    that nothing in the checkout names (None: nobody looked). `subagents_found`: how many of the subagents' own
    transcripts the ledger holds. `heard`: what was made of earlier turns' words, filled here and kept by the caller
    (`words_in_force`).
    """
    history = history or History()
    if project.script_kinds:
        from ace_reflect.gates.scripts import as_scripts_say  # only where a script's body adds to its name

        ledger = as_scripts_say(ledger, project)
    turn = current_turn(ledger)
    if turn is None:
        return _nobody_asked(history)
    case = read_case(ledger, turn, project, settings, history, final_text, background, heard).replace(
        subagents_read=0 < ledger.subagents <= subagents_found
    )
    loops = find_loops(ledger, turn, asks_for_change=case.task.asks_for_change)
    findings = _findings(case, loops, unreferenced)
    silent = quiet(case, permission_mode)
    return _decide(case, findings, loops) if silent is None else verdicts.stand(case, findings, *silent)


def _nobody_asked(history: History) -> Judgement:
    task = Task(
        type="other",
        source="words",
        prompt="",
        asks_for_change=False,
        plan_only=False,
        print_mode=False,
    )
    verdict = Verdict(
        complete=False,
        decision="allow",
        end_state=EndState.NOT_APPLICABLE,
        stop_kind=StopKind.UNCLEAR,
        severity=Severity.NONE,
        why_silent="no human prompt",
    )
    return Judgement(task=task, findings=(), verdict=verdict, history=history)


def _findings(case: Case, loops: Loops, unreferenced: tuple[str, ...] | None) -> tuple[Finding, ...]:
    """Every gate that is not switched off, in the order of the table."""
    proof = (*tests_gate(case), *build_gate(case))
    found = (
        *proof,
        pr_gate(case),
        ci_gate(case),
        direct_push_gate(case),
        claims_gate(case),
        remaining_work_gate(case),
        wiring_gate(case, unreferenced),
        completion_gate(case, loops, proven=_proven(case, proof), spared=any(map(_spared, proof))),
    )
    return tuple(finding for finding in found if finding.mode is not Mode.OFF)


def _proven(case: Case, proof: tuple[Finding, ...]) -> bool:
    """Whether this turn's own edits are proven, or all that failed was exempted, and nothing about them is open."""
    edited = case.own(case.ledger.edits)
    return bool(edited) and any(f.state is State.PROVEN or _spared(f) for f in proof) and not any(f.open for f in proof)


def _spared(finding: Finding) -> bool:
    return finding.state is State.WAIVED and finding.cause is Cause.EXEMPTED


def _decide(case: Case, findings: tuple[Finding, ...], loops: Loops) -> Judgement:
    findings = with_question_back(case, findings)
    pressing = tuple(sorted((f for f in findings if _presses(f, case)), key=_gravity))
    if case.running and pressing and all(finding.gate != "claims" for finding in pressing):
        return verdicts.defer(case, findings)
    if pressing and _waits_for_person(case, pressing):
        return verdicts.wait(case, findings)
    if pressing:
        return verdicts.block(case, findings, pressing, loops)
    return verdicts.let_stand(case, findings)


def _presses(finding: Finding, case: Case) -> bool:
    if finding.mode is not Mode.BLOCK or finding.silent or not finding.open:
        return False
    return not (finding.masked and finding.key in case.history.told)


def _gravity(finding: Finding) -> tuple[int, int]:
    return (-int(finding.severity), _RANK.index(finding.gate))


def _waits_for_person(case: Case, pressing: tuple[Finding, ...]) -> bool:
    """A question to the person stands; a contradicted claim in front of it does not, nor one that nobody can answer."""
    if any(finding.gate == "claims" for finding in pressing):
        return False
    if case.task.print_mode:
        return bool(human_action.asked_of_person(case.final)) and all(
            f.gate in {"remaining_work", "completion", "pr"} for f in pressing
        )
    if case.stop_kind is not StopKind.WAITING_FOR_USER or stop_kind.offers_to_verify(case.plain):
        return False
    return not (any(f.gate in {"tests", "build"} for f in pressing) and human_action.leaves_runs_open(case.plain))
