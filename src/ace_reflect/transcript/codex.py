"""Codex CLI's rollout lines -> records, as `messages` reads Claude Code's. Never raises, whatever is in a line.

A line is `{timestamp, type, payload}`. What the model was sent is `response_item`; what really happened is an `event_msg`:
a finished item (since 0.149) or `exec_command_end` and `patch_apply_end`. Models in code mode call one tool, `exec`, with
JavaScript: only the items tell its commands and edits. Versions 0.45 to 0.171 were recorded.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from shlex import join, quote
from typing import Any

from ace_reflect.text import without_private
from ace_reflect.transcript import records as wire
from ace_reflect.transcript.codex_patches import Step, of_changes, of_patch
from ace_reflect.transcript.messages import blocks, mapping, plain_text, string, tag

Json = dict[str, Any]
Records = Iterator[wire.Record]

_MOST_OPEN, _MOST_PROMPTS = 100, 200
_SHELLS = {"shell", "shell_command", "exec_command", "local_shell", "container.exec"}
_NAMES = {"spawn_agent": "Task", "request_user_input": "AskUserQuestion", "view_image": "Read"}
_NAMES |= {"update_plan": "TodoWrite", "write_stdin": "BashOutput"}
#: How texts of role `user` begin that the host wrote; before 0.149 nothing else marks them.
_HOSTS = (
    r"# AGENTS\.md instructions|Warning: apply_patch was |<(?:turn_aborted|subagent_notification|skill|image|user_action"
    r"|[a-z]+_(?:[a-z]+_)?(?:context|instructions|spec|mode|delegation|switch|window|attribution))\b"
)
_ASKED = "## My request for Codex:"  # an editor puts its context before it
#: How a call's output begins where a person refused or stopped it, and where it never started.
_REFUSED = r"aborted by user|(?:exec command|patch) rejected|.{0,200}rejected by user"
_NEVER_RAN = r"unsupported |failed |\w+ failed for|apply_patch verification failed"
_CODE = r"(?:Process exited with code|Exit code:) (-?\d{1,9})"
_SESSION = r"Process running with session ID (\w+)"
#: The command in a script's `tools.exec_command({cmd: "…"})`.
_IN_SCRIPT = r"""exec_command\(\s*\{[^{}]{0,200}?cmd["']?\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)"""


class Rollout:
    """Reads one file's lines, as `messages.Messages` does: set `line` first; `memory` is plain JSON."""

    def __init__(self, state: Json | None, file: str | None) -> None:
        self.line, self._file = 0, file
        self.memory: Json = {"codex": True, "context": {}, "print_mode": False}
        #: Calls without a result, by id, and those that went on in the background; the lines of the prompts in force.
        self.memory |= {"open": {}, "running": {}, "told": 0, "prompts": []}
        self.memory |= {"asked": None, "replaces": None}
        self.memory |= json.loads(json.dumps(state or {}))

    def read(self, data: Json) -> Records:
        """The records in one line; most types have none."""
        kind, payload = data.get("type"), mapping(data, "payload")
        if not payload:  # before 0.30
            kind, payload = ("response_item" if "type" in data else "session_meta"), data
        meta = mapping(payload, "internal_chat_message_metadata_passthrough")
        said = string(payload, "id") or string(meta, "turn_id") or None
        base: Json = {"uuid": said, "timestamp": string(data, "timestamp")}
        base |= {"line": self.line, "file": self._file}
        if kind == "session_meta" and "session_id" not in self.memory["context"]:
            self.memory["print_mode"] = payload.get("source") == "exec"
            branch, own = string(mapping(payload, "git"), "branch"), string(payload, "id")
            yield from self._context(base, string(payload, "cwd"), branch=branch, session_id=own)
        elif kind == "turn_context":
            self.memory["asked"] = False
            plans = mapping(payload, "collaboration_mode").get("mode") == "plan"
            mode = "plan" if plans else "default"
            yield from self._context(base, string(payload, "cwd"), mode=mode)
        elif kind == "compacted":
            yield wire.Compaction(**base)
        elif kind == "response_item":
            yield from self._item(payload, meta, base)
        elif kind == "event_msg":
            yield from self._event(payload, base)

    def _context(self, base: Json, cwd: str, **found: str) -> Records:
        known = self.memory["context"]
        found = {"cwd": cwd, **found}
        changed: Json = {n: value for n, value in found.items() if value not in ("", known.get(n))}
        known |= changed
        if changed:
            yield wire.Context(**base, **changed)

    def _item(self, payload: Json, meta: Json, base: Json) -> Records:
        """What the model was sent, or said."""
        kind, call = payload.get("type"), string(payload, "call_id") or string(payload, "id")
        if kind == "message":
            yield from self._message(payload, meta, base)
        elif kind == "reasoning":
            parts = (*blocks(payload.get("summary")), *blocks(payload.get("content")))
            if text := "\n".join(filter(None, (string(part, "text") for part in parts))):
                yield wire.Thinking(**base, text=text)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            text, code, session = _read_output(payload.get("output"))
            yield from self._end(call, base, text, _ended(text, code), session)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            yield from self._call(call, payload, base)

    def _message(self, payload: Json, meta: Json, base: Json) -> Records:
        role, given = payload.get("role"), meta.get("content_item_kinds")
        kinds, words = given if isinstance(given, list) else [], []
        rows = blocks(payload.get("content"))
        texts = [string(row, "text") for row in rows]
        if role == "assistant" and (text := "\n".join(filter(None, texts)).strip()):
            yield wire.AssistantText(**base, message_id=string(payload, "id"), text=text)
        elif role == "developer":
            told = "\n".join(text for text in texts if text[:1] != "<" or "hooks." in str(kinds))
            yield wire.HookOutput(**base, event="UserPromptSubmit", kind="hook_success", text=told)
        for at, text in enumerate(texts) if role == "user" else ():
            kind = kinds[at] if at < len(kinds) else "unknown"
            hosts = (
                re.match(_HOSTS, text) if kind == "unknown" else not str(kind).startswith("user.")
            )
            if text.startswith("<environment_context>"):
                old = text.partition("Current working directory: ")[2].partition("\n")[0]
                yield from self._context(base, tag(text, "cwd") or old)
            elif text.startswith("<user_shell_command>"):
                printed = tag(text, "result").partition("Output:\n")[2]
                yield wire.UserShell(**base, command=tag(text, "command"), stdout=printed)
            elif text.startswith("<hook_prompt"):
                told = text.partition(">")[2].removesuffix("</hook_prompt>")
                yield wire.Prompt(**base, kind="hook-feedback", text=told)
            elif not hosts:
                words += [without_private(text.rpartition(_ASKED)[2]).strip()]
        pictures = any(row.get("type") == "input_image" for row in rows)
        said = "\n".join(filter(None, words)) or "[image]" * (role == "user" and pictures)
        if said:
            yield self._prompt(said, base)

    def _prompt(self, text: str, base: Json) -> wire.Prompt:
        memory = self.memory
        own: Json = {"queued": memory["asked"] is True, "print_mode": memory["print_mode"]}
        own["replaces"], memory["replaces"] = memory["replaces"], None
        if memory["asked"] is not None:  # a version that says where a turn begins
            memory["asked"] = True
        if not own["queued"]:
            memory["prompts"] = [*memory["prompts"], self.line][-_MOST_PROMPTS:]
        return wire.Prompt(**base, kind="human", text=text, **own)

    def _call(self, call: str, payload: Json, base: Json) -> Records:
        """A call by the model, as one or more of the records' tools; a script's own calls are told by events."""
        name, raw = string(payload, "name"), payload.get("arguments", payload.get("input"))
        given = mapping(payload, "action") or _object(raw)
        text = raw if isinstance(raw, str) and not given else ""
        shell = name in _SHELLS or payload.get("type") == "local_shell_call"
        command = _command(given.get("cmd") or given.get("command")) if shell else ""
        patch = text or string(given, "input") or command
        steps = []
        if "apply_patch" in (name, *command.split()) and "*** Begin Patch" in patch:
            steps = [*of_patch(patch)]
            command = "" if re.match(r"(?:cd \S+ && )?apply_patch\b", command) else command
        if command:
            folder = string(given, "workdir") or string(given, "working_directory")
            steps.append(("Bash", {"command": self._in_folder(command, folder)}, ()))
        elif not (steps or name == "exec"):
            server = string(payload, "namespace").rstrip("_")
            name = f"{server}__{name}" if server.startswith("mcp__") else name
            steps.append((_NAMES.get(name, name), _given(name, given), ()))
        yield from self._begin(call, steps, base)
        if name == "exec":
            script = [_literal(found) for found in re.findall(_IN_SCRIPT, text)]
            self.memory["open"][call]["script"] = script

    def _in_folder(self, command: str, folder: str) -> str:
        here = self.memory["context"].get("cwd", "")
        return command if folder in ("", ".", here) else f"cd {quote(folder)} && {command}"

    def _begin(self, call: str, steps: Iterable[Step], base: Json) -> Records:
        ids: list[Any] = []
        for tool, given, rows in steps:
            ids.append([f"{call}#{len(ids)}" if ids else call, tool, rows])
            yield wire.ToolUse(**base, id=ids[-1][0], name=tool, input=given)
        _keep(self.memory["open"], call, {"ids": ids, "script": [], "told": self.memory["told"]})

    def _end(self, call: str, base: Json, text: str, how: Json, session: str = "") -> Records:
        """The results of a call. Of a command without a status only a summary in what it printed tells."""
        about = self.memory["open"].pop(call, {"ids": [], "script": []})
        for name, tool, rows in about["ids"]:
            own: Json = {**base, "tool_use_id": name, "text": text, **how}
            if tool == "Bash" and session:
                _keep(self.memory["running"], call, session)
                yield wire.ToolResult(**own, background_id=session)
            elif tool == "Bash" and not how:
                yield wire.ToolResult(**own, background_id=name)
                yield wire.TaskNotice(**base, task_id=name, status="stopped", output=text)
            else:
                own["details"] = _details(tool, text, how, session)
                yield wire.ToolResult(**own, patch=tuple(tuple(row) for row in rows))
        untold = about["script"] and about["told"] == self.memory["told"]  # by events
        for number, command in enumerate(about["script"] if untold else ()):
            one = f"{call}#{number}"
            yield from self._begin(one, [("Bash", {"command": command}, ())], base)
            yield from self._end(one, base, text, {})

    def _event(self, payload: Json, base: Json) -> Records:
        kind, item = string(payload, "type"), mapping(payload, "item")
        kind = string(item, "type") if kind == "item_completed" else kind
        if kind == "task_started":
            self.memory["asked"] = False
        elif kind == "turn_aborted" and payload.get("reason") != "replaced":
            yield wire.Interrupt(**base)
        elif kind == "thread_rolled_back":
            back, prompts = payload.get("num_turns"), self.memory["prompts"]
            if isinstance(back, int) and 0 < back <= len(prompts):
                self.memory |= {"replaces": prompts[-back], "prompts": prompts[:-back]}
        elif kind == "task_complete" and (why := string(mapping(payload, "error"), "message")):
            yield wire.ApiError(**base, text=why)
        elif kind in _FINISHED and (item := item or payload).get("source") != "user_shell":
            call = string(item, "id") or string(item, "call_id")
            yield from getattr(self, _FINISHED[kind])(call, item, base)

    def _executed(self, call: str, item: Json, base: Json) -> Records:
        """A command has ended: the model's or a script's, perhaps one that went on in the background."""
        text, code = string(item, "aggregated_output"), item.get("exit_code")
        code = code if isinstance(code, int) else None
        if session := self.memory["running"].pop(call, None):
            status = "killed" if code == -1 else string(item, "status") or "completed"
            own: Json = {"status": status, "output": text, "exit_code": code}
            yield wire.TaskNotice(**base, task_id=session, **own)
            return
        if call not in self.memory["open"]:
            self.memory["told"] += 1
            folder = string(item, "cwd").removeprefix("file://")
            command = self._in_folder(_command(item.get("command")), folder)
            yield from self._begin(call, [("Bash", {"command": command}, ())], base)
        yield from self._end(call, base, text, _ended(text, code))

    def _applied(self, call: str, item: Json, base: Json) -> Records:
        """A patch was applied, or not: the model's own, or a shell's or script's."""
        about = self.memory["open"].get(call, {"ids": []})
        if not any(tool in ("Edit", "Write") for _, tool, _ in about["ids"]):
            self.memory["told"] += 1
            call = f"{call} patch"
            yield from self._begin(call, of_changes(mapping(item, "changes")), base)
        denied = item.get("status") == "declined"
        failed = denied or item.get("success") is False or item.get("status") == "failed"
        how = {"is_error": True, "denied": denied} if failed else {"exit_code": 0}
        yield from self._end(call, base, string(item, "stdout"), how)

    def _served(self, call: str, item: Json, base: Json) -> Records:
        """A server's tool has answered: to the model, which has its output as well, or to a script."""
        if call not in self.memory["open"]:
            about, came = mapping(item, "invocation") or item, mapping(item, "result")
            name = f"mcp__{string(about, 'server')}__{string(about, 'tool')}"
            yield from self._begin(call, [(name, mapping(about, "arguments"), ())], base)
            how = {"is_error": True} if item.get("status") == "failed" or "Err" in came else {}
            text = plain_text((mapping(came, "Ok") or came).get("content"))
            yield from self._end(call, base, text, how)

    def _agent(self, call: str, item: Json, base: Json) -> Records:
        agent, now = string(item, "agent_thread_id"), string(item, "kind")
        if now == "started" and self.memory["open"].pop(call, None):
            details = {"status": "async_launched", "agentId": agent}
            yield wire.ToolResult(**base, tool_use_id=call, text=agent, details=details)
        elif now in ("completed", "interrupted", "failed"):
            about: Json = {"task_id": agent, "status": now, "summary": string(item, "agent_path")}
            yield wire.TaskNotice(**base, **about)


#: What is told when it has ended: in 0.149 and later as an item.
_FINISHED = {
    "CommandExecution": "_executed",
    "exec_command_end": "_executed",
    "FileChange": "_applied",
    "patch_apply_end": "_applied",
    "McpToolCall": "_served",
    "mcp_tool_call_end": "_served",
    "SubAgentActivity": "_agent",
}


def _keep(table: Json, name: str, value: Any) -> None:
    table[name] = value
    if len(table) > _MOST_OPEN:
        del table[next(iter(table))]


def _object(text: object) -> Json:
    """The object that a text is, else an empty one."""
    found = text
    if isinstance(text, str) and text[:1] == "{":
        with suppress(ValueError, RecursionError):
            found = json.loads(text)
    return found if isinstance(found, dict) else {}


def _given(name: str, given: Json) -> Json:
    """A call's input under the names that the records have."""
    rows = blocks(given.get("plan"))
    known: dict[str, Json] = {
        "update_plan": {"todos": [{"content": row.get("step"), **row} for row in rows]},
        "write_stdin": {"bash_id": str(given.get("session_id", ""))},
        "spawn_agent": {"description": string(given, "task_name"), "prompt": given.get("message")},
        "view_image": {"file_path": string(given, "path")},
    }
    return known.get(name, given)


def _command(raw: object) -> str:
    """A command as a line for a shell; of `["bash", "-lc", line]` the line."""
    if not isinstance(raw, list):
        return raw if isinstance(raw, str) else ""
    words = [str(word) for word in raw]
    if words[:1] == ["apply_patch"]:
        return " ".join(words)
    return words[2] if len(words) == 3 and words[1] in ("-lc", "-c", "-Command") else join(words)


def _literal(text: str) -> str:
    """The value of a string in JavaScript, near enough for a command."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text[1:-1])


def _read_output(output: object) -> tuple[str, int | None, str]:
    """(what was printed, exit code, background session) of an output in any of its forms."""
    text, code, session = plain_text(output), None, ""
    if text.startswith('{"output"'):
        found = _object(text)
        text, code = string(found, "output"), mapping(found, "metadata").get("exit_code")
    while "Wall time" in (head := text.partition("Output:\n"))[0][:2_000] and head[1]:
        exits, running = re.findall(_CODE, head[0]), re.search(_SESSION, head[0])
        code, session = int(exits[-1]) if exits else code, running[1] if running else ""
        text = head[2]
    return text, code if isinstance(code, int) else None, session


def _ended(text: str, code: int | None) -> Json:
    """How a call ended, empty where nothing tells; -1 is the status of what was killed."""
    if re.match(_REFUSED, text):
        return {"is_error": True, "denied": True}
    if code is None and re.match(_NEVER_RAN, text):
        return {"is_error": True, "not_run": True}
    if code:
        late = code == -1 or "command timed out after" in text[:200]
        return {"is_error": True, "exit_code": code, "timed_out": late}
    return {} if code is None else {"exit_code": 0}


def _details(tool: str, text: str, how: Json, session: str) -> Json | None:
    if tool == "BashOutput":
        code = how.get("exit_code")
        status = "running" if session or code is None else "failed" if code else "completed"
        return {"status": status, "exitCode": code, "output": text}
    if tool == "AskUserQuestion":
        given = mapping(_object(text), "answers")
        return {"answers": {key: plain_text(mapping(given, key).get("answers")) for key in given}}
    return {"type": "create"} if tool == "Write" else None
