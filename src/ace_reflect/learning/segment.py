"""The records of a turn, or of a session, as the messages that a reflector reads.

A message is `{"role", "speaker", "content", "line", "kind"}`: plain text with the transcript's line number. `speaker`
is person, claude, tool result or host. Left out: what the host or our own hooks put in front of the model, the playbook
where it is quoted as it was injected, `<private>…</private>`, and secrets, all before a text is cut.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ace_reflect.assess.subject import typed_change
from ace_reflect.gates.message import OFF
from ace_reflect.learning.gather import RENDERED
from ace_reflect.redact import redact
from ace_reflect.text import cut_middle, without_private
from ace_reflect.transcript import records as rec
from ace_reflect.transcript.reader import TranscriptReader

_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_QUEUED = "(said while the agent worked) "
#: Already there as a prompt or a stop's feedback.
_SAID_ELSEWHERE = {"Stop", "SubagentStop", "UserPromptSubmit"}
#: kind -> (speaker, characters kept even if everything would fit)
_KINDS = {
    "person": ("person", sys.maxsize),
    "said": ("claude", 12_000),
    "thinking": ("claude", 4_000),
    "call": ("claude", 3_000),
    "output": ("tool result", 4_000),
    "failed": ("tool result", 4_000),
    "reading": ("tool result", 4_000),
    "plan": ("host", 20_000),
    "other": ("host", 2_000),
}

#: (kinds of message, what the note calls them, the characters left of each)
_STEPS = (
    (("reading",), "results of reading", 300),
    (("thinking", "output", "call"), "thoughts, calls and outputs", 600),
    (("said", "other", "plan", "failed"), "texts and failed outputs", 1_500),
    (("reading", "thinking"), "results of reading and thoughts left out", 0),
    (("output", "call", "said", "other", "plan", "failed"), "of all these to a line", 160),
    (("output", "call", "other", "plan"), "calls and outputs left out", 0),
    (("said", "failed"), "texts and failed outputs left out", 0),
)
_PER_MESSAGE = 12  # tokens of its heading
_NOTE = 160  # tokens reserved for the note

Message = dict[str, Any]
Span = tuple[int, int]  # its first and last line


def read_segment(
    path: str,
    spans: Iterable[Span] = (),
    *,
    hide: Callable[[str], str] = redact,
    final: bool = True,
) -> tuple[list[Message], str]:
    """The messages of a transcript, or of these spans of it, without secrets and subagents' own lines; and all that tools
    brought in, which is no source for a lesson. Raises TranscriptError.
    """
    messages, read, calls = [], [], dict[str, rec.ToolUse]()
    wanted = tuple(spans) or ((0, sys.maxsize),)
    for record in TranscriptReader(path, final=final):
        inside = any(first <= record.line <= last for first, last in wanted)
        for kind, said in _entries(record, calls) if record.in_main_thread and inside else ():
            speaker, most = _KINDS[kind]
            text = hide(_without_host(said)).strip()
            shown = cut_middle(text, most)
            if speaker == "tool result":
                read.append(shown)
            if shown:
                role = "assistant" if speaker == "claude" else "user"
                message = {"role": role, "speaker": speaker, "content": shown}
                messages.append({**message, "line": record.line, "kind": kind})
    return messages, "\n".join(read)


def _without_host(text: str) -> str:
    """Without private parts, the host's reminders, and the playbook's lines as they are injected."""
    lines = _REMINDER.sub("", without_private(text)).split("\n")
    shown = ("[a line of the playbook]" if RENDERED.search(one) else one for one in lines)
    return "\n".join(shown)


def _entries(  # noqa: C901, PLR0912 - a case for each kind of record
    record: rec.Record, calls: dict[str, rec.ToolUse]
) -> Iterator[tuple[str, str]]:
    """(kind, text) of what a record says. `calls`: those still without a result."""
    match record:
        case rec.Prompt(kind="human"):
            yield "person", f"{_QUEUED if record.queued else ''}{record.text}"
        case rec.Prompt(kind="plan"):
            yield "plan", record.text
        case rec.Prompt(kind="hook-feedback") if OFF not in record.text:  # ours are given as facts
            yield "other", f"(a hook sent the stop back) {record.text}"
        case rec.Prompt(kind="teammate"):
            yield "other", f"(from another agent) {record.text}"
        case rec.UserShell():
            yield "person", f"(runs a command) ! {record.command}"
            if record.stdout or record.stderr:
                yield "output", f"(its output)\n{record.stdout}\n{record.stderr}"
        case rec.Interrupt():
            yield "person", "(interrupts the agent)"
        case rec.AssistantText():
            yield "said", record.text
        case rec.Thinking() if record.text:
            yield "thinking", f"(thinks) {record.text}"
        case rec.ToolUse():
            calls[record.id] = record
            yield "call", f"(calls {record.name}) {_call_text(record)}"
        case rec.ToolResult() if record.user_words:
            yield "person", f"(refuses the call and says) {record.user_words}"
        case rec.ToolResult():
            call = calls.pop(record.tool_use_id, None)
            looked = call is not None and call.name in rec.LOOKING
            kind = "failed" if record.is_error else "reading" if looked else "output"
            yield kind, f"{_result_head(record, call)}\n{_printed(record, call)}"
        case rec.TaskNotice():
            code = "" if record.exit_code is None else f", exit code {record.exit_code}"
            head = f"(background task {record.task_id} {record.status}{code})"
            yield "output", f"{head} {record.summary}\n{record.output}"
        case rec.PullRequestLink():
            yield "output", f"(pull request {record.number}: {record.url})"
        case rec.HookOutput(kind="hook_blocking_error") if record.event not in _SAID_ELSEWHERE:
            yield "other", f"(a {record.event} hook says) {record.text}"
        case rec.ApiError():
            yield "other", f"(the turn ended in an error of the API) {record.text}"
        case rec.Compaction():
            yield "other", "(the conversation so far was compacted)"


def _call_text(call: rec.ToolUse) -> str:
    """A call in short: the command; the path and the change; else its input."""
    given = call.input
    command, path = given.get("command"), given.get("file_path") or given.get("notebook_path")
    if isinstance(command, str):
        return f"{command} (in the background)" if given.get("run_in_background") else command
    if not isinstance(path, str):
        return json.dumps(given, ensure_ascii=False, default=str)
    return "\n".join((path, *(f"{sign} {row}" for sign, row in typed_change(given))))


def _result_head(record: rec.ToolResult, call: rec.ToolUse | None) -> str:
    """`(result of line 12, failed, exit code 1)`: how it went, before what was printed."""
    ended = "failed" if record.is_error else ""
    ended = "refused" if record.denied else "not run" if record.not_run else ended
    said = (
        f"result of line {call.line}" if call else "result",
        ended,
        "" if record.exit_code is None else f"exit code {record.exit_code}",
        "timed out" if record.timed_out else "",
        f"goes on in the background as {record.background_id}" if record.background_id else "",
    )
    return f"({', '.join(part for part in said if part)})"


def _printed(record: rec.ToolResult, call: rec.ToolUse | None) -> str:
    """What a result printed, without the exit code (which its heading has) and the playbook."""
    path = str(call.input.get("file_path", "")) if call is not None and call.name == "Read" else ""
    if path.endswith("playbook.json") and (".claude" in path or "ace-reflect" in path):
        return "(the playbook)"
    text = record.stdout if record.truncated and record.stdout else record.text
    return text.removeprefix(f"Exit code {record.exit_code}").lstrip("\n")


def estimate_tokens(text: str) -> int:
    """A high estimate for any known tokenizer: three bytes of UTF-8 per token, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // 3)


