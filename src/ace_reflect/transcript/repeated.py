"""
A subagent's message that the main file repeats in a line of progress (2.1.12 to 2.1.81), from the line's bytes.

What the subagent only looked at is left out, and so are its words. What does not look exactly as expected gives None, and
the line is decoded whole.
"""

from ace_reflect.transcript import answers
from ace_reflect.transcript.memory import Memory
from ace_reflect.transcript.notices import TELLING
from ace_reflect.transcript.one_block import (
    NOT_ERROR,
    QUOTE,
    RESULT_END,
    assistant,
    end_of_block,
    input_at,
    next_object,
    result,
)
from ace_reflect.transcript.prefilter import second
from ace_reflect.transcript.records import STAMP, TIME, Record, ToolResult, ToolUse, made
from ace_reflect.transcript.results import CUT_ABOVE, PERSISTED
from ace_reflect.transcript.tool_names import LOOKING, READING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any, Literal

_SPOKEN = b'"message":{"type":"assistant","timestamp":"'
_ANSWERED = b'"message":{"type":"user"'
_TIMED = 24  # characters of a time
_PROGRESS = b',"type":"agent_progress",'
_UUID = b'"uuid":"'
_AGENT = b'"agentId":"'
_PERSISTED = PERSISTED.encode()
_OF_A_CALL = b'"tool_use_id":"'
_LOOKS = frozenset(name.encode() for name in LOOKING)


def read(memory: Memory, raw: bytes, data: int, line: int, *, told: bool) -> "Record | Literal[False] | None":
    """The record of a line whose progress begins at `data`; False where it has none, as always where nothing is to be `told`."""
    if told:
        if raw.startswith(_ANSWERED, data):
            return _result(memory, raw, data + len(_ANSWERED), line)
        if raw.startswith(_SPOKEN, data):
            return _call(memory, raw, data + len(_SPOKEN), line)
        if raw.find(b'"agent_progress"', data) >= 0 and _tells(raw, memory.calls):
            return None
    return False if second(raw, data) is None else None


def _call(memory: Memory, raw: bytes, time: int, line: int) -> "Record | Literal[False] | None":
    found = assistant(raw, time + _TIMED + 1)
    if found is None:
        return None
    start = found.end()
    end = end_of_block(raw, start)
    uuid = raw.find(_UUID, end) + len(_UUID)
    if end < 0 or uuid < end or raw[uuid + 36 : uuid + 39] != b'"},' or _ends_oddly(raw, uuid, end):
        return None
    message_id, call, tool, said = found.groups()
    if said is not None or tool in _LOOKS:
        return False
    call_id = call.decode("ascii", "replace")
    name = tool.decode("utf-8", "replace")
    if not memory.called(call_id, name):
        return False
    own = {
        "_stamp": raw[uuid : uuid + 36] + TIME + raw[time : time + _TIMED + 1],
        "message_id": message_id.decode("ascii", "replace"),
        "id": call_id,
        "name": name,
        "_later": (input_at, raw, start - 1, end),
    }
    return made(ToolUse, _base(memory, raw, line) | own)


def _result(memory: Memory, raw: bytes, message: int, line: int) -> "Record | Literal[False] | None":
    found = result(raw, message)
    if found is None:
        return False if second(raw, message) is None and not _tells(raw, memory.calls) else None
    start = found.end()
    end = raw.find(RESULT_END, start)
    behind = next_object(raw, start)
    if end < 0 or behind < end or _ends_oddly(raw, end, behind):
        return None
    name = found[1] or found[2]
    if name is None:  # it comes last
        return None
    call = name.decode("ascii", "replace")
    tool = memory.calls.get(call)
    if tool is None:
        return False
    stop = end - len(NOT_ERROR) if raw.endswith(NOT_ERROR, start, end) else end
    uuid = end + len(RESULT_END)
    stamp = raw[uuid : uuid + STAMP]
    if (
        raw[start - 1] != QUOTE
        or raw[stop - 1] != QUOTE
        or stop - start > CUT_ABOVE
        or raw.startswith(_PERSISTED, start)
        or tool in TELLING
        or tool in READING
        or stamp[36:51] != TIME
        or not raw.startswith(b"}", uuid + STAMP)  # an answer beside it
    ):
        return None
    del memory.calls[call]
    own = {"_stamp": stamp, "tool_use_id": call, "_later": (answers.read_text, raw, start, stop, len(raw), tool)}
    return made(ToolResult, _base(memory, raw, line) | own)


def _ends_oddly(raw: bytes, message: int, object_: int) -> bool:
    """Whether what stands behind the message is no subagent's progress, or a second line begins behind the first object."""
    return raw.find(_PROGRESS, message) < 0 or second(raw, object_) is not None


def _base(memory: Memory, raw: bytes, line: int) -> "dict[str, Any]":
    base: dict[str, Any] = {"line": line, "sidechain": True}
    if memory.file is not None:
        base["file"] = memory.file
    agent = raw.rfind(_AGENT) + len(_AGENT)
    if agent >= len(_AGENT):
        base["agent"] = raw[agent : raw.find(b'"', agent)].decode("utf-8", "replace")
    return base


def _tells(raw: bytes, calls: "Container[str]") -> bool:
    """Whether a message in another form may hold a call, or the result of one that is known."""
    if raw.find(b'"tool_result"') >= 0:
        start = raw.find(_OF_A_CALL) + len(_OF_A_CALL)
        one = start >= len(_OF_A_CALL) and raw.find(_OF_A_CALL, start) < 0
        return not one or raw[start : raw.find(b'"', start)].decode("ascii", "replace") in calls
    return raw.find(b'"tool_use"') >= 0
