"""
The records a transcript line is read into. Everything above this room sees these and never the wire form.

`line` is the 1-based physical line, `file` the name of a subagent's file (None in the session's own).
"""

from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, Self, TypeVar

    #: Who speaks in a `user` line. Only `human` prompts are a person's (or `claude -p`'s caller's) words.
    PromptKind = Literal[
        "human",  # typed, queued, or given to `claude -p`; slash commands' arguments too
        "plan",  # "Implement the following plan: …", typed by Claude Code after a plan was accepted: a human turn that waives nothing
        "task-notification",  # a background task ended, or an async hook woke the session
        "hook-feedback",  # our own or another hook's Stop feedback
        "teammate",  # <teammate-message …>
        "compact-summary",  # "This session is being continued …"
        "command-output",  # <local-command-stdout> of a built-in command
        "meta",  # caveats, skill and command bodies, reminders
    ]
    R = TypeVar("R", bound="Record")


class Record(Value):
    """
    What every record carries.

    The long fields of calls, results, texts and hooks' outputs (`input`, `text`, `details`, `patch`, `stdout`, `event`) are
    decoded when somebody looks at them: most are never looked at.
    """

    line: int
    file: str | None = None
    uuid: str | None = None
    timestamp: str | None = None  # ISO 8601 as written; file order is not time order
    sidechain: bool = False
    agent: str | None = None  # the subagent's id, where the line names it

    @property
    def in_main_thread(self) -> bool:
        """Whether it stands in the session's own file and is no subagent's."""
        return self.file is None and not self.sidechain

    def to_json(self) -> "dict[str, Any]":
        decode(self)
        return super().to_json()

    def replace(self, **changes: "Any") -> "Self":
        decode(self)
        return super().replace(**changes)


class Prompt(Record):
    """Text that opened or continued a turn from the user's side."""

    kind: "PromptKind"
    text: str
    prompt_id: str | None = None
    print_mode: bool = False  # promptSource "sdk" or entrypoint "sdk-cli": nobody can answer
    command: str | None = None  # the slash command's name, when it was one
    queued: bool = False  # said while the agent worked: goes on with the turn instead of opening one


class AssistantText(Record):
    text: str
    message_id: str | None = None


class Thinking(Record):
    text: str
    message_id: str | None = None


class ToolUse(Record):
    id: str
    name: str
    input: "dict[str, Any]"  # as the wire has it; strings over the reader's cap are cut in the middle
    message_id: str | None = None


class ToolResult(Record):
    """
    The answer to a `ToolUse`.

    `text` is what the model saw. `exit_code` is None where the host gave none (success, and old versions' failures).
    `denied` means that the person or a permission rule refused the call, `not_run` that it never started for another
    reason (validation error, sibling failed, cancelled).
    """

    tool_use_id: str
    text: str = ""
    is_error: bool = False
    exit_code: int | None = None
    denied: bool = False
    user_words: str = ""  # what the person said while refusing ("the user said: …")
    not_run: bool = False
    timed_out: bool = False
    background_id: str | None = None  # "Command running in background with ID"
    truncated: bool = False  # the host persisted or cut the output
    stdout: str | None = None  # toolUseResult.stdout where it differs from `text` (a persisted output's longer copy)
    details: "dict[str, Any] | None" = (
        None  # toolUseResult without its large strings (filePath, status, agentId, type …)
    )
    patch: "tuple[dict[str, Any], ...]" = ()  # structuredPatch of an edit: old/new lines, for weakened tests


class UserShell(Record):
    """The person's own `!command`: `<bash-input>` with its `<bash-stdout>`/`<bash-stderr>` joined."""

    command: str
    stdout: str = ""
    stderr: str = ""


class Interrupt(Record):
    """`[Request interrupted by user]`, or a stream that was aborted."""

    during_tool: bool = False


class Compaction(Record):
    trigger: "Literal['auto', 'manual']" = "auto"


class HookOutput(Record):
    """A hook's attachment or feedback: `event` as the host names it, `text` what the model or the user got."""

    event: str
    kind: str  # hook_success, hook_additional_context, hook_blocking_error, hook_system_message, …
    text: str = ""


class ApiError(Record):
    """A turn that ended in an error of the API or a usage limit (not a retry)."""

    text: str
    limit: bool = False  # "You've hit your limit …"


class TaskNotice(Record):
    """A background task's end: from a `<task-notification>` prompt, a queue line, or TaskOutput/BashOutput."""

    task_id: str
    status: str  # completed, failed, killed, …
    summary: str = ""
    output: str = ""
    exit_code: int | None = None
    tool_use_id: str | None = None


class PullRequestLink(Record):
    number: int
    url: str
    repository: str = ""


class PermissionMode(Record):
    """The host's mode from here on: default, acceptEdits, plan, auto, dontAsk, bypassPermissions."""

    mode: str


class Context(Record):
    """`cwd`, branch, version and session id, given when one of them changes."""

    cwd: str | None = None
    branch: str | None = None
    session_id: str | None = None
    version: str | None = None
    entrypoint: str | None = None


class Stamped:
    """Of the bytes in the record's `_stamp`, which a line ends with, the uuid or the time: few are ever asked for."""

    def __init__(self, start: int, stop: int) -> None:
        self._start = start
        self._stop = stop

    def __get__(self, record: "Record | None", _: object = None) -> str | None:
        stamp: bytes | None = None if record is None else record.__dict__.get("_stamp")
        return None if stamp is None else stamp[self._start : self._stop].decode("ascii", "replace")


#: `<uuid>","timestamp":"<time>"`: its length, and where its parts stand.
STAMP = 76
TIME = b'","timestamp":"'
_STAMPED = {"uuid": Stamped(0, 36), "timestamp": Stamped(51, 75)}
for _name, _part in _STAMPED.items():
    setattr(Record, _name, _part)


class Later:
    """A field that stands undecoded in the record's `_later`: a function and what it is called with, giving the fields."""

    def __init__(self, name: str, **default: "Any") -> None:
        self._name = name
        self._default = default

    def __get__(self, record: "Record | None", _: object = None) -> "Any":
        if record is not None and "_later" in record.__dict__:
            _look(record.__dict__)
            if self._name in record.__dict__:
                return record.__dict__[self._name]
        if "value" in self._default:
            return self._default["value"]
        raise AttributeError(self._name)


for _cls, _name, _default in (
    (AssistantText, "text", {}),
    (Thinking, "text", {}),
    (ToolUse, "input", {}),
    (ToolResult, "text", {"value": ""}),
    (ToolResult, "details", {"value": None}),
    (ToolResult, "patch", {"value": ()}),
    (ToolResult, "stdout", {"value": None}),
    (HookOutput, "event", {}),
    (HookOutput, "text", {"value": ""}),
):
    setattr(_cls, _name, Later(_name, **_default))


def decode(record: Record) -> None:
    """Decode what was left for later."""
    mine = record.__dict__
    _look(mine)
    if "_stamp" in mine:
        mine.update({name: getattr(record, name) for name in _STAMPED})
        del mine["_stamp"]


def _look(fields: "dict[str, Any]") -> None:
    later: tuple[Callable[..., dict[str, Any]], Any] | None = fields.pop("_later", None)
    if later is not None:
        fields.update(later[0](*later[1:]))


def made(cls: "type[R]", fields: "dict[str, Any]") -> "R":
    """A record from fields that are known to be its own: the constructor's checks are half of a line's cost."""
    record = object.__new__(cls)
    object.__setattr__(record, "__dict__", fields)
    return record
