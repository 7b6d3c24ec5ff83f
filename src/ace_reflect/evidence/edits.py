"""Edits by tools: which tools write files, what they add and remove, and whether that changes anything that runs."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from posixpath import commonprefix
from typing import Any

from ace_reflect.evidence.files import language_of
from ace_reflect.evidence.programs import words

#: Tools that write files (an MCP server's without `mcp__<server>__`) | whose they are.
_TABLE = """
Edit Write MultiEdit NotebookEdit | Claude Code; Zed (mcp__acp__Edit)
replace_text_in_file create_new_file create_new_file_with_text replace_file_text_by_path | JetBrains
XcodeUpdate XcodeWrite | Xcode 26.3
edit_block write_file edit_file append_file patch_file | Desktop Commander, modelcontextprotocol/server-filesystem
create_text_file replace_content replace_regex replace_lines insert_at_line delete_lines | serena
replace_symbol_body insert_after_symbol insert_before_symbol rename_symbol | serena
str_replace_editor str_replace_based_edit_tool str_replace | Anthropic's text editor tool
write_to_file replace_in_file write edit | Cline's names, as servers took them over; small file servers
"""
_TOOLS = {name for row in _TABLE.strip().split("\n") for name in row.partition("|")[0].split()}
_PATHS = ("file_path", "notebook_path", "pathInProject", "filePath", "path", "relative_path", "filename", "file")  # fmt: skip
#: Servers whose files are not this machine's.
_REMOTE = ("github", "gitlab", "notion", "slack", "drive", "jira", "linear", "confluence", "memory")
_OLD = ("old_string", "oldString", "oldText", "old_str", "old_text")
_NEW = ("new_string", "newString", "newText", "new_str", "new_text", "new_source")
_WHOLE = ("content", "text", "file_text", "body")
#: Python's modules that lead to no other code, and the doors of the language itself that do.
_CLOSED = words("__future__ abc argparse bisect collections copy dataclasses datetime decimal enum fractions functools itertools json math numpy operator random re scipy statistics string sys textwrap time traceback typing uuid warnings")  # fmt: skip
_DOORS = r"(?m)(?<![.\w])(?:exec|execfile|eval|open|compile|input)\b|__(?:import|builtins)__|stdin|[$`]|\.(?:load(?:txt|mat)?|genfromtxt|fromfile|memmap)\b|(?:^|[;:])\s*import\s[^#;\n]*,"  # fmt: skip


def is_edit(name: str, given: Mapping[str, Any]) -> bool:
    """Whether a tool writes files of this machine. One tool both looks and writes: its `command` tells."""
    server, _, tool = name.rpartition("__")
    known = tool in _TOOLS and (server or tool[0].isupper() or tool.startswith("str_"))
    there = server and any(remote in server.lower() for remote in _REMOTE)
    return bool(known and not there) and given.get("command") not in ("view", "undo_edit")


def path_of(given: Mapping[str, Any]) -> str:
    """The file that a call names; "" for none."""
    return _text(given, _PATHS)


def texts_of(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What each replacement of a call removes and adds; a whole file is all added."""
    edits = given.get("edits")
    for pair in (given, *(edits if isinstance(edits, list) else ())):
        if isinstance(pair, dict):
            old, new = _text(pair, _OLD), _text(pair, _NEW) or _text(pair, _WHOLE)
            if old or new:
                yield old, new


def closed_imports(code: str) -> tuple[str, ...] | None:
    """The modules that Python code imports, if certainly neither they nor the code itself lead to other code; else None."""
    found = re.findall(r"(?m)(?:^|[;:])\s*(?:from|import)\s+(\w*)", code)
    return tuple(found) if _CLOSED.issuperset(found) and not re.search(_DOORS, code) else None


def patch_sides(patch: Sequence[Sequence[str]]) -> list[tuple[list[str], list[str]]]:
    """The lines before and after of each hunk of a `structuredPatch`."""
    return [([row[1:] for row in rows if row[:1] in "- "], [row[1:] for row in rows if row[:1] in "+ "]) for rows in patch]  # fmt: skip


