"""A stop as a model is shown it: the task, the open checks, the turn's facts, all that was done, the last answer.

The prompts about a stop are filled from this and nothing else; the evals build it too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from ace_reflect.assess.when import task_type
from ace_reflect.evidence.edits import is_edit, texts_of
from ace_reflect.evidence.facts import CiLook, Ledger, Placed, Run, Tried, Turn
from ace_reflect.gates.model import Finding, Judgement, Mode, State
from ace_reflect.text import cut_middle, seen_from, shortened
from ace_reflect.transcript import records as kinds
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import AssistantText, Record, ToolResult, ToolUse

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
_SAID = 250  # characters of a command, or of what is said
_TAIL = 500  # of what a command printed
_ROW = 160  # of a changed line
#: What a call was about: the first of these in its input.
_TARGETS = ("file_path", "notebook_path", "pattern", "path", "query", "url", "skill", "prompt")


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
    """The newest of the turn's facts that fit, and what holds now. `beside_work`: without the runs that the work shows."""

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
    running = [task.command or task.id for task in ledger.background if task.running]
    told_of += [f"still running in the background: {shortened(what, 160)}" for what in running]
    told_of += [f"the person said in between: “{shortened(words, 300)}”" for words in turn.limits]
    made = {seen_from(ledger.cwd, edit.path) for edit in mine(ledger.edits) if not edit.trivial}
    named = f": {', '.join(sorted(made)[:12])}" if made else ""
    calls = f"{turn.tool_calls} tool calls in this turn, {turn.writes} of them wrote"
    return "\n".join([*told_of, f"{calls}, {len(made)} files changed{named}"])


def read_turn(path: str, first_line: int, last_line: int) -> list[Record]:
    """The main thread's records in these lines, without loading the whole session. Raises TranscriptError."""
    reader = TranscriptReader(path, final=True)
    return [one for one in reader if first_line <= one.line <= last_line and one.in_main_thread]


class Step(NamedTuple):
    """One thing that was done. Its `rows`, an edit's changed lines or what a call printed, are shown where there is room."""

    line: str
    rows: tuple[str, ...] = ()
    edit: bool = False
    told: bool = False  # it only said or read something


def work_lines(records: Iterable[Record], ledger: Ledger, answer: str) -> list[Step]:
    """The steps in order; reads in a row are one. The last answer is left out."""
    runs = {run.line: run for run in ledger.runs if run.file is None}
    calls: dict[str, ToolUse] = {}
    steps: list[Step] = []
    reading = False
    for record in records:
        if isinstance(record, ToolUse):
            calls[record.id] = record
        elif isinstance(record, AssistantText) and record.text.strip() != answer.strip():
            said = f"line {record.line}: says: {shortened(record.text, _SAID)}"
            steps.append(Step(said, told=True))
            reading = False
        elif isinstance(record, ToolResult) and record.tool_use_id in calls:
            call, before = calls.pop(record.tool_use_id), reading
            reading = call.name in kinds.LOOKING and not record.is_error
            target = _target(call, ledger)
            if reading and before:
                steps[-1] = Step(f"{steps[-1].line}, {target}", told=True)
            elif reading:
                steps.append(Step(f"line {call.line}: looked at {target}", told=True))
            elif call.name not in kinds.TODOS or record.is_error:  # their state is a fact
                steps.append(_step(call, record, target, runs))
    waiting = [(call.line, f"{call.name} {_target(call, ledger)}") for call in calls.values()]
    return steps + [Step(f"line {line}: {what} (no result yet)") for line, what in waiting]


