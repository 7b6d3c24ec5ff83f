"""
The decision on one stop: block with a message, let it stand, or wait for what still runs.

`judge_stop` is a pure function of the facts, the project, the settings and the history of earlier stops.
"""

import re

from ace_reflect.evidence.facts import CommandKind, Ledger, Turn
from ace_reflect.gates import human_action, message, prose, stop_kind
from ace_reflect.gates.build import build_gate
from ace_reflect.gates.case import Case
from ace_reflect.gates.claims import claims_gate
from ace_reflect.gates.completion import completion_gate
from ace_reflect.gates.loops import Loops, find_loops
from ace_reflect.gates.model import (
    EndState,
    Evidence,
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
from ace_reflect.gates.pull_request import ci_gate, ci_is_the_task, direct_push_gate, pr_gate
from ace_reflect.gates.remaining_work import remaining_work_gate
from ace_reflect.gates.task import read_task
from ace_reflect.gates.tests import tests_gate
from ace_reflect.gates.wiring import wiring_gate
from ace_reflect.gates.words import ALL, Words, read_words, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from ace_reflect.project.facts import Project
    from ace_reflect.settings import Settings

#: Text that only our own model calls and sessions hold.
_OWN_SESSION = re.compile(
    r"^\s*(?:You are (?:the Reflector|the Curator|judging one turn) of ace-reflect|ACE-REFLECT (?:ASSESSMENT|JUDGE|REVIEW))",
    re.IGNORECASE,
)
_NO_PROMPT_TASK = Task(
    type="other", source="words", prompt="", asks_for_change=False, question=False, plan_only=False, print_mode=False
)


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
    subagents_read: bool = False,
) -> Judgement:
    """
    Judge a stop.

    `final_text`: the hook's `last_assistant_message` (None: the transcript's own). `background`: descriptions of finite
    background tasks that still run, as the host lists them (None: as the transcript shows). `unreferenced`: new files
    that nothing in the checkout names (None: nobody looked). `subagents_read`: the subagents' own transcripts were found.
    """
    history = history or History()
    turn = _current(ledger)
    if turn is None:
        verdict = _verdict(StopKind.UNCLEAR, EndState.NOT_APPLICABLE, complete=False, why="no human prompt")
        return Judgement(task=_NO_PROMPT_TASK, findings=(), verdict=verdict, history=history)
    case = _case(ledger, turn, project, settings, history, final_text, background).replace(
        subagents_read=subagents_read
    )
    loops = find_loops(ledger, turn, asks_for_change=case.task.asks_for_change)
    quiet = _quiet(case, permission_mode)
    findings = _findings(case, loops, unreferenced)
    if quiet is not None:
        return _stand(case, findings, *quiet)
    return _decide(case, findings, loops)


def _current(ledger: Ledger) -> Turn | None:
    """The current human turn; None where nobody has asked for anything yet."""
    turns = [turn for turn in ledger.turns if turn.number > 0 or turn.prompt]
    return turns[-1] if turns else None


def _case(
    ledger: Ledger,
    turn: Turn,
    project: "Project",
    settings: "Settings",
    history: History,
    final_text: str | None,
    background: tuple[str, ...] | None,
) -> Case:
    final = turn.final_text if final_text is None else final_text
    words = _with_instructions(standing(ledger, turn), project)
    return Case(
        ledger=ledger,
        turn=turn,
        final=final,
        task=read_task(ledger, turn, words),
        words=words,
        project=project,
        settings=settings,
        history=history,
        stop_kind=stop_kind.read_kind(final),
        running=_still_running(ledger, background),
    )


def _with_instructions(words: Words, project: "Project") -> Words:
    """Standing waivers of the project's own instruction files ("do not run the tests yourself")."""
    if not project.instructions or not re.search(r"(?i)\btests?\b|\bbuild", project.instructions):
        return words
    name = (
        project.instruction_files[0].rpartition("/")[2] if project.instruction_files else "the project's instructions"
    )
    lines = [
        line
        for line in project.instructions.split("\n")
        if len(line) < 300 and re.search(r"(?i)\b(?:don'?t|do not|never|no need|skip)\b", line)
    ]
    said = read_words("\n".join(lines), by=name) if lines else Words()
    kept = tuple(
        waiver
        for waiver in said.waivers
        if waiver.gate in {"tests", "build", "pr"} and not (waiver.gate == "pr" and project.wants_pr)
    )
    return words.replace(waivers=(*words.waivers, *kept)) if kept else words


