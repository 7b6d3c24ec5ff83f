"""What is wrong with this installation, in words that a person can act on, and the proof that it works."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from ace_reflect import config, paths
from ace_reflect.errors import AceReflectError, ConfigError
from ace_reflect.install import host, registration, second_entry
from ace_reflect.install.rehearsal import SESSIONS, write_session
from ace_reflect.install.settings_file import read_settings

#: A stop that is judged costs three to seven times a bare start of its interpreter, a prompt about twice; beyond this
#: something other than our work takes the time.
SLOW_RATIO = {"UserPromptSubmit": 6, "Stop": 16}
#: And nobody notices less than this.
SLOW_S = 0.25
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `fix` is what to do, empty where nothing is wrong."""

    name: str
    state: Literal["ok", "note", "wrong"]
    says: str
    fix: str = ""

    def to_json(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Command:
    """One registered hook command, as the host would start it."""

    event: str
    source: str
    argv: tuple[str, ...]
    rewakes: bool = False  # the host does not wait for it (`asyncRewake`)

    @property
    def script(self) -> str:
        return os.path.basename(self.argv[2])

    @property
    def may_be_run(self) -> bool:
        """A checkout's settings may be anybody's: of theirs only this very installation's scripts are started."""
        own = (os.path.abspath(sys.executable), "-I", os.path.join(paths.data_dir("hooks"), self.script))
        return self.source == "user" or self.argv[:3] == own


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
        "proof": lambda: _paths_proved(commands or _of_the_plugin(environ), environ),
        "speed": lambda: _speed(commands, environ),
    }
    found: list[Check] = []
    for name, part in parts.items():
        try:
            found += part()
        except (AceReflectError, OSError) as error:
            if str(error) not in {check.says for check in found}:
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
    """None for what no `install` has written."""
    argv = (hook.get("command"), *hook["args"])
    if len(argv) < len(("python", "-I", "script", registration.MARK)) or not all(isinstance(p, str) for p in argv):
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
    found = []
    for path in host.settings_paths(project, environ).values():
        try:
            read_settings(path)
        except ConfigError as error:
            found.append(
                Check("settings", "wrong", str(error), "Mend the file; Claude Code ignores all of it as it stands.")
            )
    plugin = host.plugin_enabled(environ)
    ways = [*sorted({command.source for command in commands}), *([f"plugin {plugin}"] if plugin else [])]
    if not ways:
        return [*found, Check("hooks", "wrong", "not registered", "Run `ace-reflect install`.")]
    for command in commands:
        absent = [part for part in (command.argv[0], command.argv[2]) if not os.path.exists(part)]
        if absent:
            found.append(
                Check(
                    "hooks",
                    "wrong",
                    f"{command.event} ({command.source}) starts {absent[0]}, which is gone",
                    "Run `ace-reflect install` again.",
                )
            )
    events = {command.event for command in commands}
    lacking = [event for event in registration.EVENTS if commands and event not in events]
    if lacking:
        found.append(
            Check("hooks", "wrong", f"{', '.join(lacking)} not registered", "Run `ace-reflect install` again.")
        )
    if len(ways) > 1:
        found.append(
            Check(
                "hooks",
                "note",
                f"registered twice: {' and '.join(ways)}",
                "Each event is answered once; leave one way to save a process an event.",
            )
        )
    found += [*_assess_entry(commands, plugin, project, environ), *_plugin_environment(plugin, environ)]
    return found or [Check("hooks", "ok", f"{len(events) or 5} events registered ({ways[0]})")]


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
    again = "Run `ace-reflect install` again."
    if not loaded.settings.models and not loaded.settings.review_enabled:
        # The plugin's entry is always there, and silent without a model.
        says = "the assessment is registered, but no model is configured"
        return [Check("hooks", "note", says, again)] if entries else []
    if not entries and not plugin:
        return [Check("hooks", "wrong", "a model is configured, but the assessment is not registered", again)]
    runs = [second_entry.how_it_runs(c.argv, rewakes=c.rewakes, wait=registration.WAIT) for c in entries]
    return [
        Check("assessment", "wrong", says, fix) for says, fix in second_entry.mismatches(runs, plugin, loaded, environ)
    ]


def _load(project: str, environ: Mapping[str, str]) -> config.Config:
    from ace_reflect.state import trust
    from ace_reflect.state.db import open_state

    home = paths.home(environ)
    with open_state(home) as state:
        return config.load(project, home, environ, trusted=lambda path: trust.trusted_hash(state, path))


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
        if spec == "offline":
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
        return [Check("state", "wrong", str(error), fix)]
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


# ------------------------------------------------------------------ the proof


