"""
Where a message's one block begins and ends in a line's bytes.

What costs most is to pass over a long text, and that is done once: a bare `{"` cannot stand in a string, so the first one
behind a text's beginning (`next_object`) belongs to the object that follows it, the token counts or the answer, and no
other block and no second line stand before it. Where it is neither, the marks are searched one by one.
"""

from ace_reflect import regex as re
from ace_reflect.transcript.fields import capped
from ace_reflect.transcript.jsonlines import object_at
from ace_reflect.transcript.prefilter import second

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RESULT_END = b'}]},"uuid":"'
NOT_ERROR = b',"is_error":false'
QUOTE, BACKSLASH = b'"\\'
_BLOCK_END = b'}],"stop_reason":'
_UNSTOPPED = _BLOCK_END + b'null,"stop_sequence":null,"usage":'
_CALLER = b'"caller":{"type":"direct"}}],"stop_reason":'
_BEFORE_COUNTS = len(_UNSTOPPED)
_CALLED = len(_CALLER) - 9  # what of it stands behind the caller's own brace
_NEXT_BLOCK = b'},{"type":"'
_NEAR = 100  # bytes before the token counts within which a message's content ends

#: The head of an assistant's message and of its first block; `<synthetic>` models are the host's own words. Hosts write
#: the model before the id or behind it.
assistant = re.compile(
    rb',"message":\{(?:"model":"[^"<][^"]*",)?"id":"([^"]*)","type":"message","role":"assistant",'
    rb'(?:"model":"[^"<][^"]*",)?"content":\[\{"type":"'
    rb'(?:tool_use","id":"([^"]+)","name":"([^"]*)","input":\{|(text","text":"|thinking","thinking":"))'
).match
result = re.compile(
    rb',"message":\{"role":"user","content":\[\{(?:"tool_use_id":"([^"]*)",)?"type":"tool_result",'
    rb'(?:"tool_use_id":"([^"]*)",)?"content":(["\[])'
).match
_object = re.compile(rb'\{"').search  # three times as fast as `find`, which is slow with two bytes and quick with one
_keyed = re.compile(rb'\{"\w').search  # a text may end with a brace, and its closing quote follows


def end_of_block(raw: bytes, start: int) -> int:
    """Where a line's one block ends; -1 where it has several, or where a second line begins before it ends."""
    counts = raw.find(b"{", start)
    if raw[counts - _BEFORE_COUNTS : counts] == _UNSTOPPED:
        return counts - _BEFORE_COUNTS
    if raw[counts : counts + 2] != b'{"':
        counts = next_object(raw, start)
    if raw[counts - 9 : counts + _CALLED] == _CALLER:
        return counts + 17
    end = raw.rfind(_BLOCK_END, max(counts - _NEAR, start - 1), counts)
    if end > 0:
        return end
    end = raw.find(_BLOCK_END, start)
    return -1 if end < 0 or raw.find(_NEXT_BLOCK, start, end) > 0 or second(raw, start, end) is not None else end


def next_object(raw: bytes, place: int) -> int:
    """Where the next object that is not empty begins, the line's end if there is none: often at the first brace."""
    place = raw.find(b"{", place)
    if place < 0:
        return len(raw)
    if raw.startswith(b'{"', place):
        return place
    found = _object(raw, place)
    return len(raw) if found is None else found.start()


def another(raw: bytes, start: int, end: int) -> bool:
    """Behind a result's content (one string, or a list of blocks), but before `end`, another block or line begins."""
    return (_keyed if raw[start - 1] == QUOTE else second)(raw, start, end) is not None


def input_at(raw: bytes, start: int, stop: int) -> "dict[str, Any]":
    """The field `input` of a call, when somebody looks at it."""
    return {"input": capped(object_at(raw, start, stop))}