def message_tokens(message: Message) -> int:
    return estimate_tokens(message["content"]) + _PER_MESSAGE


def fit(messages: Sequence[Message], budget_tokens: int) -> tuple[list[Message], str]:
    """The messages within a budget (of at least some 300), after a note of what was cut: the person's words at last."""
    over = sum(map(message_tokens, messages)) - budget_tokens
    if over <= 0:
        return list(messages), ""
    kept, said = [dict(message) for message in messages], []
    over += _NOTE
    for kinds, what, most in _STEPS:
        count = 0
        for message in kept:
            if over > 0 and message["kind"] in kinds and len(message["content"]) > most:
                before = message_tokens(message)
                message["content"] = cut_middle(message["content"], most) if most else ""
                over -= before - (message_tokens(message) if most else 0)
                count += 1
        said += [f"{count} {what}"] if count else []
    if over > 0:
        said.append("the person's own long texts in the middle")
        _cut_person(kept, budget_tokens - _NOTE)
    note = f"(Cut to fit, the oldest first: {', '.join(said)}.)"
    first = {"role": "user", "speaker": "host", "content": note, "kind": "note"}
    return [first, *(message for message in kept if message["content"])], note


def _cut_person(messages: list[Message], budget_tokens: int) -> None:
    """As many of the person's texts as fit, the newest first; of a long one the beginning and the end."""
    left = budget_tokens
    for message in reversed(messages):
        text, room = message["content"], left - 4 * _PER_MESSAGE
        most = max(3 * room // (1 if text.isascii() else 4), 0)  # characters that fit in any case
        message["content"] = cut_middle(text, most) if most else ""
        left -= message_tokens(message) if most else 0
