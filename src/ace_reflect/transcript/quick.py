"""
The lines that most of a transcript consists of, read without decoding them whole.

An assistant's block and a tool's result stand between marks that cannot occur inside a JSON string (`prefilter` says
why): the envelope, the token counts and the second copy of an output never go through JSON, the text, the input and the
answer only when somebody looks at them. What does not look exactly as expected gives None, and the line is decoded
whole; a test compares both ways over real transcripts.

A line has a few microseconds here, hence the offsets, the few long searches and the functions that are not short.
"""

import re

from ace_reflect.transcript import answers
from ace_reflect.transcript.fields import TEXT_CAP, capped, mapping
from ace_reflect.transcript.jsonlines import object_at, opening_of_string, text_at
from ace_reflect.transcript.memory import Memory
from ace_reflect.transcript.notices import may_tell
from ace_reflect.transcript.records import AssistantText, Record, Thinking, ToolResult, ToolUse, made
from ace_reflect.transcript.results import read_result
from ace_reflect.transcript.tools import IN_FULL, KEPT, READING, tells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

_MESSAGE = b',"message":{"'
_USER = b',"message":{"role":"user","content":[{"t'
_OLD_USER = b',"type":"user"'
_RESULT_END = b'}]},"uuid":"'
_BLOCK_END = b'}],"stop_reason":'
_STAMP = b'"type":"assistant","uuid":"'
_TIME = b'","timestamp":"'
_CALL = b'"tool_use_id":"'
_NEXT_BLOCK = b'},{"type":"t'
_NEXT_LINE = b'{"parentUuid":'
_IS_ERROR = b',"is_error":true'
_NOT_ERROR = b',"is_error":false'
_FLAG = 53  # where `"isSidechain"` stands behind `{"parentUuid":"<uuid>",`
_HEAD = 1_500
_OPENING = 12 * KEPT + 12  # bytes that hold KEPT characters however they are escaped
_SAYING_NOTHING = (b"bash_", b"hook_", b"mcp_")
_HUGE = 16_000
_BARE_LINE = 2_000  # bytes within which a second, short object is looked for
_MOST_ENVELOPES = 64

#: The head of an assistant's message, its model and id in either order. `<synthetic>` ones are the host's own words.
_assistant = re.compile(
    rb',"message":\{(?:"model":"(?!<)[^"\\]*",)?"id":"([^"\\]*)","type":"message","role":"assistant",'
    rb'(?:"model":"(?!<)[^"\\]*",)?"content":\[\{"type":"'
).match
_call = re.compile(rb'tool_use","id":"([^"\\]+)","name":"([^"\\]*)","input":\{').match
_result = re.compile(
    rb',"message":\{"role":"user","content":\[\{(?:"tool_use_id":"([^"\\]*)",)?"type":"tool_result","content":(["\[])'
).match
_id_last = re.compile(rb'(?:,"is_error":(true|false))?,"tool_use_id":"([^"\\]*)"\Z').search
_path = re.compile(rb'"file_path":"((?:[^"\\]|\\.)*)"').search

_new = object.__new__
_fill = object.__setattr__


def place_of_message(raw: bytes) -> int:
    """Where the line's own message begins; -1 if it has none near its start."""
    return raw.find(_MESSAGE, 0, _HEAD)


