"""
Every regular expression of the package, and hostile input for each.

Found in two ways, so that none is missed: what importing every module compiles, and what stands as an argument of a
call of `re` in the source (a name that only exists inside of its function counts as the letter x).
"""

import ast
import importlib
import pkgutil
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import ace_reflect
from ace_reflect.late import Late

_CALLS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
_FLAGS = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2, "sub": 4, "subn": 4}
_SINGLE = tuple(" a0\t\n\"'`-_./:=<>([{|&;,#*+") + ("ab ", "\n ", "a\n", "é", "\x1b[")


@dataclass(frozen=True, order=True)
class Found:
    """One expression, and where it stands."""

    module: str
    source: str
    flags: int = 0


def modules() -> list[str]:
    """The package's modules, but for those that run something when imported."""
    found = pkgutil.walk_packages(ace_reflect.__path__, "ace_reflect.")
    return sorted(one.name for one in found if not one.name.endswith("__main__"))


def patterns() -> list[Found]:
    """Every expression once, with the first module that has it."""
    seen: dict[tuple[str, int], Found] = {}
    for name in modules():
        module = importlib.import_module(name)
        for source, flags in (*_in_source(module), *_in_values(vars(module), set())):
            flags = re.compile(source, flags).flags & ~re.UNICODE.value
            seen.setdefault((source, flags), Found(name, source, flags))
    return sorted(seen.values())


def _in_values(value: Any, seen: set[int], depth: int = 0) -> Iterator[tuple[str, int]]:
    """Expressions in a module's values (compiled ones, and those that are compiled late): tables, records, defaults."""
    value = getattr(value, "__self__", value)  # a bound method stands for its expression
    if isinstance(value, Late):
        yield value.source, int(value.flags)
        return
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value.pattern, value.flags & ~re.UNICODE.value
        else:
            yield value.pattern.decode("latin-1"), value.flags & ~re.UNICODE.value
        return
    if depth > 6 or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, dict):
        for item in list(value.values()) + list(value):
            yield from _in_values(item, seen, depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _in_values(item, seen, depth + 1)
    elif type(value).__module__.startswith("ace_reflect") or (
        isinstance(value, type) and value.__module__.startswith("ace_reflect")
    ):
        names = [*getattr(value, "__dict__", {}), *getattr(type(value), "__slots__", ())]
        for name in names:
            yield from _in_values(getattr(value, name, None), seen, depth + 1)


def _in_source(module: Any) -> Iterator[tuple[str, int]]:
    path = getattr(module, "__file__", None)
    if not path:
        return
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.func.attr in _CALLS):
            continue
        source = _evaluated(node.args[0], module)
        flags = _flags_of(node, module)
        if isinstance(source, bytes):
            source = source.decode("latin-1")
        if isinstance(source, str) and source != "x":
            yield source, flags


