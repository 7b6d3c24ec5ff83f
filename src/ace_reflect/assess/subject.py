"""
What is judged, in the words that a model is shown: the task, what it calls for, the facts and their lines, all that was
done, the last answer. The roles' prompts are filled from this and nothing else; the rules' evals build it, too.
"""

from dataclasses import dataclass

from ace_reflect.assess.text import cut, ending, newest
from ace_reflect.assess.work import work_lines
from ace_reflect.evidence.facts import Ledger, Run, Turn
from ace_reflect.gates.model import Finding, Judgement, State
from ace_reflect.text import seen_from, shortened
from ace_reflect.transcript.records import Record

TASK_CHARS = 6_000
EARLIER_PROMPTS = 8
ANSWER_CHARS = 6_000
WORK_CHARS = 24_000
FACTS = 60  # lines, the newest


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One stop, as a model is shown it. Texts are whole here but for their caps; the prompt makes material of them."""

    task: str
    earlier: str = ""  # what was asked in this session before
    kind: str = "other"  # coding, docs, research, ops, other
    mode: str = "interactive"  # or "print": nobody can answer
    requirements: str = ""
    facts: str = ""
    work: str = ""
    answer: str = ""
    why: str = ""  # what the rules left open
    attempt: int = 0  # messages sent for this prompt so far
    max_attempts: int = 3
    instructions: str = ""  # the project's CLAUDE.md and the like
    rubric: str = ""  # the project's reflection.md


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
    """The subject of a judged stop. `records` are the turn's (`work.read_turn`); `answer` the host's own word for it."""
    turn = ledger.turns[-1] if ledger.turns else Turn(number=0, line=0, last_line=0)
    said = turn.final_text if answer is None else answer
    return Subject(
        task=cut(turn.prompt or judgement.task.prompt, TASK_CHARS),
        earlier=_earlier(ledger, turn),
        kind=judgement.task.type,
        mode="print" if judgement.task.print_mode else "interactive",
        requirements=requirements(judgement),
        facts=facts(ledger, turn),
        work=newest(work_lines(records, ledger, said), WORK_CHARS, what="steps")
        or "(no tool was used)",
        answer=cut(said, ANSWER_CHARS) or "(the turn ended without a text)",
        why=why,
        attempt=judgement.history.attempts,
        max_attempts=max_attempts,
        instructions=instructions,
        rubric=rubric,
    )


def _earlier(ledger: Ledger, turn: Turn) -> str:
    before = [other for other in ledger.turns if other.prompt and other.number < turn.number]
    rows = [
        f"[{other.number}] {shortened(other.prompt, 300)}" for other in before[-EARLIER_PROMPTS:]
    ]
    if before and before[-1].final_text:  # "yes, do the second" is nothing without it
        rows.append(
            f"(the answer that the task follows on: {shortened(ending(before[-1].final_text, 700), 700)})"
        )
    return "\n".join(rows)


def requirements(judgement: Judgement) -> str:
    """Which checks this task calls for and how each stands, as the rules have found it."""
    return "\n".join(_requirement(finding) for finding in judgement.findings)


def _requirement(finding: Finding) -> str:
    reason = shortened(finding.reason, 240)
    if finding.state is State.WAIVED:
        return f"{finding.gate}: NOT REQUIRED, waived: {reason}"
    if finding.state is State.NOT_APPLICABLE:
        return f"{finding.gate}: NOT REQUIRED: {reason}"
    if finding.silent:
        return f"{finding.gate}: NOT REQUIRED at this stop ({finding.silent}): {reason}"
    seen = (
        f" (line {finding.evidence[-1].line}: {shortened(finding.evidence[-1].quote, 160)})"
        if finding.evidence
        else ""
    )
    scope = f" in {finding.scope}" if finding.scope else ""
    settle = (
        f"; `{shortened(finding.settle, 120)}` would settle it"
        if finding.settle and finding.state is not State.PROVEN
        else ""
    )
    return f"{finding.gate}{scope}: {finding.state.value.upper()}: {reason}{seen}{settle}"


def facts(ledger: Ledger, turn: Turn) -> str:
    """What a program read off the transcript, each with its line; the newest are kept."""
    rows = sorted([*_runs(ledger), *_shipped(ledger), *_said(ledger, turn)])
    shown = [f"line {line}: {text}" for line, text in rows]
    left_out = [f"({len(shown) - FACTS} earlier facts left out)"] if len(shown) > FACTS else []
    return "\n".join([*left_out, *shown[-FACTS:], *_open(ledger, turn)]) or "(none)"


def _runs(ledger: Ledger) -> list[tuple[int, str]]:
    found = [
        (
            run.result_line or run.line,
            f"{run.kind.value} run by the {run.by}{_inside(run.file)}: {_run_line(run)}",
        )
        for run in ledger.runs
    ]
    last = next(
        (edit for edit in reversed(ledger.edits) if edit.kind in {"code", "test"} and edit.is_work),
        None,
    )
    if last is not None:
        found.append(
            (
                last.line,
                f"the last edit of code{_inside(last.file)}: {seen_from(ledger.cwd, last.path)}",
            )
        )
    return found


def _run_line(run: Run) -> str:
    why = shortened(run.quote or run.why, 200)
    return f"`{shortened(run.command, 160)}` {run.outcome.value}: {why}"


def _inside(file: str | None) -> str:
    return f" (in {file})" if file else ""


def _shipped(ledger: Ledger) -> list[tuple[int, str]]:
    found = [
        (commit.line, f"commit: {commit.outcome.value} {shortened(commit.quote, 100)}".rstrip())
        for commit in ledger.commits
    ]
    for push in ledger.pushes:
        to = f"{push.branch or push.tag or 'an unknown branch'}{' (the default branch)' if push.to_default else ''}"
        found.append((push.line, f"push to {to}: {push.outcome.value}"))
    found += [
        (pr.line, f"pull request: {pr.outcome.value} {pr.url or ''}".rstrip())
        for pr in ledger.pull_requests
    ]
    return found + [
        (look.line, f"a look at CI: {look.outcome} {shortened(look.quote, 120)}".rstrip())
        for look in ledger.ci_looks
    ]


def _said(ledger: Ledger, turn: Turn) -> list[tuple[int, str]]:
    return [
        (
            question.line,
            f"the agent asked “{shortened(question.text, 200)}”; the person: “{shortened(question.answer, 200)}”",
        )
        for question in ledger.questions
        if question.turn == turn.number
    ]


def _open(ledger: Ledger, turn: Turn) -> list[str]:
    """What holds now, and has no line of its own."""
    rows = [
        f"todo, {todo.status}: {shortened(todo.text, 160)}"
        for todo in ledger.todos
        if todo.turn == turn.number and todo.open
    ]
    rows += [
        f"still running in the background: {shortened(task.command or task.id, 160)}"
        for task in ledger.background
        if task.running
    ]
    rows += [f"the person said in between: “{shortened(words, 300)}”" for words in turn.limits]
    made = sorted(
        {
            seen_from(ledger.cwd, edit.path)
            for edit in ledger.edits
            if edit.turn == turn.number and not edit.trivial
        }
    )
    counted = f"{turn.tool_calls} tool calls in this turn, {turn.writes} of them wrote, {len(made)} files changed"
    return [*rows, counted + (f": {', '.join(made[:12])}" if made else "")]
