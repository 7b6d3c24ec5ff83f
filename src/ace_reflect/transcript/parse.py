"""Lines -> records: what needs no other line stands in the modules beside this one, what does is kept here."""

import zlib

from ace_reflect.transcript import notices, people, prefilter, quick
from ace_reflect.transcript.fields import blocks, capped, cut_middle, mapping, optional, plain_text, string, tag
from ace_reflect.transcript.jsonlines import objects, opening_of_string
from ace_reflect.transcript.records import (
    ApiError,
    AssistantText,
    Compaction,
    Context,
    HookOutput,
    Interrupt,
    PermissionMode,
    Prompt,
    PullRequestLink,
    Record,
    TaskNotice,
    Thinking,
    ToolResult,
    ToolUse,
    UserShell,
)
from ace_reflect.transcript.results import read_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    R = TypeVar("R", bound=Record)

_READING = frozenset({"Read", "NotebookRead", "Grep", "WebFetch", "WebSearch", "ToolSearch"})
_LOOKING = _READING | {"Glob", "LS"}
_MOST_CALLS = 400
_MOST_SEEN = 256
_LIMITS = (
    "You've hit your",
    "You have hit your",
    "usage limit reached",
    "Claude AI usage limit",
    "You're out of extra usage",
    "limit reached",
)
_CONTEXT = (
    ("cwd", "cwd"),
    ("branch", "gitBranch"),
    ("session_id", "sessionId"),
    ("version", "version"),
    ("entrypoint", "entrypoint"),
)


