"""The hooks that are registered here, and what is wrong with that: their files, their number, the assessment's entry."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ace_reflect import config, paths
from ace_reflect.errors import AceReflectError, ConfigError
from ace_reflect.install import host, registration
from ace_reflect.install.settings_file import read_settings
from ace_reflect.state import cache
from ace_reflect.state.db import open_state

_AGAIN = "Run `ace-reflect install` again."


class Check(NamedTuple):
    """One thing looked at. `fix` is what to do, empty where nothing is wrong."""

    name: str
    state: Literal["ok", "note", "wrong"]
    says: str
    fix: str = ""


class Command(NamedTuple):
    """One registered hook command, as the host would start it."""

    event: str
    source: str
    argv: tuple[str, ...]
    rewakes: bool = False  # the host does not wait for it (`asyncRewake`)

    @property
    def place(self) -> str:
        """The script's path."""
        return next((part for part in self.argv if part.endswith(".py")), self.argv[-2])

    @property
    def script(self) -> str:
        return os.path.basename(self.place)

    @property
    def may_be_run(self) -> bool:
        """A checkout's settings may be anybody's: of theirs only this very installation's scripts are started."""
        own = _started(os.path.join(paths.data_dir("hooks"), self.script))
        return self.source == "user" or self.argv[: len(own)] == own


def _started(script: str) -> tuple[str, ...]:
    """How this installation starts one of its scripts."""
    return (os.path.abspath(sys.executable), "-I", "-c", registration.START, script)


def configuration(project: str, environ: Mapping[str, str]) -> config.Config:
    """What is in force in a project. Raises ConfigError, StateError."""
    with open_state(paths.home(environ)) as state:
        return cache.configuration(state, project, environ).sound()


def registered_commands(project: str, environ: Mapping[str, str]) -> list[Command]:
    """The hook commands of ours that the host would start here, over all scopes."""
    found = [
        _command(event, scope, hook)
        for scope, _, events in registration.registered_files(project, environ)
        for event, items in events.items()
        for item in items
        for hook in item["hooks"]
    ]
    return [command for command in dict.fromkeys(found) if command is not None]


def _command(event: str, scope: str, hook: Mapping[str, Any]) -> Command | None:
    """None for what no `install` has written: python -I -c START SCRIPT [--wait] MARK."""
    argv = (hook.get("command"), *hook["args"])
    if len(argv) < 4 or not all(isinstance(part, str) for part in argv):
        return None
    return Command(event, scope, argv, hook.get("asyncRewake") is True)


def of_the_plugin(environ: Mapping[str, str]) -> list[Command]:
    """What the plugin starts at a stop, where this program is the one that it starts."""
    plugin = host.plugin_enabled(environ)
    environment = _plugin_data(plugin or "", environ) / "environment"
    if plugin is None or not host.same_file(sys.prefix, str(environment)):
        return []
    script = os.path.join(paths.data_dir("hooks"), "stop.py")
    return [Command("Stop", f"plugin {plugin}", _started(script))]


def hook_checks(commands: list[Command], project: str, environ: Mapping[str, str]) -> list[Check]:
    """Whether `commands` (`registered_commands`) are all there, and can work."""
    plugin = host.plugin_enabled(environ)
    ways = sorted({command.source for command in commands})
    ways += [f"plugin {plugin}"] if plugin else []
    found = []
    for path in host.settings_paths(project, environ).values():
        try:
            read_settings(path)
        except ConfigError as error:
            fix = "Mend the file; Claude Code ignores all of it as it stands."
            found.append(Check("settings", "wrong", str(error), fix))
    if not ways:
        return [*found, Check("hooks", "wrong", "not registered", "Run `ace-reflect install`.")]
    for command in commands:
        gone = [part for part in (command.argv[0], command.place) if not os.path.exists(part)]
        if gone:
            says = f"{command.event} ({command.source}) starts {gone[0]}, which is gone"
            found.append(Check("hooks", "wrong", says, _AGAIN))
    events = {command.event for command in commands}
    lacking = [event for event in registration.EVENTS if commands and event not in events]
    if lacking:
        found.append(Check("hooks", "wrong", f"{', '.join(lacking)} not registered", _AGAIN))
    if len(ways) > 1:
        says = f"registered twice: {' and '.join(ways)}"
        fix = "Each event is answered once; leave one way to save a process an event."
        found.append(Check("hooks", "note", says, fix))
    found += _assess_entry(commands, plugin, project, environ)
    found += _plugin_environment(plugin, environ)
    return found or [Check("hooks", "ok", f"{len(events) or 5} events registered ({ways[0]})")]


def _plugin_environment(plugin: str | None, environ: Mapping[str, str]) -> list[Check]:
    """A plugin's hooks are silent until its environment stands; where making it failed, say why."""
    data = _plugin_data(plugin or "", environ)
    if plugin is None or (data / "environment" / "bin" / "python").exists():
        return []
    log = data / "setup.log"
    said = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    why = f"its environment does not stand yet{': ' + said[-1] if said else ''}"
    fix = f"It is made when a session starts; {log} has the whole story."
    return [Check("plugin", "wrong", why, fix)]


def _plugin_data(plugin: str, environ: Mapping[str, str]) -> Path:
    return Path(paths.claude_dir(environ)) / "plugins" / "data" / plugin.replace("@", "-")


def _assess_entry(
    commands: list[Command], plugin: str | None, project: str, environ: Mapping[str, str]
) -> list[Check]:
    """The second Stop entry is there exactly where a model is configured, and runs as `assess.mode` says."""
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
        says = "a model is configured, but the hook that asks it is not registered"
        return [Check("hooks", "wrong", says, _AGAIN)]
    mode, source = loaded.settings.assess_mode, loaded.sources["assess.mode"]
    foreground = mode == "foreground"
    # `asyncRewake` tells the host not to wait, `--wait` tells the script that it does.
    marks = {(entry.rewakes, registration.WAIT in entry.argv) for entry in entries}
    if marks <= {(not foreground, foreground)} and not (plugin and foreground):
        return []
    fix = "Run `ace-reflect install` again: it registers the entry as assess.mode says."
    if plugin and foreground:
        fix = f"A plugin's entry runs in the background: take that line out, or register by `ace-reflect install` and run `claude plugin uninstall {plugin}`."
    elif source.startswith("project"):  # a project's file can register nothing
        own = paths.user_config(paths.home(environ))
        fix = f"Put `assess: {{mode: {mode}}}` into {own} and run `ace-reflect install` again, or take it out of the project's file."
    says = (
        f"assess.mode is {mode} ({source}), but the hook that asks a model is registered otherwise"
    )
    return [Check("assessment", "wrong", says, fix)]