class Quick:
    """Reads one file's common lines; knows the envelopes of its lines (directory, branch, session, version)."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._last = b"\x00"  # the envelope of the line before, as older hosts write it: before the message
        self._sidechain = False  # what that envelope says
        self._before: set[bytes] = set()
        self._behind: set[bytes] = set()  # newer hosts write it last

    def learn(self, raw: bytes, message: int) -> None:
        """Remember the envelope of a line that was decoded: the next one with the same changes no context."""
        start = _flag(raw)
        before = raw.find(b'"userType"', start, message) > 0
        known = self._before if before else self._behind
        if len(known) > _MOST_ENVELOPES:
            known.clear()
        if before:
            self._take(raw[start:message].removesuffix(b',"type":"user"'))
        known.add(self._last if before else _tail(raw, start))

    def _take(self, envelope: bytes) -> None:
        self._last = envelope
        self._sidechain = envelope.startswith(b'"isSidechain":true')

    def forget(self) -> None:
        """The context changed."""
        self._last = b"\x00"
        self._before.clear()
        self._behind.clear()

    def read(self, raw: bytes) -> "Record | Literal[False] | None":
        """The line's record, False where it has none, None where it must be decoded whole."""
        last = self._last
        place = _FLAG + len(last)
        if raw[_FLAG:place] == last:
            if raw[place : place + 13] == _MESSAGE:
                return self._block(raw, place)
            if raw[place : place + 14] == _OLD_USER:
                return self._result(raw, place + 14)
            if raw.startswith(b',"type":"progress","data":{"type":"', place):
                return False if raw.startswith(_SAYING_NOTHING, place + 35) and not _glued(raw, place) else None
        message = place_of_message(raw)
        if message < 0 or not self._knows(raw, message):
            return None
        return self._result(raw, message) if raw.startswith(_USER, message) else self._block(raw, message)

    def _knows(self, raw: bytes, message: int) -> bool:
        if raw.count(b"{", 0, message) != 1:
            return False
        start = _flag(raw)
        if raw.find(b'"userType"', start, message) < 0:
            self._sidechain = raw.startswith(b"true", start + 14)
            self._last = b"\x00"
            return _tail(raw, start) in self._behind
        envelope = raw[start:message].removesuffix(b',"type":"user"')
        if envelope not in self._before:
            return False
        self._take(envelope)
        return True

    def _block(self, raw: bytes, message: int) -> "Record | Literal[False] | None":
        """The one block of an assistant's line."""
        found = _assistant(raw, message)
        if found is None:
            return None
        kind = found.end()
        end = raw.find(_BLOCK_END, kind)
        named = len(raw) - 78  # older hosts end the line with type, uuid (36 characters) and time (24)
        if raw[named - 27 : named] != _STAMP:
            named = raw.find(_STAMP, end) + 27
            if raw.find(b'"isA', end) > 0 or raw.find(b'}{"', named) > 0:  # isApiErrorMessage …; a second object
                return None
        if end < 0 or named < end or raw[named + 36 : named + 51] != _TIME or raw[named + 75 : named + 76] != b'"':
            return None
        # those flags, where older hosts have them; more than one block; a second line behind a first that was cut short
        if (
            raw[named - 29 : named - 28] != b'"'
            or raw.find(_NEXT_BLOCK, kind, end) > 0
            or raw.find(_NEXT_LINE, kind) > 0
        ):
            return None
        call = _call(raw, kind)
        if call is not None:
            return self._tool_use(raw, call, end, named, found[1])
        if raw.startswith(b'text","text":"', kind):
            cls: type[Record] = AssistantText
            start, stop = kind + 14, end
        else:
            cls = Thinking
            start, stop = kind + 22, raw.find(b'","signature":"', kind) + 1
            if (
                stop < start
                or not raw.startswith(b'thinking","thinking":"', kind)
                or raw.find(b'"', stop + 14) != end - 1
            ):
                return None
        if raw[stop - 1 : stop] != b'"':
            return None
        if stop - start < 64 and not text_at(raw, start, stop).strip():
            return False
        base = self._base(raw, named)
        base["message_id"] = found[1].decode("ascii", "replace")
        base["_later"] = (_text, raw, start, stop)
        record = _new(cls)
        _fill(record, "__dict__", base)
        return record

    def _tool_use(
        self, raw: bytes, call: "re.Match[bytes]", end: int, named: int, message_id: bytes
    ) -> "Record | Literal[False]":
        name = call[2].decode("utf-8", "replace")
        kind = name
        if name in READING:
            path = _path(raw, call.end(), end)
            if path is None or tells(path[1].decode("utf-8", "replace")):
                kind = IN_FULL
        call_id = call[1].decode("ascii", "replace")
        if not self._memory.called(call_id, kind):
            return False
        base = self._base(raw, named)
        base["id"] = call_id
        base["name"] = name
        base["message_id"] = message_id.decode("ascii", "replace")
        base["_later"] = (_input, raw, call.start() - 9, end + 1)
        record = _new(ToolUse)
        _fill(record, "__dict__", base)
        return record

    def _result(self, raw: bytes, message: int) -> "Record | None":
        """The one tool result of a `user` line."""
        found = _result(raw, message)
        if found is None:
            return None
        start = found.end()
        end = raw.find(_RESULT_END, start)
        named = end + 12
        if end < 0 or raw[named + 36 : named + 51] != _TIME or raw[named + 75 : named + 76] != b'"' or _glued(raw, end):
            return None
        id_first = found[1]
        if id_first is None:  # the id comes last
            tail = _id_last(raw, max(end - 120, start), end)
            if tail is None:
                return None
            stop, failed, call = tail.start(), tail[1] == b"true", tail[2].decode("ascii", "replace")
        else:
            call = id_first.decode("ascii", "replace")
            failed = raw[end - 16 : end] == _IS_ERROR
            stop = end - 16 if failed else end - 17 if raw[end - 17 : end] == _NOT_ERROR else end
        calls = self._memory.calls
        tool = calls.get(call)
        if tool is None or may_tell(tool):
            return None
        if failed:
            return self._failure(raw, start, stop, end, tool, call)
        if found[2] == b"[":
            later = _later_list(raw, start, stop, end, tool)
        elif tool in READING:
            later = _later_opening(raw, start, stop, end)
        else:
            later = _later_text(raw, start, stop, end, tool)
        if later is None:
            return None
        del calls[call]
        base = self._base(raw, named)
        base["tool_use_id"] = call
        base["_later"] = later
        record = _new(ToolResult)
        _fill(record, "__dict__", base)
        return record

    def _failure(self, raw: bytes, start: int, stop: int, end: int, tool: str, call: str) -> "Record | None":
        """A failed call's result: how it failed is told at once, from its text and the beginning of the answer."""
        said = answers.said(raw, end)
        if (
            said is None
            or stop - start > TEXT_CAP
            or raw[stop - 1 : stop] != b'"'
            or raw.find(_NEXT_BLOCK, start, end) > 0
        ):
            return None
        block = {"tool_use_id": call, "content": text_at(raw, start, stop), "is_error": True}
        data = {"toolUseResult": said, "entrypoint": self._memory.context.get("entrypoint")}
        base = self._base(raw, end + 12)
        base.update(read_result(block, data, tool))
        del self._memory.calls[call]
        return made(ToolResult, base)

    def _base(self, raw: bytes, named: int) -> "dict[str, Any]":
        memory = self._memory
        stamp = raw[named : named + 75].decode("ascii", "replace")
        base: dict[str, Any] = {"line": memory.line, "uuid": stamp[:36], "timestamp": stamp[51:]}
        if memory.file is not None:
            base["file"] = memory.file
        if self._sidechain:
            base["sidechain"] = True
            place = raw.find(b'"agentId":"', 0, _HEAD) + 11
            if place > 10:
                base["agent"] = raw[place : raw.find(b'"', place)].decode("utf-8", "replace")
        return base


