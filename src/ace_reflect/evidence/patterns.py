"""Regular expressions that are compiled when they are first needed: compiling sixty of them would cost a hook as much as Python's start."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def matcher(pattern: str, flags: int = 0) -> "Callable[..., re.Match[str] | None]":
    """`re.compile(pattern, flags).match`, later."""
    return _late(pattern, flags, "match")


def searcher(pattern: str, flags: int = 0) -> "Callable[..., re.Match[str] | None]":
    """`re.compile(pattern, flags).search`, later."""
    return _late(pattern, flags, "search")


def finder(pattern: str, flags: int = 0) -> "Callable[[str], Iterator[re.Match[str]]]":
    """`re.compile(pattern, flags).finditer`, later."""
    return _late(pattern, flags, "finditer")


def splitter(pattern: str, flags: int = 0) -> "Callable[[str], list[str]]":
    """`re.compile(pattern, flags).split`, later."""
    return _late(pattern, flags, "split")


def replacer(pattern: str, flags: int = 0) -> "Callable[..., str]":
    """`re.compile(pattern, flags).sub`, later."""
    return _late(pattern, flags, "sub")


def _late(pattern: str, flags: int, method: str) -> "Callable[..., object]":
    use: Callable[..., object] | None = None

    def call(*args: object) -> object:
        nonlocal use
        if use is None:
            use = getattr(re.compile(pattern, flags), method)
        return use(*args)

    return call
