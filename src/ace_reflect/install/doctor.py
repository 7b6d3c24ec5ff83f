"""What is wrong with this installation, in words that a person can act on, and the proof that it works."""

import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ace_reflect import config, paths
from ace_reflect.errors import AceReflectError, ConfigError
from ace_reflect.install import host, registration, second_entry
from ace_reflect.install.findings import Check, Command
from ace_reflect.install.last_runs import failed_last
from ace_reflect.install.proof import paths_proved, speed
from ace_reflect.install.settings_file import read_settings
from ace_reflect.settings import OFFLINE

_AGAIN = "Run `ace-reflect install` again."


def examine(project: str, environ: Mapping[str, str]) -> list[Check]:
    """Every check, in the order a person would want to read them."""
    commands = registered_commands(project, environ)
    parts: dict[str, Callable[[], list[Check]]] = {
        "interpreter": _interpreter,
        "Claude Code": lambda: _host(project, environ),
        "hooks": lambda: _registration(commands, project, environ),
        "state": lambda: _state(environ),
        "configuration": lambda: _configuration(project, environ),
        "playbook": lambda: _playbooks(project, environ),
        "latest runs": lambda: failed_last(environ),
        "proof": lambda: paths_proved(commands or _of_the_plugin(environ), environ),
        "speed": lambda: speed(commands, environ),
    }
    found: list[Check] = []
    for name, part in parts.items():
        try:
            found += part()
        except (AceReflectError, OSError) as error:
            if not any(check.state == "wrong" and str(error).startswith(check.says) for check in found):
                found.append(Check(name, "wrong", str(error), "Mend this and run `ace-reflect doctor` again."))
    return found


def registered_commands(project: str, environ: Mapping[str, str]) -> list[Command]:
    """The hook commands of ours that the host would start here, over all scopes and the plugin."""
    found = []
    for scope, _, events in registration.registered_files(project, environ):
        for event, items in events.items():
            found += [made for item in items for hook in item["hooks"] if (made := _command(event, scope, hook))]
    return list(dict.fromkeys(found))


def _command(event: str, scope: str, hook: Mapping[str, Any]) -> Command | None:
    """None for what no `install` has written: python -I [-c START] SCRIPT [--wait] MARK."""
    argv = (hook.get("command"), *hook["args"])
    if len(argv) < 4 or not all(isinstance(p, str) for p in argv):
        return None
    return Command(event, scope, argv, hook.get("asyncRewake") is True)


# ------------------------------------------------------------------ the parts


