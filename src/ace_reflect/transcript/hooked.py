"""Hooks' outputs: of a decoded attachment, and of a line's bytes. Most are never looked at: a session with hooks has many."""

from ace_reflect.transcript.envelopes import FLAG, FLAGGED
from ace_reflect.transcript.fields import cut_middle, mapping, plain_text, string
from ace_reflect.transcript.jsonlines import object_at
from ace_reflect.transcript.records import STAMP, TIME, HookOutput, made

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HOOKS = ("hook_", "async_hook")
_NOT_SIDECHAIN = b'"isSidechain":false'
_END = b'},"type":"attachment","uuid":"'
_TYPE = len(b'{"type":"')
_LONGEST = 100_000


def read(attachment: "dict[str, Any]") -> "dict[str, Any]":
    """What is told by a hook's attachment: its event and its text."""
    return {"event": string(attachment, "hookEvent"), "text": _text(attachment)}


def later(raw: bytes, kind: int, line: int, file: str | None) -> HookOutput | None:
    """The record of a line whose attachment's type stands at `kind`, decoded when somebody looks; None in other forms."""
    end = raw.rfind(_END, kind)
    stamp = raw[end + len(_END) : end + len(_END) + STAMP]
    if end < 0 or stamp[36:51] != TIME or stamp[-1:] != b'"' or raw[FLAG:FLAGGED] != _NOT_SIDECHAIN:
        return None
    fields: dict[str, Any] = {
        "line": line,
        "_stamp": stamp,
        "kind": raw[kind : raw.find(b'"', kind)].decode("utf-8", "replace"),
        "_later": (_decoded, raw, kind - _TYPE, end + 1),
    }
    if file is not None:
        fields["file"] = file
    return made(HookOutput, fields)


def _decoded(raw: bytes, start: int, stop: int) -> "dict[str, Any]":
    return read(object_at(raw, start, stop))


def _text(attachment: "dict[str, Any]") -> str:
    for text in (
        string(mapping(attachment, "blockingError"), "blockingError"),
        plain_text(attachment.get("content")),
        string(attachment, "stdout"),
        string(attachment, "message"),
        string(attachment, "stderr"),
    ):
        if text:
            return cut_middle(text, _LONGEST)
    return ""
