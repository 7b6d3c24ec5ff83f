"""
The JSON object in a model's reply.

The four strategies of REQ-REFL-008 in their order, the first valid JSON *object* wins; then salvage for what models
really send: a second fence, an object after a brace in prose, trailing commas, raw newlines, a reply cut off in the
middle. Every step is linear in the reply, whatever it holds.
"""

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ace_reflect.llm.loose_json import TOLERANT, decoded, loose_objects
from ace_reflect.llm.port import ModelReplyInvalid, Reply

_FENCE = "```"
_TAG = re.compile(r"[A-Za-z0-9_+\-]*")
_STRICT = json.JSONDecoder()
_OBJECT_BEGINS = re.compile(r'\{\s*+["}]')
#: A string, a bracket or comma, what is between them; a lone quote is a string that never ends.
_PIECE = re.compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"|[{}\[\],]|[^"{}\[\],]++|"', re.DOTALL)
_CLOSER_OF = {"{": "}", "[": "]"}
#: Local models write their thoughts into the text, often without the opening tag.
_THOUGHT_ENDS = ("</think>", "</thinking>", "</thought>", "</reasoning>")
_MAX_CHARS = 1_000_000  # more than any model writes; a longer text is read up to here
#: Beginnings of an object that are tried in salvage: each failure costs a count of the lines above it.
_MAX_TRIES = 2_000
_COST_OF_NESTING = 10_000  # what a try that ended in RecursionError is taken to have read


def extract_json(text: str) -> dict[str, Any] | None:
    """
    The JSON object that `text` holds, or None.

    Source: REQ-REFL-008.
    """
    if not isinstance(text, str):
        return None
    text = text[:_MAX_CHARS]
    fences = tuple(_fences(text))
    found = _by_specification(text, fences)
    return found if found is not None else _salvage(text, fences)


def extract_object_with(text: str, *keys: str) -> dict[str, Any] | None:
    """
    The first object in `text` that has one of `keys`: behind what a model thought aloud if there is one, else anywhere,
    else inside of the first object (`{"result": {…}}`), else one that is only nearly JSON. Where none has, what
    `extract_json` gives.
    """
    if not isinstance(text, str):
        return None
    text = text[:_MAX_CHARS]
    answer = _behind_thoughts(text)
    found = (_with(answer, keys) if answer else None) or _with(text, keys)
    return found or _having(loose_objects(answer or text), keys) or extract_json(text)


def object_in(reply: Reply, *keys: str) -> dict[str, Any]:
    """
    The object of a reply: the provider's own where it enforces the schema, else the first with one of `keys`
    (`extract_object_with`; without keys `extract_json`). Raises ModelReplyInvalid where there is none.
    """
    if reply.structured:
        return dict(reply.structured)
    found = extract_object_with(reply.text, *keys) if keys else extract_json(reply.text)
    if found is None:
        raise ModelReplyInvalid(
            "the answer holds no JSON object" + (", for it was cut off" if reply.cut else "")
        )
    return found


def _behind_thoughts(text: str) -> str:
    """What follows a thought written into the text, which may draft an answer; "" where there is none."""
    return min(
        (text.rpartition(end)[2] for end in _THOUGHT_ENDS if end in text), key=len, default=""
    )


def _with(text: str, keys: tuple[str, ...]) -> dict[str, Any] | None:
    first = extract_json(text)
    if first is None:
        return None
    inner = (value for value in first.values() if isinstance(value, dict))
    return _having(itertools.chain((first,), every_object(text), inner), keys)


def _having(objects: Iterable[dict[str, Any]], keys: tuple[str, ...]) -> dict[str, Any] | None:
    return next((found for found in objects if any(key in found for key in keys)), None)


def _by_specification(text: str, fences: tuple[tuple[str, str], ...]) -> dict[str, Any] | None:
    """Json fence, bare fence, balanced braces from the first one on, the text as a whole."""
    json_fence = next((body for tag, body in fences if tag == "json"), "")
    bare_fence = next((body for tag, body in fences if not tag), "")
    for candidate in (json_fence, bare_fence, _balanced(text), text):
        found = decoded(candidate, _STRICT)
        if found is not None:
            return found
    return None


