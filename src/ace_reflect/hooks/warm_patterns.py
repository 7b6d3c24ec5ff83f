"""
Regular expressions without their compilation, which is two thirds of a Stop that has news (120 of 190 ms).

`re` compiles in Python, to a list of numbers that its C half then runs. Those lists are kept in `state.db`, by the
interpreter's build; with them in `re`'s own cache, `re.compile` finds each expression ready. Where anything is
different from what is known here (another `re`, a broken row), nothing is primed and everything is compiled as ever.

Source: `_compile` and `_cache` in Lib/re/__init__.py and `compile` in Lib/re/_compiler.py, the same in 3.11 to 3.13.
"""

import re
import sys

from ace_reflect.state import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.state.db import State

    Key = tuple[str, int]
    Code = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]

KNOWN = ((3, 11), (3, 12), (3, 13))
MAX_PATTERNS = 480  # `re` keeps 512
_KIND = "patterns"


def prime(state: "State") -> "set[Key]":
    """Put what earlier stops compiled into `re`'s cache; the patterns that are there now."""
    if sys.version_info[:2] not in KNOWN:
        return set()
    import _sre  # type: ignore[import-not-found]
    import marshal

    blob = cache.get(state, _KIND, "stop", _identity())
    if blob is None:
        return set()
    primed: set[Key] = set()
    try:
        for (source, given), (flags, code, groups, names, by_number) in marshal.loads(blob).items():  # noqa: S302 - our own row
            numbers = memoryview(code).cast("I").tolist()
            pattern = _sre.compile(source, flags, numbers, groups, names, by_number)
            re._cache[str, source, given] = pattern  # type: ignore[attr-defined]  # noqa: SLF001 - see the module's docstring
            primed.add((source, given))
    except (ValueError, EOFError, TypeError, AttributeError, RuntimeError, OverflowError):
        return set()
    return primed


def keep(state: "State", primed: "set[Key]") -> None:
    """Where this process compiled expressions that were not primed, keep them for the next one."""
    if sys.version_info[:2] not in KNOWN:
        return
    used = [(key[1], key[2]) for key in re._cache if key[0] is str]  # type: ignore[attr-defined]  # noqa: SLF001
    if all(key in primed for key in used):
        return
    import marshal

    found = {key: _code(*key) for key in used[-MAX_PATTERNS:]}
    cache.put(state, _KIND, "stop", _identity(), marshal.dumps(found))


def _code(source: str, given: int) -> "Code":
    """What `re._compiler.compile` hands to the C half."""
    from array import array
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed: Any = _parser.parse(source, given)
    numbers = array("I", _compiler._code(parsed, given))  # noqa: SLF001
    names = parsed.state.groupdict
    by_number: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        by_number[number] = name
    return given | parsed.state.flags, numbers.tobytes(), parsed.state.groups - 1, dict(names), tuple(by_number)


def _identity() -> str:
    return f"{sys.version}|{sys.implementation.cache_tag}|{sys.byteorder}"
