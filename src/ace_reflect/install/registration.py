"""Our entries in a settings file's `hooks`: what they are, how they are told from others', how they go in and out."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from ace_reflect.errors import ConfigError
from ace_reflect.install import host
from ace_reflect.install.settings_file import read_settings

#: Stands last in every `args` of ours. The scripts ignore it; it is how upgrade and uninstall know their own work.
MARK = "ace-reflect"

#: event -> (script, timeout in seconds, what the spinner says). SessionEnd's timeout raises the host's 1.5 s budget.
EVENTS = {
    "SessionStart": ("session_start.py", 10, "Looking for what was learned"),
    "UserPromptSubmit": ("user_prompt_submit.py", 10, "Choosing key points"),
    "Stop": ("stop.py", 60, "Checking that it is done"),
    "PreCompact": ("pre_compact.py", 10, "Keeping what was learned"),
    "SessionEnd": ("session_end.py", 10, "Keeping what was learned"),
}
#: Runs the script named by the next argument. A script that is gone (a checkout that was moved, an upgrade under way) ends
#: this with 1, which the host passes over; `python SCRIPT` would end with 2, and by that the host drops every prompt.
START = "import sys; __file__ = sys.argv[1]; exec(open(__file__).read())"
WAIT = "--wait"  # tells the script that the host waits for it
#: The second Stop entry, only where a model is configured. A judge may take 180 s.
ASSESS = ("assess.py", 200, "Asking for an assessment")

Hooks = dict[str, Any]


def entries(
    python: str, hooks_dir: str, *, assess: bool, foreground: bool = False
) -> dict[str, list[Hooks]]:
    """What belongs into `hooks`, by event; both paths are absolute. `foreground`: the host waits for the assessment."""
    found: dict[str, list[Hooks]] = {}
    scripts = [*EVENTS.items(), *([("Stop", ASSESS)] if assess else [])]
    for event, (script, timeout_s, says) in scripts:
        # No shell and -I: a path with spaces is one word, and the project's own json.py is not ours.
        command: Hooks = {
            "type": "command",
            "command": python,
            "args": ["-I", "-c", START, os.path.join(hooks_dir, script), MARK],
            "timeout": timeout_s,
            "statusMessage": says,
        }
        if script == ASSESS[0] and foreground:
            command["args"].insert(-1, WAIT)
        elif script == ASSESS[0]:
            command["asyncRewake"] = True
        found.setdefault(event, []).append({"hooks": [command]})
    return found


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


def with_ours(
    data: dict[str, Any], ours: dict[str, list[Hooks]], path: str = "the settings"
) -> dict[str, Any]:
    """
    `data` with `ours` as the only entries of ours: an older registration is replaced in place, others' stay first.
    Raises ConfigError, naming `path`, where an event's hooks are no list: nothing may be lost.
    """
    if registered(data) == ours:
        return data
    rest = without_ours(data)
    hooks = dict(rest.get("hooks") or {})
    for event, added in ours.items():
        there = hooks.get(event, [])
        if not isinstance(there, list):
            raise ConfigError(
                f"{path}: `hooks.{event}` must be a list; mend that and run this again, nothing was changed"
            )
        hooks[event] = [*there, *added]
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
