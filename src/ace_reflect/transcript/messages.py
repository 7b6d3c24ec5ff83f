"""Decoded lines -> records, and whose words a `user` line holds. Never raises, whatever is in a line."""

import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

from ace_reflect.text import without_private
from ace_reflect.transcript import records as wire
from ace_reflect.values import newest

Json = dict[str, Any]
Records = Iterator[wire.Record]
_MOST_SEEN, _MOST_WAITING, _MOST_PARENTS = 512, 50, 200
_CONTEXT = {"cwd": "cwd", "gitBranch": "branch", "sessionId": "session_id", "permissionMode": "mode"}  # fmt: skip
_LARGE = {"structuredPatch", "originalFile", "originalFileContents", "content", "file", "stdout", "stderr", "oldString", "newString", "prompt"}  # fmt: skip
# Blocks that the host or an editor puts beside or into a person's prompt; an unclosed one reaches to the end.
_WRAPPERS = re.compile(r"<(system-reminder|ide_[a-z_]+)>.*?(?:</\1>|\Z)", re.DOTALL)
# Beginnings of texts that no person typed; only some of them are marked `isMeta`.
_MARKS: dict[wire.PromptKind, tuple[str, ...]] = {
    "hook-feedback": ("Stop hook feedback:", "Operation stopped by hook:"),
    "task-notification": ("<task-notification", "<agent-notification", "[SYSTEM NOTIFICATION"),
    "teammate": ("<teammate-message",),
    "meta": ("<local-command-", "Caveat: The messages below ", "This session is being continued"),
    "plan": ("Implement the following plan:",),
}
_STARTED = r"(?:Command .{,80}background.{,80} ID: |Monitor started \(task )([\w-]+)"
# How a failed call's result begins where the person or a permission rule refused it, and where it never started:
_REFUSED = r"The user doesn't want to |User rejected tool use|PreToolUse:|This command requires approval|Claude requested permissions to |Permission to use |\[Request interrupted"  # fmt: skip
_NEVER_RAN = ("<tool_use_error>", "Sibling tool call errored", "Cancelled")
# In VS Code any other text is the person's, who refused it.
_FAILED = r"Error|Command timed out|EISDIR|ENOENT|File does not exist|Shell |MCP "


