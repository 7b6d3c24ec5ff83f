"""Which new source files nothing in the checkout refers to. A bounded look: in doubt a file counts as referred to."""

import os
import time

from ace_reflect import regex as re
from ace_reflect.late import Late
from ace_reflect.project.tree import SKIPPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.evidence.facts import Ledger

MAX_SECONDS = 0.3
MAX_BYTES = 24_000_000
MAX_FILE_BYTES = 400_000
#: Names that are found by their place and not by a reference: entry points, and what a tool collects by itself.
_FOUND_BY_PLACE = Late(
    r"^(?:__init__|__main__|main|index|mod|lib|app|server|cli|setup|conftest|manage|wsgi|asgi|settings|config|layout|page|route|loading|error|middleware|build|\d.*)$|(?:^|[_.-])(?:tests?|specs?|stories|config|d|e2e|bench|migration|controller)$|^test[_-]",
    re.IGNORECASE,
)
_PLACES = Late(
    r"(?:^|/)(?:tests?|__tests__|specs?|e2e|scripts?|bin|cmd|tools|migrations?|initializers|app/helpers|examples?|docs?|pages|routes|commands|plugins|hooks|benches|fixtures|\.[\w-]+)/"
)
_TEXT = Late(
    r"\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kts?|scala|rb|php|cs|fs|swift|dart|exs?|c|h|cc|cpp|hpp|vue|svelte|astro|html?|erb|haml|slim|[hl]eex|twig|hbs|mustache|j2|jinja2?|ejs|pug|liquid|rake|xml|s[ac]ss|json|ya?ml|toml|cfg|gradle|cmake|mk|lua|zig|jl|sh|md)$|(?:^|/)(?:Makefile|Dockerfile|CMakeLists\.txt|go\.mod)$"
)


def new_sources(ledger: "Ledger") -> "tuple[str, ...]":
    """The source files that the last turn created."""
    last = ledger.turns[-1].number if ledger.turns else 0
    return tuple(edit.path for edit in ledger.edits if edit.turn == last and edit.created and edit.kind == "code")


def unreferenced(root: str, new: "tuple[str, ...]") -> "tuple[str, ...] | None":
    """
    The files of `new` (paths absolute) whose name stands in no other file below `root`; None where the look was not
    finished in time. A file that is gone, or is found by its place, is left out.
    """
    wanted = {path: _stems(path) for path in new if _is_looked_for(path, root)}
    end, size = time.monotonic() + MAX_SECONDS, 0
    for path in _files(root) if wanted else ():
        if time.monotonic() > end or size > MAX_BYTES:
            return None
        text = _read(path)
        size += len(text)
        for lost in [name for name, stems in wanted.items() if name != path and any(map(text.__contains__, stems))]:
            del wanted[lost]
        if not wanted:
            break
    return tuple(wanted)


def _is_looked_for(path: str, root: str) -> bool:
    inside = path.removeprefix(root.rstrip("/") + "/")
    name = os.path.basename(path).partition(".")[0]
    return (
        inside != path
        and os.path.isfile(path)
        and not _FOUND_BY_PLACE.search(name)
        and not _PLACES.search(inside)
        and len(name) > 2
        and not _is_started(_read(path))
    )


def _is_started(text: bytes) -> bool:
    """Whether a file says of itself that it is run, and not imported."""
    return text.startswith(b"#!") or b'__name__ == "__main__"' in text or b"__name__ == '__main__'" in text


def _stems(path: str) -> "tuple[bytes, ...]":
    """
    What a reference holds, one of them: the file's name without its suffix, of a partial (`_form.html.erb`) without its mark.

    A Go file or a Java class is referred to by its folder or class; `price_list.rb` by the class that it is loaded for, `PriceList`.
    """
    name = os.path.basename(path)
    if name.endswith(".go"):
        return (os.path.basename(os.path.dirname(path)).encode(),)
    stem = name.partition(".")[0].lstrip("_")
    parts = stem.split("_") if name.endswith((".rb", ".ex", ".exs")) else [stem]
    named = "".join(part[:1].upper() + part[1:] for part in parts) if len(parts) > 1 else stem
    return tuple({stem.encode(), named.encode()})


def _files(root: str) -> "Iterator[str]":
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED and not name.startswith(".")]
        for name in names:
            if _TEXT.search(name):
                yield os.path.join(folder, name)


def _read(path: str) -> bytes:
    try:
        if os.path.islink(path) or os.path.getsize(path) > MAX_FILE_BYTES:
            return b""
        with open(path, "rb") as file:
            return file.read(MAX_FILE_BYTES)
    except OSError:
        return b""
