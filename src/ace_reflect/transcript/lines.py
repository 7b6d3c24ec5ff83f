"""A decoded line -> records, by its type. `user` lines and the queue have modules of their own."""

from ace_reflect.transcript import hooked
from ace_reflect.transcript.fields import blocks, cut_middle, mapping, optional, string
from ace_reflect.transcript.memory import Memory
from ace_reflect.transcript.queued import read_operation, read_queued_command
from ace_reflect.transcript.records import (
    ApiError,
    AssistantText,
    Compaction,
    HookOutput,
    Interrupt,
    Prompt,
    PullRequestLink,
    Record,
    Thinking,
)
from ace_reflect.transcript.tool_names import LOOKING
from ace_reflect.transcript.tools import read_call, read_results
from ace_reflect.transcript.user import read_user

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LIMITS = (
    "You've hit your",
    "You have hit your",
    "usage limit reached",
    "Claude AI usage limit",
    "You're out of extra usage",
    "limit reached",
)
_LONGEST = 10_000


def read_line(memory: Memory, data: "dict[str, Any]", *, whole: bool, progress: bool, thoughts: bool) -> "list[Record]":
    """The records of one decoded line; unknown types have none."""
    kind = data.get("type")
    if kind == "user":
        return read_user(memory, data, whole=whole)
    if kind == "assistant":
        return _assistant(memory, data, thoughts=thoughts)
    if kind == "progress":
        return _progress(memory, data, whole=whole) if progress else []
    if kind == "attachment":
        return _attachment(memory, data)
    if kind == "queue-operation":
        return read_operation(memory, data)
    if kind == "system":
        return _system(memory, data)
    if kind == "permission-mode":
        return memory.read_mode(data)
    return _pull_request(memory, data) if kind == "pr-link" else []


def _assistant(memory: Memory, data: "dict[str, Any]", *, thoughts: bool) -> "list[Record]":
    base = memory.base(data)
    message = mapping(data, "message")
    records = memory.changes(data, base)
    hosts = message.get("model") == "<synthetic>" or data.get("isApiErrorMessage") is True
    for block in blocks(message.get("content")):
        record = _synthetic(block, base, data) if hosts else _spoken(memory, block, dict(base), optional(message, "id"))
        if record is not None and (thoughts or type(record) is not Thinking):
            records.append(record)
    if data.get("isAbortedMidStream") is True:
        records.append(Interrupt(**base))
    return records


def _spoken(memory: Memory, block: "dict[str, Any]", base: "dict[str, Any]", message_id: str | None) -> Record | None:
    kind = string(block, "type")
    if kind == "text":
        text = string(block, "text")
        return AssistantText(**base, text=text, message_id=message_id) if text.strip() else None
    if kind == "thinking":
        text = string(block, "thinking")
        return Thinking(**base, text=text, message_id=message_id) if text.strip() else None
    return read_call(memory, block, base, message_id) if kind == "tool_use" else None


def _synthetic(block: "dict[str, Any]", base: "dict[str, Any]", data: "dict[str, Any]") -> Record | None:
    """What the host says in the model's place: an error, a limit, or "No response requested." """
    text = string(block, "text").strip()
    limit = any(mark in text[:300] for mark in _LIMITS)
    if limit or data.get("isApiErrorMessage") is True or text.startswith("API Error"):
        return ApiError(**base, text=cut_middle(text, 2_000), limit=limit)
    return None


def _progress(memory: Memory, data: "dict[str, Any]", *, whole: bool) -> "list[Record]":
    """A subagent's message repeated in the main file (2.1.12 to 2.1.81); what it only looked at is left out."""
    inner = mapping(data, "data")
    if inner.get("type") != "agent_progress":
        return []
    message = mapping(inner, "message")
    if message.get("type") not in ("assistant", "user"):
        return []
    told = mapping(message, "message")
    found = blocks(told.get("content"))
    base = memory.base({**message, "isSidechain": True, "agentId": inner.get("agentId")})
    records: list[Record] = []
    answered = []
    for block in found:
        if string(block, "type") == "tool_use":
            if string(block, "name") not in LOOKING:
                call = read_call(memory, block, dict(base), optional(told, "id"))
                records += [call] if call else []
        elif string(block, "tool_use_id") in memory.calls:
            answered.append(block)
    return records + read_results(memory, answered, message, base, whole=whole) if answered else records


def _attachment(memory: Memory, data: "dict[str, Any]") -> "list[Record]":
    attachment = mapping(data, "attachment")
    kind = string(attachment, "type")
    base = memory.base(data)
    if kind == "queued_command":
        return read_queued_command(memory, data, base)
    if kind.startswith(hooked.HOOKS):
        return [HookOutput(**base, kind=kind, **hooked.read(attachment))]
    if base.get("sidechain"):
        return []
    if kind in ("plan_mode", "plan_mode_reentry"):
        return memory.set_mode("plan", base)
    return memory.set_mode(memory.mode_before, base) if kind == "plan_mode_exit" and memory.mode == "plan" else []


def _system(memory: Memory, data: "dict[str, Any]") -> "list[Record]":
    base = memory.base(data)
    subtype = string(data, "subtype")
    if subtype == "compact_boundary":
        memory.boundary = True
        manual = mapping(data, "compactMetadata").get("trigger") == "manual"
        return [Compaction(**base, trigger="manual" if manual else "auto")]
    if subtype == "local_command":
        return [Prompt(**base, kind="command-output", text=cut_middle(string(data, "content"), _LONGEST))]
    if data.get("preventedContinuation") is True:
        return [HookOutput(**base, event="Stop", kind="hook_stopped_continuation", text=string(data, "stopReason"))]
    return []


def _pull_request(memory: Memory, data: "dict[str, Any]") -> "list[Record]":
    number, url = data.get("prNumber"), string(data, "prUrl")
    if type(number) is not int or not url:
        return []
    return [PullRequestLink(**memory.base(data), number=number, url=url, repository=string(data, "prRepository"))]
