"""
`re`, imported by the first expression that is needed: it costs a hook half the interpreter's start, and most hooks need none.

Each expression is compiled once in a process, however many there are: `re`'s own cache holds 512. One made of a
session's words (a name, a pattern somebody typed) belongs to `re` itself, or what is kept here would grow with them.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from re import Match as Match  # noqa: PLC0414 - given on
    from re import Pattern as Pattern  # noqa: PLC0414
    from typing import Any, AnyStr

IGNORECASE, MULTILINE, DOTALL, VERBOSE = 2, 8, 16, 64  # as plain numbers: `re`'s own are slow to combine

_compiled: "dict[tuple[str | bytes, int], Pattern[Any]]" = {}


def compile(source: "AnyStr", flags: int = 0) -> "Pattern[AnyStr]":  # noqa: A001 - `re`'s own names
    """As `re.compile`. Raises `re.error`."""
    key = (source, int(flags))
    found = _compiled.get(key)
    if found is None:
        import re

        found = _compiled[key] = re.compile(source, flags)
    return found


def search(source: str, text: str, flags: int = 0) -> "Match[str] | None":
    return compile(source, flags).search(text)


def match(source: str, text: str, flags: int = 0) -> "Match[str] | None":
    return compile(source, flags).match(text)


def fullmatch(source: str, text: str, flags: int = 0) -> "Match[str] | None":
    return compile(source, flags).fullmatch(text)


def findall(source: str, text: str, flags: int = 0) -> "list[Any]":
    return compile(source, flags).findall(text)


def finditer(source: str, text: str, flags: int = 0) -> "Iterator[Match[str]]":
    return compile(source, flags).finditer(text)


def split(source: str, text: str) -> "list[str | Any]":
    return compile(source).split(text)


def sub(source: str, new: "str | Callable[[Match[str]], str]", text: str, *, flags: int = 0) -> str:
    return compile(source, flags).sub(new, text)
