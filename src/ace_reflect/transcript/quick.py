"""
The lines that most of a transcript consists of, read without decoding them whole.

An assistant's block and a tool's result stand between marks that cannot occur inside a JSON string (`prefilter` says
why). Only the block itself, and the part of `toolUseResult` that is wanted, go through JSON: the envelope, the token
counts, the second copy of an output and the whole of an edited file do not. What does not look exactly as expected
gives None, and the line is decoded whole; a test compares both ways over real transcripts.

Ten thousand lines a second is not enough here, hence the offsets and the few, long searches.
"""

import re
from json.decoder import JSONDecoder
from json.scanner import make_scanner

from ace_reflect.transcript.fields import TEXT_CAP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_scan: "Callable[[str, int], tuple[Any, int]]" = make_scanner(JSONDecoder())  # type: ignore[arg-type] # any context object will do

_MESSAGE = b',"message":{"'
_USER = b',"message":{"role":"user","content":[{"'
_RESULT_END = b'}]},"uuid":"'
_ERROR = b'"is_error":true'
_ANSWER = b'"toolUseResult":'
_GLUED = b'}{"'  # a second object on the same line
_MORE = ('"permissionMode"', '"toolDenialKind"', '}{"')
_FLAG = 53  # where `"isSidechain"` stands behind `{"parentUuid":"<uuid>",`
_HEAD = 1_500
_LARGE = 4_096
KEPT = 200  # characters of a large reading
_OPENING = 12 * KEPT + 12  # bytes that hold them however they are escaped

#: The head of an assistant's message, its model and id in either order. `<synthetic>` ones are the host's own words.
_assistant = re.compile(
    rb',"message":\{(?:"model":"(?!<)[^"\\]*",)?"id":"([^"\\]*)","type":"message","role":"assistant",'
    rb'(?:"model":"(?!<)[^"\\]*",)?"content":\[\{"type":"'
).match
_BLOCK_END = b'}],"stop_reason":'
_STAMP = b'"type":"assistant","uuid":"'

#: By tool: from where to where `toolUseResult` holds nothing but copies of the call, the output or a whole file.
_COPIES = {
    "Bash": (b'"stdout":"', b'"stderr":"'),
    "PowerShell": (b'"stdout":"', b'"stderr":"'),
    "Edit": (b'"oldString":"', b'"structuredPatch":'),
    "MultiEdit": (b'"originalFileContents":"', b'"structuredPatch":'),
    "Write": (b'"content":"', b'"structuredPatch":'),
}
_ORIGINAL = (b',"originalFile":"', b'","userModified":')


class Envelopes:
    """
    The bytes around a message that name its directory, branch, session and version, as last met.

    A line whose envelope is known changes no context. Any change forgets all of them.
    """

    def __init__(self) -> None:
        self._known: set[bytes] = set()

    def knows(self, raw: bytes, message: int) -> bool:
        """Whether the envelope was met since the context last changed. Older hosts write it before the message, newer ones last."""
        if raw[_FLAG:message] in self._known:
            return True
        start = _flag(raw)
        nested = raw.find(b'"userType"', start, message) > 0 or raw.count(b"{", 0, message) > 1
        return not nested and _tail(raw, start) in self._known

    def learn(self, raw: bytes) -> None:
        """Remember the envelope of a line after its context was taken over."""
        message = place_of_message(raw)
        if message > 0 and raw.count(b"{", 0, message) == 1:  # not a message inside a progress line
            if len(self._known) > 64:
                self._known.clear()
            start = _flag(raw)
            self._known.add(raw[start:message] if raw.find(b'"userType"', start, message) > 0 else _tail(raw, start))

    def forget(self) -> None:
        self._known.clear()


def _flag(raw: bytes) -> int:
    """Where `"isSidechain"` stands: behind a parent's uuid, or behind null."""
    return _FLAG if raw.startswith(b'"isSidechain"', _FLAG) else raw.find(b'"isSidechain"', 0, _HEAD)


def _tail(raw: bytes, start: int) -> bytes:
    return raw[start : start + 19] + raw[raw.rfind(b',"userType":"') :]  # 19: up to the flag's value


def place_of_message(raw: bytes) -> int:
    """Where the line's own message begins; -1 if it has none near its start."""
    return raw.find(_MESSAGE, 0, _HEAD)


def is_result(raw: bytes, message: int) -> bool:
    return raw.startswith(_USER, message)


def is_sidechain(raw: bytes) -> bool:
    return raw.startswith(b"true", _flag(raw) + 14)


def is_flat(raw: bytes) -> bool:
    """Whether the call's input is too small to need capping, and nested too little; four brackets are the line's own."""
    return len(raw) < TEXT_CAP and raw.count(b'{"') + raw.count(b"[") < 15