class Messages:
    """Reads one file's lines; set `line` first. `repeated`: also a subagent's messages that the main file repeats.
    With `memory` (plain JSON) as `state` reading goes on: `seen` are sums of what is told once, `parents` the prompts' with
    their lines, `queue` waits, `shell` is a command without its output.
    """

    def __init__(self, state: Json | None, file: str | None, *, repeated: bool) -> None:
        self.line, self._file, self._repeated = 0, file, repeated
        self.memory: Json = {"context": {}, "seen": {}, "parents": {}, "queue": [], "shell": {}}
        self.memory |= json.loads(json.dumps(state or {}))

    def read(self, data: Json) -> Records:
        """The records in one line; most types have none."""
        base: Json = {"line": self.line, "file": self._file, "uuid": string(data, "uuid")}
        base["timestamp"] = string(data, "timestamp")
        base["sidechain"] = data.get("isSidechain") is True
        kind, message = data.get("type"), mapping(data, "message")
        if kind in ("user", "assistant", "permission-mode"):
            yield from self._context(data, base)
        if kind == "assistant":
            yield from self._assistant(data, message, base)
        elif kind == "user":
            yield from self._user(data, blocks(message.get("content")), base)
        elif kind == "attachment":
            yield from self._attachment(mapping(data, "attachment"), data, base)
        elif kind == "queue-operation":
            yield from self._queue(data, base)
        elif kind == "progress" and self._repeated:  # a subagent's message
            message = mapping(mapping(data, "data"), "message")
            if message.get("type") in ("user", "assistant"):
                yield from self.read({**message, "isSidechain": True})
        elif kind == "pr-link" and isinstance(number := data.get("prNumber"), int):
            yield wire.PullRequestLink(**base, number=number, url=string(data, "prUrl"))
        elif data.get("subtype") == "compact_boundary":
            yield wire.Compaction(**base)

    def _first(self, key: str) -> bool:
        """Whether `key` is new: resumed and forked sessions repeat lines, some hosts one line twice."""
        mark, seen = str(zlib.crc32(key.encode("utf-8", "replace"))), self.memory["seen"]
        new = mark not in seen
        newest(seen, mark, most=_MOST_SEEN)
        return new

    def _context(self, data: Json, base: Json) -> Records:
        if base["sidechain"] and self._file is None:
            return
        known, changed = self.memory["context"], Json()
        for key, name in _CONTEXT.items():
            value = data.get(key)
            if value and value != known.get(name) and isinstance(value, str):
                known[name] = changed[name] = value
        if changed:
            yield wire.Context(**base, **changed)

    def _assistant(self, data: Json, message: Json, base: Json) -> Records:
        hosts = data.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>"
        for block in blocks(message.get("content")):
            text, kind = string(block, "text"), block.get("type")
            if hosts:  # said in place of the model
                if text != "No response requested.":
                    yield wire.ApiError(**base, text=text.strip())
            elif kind == "tool_use" and self._first(call := string(block, "id")):
                name, given = string(block, "name"), mapping(block, "input")
                yield wire.ToolUse(**base, id=call, name=name, input=given)
            elif kind == "text" and text.strip():
                yield wire.AssistantText(**base, message_id=string(message, "id"), text=text)
            elif (text := string(block, "thinking")).strip():
                yield wire.Thinking(**base, text=text)
        if data.get("isAbortedMidStream") is True:
            yield wire.Interrupt(**base)

    def _user(self, data: Json, blocks: list[Json], base: Json) -> Records:
        kinds, words = [block.get("type") for block in blocks], []
        for block in blocks:
            text = string(block, "text")
            if block.get("type") == "tool_result":
                yield self._result(block, data, base)
            elif text.startswith("[Request interrupted by user"):
                yield wire.Interrupt(**base)
            elif text := without_wrappers(text):
                words.append(text)
        queued = "tool_result" in kinds
        if words or ("image" in kinds and not queued):
            yield from self._prompt("\n".join(words) or "[image]", data, base, queued=queued)

    def _result(self, block: Json, data: Json, base: Json) -> wire.ToolResult:
        text, answer = plain_text(block.get("content")), data.get("toolUseResult")
        details = answer if isinstance(answer, dict) else {}
        said = answer if isinstance(answer, str) else ""
        failed = block.get("is_error", said.startswith("Error: ")) is True  # 1.0.x gives no flag
        own = _failure(text, data) if failed else {}
        filed = text.startswith("<persisted-output>")
        stdout, started = string(details, "stdout") if filed else "", re.match(_STARTED, text)
        hunks = [hunk.get("lines") for hunk in blocks(details.get("structuredPatch"))]
        patch = tuple(tuple(map(str, rows)) for rows in hunks if isinstance(rows, list))
        own |= {"background_id": started[1] if started else None, "patch": patch}
        own |= {"truncated": filed, "stdout": None if stdout.strip() in text else stdout}
        own["details"] = {key: row for key, row in details.items() if key not in _LARGE} or None
        return wire.ToolResult(**base, **own, tool_use_id=string(block, "tool_use_id"), text=text)

    def _prompt(self, text: str, data: Json, base: Json, *, queued: bool) -> Records:
        """Text that is no tool result, without the host's wrappers. `queued`: it came in mid-turn."""
        if text.startswith("<bash-") and data.get("isMeta") is not True:
            yield from self._shell(text, base)
            return
        kind = prompt_kind(data, text)
        if kind == "task-notification":
            yield from self._notices(text, base)
        command = tag(text, "command-name").lstrip("/") if text.startswith("<command-") else ""
        if command:  # of a built-in one the name stands first
            kind = kind if text.startswith("<command-message>") else "meta"
            text = f"/{command} {tag(text, 'command-args')}".strip()
        said, replaces = "queued" if queued else base["uuid"] or self.line, None
        if kind in ("human", "plan"):
            if not self._first(f"{said} {text[:999]}"):
                return
            replaces = None if queued else self._replaced(string(data, "parentUuid"))
        own: Json = {"kind": kind, "text": text, "command": command or None, "replaces": replaces}
        printed = str(data.get("entrypoint") or data.get("promptSource")).startswith("sdk")
        yield wire.Prompt(**base, **own, queued=queued, print_mode=printed)

    def _replaced(self, parent: str) -> int | None:
        """The line of the prompt that was rewound and typed anew: both follow the same line."""
        parents = self.memory["parents"]
        line: int = parents.setdefault(parent, self.line) if parent else self.line
        if len(parents) > _MOST_PARENTS:
            del parents[next(iter(parents))]
        return None if line == self.line else line

    def _shell(self, text: str, base: Json) -> Records:
        """`<bash-input>` waits for the `<bash-stdout>` of the next line; both may also stand in one."""
        if "<bash-input>" in text:
            self.memory["shell"] = {**base, "command": tag(text, "bash-input")}
        if "<bash-stdout>" in text or "<bash-stderr>" in text:
            shell, self.memory["shell"] = self.memory["shell"] or {**base, "command": ""}, {}
            out, err = tag(text, "bash-stdout"), tag(text, "bash-stderr")
            yield wire.UserShell(**shell, stdout=out, stderr=err)

    def _notices(self, text: str, base: Json) -> Records:
        """Background tasks' events and ends; an end is told up to three times: once, and once with its output."""
        for opened in text.split("<task-notification>")[1:]:
            part = opened.partition("</task-notification>")[0]
            events = "\n".join(rest.partition("</event>")[0] for rest in part.split("<event>")[1:])
            output, summary = tag(part, "result") or events, tag(part, "summary")
            status = tag(part, "status") or ("running" if events else "completed")
            task, code = tag(part, "task-id"), re.search(r"exit code (\d{1,9})\W*\Z", summary)
            told = output if status == "running" else bool(output)
            if task and self._first(f"{task}:{status}:{told}"):
                own: Json = {"task_id": task, "status": status, "summary": summary}
                own |= {"output": output, "exit_code": int(code[1]) if code else None}
                yield wire.TaskNotice(**base, **own)

    def _queue(self, data: Json, base: Json) -> Records:
        """What leaves by "dequeue" follows as an ordinary prompt; by "remove" it went to the model in mid-turn."""
        waiting, operation = self.memory["queue"], data.get("operation")
        text = without_wrappers(plain_text(data.get("content")))
        if operation == "enqueue" and text.startswith(("<", "{")):
            yield from self._notices(text, base)
        elif operation == "enqueue":
            self.memory["queue"] = [*waiting, text[:10_000]][-_MOST_WAITING:]
        elif waiting:
            text = waiting.pop(0)  # the line rarely says which one
            # newer hosts write an attachment, too
            if operation == "remove" and text[:1] != "/" and self._first(f"queued {text[:999]}"):
                yield wire.Prompt(**base, kind="human", text=text, queued=True)

    def _attachment(self, attachment: Json, data: Json, base: Json) -> Records:
        kind = string(attachment, "type")
        if kind == "queued_command":
            text = without_wrappers(plain_text(attachment.get("prompt")))
            if text and attachment.get("isMeta") is not True:
                data = {**data, "origin": attachment.get("origin")}
                yield from self._prompt(text, data, base, queued=True)
        elif kind.startswith("hook_"):
            error = string(mapping(attachment, "blockingError"), "blockingError")
            text = error or plain_text(attachment.get("content")) or string(attachment, "stdout")
            event = string(attachment, "hookEvent")
            yield wire.HookOutput(**base, event=event, kind=kind, text=text)


