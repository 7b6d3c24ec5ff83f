"""The answer: does the ledger contradict what it says, and is it the end? With the two loops, which choose how a message begins."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from ace_reflect.evidence.facts import CommandKind, Ledger, Outcome, Run, Tried
from ace_reflect.gates import words
from ace_reflect.gates.case import Case
from ace_reflect.gates.model import Evidence, Finding, State
from ace_reflect.text import CUT, counted, shortened


def claims_gate(case: Case) -> Finding:
    """True numbers, parts of a suite, and answers that mention the failure accuse nobody."""
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
    """The fact that contradicts a claim."""
    if what == "tests":
        return _red_tests(number, case)
    ledger = case.ledger
    tried: Sequence[Tried] = case.own(ledger.pushes if what == "push" else ledger.pull_requests)
    if what == "build":
        runs = [run for run in case.own(ledger.runs) if run.executed][-1:]
        tried = [run for run in runs if run.kind is CommandKind.BUILD]
    tried = [each for each in tried if not getattr(each, "existing", False)]
    return tried[-1] if tried and all(each.outcome is Outcome.FAILED for each in tried) else None


def _red_tests(number: int | None, case: Case) -> Run | None:
    """The turn's last real run if it failed, or a red full run of which only smaller parts have passed since."""
    runs = [run for run in case.own(case.ledger.runs) if run.kind is CommandKind.TEST]
    runs = [run for run in runs if run.executed and not (run.baseline or run.of_scratch)]
    red = next((run for run in reversed(runs) if run.outcome is Outcome.FAILED), None)
    gone = red and any(each.sequence > red.sequence for each in case.ledger.tree_changes)
    told = red and red.counts and number is not None and number == red.counts.passed
    if red is None or gone or told or case.may_have_run(red.line):
        return None
    counts, since = red.counts, [run for run in runs if run.sequence > red.sequence]
    most = max((run.counts.passed or 0 for run in since if run.counts), default=0)
    whole = red.partial or (counts and 0 < (counts.passed or 0) <= most - (counts.failed or 0))
    parts = (r.partial and r.outcome is Outcome.PASSED and r.runner == red.runner for r in since)
    return red if not since or (not whole and all(parts)) else None


def remaining_work_gate(case: Case) -> Finding:
    """Todos of this turn never started, if no agent runs and the answer neither asks nor announces anything."""
    mine = [todo for todo in case.own(case.ledger.todos) if todo.status == "pending"]
    left = [todo for todo in mine if not words.found("persons", todo.text)]
    if not left:
        return case.nothing("remaining_work", "no todo of this turn is left")
    agents = any(task.running and task.subagent for task in case.ledger.background)
    goes_on = any(words.starts("announces", each) for each in words.sentences(case.final)[-3:])
    goes_on = goes_on or agents or bool(case.running or words.asks_person(case.final))
    evidence = tuple(Evidence(line=todo.line, quote=shortened(todo.text, 100)) for todo in left[:3])
    more: Any = {"evidence": evidence, "mark": ",".join(todo.id for todo in left)}
    reason = f"{counted(len(left), 'todo')} never begun: {shortened(left[0].text, 60)}"
    state = State.UNKNOWN if goes_on else State.DISPROVEN
    return case.finding("remaining_work", state, reason, **more)


def completion_gate(case: Case) -> Finding:
    """An announced step or an open code fence at the answer's end; menus and lists that follow are neither."""
    if not case.final.strip():
        return case.finding("completion", State.UNKNOWN, "the turn ends without an answer")
    last = case.final.rstrip().rpartition("\n")[2].strip()
    listed = last.startswith(("-", "* ", "•")) or last[:1].isdigit()
    said = words.sentences(last)[-1:] if last.endswith((":", "：")) and not listed else []
    if said and words.starts("announces", said[0]):
        reason = "the answer announces a step, and nothing follows"
    elif CUT not in case.final and _open_fence(case.final):
        reason = "the answer breaks off in a code block"
    else:
        return case.nothing("completion", "the answer comes to an end")
    more = {"evidence": (case.said(last),), "mark": str(case.turn.tool_calls)}
    return case.finding("completion", State.DISPROVEN, reason, **more)


def _open_fence(text: str) -> str:
    """The code fence that nothing closes: a line of as many marks, and of nothing else. A fence with a name may stand in one."""
    fences = list[str]()
    for line in map(str.strip, text.split("\n")):
        marks = line[: len(line) - len(line.lstrip("`"))]
        if len(marks) >= 3 and "`" not in line[len(marks) :] and (line != marks or not fences):
            fences.append(marks)
        elif line == marks and marks in fences:
            del fences[len(fences) - 1 - fences[::-1].index(marks) :]
    return "".join(fences[:1])


class Loops(NamedTuple):
    planning: bool = False
    action: bool = False
    repeated: str = ""  # the command that was run most
    times: int = 0
    calls: int = 0


def find_loops(ledger: Ledger) -> Loops:
    """The current turn's: hardly a write though a change was asked for, and commands that repeat since the last write."""
    turn, total = ledger.now, ledger.now.tool_calls
    unchanged = takewhile(lambda call: not call.write, reversed(ledger.calls))
    commands = Counter(call.key for call in unchanged if call.bash)
    key, times = max(commands.items(), key=lambda each: each[1], default=("", 0))
    again = sum(number for number in commands.values() if number >= 3)
    planning = 8 <= total > 10 * turn.writes and words.asks_for_change(turn.prompt)
    action = commands.total() >= 4 and again >= 0.6 * commands.total()
    return Loops(planning, action, key, times, total)
