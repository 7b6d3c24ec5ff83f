"""
Builds transcripts in the form that Claude Code writes them.

    path = (
        TranscriptBuilder(tmp_path / "session.jsonl")
        .prompt("Fix the parser")
        .edit("src/app.py")
        .bash("pytest -q", "2 failed, 1 passed in 0.10s", exit_code=1)
        .say("The tests fail.")
        .write()
    )

The newest host's form is the default; `version="2.1.40"`, `"2.0.40"` or `"1.0.51"` give older ones (no `origin`, no
`promptId`, no attachments; before 2.0.37 no exit codes; 1.0 keeps subagents' lines in the same file). `line` is the
number of the last line added, so that a test can name what it expects.
"""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import Record

NEWEST = "2.1.330"
REJECTION = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file)."
)
Json = dict[str, Any]


class TranscriptBuilder:
    def __init__(
        self,
        path: Path | None = None,
        *,
        version: str = NEWEST,
        cwd: str = "/home/dev/project",
        branch: str = "main",
        session_id: str = "5e55105e-0000-4000-8000-000000000001",
        entrypoint: str = "cli",
        agent_id: str | None = None,
    ) -> None:
        self.path, self.version, self.cwd, self.branch = path, version, cwd, branch
        self.session_id, self.entrypoint, self.agent_id = session_id, entrypoint, agent_id
        self.lines: list[str | bytes] = []
        self._count = self._tasks = 0
        self._message: str | None = None
        self._prompt_id = self._parent = self._message
        self._sidechain = agent_id is not None
        self._numbers = tuple(int(part) for part in version.split("."))
        self.last_call = ""

    # -- the lines as such ------------------------------------------------------------------------------------------

    @property
    def line(self) -> int:
        """The 1-based number of the last line."""
        return len(self.lines)

    def raw(self, line: str | bytes | Json) -> Self:
        """A line as it is (a dict is dumped); anything may stand there."""
        if isinstance(line, dict):
            line = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        self.lines.append(line)
        return self

    def data(self, *, newline: bool = True) -> bytes:
        raw = (x.encode("utf-8", "surrogatepass") if isinstance(x, str) else x for x in self.lines)
        return b"\n".join(raw) + b"\n" * (newline and bool(self.lines))

    def write(self, path: Path | None = None, *, newline: bool = True) -> Path:
        target = path or self.path
        assert target is not None, "a builder without a path needs one here"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(self.data(newline=newline))
        return target

    def write_subagent(self, transcript: Path) -> Path:
        """Write this builder (made with `agent_id`) where the host puts the subagents of `transcript`."""
        folder = transcript.with_suffix("") / "subagents"
        return self.write(folder / f"agent-{self.agent_id}.jsonl")

    def records(self, path: Path | None = None, **options: Any) -> list[Record]:
        """What the reader makes of it."""
        return list(TranscriptReader(str(self.write(path)), final=True, **options))

    def _new_id(self, prefix: str = "") -> str:
        self._count += 1
        kind = 1 if self.agent_id is None else 2
        return f"{prefix}{self._count:08x}-{kind:04x}-4000-8000-{zlib.crc32(f'{self.session_id}{self.agent_id}'.encode()):012x}"

    def _at(self) -> str:
        return f"2026-11-22T{self._count // 3600 % 24:02d}:{self._count // 60 % 60:02d}:{self._count % 60:02d}.000Z"

    def _since(self, *numbers: int) -> bool:
        return self._numbers >= numbers

    def _line(self, kind: str, own: Json, **more: Any) -> Self:
        """A conversation line: the envelope around what is its own."""
        uuid = self._new_id()
        body: Json = {"parentUuid": self._parent, "isSidechain": self._sidechain}
        if self.agent_id is not None:
            body["agentId"] = self.agent_id
        envelope: Json = {"userType": "external", "cwd": self.cwd, "sessionId": self.session_id}
        envelope["version"] = self.version
        if self._since(2, 1, 81):
            envelope["entrypoint"] = self.entrypoint
        if self._since(1, 0, 50):
            envelope["gitBranch"] = self.branch
        body |= ({} if self._since(2, 1, 81) else envelope) | own
        body |= {"type": kind} if "type" not in own else {}
        body |= {"uuid": uuid, "timestamp": self._at(), **more}
        self._parent = uuid
        return self.raw(body | envelope)

    def _system(self, subtype: str, **more: Any) -> Self:
        return self._line("system", {"type": "system", "subtype": subtype}, **more)

    def _user(self, content: object, **more: Any) -> Self:
        self._message = None
        if self._since(2, 1, 90) and self._prompt_id:
            more = {"promptId": self._prompt_id, **more}
        message = {"role": "user", "content": content}
        return self._line("user", {"type": "user", "message": message}, **more)

    def _assistant(self, block: Json, **more: Any) -> Self:
        """A line for each block; the lines of one message share its id."""
        if self._message is None:
            self._message = self._new_id("msg_")
        message: Json = {"id": self._message, "type": "message", "role": "assistant"}
        message |= {"model": "claude-opus-5-5", "content": [block], "stop_reason": None}
        message |= {"usage": {"input_tokens": 100, "output_tokens": 20}, **more.pop("message", {})}
        more["requestId"] = f"req_{self._message}"
        return self._line("assistant", {"message": message}, **more)

    # -- what the person does ---------------------------------------------------------------------------------------

    def prompt(
        self, text: str, *, print_mode=False, images=0, ide_file="", permission_mode="", **more: Any
    ) -> Self:
        """A typed prompt, or with `print_mode` the one of `claude -p`."""
        self._prompt_id = self._new_id()
        if print_mode:
            self.entrypoint = "sdk-cli"
        if self._since(2, 1, 90):
            typed = {"origin": {"kind": "human"}, "promptSource": "typed"}
            source = {"promptSource": "sdk"} if print_mode else typed
            more = {"permissionMode": permission_mode or "default", **source, **more}
        elif permission_mode:
            more["permissionMode"] = permission_mode
        content: object = text
        if images or ide_file:
            opened = f"<ide_opened_file>The user opened the file {ide_file} in the IDE. This may or may not be related to the current task.</ide_opened_file>"
            texts = [opened, text] if ide_file else [text]
            blocks: list[Json] = [{"type": "text", "text": each} for each in texts]
            source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 1000}
            content = blocks + [{"type": "image", "source": source}] * images
        return self._user(content, **more)

    def plan_prompt(self, plan: str) -> Self:
        """What Claude Code types itself after a plan was accepted with a cleared context."""
        return self.prompt(f"Implement the following plan:\n\n{plan}", planContent=plan)

    def slash(self, name: str, args: str = "", body: str = "Do it.") -> Self:
        """A custom command: the line that names it, then its expanded body as meta."""
        marks = f"<command-message>{name} is running…</command-message>\n<command-name>/{name}</command-name>"
        self.prompt(marks + (f"\n<command-args>{args}</command-args>" if args else ""))
        return self._user([{"type": "text", "text": body}], isMeta=True)

    def called_command(self, name: str, body: str = "Do it.") -> Self:
        """A custom command that the agent calls itself (2.0.x: the tool SlashCommand): named in a line that is not meta."""
        self.call("SlashCommand", {"command": f"/{name}"}).result(f"Launching command: /{name}")
        marks = f"<command-message>{name} is running…</command-message>\n<command-name>/{name}</command-name>"
        told, content = {"sourceToolUseID": self.last_call}, [{"type": "text", "text": body}]
        return self._user(marks, **told)._user(content, isMeta=True, **told)

    def local_command(self, name: str, args: str = "", stdout: str = "(no content)") -> Self:
        """A built-in command (`/exit`, `/model`): a caveat, the command, its output."""
        says = "The messages below were generated by the user while running local commands."
        self._user(f"<local-command-caveat>Caveat: {says}</local-command-caveat>", isMeta=True)
        named = f"<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>"
        self._user(f"{named}\n            <command-args>{args}</command-args>")
        return self._user(f"<local-command-stdout>{stdout}</local-command-stdout>")

    def shell(self, command: str, stdout: str = "", stderr: str = "") -> Self:
        """The person's own `!command`."""
        self._user(f"<bash-input>{command}</bash-input>")
        return self._user(f"<bash-stdout>{stdout}</bash-stdout><bash-stderr>{stderr}</bash-stderr>")

    def interrupt(self, *, during_tool: bool = False) -> Self:
        text = f"[Request interrupted by user{' for tool use' if during_tool else ''}]"
        more = {"interruptedMessageId": self._message or "msg_0"} if self._since(2, 1, 200) else {}
        return self._user([{"type": "text", "text": text}], **more)

    def queue(self, text: str, *, delivered: str = "in-turn") -> Self:
        """
        Words typed while Claude works.

        `delivered`: "in-turn" (taken up between two tool calls), "next-turn" (becomes the next prompt), "" (not yet),
        "taken-back" (edited or dropped by the person).
        """
        self.queue_operation("enqueue", text)
        if delivered == "in-turn":
            self.queue_operation("remove", text if self._since(2, 1, 150) else None)
            if self._since(2, 1, 92):
                self.attachment({"type": "queued_command", "prompt": text, "commandMode": "prompt"})
        elif delivered == "next-turn":
            self.queue_operation("dequeue").prompt(text)
        elif delivered == "taken-back":
            self.queue_operation("popAll", text)
        return self

    def queue_operation(self, operation: str, content: object = None) -> Self:
        body: Json = {"type": "queue-operation", "operation": operation, "timestamp": self._at()}
        body |= {"sessionId": self.session_id}
        return self.raw(body | ({"content": content} if content is not None else {}))

    def mode(self, mode: str) -> Self:
        row = {"type": "permission-mode", "permissionMode": mode}
        return self.raw(row | {"sessionId": self.session_id})

    # -- what Claude says -------------------------------------------------------------------------------------------

    def say(self, text: str, *, aborted: bool = False) -> Self:
        more = {"isAbortedMidStream": True} if aborted else {}
        return self._assistant({"type": "text", "text": text}, **more)

    def think(self, text: str) -> Self:
        return self._assistant({"type": "thinking", "thinking": text, "signature": "Ev8BCkYI" * 10})

    def api_error(self, text: str = "API Error: 529 Overloaded") -> Self:
        """The turn ended in an error."""
        self._message = None
        message = {"model": "<synthetic>", "stop_reason": "stop_sequence"}
        block = {"type": "text", "text": text}
        return self._assistant(block, isApiErrorMessage=True, message=message)

    def api_retry(self) -> Self:
        """A retry, which is no failure of the turn."""
        return self._system("api_error", level="error", retryAttempt=1, maxRetries=10)

    # -- tools ------------------------------------------------------------------------------------------------------

    def call(self, name: str, tool_input: Json, *, id: str | None = None) -> Self:  # noqa: A002 - the wire's name
        """A tool call whose result comes later with `result`, or never. Its id is `last_call`."""
        self.last_call = id or self._new_id("toolu_")
        block = {"type": "tool_use", "id": self.last_call, "name": name, "input": tool_input}
        return self._assistant(block)

    def result(
        self, text: object = "", *, call="", is_error=False, answer=None, words="", **more: Any
    ) -> Self:
        """The result of `call` (default: the last one). `words` is a text block of the person's beside it."""
        block: Json = {"tool_use_id": call or self.last_call, "type": "tool_result"}
        block["content"] = text
        if is_error or self._since(2, 1):
            block["is_error"] = is_error
        content: list[Json] = [block] + ([{"type": "text", "text": words}] if words else [])
        if answer is None:
            answer = f"Error: {text}" if is_error else {}
        return self._user(content, toolUseResult=answer, **more)

    def bash(
        self, command: str, output: str = "", *, answered=True, tool="Bash", **came_back: Any
    ) -> Self:
        """A command and what came back (see `bash_result`). Before 2.0.37 a failure carries its output and no code."""
        self.call(tool, {"command": command, "description": "run"})
        return self.bash_result(output, **came_back) if answered else self

    def bash_result(
        self,
        output="",
        *,
        exit_code=0,
        stderr="",
        timed_out=False,
        persisted=False,
        interpretation="",
    ) -> Self:
        if timed_out:
            exit_code = exit_code or 143
            output = f"Command timed out after 2m 0s\n{output}".rstrip()
        text = "\n".join(part for part in (output, stderr) if part)
        if exit_code and not interpretation:
            coded = f"Exit code {exit_code}\n{text}".rstrip()
            said = coded if self._since(2, 0, 37) else text or "Error"
            return self.result(said, is_error=True)
        answer = _shell(output, stderr)
        if interpretation:
            answer["returnCodeInterpretation"] = interpretation
        if persisted:
            place = "/tmp/tool-results/b1.txt"
            answer |= {"persistedOutputPath": place, "persistedOutputSize": len(output)}
            answer["stdout"] = output[:30_000]
            text = f"<persisted-output>\nOutput too large ({len(output) / 1000:.1f}KB). Full output saved to: {place}\n\nPreview (first 2KB):\n{output[:2000]}\n...\n</persisted-output>"
        return self.result(text or "(Bash completed with no output)", answer=answer)

    def edit(
        self, path: str, old="a = 1\n", new="a = 2\n", *, error="", answered=True, original=""
    ) -> Self:
        self.call("Edit", {"file_path": path, "old_string": old, "new_string": new})
        if error:
            return self.tool_error(error)
        if not answered:
            return self
        answer: Json = {"filePath": path, "oldString": old, "newString": new, "replaceAll": False}
        answer |= {"originalFile": original or old, "userModified": False}
        answer["structuredPatch"] = [patch(old, new)]
        return self.result(f"The file {path} has been updated successfully.", answer=answer)

    def create(self, path: str, content: str = "x = 1\n", *, overwrite: bool = False) -> Self:
        """A Write."""
        self.call("Write", {"file_path": path, "content": content})
        answer: Json = {"type": "update" if overwrite else "create", "filePath": path}
        answer |= {"content": content, "originalFile": "old\n" if overwrite else None}
        answer["structuredPatch"] = [patch("old\n", content)] if overwrite else []
        answer["userModified"] = False
        made = f"File created successfully at: {path}"
        said = f"The file {path} has been updated." if overwrite else made
        return self.result(said, answer=answer)

    def multi_edit(self, path: str, *pairs: tuple[str, str]) -> Self:
        edits = [{"old_string": old, "new_string": new} for old, new in pairs or (("a", "b"),)]
        self.call("MultiEdit", {"file_path": path, "edits": edits})
        answer = {"filePath": path, "edits": edits, "structuredPatch": [patch("a", "b")]}
        return self.result(f"Applied {len(edits)} edits to {path}", answer=answer)

    def notebook_edit(self, path: str, source: str = "1 + 1") -> Self:
        self.call("NotebookEdit", {"notebook_path": path, "new_source": source, "cell_id": "0"})
        answer = {"new_source": source, "cell_type": "code", "edit_mode": "replace", "error": ""}
        return self.result("Updated cell 0", answer=answer)

    def read(self, path: str, content: str = "x = 1\n") -> Self:
        self.call("Read", {"file_path": path})
        count = content.count("\n") + 1
        numbered = "\n".join(f"{n:6d}→{row}" for n, row in enumerate(content.split("\n"), 1))
        file = {"filePath": path, "content": content, "numLines": count, "totalLines": count}
        return self.result(numbered, answer={"type": "text", "file": file})

    def grep(self, pattern: str, output: str = "No files found") -> Self:
        self.call("Grep", {"pattern": pattern})
        answer = {"mode": "files_with_matches", "filenames": output.splitlines(), "numFiles": 1}
        return self.result(output, answer=answer)

    def glob(self, pattern: str, *paths: str) -> Self:
        self.call("Glob", {"pattern": pattern})
        answer: Json = {"filenames": list(paths), "durationMs": 3, "numFiles": len(paths)}
        return self.result("\n".join(paths) or "No files found", answer=answer)

    def tool_error(self, text: str) -> Self:
        """A call that failed validation; newer hosts mark it."""
        wrapped = f"<tool_use_error>{text}</tool_use_error>" if self._since(1, 0, 60) else text
        return self.result(wrapped, is_error=True, answer=f"Error: {text}")

    def reject(self, words: str = "", *, vscode: bool = False) -> Self:
        """The person refuses the last call, with or without words (VS Code: the words alone)."""
        if vscode:
            return self.result(words, is_error=True)
        tail = " STOP what you are doing and wait for the user to tell you how to proceed."
        if words:
            tail = f" To tell you how to proceed, the user said:\n{words}"
        more = {"toolDenialKind": "user-rejected"} if self._since(2, 1, 200) else {}
        answer = "User rejected tool use" if self._since(2, 1) else f"Error: {REJECTION}{tail}"
        return self.result(REJECTION + tail, is_error=True, answer=answer, **more)

    def parallel(self, calls: Sequence[tuple[str, Json, str]]) -> Self:
        """Several calls of one message; their results come the last first."""
        ids = [self.call(name, tool_input).last_call for name, tool_input, _ in calls]
        for call, (name, _, output) in reversed([*zip(ids, calls, strict=True)]):
            self.result(output, call=call, answer=_shell(output) if name == "Bash" else {})
        return self

    # -- lists, plans, questions --------------------------------------------------------------------------------------

    def todos(self, *items: tuple[str, str]) -> Self:
        """TodoWrite (up to 2.1.15): the whole list each time, `(text, status)`."""
        todos = [{"content": text, "status": status, "activeForm": text} for text, status in items]
        self.call("TodoWrite", {"todos": todos})
        answer = {"oldTodos": [], "newTodos": todos}
        return self.result("Todos have been modified successfully.", answer=answer)

    def task_create(self, subject: str) -> Self:
        """The newer list: tasks are numbered from 1 as they are made."""
        self._tasks += 1
        self.call("TaskCreate", {"subject": subject, "description": subject})
        said = f"Task #{self._tasks} created successfully: {subject}"
        return self.result(said, answer={"task": {"id": str(self._tasks), "subject": subject}})

    def task_update(self, number: int, status: str, before: str = "pending") -> Self:
        self.call("TaskUpdate", {"taskId": str(number), "status": status})
        answer: Json = {"success": True, "taskId": str(number), "updatedFields": ["status"]}
        answer["statusChange"] = {"from": before, "to": status}
        return self.result(f"Updated task #{number} status", answer=answer)

    def enter_plan_mode(self) -> Self:
        self.call("EnterPlanMode", {})
        said = "Entered plan mode. You should now focus on exploring the codebase."
        return self.result(said, answer={"message": "Entered plan mode."})

    def exit_plan_mode(self, plan: str = "1. Do it", *, approved=True, words="") -> Self:
        self.call("ExitPlanMode", {"plan": plan})
        if not approved:
            return self.reject(words)
        said = "User has approved your plan. You can now start coding."
        return self.result(said, answer={"plan": plan, "isAgent": False})

    def ask(self, question: str, answer: str | None = "Yes") -> Self:
        asked = {"question": question, "header": "Q", "options": [], "multiSelect": False}
        self.call("AskUserQuestion", {"questions": [asked]})
        if answer is None:
            return self
        said = f'User has answered your questions: "{question}"="{answer}". You can now continue.'
        return self.result(said, answer={"questions": [], "answers": {question: answer}})

    # -- background -----------------------------------------------------------------------------------------------------

    def background(self, command: str, task_id: str = "b7xirly8o") -> Self:
        self.call("Bash", {"command": command, "run_in_background": True})
        text = f"Command running in background with ID: {task_id}. Output is being written to: /tmp/tasks/{task_id}.output."
        return self.result(text, answer=_shell() | {"backgroundTaskId": task_id})

    def task_notification(
        self, task_id: str = "b7xirly8o", *, exit_code=0, status="", how="prompt"
    ) -> Self:
        """A background task ended. `how`: "prompt" (a turn of its own), "queue" (in mid-turn), "json" (2.1.3x's queue line)."""
        status = status or ("completed" if exit_code == 0 else "failed")
        text = (
            f"<task-notification>\n<task-id>{task_id}</task-id>\n<tool-use-id>{self.last_call}</tool-use-id>\n<status>{status}</status>\n"
            f'<summary>Background command "run" {status} (exit code {exit_code})</summary>\n</task-notification>'
        )
        if how == "json":
            row = {"task_id": task_id, "tool_use_id": self.last_call, "task_type": "local_bash"}
            return self.queue_operation("enqueue", json.dumps(row | {"description": "run"}))
        self.queue_operation("enqueue", text)
        if how == "queue":
            self.queue_operation("remove", text)
            mode = "task-notification"
            return self.attachment({"type": "queued_command", "prompt": text, "commandMode": mode})
        self.queue_operation("dequeue")
        self._prompt_id = self._new_id()
        return self._user(text, origin={"kind": "task-notification"}, promptSource="system")

    def task_output(self, task_id: str, output="", *, exit_code=0, status="completed") -> Self:
        """TaskOutput from 2.1, BashOutput before."""
        if not self._since(2, 1):
            self.call("BashOutput", {"bash_id": task_id})
            text = f"<status>{status}</status>\n\n<exit_code>{exit_code}</exit_code>\n\n<stdout>\n{output}\n</stdout>"
            answer = {"shellId": task_id, "command": "run", "status": status, "exitCode": exit_code}
            return self.result(text, answer=answer | {"stdout": output, "stderr": ""})
        self.call("TaskOutput", {"task_id": task_id, "block": True})
        text = f"<retrieval_status>success</retrieval_status>\n\n<task_id>{task_id}</task_id>\n\n<status>{status}</status>\n\n<output>\n{output}\n</output>"
        task: Json = {"task_id": task_id, "task_type": "local_bash", "status": status}
        task |= {"description": "run", "output": output, "exitCode": exit_code}
        return self.result(text, answer={"retrieval_status": "success", "task": task})

    # -- subagents ------------------------------------------------------------------------------------------------------

    def sidechain(self, *, on: bool = True) -> Self:
        """Until switched off, lines are a subagent's in the same file (1.0.x)."""
        self._sidechain, self._message = on or self.agent_id is not None, None
        return self

    def agent(self, prompt: str, report: str, *, agent_id: str = "a1b2c3d") -> Self:
        """A subagent's call and report in the main file."""
        asked = {"description": "look", "prompt": prompt, "subagent_type": "general-purpose"}
        self.call("Agent" if self._since(2, 1, 70) else "Task", asked)
        content = [{"type": "text", "text": report}]
        answer: Json = {"status": "completed", "agentId": agent_id, "content": content}
        return self.result(content, answer=answer | {"prompt": prompt, "totalTokens": 10})

    def agent_progress(self, name: str, tool_input: Json, output: str) -> Self:
        """A subagent's call and result as 2.1.12 to 2.1.81 repeated them in the main file."""
        call = self._new_id("toolu_")
        block = {"type": "tool_use", "id": call, "name": name, "input": tool_input}
        answer: Json = {"tool_use_id": call, "type": "tool_result", "content": output}
        answer["is_error"] = False
        said = {"model": "claude-haiku-4-5-20251001", "id": self._new_id("msg_"), "type": "message"}
        said |= {"role": "assistant", "content": [block], "stop_reason": None}
        words = {"role": "user", "content": [answer]}
        for kind, body in (("assistant", said), ("user", words)):
            message = {"type": kind, "message": body, "uuid": self._new_id()}
            data: Json = {"message": message | {"timestamp": self._at()}}
            if not self._since(2, 1, 60):
                data["normalizedMessages"] = []
            data |= {"type": "agent_progress", "prompt": 'look {"a": 1}', "agentId": "a1b2c3d"}
            more = {"toolUseID": "agent_msg_1", "parentToolUseID": "toolu_1"}
            self._line("progress", {"type": "progress", "data": data}, **more)
        return self

    # -- what the host adds ---------------------------------------------------------------------------------------------

    def attachment(self, attachment: Json, **more: Any) -> Self:
        return self._line("attachment", {"attachment": attachment}, **more)

    def hook(self, event: str, text: str, kind: str = "hook_additional_context") -> Self:
        """A hook's answer as an attachment."""
        common = {"hookName": event, "hookEvent": event, "toolUseID": self._new_id()}
        if kind == "hook_success":
            own: Json = {"content": "", "stdout": text, "stderr": "", "exitCode": 0}
            own["command"] = "hook"
        elif kind == "hook_blocking_error":
            own = {"blockingError": {"blockingError": text, "command": "hook"}}
        else:
            own = {"content": [text] if kind == "hook_additional_context" else text}
        return self.attachment({"type": kind, **common, **own})

    def feedback(self, reason: str) -> Self:
        """A Stop hook's block: the meta line, and on newer hosts the attachment."""
        self._user(f"Stop hook feedback:\n{reason}", isMeta=True)
        return self.hook("Stop", reason, "hook_blocking_error") if self._since(2, 1, 92) else self

    def meta(self, text: str) -> Self:
        """A line that nobody said: a caveat, a skill's body."""
        return self._user([{"type": "text", "text": text}], isMeta=True)

    def teammate(self, text: str) -> Self:
        mark = '<teammate-message teammate_id="lead" color="blue">'
        return self._user(f"{mark}\n{text}\n</teammate-message>")

    def user_line(self, content: object, **more: Any) -> Self:
        """Any `user` line."""
        return self._user(content, **more)

    def compact(self, summary: str = "The work so far.", *, trigger: str = "auto") -> Self:
        """A compaction; before 2.0.76 only the summary stands there."""
        more = {}
        if self._since(2, 0, 76):
            marks = {"trigger": trigger, "preTokens": 155_000}
            said = "Conversation compacted"
            self._system("compact_boundary", content=said, isMeta=False, compactMetadata=marks)
            more = {"isCompactSummary": True, "isVisibleInTranscriptOnly": True}
        text = f"This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n{summary}"
        return self._user(text, **more)

    def pull_request(self, number: int) -> Self:
        url = f"https://github.com/acme/app/pull/{number}"
        row = {"type": "pr-link", "sessionId": self.session_id, "prNumber": number, "prUrl": url}
        return self.raw(row | {"prRepository": "acme/app", "timestamp": self._at()})

    def stop(self) -> Self:
        """What the host writes when a turn has ended."""
        self._system("stop_hook_summary", hookCount=1, hookErrors=[], preventedContinuation=False)
        return self._system("turn_duration", durationMs=1000, isMeta=False)

    def noise(self) -> Self:
        """Lines that are no conversation, as newer and older hosts write between the others."""
        session = {"sessionId": self.session_id}
        backups: Json = {"snapshot": {"trackedFileBackups": {}}, "isSnapshotUpdate": False}
        self.raw({"type": "file-history-snapshot", "messageId": "m", **backups})
        self.raw({"type": "last-prompt", "lastPrompt": "not a prompt", "leafUuid": "x", **session})
        self.raw({"type": "mode", "mode": "normal", **session})
        blob = {"role": "user", "content": "not a prompt"}
        self.raw({"type": "api-request-blob", **session, "hash": "0", "message": blob})
        data = {"type": "bash_progress", "output": "1 failed", "fullOutput": "1 failed"}
        self._line("progress", {"type": "progress", "data": data})
        return self.attachment({"type": "skill_listing", "content": "- x: y", "skillCount": 1})


def _shell(stdout: str = "", stderr: str = "") -> Json:
    return {"stdout": stdout, "stderr": stderr, "interrupted": False, "isImage": False}


def patch(old: str, new: str) -> Json:
    """A hunk of `structuredPatch`."""
    lines = [f"-{row}" for row in old.splitlines()] + [f"+{row}" for row in new.splitlines()]
    counts = {"oldLines": old.count("\n"), "newLines": new.count("\n")}
    return {"oldStart": 1, "newStart": 1, **counts, "lines": lines}
