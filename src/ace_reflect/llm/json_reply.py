"""The JSON object in a model's reply: by the four strategies of REQ-REFL-008 in their order, then by salvage of what models
really send. Every step is linear in the reply, whatever it holds.
"""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from ace_reflect.errors import ModelReplyInvalid
from ace_reflect.llm.port import Reply

Json = dict[str, Any]

_STRICT = json.JSONDecoder()
_TOLERANT = json.JSONDecoder(strict=False)  # allows raw newlines and tabs in strings
#: A closed code fence: language, content.
_FENCE = re.compile(r"```([A-Za-z0-9_+\-]*+)(.*?)```", re.DOTALL)
_OBJECT_BEGINS = re.compile(r'\{\s*+["}]')
#: A string, a bracket or comma, or what is between them; a lone quote is a string that never ends.
_PIECE = re.compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"|[{}\[\],]|[^"{}\[\],]++|"', re.DOTALL)
_CLOSER_OF = {"{": "}", "[": "]"}
#: Local models put their thoughts into the text, often without the opening tag.
_THOUGHT_ENDS = ("</think>", "</thinking>", "</thought>", "</reasoning>")
_MAX_CHARS = 1_000_000  # more than any model writes; a longer text is read up to here


def extract_json(text: str) -> Json | None:
    """The JSON object in `text`, or None. Source: REQ-REFL-008."""
    if not isinstance(text, str):
        return None
    text = text[:_MAX_CHARS]
    fences = _FENCE.findall(text)
    json_fence = next((body for tag, body in fences if tag.lower() == "json"), "")
    bare_fence = next((body for tag, body in fences if not tag), "")
    for candidate in (json_fence, bare_fence, _balanced(text), text, *(body for _, body in fences)):
        found = _decoded(candidate, _STRICT)
        if found is not None:
            return found
    return next(every_object(text), None)


def extract_object_with(text: str, *keys: str) -> Json | None:
    """The first object in `text` with one of `keys`: behind what a model thought aloud if there is one, else anywhere, else
    inside of the first object (`{"result": {…}}`); failing that, what `extract_json` gives.
    """
    text = text[:_MAX_CHARS]
    ends = [end for end in _THOUGHT_ENDS if end in text]
    answer = min((text.rpartition(end)[2] for end in ends), key=len, default="")
    for part in filter(None, (answer, text)):
        first = extract_json(part) or {}
        inner = (value for value in first.values() if isinstance(value, dict))
        for found in chain([first], every_object(part), inner):
            if any(key in found for key in keys):
                return found
    return extract_json(text)


def object_in(reply: Reply, *keys: str) -> Json:
    """A reply's object: the provider's own where it enforces the schema, else one with `keys`. Raises ModelReplyInvalid."""
    if reply.structured:
        return dict(reply.structured)
    found = extract_object_with(reply.text, *keys) if keys else extract_json(reply.text)
    if found is None:
        cut = ", for it was cut off" if reply.cut else ""
        raise ModelReplyInvalid(f"the answer holds no JSON object{cut}")
    return found


def _balanced(text: str) -> str:
    """From the first brace to the one that closes it, not counting braces inside strings."""
    start, depth, in_string = text.find("{"), 0, False
    for match in re.finditer(r'\\.|["{}]', text[start:] if start >= 0 else "", re.DOTALL):
        if match[0] == '"':
            in_string = not in_string
        elif not in_string and len(match[0]) == 1:
            depth += 1 if match[0] == "{" else -1
            if depth == 0:
                return text[start : start + match.end()]
    return ""


def every_object(text: str) -> Iterator[Json]:
    """Each object in `text` that is not inside another one, repaired if necessary."""
    # Characters read in failed tries count: nested braces in garbage would otherwise be read again from each one.
    budget, at = len(text) + 1_000, 0
    while budget > 0 and (begin := _OBJECT_BEGINS.search(text, at)) is not None:
        start = begin.start()
        try:
            found, at = _TOLERANT.raw_decode(text, start)
        except (ValueError, RecursionError):
            found, at = _mended(text, start)
        if found is None:
            budget -= at - start
            at = start + 1
        else:
            yield found


def _mended(text: str, start: int) -> tuple[Json | None, int]:
    """The object that begins at `start`, without its trailing commas and, if it was cut off, closed after its last complete
    element; and where reading ended. An element of a list is complete only as a whole: half a vote is none.
    """
    kept: list[str] = []
    closers: list[str] = []  # of the open brackets
    inner = 0  # open objects inside the outermost one
    whole, depth = (
        0,
        0,
    )  # how many pieces make up the complete elements, and how many brackets are open behind them
    end = start
    for match in _PIECE.finditer(text, start):
        piece, end = match[0], match.end()
        if piece == '"':
            break
        if piece in {"}", "]"} and closers[-1] != piece:
            inner += 1  # a wrong bracket could close anything
            break
        if piece.isspace():
            continue
        if piece in _CLOSER_OF:
            inner += piece == "{" and bool(closers)
            closers.append(_CLOSER_OF[piece])
        elif piece in {"}", "]"}:
            closers.pop()
            inner -= piece == "}"
            if kept[-1] == ",":
                kept.pop()
        kept.append(piece)
        if not closers:
            return _decoded("".join(kept)), end
        if inner == 0 and piece in {",", "}", "]"}:
            whole, depth = len(kept) - (piece == ","), len(closers)
    found = _decoded("".join(kept + closers[::-1])) if inner == 0 else None
    if found is None:
        found = _decoded("".join(kept[:whole] + closers[:depth][::-1]))
    return found, end


def _decoded(text: str, decoder: json.JSONDecoder = _TOLERANT) -> Json | None:
    """The whole text as an object, or None."""
    try:
        value = decoder.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
