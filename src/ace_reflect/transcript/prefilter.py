"""
A look at a line's bytes before JSON sees them: most of a transcript is not conversation, and most of what is left is
the text of files that were read.

Two facts make the looks safe. Inside a JSON string every quote is written `\\"`, so a mark with bare quotes
(`"type":"progress"`) is never part of somebody's text. And a mark that only one `{` precedes is the line's own field,
not one of a nested object. A line that does not look as expected is decoded whole: the filter passes too much, never
too little.
"""

import re

from ace_reflect.transcript.tools import LOOKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

#: `{"type":…` lines that say nothing of the work: state of the screen, checkpoints, the requests as sent.
BARE = tuple(
    f'{{"type":"{name}'.encode()
    for name in (
        "file-history", "api-request", "last-prompt", 'mode"', "atis-latch", "tools-used", "cost-state", "custom-title",
        "ai-title", "agent-name", "agent-color", "agent-setting", "frame-link", 'summary"', 'tag"', "speculation",
        "worktree-state", "content-replacement", "marble-origami", "attribution-snapshot", "task-summary",
    )
)  # fmt: skip

#: The attachments that are read; all others are context that the host gave the model.
READ_ATTACHMENTS = (b"hook_", b"async_hook_response", b"queued_command", b"plan_mode")
_ATTACHMENT = b'"attachment":{"type":"'

_SYSTEM = b'"type":"system"'
_READ_SYSTEM = (b'"subtype":"compact_boundary"', b'"subtype":"local_command"', b'"preventedContinuation":true')

_LOOKS = frozenset(name.encode() for name in LOOKING)
_LOOKING = tuple(b'"name":"' + name + b'","input":' for name in sorted(_LOOKS))
_AGENTS_RESULT = b'"message":{"type":"user","message":{"role":"user","content":[{"tool_use_id":"'
_AGENTS_WORDS = b'"message":{"type":"assistant",'
_AGENTS_CALL = b'"content":[{"type":"tool_use","id":"'
_CALL = b'"tool_use_id":"'
#: What stands behind a subagent's message: the same in another form, which holds no more.
COPY = b'},"normalizedMessages":'

#: A second object, behind one that is whole or was cut short, begins in the same line.
second = re.compile(rb'\{"(?:parentUuid":|(?<=\}\{")type":")').search
_HEAD = 2_048
_LARGE = 4_096
_LIGHT = 65_536  # bytes: below this a line is decoded sooner than searched
_BASE64 = (b'"data":"', b'"base64":"')
#: Large strings of `toolUseResult` that are not looked at, with the keys that follow them in the versions seen.
_UNREAD = (
    (b'"originalFile":"', (b'","structuredPatch":', b'","userModified":', b'","memdirStamped":', b'"},"')),
    (b'"originalFileContents":"', (b'","structuredPatch":', b'","userModified":', b'"},"')),
)


def tells_nothing(raw: bytes) -> bool:
    """Whether the line of an envelope can hold no record. (Progress, and lines without an envelope, `quick` knows itself.)"""
    return raw.startswith(b'{"parentUuid":') and _aside(raw) and second(raw, 1) is None


def _aside(raw: bytes) -> bool:
    place = raw.find(_ATTACHMENT, 0, _HEAD)
    if place > 0:
        return raw.find(b"{", 1, place) < 0 and not raw.startswith(READ_ATTACHMENTS, place + len(_ATTACHMENT))
    place = raw.find(_SYSTEM, 0, _HEAD)
    if place > 0:
        return raw.find(b"{", 1, place) < 0 and not tells_of_system(raw)
    return False


def tells_of_system(raw: bytes) -> bool:
    """Whether a `system` line is one of those that are read."""
    return any(raw.find(mark) >= 0 for mark in _READ_SYSTEM)


def subagent_call(raw: bytes, place: int, calls: "Container[str]") -> bool:
    """Whether a subagent's message holds a call that is told, or the result of one. At `place` its data begin."""
    if raw.startswith(_AGENTS_RESULT, place):  # as it is written; the prompt behind it is long
        start = place + len(_AGENTS_RESULT)
        end = raw.find(b'"', start)
        told = raw[start:end].decode("ascii", "replace") in calls
        return told or raw.find(_CALL, end, raw.find(COPY, end)) > 0  # or further results
    if raw.startswith(_AGENTS_WORDS, place):
        start = raw.find(_AGENTS_CALL, place, place + _HEAD) + len(_AGENTS_CALL)
        start = raw.find(b'","name":"', start, start + 80) + 10 if start > place else 0
        if start > place:
            return raw[start : raw.find(b'"', start)] not in _LOOKS
    return raw.find(b'"agent_progress"') >= 0 and _tells(raw, calls)


def _tells(raw: bytes, calls: "Container[str]") -> bool:
    if raw.find(b'"tool_result"') >= 0:
        start = raw.find(_CALL) + len(_CALL)
        one = start >= len(_CALL) and raw.find(_CALL, start) < 0
        return not one or raw[start : raw.find(b'"', start)].decode("ascii", "replace") in calls
    return raw.find(b'"tool_use"') >= 0 and not any(raw.find(mark) >= 0 for mark in _LOOKING)


def lighter(raw: bytes) -> bytes:
    """The line without pictures and without the whole files that edits carry; the same bytes if it is small."""
    if len(raw) < _LIGHT:
        return raw
    if raw.find(b'"base64"') > 0:
        for mark in _BASE64:
            raw = _without_base64(raw, mark)
    if raw.find(b'"originalFile') > 0:
        for mark, ends in _UNREAD:
            raw = _without_string(raw, mark, ends)
    return raw


def _without_base64(raw: bytes, mark: bytes) -> bytes:
    """Base64 has neither quotes nor escapes, so it ends at the next quote."""
    pieces, done = [], 0
    while (place := raw.find(mark, done)) >= 0:
        start = place + len(mark)
        end = raw.find(b'"', start)
        if end - start > _LARGE and raw.find(b"\\", start, end) < 0:
            pieces.append(raw[done:start])
            done = end
        else:
            pieces.append(raw[done:start])
            done = start
    return b"".join((*pieces, raw[done:])) if pieces else raw


def _without_string(raw: bytes, mark: bytes, ends: "tuple[bytes, ...]") -> bytes:
    place = raw.find(mark)
    if place < 0:
        return raw
    start = place + len(mark)
    end = min((found for found in (raw.find(end, start) for end in ends) if found >= 0), default=-1)
    return raw[:start] + raw[end:] if end >= 0 else raw
