"""A successful result's text and `toolUseResult`, from a line's bytes, when somebody looks at them."""

from ace_reflect.transcript.fields import TEXT_CAP, plain_text
from ace_reflect.transcript.jsonlines import opening_of_string, text_at, value_at
from ace_reflect.transcript.results import CUT_ABOVE, PERSISTED, answer_fields
from ace_reflect.transcript.tool_names import READING, SHELLS
from ace_reflect.transcript.tools import KEPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ANSWER = b'"toolUseResult":'
_PERSISTED = PERSISTED.encode()
_RESULT = b'"type":"tool_result"'
_NEAR = 600
_MODE = b'"permissionMode"'
_QUOTE, _BRACKET = b'"]'
_OPENING = 12 * KEPT + 12  # bytes that hold KEPT characters however they are escaped
_SHELL_END = b'","interrupted":'

#: By tool: from where to where the answer holds nothing but copies of the call, of the output, or a whole file.
_COPIES = {
    "Bash": (b'"stdout":"', b'"stderr":"'),
    "PowerShell": (b'"stdout":"', b'"stderr":"'),
    "Edit": (b'"oldString":"', b'"structuredPatch":'),
    "MultiEdit": (b'"originalFileContents":"', b'"structuredPatch":'),
    "Write": (b'"content":"', b'"structuredPatch":'),
}
_OPENINGS = (b"{", b"[")
_ORIGINAL = (b',"originalFile":"', b'","userModified":')
_TAIL = 800  # bytes at a line's end in which its own short fields stand


def later(raw: bytes, start: int, stop: int, end: int, answer: int, tool: str) -> "tuple[Any, ...] | None":
    """
    What is called, and with what, when somebody looks at a result whose content stands from `start` to `stop`.

    The message ends at `end`, the answer begins at `answer` (0 where that is to be found). None where the content is not
    as expected, or the answer may hold what a record tells before anybody looks: a background task, an output that was
    cut, a mode.
    """
    if raw[start - 1] != _QUOTE:
        # A list of blocks ends the message with `]`; a person's words beside it would end with a quote.
        if raw[stop - 1] != _BRACKET or raw.find(_RESULT, start, end) > 0 or raw.find(_PERSISTED, start, stop) > 0:
            return None
        read, start = read_list, start - 1
    elif raw[stop - 1] != _QUOTE:
        return None
    elif tool in READING:
        return read_opening, raw[start : min(start + _OPENING, stop)]  # not the line: a reading is long
    else:
        read = read_persisted if raw[start : start + len(_PERSISTED)] == _PERSISTED else read_text
    size = stop - start
    if size > CUT_ABOVE and (size > TEXT_CAP or raw.find(b"truncated]", start, stop) > 0):  # by the host
        return None
    if not answer:
        answer = raw.find(_ANSWER, end, end + _NEAR) + len(_ANSWER)
        # Words are looked at too; and a mode may stand before the answer.
        if raw[answer : answer + 1] not in _OPENINGS or raw.find(_MODE, end, answer) > 0:
            return None
    if tool in SHELLS:  # what stands behind the output is short, the output is not
        tail = raw.rfind(_SHELL_END, answer)
        if tail < 0 or raw.find(b'"backgroundTaskId"', tail) > 0:
            return None
    else:
        if read is read_persisted or (tool not in _COPIES and raw.rfind(b'"truncated":true', answer) > 0):
            return None
        tail = max(answer, len(raw) - _TAIL)
    return None if raw.find(_MODE, tail) > 0 else (read, raw, start, stop, answer, tool)


def said(raw: bytes, end: int) -> str | None:
    """The beginning of an answer in words; None where there is none, or a mode or a kind of refusal stands beside it."""
    found = raw.find(_ANSWER + b'"', end, end + _NEAR) + len(_ANSWER) + 1
    tail = max(end, len(raw) - _TAIL)
    if found <= len(_ANSWER) or raw.find(b'"toolDenialKind"', tail) > 0 or raw.find(_MODE, tail) > 0:
        return None
    return opening_of_string(raw[found : found + _NEAR])


def read_opening(piece: bytes) -> "dict[str, Any]":
    """The fields `text`, `details` and `patch` of a reading, of which the beginning is kept."""
    return {"text": opening_of_string(piece)[:KEPT], "details": None, "patch": ()}


def read_text(raw: bytes, start: int, stop: int, answer: int, tool: str) -> "dict[str, Any]":
    """The same of any other ToolResult whose content is a string."""
    return _fields(text_at(raw, start, stop), raw[answer:], tool)


def read_persisted(raw: bytes, start: int, stop: int, answer: int, tool: str) -> "dict[str, Any]":  # noqa: ARG001 - called as its like are
    """A shell's result that the host put into a file, with the field `stdout`: the answer's longer copy. It is `truncated`."""
    return read_beside(raw, start, stop, value_at(raw[answer:]))


def read_beside(raw: bytes, start: int, stop: int, answer: "Any") -> "dict[str, Any]":
    """A result whose answer was decoded before."""
    text = text_at(raw, start, stop)
    return {"text": text, "details": None, "patch": ()} | answer_fields(answer, text)


def read_list(raw: bytes, start: int, stop: int, answer: int, tool: str) -> "dict[str, Any]":
    """Where the content is a list of blocks."""
    return _fields(plain_text(value_at(raw[start:stop])), raw[answer:], tool)


def _fields(text: str, piece: bytes, tool: str) -> "dict[str, Any]":
    fields: dict[str, Any] = {"text": text, "details": None, "patch": ()}
    if len(piece) > _NEAR and tool in _COPIES:
        piece = _without_copies(piece, tool)
    return fields | answer_fields(value_at(piece), text)


def _without_copies(piece: bytes, tool: str) -> bytes:
    piece = _cut(piece, *_COPIES[tool], skip=0)
    return _cut(piece, *_ORIGINAL, skip=1) if tool == "Write" else piece


def _cut(piece: bytes, first: bytes, last: bytes, *, skip: int) -> bytes:
    start = piece.find(first)
    end = piece.find(last, start) if start > 0 else -1
    return piece[:start] + piece[end + skip :] if end > 0 else piece