def _balanced(text: str) -> str:
    """From the first brace to the one that closes it, counted as JSON does: outside of strings."""
    start = text.find("{")
    if start < 0:
        return ""
    depth = 0
    for match in _PIECE.finditer(text, start):
        if match[0] == '"':
            break
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return text[start : match.end()]
    return ""


def _salvage(text: str, fences: tuple[tuple[str, str], ...]) -> dict[str, Any] | None:
    for _, body in fences:
        found = decoded(body, _STRICT)
        if found is not None:
            return found
    return next(every_object(text), None)


def _fences(text: str) -> Iterator[tuple[str, str]]:
    """Each closed code fence as (language in lower case, content), paired from the start."""
    at = text.find(_FENCE)
    while at >= 0:
        tag = _TAG.match(text, at + len(_FENCE))
        begin = tag.end() if tag else at + len(_FENCE)
        end = text.find(_FENCE, begin)
        if end < 0:
            return
        yield text[at + len(_FENCE) : begin].lower(), text[begin:end]
        at = text.find(_FENCE, end + len(_FENCE))


def _object_at(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that begins at `start`, and where reading ended."""
    try:
        value, end = TOLERANT.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return None, max(error.pos, start + 1)
    except (
        ValueError,
        RecursionError,
    ):  # a number of too many digits; nesting that no reply of ours has
        return None, min(len(text), start + _COST_OF_NESTING)
    return value, end


def every_object(text: str) -> Iterator[dict[str, Any]]:
    """
    Each object in `text` that is not inside another one, mended where it must be.

    What failed tries read is counted: braces nested in garbage would otherwise be read again from each brace on.
    """
    budget = 8 * len(text) + 100_000
    at = 0
    for _ in range(_MAX_TRIES):
        begin = _OBJECT_BEGINS.search(text, at)
        if begin is None or budget < 0:
            return
        start = begin.start()
        found, end = _object_at(text, start)
        if found is None:
            budget -= end - start
            found, end = _mended(text, start)
        if found is None:
            budget -= end - start
            end = start + 1
        else:
            yield found
        at = end


def _mended(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """
    The object that begins at `start`, without its trailing commas and, if it was cut off, closed after its last complete
    element; and where reading ended. An element of a list is complete only as a whole: half a vote is none.
    """
    kept: list[str] = []
    closers: list[str] = []  # of the brackets that are open
    inner = 0  # objects open inside the outermost one
    whole, end = 0, start  # how many pieces make up the complete elements; where reading is
    for match in _PIECE.finditer(text, start):
        piece, end = match[0], match.end()
        if piece == '"':
            break
        if piece in _CLOSER_OF:
            closers.append(_CLOSER_OF[piece])
            inner += piece == "{" and len(closers) > 1
        elif piece in {"}", "]"}:
            if closers.pop() != piece:
                break
            inner -= piece == "}"
            _drop_comma(kept)
        kept.append(piece)
        if not closers:
            return decoded("".join(kept)), end
        if inner == 0 and piece in {",", "}", "]"}:
            whole = len(kept) - (piece == ",")
    found = decoded("".join(kept) + "".join(reversed(closers))) if inner == 0 else None
    return found if found is not None else decoded(_closed(kept[:whole])), end


def _closed(pieces: list[str]) -> str:
    closers: list[str] = []
    for piece in pieces:
        if piece in _CLOSER_OF:
            closers.append(_CLOSER_OF[piece])
        elif piece in {"}", "]"}:
            closers.pop()
    return "".join(pieces) + "".join(reversed(closers))


def _drop_comma(kept: list[str]) -> None:
    """Take a trailing comma off, with the space after it. There is a bracket at least, which is neither."""
    if kept[-1].isspace() and kept[-2] == ",":
        del kept[-2:]
    elif kept[-1] == ",":
        kept.pop()