class Parser:
    """
    The state that a line's meaning depends on. `state()` is plain JSON, so that reading goes on where it stopped.

    With `whole` every line is decoded in full; otherwise bytes decide what can be left out (`prefilter`): the text of
    large results of reading tools is then cut after its beginning. With `progress` false, subagents' messages that the
    main file repeats are left out, for a caller who reads the subagents' own files.
    """

    def __init__(
        self,
        state: "dict[str, Any] | None" = None,
        *,
        file: str | None = None,
        whole: bool = False,
        progress: bool = True,
    ) -> None:
        self._file = file
        self._whole = whole
        self._progress = progress
        state = state or {}
        self._context: dict[str, Any] = dict(state.get("context") or {})
        self._mode: str = state.get("mode") or ""
        self._mode_before: str = state.get("mode_before") or "default"
        self._calls: dict[str, str] = dict(state.get("calls") or {})
        self._seen: dict[int, None] = dict.fromkeys(state.get("seen") or ())
        self._queue: list[str] = list(state.get("queue") or ())
        self._told: list[str] = list(state.get("told") or ())
        self._shell: dict[str, Any] = dict(state.get("shell") or {})
        self._boundary: bool = bool(state.get("boundary"))
        self._envelopes = quick.Envelopes()
        self._large = False
        self._line = 0

    def state(self) -> "dict[str, Any]":
        """What `__init__` takes to go on after the last line."""
        return {
            "context": dict(self._context),
            "mode": self._mode,
            "mode_before": self._mode_before,
            "calls": dict(self._calls),
            "seen": list(self._seen),
            "queue": list(self._queue),
            "told": list(self._told),
            "shell": dict(self._shell),
            "boundary": self._boundary,
        }

    def feed(self, raw: bytes, line: int) -> "tuple[list[Record], bool]":
        """The records of physical line number `line`, and whether the line was sound."""
        self._line = line
        self._large = not self._whole and prefilter.large(raw)
        if self._whole:
            found, sound = objects(raw)
        else:
            message = quick.place_of_message(raw)
            if message > 0:
                quickly = self._quick(raw, message)
                if quickly is not None:
                    return quickly, True
            if prefilter.tells_nothing(raw, progress=self._progress):
                return [], True
            found, sound = self._decode(raw)
        records: list[Record] = []
        for data in found:
            records += self._object(data)
        if sound and not self._whole:
            self._envelopes.learn(raw)
        return records, sound

    def end(self) -> "list[Record]":
        """What was still being waited for when the file ended for good."""
        return self._flush_shell()

    @staticmethod
    def _decode(raw: bytes) -> "tuple[list[dict[str, Any]], bool]":
        light = prefilter.lighter(raw)
        found, sound = objects(light)
        return (found, sound) if sound or light is raw else objects(raw)

    # -- without decoding ---------------------------------------------------------------------------------------

    def _quick(self, raw: bytes, message: int) -> "list[Record] | None":
        """The records of a common line, or None where it must be decoded whole."""
        if not self._envelopes.knows(raw, message):
            return None
        return self._quick_result(raw, message) if quick.is_result(raw, message) else self._quick_block(raw, message)

    def _quick_block(self, raw: bytes, message: int) -> "list[Record] | None":
        found = quick.assistant_block(raw, message)
        if found is None:
            return None
        kind, value, uuid, timestamp, message_id = found
        base = self._quick_base(raw, message, uuid, timestamp)
        if kind == "tool_use":
            call = self._tool_use(value, base, message_id, small=quick.is_flat(raw))
            return [call] if call else []
        if not value or value.isspace():
            return []
        base["text"] = value
        base["message_id"] = message_id
        return [_made(AssistantText if kind == "text" else Thinking, base)]

    def _quick_result(self, raw: bytes, message: int) -> "list[Record] | None":
        found = quick.result(raw, message)
        tool = self._calls.get(found.call) if found else None
        if found is None or tool is None or notices.may_tell(tool):
            return None
        base = self._quick_base(raw, message, found.uuid, found.timestamp)
        opening = found.opening() if tool in _READING else None
        if opening is not None:
            base["tool_use_id"] = found.call
            base["text"] = opening_of_string(opening)[: quick.KEPT]
        else:
            block = found.block()
            answer, alone = found.answer(tool)
            if block is None or not alone:
                return None
            fields = read_result(block, {"toolUseResult": answer, "entrypoint": self._context.get("entrypoint")}, tool)
            if "truncated" in fields:
                return None  # the longer copy that the answer holds is wanted
            base.update(fields)
        del self._calls[found.call]
        return [_made(ToolResult, base)]

    def _quick_base(self, raw: bytes, message: int, uuid: str, timestamp: str) -> "dict[str, Any]":
        base: dict[str, Any] = {"line": self._line, "uuid": uuid, "timestamp": timestamp}
        if self._file is not None:
            base["file"] = self._file
        if quick.is_sidechain(raw):
            base["sidechain"] = True
            if agent := prefilter.field(raw, b'"agentId":"', 0, message):
                base["agent"] = agent
        return base

    def _object(self, data: "dict[str, Any]") -> "list[Record]":
        reader = _READERS.get(string(data, "type"))
        return reader(self, data) if reader else []

    def _base(self, data: "dict[str, Any]") -> "dict[str, Any]":
        base: dict[str, Any] = {"line": self._line}
        if self._file is not None:
            base["file"] = self._file
        for key in ("uuid", "timestamp"):
            value = data.get(key)
            if type(value) is str:
                base[key] = value
        if data.get("isSidechain") is True:
            base["sidechain"] = True
            if agent := optional(data, "agentId"):
                base["agent"] = agent
        return base

    # -- context ------------------------------------------------------------------------------------------------

    def _changes(self, data: "dict[str, Any]", base: "dict[str, Any]") -> "list[Record]":
        """A Context record when the line's envelope differs from the one before."""
        if data.get("isSidechain") is True and self._file is None:
            return []
        known = self._context
        changed = {
            name: data[key] for name, key in _CONTEXT if type(data.get(key)) is str and data[key] != known.get(name)
        }
        if not changed:
            return []
        known.update(changed)
        self._envelopes.forget()
        return [Context(**base, **changed)]

    def _set_mode(self, mode: str, base: "dict[str, Any]") -> "list[Record]":
        if not mode or mode == self._mode:
            return []
        if mode == "plan":
            self._mode_before = self._mode or "default"
        self._mode = mode
        return [PermissionMode(**base, mode=mode)]

    # -- assistant ----------------------------------------------------------------------------------------------

    def _assistant(self, data: "dict[str, Any]") -> "list[Record]":
        base = self._base(data)
        message = mapping(data, "message")
        records = self._changes(data, base)
        synthetic = message.get("model") == "<synthetic>" or data.get("isApiErrorMessage") is True
        for block in blocks(message.get("content")):
            record = (
                self._synthetic(block, base, data) if synthetic else self._spoken(block, base, optional(message, "id"))
            )
            if record is not None:
                records.append(record)
        if data.get("isAbortedMidStream") is True:
            records.append(Interrupt(**base))
        return records

    def _spoken(self, block: "dict[str, Any]", base: "dict[str, Any]", message_id: str | None) -> Record | None:
        kind = string(block, "type")
        if kind == "text":
            text = string(block, "text")
            return AssistantText(**base, text=text, message_id=message_id) if text.strip() else None
        if kind == "thinking":
            text = string(block, "thinking")
            return Thinking(**base, text=text, message_id=message_id) if text.strip() else None
        if kind == "tool_use" and string(block, "id"):
            return self._tool_use(block, base, message_id)
        return None

    def _tool_use(
        self, block: "dict[str, Any]", base: "dict[str, Any]", message_id: str | None, *, small: bool = False
    ) -> ToolUse | None:
        call, name = string(block, "id"), string(block, "name")
        if call in self._calls or not self._first(call):
            return None
        self._calls[call] = name
        while len(self._calls) > _MOST_CALLS:
            del self._calls[next(iter(self._calls))]
        given = mapping(block, "input")
        own = {"id": call, "name": name, "input": given if small else capped(given), "message_id": message_id}
        return _made(ToolUse, base | own)

    def _first(self, key: str) -> bool:
        """Whether `key` is new: resumed and forked sessions repeat lines, some hosts one line twice."""
        mark = zlib.crc32(key.encode("utf-8", "replace"))  # short: the marks travel in every cursor
        if mark in self._seen:
            return False
        self._seen[mark] = None
        while len(self._seen) > _MOST_SEEN:
            del self._seen[next(iter(self._seen))]
        return True

    @staticmethod
    def _synthetic(block: "dict[str, Any]", base: "dict[str, Any]", data: "dict[str, Any]") -> Record | None:
        text = string(block, "text").strip()
        limit = any(mark in text[:300] for mark in _LIMITS)
        if limit or data.get("isApiErrorMessage") is True or text.startswith("API Error"):
            return ApiError(**base, text=cut_middle(text, 2_000), limit=limit)
        return None  # "No response requested."

    # -- user ---------------------------------------------------------------------------------------------------

    def _user(self, data: "dict[str, Any]") -> "list[Record]":
        base = self._base(data)
        records = self._changes(data, base)
        if data.get("isSidechain") is not True:
            records += self._set_mode(string(data, "permissionMode"), base)
        found = blocks(mapping(data, "message").get("content"))
        results = [block for block in found if string(block, "type") == "tool_result"]
        for block in results:
            records += self._result(block, data, base)
        texts = [string(block, "text") for block in found if string(block, "type") == "text"]
        pictures = any(string(block, "type") in ("image", "document") for block in found)
        return records + self._said(texts, data, base, beside_result=bool(results), pictures=pictures and not results)

    def _result(self, block: "dict[str, Any]", data: "dict[str, Any]", base: "dict[str, Any]") -> "list[Record]":
        call = string(block, "tool_use_id")
        tool = self._calls.pop(call, "")
        if tool in _READING and self._cuts(block, data):
            return [ToolResult(**base, tool_use_id=call, text=string(block, "content")[: quick.KEPT])]
        fields = read_result(block, data, tool)
        records: list[Record] = [ToolResult(**base, **fields)]
        notice = notices.from_result(tool, fields, data.get("toolUseResult"))
        return records + (self._notice(notice, base) if notice else [])

    def _cuts(self, block: "dict[str, Any]", data: "dict[str, Any]") -> bool:
        """Whether this is a reading of which a quick look would keep the beginning only: both ways tell the same."""
        alone = len(blocks(mapping(data, "message").get("content"))) == 1
        return self._large and alone and block.get("is_error") is not True and type(block.get("content")) is str

    def _said(
        self, texts: "list[str]", data: "dict[str, Any]", base: "dict[str, Any]", *, beside_result: bool, pictures: bool
    ) -> "list[Record]":
        records: list[Record] = []
        words = []
        for text in texts:
            if text.startswith(people.INTERRUPTED):
                records += self._flush_shell()
                records.append(Interrupt(**base, during_tool="for tool use" in text))
            elif data.get("isMeta") is True or data.get("isCompactSummary") is True:
                words.append(text)
            else:
                words.append(people.without_wrappers(text))
        text = "\n".join(word for word in words if word)
        if not text and pictures and not records:
            text = "[image]"
        return records + (self._prompt(text, data, base, queued=beside_result) if text else [])

    def _prompt(
        self, text: str, data: "dict[str, Any]", base: "dict[str, Any]", *, queued: bool = False
    ) -> "list[Record]":
        if text.startswith("<bash-") and data.get("isMeta") is not True:
            return self._user_shell(text, base)
        records = self._flush_shell()
        kind = people.prompt_kind(data, text)
        if kind == "task-notification":
            records += self._notices_in(text, base)
        if kind == "compact-summary" and not self._boundary and not base.get("sidechain"):
            records.append(Compaction(**base))
        self._boundary = False
        extra: dict[str, Any] = {}
        if kind == "human" and (command := people.slash_command(text)):
            extra["command"] = command[0]
            kind = "human" if text.startswith("<command-message>") else "command-output"
            text = f"/{command[0]} {command[1]}".strip()
        if kind in ("human", "plan") and not self._first_words(text, base, queued):
            return records
        prompt_id = optional(data, "promptId")
        print_mode = people.in_print_mode(data)
        return [
            *records,
            Prompt(**base, kind=kind, text=text, prompt_id=prompt_id, print_mode=print_mode, queued=queued, **extra),
        ]

    def _first_words(self, text: str, base: "dict[str, Any]", queued: bool) -> bool:
        """Whether these words were not yet given: once from the queue, or by a copied line with the same uuid."""
        uuid = base.get("uuid")
        if uuid is not None and not self._first(f"{uuid}{text}"):
            return False
        if queued and text in self._told:
            self._told.remove(text)
            return False
        return True

    def _user_shell(self, text: str, base: "dict[str, Any]") -> "list[Record]":
        """`<bash-input>` waits for the `<bash-stdout>` of the next line; both may also stand in one."""
        records: list[Record] = []
        if "<bash-input>" in text:
            records += self._flush_shell()
            self._shell = {**base, "command": tag(text, "bash-input")}
        if "<bash-stdout>" in text or "<bash-stderr>" in text:
            shell = self._shell or {**base, "command": ""}
            self._shell = {}
            stdout, stderr = tag(text, "bash-stdout"), tag(text, "bash-stderr")
            records.append(UserShell(**shell, stdout=cut_middle(stdout, 100_000), stderr=cut_middle(stderr, 100_000)))
        return records

    def _flush_shell(self) -> "list[Record]":
        shell, self._shell = self._shell, {}
        return [UserShell(**shell)] if shell else []

    # -- what comes in through the queue ------------------------------------------------------------------------

    def _queue_operation(self, data: "dict[str, Any]") -> "list[Record]":
        base = self._base(data)
        operation = string(data, "operation")
        content = data.get("content")
        text = people.without_wrappers(plain_text(content)) if type(content) in (str, list) else ""
        if operation == "enqueue":
            return self._enqueue(text, base)
        if operation == "popAll":
            self._queue.clear()
        elif operation == "dequeue":
            self._take(text)
        elif operation == "remove":
            return self._told_in_turn(self._take(text), base)
        return []

    def _enqueue(self, text: str, base: "dict[str, Any]") -> "list[Record]":
        found = notices.in_text(text)
        self._queue.append("" if found or notices.is_task_line(text) else cut_middle(text, 10_000))
        del self._queue[:-50]
        return [record for notice in found for record in self._notice(notice, base)]

    def _take(self, text: str) -> str:
        """The words that leave the queue. The line seldom says which: a person's go before notices."""
        for wanted in (text, *self._queue):
            if wanted and wanted in self._queue:
                self._queue.remove(wanted)
                return wanted
        if self._queue:
            self._queue.pop(0)
        return ""

    def _told_in_turn(self, text: str, base: "dict[str, Any]") -> "list[Record]":
        if not text or text.startswith(("/", "<")):
            return []
        self._told.append(text)
        del self._told[:-20]
        return [Prompt(**base, kind="human", text=text, queued=True, print_mode=self._print_mode())]

    def _print_mode(self) -> bool:
        return people.in_print_mode(self._context)

    def _notices_in(self, text: str, base: "dict[str, Any]") -> "list[Record]":
        return [record for notice in notices.in_text(text) for record in self._notice(notice, base)]

    def _notice(self, notice: "dict[str, Any]", base: "dict[str, Any]") -> "list[Record]":
        """A task's end is told up to three times (queue, attachment or prompt, TaskOutput); once is enough unless it has output."""
        key = f"{notice['task_id']}:{notice['status']}:{bool(notice.get('output'))}"
        return [TaskNotice(**base, **notice)] if self._first(key) else []

    # -- the rest -----------------------------------------------------------------------------------------------

    def _attachment(self, data: "dict[str, Any]") -> "list[Record]":
        attachment = mapping(data, "attachment")
        kind = string(attachment, "type")
        base = self._base(data)
        if kind == "queued_command":
            return self._queued_command(attachment, data, base)
        if kind.startswith(("hook_", "async_hook")):
            return [HookOutput(**base, event=string(attachment, "hookEvent"), kind=kind, text=_hook_text(attachment))]
        if base.get("sidechain"):
            return []
        if kind in ("plan_mode", "plan_mode_reentry"):
            return self._set_mode("plan", base)
        if kind == "plan_mode_exit":
            return self._set_mode(self._mode_before, base) if self._mode == "plan" else []
        return []

    def _queued_command(
        self, attachment: "dict[str, Any]", data: "dict[str, Any]", base: "dict[str, Any]"
    ) -> "list[Record]":
        text = people.without_wrappers(plain_text(attachment.get("prompt")))
        if not text:
            return []
        if string(attachment, "commandMode") == "task-notification" or notices.in_text(text):
            return self._notices_in(text, base)
        if attachment.get("isMeta") is True:
            return []
        return self._prompt(text, {**data, "origin": attachment.get("origin")}, base, queued=True)

    def _system(self, data: "dict[str, Any]") -> "list[Record]":
        base = self._base(data)
        subtype = string(data, "subtype")
        if subtype == "compact_boundary":
            self._boundary = True
            manual = mapping(data, "compactMetadata").get("trigger") == "manual"
            return [Compaction(**base, trigger="manual" if manual else "auto")]
        if subtype == "local_command":
            return [Prompt(**base, kind="command-output", text=cut_middle(string(data, "content"), 10_000))]
        if data.get("preventedContinuation") is True:
            return [HookOutput(**base, event="Stop", kind="hook_stopped_continuation", text=string(data, "stopReason"))]
        return []

    def _progress_line(self, data: "dict[str, Any]") -> "list[Record]":
        """A subagent's message repeated in the main file (2.1.12 to 2.1.81). What it only looked at is left out."""
        inner = mapping(data, "data")
        message = mapping(inner, "message")
        if (
            not self._progress
            or inner.get("type") != "agent_progress"
            or message.get("type") not in ("assistant", "user")
        ):
            return []
        told = mapping(message, "message")
        found = [b for b in blocks(told.get("content")) if string(b, "type") in ("tool_use", "tool_result")]
        base = self._base({**message, "isSidechain": True, "agentId": inner.get("agentId")})
        records: list[Record] = []
        for block in found:
            if string(block, "type") == "tool_result":
                if string(block, "tool_use_id") in self._calls:
                    records += self._result(block, message, base)
            elif (
                string(block, "id")
                and string(block, "name") not in _LOOKING
                and (record := self._tool_use(block, base, optional(told, "id")))
            ):
                records.append(record)
        return records

    def _pull_request(self, data: "dict[str, Any]") -> "list[Record]":
        number, url = data.get("prNumber"), string(data, "prUrl")
        if type(number) is not int or not url:
            return []
        return [PullRequestLink(**self._base(data), number=number, url=url, repository=string(data, "prRepository"))]

    def _mode_line(self, data: "dict[str, Any]") -> "list[Record]":
        return self._set_mode(string(data, "permissionMode"), self._base(data))


def _made(cls: "type[R]", fields: "dict[str, Any]") -> "R":
    """A record from fields that are known to be its own: the constructor's checks are half of a line's cost."""
    record = object.__new__(cls)
    object.__setattr__(record, "__dict__", fields)
    return record


def _hook_text(attachment: "dict[str, Any]") -> str:
    error = mapping(attachment, "blockingError")
    for text in (
        string(error, "blockingError"),
        plain_text(attachment.get("content")),
        string(attachment, "stdout"),
        string(attachment, "message"),
        string(attachment, "stderr"),
    ):
        if text:
            return cut_middle(text, 100_000)
    return ""


_READERS: "dict[str, Callable[[Parser, dict[str, Any]], list[Record]]]" = {
    "assistant": Parser._assistant,  # noqa: SLF001 - the table belongs to the class
    "user": Parser._user,  # noqa: SLF001
    "attachment": Parser._attachment,  # noqa: SLF001
    "system": Parser._system,  # noqa: SLF001
    "progress": Parser._progress_line,  # noqa: SLF001
    "queue-operation": Parser._queue_operation,  # noqa: SLF001
    "permission-mode": Parser._mode_line,  # noqa: SLF001
    "pr-link": Parser._pull_request,  # noqa: SLF001
}
