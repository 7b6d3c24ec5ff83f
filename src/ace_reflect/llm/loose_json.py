"""
An object that is nearly JSON: as Python prints it, as JavaScript writes it, or with comments.

Models that were not trained on strict output write `{'done': True}`, `{done: true}` and `"done": true, // ran it`. What
it says is clear; to ask again costs a call and often gives the same. The specification's own reading stays strict.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

_MAX_STARTS = 20  # opening braces that are tried
TOLERANT = json.JSONDecoder(strict=False)  # lets raw newlines and tabs in strings through
_TOKEN = re.compile(
    r"""(?P<string>"[^"\\]*+(?>(?:\\.[^"\\]*+)*)")
    |(?P<quoted>'[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)'|[“][^“”"\\\n]*+[”])
    |(?P<skipped>\s++|//[^\n]*+|\#[^\n]*+|/\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/)
    |(?P<mark>[{}\[\],:])
    |(?P<key>[A-Za-z_$][\w$-]*+(?=\s*+:))
    |(?P<word>[A-Za-z]++(?![\w$-]))
    |(?P<number>-?\d[\d.eE+-]*+(?!\w))""",
    re.DOTALL | re.VERBOSE,
)
_WORDS = {
    **dict.fromkeys(("true", "True"), "true"),
    **dict.fromkeys(("false", "False"), "false"),
    **dict.fromkeys(("null", "None", "undefined", "NaN"), "null"),
}


def loose_objects(text: str) -> Iterator[dict[str, Any]]:
    """Each object in `text` that is not inside another one and can be read as nearly JSON; a cut-off one is none."""
    at, read = 0, 0
    for _ in range(_MAX_STARTS):
        start = text.find("{", at)
        if start < 0 or read > len(text):  # each try reads on until something fits no longer
            return
        found, end = _object_at(text, start)
        read += end - start
        if found is not None:
            yield found
        at = end if found is not None else start + 1


def _object_at(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    kept: list[str] = []
    depth, at = 0, start
    while (token := _TOKEN.match(text, at)) is not None:
        piece, at = _as_json(token), token.end()
        if piece is None:
            break
        if piece in {"}", "]"}:
            depth -= 1
            if kept[-1] == ",":
                kept.pop()
        depth += piece in {"{", "["}
        kept.extend((piece,) if piece else ())
        if depth == 0:
            return decoded("".join(kept)), at
    return None, at


def _as_json(token: re.Match[str]) -> str | None:
    """A token as JSON writes it; "" for what says nothing, None for a word that JSON has no word for."""
    kind, said = token.lastgroup, token[0]
    if kind == "skipped":
        return ""
    if kind == "word":
        return _WORDS.get(said)
    if kind == "key":
        return json.dumps(said)
    if kind == "quoted":
        inner = re.sub(
            r'\\.|"', lambda found: {"\\'": "'", '"': '\\"'}.get(found[0], found[0]), said[1:-1]
        )
        return f'"{inner}"'
    return said


def decoded(text: str, decoder: json.JSONDecoder = TOLERANT) -> dict[str, Any] | None:
    """The object that the whole text is, or None."""
    try:
        value = decoder.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
