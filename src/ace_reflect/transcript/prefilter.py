"""
A look at a line's bytes before JSON sees them: most of a transcript is not conversation, and most of what is left is
the text of files that were read.

Two facts make the looks safe. Inside a JSON string every quote is written `\\"`, so a mark with bare quotes
(`"type":"progress"`) is never part of somebody's text. And a mark that only one `{` precedes is the line's own field,
not one of a nested object. A line that does not look as expected is decoded whole: the filter passes too much, never
too little.
"""

from ace_reflect import regex as re

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
