"""A session written as a list of steps, made into the transcript that Claude Code would have written of it.

    - user: Fix the parser for empty lines
    - edit: src/parser.py
    - bash: pytest -q
      out: "3 passed in 0.10s"
    - say: Fixed; the three tests pass.

A step begins with its verb (a key of `VERBS`) and may have options. Paths are relative to the session's folder. The form
is Claude Code 2.1's, without what our transcript reader ignores.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

Json = dict[str, Any]
_BEGAN = datetime(2026, 11, 22, 9, tzinfo=UTC)


class Session:
    """The lines of one transcript, and those of its subagents' own (`agents`: id -> session)."""

    def __init__(
        self, steps: Sequence[Mapping[str, Any]], cwd: str, branch: str = "main", agent: str = ""
    ) -> None:
        """Raises ValueError for an unknown step or option."""
        self.cwd, self.branch, self.agent = cwd, branch, agent
        self.agents: dict[str, Session] = {}
        self.lines: list[str] = []
        self.todos: dict[str, str] = {}  # text -> status
        self.seconds = 0
        self._message = self._parent = ""
        for number, step in enumerate(steps, 1):
            (verb, said), *options = step.items()
            if verb not in VERBS:
                raise ValueError(f"step {number} begins with none of {', '.join(VERBS)}")
            try:
                VERBS[verb](self, "" if said is None else said, **dict(options))
            except TypeError as error:
                raise ValueError(f"step {number} (`{verb}`): {error}") from None

    def path(self, path: str) -> str:
        return path if path.startswith(("/", "~")) else f"{self.cwd}/{path}"

    def user(self, text: str, **more: Any) -> None:
        """A line from the person; what the agent says next is a new message."""
        self._message = f"msg_{len(self.lines)}"
        self._line("user", text, more)

    def say(self, text: str) -> None:
        self._line("assistant", [{"type": "text", "text": text}], {})

    def call(
        self, name: str, given: object, text: object, details: object = None, failed: bool = False
    ) -> None:
        """A tool call, and its result as the model saw it and as the host keeps it; None while it is pending."""
        call = f"toolu_{self.agent}{len(self.lines)}"
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        self._line("assistant", [use], {})
        if text is not None:
            result = {"type": "tool_result", "tool_use_id": call, "content": text}
            kept = f"Error: {text}" if failed else details or {}
            self._line("user", [{**result, "is_error": failed}], {"toolUseResult": kept})

    def _line(self, kind: str, content: object, more: Json) -> None:
        self.seconds += 1
        uuid = f"{self.agent or 'main'}-{len(self.lines)}"
        body: Json = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": self._parent,
            "timestamp": (_BEGAN + timedelta(seconds=self.seconds)).isoformat(),
            "sessionId": "eval",
            "cwd": self.cwd,
            "gitBranch": self.branch,
            "isSidechain": bool(self.agent),
            "message": {"id": self._message, "role": kind, "content": content},
        }
        self._parent = uuid
        self.lines.append(json.dumps(body | more, ensure_ascii=False))


def _user(session: Session, text: str, *, mode: str = "default", source: str = "typed") -> None:
    """`source: sdk` is the prompt of `claude -p`. What the host writes in the person's place is such text, too."""
    session.user(text, permissionMode=mode, promptSource=source)


def _bash(
    session: Session, command: str, *, out: str = "", status: int = 0, background: str = ""
) -> None:
    """`background`: the task's id."""
    shown, details = out.rstrip("\n"), {}
    if background:
        shown = f"Command running in background with ID: {background}."
        details = {"backgroundTaskId": background}
    elif status:
        shown = f"Exit code {status}\n{shown}".rstrip()
    asked = {"command": command, "run_in_background": bool(background)}
    text = shown or "(Bash completed with no output)"
    session.call("Bash", asked, text, details, failed=bool(status))


def _edit(
    session: Session, path: str, *, old: str = "    return None\n", new: str = "    return value\n"
) -> None:
    path = session.path(path)
    rows = [f"-{row}" for row in old.splitlines()] + [f"+{row}" for row in new.splitlines()]
    session.call(
        "Edit",
        {"file_path": path, "old_string": old, "new_string": new},
        f"The file {path} has been updated successfully.",
        {"filePath": path, "structuredPatch": [{"lines": rows}]},
    )


def _write(session: Session, path: str, *, content: str = "value = 1\n") -> None:
    path = session.path(path)
    details = {"type": "create", "filePath": path, "structuredPatch": []}
    given = {"file_path": path, "content": content}
    session.call("Write", given, f"File created successfully at: {path}", details)


def _read(session: Session, path: str, *, out: str = "…") -> None:
    session.call("Read", {"file_path": session.path(path)}, f"     1→{out}")


def _search(session: Session, pattern: str, *, out: str = "No files found") -> None:
    session.call("Grep", {"pattern": pattern}, out)


def _tool(
    session: Session, name: str, *, given: object = None, out: str = "", pending: bool = False
) -> None:
    """Any other tool."""
    session.call(name, given or {}, None if pending else out)


def _todos(session: Session, items: Mapping[str, str]) -> None:
    """The whole list, text -> status; what is new is created, what changed is updated."""
    for text, status in items.items():
        if text not in session.todos:
            task = {"id": str(len(session.todos) + 1), "subject": text}
            told = f"Task #{task['id']} created successfully: {text}"
            session.call("TaskCreate", {"subject": text}, told, {"task": task})
            session.todos[text] = "pending"
        if session.todos[text] != status:
            number = str(list(session.todos).index(text) + 1)
            details = {"taskId": number, "statusChange": {"to": status}}
            given = {"taskId": number, "status": status}
            session.call("TaskUpdate", given, f"Updated task #{number} status", details)
            session.todos[text] = status


def _agent(
    parent: Session, prompt: str, *, report: str = "", session: Sequence[Mapping[str, Any]] = ()
) -> None:
    """A subagent with its report, and with its own transcript where `session` gives its steps."""
    name = f"a{len(parent.agents) + 1:06x}"
    own = Session([{"user": prompt}, *session], parent.cwd, parent.branch, name)
    parent.agents[name] = own
    parent.seconds += own.seconds  # its lines come before its report in time
    content = [{"type": "text", "text": report}]
    details = {"status": "completed", "agentId": name}
    parent.call("Agent", {"description": "subtask", "prompt": prompt}, content, details)


#: A step's verb -> what writes its lines.
VERBS: Mapping[str, Callable[..., None]] = {
    "user": _user,
    "say": Session.say,
    "bash": _bash,
    "edit": _edit,
    "write": _write,
    "read": _read,
    "grep": _search,
    "tool": _tool,
    "todos": _todos,
    "agent": _agent,
}
