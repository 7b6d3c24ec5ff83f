"""
A look at a line's bytes before JSON sees them: most of a transcript is not conversation, and most of what is left is
the text of files that were read.

Two facts make the looks safe. Inside a JSON string every quote is written `\\"`, so a mark with bare quotes
(`"type":"progress"`) is never part of somebody's text. And a mark that only one `{` precedes is the line's own field,
not one of a nested object. A line that does not look as expected is decoded whole: the filter passes too much, never
too little.
"""

import re

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
ATTACHMENTS = ("hook_", "async_hook_response", "queued_command", "plan_mode", "auto_mode_exit")
_ATTACHMENT = b'"attachment":{"type":"'
_READ_ATTACHMENTS = tuple(name.encode() for name in ATTACHMENTS)

_PROGRESS = b'"type":"progress","data":{'
_SYSTEM = b'"type":"system"'
_READ_SYSTEM = (b'"subtype":"compact_boundary"', b'"subtype":"local_command"', b'"preventedContinuation":true')

#: A subagent's looking around, which the main file repeats, is told by nobody.
_LOOKING = tuple(
    f'"name":"{name}","input":'.encode() for name in ("Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch")
)

#: A second object, behind one that is whole or was cut short, begins in the same line.
second = re.compile(rb'\{"(?:parentUuid":|(?<=\}\{")type":")').search
_HEAD = 2_048
_LARGE = 4_096
_BASE64 = (b'"data":"', b'"base64":"')
#: Large strings of `toolUseResult` that are not looked at, with the keys that follow them in the versions seen.
_UNREAD = (
    (b'"originalFile":"', (b'","structuredPatch":', b'","userModified":', b'","memdirStamped":', b'"},"')),
    (b'"originalFileContents":"', (b'","structuredPatch":', b'","userModified":', b'"},"')),
)


def tells_nothing(raw: bytes, calls: "Container[str]", *, progress: bool) -> bool:
    """
    Whether the line can hold no record.

    `calls` are those without a result yet. With `progress` false, subagents' copies in the main file count as nothing.
    """
    if raw.startswith(b'{"parentUuid":'):
        return _aside(raw, calls, progress=progress) and second(raw, 1) is None
    return raw.startswith(BARE) and second(raw, 1) is None


def _aside(raw: bytes, calls: "Container[str]", *, progress: bool) -> bool:
    place = raw.find(_PROGRESS, 0, _HEAD)
    if place > 0:
        return raw.count(b"{", 0, place) == 1 and not (progress and _subagent_call(raw, calls))
    place = raw.find(_ATTACHMENT, 0, _HEAD)
    if place > 0:
        return raw.count(b"{", 0, place) == 1 and not raw.startswith(_READ_ATTACHMENTS, place + len(_ATTACHMENT))
    place = raw.find(_SYSTEM, 0, _HEAD)
    if place > 0:
        return raw.count(b"{", 0, place) == 1 and not any(mark in raw for mark in _READ_SYSTEM)
    return False


def _subagent_call(raw: bytes, calls: "Container[str]") -> bool:
    """Whether a subagent's message holds a call that is told, or the result of one."""
    if b'"agent_progress"' not in raw:
        return False
    if b'"tool_result"' in raw:
        start = raw.find(b'"tool_use_id":"') + 15
        one = start > 14 and raw.find(b'"tool_use_id":"', start) < 0
        return not one or raw[start : raw.find(b'"', start)].decode("ascii", "replace") in calls
    return b'"tool_use"' in raw and not any(mark in raw for mark in _LOOKING)


def lighter(raw: bytes) -> bytes:
    """The line without pictures and without the whole files that edits carry; the same bytes if it is small."""
    if len(raw) < _LARGE:
        return raw
    for mark in _BASE64:
        raw = _without_base64(raw, mark)
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
