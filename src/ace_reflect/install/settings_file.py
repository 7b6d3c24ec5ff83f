"""Claude Code's `settings.json`: read strictly, changed minimally, written whole or not at all.

The host reads strict JSON: one comment or trailing comma, and it ignores the whole file, hooks and permissions too
(tried on 2.1.330). A file like that is refused here, with its line, rather than "repaired". It drops the whole file also
for one value of the wrong kind: `why_dropped`.
"""

import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ace_reflect import atomic, paths
from ace_reflect.errors import ConfigError

#: An event of another name is passed over by the host, whatever it holds.
_EVENTS = (  # noqa: SIM905 - a line for each name would be a page
    "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart"
    " SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied"
).split()


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One settings file as it stands. `text` is None where there is none yet."""

    path: str  # with symbolic links resolved: a dotfiles repository keeps its file
    text: str | None
    data: dict[str, Any]
    raw: bytes = b""  # the file byte for byte, for the kept copy

    @property
    def copy_path(self) -> str:
        return f"{self.path}.before-ace-reflect"


def read_settings(path: str) -> SettingsFile:
    """Read one settings file. Raises ConfigError, naming file and line, where the host could not read it either."""
    real = os.path.realpath(path)
    if os.path.exists(real) and not os.path.isfile(real):  # a pipe would wait for its writer
        raise ConfigError(f"{path}: cannot be read (it is no plain file); nothing was changed")
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
        what = "is not valid JSON (which has no comments, and no comma before a closing bracket), so Claude Code ignores all of it"
        fix = "Fix that line and run this again; nothing was changed"
        raise ConfigError(f"{path}:{line}: {what}. {fix}") from None
    if not isinstance(data, dict) or not isinstance(data.get("hooks", {}), dict):
        what = "is not a settings file: the top level and `hooks` must be an object"
        raise ConfigError(f"{path}: {what}; nothing was changed")
    if text.strip() and (repeated := _repeated_key(text)):
        key, line = repeated
        what = f"{key} occurs twice in one object, and only the last counts"
        raise ConfigError(f"{path}:{line}: {what}; nothing was changed")
    return SettingsFile(real, text, data, raw)


def sound_settings(path: str) -> SettingsFile:
    """Read one settings file. Raises ConfigError, with the place, where the host ignores it."""
    found = read_settings(path)
    if why := why_dropped(found.data):
        fix = "Fix that and run this again; nothing was changed"
        raise ConfigError(f"{path}: {why}, so Claude Code ignores the whole file. {fix}")
    return found


def write_settings(before: SettingsFile, data: dict[str, Any], *, keep_copy: bool = True) -> None:
    """Replace the file by `data`, in the style that it had; with `keep_copy` what stood there is kept beside it (`copy_path`).
    Raises ConfigError where it cannot be written; then the old file stands, and no new copy.
    """
    # A lone surrogate, which JSON may hold as an escape, becomes that escape again.
    new = render(data, before.text).encode("utf-8", "backslashreplace")
    mode = atomic.mode_of(before.path)
    try:
        if keep_copy and before.text is not None:
            replace(before.copy_path, before.raw, mode)
        replace(before.path, new, mode, folders=0o755)
    except ConfigError:
        _remove(before.copy_path if keep_copy else "")
        raise


def replace(path: str, content: bytes, mode: int = 0o600, *, folders: int = 0o700) -> None:
    """Write a file whole; a link to it stays one, as in a dotfiles repository. Raises ConfigError where that cannot be done."""
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    try:
        paths.make_folder(folder, folders)
        atomic.remove_stale(folder, name)  # what a process that was killed left beside it
        atomic.write(real, content, mode=mode)
    except OSError as error:
        raise ConfigError(
            f"{path}: could not be written ({error.strerror}); the old file stands"
        ) from None


def take_back(now: SettingsFile, data: dict[str, Any]) -> None:
    """Replace the file by `data`, which holds nothing of ours: byte for byte by the kept copy, where that held just this; by
    no file, where there was none before us. Raises ConfigError.
    """
    kept = held = None
    with suppress(OSError, ValueError), open(now.copy_path, "rb") as file:
        kept = file.read()
        held = json.loads(kept.decode("utf-8-sig").strip() or "{}")
    if (
        kept is not None
        and held is not None
        and _without_empty_hooks(held) == _without_empty_hooks(data)
    ):
        replace(now.path, kept, atomic.mode_of(now.path))
    elif data or kept is not None:
        write_settings(now, data, keep_copy=False)
    else:
        os.unlink(now.path)
    _remove(now.copy_path)


def render(data: dict[str, Any], like: str | None) -> str:
    """`data` as JSON with the indent and final newline of `like`."""
    found = re.search(r"\{\s*?\n([ \t]+)\S", like or "")
    indent = found[1] if found else "  "
    newline = "" if like and not like.endswith("\n") else "\n"
    return json.dumps(data, indent=indent, ensure_ascii=False) + newline


def _repeated_key(text: str) -> tuple[str, int] | None:
    """The first key that an object of this JSON has twice, and the line of the second; to Python the first would be lost."""
    objects: list[set[str]] = []
    for found in re.finditer(r'("(?:[^"\\]|\\.)*")(\s*:)?|[{}]', text):
        key, is_key = found.groups()
        if found[0] == "{":
            objects.append(set())
        elif found[0] == "}":
            objects.pop()
        elif is_key and json.loads(key) in objects[-1]:
            return key, text.count("\n", 0, found.start()) + 1
        elif is_key:
            objects[-1].add(json.loads(key))
    return None


def _without_empty_hooks(data: dict[str, Any]) -> dict[str, Any]:
    """For comparing: a list of no hooks goes with ours, and no `hooks` are the same as empty ones."""
    hooks = {event: value for event, value in data.get("hooks", {}).items() if value}
    return {**data, "hooks": hooks}


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


class _Strict(BaseModel):
    """Other fields are the host's business; null is no value of any kind."""

    model_config = ConfigDict(strict=True)


class _Hook(_Strict):
    type: str
    command: str = ""
    args: list[str] = []
    timeout: float = Field(1, gt=0)
    statusMessage: str = ""  # noqa: N815 - the host's spelling


class _Entry(_Strict):
    hooks: list[_Hook]
    matcher: str = ""


class _Permissions(_Strict):
    allow: list[Any] = []
    ask: list[Any] = []
    deny: list[Any] = []


class _Settings(_Strict):
    hooks: dict[str, list[_Entry]] = {}
    permissions: _Permissions = _Permissions()
    env: dict[str, Any] = {}
    enabledPlugins: dict[str, Any] = {}  # noqa: N815
    statusLine: dict[str, Any] = {}  # noqa: N815
    model: str = ""
    disableAllHooks: bool = False  # noqa: N815


def why_dropped(data: dict[str, Any]) -> str:
    """The first value for which the host drops the file, with its place; "" where it takes it."""
    hooks = data.get("hooks") or {}
    known = {event: hooks[event] for event in _EVENTS if hooks.get(event) is not None}
    try:
        _Settings.model_validate({**data, "hooks": known})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return f"`{place}`: {first['msg'][0].lower()}{first['msg'][1:]}"
    return ""