def _paths_proved(commands: list[Command], environ: Mapping[str, str]) -> list[Check]:
    """Give the registered Stop command a stop that must be blocked and one that must stand."""
    stops = [command for command in commands if command.event == "Stop" and command.script == "stop.py"]
    stop = next((command for command in stops if command.may_be_run), None)
    if stop is None:
        return [_not_run(command) for command in stops[:1]]
    checks = []
    for name, session in SESSIONS.items():
        answer, _ = _rehearse(stop, session, environ)
        blocked = answer.get("decision") == "block"
        right = blocked == session.blocked
        says = f"a stop {session.says} {'is blocked' if blocked else 'stands'}"
        checks.append(
            Check(
                f"proof: {name}",
                "ok" if right else "wrong",
                says,
                "" if right else "Run `ace-reflect install` again; if it stays, please report it.",
            )
        )
    return checks


def _of_the_plugin(environ: Mapping[str, str]) -> list[Command]:
    """What the plugin starts at a stop, where this program is the one that it starts."""
    plugin = host.plugin_enabled(environ)
    if plugin is None or not host.same_file(sys.prefix, str(_plugin_data(plugin, environ) / "environment")):
        return []
    script = os.path.join(paths.data_dir("hooks"), "stop.py")
    return [Command("Stop", f"plugin {plugin}", (os.path.abspath(sys.executable), "-I", script))]


def _not_run(command: Command) -> Check:
    says = f"not tried: the {command.source} settings start {command.argv[0]} {command.argv[2]}, which is not this installation"
    return Check("proof", "note", says, "Look at it; `ace-reflect install` registers this one.")


def _rehearse(
    command: Command, session: Any, environ: Mapping[str, str], home: str | None = None
) -> tuple[dict[str, Any], float]:
    """The hook's answer to a session of its own, and how long it took; `home` is where it keeps what it knows."""
    with tempfile.TemporaryDirectory(prefix="ace-reflect-doctor-") as folder:
        payload = write_session(Path(folder), session, command.event)
        own = {k: v for k, v in environ.items() if not k.startswith(("ACE_REFLECT_", "CLAUDE_"))}
        started = time.perf_counter()
        try:
            done = subprocess.run(
                command.argv,
                input=json.dumps(payload).encode(),
                capture_output=True,
                timeout=60,
                cwd=folder,
                env={**own, "ACE_REFLECT_HOME": home or os.path.join(folder, "home")},
                check=False,
            )
            answer = json.loads(done.stdout or b"{}")
        except (subprocess.TimeoutExpired, ValueError):
            answer = {}
        took = time.perf_counter() - started
    return (answer if isinstance(answer, dict) else {}), took


def _speed(commands: list[Command], environ: Mapping[str, str]) -> list[Check]:
    """The hooks that a person waits for, on the disk that the home is on, each with what it knew from the time before."""
    good = next(session for session in SESSIONS.values() if not session.blocked)
    at = paths.home(environ)
    checks = []
    for command in commands:
        if command.event not in SLOW_RATIO or command.script == registration.ASSESS[0]:
            continue
        if not command.may_be_run or not os.path.exists(command.argv[0]):
            continue
        with tempfile.TemporaryDirectory(prefix=".doctor-", dir=at if os.access(at, os.W_OK) else None) as home:
            took = [_rehearse(command, good, environ, home)[1] for _ in range(_ROUNDS)]
            bare = [_bare(command.argv[0]) for _ in range(_ROUNDS)]
        if is_slow(command.event, min(took[1:]), min(bare)):
            checks.append(_slow(command.event, min(took[1:]), min(bare), at))
    return checks or ([Check("speed", "ok", "each hook costs little more than starting Python")] if commands else [])


def is_slow(event: str, took_s: float, bare_s: float) -> bool:
    """Whether a hook takes out of all proportion to a bare start of its interpreter, and long enough to be noticed."""
    return took_s > SLOW_RATIO[event] * bare_s and took_s - bare_s > SLOW_S


def _slow(event: str, took_s: float, bare_s: float, home: str) -> Check:
    says = f"{event} took {took_s * 1000:.0f} ms at best of {_ROUNDS - 1}, a bare Python {bare_s * 1000:.0f} ms"
    fix = (
        f"Run it again when the machine is idle. If that stays, {home} may be on a slow or network disk "
        "(ACE_REFLECT_HOME puts it elsewhere), or a scanner reads every file that is opened."
    )
    return Check("speed", "note", says, fix)


def _bare(python: str) -> float:
    started = time.perf_counter()
    subprocess.run([python, "-I", "-c", "pass"], check=False, timeout=60)
    return time.perf_counter() - started
