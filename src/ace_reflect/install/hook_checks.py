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
from ace_reflect.install.settings_schema import why_dropped
from ace_reflect.llm.registry import why_unusable
from ace_reflect.settings import OFFLINE
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
    def script(self) -> str:
        """Its name, without `.py`; an older registration has the path of the file."""
        last = next(part for part in self.argv[-2::-1] if part != registration.WAIT)
        return os.path.basename(last).removesuffix(".py")

    @property
    def may_be_run(self) -> bool:
        """A checkout's settings may be anybody's: of theirs only what starts our own launcher is started."""
        return (
            self.source == "user" or self.argv[: len(registration.STARTED)] == registration.STARTED
        )


def configuration(project: str, environ: Mapping[str, str]) -> config.Config:
    """What is in force in a project. Raises ConfigError, StateError."""
    with open_state(paths.home(environ)) as state:
        return cache.configuration(state, project, environ).sound()


def why_not_asked(spec: str, found: config.Config, project: str, environ: Mapping[str, str]) -> str:
    """Why hooks cannot ask a model, as far as that shows without asking; or ""."""
    if spec == OFFLINE:
        return ""
    if spec.partition("/")[0] in ("anthropic", "openai") and host.strips_keys(project, environ):
        return "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB keeps every API key from hooks; claude-code/… needs none"
    return why_unusable(spec, found, environ)


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
    """None for what no `install` has written: sh -c START MARK SCRIPT [--wait] MARK, or in older ones python … SCRIPT MARK."""
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
    return [Command("Stop", f"plugin {plugin}", (*registration.STARTED, "stop", registration.MARK))]


def hook_checks(commands: list[Command], project: str, environ: Mapping[str, str]) -> list[Check]:
    """Whether `commands` (`registered_commands`) are all there, and can work."""
    plugin = host.plugin_enabled(environ)
    ways = sorted({command.source for command in commands})
    ways += [f"plugin {plugin}"] if plugin else []
    found = []
    for path in host.settings_paths(project, environ).values():
        try:
            why = why_dropped(read_settings(path).data)
            says = f"{path}: {why}" * bool(why)
        except ConfigError as error:
            says = str(error)
        if says:
            fix = "Fix the file; as it is, Claude Code ignores all of it."
            found.append(Check("settings", "wrong", says, fix))
    if not ways:
        return [*found, Check("hooks", "wrong", "not registered", "Run `ace-reflect install`.")]
    if commands:
        found += _launcher(commands, environ)
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


def _launcher(commands: list[Command], environ: Mapping[str, str]) -> list[Check]:
    """What the entries start has to be there, and of this installation."""
    path = registration.launcher(paths.home(environ))
    if any(command.argv[:4] != registration.STARTED for command in commands):
        return [Check("hooks", "note", "registered as an older version did it", _AGAIN)]
    if not os.path.exists(path):
        return [Check("hooks", "wrong", f"the hooks start {path}, which is gone", _AGAIN)]
    if Path(path).read_text("utf-8", "replace") != registration.launcher_text():
        return [Check("hooks", "note", f"{path} starts another installation than this one", _AGAIN)]
    return []


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
