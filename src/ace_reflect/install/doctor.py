"""What is wrong with this installation, in words that a person can act on, and the proof that it works."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from ace_reflect import paths
from ace_reflect.errors import AceReflectError
from ace_reflect.install import host, registration
from ace_reflect.install.hook_checks import (
    Check,
    configuration,
    hook_checks,
    of_the_plugin,
    registered_commands,
    why_not_asked,
)
from ace_reflect.install.proof import paths_proved
from ace_reflect.llm.registry import why_unreachable
from ace_reflect.log import entries
from ace_reflect.playbook import store
from ace_reflect.settings import OFFLINE
from ace_reflect.state import jobs
from ace_reflect.state.db import open_state


def examine(project: str, environ: Mapping[str, str]) -> list[Check]:
    """Every check, in the order a person would want to read them."""
    commands = registered_commands(project, environ)
    parts: dict[str, Callable[[], list[Check]]] = {
        "Claude Code": lambda: _host(project, environ),
        "hooks": lambda: hook_checks(commands, project, environ),
        "state": lambda: _state(environ),
        "configuration": lambda: _configuration(project, environ),
        "playbook": lambda: _playbooks(project, environ),
        "latest runs": lambda: failed_last(environ),
        "proof": lambda: paths_proved(commands or of_the_plugin(environ), environ),
    }
    python = f"Python {'.'.join(map(str, sys.version_info[:3]))} ({sys.executable})"
    found = [Check("interpreter", "ok", python)]
    for name, part in parts.items():
        try:
            found += part()
        except (AceReflectError, OSError) as error:
            wrong = [check.says for check in found if check.state == "wrong"]
            if not any(str(error).startswith(says) for says in wrong):
                fix = "Fix this and run `ace-reflect doctor` again."
                found.append(Check(name, "wrong", str(error), fix))
    return found


def _host(project: str, environ: Mapping[str, str]) -> list[Check]:
    found = host.find_host(environ)
    version = ".".join(map(str, found.version)) if found.version else "of unknown version"
    if found.command is None:
        fix = "Install it: npm install -g @anthropic-ai/claude-code"
        check = Check("Claude Code", "note", "no `claude` command found", fix)
    elif found.too_old:
        says = f"{version} is older than {'.'.join(map(str, host.OLDEST))}"
        check = Check("Claude Code", "wrong", says, "Run `claude update`.")
    else:
        check = Check("Claude Code", "ok", f"{version} ({found.command})")
    fix = "Change that setting, or ask whoever manages it."
    obstacles = host.obstacles(project, environ)
    return [check, *(Check("settings", "wrong", text, fix) for text in obstacles)]


def _configuration(project: str, environ: Mapping[str, str]) -> list[Check]:
    found = configuration(project, environ)
    settings = found.settings
    fix = "`ace-reflect config show` lists each setting with its source."
    checks = [Check("configuration", "note", warning, fix) for warning in found.warnings]
    if not settings.enabled:
        says, fix = "switched off (enabled: false)", "Take that line out to switch it on."
        checks.append(Check("configuration", "note", says, fix))
    off = [gate for gate, mode in settings.gates.items() if mode == "off"]
    if off:
        checks.append(Check("gates", "note", f"switched off: {', '.join(off)}"))
    if not settings.models:
        checks.append(Check("models", "ok", "none: offline, nothing is sent anywhere"))
    for spec in settings.models:
        if spec != OFFLINE:
            why = why_not_asked(spec, found, project, environ)
            why = why or why_unreachable(spec, found, environ)
            fix = "Fix that, or take the model out of `models:`." if why else ""
            says = f"{spec}: {why or 'can be asked'}"
            checks.append(Check("models", "wrong" if why else "ok", says, fix))
    return checks


def _state(environ: Mapping[str, str]) -> list[Check]:
    home = paths.home(environ)
    try:
        with open_state(home) as state:
            set_aside = jobs.counts(state).get("set-aside", 0)
    except AceReflectError as error:
        fix = "Fix that folder, or name another one in ACE_REFLECT_HOME."
        if os.path.isdir(home) and os.access(home, os.W_OK):
            fix = "Update ace-reflect, or move state.db away; playbooks are not in it."
        return [Check("state", "wrong", str(error).partition("; fix ")[0], fix)]
    if not os.access(home, os.W_OK):
        return [Check("state", "wrong", f"{home} cannot be written", "Fix its permissions.")]
    if set_aside:
        says = f"{set_aside} job(s) set aside after three tries"
        fix = "`ace-reflect queue` shows why; `ace-reflect queue retry ID` tries again."
        return [Check("queue", "note", says, fix)]
    aside = sorted(Path(home).glob("state.db.corrupt-*[0-9]"))
    if aside:
        says = f"a broken state.db was set aside as {aside[-1]}: why votes were given is lost"
        return [Check("state", "note", says, "Delete it when you have looked at it.")]
    return [Check("state", "ok", home)]


def _playbooks(project: str, environ: Mapping[str, str]) -> list[Check]:
    checks, home = [], paths.home(environ)
    stored = paths.project_playbook(project, home, "home")
    for path in (paths.project_playbook(project), stored, paths.user_playbook(home)):
        place = store.place_of(path, home)
        try:
            for item in store.snapshot(place).unread:
                says = f"{path}: {item.name} in {item.section} cannot be read: {item.fault}"
                checks.append(Check("playbook", "wrong", says, "Fix it there."))
        except AceReflectError as error:
            fix = "Until then none of its key points reaches a session, and nothing new is learned into it."
            checks.append(Check("playbook", "wrong", str(error), fix))
    return checks or [Check("playbook", "ok", "readable, or not there yet")]


def failed_last(environ: Mapping[str, str]) -> list[Check]:
    """One line for all hooks that failed when they last ran: the session went on, and nobody would see it."""
    try:
        last = {str(row.get("event")): row for row in entries(paths.home(environ))}
    except OSError as fault:
        says = f"{fault.filename} cannot be read: {fault.strerror}"
        fix = "Fix its permissions, or move it away: a new one is started."
        return [Check("hooks", "note", says, fix)]
    failed = [event for event in registration.EVENTS if "error" in last.get(event, {})]
    if not failed:
        return []
    row = last[failed[-1]]
    says = f"{', '.join(failed)} failed when last run ({row.get('at')}): {row['error']} {row.get('message', '')} {row.get('where', '')}"
    fix = "Start a new session and run this again; if it persists, please report it with `ace-reflect log`."
    return [Check("hooks", "note", " ".join(says.split()), fix)]