def _flags_of(node: ast.Call, module: Any) -> int:
    at = _FLAGS.get(node.func.attr, 9)  # type: ignore[attr-defined]
    given = [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
    given += node.args[at : at + 1]
    value = _evaluated(given[0], module) if given else 0
    return int(value) if isinstance(value, int) else 0


class _Names(dict[str, Any]):
    """A module's names; any other is a local of the function around, and stands for the letter x."""

    def __missing__(self, name: str) -> Any:
        import builtins

        return getattr(builtins, name, "x")


def _evaluated(node: ast.expr, module: Any) -> Any:
    code = compile(ast.Expression(node), "<pattern>", "eval")
    try:
        return eval(code, {"__builtins__": {}}, _Names(vars(module)))
    except Exception:  # noqa: BLE001 - an argument that only its function can make
        return None


# ------------------------------------------------------------------ hostile input


def attacks(found: Found, size: int) -> Iterator[str]:
    """
    Texts of about `size` characters on which a backtracking expression takes for ever: each of its pieces repeated,
    alone, after what stands before it, and with an end that does not match.
    """
    pieces, chains = _pieces(_parser.parse(found.source, found.flags))
    wanted: dict[str, None] = {}
    for piece in (*pieces, *_SINGLE):
        if piece:
            wanted.setdefault(piece * (size // len(piece)))
    for before, pump in chains:
        if not pump:
            continue
        wanted.setdefault(before[:200] + pump * (size // len(pump)) + "\x00")
        wanted.setdefault(before[:200] + pump * (size // len(pump)) + "\n\x00")
        both = before[:200] + pump * 3
        wanted.setdefault(both * (size // len(both)))
        wanted.setdefault((both + "\n") * (size // (len(both) + 1)))
        wanted.setdefault((both + " ") * (size // (len(both) + 1)))
    yield from wanted


def _pieces(tree: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """The literal pieces of an expression, and for each repeat (a text that leads to it, a text that it takes)."""
    literals: dict[str, None] = {}
    chains: dict[tuple[str, str], None] = {}
    _walk(tree, "", literals, chains)
    return list(literals)[:60], list(chains)[:60]


def _walk(tree: Any, before: str, literals: dict[str, None], chains: dict[tuple[str, str], None]) -> str:
    """Note what is found; the text so far with a sample of `tree` behind it."""
    so_far, run = before, ""
    for kind, value in tree:
        name = str(kind)
        if name == "LITERAL":
            run += chr(value)
            so_far += chr(value)
            continue
        if run:
            literals.setdefault(run)
            run = ""
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            least, most, body = value
            for pump in _samples(body):
                if most > 4:
                    chains.setdefault((so_far, pump))
            _walk(body, so_far, literals, chains)
            so_far += "".join(_samples(body)[:1]) * max(least, 1 if most else 0)
        elif name == "SUBPATTERN":
            so_far = _walk(value[3], so_far, literals, chains)
        elif name == "ATOMIC_GROUP":
            so_far = _walk(value, so_far, literals, chains)
        elif name == "BRANCH":
            ends = [_walk(branch, so_far, literals, chains) for branch in value[1]]
            so_far = ends[0] if ends else so_far
        elif name in {"ASSERT", "ASSERT_NOT"}:
            _walk(value[1], so_far, literals, chains)
        else:
            so_far += "".join(_samples([(kind, value)])[:1])
    if run:
        literals.setdefault(run)
    return so_far


def _samples(tree: Any) -> list[str]:
    """A few texts that a part of an expression takes."""
    texts = [""]
    for kind, value in tree:
        one = _sample_of(str(kind), value)
        texts = [text + piece for text in texts[:3] for piece in one[:3]] if one else texts
    return list(dict.fromkeys(texts))[:4]


def _sample_of(name: str, value: Any) -> list[str]:
    if name == "LITERAL":
        return [chr(value)]
    if name == "NOT_LITERAL":
        return [next(ch for ch in "a b-" if ord(ch) != value)]
    if name == "ANY":
        return ["a", " "]
    if name == "IN":
        return _members(value)
    if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        least, most, body = value
        found = _samples(body)
        return [text * max(least, 1) for text in found] if most else []
    if name == "SUBPATTERN":
        return _samples(value[3])
    if name == "ATOMIC_GROUP":
        return _samples(value)
    if name == "BRANCH":
        return [text for branch in value[1] for text in _samples(branch)[:1]]
    return []


_POPULAR = "a 0-A_./:=\n\t\"'" + string.printable


def _members(items: Any) -> list[str]:
    """Some characters of a class: the usual ones first."""
    compiled = _class(items)
    found = [ch for ch in dict.fromkeys(_POPULAR) if compiled(ch)]
    return found[:3] or [chr(value) for kind, value in items if str(kind) == "LITERAL"][:1] or ["é"]


def _class(items: Any) -> Any:
    def holds(character: str) -> bool:
        code, positive = ord(character), True
        hit = False
        for kind, value in items:
            name = str(kind)
            if name == "NEGATE":
                positive = False
            elif name == "LITERAL":
                hit = hit or code == value
            elif name == "RANGE":
                hit = hit or value[0] <= code <= value[1]
            elif name == "CATEGORY":
                hit = hit or _category(str(value), character)
        return hit == positive

    return holds


def _category(name: str, character: str) -> bool:
    plain = name.replace("CATEGORY_", "").replace("UNI_", "").replace("NOT_", "")
    known = {
        "DIGIT": character.isdigit(),
        "SPACE": character.isspace(),
        "WORD": character.isalnum() or character == "_",
        "LINEBREAK": character == "\n",
    }
    return known.get(plain, False) != ("NOT_" in name)


__all__ = ["Found", "_compiler", "_constants", "attacks", "modules", "patterns"]