def _interpreter() -> list[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    missing = []
    for name in ("click", "anthropic", "pydantic", "yaml", "rich", "filelock", "rapidfuzz", "jinja2"):
        try:
            __import__(name)
        except ImportError:
            missing.append(name)
    if missing:
        return [
            Check(
                "interpreter",
                "wrong",
                f"Python {version} lacks {', '.join(missing)}",
                "Install again: ./install.sh, or `pip install --upgrade ace-reflect`.",
            )
        ]
    return [Check("interpreter", "ok", f"Python {version}, every package there")]


def _host(project: str, environ: Mapping[str, str]) -> list[Check]:
    found = host.find_host(environ)
    obstacles = [
        Check("settings", "wrong", text, "Change that setting, or ask whoever manages it.")
        for text in host.obstacles(project, environ)
    ]
    if found.command is None:
        return [
            Check(
                "Claude Code",
                "note",
                "no `claude` command found",
                "Install it: npm install -g @anthropic-ai/claude-code",
            ),
            *obstacles,
        ]
    version = ".".join(map(str, found.version)) if found.version else "of unknown version"
    if found.too_old:
        return [
            Check(
                "Claude Code",
                "wrong",
                f"{version} is older than {'.'.join(map(str, host.OLDEST))}",
                "Run `claude update`.",
            ),
            *obstacles,
        ]
    return [Check("Claude Code", "ok", f"{version} ({found.command})"), *obstacles]


def _registration(commands: list[Command], project: str, environ: Mapping[str, str]) -> list[Check]:
    plugin = host.plugin_enabled(environ)
    ways = [*sorted({command.source for command in commands}), *([f"plugin {plugin}"] if plugin else [])]
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
    found += [*_assess_entry(commands, plugin, project, environ), *_plugin_environment(plugin, environ)]
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
    absent = next((part for part in (command.argv[0], command.place) if not os.path.exists(part)), None)
    if absent is None:
        return []
    return [Check("hooks", "wrong", f"{command.event} ({command.source}) starts {absent}, which is gone", _AGAIN)]


def _plugin_environment(plugin: str | None, environ: Mapping[str, str]) -> list[Check]:
    """A plugin's hooks are silent until its environment stands; where making it failed, say why."""
    if plugin is None:
        return []
    data = _plugin_data(plugin, environ)
    if (data / "environment" / "bin" / "python").exists():
        return []
    said = (
        (data / "setup.log").read_text(errors="replace").strip().splitlines() if (data / "setup.log").exists() else []
    )
    why = f"its environment does not stand yet{': ' + said[-1] if said else ''}"
    return [
        Check("plugin", "wrong", why, f"It is made when a session starts; {data / 'setup.log'} has the whole story.")
    ]


def _plugin_data(plugin: str, environ: Mapping[str, str]) -> Path:
    return Path(paths.claude_dir(environ)) / "plugins" / "data" / plugin.replace("@", "-")


def _assess_entry(commands: list[Command], plugin: str | None, project: str, environ: Mapping[str, str]) -> list[Check]:
    """The second Stop entry belongs there exactly where a model is configured, and runs as `assess.mode` says."""
    entries = [command for command in commands if command.script == registration.ASSESS[0]]
    try:
        loaded = _load(project, environ)
    except AceReflectError:
        return []  # what is wrong there is told where state and configuration are looked at
    if not loaded.settings.models and not loaded.settings.review_enabled:
        # The plugin's entry is always there, and silent without a model.
        says = "the hook that asks a model is registered, but no model is configured"
        return [Check("hooks", "note", says, _AGAIN)] if entries else []
    if not entries and not plugin:
        return [Check("hooks", "wrong", "a model is configured, but the hook that asks it is not registered", _AGAIN)]
    runs = [second_entry.how_it_runs(c.argv, rewakes=c.rewakes, wait=registration.WAIT) for c in entries]
    return [
        Check("assessment", "wrong", says, fix) for says, fix in second_entry.mismatches(runs, plugin, loaded, environ)
    ]


def _load(project: str, environ: Mapping[str, str]) -> config.Config:
    from ace_reflect.state import trust
    from ace_reflect.state.db import open_state

    home = paths.home(environ)
    with open_state(home) as state:
        return config.load(project, home, environ, trusted=partial(trust.trusted_hash, state))


def _configuration(project: str, environ: Mapping[str, str]) -> list[Check]:
    found = _load(project, environ)
    checks = [
        Check("configuration", "note", warning, "`ace-reflect config show` lists each setting with its source.")
        for warning in found.warnings
    ]
    off = [item for item in found.settings.gates if item.endswith("=off")]
    if not found.settings.enabled:
        checks.append(
            Check("configuration", "note", "switched off (enabled: false)", "Take that line out to switch it on.")
        )
    if off:
        checks.append(Check("gates", "note", f"switched off: {', '.join(item.partition('=')[0] for item in off)}"))
    if not found.settings.models:
        return [*checks, Check("models", "ok", "none: offline, nothing is sent anywhere")]
    return [*checks, *_models(found, environ)]


def _models(found: config.Config, environ: Mapping[str, str]) -> list[Check]:
    from ace_reflect.llm.reach import why_unreachable

    checks = []
    for spec in found.settings.models:
        if spec == OFFLINE:
            continue
        reason = why_unreachable(spec, found.file, environ)
        checks.append(
            Check(
                "models",
                "wrong" if reason else "ok",
                f"{spec}: {reason or 'can be asked'}",
                "Mend that, or take the model out of `models:`." if reason else "",
            )
        )
    return checks


def _state(environ: Mapping[str, str]) -> list[Check]:
    from ace_reflect.state import jobs
    from ace_reflect.state.db import open_state

    home = paths.home(environ)
    checks = []
    try:
        with open_state(home) as state:
            set_aside = jobs.counts(state).get("set-aside", 0)
    except AceReflectError as error:
        fix = (
            "Update ace-reflect, or move state.db away; playbooks are not in it."
            if os.path.isdir(home) and os.access(home, os.W_OK)
            else "Mend that folder, or name another one in ACE_REFLECT_HOME."
        )
        return [Check("state", "wrong", str(error).partition("; mend ")[0], fix)]
    if not os.access(home, os.W_OK):
        checks.append(Check("state", "wrong", f"{home} cannot be written", "Mend its permissions."))
    if set_aside:
        checks.append(
            Check(
                "queue",
                "note",
                f"{set_aside} job(s) set aside after three tries",
                "`ace-reflect queue` shows why; `ace-reflect queue retry ID` tries again.",
            )
        )
    return checks or [Check("state", "ok", home)]


def _playbooks(project: str, environ: Mapping[str, str]) -> list[Check]:
    from ace_reflect.playbook import store

    checks = []
    home = paths.home(environ)
    for path in (paths.project_playbook(project), paths.user_playbook(home)):
        place = store.place_of(path, home)
        try:
            unread = store.snapshot(place).read.unread
        except AceReflectError as error:
            fix = "Until then none of its key points reaches a session, and nothing new is learned into it."
            checks.append(Check("playbook", "wrong", str(error), fix))
            unread = ()
        checks += [
            Check(
                "playbook",
                "wrong",
                f"{path}: {item.name} in {item.section} cannot be read: {item.fault}",
                "Mend it there.",
            )
            for item in unread
        ]
        checks += [
            Check(
                "playbook",
                "note",
                f"{kept} was set aside, for it was no playbook",
                "Mend it and put it back, or delete it.",
            )
            for kept in store.kept_aside(place)
        ]
    return checks or [Check("playbook", "ok", "readable, or not there yet")]


def _of_the_plugin(environ: Mapping[str, str]) -> list[Command]:
    """What the plugin starts at a stop, where this program is the one that it starts."""
    plugin = host.plugin_enabled(environ)
    if plugin is None or not host.same_file(sys.prefix, str(_plugin_data(plugin, environ) / "environment")):
        return []
    script = os.path.join(paths.data_dir("hooks"), "stop.py")
    return [Command("Stop", f"plugin {plugin}", (os.path.abspath(sys.executable), "-I", script))]
