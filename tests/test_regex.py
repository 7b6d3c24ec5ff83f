"""Expressions that one hook compiles and others get back: the same as `re` makes them, or `re` makes them."""

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import bundle, regex
from support.patterns import patterns

SRC = Path(regex.__file__).parent
SOURCES: list[tuple[str | bytes, int]] = [(found.source, found.flags) for found in patterns()]
HEAD = len(regex._MARK) + 16  # and two lengths


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
    assert {key for key, _ in hook()._Kept(str(kept)).index} == {"first one", "second one", "third one"}


@pytest.mark.parametrize(
    "damage", ["missing", "empty", "cut", "longer", "garbage", "another interpreter's", "another form", "a link"]
)
def test_a_file_that_cannot_be_used_is_none(kept: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    re.purge()
    regex.compile("a+b")
    regex.write()
    whole = kept.read_bytes()
    if damage == "another interpreter's":
        with monkeypatch.context() as other:
            other.setattr(regex, "_MAKER", ("2.7", "little"))
            kept.write_bytes(regex._as_file({("a+b", 0): (32, b"", 0, {}, (None,))}))
    elif damage == "a link":
        kept.rename(kept.with_name("elsewhere"))
        kept.symlink_to("elsewhere")
    elif damage == "missing":
        kept.unlink()
    else:
        kept.write_bytes({
            "empty": b"", "cut": whole[:-3], "longer": whole + b"x", "garbage": whole[:HEAD] + b"\xff" * (len(whole) - HEAD),
            "another form": b"ace-reflect expressions 9\n" + whole[len(regex._MARK) :],
        }[damage])  # fmt: skip
    second = hook()
    assert second._Kept(str(kept)).index == {}
    re.purge()
    assert second.search("a+b", "aab")
    second.write()
    assert list(hook()._Kept(str(kept)).index) == [("a+b", 0)], "it is made anew"


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
def test_code_that_the_interpreter_refuses_comes_from_re(kept: Path, form: Any) -> None:
    kept.write_bytes(regex._as_file({("a+b", 0): form}))
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


@pytest.mark.parametrize("damage", [b"\xff", b"\x00", b"i"])
def test_one_damaged_form_is_compiled_anew_and_the_others_stay(kept: Path, damage: bytes) -> None:
    re.purge()
    for source in ("a+b", "c+d"):
        regex.compile(source)
    regex.write()
    whole = bytearray(kept.read_bytes())
    start, length = regex._Kept(str(kept)).index[("a+b", 0)]
    at = HEAD + int.from_bytes(whole[HEAD - 16 : HEAD - 8], "little") + start
    whole[at : at + length] = damage * length
    kept.write_bytes(whole)
    re.purge()
    second = hook()
    assert second.search("a+b", "aab")
    second.write()
    third = hook()
    for source in ("a+b", "c+d"):
        assert third._given_back((source, 0)) == re.compile(source)


def test_what_is_kept_is_bounded(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        one = hook()
        monkeypatch.setattr(one, "_MOST", 3)
        one.compile(f"number {number}")
        one.write()
    assert [source for source, _ in hook()._Kept(str(kept)).index] == ["number 4", "number 3", "number 2"]


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


def test_what_is_kept_is_never_put_together_from_a_sessions_words() -> None:
    """`re.search(rf"…{name}…")` with a name of the function's own belongs to the real `re`: the file would grow with it."""
    calls = {"compile", "search", "match", "fullmatch", "findall", "finditer", "split", "sub"}
    wrong, seen = [], 0
    for path in sorted(SRC.rglob("*.py")):
        tree = ast.parse(path.read_text())
        if "from ace_reflect import regex as re" not in path.read_text():
            continue
        top = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
        constants = {name.id for node in top for name in ast.walk(node) if isinstance(name, ast.Name)}
        constants |= {
            name.asname or name.name for node in top if isinstance(node, ast.ImportFrom) for name in node.names
        }
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            own = any(isinstance(node, ast.Import) and node.names[0].name == "re" for node in ast.walk(function))
            for call in ast.walk(function):
                if not (
                    isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in calls
                ):
                    continue
                if own or ast.unparse(call.func.value) != "re":
                    continue
                seen += 1
                names = {name.id for name in ast.walk(call.args[0]) if isinstance(name, ast.Name)}
                if not isinstance(call.args[0], ast.Name | ast.Attribute) and not names <= constants:
                    wrong.append(f"{path.name}:{call.lineno}")
    assert wrong == []
    assert seen > 60
