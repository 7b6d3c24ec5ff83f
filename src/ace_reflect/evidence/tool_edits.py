"""Edits by the host's own tools and by editing tools of MCP servers: path, kind, and whether a test was weakened."""

import re

from ace_reflect.checksum import checksum
from ace_reflect.evidence import kinds
from ace_reflect.evidence.weakened import IMPORTS, changed_lines, patch_lines, taken_out, trivial_change, weakening
from ace_reflect.late import Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.facts import EditKind

TOOLS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
_MCP_EDIT = Late(
    r"^mcp__.*__(?:write|edit|create_text|create_or_update|append|replace|insert|delete|patch|overwrite|update|apply|rename|move)\w*"
    r"(?:file|lines?|symbol\w*|content|regex|text|body|diff|notebook|cell)\w*$|^mcp__.*__(?:write|edit|str_replace|apply_patch)$",
    needs=("mcp__", "apply|append|create|delete|edit|insert|move|overwrite|patch|rename|replace|update|write"),
)
_REMOTE = (
    "github",
    "gitlab",
    "notion",
    "slack",
    "drive",
    "jira",
    "linear",
    "confluence",
    "browser",
    "playwright",
    "memory",
)
_PATHS = ("file_path", "notebook_path", "relative_path", "path", "filePath", "filename", "file")


_LONGEST_NAME = 200  # the API allows 128 characters


def is_edit(name: str) -> bool:
    """Whether a tool changes files here. MCP tools of a forge or a wiki write elsewhere."""
    return name in TOOLS or (
        name.startswith("mcp__")
        and len(name) <= _LONGEST_NAME
        and not any(map(folded(name).__contains__, _REMOTE))
        and _MCP_EDIT.match(name) is not None
    )


def path_of(data: "dict[str, Any]") -> str:
    for key in _PATHS:
        path = data.get(key)
        if isinstance(path, str):
            return path
    return ""


def kind_in(path: str, root: str | None) -> "EditKind":
    """The kind of a file as seen from the project: a checkout called `e2e-tests` is no folder of tests."""
    inside = root and path.startswith((f"{root}/", f"{root}\\"))
    return kinds.edit_kind(path[len(root) + 1 :] if root and inside else path)


def draft(name: str, data: "dict[str, Any]", cwd: str | None, root: str | None) -> "dict[str, Any]":
    """What of an edit's input is kept until its result is there: the texts are compared at once and let go."""
    path = kinds.absolute(path_of(data), cwd)
    removed, added = _from_input(name, data)
    kind = kind_in(path, root)
    found = {"path": path, "change": _change(name, data), "kind": kind}
    return {**found, **_judged(path, kind, removed, added)}


def _change(name: str, data: "dict[str, Any]") -> str:
    """The checksums of an Edit's two texts; "" where the host may have replaced them in several places."""
    if name != "Edit" or data.get("replace_all"):
        return ""
    old, new = (_text(data.get(key)).encode("utf-8", "surrogatepass") for key in ("old_string", "new_string"))
    return f"{checksum(old):x}:{checksum(new):x}" if old != new else ""


def settled(
    drafted: "dict[str, Any]", details: "dict[str, Any]", patch: "tuple[dict[str, Any], ...]"
) -> "dict[str, Any]":
    """The same after the result, whose patch shows more than the input: a Write's old lines."""
    if not patch:
        return (
            drafted
            if details.get("type") != "create"
            else {**drafted, "weakened": "", "regained": "", "gone": "", "trivial": ""}
        )
    removed, added = patch_lines(patch)
    return {**drafted, **_judged(drafted["path"], drafted["kind"], removed, added)}


def _judged(path: str, kind: str, removed: list[str], added: list[str]) -> "dict[str, Any]":
    trivial = trivial_change(removed, added) or ("version" if _is_bump(removed, added) else "")
    if not trivial and _are_imports(path, removed, added):
        trivial = IMPORTS
    if not trivial and is_docstrings(added) and (not any(map(str.strip, removed)) or trivial_change(removed, [])):
        trivial = "comments"
    return {
        "weakened": weakening(removed, added) if kind == "test" else "",
        "regained": weakening(added, removed) if kind == "test" else "",
        "gone": taken_out(removed, added) if kind == "code" else "",
        "trivial": trivial,
    }


