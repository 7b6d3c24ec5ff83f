"""
The compiled modules of a hook in one file, so that it opens one instead of a hundred.

Finding, opening and reading its own `.pyc` costs each module more than running it: for a Stop with news as much as the
interpreter's start. The bundle is such a cache as well, kept where theirs are (`__pycache__`), for one interpreter, and
each module in it holds only while its source is as it was (size and time of change, what a `.pyc` goes by too). A module
that is not in it, or changed, comes the usual way, and the hook that met one writes the bundle anew when it has answered.
The standard library's modules are in it as well: the interpreter would look for each of them in two folders.

What importing one module of ours brings in is always the same, so the bundle keeps that too, as one parcel in the order
in which it ran: the next hook runs those modules one after the other, and every `import` among them finds its module
there. (The import system's own way to a hundred modules, and their names one by one, cost a twentieth of a Stop with news.)
"""

import gc
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

    #: path, size and mtime_ns of a module's source; whether it is a package. Ours by their path in the package
    Source = tuple[str, int, int, bool]
    #: the same, and offset and length of the module's code
    Row = tuple[str, int, int, bool, int, int]
    #: names in the order in which they ended, offset and length of their codes, as one tuple
    Piece = tuple[tuple[str, ...], int, int]

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_INSIDE = _PACKAGE + os.sep  # `os.path.join` for each module is a hundredth of a stop
_FOLDER = _INSIDE + "__pycache__"
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_MAKER = (sys.version, _LIBRARY)
_PREFIX = "ace_reflect."
_MARK = b"ace-reflect 4\n"  # its form; then 8 bytes of the index's length, 8 of the file's
_HEAD = len(_MARK) + 16
_AT_ONCE = 10  # modules read together: a hundred at once come into memory that was never touched, page by page
_LONG_S = 60  # nobody writes for so long
GARBAGE = (100_000, 20, 20)  # how seldom it is looked for: what a hook makes lives as long as the hook
_Spec: "type[ModuleSpec]" = type(__spec__)  # importlib.machinery's, which would be an import
_Module: "type[ModuleType]" = type(sys)


