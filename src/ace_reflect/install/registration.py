"""Our entries in a settings file's `hooks`: what they are, how they are told from others', how they go in and out."""

import copy
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
    """
    What belongs into `hooks`, by event. `python` and `hooks_dir` are absolute paths.

    `foreground`: the host waits for the assessment (`assess.mode`) instead of being woken by it.
    """
    found = {event: [_entry(python, hooks_dir, *facts)] for event, facts in EVENTS.items()}
    if assess:
        entry = _entry(python, hooks_dir, *ASSESS)
        if foreground:
            entry["hooks"][0]["args"].insert(-1, WAIT)
        else:
            entry["hooks"][0]["asyncRewake"] = True
        found["Stop"].append(entry)
    return found


def _entry(python: str, hooks_dir: str, script: str, timeout_s: int, says: str) -> Hooks:
    # No shell and -I: a path with spaces is one word, and the project's own json.py is not ours.
    command = {
        "type": "command",
        "command": python,
        "args": ["-I", "-c", START, os.path.join(hooks_dir, script), MARK],
        "timeout": timeout_s,
        "statusMessage": says,
    }
    return {"hooks": [command]}


def is_ours(command: object) -> bool:
    """Whether one command of a hooks entry was written by `install`, of whatever version."""
    return (
        isinstance(command, dict)
        and isinstance(command.get("args"), list)
        and command["args"][-1:] == [MARK]
    )


def without_ours(data: dict[str, Any]) -> dict[str, Any]:
    """`data` without our commands; an entry, event or `hooks` that only they filled goes with them. Nothing else changes."""
    result = copy.deepcopy(data)
    hooks = result.get("hooks")
    if not isinstance(hooks, dict):
        return result
    touched = False
    for event in list(hooks):
        if not isinstance(hooks[event], list) or not any(map(_has_ours, hooks[event])):
            continue
        touched = True
        hooks[event] = [kept for entry in hooks[event] for kept in _stripped(entry)]
        if not hooks[event]:
            del hooks[event]
    if touched and not hooks:
        del result["hooks"]
    return result


def with_ours(
    data: dict[str, Any], ours: dict[str, list[Hooks]], path: str = "the settings"
) -> dict[str, Any]:
    """
    `data` with `ours` as the only entries of ours: an older registration is replaced in place, others' stay first.

    Raises ConfigError, naming `path`, where an event's hooks are no list: there is nothing to merge with, and nothing may be lost.
    """
    if registered(data) == ours:
        return copy.deepcopy(data)
    result = without_ours(data)
    hooks = result.setdefault("hooks", {})
    for event, added in ours.items():
        if not isinstance(hooks.get(event, []), list):
            raise ConfigError(
                f"{path}: `hooks.{event}` must be a list; mend that and run this again, nothing was changed"
            )
        hooks[event] = [*hooks.get(event, []), *copy.deepcopy(added)]
    result["hooks"] = _in_the_order_of(data.get("hooks") or {}, hooks)
    return _in_the_order_of(data, result)


def _in_the_order_of(before: Hooks, after: Hooks) -> Hooks:
    """`after` with what stood in `before` in its old place, so that only lines of ours change."""
    return {key: after[key] for key in dict.fromkeys([*before, *after]) if key in after}


def registered(data: dict[str, Any]) -> dict[str, list[Hooks]]:
    """The entries of ours in `data`, by event."""
    hooks = data.get("hooks")
    found = {
        event: [{**entry, "hooks": mine} for entry in items if (mine := _ours_of(entry))]
        for event, items in (hooks.items() if isinstance(hooks, dict) else ())
        if isinstance(items, list)
    }
    return {event: items for event, items in found.items() if items}


def registered_files(
    project: str, environ: Mapping[str, str]
) -> Iterator[tuple[str, str, dict[str, list[Hooks]]]]:
    """(scope, path, the entries of ours) of each settings file that has any; one that cannot be read is passed over."""
    for scope, path in host.settings_paths(project, environ).items():
        with suppress(ConfigError):
            if found := registered(read_settings(path).data):
                yield scope, path, found


def _ours_of(entry: object) -> list[Any]:
    commands = entry.get("hooks") if isinstance(entry, dict) else None
    return (
        [command for command in commands if is_ours(command)] if isinstance(commands, list) else []
    )


def _has_ours(entry: object) -> bool:
    return bool(_ours_of(entry))


def _stripped(entry: Any) -> list[Any]:
    """The entry without our commands, or nothing where it held only those."""
    if not _has_ours(entry):
        return [entry]
    rest = [command for command in entry["hooks"] if not is_ours(command)]
    return [{**entry, "hooks": rest}] if rest else []
