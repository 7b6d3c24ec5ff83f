"""
The lines that most of a transcript consists of, read without decoding them whole.

An assistant's block and a tool's result stand between marks that cannot occur inside a JSON string (`prefilter` says
why): the envelope, the token counts and the second copy of an output never go through JSON, the text, the input and the
answer only when somebody looks at them. What does not look exactly as expected gives None, and the line is decoded
whole; a test compares both ways over real transcripts.

A line has a few microseconds here, hence the offsets and the functions that are not short.
"""

from ace_reflect import regex as re
from ace_reflect.transcript import answers, hooked, notices, repeated
from ace_reflect.transcript.envelopes import (
    FLAG,
    FLAGGED,
    HEAD,
    MESSAGE,
    OLD_USER,
    PARENT,
    Envelopes,
    place_of_message,
)  # fmt: skip
from ace_reflect.transcript.fields import TEXT_CAP, string
from ace_reflect.transcript.jsonlines import object_at, text_at, value_at
from ace_reflect.transcript.memory import Memory
from ace_reflect.transcript.notices import TELLING
from ace_reflect.transcript.one_block import (
    BACKSLASH,
    NOT_ERROR,
    QUOTE,
    RESULT_END,
    another,
    assistant,
    end_of_block,
    input_at,
    next_object,
    result,
)
from ace_reflect.transcript.prefilter import BARE, READ_ATTACHMENTS, second, tells_of_system
from ace_reflect.transcript.records import STAMP, TIME, AssistantText, Record, Thinking, ToolResult, ToolUse, made
from ace_reflect.transcript.results import read_result
from ace_reflect.transcript.tool_names import READING
from ace_reflect.transcript.tools import IN_FULL, tells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

_USER = b',"message":{"role":"user","content":[{"t'
_STAMP = b'"type":"assistant","uuid":"'
_LAST_STAMP = b'",' + _STAMP
_ANSWER = b'","toolUseResult":'
_THINKING = b'thinking","thinking":"'
_SIGNATURE = b'","signature":"'
_NEXT_LINE = b'{"parentUuid":'
_IS_ERROR = b',"is_error":true'
_PROGRESS = b',"type":"progress","data":{'
_DATA = len(_PROGRESS)
_OLD_USER = OLD_USER[:13]
_OLD_PROGRESS = _PROGRESS[:13]
_SYSTEM = b',"type":"system"'
_OLD_SYSTEM = _SYSTEM[:13]
_SCREEN = frozenset({b'"type":"bash_', b'"type":"hook_', b'"type":"mcp_p'})  # what was shown while something ran
_ATTACHED = b',"attachment":{"type":"'
_KIND = FLAGGED + len(_ATTACHED)
_HOOKS = tuple(kind.encode() for kind in hooked.HOOKS)
_PATH = b'"file_path":"'
_HUGE = 16_000
_SHORTEST = 500  # bytes: no assistant's line has fewer

#: Where older hosts write the call's id last. Compiled when it is met: few hosts wrote so.
_ID_LAST = rb'(?:,"is_error":(true|false))?,"tool_use_id":"([^"]*)"\Z'

_new = object.__new__
_fill = object.__setattr__


