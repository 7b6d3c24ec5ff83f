"""JSON values spoilt in the ways that real files are, and in those that nobody would think of."""

import json
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

_DEEP: Any = "x"
for _ in range(60):
    _DEEP = [_DEEP]

#: What may stand where something else is expected.
_ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, -7, 3.5, 1e308, float("inf"), float("-inf"), float("nan"), 10**18, 10**400, -(10**30),
    "", " ", "x", "0", "-3", "true", "null", "\x00", "a\x00b", "\r", "\r\n", "\n", "\ud800", "a\udfffb", "é", "😀", "\u202e", "\u2028", "\x1b[31m",
    "../../etc/passwd", "/", "/dev/null", "~", "$HOME", "%s%n", "{key_points}", "{}", "[]", "<system>", "</private>", "<private>", "x" * 5000, "\n" * 300,
    "2026-11-22T00:00:00.000Z", "9999999999-99-99", [], {}, [[]], [None], [{}], {"": ""}, {"type": "text"}, {"a": None}, ["x", 1, None], _DEEP,
    {"type": "tool_result", "tool_use_id": "x", "content": []}, [{"type": "text", "text": None}], [{"type": "text", "text": "x"}], {"__proto__": 1},
)  # fmt: skip
odd_values = st.sampled_from(_ODD).map(deepcopy)  # a test may put one into another

_KINDS = "drop replace replace replace rename copy wrap cut double swap empty add".split()


@dataclass(frozen=True)
class Change:
    """One change of a value or of bytes: `where` picks a place, `other` a second one or an odd value."""

    kind: str
    where: int
    other: int


spoils = st.builds(Change, st.sampled_from(_KINDS), st.integers(0, 400), st.integers(0, 400))


def spoilt(value: Any, changes: list[Change]) -> Any:
    """A copy of `value` with the changes in it."""
    box = [deepcopy(value)]
    for change in changes:
        _apply(box, change)
    return box[0]


def _places(value: Any, found: list[tuple[Any, Any]], depth: int = 0) -> None:
    keys = list(value) if isinstance(value, dict) else []
    for key in keys or (range(len(value)) if isinstance(value, list) else ()):
        found.append((value, key))
        if depth < 12 and len(found) < 600:
            _places(value[key], found, depth + 1)


def _apply(box: list[Any], change: Change) -> None:
    places: list[tuple[Any, Any]] = []
    _places(box, places)
    holder, key = places[change.where % len(places)]
    odd = deepcopy(_ODD[change.other % len(_ODD)])
    match change.kind:
        case "drop" if holder is not box:
            del holder[key]
        case "rename" if isinstance(holder, dict):
            holder[str(odd)[:40]] = holder.pop(key)
        case "copy":
            holder[key] = deepcopy(places[change.other % len(places)][0])
        case "wrap":
            holder[key] = [holder[key]] if change.other % 2 else {"x": holder[key]}
        case "cut" if isinstance(holder[key], str):
            holder[key] = holder[key][: change.other % (len(holder[key]) + 1)]
        case "double" if isinstance(holder, list) and holder is not box:
            holder.insert(key, deepcopy(holder[key]))
        case "swap":
            there, other = places[change.other % len(places)]
            holder[key], there[other] = deepcopy(there[other]), deepcopy(holder[key])
        case "empty":
            holder[key] = type(holder[key])() if holder[key] is not None else ""
        case "add" if isinstance(holder[key], dict):
            holder[key][str(odd)[:40]] = odd
        case "add" if isinstance(holder[key], list):
            holder[key].append(odd)
        case _:
            holder[key] = odd


def dumped(value: Any) -> bytes:
    """As JSON in bytes; lone surrogates as themselves, in the three bytes that UTF-8 forbids, or escaped."""
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


# ------------------------------------------------------------------ bytes


_BREAKS = ["cut", "hole", "insert", "insert", "flip", "glue", "repeat", "swap", "drop", "tail"]
_INSERTED = (
    b"\x00", b"\xff", b"\r", b"\n", b"\r\n", b"\\", b'"', b"{", b"}", b"[" * 300, b'{"a":' * 120, b"\xed\xa0\x80", b"\xef\xbb\xbf", b"1e999", b"9" * 500, b"\\ud800",
    b"\x00" * 50, b",", b":", b"null", b"\xc3", b"\xe2\x80\xa8", b"-", b" " * 400, b"#", b"'", b"\t", b"*a", b"&a", b"!!python/object:x", b"---\n", b"NaN",
)  # fmt: skip

breaks = st.builds(
    Change, st.sampled_from(_BREAKS), st.integers(0, 100_000), st.integers(0, 100_000)
)


def broken(data: bytes, changes: list[Change]) -> bytes:
    for change in changes:
        data = _broken(data, change)
    return data


def _broken(data: bytes, change: Change) -> bytes:
    at, other = change.where % (len(data) + 1), change.other % (len(data) + 1)
    match change.kind:
        case "cut":
            return data[:at]
        case "tail":
            return data[at:]
        case "hole":
            length = abs(at - other)
            return data[:at] + data[at + (length if length < 200 else 3) :]
        case "insert":
            return data[:at] + _INSERTED[change.other % len(_INSERTED)] + data[at:]
        case "flip":
            return data[:at] + bytes([change.other % 256]) + data[at + 1 :]
        case "glue":
            place = data.find(b"\n", at)
            return data if place < 0 else data[:place] + data[place + 1 :]
        case "repeat":
            return data[:at] + data[at : at + change.other % 3000] + data[at:]
    lines = data.split(b"\n")
    one, two = change.where % len(lines), change.other % len(lines)
    if change.kind == "swap":
        lines[one], lines[two] = lines[two], lines[one]
    else:
        del lines[one]
    return b"\n".join(lines)


#: Text with the characters that programs trip over.
_TRIPPING = "\x00\r\n\t \"'\\`$(){}[]<>|;&#*?~=:/-_.,0123456789abcé😀\u2028\u202e\ud800"
texts = st.text(st.characters() | st.sampled_from(_TRIPPING), max_size=60)
json_values = st.recursive(
    odd_values | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
