"""What stands on this machine: the `claude` command, its version, and settings that would keep our hooks from running."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ace_reflect import paths

#: The oldest host on which `args`, `statusMessage` and `last_assistant_message` were all tried.
OLDEST = (2, 1, 200)
#: Where an administrator's settings live, by platform.
MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "linux": "/etc/claude-code/managed-settings.json",
    "win32": r"C:\Program Files\ClaudeCode\managed-settings.json",
}


@dataclass(frozen=True, slots=True)
class Host:
    """The Claude Code that was found. `version` is None where it did not answer."""

    command: str | None
    version: tuple[int, ...] | None

    @property
    def too_old(self) -> bool:
        return self.version is not None and self.version < OLDEST


def find_host(environ: Mapping[str, str]) -> Host:
    """The `claude` that is there, if any, and its version."""
    from ace_reflect.llm.claude_code import (
        able_to_start,
        find_claude,
    )  # brings asyncio, which `status` has no use for

    command = find_claude(environ)
    return Host(command, _version(command, able_to_start(command, environ)) if command else None)


def _version(command: str, environ: Mapping[str, str]) -> tuple[int, ...] | None:
    try:
        done = subprocess.run(
            [command, "--version"],
            capture_output=True,
            text=True,
            timeout=20,
            env={**environ, "ACE_REFLECT_CHILD": "1"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"(?<!\d)(\d{1,6})\.(\d{1,6})\.(\d{1,6})", done.stdout)
    return tuple(map(int, found.groups())) if found else None


def settings_path(scope: str, project_dir: str, environ: Mapping[str, str]) -> str:
    """The settings file of a scope: `user`, `project` (shared, in git) or `local` (this checkout only)."""
    if scope == "user":
        return os.path.join(paths.claude_dir(environ), "settings.json")
    name = "settings.json" if scope == "project" else "settings.local.json"
    return os.path.join(project_dir, ".claude", name)


def settings_paths(project_dir: str, environ: Mapping[str, str]) -> dict[str, str]:
    """
    The settings files by scope, each file once: in the home directory the project's settings are the user's own, and a
    link may lead from one to the other.
    """
    found: dict[str, str] = {}
    for scope in ("user", "project", "local"):
        path = settings_path(scope, project_dir, environ)
        if not any(same_file(path, known) for known in found.values()):
            found[scope] = path
    return found


def same_file(one: str, other: str) -> bool:
    """Whether two paths lead to one file, there already or not."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def obstacles(project_dir: str, environ: Mapping[str, str]) -> list[str]:
    """Settings, in words, under which the host runs no hooks of ours."""
    found = []
    files = settings_paths(project_dir, environ).values()
    managed = environ.get("ACE_REFLECT_MANAGED_SETTINGS") or MANAGED.get(sys.platform, "")
    for path in [managed, *sorted(files)]:
        data = _read(path)
        if data.get("disableAllHooks") is True:
            found.append(
                f'{path}: "disableAllHooks": true switches every hook off, ours too; remove that line'
            )
        if path == managed and data.get("allowManagedHooksOnly") is True:
            found.append(
                f"{path}: your administrator allows managed hooks only; ask them to add ace-reflect"
            )
    return found


def plugin_enabled(environ: Mapping[str, str]) -> str | None:
    """The name under which our plugin is enabled for this user, or None."""
    enabled = _read(settings_path("user", "", environ)).get("enabledPlugins")
    names = enabled if isinstance(enabled, dict) else {}
    return next(
        (name for name, on in names.items() if on and name.split("@")[0] == "ace-reflect"), None
    )


def _read(path: str) -> dict[str, Any]:
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
