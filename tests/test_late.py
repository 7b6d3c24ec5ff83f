"""Expressions that are compiled late: what they say they need, every match of them holds."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ace_reflect
from ace_reflect.late import IGNORECASE, Alternatives, Late, Scripts, begins, folded, holds
from support.regex_needs import covered, groups_of


def _modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(ace_reflect.__path__, "ace_reflect."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _within(value: object, depth: int = 4) -> Iterator[Late]:
    value = getattr(value, "__self__", value)  # a bound method stands for its expression
    if isinstance(value, Late):
        yield value
    elif isinstance(value, Alternatives | Scripts):
        yield from value.parts
    elif isinstance(value, dict) and depth:
        for inner in value.values():
            yield from _within(inner, depth - 1)
    elif isinstance(value, tuple | list) and depth:
        for inner in value:
            yield from _within(inner, depth - 1)


def _all() -> list[tuple[str, Late]]:
    found: dict[int, tuple[str, Late]] = {}
    for module in _modules():
        for name, value in vars(module).items():
            for late in _within(value):
                found.setdefault(id(late), (f"{module.__name__}.{name}", late))
    return list(found.values())


def _scripts() -> list[tuple[str, Scripts]]:
    return [
        (f"{module.__name__}.{name}", value)
        for module in _modules()
        for name, value in vars(module).items()
        if isinstance(value, Scripts)
    ]


def test_every_late_expression_compiles_and_needs_what_it_says() -> None:
    wrong = []
    for name, late in _all():
        re.compile(late.source, late.flags)
        wrong += [f"{name}: {group}" for group in late.needs if not covered(late.source, late.flags, group.split("|"))]
    assert wrong == []


def test_there_are_late_expressions_at_all() -> None:
    assert len(_all()) > 30


@pytest.mark.parametrize(
    ("source", "flags", "words", "holds"),
    [
        (r"\bgh[po]_\w+", 0, "ghp_|gho_", True),
        (r"\bgh[po]_\w+", 0, "ghp_", False),
        (r"(?i)(?:skip|omit)\s+tests?", 0, "test", True),
        (r"(?:skip|omit)?\s+specs?", 0, "skip|omit", False),
        (r"(?:a|b|)c", 0, "c", True),
        (r"x*", 0, "x", False),
        (r"(?=foo)\w+", 0, "foo", True),
        (r"(?!foo)\w+", 0, "foo", False),
        (r"\s[0-2]+x", 0, "0|1|2", True),
        (r"\s[0-2]+x", 0, "0|1", False),
    ],
)
def test_the_proof_itself(source: str, flags: int, words: str, holds: bool) -> None:
    assert covered(source, flags, words.split("|")) is holds


def test_the_best_groups_are_long_words() -> None:
    assert groups_of(r"(?i)\b(?:the|a)\s+(?:tests?|specs?)\s+(?:pass|green)\b") == [
        frozenset({"pass", "green"}),
        frozenset({"test", "spec"}),
    ]


@settings(max_examples=200)
@given(st.data())
def test_a_match_is_never_overlooked(data: st.DataObject) -> None:
    source = r"(?:skip|KISS)\s(?:tests|int)"
    late = Late(source, IGNORECASE, needs=("skip|kiss", "test|int"))
    text = data.draw(st.from_regex(re.compile(source, re.IGNORECASE)))
    assert late.search(text) is not None


def test_letters_that_ignoring_case_takes_for_others() -> None:
    late = Late("(?i)skip", needs=("skip",))
    for text in ("SKIP", "ſkip", "S\u212aIP", "skıp", "SK\u0130P"):  # long s, Kelvin sign, dotless and dotted i
        assert bool(re.search("(?i)skip", text)) == bool(late.search(text)), text
    assert folded("ſK\u0130") == "ski"


def test_the_methods_do_what_the_compiled_ones_do() -> None:
    late, real = Late(r"(\d)-", needs=("-",)), re.compile(r"(\d)-")
    for text in ("1-2-3", "none", ""):
        assert late.sub("x", text) == real.sub("x", text)
        assert late.split(text) == real.split(text)
        assert late.findall(text) == real.findall(text)
        assert [m.span() for m in late.finditer(text)] == [m.span() for m in real.finditer(text)]
        assert bool(late.match(text)) == bool(real.match(text))
        assert bool(late.fullmatch(text)) == bool(real.fullmatch(text))


@given(
    st.text(alphabet="ab'_- .é", max_size=14), st.lists(st.text(alphabet="ab'.", min_size=1, max_size=3), max_size=4)
)
def test_a_word_by_itself_is_what_the_expression_says(text: str, words: list[str]) -> None:
    whole = re.search(rf"\b(?:{'|'.join(map(re.escape, words))})\b", text) if words else None
    starts = re.search(rf"\b(?:{'|'.join(map(re.escape, words))})", text) if words else None
    assert holds(text, tuple(words)) is (whole is not None)
    assert holds(text, (), tuple(words)) is (starts is not None)
    start = re.match(rf"(?:{'|'.join(map(re.escape, words))})\b", text) if words else None
    assert begins(text, tuple(words)) is (start is not None)


@given(st.text(alphabet="abc 1-", max_size=16))
def test_alternatives_find_what_one_expression_with_bars_finds(text: str) -> None:
    parts = (r"a+b?", r"b[ab]", r"[0-9]-c", r"\bc+")
    together = re.search("|".join(parts), text)
    apart = Alternatives(*(Late(part) for part in parts)).search(text)
    assert (apart and apart.span()) == (together and together.span())


@pytest.mark.parametrize(("name", "pair"), [(name, pair) for name, pair in _scripts()])
@given(text=st.text(alphabet=st.sampled_from("ab. !?-\n,;:()[]\"`/\\t'"), max_size=20))
def test_what_is_for_ascii_only_matches_the_same_there(name: str, pair: Scripts, text: str) -> None:
    every, plain = (re.compile(part.source) for part in pair.parts)
    assert [found.span() for found in every.finditer(text)] == [found.span() for found in plain.finditer(text)], name
    assert pair.of(text) is pair.parts[1]
    assert pair.of(f"{text}。") is pair.parts[0]
