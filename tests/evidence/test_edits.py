"""Edits by tools: whose they are, which of them change nothing that runs, and what an edit of a test gives up."""

from pathlib import Path
from typing import Any

import pytest

from ace_reflect.assess.subject import typed_change
from ace_reflect.evidence.edits import is_edit, trivial_change, weakening
from support.ledgers import ledger_of, session

ROOT = "/home/dev/project"


@pytest.mark.parametrize(("tool", "given"), [
    ("Edit", {"file_path": f"{ROOT}/src/a.py", "old_string": "a = 1", "new_string": "a = 2"}), ("NotebookEdit", {"notebook_path": "src/a.py", "new_source": "1"}),
    ("mcp__acp__Edit", {"file_path": f"{ROOT}/src/a.py", "old_string": "a = 1", "new_string": "a = 2"}),
    ("mcp__jetbrains__replace_text_in_file", {"pathInProject": "src/a.py", "oldText": "a = 1", "newText": "a = 2", "projectPath": ROOT}),
    ("mcp__filesystem__edit_file", {"path": f"{ROOT}/src/a.py", "edits": [{"oldText": "a = 1", "newText": "a = 2"}]}),
    ("mcp__serena__replace_symbol_body", {"relative_path": "src/a.py", "name_path": "f", "body": "a = 2"}),
    ("str_replace_based_edit_tool", {"command": "str_replace", "path": "src/a.py", "old_str": "a = 1", "new_str": "a = 2"}),
])  # fmt: skip
def test_an_edit_is_known_by_its_tool(tmp_path: Path, tool: str, given: dict[str, Any]) -> None:
    (edit,) = ledger_of(session(tmp_path).prompt("Go").call(tool, given).result("OK")).edits
    assert (edit.path, edit.kind, edit.language, edit.tool, edit.is_work) == (f"{ROOT}/src/a.py", "code", "python", tool, True)  # fmt: skip
    assert "+" in {sign for sign, _ in typed_change(given)}


@pytest.mark.parametrize(("tool", "given"), [
    ("mcp__github__create_or_update_file", {}), ("mcp__fs__read_file", {}), ("Read", {}),
    ("write_file", {}), ("mcp__notion__edit", {}), ("mcp__gitlab__edit_file", {}),
    ("str_replace_based_edit_tool", {"command": "view"}),
])  # fmt: skip
def test_other_tools_edit_nothing_here(tool: str, given: dict[str, Any]) -> None:
    assert not is_edit(tool, given)


@pytest.mark.parametrize(("path", "old", "new", "called"), [
    ("a.py", "x = 1\n", "\nx = 1  \n", "white space"),
    ("a.py", "if a:\n    x = 1\n", "if a:\nx = 1\n", ""),
    ("a.js", "if (a) {\nx = 1;\n}\n", "if (a) {\n  x = 1;\n}\n", "white space"),
    ("a.py", "# one\n", "# another\n", "comments"), ("a.py", "x = 1\n", "x = 2\n", ""),
    ("a.py", "x = 1\n", "# x = 1\n", ""),
    ("a.py", "def f():\n    x()\n", 'def f():\n    """\n    What it does.\n    """\n    x()\n', "comments"),
    ("a.py", "def f():\n    x()\n", 'def f():\n    """\n    >>> f()\n    """\n    x()\n', ""),
    ("a.ts", "/**\n * Keeps: a/b.md\n */\nf();\n", "/**\n * Keeps: */b.md\n */\nf();\n", ""),
    ("a.ts", "f();\n", "/* once */ g();\nf();\n", ""),
    ("a.ts", "f();\ng();\n", "/*\nf();\n*/\ng();\n", ""),
    ("a.vue", "<p>a</p>\n", "<!--\n<p>a</p>\n-->\n", ""),
    ("a.ts", "f();\n", "/**\n * @param x what it is; see @alice\n */\nf();\n", "comments"),
    ("a.ts", "f();\n", "// @ts-expect-error old types\nf();\n", "comments"),
    ("a.py", "x = 1\n", "x = 1  # one\n", "comments"), ("a.py", "x = a // b\n", "x = a // c\n", ""),
    ("a.ts", "f(); // once\n", "f();\n", "comments"), ("a.py", "x = '# a'\n", "x = '# b'\n", ""),
    ("a.go", "package a\n", "//go:build linux\npackage a\n", ""),
])  # fmt: skip
def test_an_edit_that_changes_nothing_that_runs_is_trivial(path, old, new, called):
    assert trivial_change(path, old.splitlines(), new.splitlines()) == called


def test_a_write_is_compared_by_its_patch(tmp_path: Path) -> None:
    built = (
        session(tmp_path)
        .prompt("Go")
        .call("Write", {"file_path": "/p/a.py", "content": "# b\nx = 1\n"})
    )
    patch = [{"oldStart": 1, "lines": ["-# a", "+# b", " x = 1"]}]
    built.result(
        "Updated.", answer={"type": "update", "filePath": "/p/a.py", "structuredPatch": patch}
    )

    assert [edit.trivial for edit in ledger_of(built).edits] == ["comments"]


@pytest.mark.parametrize(("old", "new", "quote"), [
    ("def test_a():\n    x()\n", "@pytest.mark.skip\ndef test_a():\n    x()\n", "+ @pytest.mark.skip"),
    ("it('adds', () => {\n", "it.skip('adds', () => {\n", "+ it.skip('adds', () => {"),
    ("  it 'works' do\n    expect(a).to eq 1\n  end\n", "", "- it 'works' do"),
    ("def test_a():\n    x()\ndef test_b():\n    y()\n", "def test_b():\n    y()\n", "- def test_a():"),
    # rewritten, added, renamed, taken back in, made up for, or only spoken of
    ("    assert a\n    assert b\n", "    assert a\n", ""),
    ("def test_a():\n    assert a\n", "def test_renamed():\n    assert a\n", ""),
    ("@pytest.mark.skip\ndef test_a():\n", "def test_a():\n", ""),
    ("    x = 1\n", "    # assert nothing is skipped\n", ""),
    ("def test_a():\n    assert off()\n    assert late()\n", "def test_b():\n    assert off()\n\ndef test_no_raise():\n    run()\n", ""),
])  # fmt: skip
def test_what_a_test_gives_up_is_quoted(old: str, new: str, quote: str) -> None:
    assert weakening(old.splitlines(), new.splitlines()) == quote


def test_only_a_test_files_edit_gives_tests_up(tmp_path: Path) -> None:
    built = (
        session(tmp_path)
        .edit("/p/src/a.py", "def test_a():\n", "")
        .edit("/p/skip.ts", "", "test.skip = 1\n")
    )
    built.edit("/p/tests/test_a.py", "def test_a():\n", "")
    assert [edit.weakened for edit in ledger_of(built).edits] == ["", "", "- def test_a():"]
