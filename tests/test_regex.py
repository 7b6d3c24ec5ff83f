"""Expressions that one hook compiles and others get back: the same as `re` makes them, or `re` makes them."""

import importlib
import marshal
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import bundle, regex
from support.patterns import patterns

SOURCES: list[tuple[str | bytes, int]] = [(found.source, found.flags) for found in patterns()]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of this test's hooks."""
    path = tmp_path / "hooks.expressions"
    monkeypatch.setattr(bundle, "expressions", str(path))
    monkeypatch.setattr(bundle, "_FOLDER", str(tmp_path))
    hook()
    yield path
    monkeypatch.undo()
    importlib.reload(regex)


def hook() -> ModuleType:
    """As in another process, one that may write (these tests may run with PYTHONDONTWRITEBYTECODE)."""
    made = importlib.reload(regex)
    vars(made)["sys"] = SimpleNamespace(
        flags=SimpleNamespace(dont_write_bytecode=0), modules=sys.modules, byteorder=sys.byteorder
    )
    return made


def test_every_expression_of_the_package_is_given_back_as_re_compiles_it(kept: Path) -> None:
    for source, flags in [*SOURCES, (rb'\{"(?:a|(?<=b)c)', 0), ("(?P<name>x)(?P=name)", re.VERBOSE)]:
        re.purge()  # it would not compile again what these tests compiled
        regex.compile(source, flags)
    regex.write()
    second = hook()
    for source, flags in SOURCES:
        given = second._given_back((source, int(flags)))
        assert given is not None, source
        assert given == re.compile(source, flags)
        assert (given.groupindex, given.groups, given.flags) == (
            (made := re.compile(source, flags)).groupindex,
            made.groups,
            made.flags,
        )
    assert len(SOURCES) > 500


def test_a_second_hook_does_without_re(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    re.purge()
    assert regex.search(r"(?P<word>\w+) rain", "some rain")
    regex.write()
    second = hook()
    monkeypatch.setitem(sys.modules, "re", None)  # importing it is an error now
    found = second.search(r"(?P<word>\w+) rain", "no rain today")
    assert found is not None
    assert (found["word"], found.span()) == ("no", (0, 7))
    with pytest.raises(ImportError):
        second.search("another", "x")


def test_what_several_hooks_met_is_kept_together(kept: Path) -> None:
    for source in ("first one", "second one", "third one"):
        re.purge()
        one = hook()
        one.compile(source)
        one.write()
    assert {key for key, _ in hook()._forms()} == {"first one", "second one", "third one"}


@pytest.mark.parametrize(
    "damage", ["missing", "empty", "cut", "longer", "garbage", "another interpreter's", "another form", "a link"]
)
def test_a_file_that_cannot_be_used_is_none(kept: Path, damage: str) -> None:
    re.purge()
    regex.compile("a+b")
    regex.write()
    whole = kept.read_bytes()
    head = len(regex._MARK) + 8
    if damage == "another interpreter's":
        other = marshal.dumps((("2.7", "little"), marshal.loads(whole[head:])[1]))  # noqa: S302 - ours
        kept.write_bytes(regex._MARK + len(other).to_bytes(8, "little") + other)
    elif damage == "a link":
        kept.rename(kept.with_name("elsewhere"))
        kept.symlink_to("elsewhere")
    elif damage == "missing":
        kept.unlink()
    else:
        kept.write_bytes({
            "empty": b"", "cut": whole[:-3], "longer": whole + b"x", "garbage": whole[:head] + b"\xff" * (len(whole) - head),
            "another form": b"ace-reflect expressions 9\n" + whole[len(regex._MARK) :],
        }[damage])  # fmt: skip
    second = hook()
    assert second._forms() == {}
    re.purge()
    assert second.search("a+b", "aab")
    second.write()
    assert list(hook()._forms()) == [("a+b", 0)], "it is made anew"


@pytest.mark.parametrize(
    "form",
    [
        (32, b"\x01\x02\x03", 0, {}, (None,)),
        (32, b"\xff\xff\xff\xff" * 8, 0, {}, (None,)),
        (32, b"", 0),
        "nothing",
        None,
    ],
)
def test_code_that_the_interpreter_refuses_comes_from_re(kept: Path, form: object) -> None:
    body = marshal.dumps((regex._MAKER, {("a+b", 0): form}))
    kept.write_bytes(regex._MARK + len(body).to_bytes(8, "little") + body)
    re.purge()
    second = hook()
    assert second.search("a+b", "aab")
    second.write()
    assert hook()._given_back(("a+b", 0)) == re.compile("a+b")


def test_outside_of_hooks_nothing_is_kept(tmp_path: Path) -> None:
    assert bundle.expressions == ""
    re.purge()
    assert regex.compile("only here") == re.compile("only here")
    assert regex._met == {}


def test_what_is_kept_is_bounded(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regex, "_MOST", 3)
    for number in range(5):
        regex.compile(f"number {number}")
    regex.write()
    assert len(hook()._forms()) == 3


def test_where_nothing_can_be_written_nothing_is(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "expressions", str(kept.parent / "no folder" / "x"))
    re.purge()
    assert regex.compile("a|b")
    regex.write()
    assert not kept.exists()


def test_a_wrong_expression_is_told_as_re_tells_it(kept: Path) -> None:
    with pytest.raises(re.error):
        regex.compile("(")
    assert sys.modules["re._compiler"]._sre.__name__ == "_sre", "what watched it is gone"


@given(st.text(alphabet="ab (,;.)1\n", max_size=30))
def test_the_functions_are_those_of_re(text: str) -> None:
    assert [m.span() for m in regex.finditer("(?i)A+b?", text)] == [m.span() for m in re.finditer("(?i)A+b?", text)]
    assert regex.findall(r"(\w) ", text) == re.findall(r"(\w) ", text)
    assert regex.split(r"[,;]\s*", text) == re.split(r"[,;]\s*", text)
    assert regex.sub("A", "-", text, flags=regex.IGNORECASE) == re.sub("A", "-", text, flags=re.IGNORECASE)
    for mine, its in ((regex.search, re.search), (regex.match, re.match), (regex.fullmatch, re.fullmatch)):
        assert (mine(r"(?m)^b+", text) is None) == (its(r"(?m)^b+", text) is None)