def _text(given: Mapping[str, Any], keys: Sequence[str]) -> str:
    return next((value for key in keys if isinstance(value := given.get(key), str)), "")


_COMMENT = r"(?m)\n[ \t]*(?:([\"']{3})(?:(?!\1|>>>)[\s\S]){0,2000}\1|(?>/\*[\s\S]{0,2000}?\*/)|(?><!--[\s\S]{0,2000}?-->)|(?:#(?![^\s#]|.{0,5}coding[:=])|//(?!go:)|-- |;;|\*(?![^\s/]))(?:(?!\*/\S).)*)[ \t]*$"  # fmt: skip
_HASH, _SLASHES = (rf"(?m)[#/](?<=[ \t].)(?:{mark} |(?:(?<=#)|(?<=/)[/*]) ?(?:noqa|nolint|nosec|type: ignore|pyright: |pylint: |ruff: |eslint-|biome-ignore|prettier-ignore|@ts-|NOSONAR|rubocop:|pragma: no cover))[^\"'`\n]*$" for mark in ("(?<=#)", "(?<=/)/"))  # fmt: skip
_TEST = r"\s*(?:(?:async\s+)?def\s+test|(?:it|test|describe|context)(?:\.each\S*)?[ (]\s*[\"'`]|func\s+Test\w+\(|fn\s+(?:test_|\w+_test\()|#\[test\]|public\s+(?:function|void)\s+test|@test\s|\[(?:Fact|Theory|Test|TestMethod)\]|@Test\b|TEST(?:_F|_P)?\()"  # fmt: skip
_SKIP = r"\b(?:(?:pytest\.(?:skip|xfail)|self\.skipTest|[tb]\.Skip(?:Now|f)?)\(|(?:it|test|describe|context|suite|specify)\.(?:skip|todo|fixme|only)\b|x(?:it|describe|test|context)\s*\(|XCTSkip)|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.(?:skip|expectedFailure)|Disabled|Ignore\b|skip\b|tag\s+:skip)|#\[ignore|\[(?:Ignore|Skip)\b|Skip\s*=\s*\"|markTest(?:Skipped|Incomplete)|GTEST_SKIP"  # fmt: skip


def trivial_change(path: str, before: list[str], after: list[str]) -> str:
    """ "white space" or "comments" where nothing else differs between two texts; "" otherwise."""
    same = len(commonprefix([before, after]))
    rest = len(commonprefix([before[same:][::-1], after[same:][::-1]]))
    sides = ["\n".join(text[same : len(text) - rest]) for text in (before, after)]
    if _rows(path, sides[0]) == _rows(path, sides[1]):
        return "white space" if before != after else ""
    behind = _HASH if language_of(path) in ("python", "ruby", "elixir") else _SLASHES
    bare = [re.sub(behind, "", re.sub(_COMMENT, "", f"\n{text}")) for text in sides]
    return "comments" if _rows(path, bare[0]) == _rows(path, bare[1]) else ""


def _rows(path: str, text: str) -> list[str]:
    rows = [line.rstrip() for line in text.splitlines() if line.strip()]
    return rows if language_of(path) in ("python", "") else [" ".join(row.split()) for row in rows]


def weakening(before: Sequence[str], after: Sequence[str]) -> str:
    """How a change weakens a test file: "+ @pytest.mark.skip", "- def test_a():"; "" if it does not."""
    was, now = Counter(before), Counter(after)
    gone, new = [*(was - now).elements()], [*(now - was).elements()]
    had, have = ([line for line in text if re.match(_TEST, line)] for text in (gone, new))
    skips = [line for line in new if weakens(line)]
    if len(skips) > sum(map(weakens, gone)) and len(have) <= len(had):
        return f"+ {skips[0].strip()}"[:200]
    return f"- {had[0].strip()}"[:200] if len(have) < len(had) else ""


def weakens(text: str) -> bool:
    """Whether a line adds a skip to a test."""
    return bool(re.search(_SKIP, text)) and not re.match(_COMMENT, f"\n{text}")
