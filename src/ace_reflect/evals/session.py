"""
A session written as a list of steps, made into the transcript that Claude Code would have written of it.

    - user: Fix the parser for empty lines
    - edit: src/parser.py
    - bash: pytest -q
      out: "3 passed in 0.10s"
    - say: Fixed; the three tests pass.

A step is a mapping: its verb (the one key of `Session.VERBS`) with its object, and options. Paths are taken from the session's
folder. The form is that of Claude Code 2.1; what the reader of transcripts does not look at is left out.
"""

import difflib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ace_reflect.errors import AceReflectError

VERSION = "2.1.330"
Json = dict[str, Any]
_REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file)."
)


class Session:
    """The lines of one transcript, and those of its subagents' own (`agents`: id -> session)."""

    def __init__(
        self, steps: Sequence[Mapping[str, Any]], *, cwd: str, branch: str = "main", agent: str = ""
    ) -> None:
        """Raises AceReflectError for a step that nobody knows, or one without what it needs."""
        self.cwd = cwd
        self.branch = branch
        self.agents: dict[str, Session] = {}
        self.lines: list[str] = []
        self._agent = agent
        self._id = f"{zlib.crc32(cwd.encode()):08x}-0000-4000-8000-000000000001"
        self._count = 0
        self._entrypoint = "cli"
        self._prompt_id = self._message = self._call = ""
        self._parent: str | None = None
        self._mode = "default"
        self._tasks: dict[str, str] = {}
        for number, step in enumerate(steps, 1):
            self._take(number, dict(step))

    def text(self) -> str:
        """The file's content."""
        return "".join(line + "\n" for line in self.lines)

    def _take(self, number: int, step: Json) -> None:
        verb = next((key for key in step if key in self.VERBS), "")
        if not verb:
            near = difflib.get_close_matches(next(iter(step), ""), list(self.VERBS), 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise AceReflectError(f"step {number} names none of {', '.join(self.VERBS)}{hint}")
        said = step.pop(verb)
        try:
            self.VERBS[verb](self, "" if said is None else said, **step)
        except TypeError as error:
            raise AceReflectError(
                f"step {number} (`{verb}`): {str(error).rpartition('() ')[2]}"
            ) from None

    # -- lines ------------------------------------------------------------------------------------------------------

    def _line(self, kind: str, own: Json, **more: Any) -> None:
        uuid = self._new("")
        at = f"2026-11-22T{9 + self._count // 3600:02d}:{self._count // 60 % 60:02d}:{self._count % 60:02d}.000Z"
        envelope = {
            "userType": "external",
            "entrypoint": self._entrypoint,
            "cwd": self.cwd,
            "sessionId": self._id,
        }
        body: Json = {
            "parentUuid": self._parent,
            "isSidechain": bool(self._agent),
            "type": kind,
            **own,
        }
        body |= {
            "uuid": uuid,
            "timestamp": at,
            **more,
            **envelope,
            "version": VERSION,
            "gitBranch": self.branch,
        }
        if self._agent:
            body["agentId"] = self._agent
        self._parent = uuid
        self._raw(body)

    def _raw(self, body: Json) -> None:
        self.lines.append(json.dumps(body, ensure_ascii=False, separators=(",", ":")))

    def _new(self, prefix: str) -> str:
        self._count += 1
        who = zlib.crc32(f"{self._id}{self._agent}".encode())
        return f"{prefix}{self._count:08x}-0001-4000-8000-{who:012x}"

    def _user(self, content: object, **more: Any) -> None:
        self._message = ""
        prompt = {"promptId": self._prompt_id} if self._prompt_id else {}
        self._line("user", {"message": {"role": "user", "content": content}}, **prompt, **more)

    def _assistant(self, block: Json, **more: Any) -> None:
        """A line for each content block; the lines of one message share its id."""
        self._message = self._message or self._new("msg_")
        message: Json = {
            "id": self._message,
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-5-5",
        }
        message |= {
            "content": [block],
            "stop_reason": None,
            "usage": {"input_tokens": 100, "output_tokens": 20},
        }
        self._line(
            "assistant",
            {"message": message | more.pop("message", {})},
            requestId=f"req_{self._message}",
            **more,
        )

    def _tool(self, name: str, given: Json) -> None:
        self._call = self._new("toolu_")
        self._assistant({"type": "tool_use", "id": self._call, "name": name, "input": given})

    def _result(
        self, text: object, answer: object = None, *, is_error: bool = False, **more: Any
    ) -> None:
        message = self._message
        block = {
            "tool_use_id": self._call,
            "type": "tool_result",
            "content": text,
            "is_error": is_error,
        }
        self._user(
            [block],
            toolUseResult=f"Error: {text}" if is_error and answer is None else (answer or {}),
            **more,
        )
        self._message = message

    def _path(self, path: str) -> str:
        return path if path.startswith(("/", "~")) else f"{self.cwd}/{path}"

    # -- the person ---------------------------------------------------------------------------------------------------

    def _say_user(self, text: str, *, mode: str = "default") -> None:
        self._prompt_id = self._new("")
        self._mode = mode
        self._user(text, permissionMode=mode, origin={"kind": "human"}, promptSource="typed")

    def _say_print(self, text: str) -> None:
        self._prompt_id = self._new("")
        self._entrypoint = "sdk-cli"
        self._user(text, permissionMode="default", promptSource="sdk")

    def _shell(self, command: str, *, out: str = "", err: str = "") -> None:
        self._user(f"<bash-input>{command}</bash-input>")
        self._user(f"<bash-stdout>{out}</bash-stdout><bash-stderr>{err}</bash-stderr>")

    def _interrupt(self, what: str) -> None:
        tool = " for tool use" if what == "tool" else ""
        self._user(
            [{"type": "text", "text": f"[Request interrupted by user{tool}]"}],
            interruptedMessageId="msg_0",
        )

    def _reject(self, words: str) -> None:
        """The person refuses the call before."""
        tail = f" To tell you how to proceed, the user said:\n{words}" if words else ""
        self._result(
            _REJECTED + tail,
            "User rejected tool use",
            is_error=True,
            toolDenialKind="user-rejected",
        )

    # -- the agent ------------------------------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self._assistant({"type": "text", "text": text})

    def _think(self, text: str) -> None:
        self._assistant({"type": "thinking", "thinking": text, "signature": "c2ln"})

    def _bash(
        self, command: str, *, out: str = "", err: str = "", exit: int = 0, pending: bool = False, background: str = "",  # noqa: A002
        refused: bool = False,
    ) -> None:  # fmt: skip
        """`pending`: no result yet. `background`: the task's id. `refused`: the result is a `reject` step."""
        self._tool(
            "Bash",
            {
                "command": command,
                "description": "Run",
                **({"run_in_background": True} if background else {}),
            },
        )
        if pending or refused:
            return
        answer: Json = {
            "stdout": out.rstrip("\n"),
            "stderr": err.rstrip("\n"),
            "interrupted": False,
            "isImage": False,
        }
        if background:
            text = f"Command running in background with ID: {background}. Output is being written to: /tmp/tasks/{background}.output."
            self._result(text, answer | {"backgroundTaskId": background})
            return
        text = "\n".join(part.rstrip("\n") for part in (out, err) if part)
        if exit:
            self._result(f"Exit code {exit}\n{text}".rstrip(), is_error=True)
        else:
            self._result(text or "(Bash completed with no output)", answer)

    def _edit(
        self,
        path: str,
        *,
        old: str = "    return None\n",
        new: str = "    return value\n",
        error: str = "",
    ) -> None:
        path = self._path(path)
        self._tool("Edit", {"file_path": path, "old_string": old, "new_string": new})
        if error:
            self._result(
                f"<tool_use_error>{error}</tool_use_error>", f"Error: {error}", is_error=True
            )
            return
        answer: Json = {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": old,
            "structuredPatch": [_hunk(old, new)],
        }
        self._result(
            f"The file {path} has been updated successfully.",
            answer | {"userModified": False, "replaceAll": False},
        )

    def _write(self, path: str, *, content: str = "value = 1\n") -> None:
        path = self._path(path)
        self._tool("Write", {"file_path": path, "content": content})
        answer: Json = {
            "type": "create",
            "filePath": path,
            "content": content,
            "structuredPatch": [],
            "originalFile": None,
        }
        self._result(f"File created successfully at: {path}", answer)

    def _read(self, path: str, *, out: str = "…\n") -> None:
        path = self._path(path)
        self._tool("Read", {"file_path": path})
        count = out.count("\n") + 1
        file = {
            "filePath": path,
            "content": out,
            "numLines": count,
            "startLine": 1,
            "totalLines": count,
        }
        numbered = "\n".join(f"{n:6d}→{row}" for n, row in enumerate(out.split("\n"), 1))
        self._result(numbered, {"type": "text", "file": file})

    def _grep(self, pattern: str, *, out: str = "No files found") -> None:
        self._tool("Grep", {"pattern": pattern})
        found = out.splitlines()
        self._result(
            out, {"mode": "files_with_matches", "filenames": found, "numFiles": len(found)}
        )

    def _glob(self, pattern: str, *, out: str = "No files found") -> None:
        self._tool("Glob", {"pattern": pattern})
        self._result(
            out, {"filenames": out.splitlines(), "durationMs": 3, "numFiles": 1, "truncated": False}
        )

    def _call_tool(
        self,
        name: str,
        *,
        input: Json | None = None,  # noqa: A002 - the suites' own word
        out: str = "",
        pending: bool = False,
    ) -> None:
        """Any other tool."""
        self._tool(name, dict(input or {}))
        if not pending:
            self._result(out)

    def _todos(self, items: Mapping[str, str]) -> None:
        """The whole list, text -> status; what is new is created, what changed is updated."""
        for text, status in items.items():
            if text not in self._tasks:
                number = str(len(self._tasks) + 1)
                self._tool("TaskCreate", {"subject": text, "description": text})
                self._result(
                    f"Task #{number} created successfully: {text}",
                    {"task": {"id": number, "subject": text}},
                )
                self._tasks[text] = "pending"
            if self._tasks[text] != status:
                number = str(list(self._tasks).index(text) + 1)
                change = {"from": self._tasks[text], "to": status}
                self._tool("TaskUpdate", {"taskId": number, "status": status})
                answer = {
                    "success": True,
                    "taskId": number,
                    "updatedFields": ["status"],
                    "statusChange": change,
                }
                self._result(f"Updated task #{number} status", answer)
                self._tasks[text] = status

    def _ask(self, question: str, *, answer: str = "", options: Sequence[str] = ()) -> None:
        """AskUserQuestion; without an answer the dialog still stands."""
        listed = [{"label": option, "description": option} for option in options]
        self._tool(
            "AskUserQuestion",
            {
                "questions": [
                    {"question": question, "header": "Q", "options": listed, "multiSelect": False}
                ]
            },
        )
        if answer:
            text = (
                f'User has answered your questions: "{question}"="{answer}". You can now continue.'
            )
            self._result(text, {"questions": [], "answers": {question: answer}})

    def _plan(self, plan: str, *, approved: bool | None = True) -> None:
        """ExitPlanMode; `approved: null` leaves the dialog open."""
        self._tool("ExitPlanMode", {"plan": plan})
        if approved:
            self._result(
                "User has approved your plan. You can now start coding.",
                {"plan": plan, "isAgent": False},
            )
        elif approved is False:
            self._reject("")

    def _agent_call(
        self,
        prompt: str,
        *,
        report: str = "",
        session: Sequence[Mapping[str, Any]] = (),
        pending: bool = False,
    ) -> None:
        """A subagent with its report, and with its own transcript where `session` gives its steps."""
        name = f"a{len(self.agents) + 1:06x}"
        self.agents[name] = Session(
            [{"user": prompt}, *session], cwd=self.cwd, branch=self.branch, agent=name
        )
        self._tool(
            "Agent",
            {"description": "subtask", "prompt": prompt, "subagent_type": "general-purpose"},
        )
        if pending:
            return
        content = [{"type": "text", "text": report}]
        # The subagent's lines come before its report in time, whatever file they stand in.
        self._count += self.agents[name]._count  # noqa: SLF001 - a session of the same kind
        self._result(
            content,
            {
                "status": "completed",
                "agentId": name,
                "content": content,
                "prompt": prompt,
                "totalTokens": 10,
            },
        )

    # -- the host -------------------------------------------------------------------------------------------------------

    def _compact(self, summary: str, *, trigger: str = "auto") -> None:
        meta = {"trigger": trigger, "preTokens": 155_000}
        self._line(
            "system",
            {"subtype": "compact_boundary", "content": "Conversation compacted", "isMeta": False},
            compactMetadata=meta,
        )
        text = f"This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n{summary}"
        self._user(text, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def _notify(self, task: str, *, exit: int = 0, result: str = "") -> None:  # noqa: A002
        """A background task ended: a turn of its own."""
        status = "completed" if exit == 0 else "failed"
        body = f"<result>{result}</result>\n" if result else ""
        text = (
            f"<task-notification>\n<task-id>{task}</task-id>\n<status>{status}</status>\n<summary>Background command "
            f'"Run" {status} (exit code {exit})</summary>\n{body}</task-notification>'
        )
        self._prompt_id = self._new("")
        self._user(text, origin={"kind": "task-notification"}, promptSource="system")

    def _api_error(self, text: str) -> None:
        self._message = ""
        more = {
            "isApiErrorMessage": True,
            "message": {"model": "<synthetic>", "stop_reason": "stop_sequence"},
        }
        self._assistant({"type": "text", "text": text or "API Error: 529 Overloaded"}, **more)

    def _feedback(self, text: str) -> None:
        self._user(f"Stop hook feedback:\n{text}", isMeta=True)

    #: a step's verb -> what writes its lines
    VERBS: ClassVar[Mapping[str, Callable[..., None]]] = {
        "user": _say_user,
        "print": _say_print,
        "shell": _shell,
        "interrupt": _interrupt,
        "reject": _reject,
        "say": _say,
        "think": _think,
        "bash": _bash,
        "edit": _edit,
        "write": _write,
        "read": _read,
        "grep": _grep,
        "glob": _glob,
        "tool": _call_tool,
        "todos": _todos,
        "ask": _ask,
        "plan": _plan,
        "agent": _agent_call,
        "compact": _compact,
        "notify": _notify,
        "api_error": _api_error,
        "feedback": _feedback,
    }


def _hunk(old: str, new: str) -> Json:
    lines = [f"-{row}" for row in old.splitlines()] + [f"+{row}" for row in new.splitlines()]
    return {
        "oldStart": 1,
        "oldLines": old.count("\n"),
        "newStart": 1,
        "newLines": new.count("\n"),
        "lines": lines,
    }
