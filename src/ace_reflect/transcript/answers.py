"""A successful result's text and `toolUseResult`, from a line's bytes, when somebody looks at them."""

from ace_reflect.transcript.fields import plain_text
from ace_reflect.transcript.jsonlines import opening_of_string, text_at, value_at
from ace_reflect.transcript.results import CUT_ABOVE, answer_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ANSWER = b'"toolUseResult":'
_NEAR = 600
_SHELLS = frozenset({"Bash", "PowerShell"})
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


def cut_by_host(raw: bytes, start: int, stop: int) -> bool:
    """Whether the host may have cut this output: then the longer copy in the answer is wanted."""
    if raw.startswith(b"<persisted-output>", start):
        return True
    return stop - start > CUT_ABOVE and raw.find(b"truncated]", start, stop) >= 0


def place(raw: bytes, end: int, tool: str) -> int | None:
    """
    Where the answer stands behind `end`.

    None where it may hold what a record tells before anybody looks: a background task, an output that was cut, a mode, or
    words instead of an object.
    """
    found = raw.find(_ANSWER, end, end + _NEAR) + len(_ANSWER)
    if raw[found : found + 1] not in _OPENINGS or raw.find(b'"permissionMode"', max(found, len(raw) - _TAIL)) > 0:
        return None
    if tool in _SHELLS:
        start = raw.find(_SHELL_END, found)
        return None if start < 0 or raw.find(b'"backgroundTaskId"', start) > 0 else found
    return None if tool not in _COPIES and raw.find(b'"truncated":true', found) > 0 else found


def said(raw: bytes, end: int) -> str | None:
    """The beginning of an answer in words; None where there is none, or a mode or a kind of refusal stands beside it."""
    found = raw.find(_ANSWER + b'"', end, end + _NEAR) + len(_ANSWER) + 1
    tail = max(found, len(raw) - _TAIL)
    if found <= len(_ANSWER) or raw.find(b'"toolDenialKind"', tail) > 0 or raw.find(b'"permissionMode"', tail) > 0:
        return None
    return opening_of_string(raw[found : found + _NEAR])


def read_text(raw: bytes, start: int, stop: int, answer: int, tool: str) -> "dict[str, Any]":
    """The fields `text`, `details` and `patch` of a ToolResult whose content is a string."""
    return _fields(text_at(raw, start, stop), raw[answer:], tool)


def read_list(raw: bytes, start: int, stop: int, answer: int, tool: str) -> "dict[str, Any]":
    """The same, where the content is a list of blocks."""
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
