"""What stands on this machine: the `claude` command, its version, and settings that would keep our hooks from running."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from ace_reflect import paths
from ace_reflect.config import Config
from ace_reflect.llm.registry import why_unusable
from ace_reflect.project.git import read_text

#: The oldest host on which `args`, `statusMessage` and `last_assistant_message` were all tried.
OLDEST = (2, 1, 200)
SCOPES = ("user", "project", "local")
#: Where an administrator's settings live, by platform.
MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "linux": "/etc/claude-code/managed-settings.json",
}


class Host(NamedTuple):
    """The Claude Code that was found. `version` is "" where it did not answer."""

    command: str | None
    version: str = ""

    @property
    def too_old(self) -> str:
        """In words, if it is; else ""."""
        parts = tuple(map(int, self.version.split("."))) if self.version else OLDEST
        oldest = ".".join(map(str, OLDEST))
        return f"{self.version} is older than {oldest}" if parts < OLDEST else ""


def find_host(environ: Mapping[str, str]) -> Host:
    """The `claude` that is there, if any, and its version."""
    # It brings asyncio, which `status` has no use for.
    from ace_reflect.llm.claude_code import able_to_start, find_claude

    command = find_claude(environ)
    if command is None:
        return Host(None)
    own = {**able_to_start(command, environ), "ACE_REFLECT_CHILD": "1"}
    try:
        asked = [command, "--version"]
        said = subprocess.run(asked, env=own, capture_output=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return Host(command)
    found = re.search(rb"(?<!\d)\d{1,6}\.\d{1,6}\.\d{1,6}", said)
    return Host(command, found[0].decode() if found else "")


def settings_path(scope: str, project_dir: str, environ: Mapping[str, str]) -> str:
    """The settings file of a scope: `user`, `project` (shared, in git) or `local` (this checkout only)."""
    user = scope == "user"
    folder = paths.claude_dir(environ) if user else os.path.join(project_dir, ".claude")
    return os.path.join(folder, "settings.local.json" if scope == "local" else "settings.json")


def settings_paths(project_dir: str, environ: Mapping[str, str]) -> dict[str, str]:
    """The settings files by scope, each file once: in the home directory the project's are the user's own."""
    found = {scope: settings_path(scope, project_dir, environ) for scope in SCOPES}
    if same_file(found["user"], found["project"]):
        del found["project"]
    return found


def same_file(one: str, other: str) -> bool:
    """Whether two paths lead to one file, there already or not."""
    return os.path.realpath(one) == os.path.realpath(other)


def obstacles(project_dir: str, environ: Mapping[str, str]) -> list[str]:
    """Settings, in words, under which the host runs no hooks of ours."""
    managed = MANAGED.get(sys.platform, "")
    files = [managed, *sorted(settings_paths(project_dir, environ).values())]
    found = [
        f'{path}: "disableAllHooks": true switches every hook off, ours too; remove that line'
        for path in files
        if _read(path).get("disableAllHooks") is True
    ]
    if _read(managed).get("allowManagedHooksOnly") is True:
        why = "your administrator allows managed hooks only; ask them to add ace-reflect"
        found.append(f"{managed}: {why}")
    return found


def why_not_asked(spec: str, found: Config, project: str, environ: Mapping[str, str]) -> str:
    """Why hooks cannot ask a model, as far as that shows without asking; or ""."""
    files = [_read(path).get("env") for path in settings_paths(project, environ).values()]
    places = (environ, *(values for values in files if isinstance(values, dict)))
    scrubbed = (str(place.get("CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "")).lower() for place in places)
    keyed = spec.partition("/")[0] in ("anthropic", "openai")
    if keyed and not {"1", "true", "yes", "on"}.isdisjoint(scrubbed):
        return "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB keeps every API key from hooks; claude-code/… needs none"
    return why_unusable(spec, found, environ)


def plugin_enabled(environ: Mapping[str, str]) -> str | None:
    """The name under which our plugin is enabled for this user, or None."""
    enabled = _read(settings_path("user", "", environ)).get("enabledPlugins")
    names = enabled if isinstance(enabled, dict) else {}
    return next((name for name in names if names[name] and name.startswith("ace-reflect@")), None)


def _read(path: str) -> dict[str, Any]:
    try:
        data = json.loads(read_text(path, 10_000_000))
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
