"""What is wrong with this installation, in words that a person can act on, and the proof that it works."""

import os
import sys
from collections.abc import Callable, Mapping

from ace_reflect import config, paths
from ace_reflect.errors import AceReflectError
from ace_reflect.install import host
from ace_reflect.install.findings import Check, configuration
from ace_reflect.install.hook_checks import hook_checks, of_the_plugin, registered_commands
from ace_reflect.install.last_runs import failed_last
from ace_reflect.install.proof import paths_proved, speed
from ace_reflect.settings import OFFLINE


def examine(project: str, environ: Mapping[str, str]) -> list[Check]:
    """Every check, in the order a person would want to read them."""
    commands = registered_commands(project, environ)
    parts: dict[str, Callable[[], list[Check]]] = {
        "interpreter": _interpreter,
        "Claude Code": lambda: _host(project, environ),
        "hooks": lambda: hook_checks(commands, project, environ),
        "state": lambda: _state(environ),
        "configuration": lambda: _configuration(project, environ),
        "playbook": lambda: _playbooks(project, environ),
        "latest runs": lambda: failed_last(environ),
        "proof": lambda: paths_proved(commands or of_the_plugin(environ), environ),
        "speed": lambda: speed(commands, environ),
    }
    found: list[Check] = []
    for name, part in parts.items():
        try:
            found += part()
        except (AceReflectError, OSError) as error:
            if not any(
                check.state == "wrong" and str(error).startswith(check.says) for check in found
            ):
                found.append(
                    Check(
                        name, "wrong", str(error), "Mend this and run `ace-reflect doctor` again."
                    )
                )
    return found


# ------------------------------------------------------------------ the parts


def _interpreter() -> list[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    missing = []
    for name in (
        "click",
        "anthropic",
        "pydantic",
        "yaml",
        "rich",
        "filelock",
        "rapidfuzz",
        "jinja2",
    ):
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


def _configuration(project: str, environ: Mapping[str, str]) -> list[Check]:
    found = configuration(project, environ)
    checks = [
        Check(
            "configuration",
            "note",
            warning,
            "`ace-reflect config show` lists each setting with its source.",
        )
        for warning in found.warnings
    ]
    off = [item for item in found.settings.gates if item.endswith("=off")]
    if not found.settings.enabled:
        checks.append(
            Check(
                "configuration",
                "note",
                "switched off (enabled: false)",
                "Take that line out to switch it on.",
            )
        )
    if off:
        checks.append(
            Check(
                "gates",
                "note",
                f"switched off: {', '.join(item.partition('=')[0] for item in off)}",
            )
        )
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
