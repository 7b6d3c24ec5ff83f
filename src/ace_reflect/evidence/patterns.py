"""The methods of expressions that are compiled late (`late.py` says why), for tables of functions."""

from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import Any

Needs = tuple[str, ...]


def matcher(pattern: str, flags: int = 0, needs: Needs = ()) -> "Callable[..., re.Match[str] | None]":
    """`re.compile(pattern, flags).match`, later."""
    return Late(pattern, flags, needs=needs).match


def searcher(pattern: str, flags: int = 0, needs: Needs = ()) -> "Callable[..., re.Match[str] | None]":
    """`re.compile(pattern, flags).search`, later."""
    return Late(pattern, flags, needs=needs).search


def finder(pattern: str, flags: int = 0, needs: Needs = ()) -> "Callable[[str], Iterator[re.Match[str]]]":
    """`re.compile(pattern, flags).finditer`, later."""
    return Late(pattern, flags, needs=needs).finditer


def splitter(pattern: str, flags: int = 0, needs: Needs = ()) -> "Callable[[str], list[Any]]":
    """`re.compile(pattern, flags).split`, later."""
    return Late(pattern, flags, needs=needs).split


def replacer(pattern: str, flags: int = 0, needs: Needs = ()) -> "Callable[..., str]":
    """`re.compile(pattern, flags).sub`, later."""
    return Late(pattern, flags, needs=needs).sub
