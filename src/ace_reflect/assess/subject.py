"""What is judged, as a model is shown it: the task, the open checks, the turn's facts with their lines, all that was done,
the last answer. The prompts about a stop are filled from this and nothing else; the evals build it too.
"""

from collections.abc import Mapping
from typing import TypeVar

from ace_reflect.assess.work import newest, work_lines
from ace_reflect.evidence.facts import CiLook, Done, Ledger, Placed, Tried, Turn
from ace_reflect.gates.case import task_type
from ace_reflect.gates.model import Finding, Judgement, Mode, State
from ace_reflect.text import cut_middle, seen_from, shortened
from ace_reflect.transcript.records import Record

#: place in a prompt -> text; `task`, `earlier`, `kind`, `mode`, `requirements`, `facts`, `work`, `answer`, `why`,
#: `instructions`, `rubric`, `attempt`
Subject = Mapping[str, str]
P = TypeVar("P", bound=Placed)

TASK_CHARS = 6_000
ANSWER_CHARS = 6_000
WORK_CHARS = 24_000
EARLIER_PROMPTS = 8
FACTS_CHARS = 8_000
_OPEN = (State.DISPROVEN, State.UNKNOWN)


def subject_of(  # noqa: PLR0913 - what a stop is made of
    ledger: Ledger,
    judgement: Judgement,
    records: list[Record],
    *,
    answer: str | None = None,
    why: str = "",
    max_attempts: int = 3,
    instructions: str = "",
    rubric: str = "",
) -> Subject:
    """A judged stop. `records` are the turn's (`work.read_turn`), `answer` the host's own word for it, `why` what the rules
    left open, `instructions` the project's CLAUDE.md and the like, `rubric` its reflection.md.
    """
    turn = ledger.now
    said = (turn.final_text if answer is None else answer).strip()
    loud = [finding for finding in judgement.findings if not finding.silent]
    checks = [_check(finding) for finding in loud if finding.state in _OPEN]
    work = newest(work_lines(records, ledger, said), WORK_CHARS, what="steps")
    nobody = "print mode: nobody can answer a question"
    return {
        "task": cut_middle(turn.prompt.strip(), TASK_CHARS) or "(not known)",
        "earlier": _earlier(ledger, turn) or "(nothing)",
        "kind": task_type(ledger)[0],
        "mode": nobody if turn.print_mode else "interactive: the person can answer",
        "requirements": "\n".join(checks) or "(none)",
        "facts": facts(ledger, turn),
        "work": work or "(no tool was used)",
        "answer": cut_middle(said, ANSWER_CHARS) or "(the turn ended without a text)",
        "why": why or "(nothing in particular)",
        "instructions": instructions.strip() or "(none)",
        "rubric": rubric.strip() or "(none)",
        "attempt": _attempt(judgement.history.attempts, max_attempts),
    }


def _attempt(sent: int, most: int) -> str:
    """`sent`: messages for this prompt so far."""
    count = f"Attempt {sent + 1} of {most}: the agent was"
    if not sent:
        return f"{count} not sent back over this task yet."
    times = {1: "once", 2: "twice"}.get(sent, f"{sent} times")
    last = " The next message would be the last one." if sent + 1 >= most else ""
    stuck = "If it repeats what did not help, it is stuck: say so, and name another way."
    return f"{count} sent back over this task {times} already.{last} {stuck}"


def _earlier(ledger: Ledger, turn: Turn) -> str:
    before = [other for other in ledger.turns if other.prompt and other.number < turn.number]
    shown = before[-EARLIER_PROMPTS:]
    rows = [f"[{other.number}] {shortened(other.prompt, 300)}" for other in shown]
    if before and before[-1].final_text:  # "yes, do the second" means nothing without it
        said = shortened(cut_middle(before[-1].final_text, 700), 700)
        rows.append(f"(the answer that the task follows on: {said})")
    return "\n".join(rows)


def _check(finding: Finding) -> str:
    scope = f" in {finding.scope}" if finding.scope else ""
    told = f"{finding.gate}{scope}: {finding.state.value.upper()}"
    told += "" if finding.mode is Mode.BLOCK else ", for the person only"
    told += f": {shortened(finding.reason, 240)}"
    for seen in finding.evidence[-1:]:
        told += f" (line {seen.line}: {shortened(seen.quote, 160)})"
    settle = f"; `{shortened(finding.settle, 120)}` would settle it"
    return told + (settle if finding.settle else "")


def facts(ledger: Ledger, turn: Turn) -> str:
    """The turn's facts, each with its line, as many of the newest as fit; and what holds now."""

    def mine(found: tuple[P, ...]) -> list[P]:
        return [each for each in found if each.turn == turn.number]

    rows: list[tuple[int, str]] = []
    for run in mine(ledger.runs):
        why = f"{run.outcome.value}: {shortened(run.quote or run.why, 200)}"
        told = f"{run.kind.value} run by the {run.by}{_inside(run)}"
        rows.append((run.result_line or run.line, f"{told}: `{shortened(run.command, 160)}` {why}"))
    edits = [edit for edit in mine(ledger.edits) if not edit.trivial]
    for edit in [edit for edit in edits if edit.kind in {"code", "test"} and edit.is_work][-1:]:
        where = seen_from(ledger.cwd, edit.path)
        rows.append((edit.line, f"the last edit of code{_inside(edit)}: {where}"))
    shipped: dict[str, tuple[Tried | CiLook, ...]] = {
        "commit": ledger.commits,
        "push": ledger.pushes,
        "pull request": ledger.pull_requests,
        "a look at CI": ledger.ci_looks,
    }
    for what, found in shipped.items():
        for deed in mine(found):
            said = shortened(deed.quote or deed.command, 120)
            rows.append((deed.line, f"{what}{_inside(deed)}: {deed.outcome} {said}"))
    for asked in mine(ledger.questions):
        told = f"the agent asked “{shortened(asked.text, 200)}”"
        rows.append((asked.line, f"{told}; the person: “{shortened(asked.answer, 200)}”"))
    shown = [f"line {line}: {text.rstrip()}" for line, text in sorted(rows)]
    told_of = [newest(shown, FACTS_CHARS, what="facts")] if shown else []
    # What holds now has no line of its own.
    todos = [todo for todo in mine(ledger.todos) if todo.open]
    told_of += [f"todo, {todo.status}: {shortened(todo.text, 160)}" for todo in todos]
    for task in ledger.background:
        running = f"still running in the background: {shortened(task.command or task.id, 160)}"
        told_of += [running] if task.running else []
    told_of += [f"the person said in between: “{shortened(words, 300)}”" for words in turn.limits]
    made = sorted({seen_from(ledger.cwd, edit.path) for edit in edits})
    named = f": {', '.join(made[:12])}" if made else ""
    calls = f"{turn.tool_calls} tool calls in this turn, {turn.writes} of them wrote"
    return "\n".join([*told_of, f"{calls}, {len(made)} files changed{named}"])


def _inside(fact: Done) -> str:
    return f" (in {fact.file})" if fact.file else ""