def _still_running(ledger: Ledger, background: tuple[str, ...] | None) -> tuple[str, ...]:
    """Finite background work that bears on a gate: a test run, a build, a subagent. A dev server defers nothing."""
    known = tuple(
        task.command or task.id
        for task in ledger.background
        if task.running
        and (
            task.subagent
            or task.kind
            in {
                CommandKind.TEST,
                CommandKind.BUILD,
                CommandKind.LINT,
                CommandKind.TYPECHECK,
                CommandKind.PR_CHECKS,
                CommandKind.COMMIT,
                CommandKind.PUSH,
            }
        )
    )
    return known if background is None else background


def _findings(case: Case, loops: Loops, unreferenced: tuple[str, ...] | None) -> tuple[Finding, ...]:
    """Every gate that is not switched off, in the order of the table."""
    found = (
        *tests_gate(case),
        *build_gate(case),
        pr_gate(case),
        ci_gate(case),
        direct_push_gate(case),
        claims_gate(case),
        remaining_work_gate(case),
        wiring_gate(case, unreferenced),
        completion_gate(case, loops),
    )
    return tuple(finding for finding in found if finding.mode is not Mode.OFF)


# ------------------------------------------------------------------ silence


def _quiet(case: Case, permission_mode: str | None) -> tuple[EndState, bool, str] | None:
    """(end state, complete, why) where nothing is to be said at this stop, whatever the gates say."""
    turn = case.turn
    waived = case.words.waiver(ALL)
    if case.history.skipped or waived is not None:
        return (
            EndState.SKIPPED,
            False,
            f"the person said: “{waived.quote}”" if waived else "switched off for this session",
        )
    if _OWN_SESSION.match(turn.prompt):
        return EndState.NOT_APPLICABLE, False, "a session of our own"
    if turn.interrupted:
        return EndState.NOT_APPLICABLE, False, "the person interrupted it"
    if turn.api_error:
        return EndState.ERROR, False, "the turn ended in an error of the API"
    if (
        permission_mode == "plan"
        or (permission_mode is None and (turn.plan_mode or case.ledger.plan_mode))
        or turn.plan_rejected
    ):
        return EndState.NOT_APPLICABLE, True, "plan mode"
    if case.task.plan_only and not case.worked:
        return EndState.NOT_APPLICABLE, True, "a plan was asked for"
    if turn.pending_calls:
        return EndState.WORKING, False, "a tool call has no result yet"
    if not turn.tool_calls and not case.final.strip():
        return EndState.NOT_APPLICABLE, False, "nothing happened in this turn"
    return None


def _read_only(case: Case) -> bool:
    return not case.worked and not case.task.asks_for_change


# ------------------------------------------------------------------ decision


def _decide(case: Case, findings: tuple[Finding, ...], loops: Loops) -> Judgement:
    findings = _with_print_mode_question(case, findings)
    pressing = tuple(sorted((f for f in findings if _presses(f, case)), key=_gravity))
    if case.running and pressing and all(finding.gate != "claims" for finding in pressing):
        return _defer(case, findings)
    if pressing and _waits_for_person(case, pressing):
        pressing = ()
        return _stand(case, findings, EndState.WAITING_FOR_USER, False, "the answer asks the person something")
    if pressing:
        return _push(case, findings, pressing, loops)
    return _let_stand(case, findings)


def _presses(finding: Finding, case: Case) -> bool:
    if finding.mode is not Mode.BLOCK or finding.silent or not finding.open:
        return False
    return not (finding.masked and finding.key in case.history.told)


_RANK = ("claims", "tests", "build", "direct_push", "pr", "remaining_work", "completion", "ci", "wiring")


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
    return case.stop_kind is StopKind.WAITING_FOR_USER and not stop_kind.offers_to_verify(case.final)


