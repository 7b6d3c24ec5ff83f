"""
The records of a turn, or of a session, as the messages that a reflector reads.

A message is `{"role", "content", "line", "kind", "core"}`: plain text with the transcript's line number. `core` is what
must survive when `fit` makes room: a command's outcome, a text's citations.

Left out: what the host or our own hooks put in front of the model, the playbook where it is quoted as it was injected,
`<private>…</private>`, and secrets. Text is cleaned before it is cut, so that no half of a secret slips through.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ace_reflect.evidence.edits import typed_change
from ace_reflect.evidence.runners import read_all, read_checks
from ace_reflect.gates.message import OFF
from ace_reflect.learning.citations import ID
from ace_reflect.redact import redact, without_private
from ace_reflect.text import cut_middle
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import (
    LOOKING,
    OUTPUTS,
    SHELLS,
    ApiError,
    AssistantText,
    Compaction,
    HookOutput,
    Interrupt,
    Prompt,
    PullRequestLink,
    Record,
    TaskNotice,
    Thinking,
    ToolResult,
    ToolUse,
    UserShell,
)

Message = dict[str, Any]

_RENDERED = re.compile(
    rf"^[^\n\[]{{0,40}}\[{ID}\][ \t]+helpful=\d+[ \t]+harmful=\d+[ \t]+::[^\n]*$", re.MULTILINE
)
_CITED = re.compile(rf"\[{ID}[^\]\n]{{0,200}}\]")
_OUTCOME = re.compile(
    r"(?i)\b(?:error|failed|failure|fatal|rejected|denied|https?://\S+/(?:pull|merge_requests)/\d+)|\s->\s"
)

#: Characters that are kept of each kind before anything has to fit. A person's words are not cut here.
_MOST = {
    "output": 4_000,
    "call": 3_000,
    "thinking": 4_000,
    "said": 12_000,
    "plan": 20_000,
    "other": 2_000,
}
_MOST_CORE_LINES = 6
_LONGEST_CORE_LINE = 300
_COMMANDS = SHELLS | OUTPUTS
_LONGEST_PATH = 1_000  # what is longer is looked at from its end
_PLAYBOOK_FILE = re.compile(r"(?:\.claude|ace-reflect)[\\/](?:[^\\/]*[\\/])*playbook\.json$")


@dataclass(frozen=True, slots=True)
class Segment:
    """`read_text`: all that tools brought in, cut as in the messages: what a lesson must not be taken from unseen."""

    messages: list[Message]
    read_text: str = ""


def read_segment(
    path: str,
    spans: Iterable[tuple[int, int]] = (),
    *,
    environ: Mapping[str, str] | None = None,
    patterns: Sequence[re.Pattern[str]] = (),
    final: bool = True,
) -> Segment:
    """
    The messages of a transcript, or of the lines `first` to `last` of each span in it.

    Raises TranscriptError when the file cannot be read.
    """
    wanted = tuple(spans)
    records = TranscriptReader(path, final=final, whole=True, progress=False)
    return segment(
        (
            r
            for r in records
            if not wanted or any(first <= r.line <= last for first, last in wanted)
        ),
        environ=environ,
        patterns=patterns,
    )


def segment(
    records: Iterable[Record],
    *,
    environ: Mapping[str, str] | None = None,
    patterns: Sequence[re.Pattern[str]] = (),
) -> Segment:
    """The messages of these records, in their order. A subagent's own lines are left out; its report is the call's result."""
    writer = _Writer(environ, patterns)
    for record in records:
        if record.in_main_thread:
            writer.write(record)
    return Segment(writer.messages, "\n".join(writer.read))


class _Writer:
    def __init__(
        self, environ: Mapping[str, str] | None, patterns: Sequence[re.Pattern[str]]
    ) -> None:
        self.messages: list[Message] = []
        self.read: list[str] = []
        self._environ = environ
        self._patterns = patterns
        self._calls: dict[str, ToolUse] = {}

    def write(self, record: Record) -> None:
        writer = _WRITERS.get(type(record))
        if writer is not None:
            writer(self, record)

    def _clean(self, text: str) -> str:
        """Without private parts, our own injected lines and secrets."""
        text = without_private(text)
        if "harmful=" in text:
            text = _RENDERED.sub("[a line of the playbook]", text)
        return redact(text, self._environ, patterns=self._patterns)

    def _add(
        self, record: Record, role: str, kind: str, text: str, core: str | None = None
    ) -> None:
        """`text` has been cleaned. Without a `core` of its own a text keeps its citations."""
        text = text.strip()
        if not text:
            return
        shown = _shortened(text, _MOST[kind]) if kind in _MOST else text
        kept = _citations(text) if core is None else core
        self.messages.append(
            {"role": role, "content": shown, "line": record.line, "kind": kind, "core": kept}
        )

    # -- the person -------------------------------------------------------------------------------------------------

    def prompt(self, record: Prompt) -> None:
        text = self._clean(record.text)
        if record.kind == "human":
            self._add(
                record,
                "user",
                "person",
                f"(said while the agent worked) {text}" if record.queued else text,
            )
        elif record.kind == "plan":
            self._add(record, "user", "plan", text)
        elif record.kind == "hook-feedback":
            if OFF not in record.text:  # our own; its gates are given as facts
                self._add(record, "user", "other", f"(a hook sent the stop back) {text}")
        elif record.kind == "teammate":
            self._add(record, "user", "other", f"(from another agent) {text}")

    def shell(self, record: UserShell) -> None:
        output = self._clean(f"{record.stdout}\n{record.stderr}")
        command = self._clean(record.command)
        self._add(record, "user", "person", f"(runs a command) ! {command}")
        self.read.append(output)
        self._add(
            record,
            "user",
            "output",
            f"(its output)\n{output}",
            core="\n".join(_outcome_lines(output)),
        )

    def interrupt(self, record: Interrupt) -> None:
        self._add(record, "user", "person", "(interrupts the agent)")

    # -- the agent --------------------------------------------------------------------------------------------------

    def said(self, record: AssistantText) -> None:
        self._add(record, "assistant", "said", self._clean(record.text))

    def thought(self, record: Thinking) -> None:
        text = self._clean(record.text)
        self._add(record, "assistant", "thinking", text and f"(thinks) {text}")

    def call(self, record: ToolUse) -> None:
        self._calls[record.id] = record
        text = f"(calls {record.name}) {self._clean(_call_text(record))}"
        core = text.split("\n", 1)[0][:_LONGEST_CORE_LINE] if record.name not in LOOKING else ""
        self._add(record, "assistant", "call", text, core=core)

    # -- what came back ---------------------------------------------------------------------------------------------

    def result(self, record: ToolResult) -> None:
        call = self._calls.pop(record.tool_use_id, None)
        if record.user_words:
            self._add(
                record,
                "user",
                "person",
                f"(refuses the call and says) {self._clean(record.user_words)}",
            )
            return
        name, head = call.name if call else "", _result_head(record, call)
        text = self._clean(_printed(record, call))
        self.read.append(_shortened(text, _MOST["output"]))
        lines = (
            _outcome_lines(text, failed=record.is_error)
            if name in _COMMANDS or record.is_error or not name
            else []
        )
        core = "\n".join((head, *lines)) if lines or record.is_error or name not in LOOKING else ""
        self._add(record, "user", "output", f"{head}\n{text}", core=core)

    def task(self, record: TaskNotice) -> None:
        output = self._clean(record.output)
        self.read.append(output)
        code = "" if record.exit_code is None else f", exit code {record.exit_code}"
        head = f"(background task {record.task_id} {record.status}{code}) {self._clean(record.summary)}".strip()
        self._add(
            record,
            "user",
            "output",
            f"{head}\n{output}",
            core="\n".join((head, *_outcome_lines(output))),
        )

    def pull_request(self, record: PullRequestLink) -> None:
        text = f"(pull request {record.number}: {record.url})"
        self._add(record, "user", "output", text, core=text)

    def hook(self, record: HookOutput) -> None:
        """Another hook's refusal of a call; context that hooks injected is nobody's words, and Stop's comes as a prompt."""
        if record.kind == "hook_blocking_error" and record.event not in (
            "Stop",
            "SubagentStop",
            "UserPromptSubmit",
        ):
            self._add(
                record, "user", "other", f"(a {record.event} hook says) {self._clean(record.text)}"
            )

    def error(self, record: ApiError) -> None:
        self._add(
            record,
            "user",
            "other",
            f"(the turn ended in an error of the API) {self._clean(record.text)}",
        )

    def compaction(self, record: Compaction) -> None:
        self._add(record, "user", "other", "(the conversation so far was compacted)")


