"""Does the turn end at all, with todos never begun or in mid-answer? And the two loops, which choose how a message begins."""

from collections import Counter
from itertools import takewhile

from ace_reflect.evidence.facts import Ledger, Turn
from ace_reflect.gates import words
from ace_reflect.gates.case import Case
from ace_reflect.gates.model import Evidence, Finding, State
from ace_reflect.text import counted, shortened
from ace_reflect.values import Value


def remaining_work_gate(case: Case) -> Finding:
    """Todos of this turn that were never begun, where no agent runs and the answer neither asks nor announces anything."""
    mine = [todo for todo in case.ledger.todos if todo.turn == case.turn.number]
    left = [t for t in mine if t.status == "pending" and not words.found("persons", t.text)]
    if not left:
        return case.nothing("remaining_work", "no todo of this turn is left")
    evidence = tuple(Evidence(line=todo.line, quote=shortened(todo.text, 100)) for todo in left[:3])
    agents = any(task.running and task.subagent for task in case.ledger.background)
    goes_on = any(words.starts("announces", each) for each in words.sentences(case.final)[-3:])
    if agents or case.running or goes_on or words.asks_person(case.final):
        reason = "todos are left, and the work goes on"
        return case.finding("remaining_work", State.UNKNOWN, reason, evidence=evidence)
    reason = f"{counted(len(left), 'todo')} never begun: {shortened(left[0].text, 60)}"
    more = {"evidence": evidence, "mark": ",".join(todo.id for todo in left)}
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


def find_loops(ledger: Ledger, turn: Turn | None, *, asks_for_change: bool) -> Loops:
    """
    The current turn's loops.

    Planning: a change was asked for, and of at least 8 calls under 10 % write. Action: of at least 4 commands since the
    last write one was repeated at least 3 times, and at least 60 % are such repeats.
    """
    if turn is None:
        return Loops()
    calls = [call for call in ledger.calls if call.turn == turn.number]
    total, writes = max(turn.tool_calls, len(calls)), max(turn.writes, sum(c.write for c in calls))
    unchanged = takewhile(lambda call: not call.write, reversed(calls))
    commands = Counter(call.key for call in unchanged if call.bash)
    ((key, times),) = commands.most_common(1) or [("", 0)]
    again = sum(number for number in commands.values() if number >= 3)
    planning = asks_for_change and total >= 8 and writes < 0.1 * total
    action = commands.total() >= 4 and again >= 0.6 * commands.total()
    return Loops(planning=planning, action=action, repeated=key, times=times, calls=total)
