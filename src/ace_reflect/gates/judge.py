"""The decision on one stop, for the hook, `check` and the replay: block with a message, wait, or let it stand."""

from typing import Any

from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates import message, words
from ace_reflect.gates.answer import claims_gate, completion_gate, find_loops, remaining_work_gate
from ace_reflect.gates.case import EARLIER, GIVEN_UP, Case, still_running
from ace_reflect.gates.model import EndState as End
from ace_reflect.gates.model import Finding, History, Judgement, Mode, State, StopKind, Verdict
from ace_reflect.gates.shipping import build_gate, ci_gate, direct_push_gate, pr_gate
from ace_reflect.gates.tests import tests_gate
from ace_reflect.project.facts import Project
from ace_reflect.settings import GATES, Settings
from ace_reflect.text import counted, cut_middle, shortened

_GATES = (build_gate, pr_gate, ci_gate, direct_push_gate, claims_gate, remaining_work_gate, completion_gate)  # fmt: skip
_SHOWS_WORK = {"tests", "build", "pr", "ci"}
_DIALOGS = {"AskUserQuestion", "ExitPlanMode"}
Findings = tuple[Finding, ...]


def judge_stop(
    ledger: Ledger,
    project: Project,
    settings: Settings,
    history: History | None = None,
    *,
    final_text: str | None = None,
    background: tuple[str, ...] | None = None,
    permission_mode: str | None = None,
) -> Judgement:
    """Judge a stop and move the counters of the last one (`history`). What the host does not tell (None), the ledger shows."""
    turn, history = ledger.now, history or History()
    key = turn.prompt_uuid or str(turn.line)
    if history.turn != key:  # what was given up, and notes, outlive a prompt
        history = history.replace(turn=key, attempts=0, last_mark="", last_told=False, told=())
    final = cut_middle(turn.final_text if final_text is None else final_text, 8_000)
    running = still_running(ledger) if background is None else background
    asks = "" if turn.print_mode else words.asks_person(final)
    case = Case(ledger, turn, project, settings, history, running, final, asks)
    found = (*tests_gate(case), *(gate(case) for gate in _GATES)) if turn.number else ()
    proven = {each.key for each in found if each.state is State.PROVEN}
    given_up = tuple(key for key in history.given_up if key not in proven)
    on = (each for each in found if each.mode is not Mode.OFF)
    over = {each for each in found if each.open and not each.silent and each.key in given_up}
    findings = tuple(each.replace(silent=GIVEN_UP) if each in over else each for each in on)
    case = case.with_history(given_up=given_up)
    quiet = _quiet(case, permission_mode)
    return _judged(case, findings, *quiet) if quiet else _decide(case, findings)


def _quiet(case: Case, permission_mode: str | None) -> tuple[End, str] | None:
    """When nothing is checked, whatever the gates say."""
    turn, calls = case.turn, case.ledger.calls[-1:]
    planning = turn.plan_mode if permission_mode is None else permission_mode == "plan"
    dialog = turn.pending_calls and any(call.name in _DIALOGS for call in calls)
    said = words.waiver(case.ledger.turns, "gates") if turn.number else ""
    ours = turn.prompt.lstrip().startswith(words.OWN_PROMPTS)
    rows = (
        (not turn.number, End.NOT_APPLICABLE, "no human prompt"),
        (said, End.SKIPPED, f"by the person's words: “{said}”"),
        (case.history.skipped, End.SKIPPED, "switched off for this session"),
        (ours, End.NOT_APPLICABLE, "a session of our own"),
        (turn.interrupted, End.NOT_APPLICABLE, "the person interrupted it"),
        (turn.api_error, End.ERROR, "the turn ended in an error of the API"),
        (turn.plan_rejected or planning, End.NOT_APPLICABLE, "plan mode"),
        (dialog, End.WAITING_FOR_USER, "a question to the person stands open"),
        (turn.pending_calls, End.WORKING, "a tool call has no result yet"),
    )
    return next(((end, why) for holds, end, why in rows if holds), None)


def _decide(case: Case, findings: Findings) -> Judgement:
    """Block, wait or let it stand."""
    pressing = [f for f in findings if f.open and not f.silent and f.mode is Mode.BLOCK]
    pressing.sort(key=lambda finding: (-finding.severity, list(GATES).index(finding.gate)))
    claims = any(finding.gate == "claims" for finding in pressing)
    if case.running and not claims and (pressing or _unsure(findings)):
        why = f"still running: {shortened('; '.join(case.running), 100)}"
        return _judged(case, findings, End.WORKING, why, left=(), decision="defer")
    if pressing and (claims or not case.asks):
        return _block(case, findings, tuple(pressing))
    return _judged(case, findings, *_end(case, findings))