def is_docstrings(lines: list[str]) -> bool:
    """
    Whether lines hold nothing but whole docstrings of several lines, and blanks between them.

    One with a `>>>` in it may be run as a test. A string that is an argument or a value ends in more than its quotes.
    """
    quotes = ""
    found = False
    for line in map(str.strip, lines):
        opens = not quotes and line[:3] in _QUOTES
        if (line and not quotes and not opens) or ">>>" in line:
            return False
        quotes = line[:3] if opens else quotes
        text = line[3:] if opens else line
        if quotes and quotes in text:
            if not text.endswith(quotes) or text.count(quotes) > 1:
                return False
            quotes, found = "", True
    return found and not quotes


_QUOTES = ('"""', "'''")
_NUMBER = Late(r"\d+\.\d+(?:\.\d+)?[\w.+-]{0,40}", needs=(".",))


def _is_bump(removed: list[str], added: list[str]) -> bool:
    """Whether nothing but the number of a version was changed: `__version__ = "1.4.0"`."""
    if not removed or len(removed) != len(added) or not all("version" in folded(line) for line in removed):
        return False
    changed = (_NUMBER.sub("", old) == _NUMBER.sub("", new) != old for old, new in zip(removed, added, strict=True))
    return all(changed)


#: By a file's suffix a line that names what a compiler looks up, and runs nothing: `import './style.css'`, `pub use` and
#: Go's `_ "driver"` do more, and so does each import of an interpreter.
_JVM = r"import (?:static )?[\w.]+(?:\.\*|\.\{[\w, =>]+\})?(?: as \w+)?;?"
_TS = r"import (?:type )?[\w${}, *]+ from (?P<quote>['\"])[^'\"]+(?P=quote);?"
_IMPORT = {
    **dict.fromkeys(("java", "kt", "scala"), Late(_JVM)),
    **dict.fromkeys(("ts", "tsx", "mts"), Late(_TS)),
    "cs": Late(r"using (?:static )?[\w.]+(?: = [\w.<>]+)?;"),
    "go": Late(r"(?:import )?(?:(?!_ )\w+ )?\"[\w./~-]+\""),
    "rs": Late(r"use [\w:{}, *]+;"),
    "swift": Late(r"import [\w.]+"),
}


def _are_imports(path: str, removed: list[str], added: list[str]) -> bool:
    """
    Whether a change only takes imports of a compiled language out, or only puts some in, comments and blanks aside.

    What is imported from elsewhere than before may do something else: that is for the tests.
    """
    pattern = _IMPORT.get(path.rpartition(".")[2])
    if pattern is None:
        return False
    before, behind = (
        [line.strip() for line in lines if line.strip() and not trivial_change([line], [])]
        for lines in (removed, added)
    )
    if not all(len(line) < _LONGEST_NAME and pattern.fullmatch(line) for line in before + behind):
        return False
    named, left = (set(re.findall(r"[\w./~@-]+", " ".join(lines))) for lines in (before, behind))
    return bool(before or behind) and (not before or left <= named)


def _from_input(name: str, data: "dict[str, Any]") -> tuple[list[str], list[str]]:
    if name == "MultiEdit":
        removed: list[str] = []
        added: list[str] = []
        edits = data.get("edits")
        for edit in edits if isinstance(edits, list) else []:
            if isinstance(edit, dict):
                out, put = changed_lines(_text(edit.get("old_string")), _text(edit.get("new_string")))
                removed, added = removed + out, added + put
        return removed, added
    if "old_string" in data:
        return changed_lines(_text(data.get("old_string")), _text(data.get("new_string")))
    return [], []  # a whole file: only the result's patch tells what was there before


def _text(value: "Any") -> str:
    return value if isinstance(value, str) else ""
