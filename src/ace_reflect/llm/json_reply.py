"""The JSON object in a model's reply: by the four strategies of REQ-REFL-008 in their order, then by salvage of what models
really send. Every step is linear in the reply, whatever it holds.
"""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from pydantic_core import from_json

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
    first_braces = _decoded(text, start=text.find("{"))
    found = (_decoded(json_fence), _decoded(bare_fence), first_braces, _decoded(text))
    salvaged = chain((_decoded(body) for _, body in fences), every_object(text))
    return next((one for one in chain(found, salvaged) if one is not None), None)


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
    """A reply's object, the one with `keys` if there is one. Raises ModelReplyInvalid."""
    found = extract_object_with(reply.text, *keys)
    if found is None:
        cut = ", for it was cut off" if reply.cut else ""
        raise ModelReplyInvalid(f"the answer holds no JSON object{cut}")
    return found


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
    """The object that begins at `start`, without its trailing commas and, if it was cut off, without the inner object that
    it was cut off in, for half a vote is none; and where reading ended.
    """
    kept: list[str] = []
    opened: list[
        tuple[str, int]
    ] = []  # what closes each open bracket, and how many pieces stand before it
    end = start
    for match in _PIECE.finditer(text, start):
        piece, end = match[0], match.end()
        if piece == '"' or (piece in {"}", "]"} and opened[-1][0] != piece):
            break
        if piece in _CLOSER_OF:
            opened.append((_CLOSER_OF[piece], len(kept)))
        elif piece in {"}", "]"}:
            opened.pop()
            if kept[-1] == ",":
                kept.pop()
        if not piece.isspace():
            kept.append(piece)
        if not opened:
            return _decoded("".join(kept), _TOLERANT), end
    inner = next((place for closer, place in opened[1:] if closer == "}"), len(kept))
    try:
        return from_json("".join(kept[:inner]), allow_partial=True) or None, end
    except ValueError:
        return None, end


def _decoded(
    text: str, decoder: json.JSONDecoder = _STRICT, start: int | None = None
) -> Json | None:
    """The whole text as an object, or what begins at `start` up to its own closing brace; None if that is none."""
    try:
        value = decoder.decode(text) if start is None else decoder.raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
