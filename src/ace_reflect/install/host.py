"""What stands on this machine: the `claude` command, its version, and settings that would keep our hooks from running."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from ace_reflect import paths
from ace_reflect.project.git import read_text

#: The oldest host on which `args`, `statusMessage` and `last_assistant_message` were all tried.
OLDEST = (2, 1, 200)
#: Where an administrator's settings live, by platform.
MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "linux": "/etc/claude-code/managed-settings.json",
}


class Host(NamedTuple):
    """The Claude Code that was found. `version` is None where it did not answer."""

    command: str | None
    version: tuple[int, ...] | None

    @property
    def too_old(self) -> bool:
        return self.version is not None and self.version < OLDEST


def find_host(environ: Mapping[str, str]) -> Host:
    """The `claude` that is there, if any, and its version."""
    # It brings asyncio, which `status` has no use for.
    from ace_reflect.llm.claude_code import able_to_start, find_claude

    command = find_claude(environ)
    if command is None:
        return Host(None, None)
    own = {**able_to_start(command, environ), "ACE_REFLECT_CHILD": "1"}
    try:
        asked = [command, "--version"]
        said = subprocess.run(
            asked, env=own, stdout=subprocess.PIPE, timeout=20, check=False, text=True
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return Host(command, None)
    found = re.search(r"(?<!\d)(\d{1,6})\.(\d{1,6})\.(\d{1,6})", said)
    return Host(command, tuple(map(int, found.groups())) if found else None)


def settings_path(scope: str, project_dir: str, environ: Mapping[str, str]) -> str:
    """The settings file of a scope: `user`, `project` (shared, in git) or `local` (this checkout only)."""
    if scope == "user":
        return os.path.join(paths.claude_dir(environ), "settings.json")
    name = "settings.json" if scope == "project" else "settings.local.json"
    return os.path.join(project_dir, ".claude", name)


def settings_paths(project_dir: str, environ: Mapping[str, str]) -> dict[str, str]:
    """The settings files by scope, each file once: in the home directory the project's are the user's own."""
    found: dict[str, str] = {}
    for scope in ("user", "project", "local"):
        path = settings_path(scope, project_dir, environ)
        if not any(same_file(path, known) for known in found.values()):
            found[scope] = path
    return found


def same_file(one: str, other: str) -> bool:
    """Whether two paths lead to one file, there already or not."""
    return os.path.realpath(one) == os.path.realpath(other)


def obstacles(project_dir: str, environ: Mapping[str, str]) -> list[str]:
    """Settings, in words, under which the host runs no hooks of ours."""
    managed = environ.get("ACE_REFLECT_MANAGED_SETTINGS") or MANAGED.get(sys.platform, "")
    files = [managed, *sorted(settings_paths(project_dir, environ).values())]
    found = [
        f'{path}: "disableAllHooks": true switches every hook off, ours too; remove that line'
        for path in files
        if _read(path).get("disableAllHooks") is True
    ]
    if _read(managed).get("allowManagedHooksOnly") is True:
        found.append(
            f"{managed}: your administrator allows managed hooks only; ask them to add ace-reflect"
        )
    return found


def strips_keys(project_dir: str, environ: Mapping[str, str]) -> bool:
    """Whether the host keeps API keys from its hooks: `CLAUDE_CODE_SUBPROCESS_ENV_SCRUB`, which settings may set too."""
    files = map(_read, settings_paths(project_dir, environ).values())
    places = [environ, *(data["env"] for data in files if isinstance(data.get("env"), dict))]
    found = (str(place.get("CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "")) for place in places)
    return any(value.lower() in {"1", "true", "yes", "on"} for value in found)


def plugin_enabled(environ: Mapping[str, str]) -> str | None:
    """The name under which our plugin is enabled for this user, or None."""
    enabled = _read(settings_path("user", "", environ)).get("enabledPlugins")
    names = enabled if isinstance(enabled, dict) else {}
    ours = (name for name, on in names.items() if on and name.split("@")[0] == "ace-reflect")
    return next(ours, None)


def _read(path: str) -> dict[str, Any]:
    try:
        data = json.loads(read_text(path, 10_000_000))
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
