"""What the agent did in a turn, one line per step, for a model that was not there: edits with their changes, commands with
their outcomes, what was looked at. Read from the transcript up to the stop; the ledger gives each outcome.
"""

import re
from collections.abc import Iterable, Mapping

from ace_reflect.evidence.edits import is_edit, typed_change
from ace_reflect.evidence.facts import Ledger, Run
from ace_reflect.text import cut_middle, seen_from, shortened
from ace_reflect.transcript import records as kinds
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import AssistantText, Record, ToolResult, ToolUse

_SAID = 300  # characters of a command, or of what is said
_TAIL_OF_FAILED = 500
_TAIL_OF_PASSED = 160
_EDIT_LINES = 14
_EDIT_LINE = 160
#: What a call was about: the first of these in its input.
_TARGETS = ("file_path", "notebook_path", "pattern", "path", "query", "url", "skill", "prompt")


def read_turn(path: str, first_line: int, last_line: int) -> list[Record]:
    """The main thread's records in these lines, without loading the whole session. Raises TranscriptError."""
    reader = TranscriptReader(path, final=True)
    return [one for one in reader if first_line <= one.line <= last_line and one.in_main_thread]


def work_lines(records: Iterable[Record], ledger: Ledger, answer: str) -> list[str]:
    """Each step as one entry (of one or more lines), in order; reads in a row are one. The last answer is left out."""
    runs = {run.line: run for run in ledger.runs if run.file is None}
    calls: dict[str, ToolUse] = {}
    lines: list[str] = []
    reading = False
    for record in records:
        if isinstance(record, ToolUse):
            calls[record.id] = record
        elif isinstance(record, AssistantText) and record.text.strip() != answer.strip():
            lines.append(f"line {record.line}: says: {shortened(record.text, _SAID)}")
            reading = False
        elif isinstance(record, ToolResult) and record.tool_use_id in calls:
            call, before = calls.pop(record.tool_use_id), reading
            reading = call.name in kinds.LOOKING and not record.is_error
            target = _target(call, ledger)
            if reading and before:
                lines[-1] += f", {target}"
            elif reading:
                lines.append(f"line {call.line}: looked at {target}")
            elif call.name not in kinds.TODOS or record.is_error:  # their state is a fact
                lines.append(f"line {call.line}: {_step(call, record, target, runs)}")
    waiting = [(call.line, f"{call.name} {_target(call, ledger)}") for call in calls.values()]
    return lines + [f"line {line}: {what} (no result yet)" for line, what in waiting]


def _step(call: ToolUse, result: ToolResult, target: str, runs: Mapping[int, Run]) -> str:
    if call.name in kinds.SHELLS:
        return _command(call, result, runs.get(call.line))
    ended, what = _ended(result), f"{call.name} {target}"
    if is_edit(call.name, call.input):
        return f"{what}{ended}" if ended else f"{what}{_change(call, result)}"
    return f"{what}{ended or ': ok'}{_tail(result, _TAIL_OF_PASSED)}"


def _target(call: ToolUse, ledger: Ledger) -> str:
    given = call.input
    named = (each for each in _TARGETS if given.get(each) and isinstance(given[each], str))
    name = next(named, "")
    found = str(given.get(name, ""))
    if name == "pattern" and given.get("path"):
        found = f"“{found}” in {given['path']}"
    return shortened(seen_from(ledger.cwd, found), 160)


def _command(call: ToolUse, result: ToolResult, run: Run | None) -> str:
    command = shortened(str(call.input.get("command", "")), _SAID)
    if run is None:
        behind = ", goes on in the background" if result.background_id else ""
        tail = _tail(result, _TAIL_OF_FAILED if result.is_error else _TAIL_OF_PASSED)
        return f"`{command}`{_ended(result) or ': ok'}{behind}{tail}"
    said = run.quote if run.quote not in run.why else ""
    why = f"{shortened(run.why, 200)} {said}".rstrip()
    tail = "" if run.outcome.value == "passed" else _tail(result, _TAIL_OF_FAILED)
    return f"`{command}` ({run.kind.value}): {run.outcome.value}, {why}{tail}"


def _ended(result: ToolResult) -> str:
    """How a call ended; "" if it went well."""
    if result.denied:
        words = f", saying “{shortened(result.user_words, 200)}”" if result.user_words else ""
        return f": refused by the person{words}"
    if result.not_run or result.timed_out:
        return ": not run" if result.not_run else ": timed out"
    code = "" if result.exit_code is None else f", exit code {result.exit_code}"
    return f": failed{code}" if result.is_error else ""


def _tail(result: ToolResult, most: int) -> str:
    """The end of what was printed, indented: the end says how it went."""
    text = result.stdout if result.truncated and result.stdout else result.text
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|^\s*Exit code \d+\s*", "", text).strip()
    rows = [] if result.denied else cut_middle(text, most).splitlines()[-12:]
    return "".join(f"\n    {shortened(row, 300)}" for row in rows if row.strip())


def _change(call: ToolUse, result: ToolResult) -> str:
    """The changed lines of an edit, as in a patch."""
    patch = [line for hunk in result.patch for line in hunk]
    changed = [line for line in patch if line[:1] in {"+", "-"}]
    changed = changed or [f"{sign}{row}" for sign, row in typed_change(call.input)]
    rows = [shortened(row, _EDIT_LINE) for row in changed if row[1:].strip()]
    more = len(rows) - _EDIT_LINES
    shown = rows[:_EDIT_LINES] + ([f"… {more} more changed lines"] if more > 0 else [])
    return "".join(f"\n    {row}" for row in shown)


def newest(lines: list[str], most_chars: int, *, what: str) -> str:
    """Whole lines, the newest ones, with a note of how many are left out."""
    left_out, size = len(lines), 0
    while left_out and size + len(lines[left_out - 1]) < most_chars:
        left_out -= 1
        size += len(lines[left_out]) + 1
    note = [f"({left_out} earlier {what} left out)"] if left_out else []
    return "\n".join([*note, *lines[left_out:]])
