"""
What the agent did in a turn, a line a step, for a model that was not there: edits with what they changed, commands with
what they came to, what was looked at. Read from the transcript up to the stop; the ledger gives each outcome.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ace_reflect.assess.text import beginning, ending
from ace_reflect.evidence.edits import is_edit, typed_change
from ace_reflect.evidence.facts import Ledger, Run
from ace_reflect.text import seen_from, shortened
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import (
    LOOKING,
    SHELLS,
    TODOS,
    AssistantText,
    Prompt,
    Record,
    ToolResult,
    ToolUse,
    UserShell,
)

_COMMAND = 300
_SAID = 300
_TAIL_OF_FAILED = 500
_TAIL_OF_PASSED = 160
_EDIT_LINES = 14
_EDIT_LINE = 160


def read_turn(path: str, first_line: int, last_line: int) -> list[Record]:
    """
    The main thread's records from line `first_line` to `last_line`. A transcript that cannot be read raises
    TranscriptError; memory holds the turn, not the session.
    """
    reader = TranscriptReader(path, final=True, whole=True, progress=False)
    return [
        record
        for record in reader
        if first_line <= record.line <= last_line and not record.sidechain
    ]


def work_lines(records: Iterable[Record], ledger: Ledger, answer: str) -> list[str]:
    """Each step as one entry (of one or more lines), in order; reads in a row are one. The last answer is left out."""
    writer = _Writer(ledger)
    for record in records:
        if not (
            isinstance(record, AssistantText)
            and record.text.strip()
            and record.text.strip() == answer.strip()
        ):
            writer.write(record)
    writer.flush()
    return writer.lines


class _Writer:
    def __init__(self, ledger: Ledger) -> None:
        self._folder = ledger.cwd
        self.lines: list[str] = []
        self._runs = {run.line: run for run in ledger.runs if run.file is None}
        self._calls: dict[str, ToolUse] = {}
        self._reads: list[str] = []
        self._first_read = 0

    def write(self, record: Record) -> None:
        if isinstance(record, ToolUse):
            self._calls[record.id] = record
        elif isinstance(record, ToolResult):
            call = self._calls.pop(record.tool_use_id, None)
            if call is not None:
                self._result(call, record)
        elif isinstance(record, AssistantText):
            self._add(record.line, f"says: {shortened(record.text, _SAID)}")
        elif isinstance(record, UserShell):
            self._add(record.line, f"the person ran `{shortened(record.command, _COMMAND)}`")
        elif isinstance(record, Prompt) and record.queued:
            self._add(record.line, f"the person said in between: {shortened(record.text, 600)}")

    def flush(self) -> None:
        """Write the reads that wait, and the calls that have no result."""
        self._flush_reads()
        for call in self._calls.values():
            self._add(call.line, f"{call.name} {_target(call, self._folder)} (no result yet)")

    def _result(self, call: ToolUse, result: ToolResult) -> None:
        if call.name in TODOS and not result.is_error:  # their state is a fact
            return
        if call.name in LOOKING and not result.is_error:
            self._first_read = self._first_read or call.line
            self._reads.append(_target(call, self._folder))
            return
        if call.name in SHELLS:
            self._add(call.line, _command(call, result, self._runs.get(call.line)))
        elif is_edit(call.name, call.input):
            self._add(call.line, _edit(call, result, self._folder))
        else:
            self._add(
                call.line,
                f"{call.name} {_target(call, self._folder)}{_ended(result)}{_tail(result, _TAIL_OF_PASSED)}",
            )

    def _add(self, line: int, text: str) -> None:
        self._flush_reads()
        self.lines.append(f"line {line}: {text}")

    def _flush_reads(self) -> None:
        if not self._reads:
            return
        shown = list(dict.fromkeys(self._reads))
        more = f" and {len(shown) - 8} more" if len(shown) > 8 else ""
        self.lines.append(f"line {self._first_read}: looked at {', '.join(shown[:8])}{more}")
        self._reads, self._first_read = [], 0


def _command(call: ToolUse, result: ToolResult, run: Run | None) -> str:
    command = shortened(str(call.input.get("command", "")), _COMMAND)
    if run is not None:
        said = run.quote if run.quote and run.quote not in run.why else ""
        tail = "" if run.outcome.value == "passed" else _tail(result, _TAIL_OF_FAILED)
        return (
            f"`{command}` ({run.kind.value}): {run.outcome.value}, {shortened(run.why, 200)} {said}".rstrip()
            + tail
        )
    background = ", goes on in the background" if result.background_id else ""
    return f"`{command}`{_ended(result)}{background}{_tail(result, _TAIL_OF_FAILED if result.is_error else _TAIL_OF_PASSED)}"


def _ended(result: ToolResult) -> str:
    if result.denied:
        words = f", saying “{shortened(result.user_words, 200)}”" if result.user_words else ""
        return f": refused by the person{words}"
    if result.not_run:
        return ": not run"
    if result.timed_out:
        return ": timed out"
    if result.is_error:
        return f": failed{'' if result.exit_code is None else f', exit code {result.exit_code}'}"
    return ": ok"


def _tail(result: ToolResult, most: int) -> str:
    """The end of what was printed, indented: the end says how it went."""
    text = result.stdout if result.truncated and result.stdout else result.text
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).strip()
    text = re.sub(r"^Exit code \d+\s*", "", text)
    if not text or result.denied:
        return ""
    rows = ending(text, most).splitlines()
    return "\n" + "\n".join(
        f"    {beginning(row.rstrip(), 300)}" for row in rows[-12:] if row.strip()
    )


def _edit(call: ToolUse, result: ToolResult, folder: str | None) -> str:
    head = (
        f"{call.name} {_target(call, folder)}{'' if _ended(result) == ': ok' else _ended(result)}"
    )
    if result.is_error or result.denied or result.not_run:
        return head
    rows = _patch_rows(result.patch) or [
        f"{sign}{row}" for sign, row in typed_change(call.input) if row.strip()
    ]
    shown = [f"    {beginning(row, _EDIT_LINE)}" for row in rows[:_EDIT_LINES]]
    if len(rows) > _EDIT_LINES:
        shown.append(f"    … {len(rows) - _EDIT_LINES} more changed lines")
    return "\n".join([head, *shown])


def _patch_rows(patch: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = [str(line) for hunk in patch for line in hunk.get("lines") or ()]
    return [line for line in lines if line[:1] in {"+", "-"} and line[1:].strip()]


def _target(call: ToolUse, folder: str | None) -> str:
    given = call.input
    for name in (
        "file_path",
        "notebook_path",
        "pattern",
        "path",
        "query",
        "url",
        "description",
        "skill",
        "prompt",
    ):
        value = given.get(name)
        if isinstance(value, str) and value:
            quoted = (
                f"“{value}” in {given['path']}"
                if name == "pattern" and given.get("path")
                else value
            )
            return shortened(seen_from(folder, quoted), 160)
    return ""