class Bundle:
    """
    Finds and loads what is in the file.

    `missed`: the package's modules that had to come another way; `passed_on`: the names that are not the package's and were
    left to the import system. `learned`: by module, what its import was seen to bring in.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._index: dict[str, Row] = {}  # the package's
        self._library: dict[str, Row] = {}
        self._parcels: dict[str, list[Piece]] = {}  # what importing a module brings in
        self._ended: list[str] = []
        self._depth = 0
        self._descriptor = -1
        self._codes = 0
        self.missed: list[str] = []
        self.passed_on: list[str] = []
        self.learned: dict[str, tuple[str, ...]] = {}

    def open(self) -> None:
        """Read the index. A file that is not there, broken, or another interpreter's is an empty bundle."""
        try:
            self._descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            head = os.pread(self._descriptor, _HEAD, 0)
            length, size = int.from_bytes(head[-16:-8], "little"), int.from_bytes(head[-8:], "little")
            if not head.startswith(_MARK) or os.fstat(self._descriptor).st_size != size:
                return
            table = os.pread(self._descriptor, length, _HEAD)
            maker, index, library, parcels = marshal.loads(table)  # noqa: S302 - see _loaded
        except Exception:  # noqa: BLE001 - whatever stands there, the usual way is open
            return
        if maker == _MAKER:
            self._index, self._library, self._parcels = index, library, parcels
            self._codes = _HEAD + length

    def find_spec(self, name: str, _path: "Sequence[str] | None" = None, _target: object = None) -> "ModuleSpec | None":
        """The import system's question."""
        if not name.startswith(_PREFIX):
            return self._found(name, self._library, "", self.passed_on)
        if not self._depth and name in self._parcels:
            self._run_ahead(name)
        return self._found(name, self._index, _INSIDE, self.missed)

    def _found(self, name: str, index: "dict[str, Row]", folder: str, missed: "list[str]") -> "ModuleSpec | None":
        row = index.get(name)
        if row is not None and _fresh(folder + row[0], row):
            code = self._loaded(row[4], row[5])
            if code is not None:
                return self._spec(name, folder + row[0], row, code)
        missed.append(name)
        return None

    def _spec(self, name: str, place: str, row: "Row", code: "CodeType | None" = None) -> "ModuleSpec":
        spec = _Spec(name, self, origin=place, is_package=row[3])  # type: ignore[arg-type] # a loader by its methods
        spec.has_location = True
        spec.cached = self._path  # else it is worked out for each module, though nobody asks
        if row[3]:
            spec.submodule_search_locations = [os.path.dirname(place)]
        spec.loader_state = code
        return spec

    def create_module(self, _spec: "ModuleSpec") -> None:
        """An ordinary one."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run the module that the import system made."""
        name, spec = module.__name__, module.__spec__
        if not name.startswith(_PREFIX):
            exec(spec.loader_state, module.__dict__)  # type: ignore[union-attr] # noqa: S102 - see _loaded
            return
        self._depth += 1
        try:
            exec(spec.loader_state, module.__dict__)  # type: ignore[union-attr] # noqa: S102 - see _loaded
        except BaseException:
            self._ended.clear()
            raise
        finally:
            self._depth -= 1
        self._ended.append(name)
        if not self._depth:
            if len(self._ended) > 1 and name not in self._parcels and not self.missed:
                self.learned[name] = tuple(self._ended[:-1])
            self._ended.clear()

    def _run_ahead(self, name: str) -> None:
        """Run what importing this module will ask for, unless any of it changed."""
        parcel = self._parcels[name]
        needed = (name, *_names_in(parcel))
        rows = (self._index[each] for each in needed if each not in sys.modules)
        if not all(_fresh(_INSIDE + row[0], row) for row in rows):
            return
        self._depth += 1
        try:
            for names, start, length in parcel:
                codes = self._loaded(start, length)
                if codes is None:
                    del self._parcels[name], self._index[name]  # missed: what it brings in is learned anew
                    return
                for each, code in zip(names, codes, strict=True):
                    parent, _, tail = each.rpartition(".")
                    if parent in sys.modules and each not in sys.modules:  # a package may import its own modules
                        setattr(sys.modules[parent], tail, self._made(each, code))
        finally:
            self._depth -= 1
            self._ended.clear()

    def _made(self, name: str, code: "CodeType") -> "ModuleType":
        """A module, made and run as the import system does."""
        module = sys.modules[name] = _Module(name)
        row = self._index[name]
        spec = module.__spec__ = self._spec(name, _INSIDE + row[0], row)
        module.__loader__, module.__file__, module.__package__ = self, spec.origin, spec.parent  # type: ignore[assignment]
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
        try:
            exec(code, module.__dict__)  # noqa: S102 - see _loaded
        except BaseException:
            del sys.modules[name]
            raise
        return module

    def _loaded(self, start: int, length: int) -> "Any":
        """A module's code, or a tuple of codes; None where the file is damaged: they come the usual way then."""
        try:
            # Whoever can write to this folder can write the `.pyc` files beside, and those are run as well.
            return marshal.loads(os.pread(self._descriptor, length, self._codes + start))  # noqa: S302
        except (EOFError, OSError, TypeError, ValueError):
            return None

    def write(self) -> None:
        """Make the file anew from what is in it and still holds, and what was missed, if anything was. Never raises."""
        missed = self.missed or self.learned or any(map(_has_source, self.passed_on))
        if not missed or sys.flags.dont_write_bytecode or not os.access(_FOLDER, os.W_OK):
            return
        try:
            whole = self._renewed()
            if whole:
                _replace(self._path, whole)
        except (OSError, ValueError, SyntaxError):
            return

    def _renewed(self) -> bytes:
        """The new file; empty where there is nothing new."""
        fresh = {name: made for name in self.missed if (made := _compiled(name)) is not None}
        others = {
            name: made
            for name in filter(_has_source, self.passed_on)
            if (made := _code_of(sys.modules[name], sys.modules[name].__file__ or "")) is not None
        }
        if not fresh and not others and not self.learned:
            return b""
        kept, library = self._kept(self._index, _INSIDE), self._kept(self._library, "")
        codes = bytearray()

        def put(code: "CodeType | tuple[CodeType, ...]") -> tuple[int, int]:
            start = len(codes)
            codes.extend(marshal.dumps(code))
            return start, len(codes) - start

        index, others_index = (
            {name: (*source, *put(code)) for name, (source, code) in sorted(codes_of.items())}
            for codes_of in ({**kept, **fresh}, {**library, **others})
        )
        parcels: dict[str, list[Piece]] = {}
        for name, names in {
            **{name: _names_in(parcel) for name, parcel in self._parcels.items()},
            **self.learned,
        }.items():
            if kept.keys() >= {name, *names}:  # of a module that changed nobody knows yet what it brings in
                pieces = [names[at : at + _AT_ONCE] for at in range(0, len(names), _AT_ONCE)]
                parcels[name] = [(piece, *put(tuple(kept[each][1] for each in piece))) for piece in pieces]
        table = marshal.dumps((_MAKER, index, others_index, parcels))
        size = _HEAD + len(table) + len(codes)
        return _MARK + len(table).to_bytes(8, "little") + size.to_bytes(8, "little") + table + codes

    def _kept(self, index: "dict[str, Row]", folder: str) -> "dict[str, tuple[Source, CodeType]]":
        """What of the file still holds."""
        return {
            name: (row[:4], code)
            for name, row in index.items()
            if _fresh(folder + row[0], row) and (code := self._loaded(row[4], row[5])) is not None
        }


