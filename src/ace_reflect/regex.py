"""
`re`, as hooks use it: an expression is compiled by the first hook that needs it, and given back to all others.

Importing `re` costs half the interpreter's start, and compiling what one Stop needs (in Python) as much again. What `re`
hands to the interpreter in the end, the expression's code, is kept in one file beside the bundle, for one interpreter.
Outside of hooks all this is `re` itself.

For expressions that are the same in every session: what holds a person's words (a name, a pattern somebody typed) belongs
to `re`, or the file would grow with them.
"""

import marshal
import os
import sys

from ace_reflect import bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from re import Match as Match  # noqa: PLC0414 - given on
    from re import Pattern as Pattern  # noqa: PLC0414
    from typing import Any, AnyStr

    #: an expression and its flags
    Key = tuple[str | bytes, int]
    #: what `_sre.compile` takes besides: flags, code as bytes, number of groups, groups by name, names by group
    Form = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]

IGNORECASE, MULTILINE, DOTALL, VERBOSE = 2, 8, 16, 64  # as plain numbers: `re`'s own are slow to combine

_MARK = b"ace-reflect expressions 1\n"
_MAKER = (sys.version, sys.byteorder)
_WIDTH = 4  # bytes of one unit of code
_MOST = 3_000  # expressions that are kept: the package has a third of that

_kept: "dict[Key, Form] | None" = None
_met: "dict[Key, Form]" = {}  # that were not kept
_compiled: "dict[Key, Pattern[Any]]" = {}


def compile(source: "AnyStr", flags: int = 0) -> "Pattern[AnyStr]":  # noqa: A001 - `re`'s own names
    """As `re.compile`. Raises `re.error`."""
    key = (source, int(flags))
    found = _compiled.get(key)
    if found is None:
        found = _compiled[key] = _given_back(key) or _compiled_anew(key)
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


def write() -> None:
    """Keep what was met. Never raises."""
    if not _met or sys.flags.dont_write_bytecode:
        return
    try:
        whole = marshal.dumps((_MAKER, dict(list({**_forms(), **_met}.items())[:_MOST])))
        bundle.renew(bundle.expressions, _MARK + len(whole).to_bytes(8, "little") + whole)
    except (OSError, ValueError):
        return


def _forms() -> "dict[Key, Form]":
    global _kept  # noqa: PLW0603 - read once
    if _kept is None:
        _kept = _read()
    return _kept


def _read() -> "dict[Key, Form]":
    """What the file holds; nothing where it is missing, broken or another interpreter's."""
    try:
        descriptor = os.open(bundle.expressions, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            raw = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        finally:
            os.close(descriptor)
        head = len(_MARK) + 8
        if not raw.startswith(_MARK) or int.from_bytes(raw[head - 8 : head], "little") != len(raw) - head:
            return {}
        # Whoever can write to this folder can write the `.pyc` files beside, and those are run as well.
        maker, forms = marshal.loads(raw[head:])  # noqa: S302
    except Exception:  # noqa: BLE001 - whatever stands there, `re` is there
        return {}
    return forms if maker == _MAKER else {}


def _given_back(key: "Key") -> "Pattern[Any] | None":
    if not bundle.expressions:
        return None
    form = _forms().get(key)
    if form is None:
        return None
    try:
        import _sre  # type: ignore[import-not-found]

        flags, code, *groups = form
        given: Pattern[Any] = _sre.compile(key[0], flags, list(memoryview(code).cast("I")), *groups)
    except Exception:  # noqa: BLE001 - no code that this interpreter takes
        return None
    return given


def _compiled_anew(key: "Any") -> "Pattern[Any]":
    import re

    compiler: Any = sys.modules.get("re._compiler")
    real = getattr(compiler, "_sre", None)
    if not bundle.expressions or real is None or real.CODESIZE != _WIDTH:
        return re.compile(key[0], key[1])
    # What `re` hands to the interpreter is to be had nowhere else.
    watch = compiler._sre = _Watch(real)  # noqa: SLF001
    try:
        found = re.compile(key[0], key[1])
    finally:
        compiler._sre = real  # noqa: SLF001
    if watch.form is not None and watch.source == key[0]:
        _met[key] = watch.form
    return found


class _Watch:
    """Stands for `_sre` while one expression is compiled."""

    def __init__(self, real: "Any") -> None:
        self._real = real
        self.source: object = None
        self.form: Form | None = None

    def __getattr__(self, name: str) -> "Any":
        return getattr(self._real, name)

    def compile(self, source: "Any", flags: int, code: "list[int]", *groups: "Any") -> "Any":
        units = b"".join(unit.to_bytes(_WIDTH, sys.byteorder) for unit in code)
        count, *names = groups
        self.source, self.form = source, (int(flags), units, int(count), *names)
        return self._real.compile(source, flags, code, *groups)
