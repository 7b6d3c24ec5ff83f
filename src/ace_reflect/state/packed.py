"""
What a stop keeps for the next one, as the bytes that stand in state.db: JSON, compressed where it is much.

A session at work is read and written at every stop, and compressing takes longer than all else that is done with it:
the worker compresses what lies still (`rest`).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ace_reflect.state.db import State
from ace_reflect.values import Value

Json = dict[str, Any]

_AT_ONCE = 32  # facts on one line
_MUCH = 1_000_000  # bytes
_STILL_S = 3_600.0


class Kept:
    """
    What was unpacked from `raw`. Where the beginning of a list is still the same objects, `lines` hands back the bytes that
    it was read from, and they need not be made from the objects again.
    """

    def __init__(self, data: Mapping[str, Any], raw: bytes) -> None:
        self._data = data
        self._lines = raw.split(b"\n") if raw.startswith(b"{") else []

    def lines(self, name: str, value: Sequence[Any]) -> list[bytes]:
        """The old lines that can stand as they are: those in which each item of `value` is the very object read from there."""
        before = self._data.get(name) or ()
        same = 0
        for one, other in zip(before, value, strict=False):
            if one is not other:
                break
            same += 1
        if same < _AT_ONCE or (head := _head(name)) not in self._lines:
            return []
        first = self._lines.index(head) + 1
        return [line.rstrip(b",") for line in self._lines[first : first + same // _AT_ONCE]]


def packed(data: Mapping[str, Any], kept: Kept | None = None) -> bytes:
    """`data` as bytes; records in it as objects. `kept`: what was read and has become `data` since."""
    plain, size, pieces = [], 0, _pieces(data, kept)
    for piece in pieces:
        plain.append(piece)
        size += len(piece)
        if size > _MUCH:
            return _compressed(plain, pieces)
    return b"".join(plain)


def _compressed(*parts: Iterable[bytes]) -> bytes:
    import zlib

    packer = zlib.compressobj(1)
    return b"".join((*(packer.compress(piece) for part in parts for piece in part), packer.flush()))


def unpacked(raw: bytes) -> Json:
    """What was packed. Raises ValueError for what was not."""
    found = json.loads(
        (raw if raw.startswith(b"{") else _whole(raw)).decode("utf-8", "surrogatepass")
    )
    return found if isinstance(found, dict) else {}


def _whole(raw: bytes) -> bytes:
    import zlib

    try:
        return zlib.decompress(raw)
    except zlib.error as error:
        raise ValueError(str(error)) from error


def rest(state: State, now: float) -> int:
    """Compress what sessions keep that have lain still for an hour; how many. The worker calls it."""
    still = state.all(
        "SELECT session, at FROM ledgers WHERE at < ? AND substr(ledger, 1, 1) = x'7b'",
        (now - _STILL_S,),
    )
    for session, at in still:
        row = state.one("SELECT ledger FROM ledgers WHERE session = ? AND at = ?", (session, at))
        if row is not None:
            # `at` is another one, and nothing changes, where a stop has written meanwhile.
            small = _compressed((row[0],))
            state.run(
                "UPDATE ledgers SET ledger = ? WHERE session = ? AND at = ?", (small, session, at)
            )
    return len(still)


def _pieces(data: Mapping[str, Any], kept: Kept | None) -> Iterator[bytes]:
    """
    `data` as JSON in pieces. Of a long list each `_AT_ONCE` items make a line, for two reasons: an unchanged line can be
    copied from `kept`, and `json.dumps` of the whole would for a moment take ten times the memory of its result.
    """
    long = [
        name
        for name, value in data.items()
        if isinstance(value, (list, tuple)) and len(value) > _AT_ONCE
    ]
    short = _as_json({name: value for name, value in data.items() if name not in long})
    yield short[:-1]
    between = b"," if len(short) > 2 else b""
    for name in long:
        value = data[name]
        lines = kept.lines(name, value) if kept is not None else []
        yield between + b"\n" + _head(name) + b"\n" + b",\n".join(lines)
        between = b","
        for start in range(len(lines) * _AT_ONCE, len(value), _AT_ONCE):
            yield (b",\n" if start else b"") + _as_json(value[start : start + _AT_ONCE])[1:-1]
        yield b"\n]"
    yield b"}"


def _head(name: str) -> bytes:
    return _as_json(name) + b":["


def _as_json(value: Any) -> bytes:
    """
    JSON in ASCII, for one emoji makes Python keep the whole text at four bytes a character. No check for circular
    references, which takes a tenth of the time: what came from JSON, or is a record, cannot hold itself.
    """
    return json.dumps(value, separators=(",", ":"), default=_fields, check_circular=False).encode(
        "ascii"
    )


def _fields(record: Value) -> Json:
    """As `to_json` has them, without a copy of each."""
    return record.__dict__
