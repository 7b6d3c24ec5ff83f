"""The hooks that are registered here, and what is wrong with that: their files, their number, the assessment's entry."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import AceReflectError, ConfigError
from ace_reflect.install import host, registration, second_entry
from ace_reflect.install.findings import Check, Command, configuration
from ace_reflect.install.settings_file import read_settings

_AGAIN = "Run `ace-reflect install` again."


def registered_commands(project: str, environ: Mapping[str, str]) -> list[Command]:
    """The hook commands of ours that the host would start here, over all scopes and the plugin."""
    found = []
    for scope, _, events in registration.registered_files(project, environ):
        for event, items in events.items():
            found += [
                made
                for item in items
                for hook in item["hooks"]
                if (made := _command(event, scope, hook))
            ]
    return list(dict.fromkeys(found))


def _command(event: str, scope: str, hook: Mapping[str, Any]) -> Command | None:
    """None for what no `install` has written: python -I [-c START] SCRIPT [--wait] MARK."""
    argv = (hook.get("command"), *hook["args"])
    if len(argv) < 4 or not all(isinstance(p, str) for p in argv):
        return None
    return Command(event, scope, argv, hook.get("asyncRewake") is True)


def of_the_plugin(environ: Mapping[str, str]) -> list[Command]:
    """What the plugin starts at a stop, where this program is the one that it starts."""
    plugin = host.plugin_enabled(environ)
    if plugin is None or not host.same_file(
        sys.prefix, str(_plugin_data(plugin, environ) / "environment")
    ):
        return []
    script = os.path.join(paths.data_dir("hooks"), "stop.py")
    return [Command("Stop", f"plugin {plugin}", (os.path.abspath(sys.executable), "-I", script))]


def hook_checks(commands: list[Command], project: str, environ: Mapping[str, str]) -> list[Check]:
    """Whether `commands` (`registered_commands`) are all there, and can work."""
    plugin = host.plugin_enabled(environ)
    ways = [
        *sorted({command.source for command in commands}),
        *([f"plugin {plugin}"] if plugin else []),
    ]
    found = _unreadable_settings(project, environ)
    if not ways:
        return [*found, Check("hooks", "wrong", "not registered", "Run `ace-reflect install`.")]
    found += [check for command in commands for check in _gone(command)]
    events = {command.event for command in commands}
    lacking = [event for event in registration.EVENTS if commands and event not in events]
    if lacking:
        found.append(Check("hooks", "wrong", f"{', '.join(lacking)} not registered", _AGAIN))
    if len(ways) > 1:
        says = f"registered twice: {' and '.join(ways)}"
        fix = "Each event is answered once; leave one way to save a process an event."
        found.append(Check("hooks", "note", says, fix))
    found += [
        *_assess_entry(commands, plugin, project, environ),
        *_plugin_environment(plugin, environ),
    ]
    return found or [Check("hooks", "ok", f"{len(events) or 5} events registered ({ways[0]})")]


def _unreadable_settings(project: str, environ: Mapping[str, str]) -> list[Check]:
    found = []
    for path in host.settings_paths(project, environ).values():
        try:
            read_settings(path)
        except ConfigError as error:
            fix = "Mend the file; Claude Code ignores all of it as it stands."
            found.append(Check("settings", "wrong", str(error), fix))
    return found


def _gone(command: Command) -> list[Check]:
    """What a registered command starts, where that is not there."""
    absent = next(
        (part for part in (command.argv[0], command.place) if not os.path.exists(part)), None
    )
    if absent is None:
        return []
    return [
        Check(
            "hooks",
            "wrong",
            f"{command.event} ({command.source}) starts {absent}, which is gone",
            _AGAIN,
        )
    ]


def _plugin_environment(plugin: str | None, environ: Mapping[str, str]) -> list[Check]:
    """A plugin's hooks are silent until its environment stands; where making it failed, say why."""
    if plugin is None:
        return []
    data = _plugin_data(plugin, environ)
    if (data / "environment" / "bin" / "python").exists():
        return []
    said = (
        (data / "setup.log").read_text(errors="replace").strip().splitlines()
        if (data / "setup.log").exists()
        else []
    )
    why = f"its environment does not stand yet{': ' + said[-1] if said else ''}"
    return [
        Check(
            "plugin",
            "wrong",
            why,
            f"It is made when a session starts; {data / 'setup.log'} has the whole story.",
        )
    ]


def _plugin_data(plugin: str, environ: Mapping[str, str]) -> Path:
    return Path(paths.claude_dir(environ)) / "plugins" / "data" / plugin.replace("@", "-")


def _assess_entry(
    commands: list[Command], plugin: str | None, project: str, environ: Mapping[str, str]
) -> list[Check]:
    """The second Stop entry belongs there exactly where a model is configured, and runs as `assess.mode` says."""
    entries = [command for command in commands if command.script == registration.ASSESS[0]]
    try:
        loaded = configuration(project, environ)
    except AceReflectError:
        return []  # what is wrong there is told where state and configuration are looked at
    if not loaded.settings.models and not loaded.settings.review_enabled:
        # The plugin's entry is always there, and silent without a model.
        says = "the hook that asks a model is registered, but no model is configured"
        return [Check("hooks", "note", says, _AGAIN)] if entries else []
    if not entries and not plugin:
        return [
            Check(
                "hooks",
                "wrong",
                "a model is configured, but the hook that asks it is not registered",
                _AGAIN,
            )
        ]
    runs = [
        second_entry.how_it_runs(c.argv, rewakes=c.rewakes, wait=registration.WAIT) for c in entries
    ]
    return [
        Check("assessment", "wrong", says, fix)
        for says, fix in second_entry.mismatches(runs, plugin, loaded, environ)
    ]
