"""
`re`, as hooks use it: an expression is compiled by the first hook that needs it, and given back to all others.

Importing `re` costs half the interpreter's start, and compiling what one Stop needs (in Python) as much again. What `re`
hands to the interpreter in the end, the expression's code, is kept in one file beside the bundle, for one interpreter.
Outside of hooks all this is `re` itself.

For expressions that are the same in every session: what holds a person's words (a name, a pattern somebody typed) belongs
to `re`, or the file would grow with them.
"""

import marshal
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

_MARK = b"ace-reflect expressions 2\n"
_MAKER = (sys.version, sys.byteorder)
_WIDTH = 4  # bytes of one unit of code
_MOST = 3_000  # expressions that are kept: the package has a third of that

_kept: "_Kept | None" = None
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
    """Keep what was met, beside what others have kept by now. Never raises."""
    if not _met or sys.flags.dont_write_bytecode:
        return
    try:
        kept = _Kept(bundle.expressions)
        forms = dict(_met)  # first: what the package had before an upgrade is what falls off the end
        for key in kept.index:
            if key not in forms and len(forms) < _MOST and (form := kept.form(key)) is not None:
                forms[key] = form
        bundle.renew(bundle.expressions, _as_file(forms))
    except (OSError, ValueError):
        return


def _as_file(forms: "dict[Key, Form]") -> bytes:
    index, body = {}, bytearray()
    for key, form in forms.items():
        piece = marshal.dumps(form)
        index[key] = (len(body), len(piece))
        body += piece
    return bundle.as_file(_MARK, _MAKER, index, body)


class _Kept(bundle.Kept):
    """The file: `index` has where each form begins behind it, and its length."""

    def __init__(self, path: str) -> None:
        super().__init__(path, _MARK, _MAKER)
        self.index: dict[Key, tuple[int, int]] = self.index or {}

    def form(self, key: "Key") -> "Form | None":
        """What `_sre.compile` takes for an expression; None where it is not kept, or damaged."""
        place = self.index.get(key)
        return None if place is None else self.value(*place)


def _given_back(key: "Key") -> "Pattern[Any] | None":
    global _kept  # noqa: PLW0603 - opened once
    if not bundle.expressions:
        return None
    if _kept is None:
        _kept = _Kept(bundle.expressions)
    form = _kept.form(key)
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