class Quick(Envelopes):
    """
    Reads one file's common lines: with `thoughts` the model's thinking too, without `progress` nothing that subagents'
    own files tell.
    """

    def __init__(self, memory: Memory, *, thoughts: bool, progress: bool) -> None:
        super().__init__()
        self._memory = memory
        self._file = memory.file
        self._thoughts = thoughts
        self._progress = progress
        #: The records of a line that has several: `read` gave None for it and yet nothing is left to be decoded.
        self.several: list[Record] = []

    def read(self, raw: bytes, line: int) -> "Record | Literal[False] | None":
        """The record of line number `line`, False where it has none, None where it must be decoded whole."""
        place = self._place
        if raw[FLAG - 2 : place] == self._last:
            mark = raw[place : place + 13]
            if mark == MESSAGE:
                return self._block(raw, place, line)
            if mark == _OLD_USER:
                return self._result(raw, place + 14, line)
            if mark == _OLD_PROGRESS:
                return self._aside(raw, place + _DATA, line)
            if mark == _OLD_SYSTEM:
                return None if tells_of_system(raw) or _second_behind(raw, place) else False
        elif raw.startswith(b'{"type":"'):
            return False if raw.startswith(BARE) and second(raw, 1) is None else None
        elif raw.startswith(_SYSTEM, FLAGGED):
            told = raw.find(b"{", 1, FLAGGED) > 0 or tells_of_system(raw)
            return None if told or _second_behind(raw, FLAGGED) else False
        elif raw.startswith(_ATTACHED, FLAGGED):
            if raw.find(b"{", 1, FLAGGED) > 0 or _second_behind(raw, _KIND):
                return None
            if raw.startswith(_HOOKS, _KIND):
                return hooked.later(raw, _KIND, line, self._file)
            return None if raw.startswith(READ_ATTACHMENTS, _KIND) else False
        message = place_of_message(raw)
        if message < 0 or not self._knows(raw, message):
            place = raw.find(_PROGRESS, FLAGGED, HEAD) + _DATA
            return self._aside(raw, place, line) if place > FLAGGED and raw.find(b"{", 1, place - 1) < 0 else None
        user = raw.startswith(_USER, message) and raw.startswith(OLD_USER, message - len(OLD_USER))
        return self._result(raw, message, line) if user else self._block(raw, message, line)

    def _aside(self, raw: bytes, data: int, line: int) -> "Record | Literal[False] | None":
        """A line of progress: what was shown while something ran, or a subagent's message."""
        if raw[data : data + 13] in _SCREEN:
            place = raw.find(b"{", data)
            return False if place < 0 or second(raw, place) is None else None
        return repeated.read(self._memory, raw, data, line, told=self._progress)

    def _block(self, raw: bytes, message: int, line: int) -> "Record | Literal[False] | None":
        """The one block of an assistant's line."""
        found = assistant(raw, message)
        if found is None:
            return None
        start = found.end()
        end = end_of_block(raw, start)
        if end < 0:
            return None
        named = len(raw) - 78  # older hosts end the line with type, uuid (36 characters) and time (24)
        if raw[named - 29 : named] != _LAST_STAMP or named < end:
            named = raw.rfind(_STAMP, end) + 27
            # isApiErrorMessage and the like, before the stamp or behind it; a second object
            if named < end or raw[named - 29] != QUOTE or raw.rfind(b'"isA', end) > 0 or raw.rfind(b'}{"', named) > 0:
                return None
        if named - end > _SHORTEST and second(raw, end) is not None:
            return None
        message_id, call, tool, kind = found.groups()
        if kind == _THINKING and not self._thoughts:
            return False
        stamp = raw[named : named + STAMP]
        if stamp[36:51] != TIME or stamp[-1] != QUOTE:
            return None
        if kind is not None:
            return self._words(raw, start, end, line, stamp, message_id, thought=kind == _THINKING)
        name = tool.decode("utf-8", "replace")
        call_id = call.decode("ascii", "replace")
        if not self._memory.called(call_id, _in_full(raw, start, end, name) if name in READING else name):
            return False
        fields = {
            "line": line,
            "_stamp": stamp,
            "message_id": message_id.decode("ascii", "replace"),
            "id": call_id,
            "name": name,
            "_later": (input_at, raw, start - 1, end),
        }
        if self._sidechain or self._file is not None:
            fields |= self._whose(raw)
        record = _new(ToolUse)
        _fill(record, "__dict__", fields)
        return record

    def _words(
        self, raw: bytes, start: int, end: int, line: int, stamp: bytes, message_id: bytes, *, thought: bool
    ) -> "Record | Literal[False] | None":
        stop = end
        if thought:
            stop = raw.rfind(b'"', start, max(end - 1, start)) - 13  # its signature holds no quote
            if raw[stop - 1 : stop + 14] != _SIGNATURE or raw[end - 1] != QUOTE:
                return None
        if raw[stop - 1] != QUOTE:
            return None
        if stop - start < 64 and (stop - start == 1 or not text_at(raw, start, stop).strip()):
            return False
        fields = {
            "line": line,
            "_stamp": stamp,
            "message_id": message_id.decode("ascii", "replace"),
            "_later": (_text, raw, start, stop),
        }
        if self._sidechain or self._file is not None:
            fields |= self._whose(raw)
        record = _new(Thinking if thought else AssistantText)
        _fill(record, "__dict__", fields)
        return record

    def _result(self, raw: bytes, message: int, line: int) -> "Record | None":
        """The one tool result of a `user` line."""
        found = result(raw, message)
        if found is None:
            return None
        start = found.end()
        answer = raw.find(b"{", start)
        if raw[answer : answer + 2] != b'{"':
            answer = next_object(raw, start)
        end = answer - 105  # the uuid, the time, and the names of both and of the answer
        if raw[end : end + 12] != RESULT_END or raw[answer - 18 : answer] != _ANSWER:
            end = raw.find(RESULT_END, start)
            if end < 0 or (answer < end and another(raw, start, end)):
                return None
            answer = 0
        foot = self._foot
        if raw[foot - 37 : foot - 1] != raw[PARENT : PARENT + 36] and (  # it does not name its parent at both ends
            raw.find(b"{", 1, FLAG) > 0 or _second_behind(raw, answer or end + 12)
        ):
            return None
        return self._answer(raw, start, end, answer, found[1] or found[2] or b"", line)

    def _answer(self, raw: bytes, start: int, end: int, answer: int, name: bytes, line: int) -> "Record | None":
        """The result of the call `name`, whose content and flags stand from `start` to `end`."""
        stop = end
        failed = False
        flag = raw[end - 17 : end]
        if flag == NOT_ERROR:
            stop -= 17
        elif flag[1:] == _IS_ERROR:
            stop -= 16
            failed = True
        elif not name:  # it comes last
            tail = re.compile(_ID_LAST).search(raw, max(end - 120, start), end)
            if tail is None:
                return None
            stop, failed, name = tail.start(), tail[1] == b"true", tail[2]
        call = name.decode("ascii", "replace")
        calls = self._memory.calls
        tool = calls.get(call)
        if tool is None:
            return None
        stamp = raw[end + 12 : end + 12 + STAMP]
        if stamp[36:51] != TIME or stamp[-1] != QUOTE:
            return None
        if failed:
            return self._failure(raw, start, stop, end, tool, call, line)
        later = answers.later(raw, start, stop, end, answer, tool)
        if later is None:
            return None
        if tool in TELLING:
            self._output(later, tool, call, stamp, line)
            return None
        del calls[call]
        fields = {"line": line, "_stamp": stamp, "tool_use_id": call, "_later": later}
        if later[0] is answers.read_persisted:
            fields["truncated"] = True
        if self._sidechain or self._file is not None:
            fields |= self._whose(raw)
        record = _new(ToolResult)
        _fill(record, "__dict__", fields)
        return record

    def _output(self, later: "tuple[Any, ...]", tool: str, call: str, stamp: bytes, line: int) -> None:
        """A background task's output: the answer is read at once for its end, the text is not."""
        read, raw, start, stop, answer, _ = later
        found = value_at(raw[answer:])
        if read is not answers.read_text or type(found) is not dict or "backgroundTaskId" in found:
            return
        fields = {"line": line, "_stamp": stamp, **self._whose(raw)}
        later = (answers.read_beside, raw, start, stop, found)
        self.several = [made(ToolResult, fields | {"tool_use_id": call, "_later": later})]
        notice = notices.from_result(tool, {}, found)
        if notice is not None:
            self.several += notices.told(self._memory, notice, fields)
        del self._memory.calls[call]

    def _failure(self, raw: bytes, start: int, stop: int, end: int, tool: str, call: str, line: int) -> "Record | None":
        """A failed call's result: how it failed is told at once, from its text and the beginning of the answer."""
        said = answers.said(raw, end)
        if said is None or stop - start > TEXT_CAP or raw[start - 1] != QUOTE or raw[stop - 1] != QUOTE:
            return None
        stamp = raw[end + 12 : end + 12 + STAMP]
        block = {"tool_use_id": call, "content": text_at(raw, start, stop), "is_error": True}
        data = {"toolUseResult": said, "entrypoint": self._memory.context.get("entrypoint")}
        del self._memory.calls[call]
        return made(ToolResult, {"line": line, "_stamp": stamp, **self._whose(raw), **read_result(block, data, tool)})

    def _whose(self, raw: bytes) -> "dict[str, Any]":
        """The fields of a record that is not the main thread's: the subagent's file, its name."""
        fields: dict[str, Any] = {}
        if self._file is not None:
            fields["file"] = self._file
        if self._sidechain:
            fields["sidechain"] = True
            place = raw.find(b'"agentId":"', 0, HEAD) + 11
            if place > 10:
                fields["agent"] = raw[place : raw.find(b'"', place)].decode("utf-8", "replace")
        return fields


def _in_full(raw: bytes, start: int, end: int, name: str) -> str:
    """The name of a reading tool's call, or that it brings in what is wanted in full: its input stands from `start` to `end`."""
    path = raw.find(_PATH, start, end) + len(_PATH)
    stop = raw.find(b'"', path, end)
    if path < start or stop < 0:
        return IN_FULL
    if raw[stop - 1] == BACKSLASH:  # no name's end, or an odd one's
        return IN_FULL if tells(string(object_at(raw, start - 1, end), "file_path")) else name
    return IN_FULL if tells(raw[path:stop].decode("utf-8", "replace")) else name


def _second_behind(raw: bytes, place: int) -> bool:
    """A second line begins at `place` or behind it. In a huge line the middle of its answer is not searched."""
    if raw.find(b"{", place + 1) < 0:
        return raw.startswith(_NEXT_LINE, place)
    size = len(raw)
    if size < _HUGE:
        return second(raw, place) is not None
    return second(raw, place, place + HEAD) is not None or second(raw, max(place, size - _HUGE // 2)) is not None


# -- what is done when somebody looks ----------------------------------------------------------------------------------


def _text(raw: bytes, start: int, stop: int) -> "dict[str, Any]":
    return {"text": text_at(raw, start, stop)}