def _with_print_mode_question(case: Case, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """In print mode nobody can answer: a question that the agent could settle itself is pushed back once."""
    key = f"completion:{case.turn.number}:question"
    asks = case.task.print_mode and case.task.asks_for_change and stop_kind.asks_decision(prose.plain(case.final))
    if (
        not asks
        or case.mode("completion") is Mode.OFF
        or human_action.asked_of_person(case.final)
        or key in case.history.told
    ):
        return findings
    last = stop_kind.last_sentence(prose.plain(case.final))
    if human_action.classify(last) == "human":
        return findings
    pushed = case.finding(
        "completion",
        State.DISPROVEN,
        "the answer asks a question, and nobody can answer in print mode",
        evidence=(Evidence(line=case.turn.final_line or case.turn.last_line, quote=prose.shortened(last, 160)),),
        key=key,
        fingerprint=key,
    )
    return (*(finding for finding in findings if finding.gate != "completion"), pushed)


def _defer(case: Case, findings: tuple[Finding, ...]) -> Judgement:
    verdict = _verdict(
        case.stop_kind,
        EndState.WORKING,
        complete=False,
        why=f"still running: {prose.shortened('; '.join(case.running), 100)}",
        decision="defer",
    )
    return _judged(case, findings, verdict)


def _push(case: Case, findings: tuple[Finding, ...], pressing: tuple[Finding, ...], loops: Loops) -> Judgement:
    """Block, within the budget; after the last message the stop stands."""
    history, most = case.history, case.settings.max_attempts
    fingerprint = ";".join(sorted(finding.fingerprint or f"{finding.gate}|{finding.state}" for finding in pressing))
    same = bool(history.last_fingerprint) and fingerprint == history.last_fingerprint
    if history.attempts >= most or (same and history.last_told):
        return _give_up(case, findings, pressing)
    attempt = history.attempts + 1
    last = same or attempt >= most
    text = message.feedback(pressing, case, loops, attempt=attempt, last=last, nothing_new=same)
    verdict = Verdict(
        complete=False,
        decision="block",
        end_state=EndState.INCOMPLETE,
        stop_kind=case.stop_kind,
        severity=max(finding.severity for finding in pressing) or Severity.LOW,
        missing=tuple(finding.reason for finding in pressing),
        next_actions=_actions(pressing),
        requires_human_action=bool(human_action.asked_of_person(case.final)),
        feedback=text,
        fingerprint=fingerprint,
        attempt=attempt,
    )
    once = tuple(
        finding.key for finding in pressing if finding.key and (finding.masked or finding.key.endswith(":question"))
    )
    after = history.replace(
        attempts=attempt,
        last_fingerprint=fingerprint,
        last_told=last,
        told=tuple(dict.fromkeys((*history.told, *once))),
    )
    return _judged(case, findings, verdict, after)


def _give_up(case: Case, findings: tuple[Finding, ...], pressing: tuple[Finding, ...]) -> Judgement:
    keys = tuple(finding.key for finding in pressing if finding.key)
    after = case.history.replace(given_up=tuple(dict.fromkeys((*case.history.given_up, *keys))))
    verdict = Verdict(
        complete=False,
        decision="allow",
        end_state=EndState.GAVE_UP,
        stop_kind=case.stop_kind,
        severity=max(finding.severity for finding in pressing),
        missing=tuple(finding.reason for finding in pressing),
        next_actions=_actions(pressing),
        requires_human_action=bool(human_action.asked_of_person(case.final)),
        system_message=message.gave_up(pressing, case.history.attempts),
        fingerprint=case.history.last_fingerprint,
        attempt=case.history.attempts,
        why_silent="the budget of this prompt is spent",
    )
    return _judged(case, findings, verdict, after)


def _actions(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.settle or finding.reason for finding in findings))


def _let_stand(case: Case, findings: tuple[Finding, ...]) -> Judgement:
    """Nothing presses: complete, waiting for the person, or a person's turn to act."""
    blocking = tuple(f for f in findings if f.mode is Mode.BLOCK and f.open)
    mine = tuple(f for f in blocking if not f.silent.startswith("it is of an earlier prompt"))
    theirs = human_action.asked_of_person(case.final)
    if case.running and _working(case):
        return _stand(case, findings, EndState.WORKING, False, "background work goes on")
    if theirs and case.stop_kind in {StopKind.WAITING_FOR_USER, StopKind.GENUINELY_STUCK}:
        return _stand(
            case,
            findings,
            EndState.BLOCKED_ON_HUMAN,
            False,
            "only a person can go on",
            system=message.left_to_person(theirs),
            human=True,
        )
    if case.stop_kind is StopKind.WAITING_FOR_USER and not _read_only(case):
        return _stand(
            case,
            findings,
            EndState.WAITING_FOR_USER,
            False,
            "the answer asks the person something",
            system=_warnings(findings),
        )
    if mine:
        end = (
            EndState.GAVE_UP
            if any(f.silent == "it was given up before" or f.masked for f in mine)
            else EndState.WAITING_FOR_USER
        )
        return _stand(case, findings, end, False, mine[0].silent or "it was said once", system=message.left_open(mine))
    if _read_only(case):
        return _stand(case, findings, EndState.NOT_APPLICABLE, True, "a question, or a turn that only read")
    if any(f.gate == "completion" and f.state is State.UNKNOWN and "only read" in f.reason for f in findings):
        return _stand(
            case,
            findings,
            EndState.INCOMPLETE,
            False,
            "a change was asked for, and this turn only read",
            system=_warnings(findings),
        )
    if case.stop_kind is StopKind.WORKING:
        return _stand(case, findings, EndState.WORKING, False, "the answer says that work goes on")
    if case.stop_kind is StopKind.GENUINELY_STUCK:
        return _stand(case, findings, EndState.WAITING_FOR_USER, False, "the answer says what blocks it")
    warnings = _warnings(findings)
    if ci_is_the_task(case) and any(finding.gate == "ci" and finding.state is not State.PROVEN for finding in findings):
        return _stand(
            case, findings, EndState.INCOMPLETE, False, "whether CI is green now was not looked at", system=warnings
        )
    return _stand(case, findings, EndState.COMPLETE, True, "", system=warnings or message.completed(findings))


