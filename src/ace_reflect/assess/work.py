"""What the agent did in a turn, one line per step, for a model that was not there: edits with their changes, commands with
their outcomes, what was looked at. Read from the transcript up to the stop; the ledger gives each outcome.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple

from ace_reflect.evidence.edits import is_edit, typed_change
from ace_reflect.evidence.facts import Ledger, Run
from ace_reflect.text import cut_middle, seen_from, shortened
from ace_reflect.transcript import records as kinds
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import AssistantText, Record, ToolResult, ToolUse

_SAID = 250  # characters of a command, or of what is said
_TAIL = 500  # of what a command printed
_ROW = 160  # of a changed line
#: What a call was about: the first of these in its input.
_TARGETS = ("file_path", "notebook_path", "pattern", "path", "query", "url", "skill", "prompt")


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
    named = (each for each in _TARGETS if given.get(each) and isinstance(given[each], str))
    name = next(named, "")
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
