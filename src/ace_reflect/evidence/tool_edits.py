"""Edits by the host's own tools and by editing tools of MCP servers: path, kind, and whether a test was weakened."""

from ace_reflect.checksum import checksum
from ace_reflect.evidence import kinds
from ace_reflect.evidence.trivial_edits import trivial_change
from ace_reflect.evidence.weakened import changed_lines, patch_lines, taken_out, weakening
from ace_reflect.late import Late, folded
from ace_reflect.transcript.tool_names import EDITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ace_reflect.evidence.facts import EditKind

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


#: Where an editing call's input holds what it takes out and puts in.
_SIDES = (("-", ("old_string",)), ("+", ("new_string", "content", "new_source")))


_LONGEST_NAME = 200  # the API allows 128 characters


def is_edit(name: str) -> bool:
    """Whether a tool changes files here. MCP tools of a forge or a wiki write elsewhere."""
    return name in EDITS or (
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


def typed_change(data: "Mapping[str, Any]") -> "Iterator[tuple[str, str]]":
    """The lines that an editing call names, each with what becomes of it: "-" taken out, "+" put in. Of a whole file all."""
    edits = data.get("edits")
    for pair in (data, *(edits if isinstance(edits, list) else ())):
        if isinstance(pair, dict):
            for sign, names in _SIDES:
                text = next((pair[name] for name in names if name in pair), None)
                yield from ((sign, line) for line in text.splitlines()) if isinstance(text, str) else ()


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
    return {
        "weakened": weakening(removed, added) if kind == "test" else "",
        "regained": weakening(added, removed) if kind == "test" else "",
        "gone": taken_out(removed, added) if kind == "code" else "",
        "trivial": trivial_change(path, removed, added),
    }


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
