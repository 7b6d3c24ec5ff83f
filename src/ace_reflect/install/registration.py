"""Our entries in a settings file's `hooks`: what they are, how they are told from others', how they go in and out."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from shlex import join, quote, split
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import ConfigError
from ace_reflect.install import host
from ace_reflect.install.settings_file import read_settings

#: Stands last in every command of ours. The scripts ignore it; it is how upgrade and uninstall know their own work.
MARK = "ace-reflect"

#: event -> (script in hooks/, timeout in seconds, what the spinner says). SessionEnd's timeout raises the host's 1.5 s budget.
EVENTS = {
    "SessionStart": ("session_start", 10, "Looking for what was learned"),
    "UserPromptSubmit": ("user_prompt_submit", 10, "Choosing key points"),
    "Stop": ("stop", 60, "Checking that it is done"),
    "SubagentStop": ("subagent_stop", 60, "Checking that its tests pass"),
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
Entries = dict[str, list[Hooks]]  # by event


def entries(*, assess: bool, foreground: bool = False) -> Entries:
    """What belongs into `hooks`, by event. `foreground`: the host waits for the assessment."""
    found: Entries = {}
    scripts = [*EVENTS.items(), *([("Stop", ASSESS)] if assess else [])]
    for event, (script, timeout_s, says) in scripts:
        waits = [WAIT] * (script == ASSESS[0] and foreground)
        # One line, and no `args`: Codex and VS Code read these entries too and pass `args` over, so that a shell would
        # be started bare and take the payload, which holds the model's words, for its script.
        line = join([*STARTED, script, *waits, MARK])
        command: Hooks = {"type": "command", "command": line, "timeout": timeout_s}
        command["statusMessage"] = says
        if script == ASSESS[0] and not foreground:
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
    text = shipped("hooks", "launcher.sh").replace("@HOOKS@", quote(paths.data_dir("hooks")))
    # A virtual environment is told by the link's own place.
    return text.replace("@PYTHON@", quote(os.path.abspath(sys.executable)))


def shipped(kind: str, *name: str) -> str:
    """The text of a file that comes with the program."""
    with open(os.path.join(paths.data_dir(kind), *name), encoding="utf-8") as file:
        return file.read()


def is_ours(command: object) -> bool:
    """Whether one command of a hooks entry was written by `install`, of whatever version."""
    if isinstance(command, dict) and "args" in command:
        arguments = command["args"]
        return isinstance(arguments, list) and arguments[-1:] == [MARK]
    line = command.get("command") if isinstance(command, dict) else None
    return isinstance(line, str) and line.startswith("sh -c ") and line.endswith(f" {MARK}")


def argv_of(command: Hooks) -> tuple[Any, ...]:
    """The words of one command of ours, as the host or its shell starts it; none where a quote is open."""
    if "args" in command:
        return (command.get("command"), *command["args"])
    with suppress(ValueError):
        return tuple(split(command["command"]))
    return ()


def registered(data: dict[str, Any]) -> Entries:
    """The entries of ours in a file's `data`, by event."""
    found = {event: _split(items)[0] for event, items in (data.get("hooks") or {}).items()}
    return {event: ours for event, ours in found.items() if ours}


def with_ours(data: dict[str, Any], ours: Entries) -> dict[str, Any]:
    """`data` with `ours` as the only entries of ours: an older registration is replaced in place, others' stay first. An entry,
    event or `hooks` that only ours filled goes with them. Nothing else changes, no line moves.
    """
    mine = registered(data)
    if mine == ours:
        return data
    hooks = dict(data.get("hooks") or {})
    for event in {**mine, **ours}:
        hooks[event] = [*_split(hooks.get(event))[1], *ours.get(event, ())]
        if not hooks[event]:
            del hooks[event]
    if hooks:
        return {**data, "hooks": hooks}
    return {key: value for key, value in data.items() if key != "hooks"}


def registered_files(
    project: str, environ: Mapping[str, str]
) -> Iterator[tuple[str, str, Entries]]:
    """(scope, path, the entries of ours) of each settings file that has any; one that cannot be read is passed over."""
    return in_files(host.settings_paths(project, environ))


def in_files(paths: Mapping[str, str]) -> Iterator[tuple[str, str, Entries]]:
    """The same of files by scope."""
    for scope, path in paths.items():
        with suppress(ConfigError):
            if found := registered(read_settings(path).data):
                yield scope, path, found


def _split(items: object) -> tuple[list[Any], list[Any]]:
    """An event's entries of ours and those of others; one that has commands of both is in both, each time without the rest."""
    ours: list[Any] = []
    others: list[Any] = []
    for item in items if isinstance(items, list) else []:
        commands = item.get("hooks") if isinstance(item, dict) else None
        listed = commands if isinstance(commands, list) else []
        mine = [command for command in listed if is_ours(command)]
        theirs = [command for command in listed if not is_ours(command)]
        if mine:
            ours.append({**item, "hooks": mine})
        if theirs or not mine:
            others.append({**item, "hooks": theirs} if mine else item)
    return ours, others
