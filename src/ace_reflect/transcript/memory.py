"""What the meaning of a line takes from the lines before it. Plain JSON both ways, so that reading goes on where it stopped."""

from ace_reflect.checksum import checksum
from ace_reflect.transcript.fields import optional, string
from ace_reflect.transcript.records import Context, PermissionMode, Record, made

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_CALLS = 400
_MOST_SEEN = 256
_LONG_KEY = 100
_CONTEXT = ("cwd", "branch", "session_id", "version", "entrypoint")


class Memory:
    """
    `calls` are tool calls without a result yet, `queue` the words waiting there, `told` those that left it in mid-turn,
    `shell` a `<bash-input>` that waits for its output, `boundary` whether a compaction was just told.
    """

    __slots__ = (
        "_resumed",
        "_seen",
        "_seen_before",
        "_written",
        "boundary",
        "calls",
        "context",
        "file",
        "line",
        "mode",
        "mode_before",
        "queue",
        "shell",
        "told",
    )

    def __init__(self, state: "dict[str, Any] | None", file: str | None) -> None:
        state = state or {}
        self.file = file
        self.line = 0
        self._written: tuple[Any, ...] = ()  # the context as the last line wrote it
        self.context: dict[str, Any] = dict(state.get("context") or {})
        self.mode: str = state.get("mode") or ""
        self.mode_before: str = state.get("mode_before") or "default"
        self.calls: dict[str, str] = dict(state.get("calls") or {})
        #: The last keys: at least as many as are kept in the state.
        self._seen: dict[int | str, None] = dict.fromkeys(state.get("seen") or ())
        self._seen_before: dict[int | str, None] = {}
        self._resumed = bool(self._seen)
        self.queue: list[str] = list(state.get("queue") or ())
        self.told: list[str] = list(state.get("told") or ())
        self.shell: dict[str, Any] = dict(state.get("shell") or {})
        self.boundary = bool(state.get("boundary"))

    def state(self) -> "dict[str, Any]":
        """What `__init__` takes to go on after the last line."""
        return {
            "context": dict(self.context),
            "mode": self.mode,
            "mode_before": self.mode_before,
            "calls": dict(self.calls),
            "seen": [
                _mark(key) if type(key) is str else key for key in [*self._seen_before, *self._seen][-_MOST_SEEN:]
            ],
            "queue": list(self.queue),
            "told": list(self.told),
            "shell": dict(self.shell),
            "boundary": self.boundary,
        }

    def first(self, key: str) -> bool:
        """Whether `key` is new: resumed and forked sessions repeat lines, some hosts one line twice."""
        mark: int | str = (
            _mark(key) if self._resumed or len(key) > _LONG_KEY else key
        )  # a reading from the start spares sums
        if mark in self._seen or mark in self._seen_before:
            return False
        self._seen[mark] = None
        if len(self._seen) >= _MOST_SEEN:
            self._seen, self._seen_before = {}, self._seen  # to drop them one by one costs more than all else here
        return True

    def called(self, call: str, kind: str) -> bool:
        """Note a call until its result comes; false for one that was noted before. `kind` is the tool's name."""
        calls = self.calls
        if call in calls or not self.first(call):
            return False
        calls[call] = kind
        if len(calls) > _MOST_CALLS:
            del calls[next(iter(calls))]
        return True

    def base(self, data: "dict[str, Any]") -> "dict[str, Any]":
        """The fields that every record of this line carries."""
        base: dict[str, Any] = {"line": self.line}
        get = data.get
        if self.file is not None:
            base["file"] = self.file
        if type(value := get("uuid")) is str:
            base["uuid"] = value
        if type(value := get("timestamp")) is str:
            base["timestamp"] = value
        if get("isSidechain") is True:
            base["sidechain"] = True
            if agent := optional(data, "agentId"):
                base["agent"] = agent
        return base

    def changes(self, data: "dict[str, Any]", base: "dict[str, Any]") -> "list[Record]":
        """A Context record when the line's envelope differs from the one before."""
        known, get = self.context, data.get
        written = (get("cwd"), get("gitBranch"), get("sessionId"), get("version"), get("entrypoint"))
        if written == self._written or (get("isSidechain") is True and self.file is None):
            return []
        self._written = written
        changed = {
            name: value
            for name, value in zip(_CONTEXT, written, strict=True)
            if type(value) is str and value != known.get(name)
        }
        if not changed:
            return []
        self.context = known | changed  # a new one: whether it changed is seen from outside
        return [made(Context, base | changed)]

    def set_mode(self, mode: str, base: "dict[str, Any]") -> "list[Record]":
        """A PermissionMode record when the mode differs from the one before."""
        if not mode or mode == self.mode:
            return []
        if mode == "plan":
            self.mode_before = self.mode or "default"
        self.mode = mode
        return [PermissionMode(**base, mode=mode)]

    def read_mode(self, data: "dict[str, Any]") -> "list[Record]":
        """A `permission-mode` line."""
        return self.set_mode(string(data, "permissionMode"), self.base(data))


def _mark(key: str) -> int:
    """What is kept of a key from one reading to the next."""
    return checksum(key.encode("utf-8", "replace"))