def _failure(text: str, data: Json) -> Json:
    """How a call failed, from what the model saw."""
    code, never = re.match(r"Exit code (-?\d{1,9})\b", text), text.startswith(_NEVER_RAN)
    denied = bool(re.match(_REFUSED, text)) or "toolDenialKind" in data
    words = text.partition("the user said:")[2].strip() if denied else ""
    told = code or denied or never or re.match(_FAILED, text)
    if data.get("entrypoint") == "claude-vscode" and not told:
        denied, words = True, text
    if words.startswith("The user wants to clarify"):  # the agent's own questions
        words = ""
    fields = {"is_error": True, "exit_code": int(code[1]) if code else None, "denied": denied}
    fields["timed_out"] = "Command timed out after" in text[:400] + text[-400:]
    return fields | {"not_run": denied or never, "user_words": without_private(words)}


def tag(text: str, name: str) -> str:
    """The trimmed content of `<name>…</name>`, empty when it is not there."""
    return text.partition(f"<{name}>")[2].partition(f"</{name}>")[0].strip()


def without_wrappers(text: str) -> str:
    """A person's words without the blocks that the host put into them, and without what they keep private."""
    return without_private(_WRAPPERS.sub("", text)).strip() if "<" in text else text.strip()


def prompt_kind(data: Json, text: str) -> wire.PromptKind:
    """What kind of text a `user` line without a tool result holds; `text` has no wrappers any more."""
    marked = next((kind for kind, marks in _MARKS.items() if text.startswith(marks)), None)
    source = str(mapping(data, "origin").get("kind", "human"))
    if marked not in (None, "plan"):
        return marked
    if "task" in source:
        return "task-notification"
    if source == "peer":
        return "teammate"
    hosts = any(data.get(key) is True for key in ("isMeta", "isSidechain", "isCompactSummary"))
    called = "sourceToolUseID" in data  # a command that the agent called itself
    return "meta" if hosts or called or not text or source != "human" else marked or "human"


def string(data: Json, key: str) -> str:
    """The field if it is a string, else "": JSON of any other type counts as missing."""
    value = data.get(key)
    return value if isinstance(value, str) else ""


def mapping(data: Json, key: str) -> Json:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def blocks(content: object) -> list[Json]:
    """A message's content as blocks, whichever of its shapes it has."""
    rows: list[Any] = content if isinstance(content, list) else [content]
    made = [{"type": "text", "text": row} if type(row) is str else row for row in rows]
    return [row for row in made if type(row) is dict]


def plain_text(content: object) -> str:
    return "\n".join(string(block, "text") for block in blocks(content))
