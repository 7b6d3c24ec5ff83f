"""One folder as a manifest's reader sees it, and what such a reader claims about it."""

import json

from ace_reflect import regex as re
from ace_reflect.late import Late
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ace_reflect.project.tree import Tree


class Claim(Value):
    """
    What one manifest says of its folder. Commands are as typed in that folder, or in the root where `at_root`.

    `rank` decides between manifests of one folder, lowest first: a task runner's `test` is what people type, before the
    ecosystem's own command.
    """

    manifest: str
    name: str = ""  # the package's, where its tool chooses packages by it
    language: str = ""
    test: str = ""
    build: str = ""
    tests_evidence: str = ""
    no_test_file: bool = False  # the evidence is a script, a setting or a folder, and no file of tests was found
    build_evidence: str = ""
    tests_build: bool = False
    at_root: bool = False
    rank: int = 50
    script_kinds: tuple[str, ...] = ()  # as in `Project`


class Place:
    """A folder with a manifest in it, with lookups that stay inside the project and off nested packages."""

    def __init__(self, tree: "Tree", folder: str, nested: "frozenset[str]" = frozenset()) -> None:
        self.tree = tree
        self.folder = folder
        self.nested = nested
        self.names = tree.folders.get(folder, ())
        self._below: tuple[str, ...] | None = None

    def path(self, name: str) -> str:
        return f"{self.folder}/{name}" if self.folder else name

    def has(self, *names: str) -> bool:
        return any(self.tree.has(self.path(name)) for name in names)

    def has_above(self, *names: str) -> bool:
        """Whether one of `names` is in this folder or in one above it, up to the root."""
        return self.nearest_above(*names) is not None

    def nearest_above(self, *names: str) -> str | None:
        """The nearest of `names`, upwards from here."""
        folder = self.folder
        while True:
            for name in names:
                if self.tree.has(f"{folder}/{name}" if folder else name):
                    return name
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def read(self, name: str) -> str:
        return self.tree.read(self.path(name))

    def json(self, name: str) -> "dict[str, Any]":
        """A JSON file's object, comments and trailing commas allowed; {} for anything else."""
        return as_object(self.read(name))

    def toml(self, name: str) -> "dict[str, Any]":
        text = self.read(name)
        if not text:
            return {}
        import tomllib  # only where there is a TOML file: it costs a hook several milliseconds

        try:
            return tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError):
            return {}

    def files(self) -> tuple[str, ...]:
        """Every file here and below, without nested packages', as paths from the root."""
        if self._below is None:
            self._below = tuple(self.tree.below(self.folder, self.nested))
        return self._below

    def first(self, pattern: str) -> str:
        """The first file here or below whose path from this folder matches; "" if none."""
        seen = re.compile(pattern)
        skip = len(self.folder) + 1 if self.folder else 0
        return next((file for file in self.files() if seen.search(file[skip:])), "")

    def first_containing(self, pattern: str, text: str) -> str:
        """The first of at most 40 files matching `pattern` in which the expression `text` is found."""
        seen, wanted = re.compile(pattern), re.compile(text, re.MULTILINE)
        candidates = [file for file in self.files() if seen.search(file)][:40]
        return next((file for file in candidates if wanted.search(self.tree.read(file))), "")


def as_object(text: str) -> "dict[str, Any]":
    """The JSON object in `text`; JSON with comments (tsconfig, deno.jsonc) too; {} when there is none."""
    if not text:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        try:
            found = json.loads(_without_comments(text))
        except (ValueError, RecursionError):
            return {}
    return found if isinstance(found, dict) else {}


_JSONC = Late(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def _without_comments(text: str) -> str:
    bare = _JSONC.sub(lambda match: match.group(1) or "", text)
    return re.sub(r",(\s*[}\]])", r"\1", bare)


def text_of(value: "Any") -> str:
    """`value` if it is text, else ""."""
    return value if isinstance(value, str) else ""


def table_of(value: "Any") -> "dict[str, Any]":
    """`value` if it is a table, else {}: manifests are other people's and may hold anything."""
    return value if isinstance(value, dict) else {}


def names_in(values: "Iterable[Any]") -> "tuple[str, ...]":
    return tuple(value for value in values if isinstance(value, str))