def assistant_block(raw: bytes, message: int) -> "tuple[str, Any, str, str, str] | None":
    """Kind, text or object, uuid, timestamp and message id of the one block in an assistant's line."""
    found = _assistant(raw, message)
    if found is None:
        return None
    kind = found.end()
    end = raw.find(_BLOCK_END, kind)
    named = raw.find(_STAMP, end) + 27
    # 36 characters of uuid, then 24 of time in quotes
    if (
        end < 0
        or named < 27
        or raw[named + 36 : named + 51] != b'","timestamp":"'
        or raw[named + 75 : named + 76] != b'"'
    ):
        return None
    if raw.find(b'"isA', end) > 0 or raw.find(_GLUED, named) > 0:  # isApiErrorMessage, isAbortedMidStream
        return None
    value: Any
    if raw.startswith(b'tool_use","', kind):
        name, value = "tool_use", _object(raw[kind - 9 : end + 1])
    elif raw.startswith(b'text","text":"', kind):
        name, value = "text", _string(raw[kind + 14 : end])
    else:
        name, value = "thinking", _thought(raw, kind, end)
    if value is None:
        return None
    stamp = raw[named : named + 75].decode("ascii", "replace")
    return name, value, stamp[:36], stamp[51:], found[1].decode("ascii", "replace")


def _thought(raw: bytes, kind: int, end: int) -> str | None:
    signature = raw.find(b'","signature":"', kind)
    if (
        signature < 0
        or not raw.startswith(b'thinking","thinking":"', kind)
        or raw.find(b'"', signature + 15) != end - 1
    ):
        return None
    return _string(raw[kind + 22 : signature + 1])


def _object(piece: bytes) -> "dict[str, Any] | None":
    """The piece as a JSON object; None if it is not exactly one, or needs mending."""
    if _surrogates(piece):
        return None
    try:
        text = piece.decode()
        found, end = _scan(text, 0)
    except (ValueError, StopIteration, RecursionError):
        return None
    return found if end == len(text) and type(found) is dict else None


def _string(piece: bytes) -> str | None:
    """The piece as the inside of a JSON string with its closing quote; None if it is not exactly one."""
    if b"\\" not in piece:
        return piece[:-1].decode("utf-8", "replace") if piece.find(b'"') == len(piece) - 1 else None
    if _surrogates(piece):
        return None
    try:
        text = '"' + piece.decode()
        found, end = _scan(text, 0)
    except (ValueError, StopIteration):
        return None
    return str(found) if end == len(text) else None


def _surrogates(piece: bytes) -> bool:
    return b"\\u" in piece and (b"\\ud" in piece or b"\\uD" in piece)


class Result:
    """Where a tool's result stands in its line; `block` and `answer` decode on demand."""

    __slots__ = ("_end", "_raw", "_start", "call", "timestamp", "uuid")

    def __init__(self, raw: bytes, start: int, end: int, call: str) -> None:
        self._raw = raw
        self._start = start
        self._end = end
        self.call = call
        stamp = raw[end + 12 : end + 87].decode("ascii", "replace")
        self.uuid = stamp[:36]
        self.timestamp = stamp[51:]

    def block(self) -> "dict[str, Any] | None":
        """The `tool_result` block; None if it is not alone."""
        return _object(self._raw[self._start : self._end + 1])

    def opening(self) -> "bytes | None":
        """The first part of a large text, JSON-escaped; None for a small line, an error, or words beside the text."""
        raw, start, end = self._raw, self._start, self._end
        if len(raw) < _LARGE:
            return None
        place = raw.find(b'"content":"', start, start + 200)
        if place < 0 or raw.find(b'{"type":"text"', start, end) > 0 or raw.find(_ERROR, start, end) > 0:
            return None
        return raw[place + 11 : min(place + 11 + _OPENING, end)]

    def answer(self, tool: str) -> "tuple[Any, bool]":
        """`toolUseResult` without its copies, and whether nothing else in the line bears on the result."""
        raw, end = self._raw, self._end
        place = raw.find(_ANSWER, end)
        if place < 0:
            return None, b'"permissionMode"' not in raw[end:] and _GLUED not in raw[end:]
        piece = raw[place + len(_ANSWER) :]
        if len(piece) > 400 and tool in _COPIES:
            piece = _without_copies(piece, tool)
        if _surrogates(piece):
            return None, False
        try:
            text = piece.decode()
            found, stop = _scan(text, 0)
        except (ValueError, StopIteration, RecursionError):
            return None, False
        rest = text[stop:]
        return found, not any(mark in rest for mark in _MORE)


def result(raw: bytes, message: int) -> "Result | None":
    """The one tool result of a `user` line."""
    start = message + len(_USER) - 2
    end = raw.find(_RESULT_END, start)
    if end < 0 or raw[end + 48 : end + 63] != b'","timestamp":"' or raw[end + 87 : end + 88] != b'"':
        return None
    place = raw.find(b'"tool_use_id":"', start, end)
    if place < 0:
        return None
    return Result(raw, start, end, raw[place + 15 : raw.find(b'"', place + 15)].decode("ascii", "replace"))


def _without_copies(piece: bytes, tool: str) -> bytes:
    first, last = _COPIES[tool]
    start = piece.find(first)
    end = piece.find(last, start) if start > 0 else -1
    if end > 0:
        piece = piece[:start] + piece[end:]
    if tool == "Write":
        first, last = _ORIGINAL
        start = piece.find(first)
        end = piece.find(last, start) if start > 0 else -1
        if end > 0:
            piece = piece[:start] + piece[end + 1 :]
    return piece
