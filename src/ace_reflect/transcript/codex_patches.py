"""Codex's patches -> the edits that they make, as calls of the records' tools."""

import re
from collections.abc import Iterator
from shlex import quote
from typing import Any

from ace_reflect.transcript.messages import mapping, string

Json = dict[str, Any]
Step = tuple[str, Json, tuple[tuple[str, ...], ...]]  # tool, input, hunks

_FILE = r"\*\*\* (Add|Update|Delete) File: (.+)"


def of_patch(text: str) -> Iterator[Step]:
    """What a patch in the form that `apply_patch` takes does, file by file."""
    parts = re.split(_FILE, text.partition("*** Begin Patch")[2].partition("*** End Patch")[0])
    for verb, path, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=False):
        moved = re.match(r"\n\*\*\* Move to: (.+)", body)
        yield from _steps(verb.lower(), path.strip(), body, moved[1].strip() if moved else "")


def of_changes(changes: Json) -> Iterator[Step]:
    """The same of what a patch has done: path -> {type, content or unified_diff, move_path}."""
    for path in changes:
        change = mapping(changes, path)
        whole = "".join(f"+{line}\n" for line in string(change, "content").splitlines())
        body = string(change, "unified_diff") or whole
        yield from _steps(string(change, "type"), path, body, string(change, "move_path"))


def _steps(verb: str, path: str, body: str, moved: str) -> Iterator[Step]:
    """What is done to one file: (tool, input, hunks)."""
    parts = (part.splitlines() for part in re.split(r"(?m)^@@.*$", body))
    hunks = ([row for row in part if row[:1] in ("+", "-", " ")] for part in parts)
    patch = tuple(tuple(rows) for rows in hunks if rows)
    rows = [row for hunk in patch for row in hunk]
    old, new = ("\n".join(row[1:] for row in rows if row[0] != sign) for sign in "+-")
    if verb == "delete":
        yield "Bash", {"command": f"rm {quote(path)}"}, ()
    elif verb == "add":
        yield "Write", {"file_path": path, "content": new}, ()
    if moved:
        yield "Bash", {"command": f"mv {quote(path)} {quote(moved)}"}, ()
    if verb == "update" and rows:
        given = {"file_path": moved or path, "old_string": old, "new_string": new}
        yield "Edit", given, patch
