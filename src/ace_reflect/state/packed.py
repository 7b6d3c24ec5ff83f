"""
What a stop keeps for the next one, as the bytes that stand in state.db: JSON, compressed where it is much.

A session at work is read and written at every stop, and compressing takes longer than all else that is done with it:
the worker compresses what lies still (`rest`).
"""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from ace_reflect.state.db import State
    from ace_reflect.values import Value

    Json = dict[str, Any]

_AT_ONCE = 1_000  # facts
_MUCH = 1_000_000  # bytes
_STILL_S = 3_600.0


def packed(data: "Mapping[str, Any]") -> bytes:
    """`data` as bytes; records in it as objects."""
    pieces = (piece.encode("ascii") for piece in _pieces(data))
    first = next(pieces)
    if len(first) <= _MUCH and first.endswith(b"}"):
        return first
    return _compressed(first, pieces)


def _compressed(first: bytes, more: "Iterable[bytes]" = ()) -> bytes:
    import zlib

    packer = zlib.compressobj(1)
    return b"".join((packer.compress(first), *(packer.compress(piece) for piece in more), packer.flush()))


def unpacked(raw: bytes) -> "Json":
    """What was packed. Raises ValueError for what was not."""
    found = json.loads((raw if raw.startswith(b"{") else _whole(raw)).decode("utf-8", "surrogatepass"))
    return found if isinstance(found, dict) else {}


def _whole(raw: bytes) -> bytes:
    import zlib

    try:
        return zlib.decompress(raw)
    except zlib.error as error:
        raise ValueError(str(error)) from error


def rest(state: "State", now: float) -> int:
    """Compress what sessions keep that have lain still for an hour; how many. The worker calls it."""
    still = state.all(
        "SELECT session, at FROM ledgers WHERE at < ? AND substr(ledger, 1, 1) = x'7b'", (now - _STILL_S,)
    )
    for session, at in still:
        row = state.one("SELECT ledger FROM ledgers WHERE session = ? AND at = ?", (session, at))
        if row is not None:
            # Nothing changes where a stop has written meanwhile.
            small = _compressed(row[0])
            state.run("UPDATE ledgers SET ledger = ? WHERE session = ? AND at = ?", (small, session, at))
    return len(still)


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
    """
    In ASCII: one odd character in it, and Python would keep the whole text at four bytes a character. What was read from
    JSON or is a record cannot hold itself, and to look for that takes a tenth of the time.
    """
    return json.dumps(value, separators=(",", ":"), default=_fields, check_circular=False)


def _fields(record: "Value") -> "Json":
    """As `to_json` has them, without a copy of each."""
    return record.__dict__
