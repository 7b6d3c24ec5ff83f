"""The answer: does the ledger contradict what it says, and is it the end? With the two loops, which choose how a message begins."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from ace_reflect.evidence.facts import RUN_KINDS, CommandKind, Ledger, Outcome, Run, Tried
from ace_reflect.gates import words
from ace_reflect.gates.case import Case
from ace_reflect.gates.model import Evidence, Finding, State
from ace_reflect.text import counted, shortened
from ace_reflect.values import Value


def claims_gate(case: Case) -> Finding:
    """True numbers, parts of a suite, and answers that speak of the failure accuse nobody."""
    said = words.claims(case.final)
    for what, number, sentence in said:
        if against := _against(what, number, case):
            run = against if isinstance(against, Run) else None
            shown = shortened(against.quote or (run.why if run else against.command), 80)
            reason = f"the answer says “{shortened(sentence, 80)}”, and the last run shows: {shown}"
            more: Any = {"evidence": (case.said(sentence), Evidence.of(against, shown))}
            more["settle"] = (run.own or run.command) if run else ""
            more["mark"] = f"{against.sequence}:{sentence}"
            return case.finding("claims", State.DISPROVEN, reason, **more)
    if said:
        return case.finding("claims", State.UNKNOWN, "nothing in the ledger contradicts the answer")
    return case.nothing("claims", "the answer claims nothing that is checked")


def _against(what: str, number: int | None, case: Case) -> Tried | None:
    """The deed that a claim is false of."""
    if what == "tests":
        return _red_tests(number, case)
    tried: Sequence[Tried] = case.own(case.ledger.pull_requests)
    if what == "push":
        tried = case.own(case.ledger.pushes)
    elif what == "build":
        runs = [r for r in case.own(case.ledger.runs) if r.kind in RUN_KINDS and r.executed][-1:]
        tried = [run for run in runs if run.kind is CommandKind.BUILD]
    return tried[-1] if tried and all(each.outcome is Outcome.FAILED for each in tried) else None


def _red_tests(number: int | None, case: Case) -> Run | None:
    """The last real run where it failed, or a red full run with only parts of it passed since."""
    runs = [run for run in case.ledger.runs if run.kind is CommandKind.TEST and run.executed]
    known = any(run.baseline and run.outcome is Outcome.FAILED for run in runs)
    runs = [run for run in runs if not (run.baseline or run.of_scratch)]
    red = next((run for run in reversed(runs) if run.outcome is Outcome.FAILED), None)
    if red is None or known or (number is not None and red.counts and number == red.counts.passed):
        return None
    for run in (run for run in runs if run.sequence > red.sequence):
        part = run.outcome is Outcome.PASSED and run.partial and run.runner == red.runner
        if red.partial or not part:
            return None
    changes = (*case.ledger.edits, *case.ledger.tree_changes)
    stale = red.turn != case.turn.number and any(each.sequence > red.sequence for each in changes)
    return None if stale else red


def remaining_work_gate(case: Case) -> Finding:
    """Todos of this turn that were never begun, where no agent runs and the answer neither asks nor announces anything."""
    mine = [todo for todo in case.own(case.ledger.todos) if todo.status == "pending"]
    left = [todo for todo in mine if not words.found("persons", todo.text)]
    if not left:
        return case.nothing("remaining_work", "no todo of this turn is left")
    evidence = tuple(Evidence(line=todo.line, quote=shortened(todo.text, 100)) for todo in left[:3])
    agents = any(task.running and task.subagent for task in case.ledger.background)
    goes_on = any(words.starts("announces", each) for each in words.sentences(case.final)[-3:])
    if agents or case.running or goes_on or words.asks_person(case.final):
        reason = "todos are left, and the work goes on"
        return case.finding("remaining_work", State.UNKNOWN, reason, evidence=evidence)
    reason = f"{counted(len(left), 'todo')} never begun: {shortened(left[0].text, 60)}"
    more: Any = {"evidence": evidence, "mark": ",".join(todo.id for todo in left)}
    return case.finding("remaining_work", State.DISPROVEN, reason, **more)


def completion_gate(case: Case) -> Finding:
    """An announced step or an open code fence at the answer's end; menus and lists that follow are neither."""
    if not case.final.strip():
        return case.finding("completion", State.UNKNOWN, "the turn ends without an answer")
    if words.announced_step(case.final):
        reason = "the answer announces a step, and nothing follows"
    elif case.final.count("```") % 2:
        reason = "the answer breaks off in a code block"
    else:
        return case.nothing("completion", "the answer comes to an end")
    end = case.said(case.final.strip().rpartition("\n")[2])
    more = {"evidence": (end,), "mark": str(case.turn.tool_calls)}
    return case.finding("completion", State.DISPROVEN, reason, **more)


class Loops(Value):
    planning: bool = False
    action: bool = False
    repeated: str = ""  # the command that was run most
    times: int = 0
    calls: int = 0


def find_loops(ledger: Ledger, *, asks_for_change: bool) -> Loops:
    """
    The current turn's. Planning: a change was asked for, and of at least 8 calls under 10 % write. Action: of at least 4
    commands since the last write one was repeated at least 3 times, and at least 60 % are such repeats.
    """
    if not ledger.turns:
        return Loops()
    total, writes = ledger.turns[-1].tool_calls, ledger.turns[-1].writes
    unchanged = takewhile(lambda call: not call.write, reversed(ledger.calls))
    commands = Counter(call.key for call in unchanged if call.bash)
    ((key, times),) = commands.most_common(1) or [("", 0)]
    again = sum(number for number in commands.values() if number >= 3)
    planning = asks_for_change and total >= 8 and writes < 0.1 * total
    action = commands.total() >= 4 and again >= 0.6 * commands.total()
    return Loops(planning=planning, action=action, repeated=key, times=times, calls=total)