_WRITERS: dict[type[Record], Callable[[_Writer, Any], None]] = {
    Prompt: _Writer.prompt,
    UserShell: _Writer.shell,
    Interrupt: _Writer.interrupt,
    AssistantText: _Writer.said,
    Thinking: _Writer.thought,
    ToolUse: _Writer.call,
    ToolResult: _Writer.result,
    TaskNotice: _Writer.task,
    PullRequestLink: _Writer.pull_request,
    HookOutput: _Writer.hook,
    ApiError: _Writer.error,
    Compaction: _Writer.compaction,
}


def _call_text(call: ToolUse) -> str:
    """A call as one would say it: the command; the path and what was changed; else its input."""
    given = call.input
    command = given.get("command")
    if isinstance(command, str):
        return (
            f"{command} (in the background)" if given.get("run_in_background") is True else command
        )
    path = given.get("file_path") or given.get("notebook_path")
    if not isinstance(path, str):
        return json.dumps(given, ensure_ascii=False, default=str)
    return "\n".join((path, *(f"{sign} {row}" for sign, row in typed_change(given))))


def _result_head(record: ToolResult, call: ToolUse | None) -> str:
    """`(result of line 12, failed, exit code 1)`: how it went, before what was printed."""
    said = [f"result of line {call.line}" if call else "result"]
    if record.denied:
        said.append("refused")
    elif record.not_run:
        said.append("not run")
    elif record.is_error:
        said.append("failed")
    if record.exit_code is not None:
        said.append(f"exit code {record.exit_code}")
    if record.timed_out:
        said.append("timed out")
    if record.background_id:
        said.append(f"goes on in the background as {record.background_id}")
    return f"({', '.join(said)})"


