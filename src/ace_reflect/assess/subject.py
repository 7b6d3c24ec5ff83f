"""What is judged, as a model is shown it: the task, the open checks, the turn's facts with their lines, all that was done,
the last answer. The prompts about a stop are filled from this and nothing else; the evals build it too.
"""

from collections.abc import Mapping
from typing import TypeVar

from ace_reflect.assess.work import fitted, newest, work_lines
from ace_reflect.evidence.facts import CiLook, Ledger, Placed, Run, Tried, Turn
from ace_reflect.gates.case import task_type
from ace_reflect.gates.model import Finding, Judgement, Mode, State
from ace_reflect.text import cut_middle, seen_from, shortened
from ace_reflect.transcript.records import Record

#: place in a prompt -> text; `task`, `earlier`, `kind`, `mode`, `requirements`, `facts`, `work`, `answer`, `why`,
#: `instructions`, `rubric`, `attempt`; and `rules`, the instructions in full, for who audits a diff
Subject = Mapping[str, str]
P = TypeVar("P", bound=Placed)

#: Characters of a part, and of all: under 6,000 tokens with the fixed text, half of all stops under 3,000 (`bench/requests.py`).
TASK_CHARS, ANSWER_CHARS, FACTS_CHARS, TEXT_CHARS = 2_500, 2_500, 1_200, 1_200
WORK_CHARS, MOST_CHARS = 3_600, 14_000
EARLIER_PROMPTS = 4
_FRAGMENT_WORDS = 6  # a prompt this short ("yes, the second") leans on what was said before
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
    nobody = "print mode: nobody can answer a question"
    told = {
        "task": cut_middle(turn.prompt.strip(), TASK_CHARS) or "(not known)",
        "earlier": _earlier(ledger, turn) or "(nothing)",
        "kind": task_type(ledger)[0],
        "mode": nobody if turn.print_mode else "interactive: the person can answer",
        "requirements": "\n".join(checks) or "(none)",
        "facts": facts(ledger, turn, beside_work=True),
        "answer": cut_middle(said, ANSWER_CHARS) or "(the turn ended without a text)",
        "why": why or "(nothing in particular)",
        "instructions": cut_middle(instructions.strip(), TEXT_CHARS) or "(none)",
        "rubric": cut_middle(rubric.strip(), TEXT_CHARS) or "(none)",
        "attempt": _attempt(judgement.history.attempts, max_attempts),
    }
    room = min(WORK_CHARS, MOST_CHARS - sum(map(len, told.values())))
    work = fitted(work_lines(records, ledger, said), room)
    return {**told, "work": work or "(no tool was used)", "rules": instructions}


def _attempt(sent: int, most: int) -> str:
    """`sent`: messages for this prompt so far."""
    if not sent:
        return "The agent was not sent back over this task yet."
    last = " The next message would be the last one." if sent + 1 >= most else ""
    stuck = "If it repeats what did not help, it is stuck: say so, and name another way."
    return f"Attempt {sent + 1} of {most}: it was sent back over this task already.{last} {stuck}"


def _earlier(ledger: Ledger, turn: Turn) -> str:
    before = [other for other in ledger.turns if other.prompt and other.number < turn.number]
    leans = len(turn.prompt.split()) <= _FRAGMENT_WORDS
    whole = [other for other in before if leans and len(other.prompt.split()) > _FRAGMENT_WORDS]
    shown = before[-EARLIER_PROMPTS:]
    rows = [f"[{other.number}] {shortened(other.prompt, 200)}" for other in shown]
    if whole and len(whole[-1].prompt) > 200:
        rows.append(f"(in full, [{whole[-1].number}]: {cut_middle(whole[-1].prompt, 1_000)})")
    if before and before[-1].final_text:  # "yes, do the second" means nothing without it
        said = cut_middle(before[-1].final_text, 1_000 if leans else 400)
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


def facts(ledger: Ledger, turn: Turn, *, beside_work: bool = False) -> str:
    """The turn's facts, each with its line, as many of the newest as fit; and what holds now. `beside_work`: without the runs
    that the lines of the work show.
    """

    def mine(found: tuple[P, ...]) -> list[P]:
        return [each for each in found if each.turn == turn.number]

    runs = [run for run in ledger.runs if run.file or run.by != "agent" or not beside_work]
    deeds: list[tuple[str, Tried | CiLook]] = [(f"{run.kind.value} run", run) for run in runs]
    deeds += [("commit", deed) for deed in ledger.commits]
    deeds += [("push", deed) for deed in ledger.pushes]
    deeds += [("pull request", deed) for deed in ledger.pull_requests]
    deeds += [("a look at CI", deed) for deed in ledger.ci_looks]
    rows: list[tuple[int, str]] = []
    for what, deed in deeds:
        if deed.turn == turn.number:
            where, command = f" in {deed.file}" if deed.file else "", shortened(deed.command, 160)
            why = deed.quote or (deed.why if isinstance(deed, Run) else "")
            told = (
                f"{what} by the {deed.by}{where}: `{command}` {deed.outcome}: {shortened(why, 200)}"
            )
            rows.append((deed.result_line or deed.line, told))
    for asked in mine(ledger.questions):
        told = f"the agent asked “{shortened(asked.text, 200)}”"
        rows.append((asked.line, f"{told}; the person: “{shortened(asked.answer, 200)}”"))
    shown = [f"line {line}: {text.rstrip(': ')}" for line, text in sorted(rows)]
    told_of = [newest(shown, FACTS_CHARS, what="facts")] if shown else []
    # What holds now has no line of its own.
    todos = [todo for todo in mine(ledger.todos) if todo.open]
    told_of += [f"todo, {todo.status}: {shortened(todo.text, 160)}" for todo in todos]
    for task in ledger.background:
        running = f"still running in the background: {shortened(task.command or task.id, 160)}"
        told_of += [running] if task.running else []
    told_of += [f"the person said in between: “{shortened(words, 300)}”" for words in turn.limits]
    edits = [edit for edit in mine(ledger.edits) if not edit.trivial]
    made = sorted({seen_from(ledger.cwd, edit.path) for edit in edits})
    named = f": {', '.join(made[:12])}" if made else ""
    calls = f"{turn.tool_calls} tool calls in this turn, {turn.writes} of them wrote"
    return "\n".join([*told_of, f"{calls}, {len(made)} files changed{named}"])
