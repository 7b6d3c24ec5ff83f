"""
Every regular expression of the package, and hostile input for each.

Found in two ways, so that none is missed: what importing every module compiles, and what stands as an argument of a
call of `re` in the source (a name that only exists inside of its function counts as the letter x). How an expression is
used belongs to it: what is only ever matched at a text's start is not tried at every place of it.
"""

import ast
import importlib
import pkgutil
import re
import string
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import ace_reflect
from ace_reflect.late import Late

_CALLS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
_FLAGS = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2, "sub": 4, "subn": 4}
_SINGLE = tuple(" a0\t\n\"'`-_./:=<>([{|&;,#*+") + ("ab ", "\n ", "a\n", "é", "\x1b[")


@dataclass(frozen=True, order=True)
class Found:
    """One expression, and where it stands. `everywhere`: it is looked for at every place of a text."""

    module: str
    source: str
    flags: int = 0
    everywhere: bool = True

    def run(self, text: str) -> None:
        """What the package does with it at most."""
        compiled = re.compile(self.source, self.flags)
        if self.everywhere:
            deque(compiled.finditer(text), maxlen=0)
        else:
            compiled.match(text)
            compiled.fullmatch(text)


@cache
def modules() -> list[str]:
    """The package's modules, but for those that run something when imported."""
    found = pkgutil.walk_packages(ace_reflect.__path__, "ace_reflect.")
    return sorted(one.name for one in found if not one.name.endswith("__main__"))


@cache
def patterns() -> list[Found]:
    """Every expression once, with the first module that has it."""
    seen: dict[tuple[str, int], Found] = {}
    calls = _calls_of_names()
    for name in modules():
        module = importlib.import_module(name)
        tree = _tree(module)
        found = [(source, flags, {call}) for source, flags, call in _in_source(tree, module)]
        values = {} if name == "ace_reflect.regex" else vars(module)  # it has compiled what stands elsewhere
        for variable, value in values.items():
            known = calls.get(_owner(name, variable)) or _calls_of_others(tree)
            found += [(source, flags, known) for source, flags in _in_values(value, set())]
        for source, flags, used in found:
            flags = re.compile(source, flags).flags & ~re.UNICODE.value
            before = seen.get((source, flags))
            everywhere = not used <= _AT_THE_START or (before is not None and before.everywhere)
            seen[source, flags] = Found(before.module if before else name, source, flags, everywhere)
    return sorted(seen.values())


_AT_THE_START = {"match", "fullmatch"}
_USES = {"match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"}


@cache
def _tree(module: Any) -> ast.Module:
    path = getattr(module, "__file__", None)
    return ast.parse(Path(path).read_text(encoding="utf-8")) if path else ast.Module([], [])


def _calls_of_names() -> dict[str, set[str]]:
    """What is called on each name in capitals anywhere in the package: `_WORD.match(…)`, `module.WORD.search(…)`."""
    calls: dict[str, set[str]] = {}
    for name in modules():
        for node in ast.walk(_tree(importlib.import_module(name))):
            if isinstance(node, ast.Attribute) and node.attr in _USES:
                owner = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
                if owner.strip("_").isupper():
                    calls.setdefault(_owner(name, owner), set()).add(node.attr)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and node.value.attr in _USES:
                for target in node.targets:  # `_call = re.compile(…).match`
                    if isinstance(target, ast.Name):
                        calls.setdefault(_owner(name, target.id), set()).add(node.value.attr)
    return calls


def _owner(module: str, name: str) -> str:
    """A private name is its module's; another may be used anywhere."""
    return f"{module}.{name}" if name.startswith("_") else name


@cache
def _calls_of_others(tree: ast.Module) -> set[str]:
    """What a module calls on expressions that it has in tables: of all that has no name in capitals."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _USES - {"split"}:
            owner = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
            if owner != "re" and not owner.strip("_").isupper():
                found.add(node.attr)
    return found or {"search"}


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


def _in_source(tree: ast.Module, module: Any) -> Iterator[tuple[str, int, str]]:
    """(expression, flags, the function of `re` that it is given to); what `re.compile` is given is found as a value."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.func.attr in _CALLS):
            continue
        source = _evaluated(node.args[0], module)
        flags = _flags_of(node, module)
        if isinstance(source, bytes):
            source = source.decode("latin-1")
        if isinstance(source, str) and source != "x":
            yield source, flags, _use_of(node, tree)


@cache
def _names_and_uses(tree: ast.Module) -> tuple[dict[int, list[str]], list[tuple[int, str, str]]]:
    """The names that each expression's value gets, and what is called on which expression or name."""
    named: dict[int, list[str]] = {}
    used = []
    for one in ast.walk(tree):
        if isinstance(one, ast.Assign):
            targets = [target.id for target in one.targets if isinstance(target, ast.Name)]
            for inner in ast.walk(one.value):
                named.setdefault(id(inner), []).extend(targets)
        if isinstance(one, ast.Attribute) and one.attr in _USES:
            used.append((id(one.value), one.value.id if isinstance(one.value, ast.Name) else "", one.attr))
    return named, used


def _use_of(node: ast.Call, tree: ast.Module) -> str:
    """The function, or for `re.compile` what is called on its value or on the name that it gets."""
    call: str = node.func.attr  # type: ignore[attr-defined]
    if call != "compile":
        return call
    named, used = _names_and_uses(tree)
    uses = {attr for owner, name, attr in used if owner == id(node) or name in named.get(id(node), ())}
    return "match" if uses and uses <= _AT_THE_START else "search"


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


_ONE_CHARACTER = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}


def repeats_group_possessively(source: str, flags: int) -> bool:
    """Whether more than one character is repeated possessively: `(?:ab?)*+`, which `(?>(?:ab?)*)` says too."""
    waiting: list[Any] = [_parser.parse(source, flags)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, _parser.SubPattern):
            for kind, value in part:
                body = value[2] if str(kind) == "POSSESSIVE_REPEAT" else ()
                if len(body) > 1 or any(str(inner) not in _ONE_CHARACTER for inner, _ in body):
                    return True
                waiting.append(value)
        elif isinstance(part, list | tuple):
            waiting.extend(part)
    return False


# ------------------------------------------------------------------ hostile input


@dataclass(frozen=True)
class Attack:
    """`before`, then `pump` as often as it takes, then `after`."""

    before: str
    pump: str
    after: str = ""

    def text(self, size: int) -> str:
        return self.before + self.pump * (size // len(self.pump)) + self.after


def attacks(found: Found) -> list[Attack]:
    """
    Texts on which a backtracking expression takes for ever: each of its pieces repeated, alone, after what stands before
    it, and with an end that does not match.
    """
    pieces, chains = _pieces(_parser.parse(found.source, found.flags))
    wanted = dict.fromkeys(Attack("", piece) for piece in (*pieces, *_SINGLE) if piece)
    for before, pump in chains:
        if pump:
            lead = before[:200]
            wanted |= dict.fromkeys((Attack(lead, pump, "\x00"), Attack(lead, pump, "\n\x00")))
            wanted |= dict.fromkeys(Attack("", lead + pump * 3 + end) for end in ("", "\n", " "))
    return list(wanted)


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


__all__ = ["Attack", "Found", "attacks", "modules", "patterns"]