def fitted(steps: list[Step], most: int) -> str:
    """The steps in at most `most` characters: first the changed lines, then what was printed, the newest of each first."""
    changes = sum(len(row) + 5 for step in steps if step.edit for row in step.rows)
    kept = [*steps]
    over = sum(len(step.line) + 1 for step in steps) - max(most - changes, most // 2)
    while over > 0:  # what was only said or read goes first
        gone = next((step for step in kept if step.told), kept[0])
        kept.remove(gone)
        over -= len(gone.line) + 1
    shown = [step.line for step in kept]
    left = most - len("\n".join(shown))
    for at in sorted(range(len(kept)), key=lambda at: (not kept[at].edit, -at)):
        rows = [f"\n    {row}" for row in kept[at].rows]
        fit = sum(size < left - 30 for size in accumulate(map(len, rows)))
        more = [f"\n    … {len(rows) - fit} more lines"] if 0 < fit < len(rows) else []
        text = "".join([*rows[:fit], *more])
        shown[at], left = shown[at] + text, left - len(text)
    note = [f"({len(steps) - len(kept)} steps left out)"] if len(kept) < len(steps) else []
    return "\n".join([*note, *shown])


def _step(call: ToolUse, result: ToolResult, target: str, runs: Mapping[int, Run]) -> Step:
    line, ended = f"line {call.line}: {call.name} {target}", _ended(result)
    if call.name in kinds.SHELLS:
        return _command(call, result, runs.get(call.line))
    if is_edit(call.name, call.input) and not ended:
        return Step(line, _changed(call, result), edit=True)
    return Step(f"{line}{ended or ': ok'}", _tail(result))


def _target(call: ToolUse, ledger: Ledger) -> str:
    given = call.input
    name = next((each for each in _TARGETS if isinstance(given.get(each), str) and given[each]), "")
    found = str(given.get(name, ""))
    if name == "pattern" and given.get("path"):
        found = f"“{found}” in {given['path']}"
    return shortened(seen_from(ledger.cwd, found), 160)


def _command(call: ToolUse, result: ToolResult, run: Run | None) -> Step:
    line = f"line {call.line}: `{shortened(str(call.input.get('command', '')), _SAID)}`"
    if run is None:
        behind = ", goes on in the background" if result.background_id else ""
        line, fine = f"{line}{_ended(result) or ': ok'}{behind}", not result.is_error
    else:
        said = run.quote if run.quote not in run.why else ""
        why = f"{shortened(run.why, 200)} {said}".rstrip()
        fine = run.outcome.value == "passed"
        line = f"{line} ({run.kind.value}): {run.outcome.value}, {why}"
    rows = _tail(result)
    return Step(line, rows) if fine else Step("\n    ".join([line, *rows]))


def _ended(result: ToolResult) -> str:
    """How a call ended; "" if it went well."""
    if result.denied:
        words = f", saying “{shortened(result.user_words, 200)}”" if result.user_words else ""
        return f": refused by the person{words}"
    if result.not_run or result.timed_out:
        return ": not run" if result.not_run else ": timed out"
    code = "" if result.exit_code is None else f", exit code {result.exit_code}"
    return f": failed{code}" if result.is_error else ""


def _tail(result: ToolResult) -> tuple[str, ...]:
    """The end of what was printed: the end says how it went."""
    text = result.stdout if result.truncated and result.stdout else result.text
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|^\s*Exit code \d+\s*", "", text).strip()
    rows = [] if result.denied else cut_middle(text, _TAIL).splitlines()[-12:]
    return tuple(shortened(row, 300) for row in rows if row.strip())


def typed_change(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The lines in an editing call, each with "-" (removed) or "+" (added)."""
    for old, new in texts_of(given):
        yield from (("-", line) for line in old.splitlines())
        yield from (("+", line) for line in new.splitlines())


def _changed(call: ToolUse, result: ToolResult) -> tuple[str, ...]:
    """The changed lines of an edit, as in a patch."""
    patch = [line for hunk in result.patch for line in hunk]
    changed = [line for line in patch if line[:1] in {"+", "-"}]
    changed = changed or [f"{sign}{row}" for sign, row in typed_change(call.input)]
    return tuple(shortened(row, _ROW) for row in changed if row[1:].strip())


def newest(lines: list[str], most_chars: int, *, what: str) -> str:
    """Whole lines, the newest ones, with a note of how many are left out."""
    left_out, size = len(lines), 0
    while left_out and size + len(lines[left_out - 1]) < most_chars:
        left_out -= 1
        size += len(lines[left_out]) + 1
    note = [f"({left_out} earlier {what} left out)"] if left_out else []
    return "\n".join([*note, *lines[left_out:]])
