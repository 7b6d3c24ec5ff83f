"""
JSON as hooks read and write it: the interpreter's own reader and writer, which `json` puts to use.

`import json` brings `re`, and costs a Stop half the interpreter's start. Names and results are `json`'s.
"""

from ace_reflect import PUBLIC_MODULES_ONLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _Plain:
    """How `json.JSONDecoder()` reads."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"-Infinity": float("-inf"), "Infinity": float("inf"), "NaN": float("nan")}.__getitem__


_scan: "Callable[[str, int], tuple[Any, int]]"
try:
    if PUBLIC_MODULES_ONLY:
        raise ImportError  # noqa: TRY301 - as if there were none
    import _json

    _scan = _json.make_scanner(_Plain)  # type: ignore[arg-type] # anything with these names
    _writer: "Any" = _json.make_encoder
    _in_ascii, _as_it_is = _json.encode_basestring_ascii, _json.encode_basestring
except (AttributeError, ImportError):  # also another interpreter than CPython
    import json

    _scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
    _writer = None


def scan(text: str, at: int) -> "tuple[Any, int]":
    """The value that begins at a place of a text, and where it ends. Raises ValueError, or RecursionError."""
    try:
        return _scan(text, at)
    except (StopIteration, SystemError):  # SystemError: without `json` it has no error of its own to raise
        raise ValueError(f"no JSON value at character {at}") from None


def loads(text: str | bytes) -> "Any":
    """As `json.loads`. Raises ValueError, or RecursionError where values lie too deep in each other."""
    whole = (text if isinstance(text, str) else text.decode("utf-8", "surrogatepass")).strip(" \t\n\r")
    found, end = scan(whole, 0)
    if end != len(whole):
        raise ValueError(f"more than one JSON value, the second at character {end}")
    return found


def dumps(
    value: "Any",
    *,
    ensure_ascii: bool = True,
    separators: "tuple[str, str]" = (", ", ": "),
    default: "Callable[[Any], Any] | None" = None,
) -> str:
    """
    As `json.dumps`, without its check for values that hold themselves, which takes a tenth of the time.

    Raises TypeError for what is no JSON, RecursionError for what holds itself.
    """
    if _writer is None:
        return json.dumps(
            value, ensure_ascii=ensure_ascii, separators=separators, default=default, check_circular=False
        )
    encode = _in_ascii if ensure_ascii else _as_it_is
    return "".join(
        _writer(None, default or _unknown, encode, None, separators[1], separators[0], False, False, True)(value, 0)
    )


def _unknown(value: object) -> "Any":
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