def _printed(record: ToolResult, call: ToolUse | None) -> str:
    """What a result holds, without the exit code, which its heading tells, and without the playbook."""
    if call is not None and call.name == "Read":
        path = str(call.input.get("file_path", ""))
        if _PLAYBOOK_FILE.search(path[-_LONGEST_PATH:]):
            return "(the playbook)"
    text = record.stdout if record.truncated and record.stdout else record.text
    return (
        text
        if record.exit_code is None
        else text.removeprefix(f"Exit code {record.exit_code}").lstrip("\n")
    )


def _outcome_lines(text: str, *, failed: bool = False) -> list[str]:
    """The lines of an output that say how it ended: summaries of tests, builds and checks, errors, pushes, and the last one."""
    if not text.strip():
        return []
    quotes = [found.quote for found in (*read_all(text), *read_checks(text)) if found.quote]
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    quotes += [row for row in rows if _OUTCOME.search(row[:_LONGEST_CORE_LINE])][
        : 3 if failed else 1
    ]
    quotes.append(rows[-1])
    kept = dict.fromkeys(quote.strip()[:_LONGEST_CORE_LINE] for quote in quotes)
    return list(kept)[-_MOST_CORE_LINES:]


def _shortened(text: str, most: int) -> str:
    """A text cut in the middle, at line ends where it can be, with the citations of what was cut out."""
    if len(text) <= most:
        return text
    short = cut_middle(text, most)
    lost = [cited for cited in _CITED.findall(text) if cited not in short]
    return f"{short}\n(cited in what was cut: {' '.join(dict.fromkeys(lost))})" if lost else short


def _citations(text: str) -> str:
    """The lines that cite key points, each cut around its citation."""
    kept = []
    for cited in _CITED.finditer(text):
        start, end = text.rfind("\n", 0, cited.start()) + 1, text.find("\n", cited.end())
        end = len(text) if end < 0 else end
        kept.append(text[max(start, cited.start() - 200) : min(end, cited.end() + 200)].strip())
    return "\n".join(dict.fromkeys(kept))
