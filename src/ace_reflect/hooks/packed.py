"""What a stop keeps for the next one, as the bytes that stand in state.db: JSON, compressed where that is worth its time."""

import json
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ace_reflect.values import Value

    Json = dict[str, Any]

_AT_ONCE = 1_000  # facts
_SHORT = 2_000  # bytes: a compressor's own memory costs more than these


def packed(data: "Mapping[str, Any]") -> bytes:
    """`data` as bytes; records in it as objects."""
    pieces = (piece.encode("ascii") for piece in _pieces(data))
    first = next(pieces)
    if len(first) <= _SHORT and first.endswith(b"}"):
        return first
    packer = zlib.compressobj(1)
    return b"".join((packer.compress(first), *(packer.compress(piece) for piece in pieces), packer.flush()))


def unpacked(raw: bytes) -> "Json":
    """What was packed. Raises ValueError or zlib.error for what was not."""
    plain = raw if raw.startswith(b"{") else zlib.decompress(raw)
    found = json.loads(plain.decode("utf-8", "surrogatepass"))
    return found if isinstance(found, dict) else {}


def _pieces(data: "Mapping[str, Any]") -> "Iterator[str]":
    """
    `data` as JSON, in one piece or, where its lists are long, a slice after the other: `json` takes ten times the memory
    of what it writes while it writes it.
    """
    if sum(len(value) for value in data.values() if isinstance(value, (list, tuple))) <= _AT_ONCE:
        yield _as_json(data)
        return
    before = "{"
    for name, value in data.items():
        yield f"{before}{_as_json(name)}:"
        before = ","
        if not isinstance(value, (list, tuple)):
            yield _as_json(value)
            continue
        for start in range(0, len(value) or 1, _AT_ONCE):
            yield ("," if start else "[") + _as_json(value[start : start + _AT_ONCE])[1:-1]
        yield "]"
    yield "}"


def _as_json(value: "Any") -> str:
    """In ASCII: one odd character in it, and Python would keep the whole text at four bytes a character."""
    return json.dumps(value, separators=(",", ":"), default=_fields)


def _fields(record: "Value") -> "Json":
    """As `to_json` has them, without a copy of each."""
    return record.__dict__
