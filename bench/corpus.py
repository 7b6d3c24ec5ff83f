"""The labelled and the wide transcripts beside the checkout, and every distinct Bash command in them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "transcripts"


def bash_commands(folders: list[Path] | None = None) -> Iterator[tuple[str, str]]:
    """(command, "file:line") for each distinct command, in the order of the files; subagents' calls included."""
    seen: set[str] = set()
    for folder in folders or [SHARED]:
        for path in sorted(folder.rglob("*.jsonl")):
            with path.open(encoding="utf-8", errors="replace") as lines:
                for number, line in enumerate(lines, 1):
                    if '"Bash"' not in line:
                        continue
                    for command in _commands(_parsed(line)):
                        if command not in seen:
                            seen.add(command)
                            yield command, f"{path.name}:{number}"


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _commands(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("type") == "tool_use" and value.get("name") == "Bash":
            command = (value.get("input") or {}).get("command")
            if isinstance(command, str):
                yield command
        for inner in value.values():
            yield from _commands(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _commands(inner)