def _block(case: Case, findings: Findings, pressing: Findings) -> Judgement:
    """At most `max_attempts` messages per prompt; if nothing has changed since the one before, the next is the last."""
    history, most = case.history, case.settings.max_attempts
    mark = ";".join(sorted(f"{finding.key}={finding.mark}" for finding in pressing))
    same = history.attempts > 0 and mark == history.last_mark
    if history.attempts >= most or (history.last_told and same):
        keys = dict.fromkeys((*history.given_up, *(finding.key for finding in pressing)))
        what = "; ".join(finding.reason for finding in pressing[:2])
        line = message.to_person(f"not done after {counted(history.attempts, 'message')}: {what}")
        case, why = case.with_history(given_up=tuple(keys)), "the last message has been given"
        return _judged(case, findings, End.GAVE_UP, why, line, left=pressing)
    attempt = history.attempts + 1
    last = same or attempt >= most
    loops = find_loops(case.ledger)
    text = message.feedback(pressing, loops, (attempt, most), last=last, same=same)
    case = case.with_history(attempts=attempt, last_mark=mark, last_told=last)
    return _judged(case, findings, End.INCOMPLETE, left=pressing, decision="block", feedback=text)


def _end(case: Case, findings: Findings) -> tuple[End, str, str]:
    """(end state, why, line to the person) for a stop that nothing blocks."""
    still = [each for each in findings if each.open]
    mine = [each for each in still if each.silent != EARLIER]
    now = [each for each in findings if not each.silent]
    told = still if case.history.attempts else mine  # it was sent for this prompt
    line = message.left_open((*told, *(each for each in now if each.tell)))
    final = case.final.split("\n\n")[-2:] if case.asks else []
    items = [each for part in final for each in words.sentences(part) if words.is_persons(each)]
    if items:
        waits = message.to_person(f"waits for you: {items[0]}")
        return End.BLOCKED_ON_HUMAN, "only a person can go on", waits
    if case.asks and (case.turn.tool_calls or still):
        return End.WAITING_FOR_USER, "the answer asks the person something", line
    if mine:
        given_up = any(finding.silent == GIVEN_UP for finding in mine)
        return End.GAVE_UP if given_up else End.INCOMPLETE, mine[0].reason, line
    if still:
        return End.OPEN_FROM_EARLIER, still[0].reason, line
    if case.running:
        return End.WORKING, "background work goes on", line
    if unsure := _unsure(findings):
        return End.WAITING_FOR_USER, unsure, line
    if shown := tuple(f for f in now if f.state is State.PROVEN and f.gate in _SHOWS_WORK):
        return End.COMPLETE, "", line or message.proven(shown)
    return End.NOT_APPLICABLE, "nothing to prove", line


def _unsure(findings: Findings) -> str:
    """Why it is unknown whether the tests of this turn's work pass; "" if it is known."""
    tests = (each for each in findings if each.gate == "tests" and not each.silent)
    return next((each.reason for each in tests if each.state is State.UNKNOWN), "")


def _judged(
    case: Case, found: Findings, end: End, why: str = "", line: str = "", **more: Any
) -> Judgement:
    """`line` is shown to the person once per prompt; `left`: what is missing, if that is not all that is open."""
    line = "" if line in case.history.told else line
    case = case.with_history(told=(*case.history.told, line)) if line else case
    left = more.pop("left", [each for each in found if each.open])
    waits = case.asks or end in {End.BLOCKED_ON_HUMAN, End.WAITING_FOR_USER}
    kind = StopKind.WORKING if end is End.WORKING else StopKind.COMPLETE
    verdict = Verdict(
        complete=end is End.COMPLETE,
        end_state=end,
        stop_kind=StopKind.WAITING_FOR_USER if waits else kind,
        severity=max((each.severity for each in left), default=Verdict.severity),
        missing=tuple(dict.fromkeys(each.reason for each in left)),
        next_actions=tuple(dict.fromkeys(each.settle or each.reason for each in left)),
        requires_human_action=end is End.BLOCKED_ON_HUMAN,
        system_message=line,
        why_silent=why,
        **more,
    )
    ran = any(f.state is not State.NOT_APPLICABLE for f in found if f.gate != "completion")
    return Judgement(findings=found, verdict=verdict, history=case.history, gates_ran=ran)
