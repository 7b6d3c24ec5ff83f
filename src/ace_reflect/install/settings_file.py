"""
Claude Code's `settings.json`: read strictly, changed minimally, written whole or not at all.

The host reads strict JSON: one comment or trailing comma, and it ignores the whole file, hooks and permissions too
(tried on 2.1.330). A file like that is refused here, with its line, rather than "repaired".
"""

import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ace_reflect import atomic, paths
from ace_reflect.errors import ConfigError

COPY_SUFFIX = ".before-ace-reflect"


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One settings file as it stands. `text` is None where there is none yet."""

    path: str  # with symbolic links resolved: a dotfiles repository keeps its file
    text: str | None
    data: dict[str, Any]
    raw: bytes = b""  # the file byte for byte, for the kept copy

    @property
    def copy_path(self) -> str:
        return self.path + COPY_SUFFIX


def read_settings(path: str) -> SettingsFile:
    """Read one settings file. Raises ConfigError, naming file and line, where the host could not read it either."""
    real = os.path.realpath(path)
    try:
        with open(real, "rb") as file:
            raw = file.read()
        text = raw.decode("utf-8-sig")
        data = json.loads(text) if text.strip() else {}
    except FileNotFoundError:
        return SettingsFile(real, None, {})
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text: save it as UTF-8"
        raise ConfigError(f"{path}: cannot be read ({reason}); nothing was changed") from None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise ConfigError(
            f"{path}:{line}: is not valid JSON (which has no comments, and no comma before a closing bracket), so Claude Code"
            " ignores all of it. Mend that line and run this again; nothing was changed"
        ) from None
    if not isinstance(data, dict) or not isinstance(data.get("hooks", {}), dict):
        what = "`hooks`" if isinstance(data, dict) else "the top level"
        raise ConfigError(
            f"{path}: is not a settings file: {what} must be an object; nothing was changed"
        )
    return SettingsFile(real, text, data, raw)


def write_settings(before: SettingsFile, data: dict[str, Any], *, keep_copy: bool = True) -> None:
    """
    Replace the file by `data`, in the style that it had; with `keep_copy` what stood there is kept beside it (`copy_path`).
    Raises ConfigError where it cannot be written; then the old file stands, and no new copy.
    """
    kept = keep_copy and before.text is not None
    # A lone surrogate, which JSON may hold as an escape, becomes that escape again.
    new = render(data, before.text).encode("utf-8", "backslashreplace")
    try:
        paths.make_folder(os.path.dirname(before.path), 0o755)
        if kept:
            _replace(before.copy_path, before.raw, before.path)
        _replace(before.path, new, before.path)
    except OSError as error:
        if kept:
            remove_copy(before)
        raise ConfigError(
            f"{before.path}: could not be written ({error.strerror}); the old file stands"
        ) from None


def remove_copy(of: SettingsFile) -> None:
    """An uninstall leaves no trace."""
    with suppress(OSError):
        os.unlink(of.copy_path)


def restore_if_same(now: SettingsFile, data: dict[str, Any]) -> bool:
    """Give the file back byte for byte, where `data` is just what the kept copy held; whether it did."""
    try:
        with open(now.copy_path, "rb") as file:
            kept = file.read()
        held = json.loads(kept.decode("utf-8-sig").strip() or "{}")
        if _without_empty_hooks(held) != _without_empty_hooks(data):
            return False
        _replace(now.path, kept, now.path)
        os.unlink(now.copy_path)
    except (OSError, ValueError):
        return False
    return True


def render(data: dict[str, Any], like: str | None) -> str:
    """`data` as JSON with the indent and final newline of `like`."""
    found = re.search(r"\{\s*?\n([ \t]+)\S", like or "")
    indent = found[1] if found else "  "
    newline = "" if like and not like.endswith("\n") else "\n"
    return json.dumps(data, indent=indent, ensure_ascii=False) + newline


def _without_empty_hooks(data: dict[str, Any]) -> dict[str, Any]:
    """For comparing: a list of no hooks goes with ours, and no `hooks` are the same as empty ones."""
    hooks = {event: value for event, value in data.get("hooks", {}).items() if value != []}
    return {**data, "hooks": hooks}


def _replace(path: str, content: bytes, mode_of: str) -> None:
    atomic.remove_stale(*os.path.split(path))  # what a process that was killed left beside it
    atomic.write(path, content, mode=atomic.mode_of(mode_of))