def _working(case: Case) -> bool:
    return case.stop_kind is StopKind.WORKING


def _warnings(findings: tuple[Finding, ...]) -> str:
    """The line to the person for gates in mode `warn`, and for what is unknown because a test was loosened."""
    found = [f for f in findings if f.mode is Mode.WARN and f.open]
    found += [
        f
        for f in findings
        if f.gate == "tests"
        and f.state is State.UNKNOWN
        and not f.silent
        and not f.masked
        and not f.reason.startswith("a subagent")
    ]
    found += [f for f in findings if f.gate == "completion" and f.state is State.UNKNOWN and "only read" in f.reason]
    return message.left_open(tuple(found)) if found else ""


def _stand(
    case: Case,
    findings: tuple[Finding, ...],
    end: EndState,
    complete: bool,
    why: str,
    *,
    system: str = "",
    human: bool = False,
) -> Judgement:
    open_here = (
        tuple(
            f
            for f in findings
            if f.open and f.mode is Mode.BLOCK and not f.silent.startswith("it is of an earlier prompt")
        )
        if not complete
        else ()
    )
    verdict = Verdict(
        complete=complete,
        decision="allow",
        end_state=end,
        stop_kind=case.stop_kind,
        severity=max((f.severity for f in open_here), default=Severity.NONE),
        missing=tuple(f.reason for f in open_here),
        next_actions=_actions(open_here),
        requires_human_action=human,
        system_message=system,
        why_silent=why,
    )
    return _judged(case, findings, verdict)


def _verdict(
    kind: StopKind, end: EndState, *, complete: bool, why: str, decision: "Literal['block', 'allow', 'defer']" = "allow"
) -> Verdict:
    return Verdict(
        complete=complete, decision=decision, end_state=end, stop_kind=kind, severity=Severity.NONE, why_silent=why
    )


def _judged(case: Case, findings: tuple[Finding, ...], verdict: Verdict, history: History | None = None) -> Judgement:
    ran = any(finding.state is not State.NOT_APPLICABLE for finding in findings if finding.gate != "completion")
    return Judgement(
        task=case.task,
        findings=findings,
        verdict=verdict,
        history=history or case.history,
        gates_ran=ran,
        needs_model=_needs_model(case, findings, verdict),
    )


def _needs_model(case: Case, findings: tuple[Finding, ...], verdict: Verdict) -> str:
    """What the rules left open; "" where there is nothing to ask a model."""
    if verdict.decision != "allow" or verdict.end_state not in {
        EndState.COMPLETE,
        EndState.WAITING_FOR_USER,
        EndState.WORKING,
    }:
        return ""
    unknown = next(
        (f for f in findings if f.state is State.UNKNOWN and f.gate not in {"ci", "wiring", "claims"} and not f.silent),
        None,
    )
    if unknown is not None:
        return f"{unknown.gate}: {unknown.reason}"
    if case.stop_kind is StopKind.UNCLEAR and case.worked:
        return "nothing says whether it is done"
    unproven = all(f.state is State.NOT_APPLICABLE for f in findings if f.gate in {"tests", "build"})
    return (
        "work was done, and there is nothing to prove it by"
        if unproven and case.worked and case.task.type == "coding"
        else ""
    )
