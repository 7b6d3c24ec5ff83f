"""The records a transcript line is read into. Everything above this room sees these and never the wire form."""

from typing import Any, Literal

from ace_reflect.values import Value

#: Who speaks in a `user` line: a person (or `claude -p`'s caller) is `human`; the rest the host writes, `plan` ("Implement
#: the following plan: …") after one was accepted, `meta` summaries, skills' and commands' bodies, reminders.
PromptKind = Literal["human", "plan", "task-notification", "hook-feedback", "teammate", "meta"]
# The host adds tools and renames them ("Task" became "Agent"): here they are grouped by kind.
SHELLS = frozenset({"Bash", "PowerShell", "Monitor"})  # their `command` is a line for a shell
SUBAGENTS = frozenset({"Task", "Agent"})
LOOKING = ("Read", "NotebookRead", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "ToolSearch")
TODOS = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"})


class Record(Value):
    """What every record carries. `line` counts from 1; `file` is the name of a subagent's, None in the session's own."""

    line: int
    file: str | None = None
    uuid: str | None = None
    timestamp: str | None = None  # ISO 8601 as written; file order is not time order
    sidechain: bool = False

    @property
    def in_main_thread(self) -> bool:
        """Whether it is in the session's own file, not a subagent's."""
        return self.file is None and not self.sidechain


class Prompt(Record):
    kind: PromptKind
    text: str
    print_mode: bool = False  # nobody is there to answer
    command: str | None = None  # the slash command's name, when it was one
    queued: bool = False  # said while the agent worked: goes on with its turn, opens none
    replaces: int | None = None  # rewound: the prompt of this line and all behind it are void


class AssistantText(Record):
    text: str
    message_id: str | None = None


class Thinking(Record):
    text: str


class ToolUse(Record):
    id: str
    name: str
    input: dict[str, Any]  # as the wire has it


class ToolResult(Record):
    tool_use_id: str
    text: str = ""
    is_error: bool = False
    exit_code: int | None = None  # None where the host gave none: success, old versions' failures
    denied: bool = False  # the person or a permission rule refused the call
    user_words: str = ""  # what the person said while refusing ("the user said: …")
    not_run: bool = False  # it never started: also invalid, cancelled, a sibling failed
    timed_out: bool = False
    background_id: str | None = None  # "Command running in background with ID"
    truncated: bool = False  # the host persisted or cut the output
    stdout: str | None = None  # a persisted output's longer copy
    details: dict[str, Any] | None = None  # toolUseResult without its large fields
    patch: tuple[tuple[str, ...], ...] = ()  # hunks of lines: "-old", "+new", " same"


class UserShell(Record):
    command: str  # the person's own `!command`
    stdout: str = ""
    stderr: str = ""


class Interrupt(Record):
    """`[Request interrupted by user]`, or a stream that was aborted."""


class Compaction(Record):
    """The conversation so far was replaced by a summary."""


class HookOutput(Record):
    event: str  # as the host names it: Stop
    kind: str  # hook_success, hook_blocking_error, …
    text: str = ""


class ApiError(Record):
    text: str  # the turn ended in it; a retry does not count


class TaskNotice(Record):
    task_id: str
    status: str  # completed, failed, killed, …; running: an event of a monitor that goes on
    summary: str = ""
    output: str = ""
    exit_code: int | None = None


class PullRequestLink(Record):
    number: int
    url: str


class Context(Record):  # what has changed
    cwd: str | None = None
    branch: str | None = None
    session_id: str | None = None
    mode: str | None = None  # permissionMode: plan, acceptEdits, bypassPermissions, …
