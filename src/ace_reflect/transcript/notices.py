"""The end of a background task, from the four places where Claude Code tells of it."""

from ace_reflect.transcript.fields import cut_middle, mapping, string, tag
from ace_reflect.transcript.records import Record, TaskNotice, made
from ace_reflect.transcript.tool_names import OUTPUTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.transcript.memory import Memory

_OUTPUT_TOOLS = OUTPUTS | {"AgentOutputTool", "AgentOutput"}
_KILL_TOOLS = frozenset({"KillShell", "KillBash", "TaskStop"})
TELLING = _OUTPUT_TOOLS | _KILL_TOOLS  # the tools whose result can hold a notice
_RUNNING = ("running", "pending", "in_progress", "")
_MOST_OUTPUT = 30_000


def in_text(text: str) -> "list[dict[str, Any]]":
    """The notices in a prompt or a queue line."""
    found = []
    for name in ("task-notification", "agent-notification"):
        for part in text.split(f"<{name}>")[1:]:
            notice = _from_tags(part.split(f"</{name}>", 1)[0])
            if notice:
                found.append(notice)
    return found


def _from_tags(part: str) -> "dict[str, Any] | None":
    summary = tag(part, "summary")
    task = tag(part, "task-id") or tag(part, "agent-id") or tag(part, "shell-id")
    if not task:
        return None  # an asynchronous hook woke the session: nothing ended
    notice: dict[str, Any] = {
        "task_id": task,
        "status": tag(part, "status") or "completed",
        "summary": summary,
        "output": cut_middle(tag(part, "result"), _MOST_OUTPUT),
        "tool_use_id": tag(part, "tool-use-id") or None,
    }
    code = _code_in(summary)
    return notice if code is None else {**notice, "exit_code": code}


def _code_in(summary: str) -> int | None:
    """N of "… completed (exit code 0)" or "… failed with exit code 2"."""
    place = summary.rfind("exit code ")
    digits = summary[place + 10 : place + 14].rstrip(") .,\n") if place >= 0 else ""
    return int(digits) if digits.isascii() and digits.isdigit() else None


def is_task_line(text: str) -> bool:
    """
    Whether a queue line's content is the host's own and not typed by a person.

    2.1.3x queues a bare `{"task_id": …, "task_type": "local_bash"}` when a command has run for some seconds; it says
    nothing of the command's end, which comes as an ordinary result.
    """
    return text.startswith(('{"task_id"', "<task-notification", "<agent-notification"))


def told(memory: "Memory", notice: "dict[str, Any]", base: "dict[str, Any]") -> "list[Record]":
    """The notice as a record. An end is told up to three times (queue, attachment or prompt, TaskOutput): once is enough, and once with its output."""
    key = f"{notice['task_id']}:{notice['status']}:{bool(notice.get('output'))}"
    return [made(TaskNotice, base | notice)] if memory.first(key) else []


def told_in(memory: "Memory", text: str, base: "dict[str, Any]") -> "list[Record]":
    """The notices of a prompt or a queue line, as records."""
    return [record for notice in in_text(text) for record in told(memory, notice, base)]


def from_result(tool: str, fields: "dict[str, Any]", answer: object) -> "dict[str, Any] | None":
    """The notice in the result of a tool that asks for a task's output, or ends one. None while the task runs."""
    if tool not in TELLING or type(answer) is not dict or fields.get("is_error"):
        return None
    if tool in _KILL_TOOLS:
        task = string(answer, "task_id") or string(answer, "shell_id")
        return {"task_id": task, "status": "killed", "summary": string(answer, "message")} if task else None
    return _from_output(mapping(answer, "task") or answer)


def _from_output(task: "dict[str, Any]") -> "dict[str, Any] | None":
    name = string(task, "task_id") or string(task, "shellId") or string(task, "agentId")
    status = string(task, "status")
    if not name or status in _RUNNING:
        return None
    output = string(task, "output") or "\n".join(
        part for part in (string(task, "stdout"), string(task, "stderr")) if part
    )
    notice: dict[str, Any] = {
        "task_id": name,
        "status": status,
        "summary": string(task, "description") or string(task, "command"),
        "output": cut_middle(output or string(task, "result"), _MOST_OUTPUT),
    }
    code = task.get("exitCode")
    return {**notice, "exit_code": code} if type(code) is int else notice