def _later_opening(raw: bytes, start: int, stop: int, end: int) -> "tuple[Any, ...] | None":
    if raw[stop - 1 : stop] != b'"' or raw.find(_NEXT_BLOCK, start, end) > 0:
        return None
    return _opening, raw, start, min(start + _OPENING, stop)


def _later_text(raw: bytes, start: int, stop: int, end: int, tool: str) -> "tuple[Any, ...] | None":
    if raw[stop - 1 : stop] != b'"' or raw.find(_NEXT_BLOCK, start, end) > 0:
        return None
    if stop - start > TEXT_CAP or answers.cut_by_host(raw, start, stop):
        return None
    place = answers.place(raw, end, tool)
    return None if place is None else (answers.read_text, raw, start, stop, place, tool)


def _later_list(raw: bytes, start: int, stop: int, end: int, tool: str) -> "tuple[Any, ...] | None":
    """A list's last block ends the message with `]`; a person's words beside it would end with a quote."""
    if raw[stop - 1 : stop] != b"]" or raw.find(_CALL, start, end) > 0:
        return None
    if (
        stop - start > TEXT_CAP
        or raw.find(b"truncated]", start, stop) > 0
        or raw.find(b"<persisted-output>", start, stop) > 0
    ):
        return None
    place = answers.place(raw, end, tool)
    return None if place is None else (answers.read_list, raw, start - 1, stop, place, tool)


def _glued(raw: bytes, place: int) -> bool:
    """A second object stands behind the first on the same line, whole or cut short. In a huge line its answer is not searched."""
    size = len(raw)
    if size < _HUGE:
        if raw.find(_NEXT_LINE, 1) > 0:
            return True
    elif raw.find(_NEXT_LINE, 1, place + _HEAD) > 0 or raw.find(_NEXT_LINE, size - _HUGE // 2) > 0:
        return True
    return raw.find(b'}{"type":"', max(place, size - _BARE_LINE)) > 0


def _flag(raw: bytes) -> int:
    """Where `"isSidechain"` stands: behind a parent's uuid, or behind null."""
    return _FLAG if raw.startswith(b'"isSidechain"', _FLAG) else raw.find(b'"isSidechain"', 0, _HEAD)


def _tail(raw: bytes, start: int) -> bytes:
    return raw[start : start + 19] + raw[raw.rfind(b',"userType":"') :]  # 19: up to the flag's value


# -- what is done when somebody looks ----------------------------------------------------------------------------------


def _text(raw: bytes, start: int, stop: int) -> "dict[str, Any]":
    return {"text": text_at(raw, start, stop)}


def _opening(raw: bytes, start: int, stop: int) -> "dict[str, Any]":
    return {"text": opening_of_string(raw[start:stop])[:KEPT], "details": None, "patch": ()}


def _input(raw: bytes, start: int, stop: int) -> "dict[str, Any]":
    return {"input": capped(mapping(object_at(raw, start, stop), "input"))}
