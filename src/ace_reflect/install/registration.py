"""Our entries in a settings file's `hooks`: what they are, how they are told from others', how they go in and out."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from shlex import quote
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import ConfigError
from ace_reflect.install import host
from ace_reflect.install.settings_file import read_settings

#: Stands last in every `args` of ours. The scripts ignore it; it is how upgrade and uninstall know their own work.
MARK = "ace-reflect"

#: event -> (script in hooks/, timeout in seconds, what the spinner says). SessionEnd's timeout raises the host's 1.5 s budget.
EVENTS = {
    "SessionStart": ("session_start", 10, "Looking for what was learned"),
    "UserPromptSubmit": ("user_prompt_submit", 10, "Choosing key points"),
    "Stop": ("stop", 60, "Checking that it is done"),
    "PreCompact": ("pre_compact", 10, "Keeping what was learned"),
    "SessionEnd": ("session_end", 10, "Keeping what was learned"),
}
#: Starts the launcher, and ends with 0 where that is gone too. It names no folder of this machine: a project's settings are
#: shared.
START = 'f="${ACE_REFLECT_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/ace-reflect}/bin/ace-reflect-hook"; [ ! -r "$f" ] || . "$f"'
STARTED = ("sh", "-c", START, MARK)
#: The launcher after an uninstall, for sessions that still run.
STUB = b"#!/bin/sh\nexit 0\n"
WAIT = "--wait"  # tells the script that the host waits for it
#: The second Stop entry, only where a model is configured. A judge may take 180 s.
ASSESS = ("assess", 200, "Asking for an assessment")

Hooks = dict[str, Any]


def entries(*, assess: bool, foreground: bool = False) -> dict[str, list[Hooks]]:
    """What belongs into `hooks`, by event. `foreground`: the host waits for the assessment."""
    found: dict[str, list[Hooks]] = {}
    scripts = [*EVENTS.items(), *([("Stop", ASSESS)] if assess else [])]
    for event, (script, timeout_s, says) in scripts:
        command: Hooks = {
            "type": "command",
            "command": STARTED[0],
            "args": [*STARTED[1:], script, MARK],
            "timeout": timeout_s,
            "statusMessage": says,
        }
        if script == ASSESS[0] and foreground:
            command["args"].insert(-1, WAIT)
        elif script == ASSESS[0]:
            command["asyncRewake"] = True
        # At a `/compact` the host would show the command line; SessionStart does then what there is to do.
        only = {"matcher": "auto"} if event == "PreCompact" else {}
        found.setdefault(event, []).append({**only, "hooks": [command]})
    return found


def launcher(home: str) -> str:
    """Where the launcher stands: the program behind every entry."""
    return os.path.join(home, "bin", "ace-reflect-hook")


def launcher_text() -> str:
    """The launcher of this installation."""
    hooks = paths.data_dir("hooks")
    with open(os.path.join(hooks, "launcher.sh"), encoding="utf-8") as file:
        text = file.read()
    # A virtual environment is told by the link's own place.
    python = os.path.abspath(sys.executable)
    return text.replace("@HOOKS@", quote(hooks)).replace("@PYTHON@", quote(python))


def is_ours(command: object) -> bool:
    """Whether one command of a hooks entry was written by `install`, of whatever version."""
    arguments = command.get("args") if isinstance(command, dict) else None
    return isinstance(arguments, list) and arguments[-1:] == [MARK]


def registered(data: dict[str, Any]) -> dict[str, list[Hooks]]:
    """The entries of ours in a file's `data`, by event."""
    found: dict[str, list[Hooks]] = {}
    for event, items in (data.get("hooks") or {}).items():
        listed = items if isinstance(items, list) else []
        ours = [{**item, "hooks": mine} for item in listed if (mine := _ours(item))]
        found |= {event: ours} if ours else {}
    return found


def without_ours(data: dict[str, Any]) -> dict[str, Any]:
    """`data` without our commands; an entry, event or `hooks` that only they filled goes with them. Nothing else changes."""
    mine = registered(data)
    if not mine:
        return data
    hooks = {
        event: _others(items) if event in mine else items for event, items in data["hooks"].items()
    }
    left = {event: items for event, items in hooks.items() if items or event not in mine}
    if left:
        return {**data, "hooks": left}
    return {key: value for key, value in data.items() if key != "hooks"}


def with_ours(data: dict[str, Any], ours: dict[str, list[Hooks]]) -> dict[str, Any]:
    """`data` with `ours` as the only entries of ours: an older registration is replaced in place, others' stay first."""
    if registered(data) == ours:
        return data
    rest = without_ours(data)
    hooks = dict(rest.get("hooks") or {})
    for event, added in ours.items():
        hooks[event] = [*(hooks.get(event) or []), *added]
    # What stood there keeps its place, so that only lines of ours change.
    places = dict.fromkeys((*(data.get("hooks") or {}), *hooks))
    merged = {**rest, "hooks": {event: hooks[event] for event in places if event in hooks}}
    return {key: merged[key] for key in dict.fromkeys((*data, *merged))}


def registered_files(
    project: str, environ: Mapping[str, str]
) -> Iterator[tuple[str, str, dict[str, list[Hooks]]]]:
    """(scope, path, the entries of ours) of each settings file that has any; one that cannot be read is passed over."""
    for scope, path in host.settings_paths(project, environ).items():
        with suppress(ConfigError):
            if found := registered(read_settings(path).data):
                yield scope, path, found


def _ours(entry: object) -> list[Any]:
    """Our commands in one entry."""
    commands = entry.get("hooks") if isinstance(entry, dict) else None
    listed = commands if isinstance(commands, list) else []
    return [command for command in listed if is_ours(command)]


def _others(entries_there: list[Any]) -> list[Any]:
    """The entries of others, and those of both without our commands."""
    kept = []
    for entry in entries_there:
        if not _ours(entry):
            kept.append(entry)
        elif rest := [command for command in entry["hooks"] if not is_ours(command)]:
            kept.append({**entry, "hooks": rest})
    return kept