def _fresh(place: str, row: "Row") -> bool:
    """Whether a module's source is as it was."""
    try:
        found = os.stat(place)
    except OSError:
        return False
    return found.st_size == row[1] and found.st_mtime_ns == row[2]


def _replace(path: str, whole: bytes) -> None:
    """Write the file whole or not at all, and remove what killed hooks left of theirs. Raises OSError."""
    temporary = f"{path}.{os.getpid()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    written = 0
    try:
        written = os.write(descriptor, whole)
    finally:
        os.close(descriptor)
        if written < len(whole):  # a full disk
            os.unlink(temporary)
    if written == len(whole):
        os.replace(temporary, path)
    _sweep(path)


def _sweep(path: str) -> None:
    """Remove what hooks left that were killed while they wrote this file. Raises OSError."""
    import time

    name = os.path.basename(path) + "."
    for entry in os.listdir(_FOLDER):
        place = os.path.join(_FOLDER, entry)
        if entry.startswith(name) and time.time() - os.stat(place).st_mtime > _LONG_S:
            os.unlink(place)


def _names_in(parcel: "list[Piece]") -> "tuple[str, ...]":
    return tuple(name for names, _, _ in parcel for name in names)


def _compiled(name: str) -> "tuple[Source, CodeType] | None":
    """A loaded module's source and code; None for one that comes from no file of the package."""
    module = sys.modules.get(name)
    place = getattr(module, "__file__", None) or ""
    if module is None or not place.startswith(_INSIDE):
        return None
    found = _code_of(module, place)
    return found and ((place[len(_INSIDE) :], *found[0][1:]), found[1])


def _has_source(name: str) -> bool:
    """Whether a loaded module comes from a source of the standard library: no extension, and no file of its name elsewhere."""
    place = getattr(sys.modules.get(name), "__file__", None) or ""
    return place.startswith(_LIBRARY) and place.endswith(".py") and name.partition(".")[0] in sys.stdlib_module_names


def _code_of(module: "ModuleType", place: str) -> "tuple[Source, CodeType] | None":
    """
    A module compiled as by `python -OO`, for nobody reads its docstrings here; None where its source is not there or
    changed meanwhile. Raises OSError, and ValueError or SyntaxError for what Python cannot read.
    """
    if not place.endswith(".py"):
        return None
    found = os.stat(place)
    with open(place, "rb") as file:
        source = file.read()
    if os.stat(place).st_mtime_ns != found.st_mtime_ns:
        return None
    code = compile(source, place, "exec", dont_inherit=True, optimize=2)
    return (place, found.st_size, found.st_mtime_ns, hasattr(module, "__path__")), code


def use(hook: str) -> Bundle:
    """Ask this hook's bundle first for every module that is imported from now on."""
    found = Bundle(os.path.join(_FOLDER, f"{hook}.{sys.implementation.cache_tag}.bundle"))
    found.open()
    sys.meta_path.insert(0, found)
    return found


def run(hook: str) -> None:
    """Run a hook, by its module's name, as the whole of this process. Does not come back."""
    gc.set_threshold(*GARBAGE)
    compiled = use(hook)
    # What the hook's script put first, the package's folder in a checkout: every module of the standard library would be
    # looked for there first. Only that entry: where the package is installed, what it needs lies beside it.
    del sys.path[0]
    # Python before 3.13 keeps a `.pyc` that a full disk cut short, and fails on it ever after. The bundle's size is checked.
    sys.dont_write_bytecode = True
    from ace_reflect.hooks.edge import run_script

    name = f"ace_reflect.hooks.{hook}"
    __import__(name)
    run_script(sys.modules[name].main, compiled)
