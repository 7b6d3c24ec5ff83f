"""What is wrong with this installation, in words that a person can act on, and the proof that it works."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ace_reflect import config, paths
from ace_reflect.errors import AceReflectError, ConfigError
from ace_reflect.evals.session import Session
from ace_reflect.install import codex, host, registration
from ace_reflect.install.settings_file import replace, sound_settings
from ace_reflect.llm.registry import why_unreachable
from ace_reflect.log import entries
from ace_reflect.playbook import store
from ace_reflect.settings import online
from ace_reflect.state import cache
from ace_reflect.state.db import open_state

_AGAIN = "Run `ace-reflect install` again."
#: Whether tests ran after the edit, what is proved by it, and what the session was.
_SESSIONS = (
    (False, "proof: a bad stop is blocked", "an edit that no test run proved"),
    (True, "proof: a good stop passes", "an edit and a passing test run"),
)
_DONE = "Done: slugs keep their digits."


State = Literal["ok", "note", "wrong"]


class Check(NamedTuple):
    """One thing looked at. `fix` is what to do, empty where nothing is wrong."""

    name: str
    state: State
    says: str
    fix: str = ""


class Command(NamedTuple):
    """One registered hook command, as the host would start it."""

    event: str
    source: str
    argv: tuple[str, ...]
    rewakes: bool = False  # the host does not wait for it (`asyncRewake`)
    old: bool = False  # in a form that other hosts misread

    @property
    def script(self) -> str:
        """Its name, without `.py`; an older registration has the path of the file."""
        last = next(part for part in self.argv[-2::-1] if part != registration.WAIT)
        return os.path.basename(last).removesuffix(".py")


def examine(project: str, environ: Mapping[str, str]) -> list[Check]:
    """Every check, in the order a person would want to read them."""
    commands = registered_commands(project, environ)
    parts: dict[str, Callable[[], list[Check]]] = {
        "Claude Code": lambda: _host(project, environ),
        "hooks": lambda: hook_checks(commands, project, environ),
        "state": lambda: _state(environ),
        "configuration": lambda: _configuration(project, environ),
        "assessment": lambda: assess_entry(commands, project, environ),
        "playbook": lambda: _playbooks(project, environ),
        "latest runs": lambda: failed_last(environ),
        "proof": lambda: _proof(commands or of_the_plugin(environ), environ),
        "Codex": lambda: codex_checks(project, environ),
    }
    python = f"Python {'.'.join(map(str, sys.version_info[:3]))} ({sys.executable})"
    found = [Check("interpreter", "ok", python)]
    for name, part in parts.items():
        try:
            found += part()
        except (AceReflectError, OSError) as error:
            says = str(error)
            if isinstance(error, OSError) and error.filename:
                says = f"{error.filename}: {error.strerror}"
            if not any(one.state == "wrong" and says.startswith(one.says) for one in found):
                fix = "Fix this and run `ace-reflect doctor` again."
                found.append(Check(name, "wrong", says, fix))
    return found


def _loaded(project: str, environ: Mapping[str, str]) -> config.Config:
    """What is in force in a project. Raises ConfigError, StateError."""
    with open_state(paths.home(environ)) as state:
        return cache.configuration(state, project, environ).sound()


def registered_commands(project: str, environ: Mapping[str, str]) -> list[Command]:
    """The hook commands of ours that the host would start here, over all scopes. Their form is sh -c START MARK SCRIPT [--wait]
    MARK, or in older ones python … SCRIPT MARK; what no `install` has written is passed over.
    """
    return _commands(registration.registered_files(project, environ))


def _commands(files: Iterable[tuple[str, str, registration.Entries]]) -> list[Command]:
    return [
        Command(event, scope, argv, hook.get("asyncRewake") is True, "args" in hook)
        for scope, _, events in files
        for event, items in events.items()
        for item in items
        for hook in item["hooks"]
        if len(argv := registration.argv_of(hook)) > 3
        and all(isinstance(word, str) for word in argv)
    ]


def of_the_plugin(environ: Mapping[str, str]) -> list[Command]:
    """What the plugin starts at a stop, where this program is the one that it starts."""
    plugin, data = _plugin(environ)
    if not plugin or not host.same_file(sys.prefix, str(data / "environment")):
        return []
    return [Command("Stop", f"plugin {plugin}", (*registration.STARTED, "stop", registration.MARK))]


def _plugin(environ: Mapping[str, str]) -> tuple[str, Path]:
    """The name under which the plugin is enabled, or "", and the folder of its data."""
    name = host.plugin_enabled(environ) or ""
    return name, Path(paths.claude_dir(environ)) / "plugins" / "data" / name.replace("@", "-")


def hook_checks(commands: list[Command], project: str, environ: Mapping[str, str]) -> list[Check]:
    """Whether `commands` (`registered_commands`) are all there, and can work."""
    plugin, data = _plugin(environ)
    ways = sorted({command.source for command in commands})
    ways += [f"plugin {plugin}"] if plugin else []
    found = []
    for path in host.settings_paths(project, environ).values():
        try:
            sound_settings(path)
        except ConfigError as error:
            found.append(Check("settings", "wrong", str(error)))
    if not ways:
        state: State = "note" if codex.registered(project, environ) else "wrong"
        return [*found, Check("hooks", state, "not registered", "Run `ace-reflect install`.")]
    events = {command.event for command in commands}
    if commands:
        found += _launcher(commands, environ)
        if lacking := [event for event in registration.EVENTS if event not in events]:
            found.append(Check("hooks", "wrong", f"{', '.join(lacking)} not registered", _AGAIN))
    if len(ways) > 1:
        says = f"registered twice: {' and '.join(ways)}"
        fix = "Each event is answered once; leave one way to save a process an event."
        found.append(Check("hooks", "note", says, fix))
    if plugin and not (data / "environment" / "bin" / "python").exists():
        # Its hooks are silent until then.
        log = data / "setup.log"
        said = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
        why = f"its environment does not stand yet{': ' + said[-1] if said else ''}"
        fix = f"It is made when a session starts; {log} has the whole story."
        found.append(Check("plugin", "wrong", why, fix))
    return found or [Check("hooks", "ok", f"{len(events) or 5} events registered ({ways[0]})")]


def _launcher(commands: list[Command], environ: Mapping[str, str]) -> list[Check]:
    """What the entries start has to be there, and of this installation."""
    path = Path(registration.launcher(paths.home(environ)))
    if any(one.old or one.argv[:4] != registration.STARTED for one in commands):
        return [Check("hooks", "note", "registered as an older version did it", _AGAIN)]
    if not path.exists():
        return [Check("hooks", "wrong", f"the hooks start {path}, which is gone", _AGAIN)]
    if path.read_text("utf-8", "replace") != registration.launcher_text():
        return [Check("hooks", "note", f"{path} starts another installation than this one", _AGAIN)]
    return []


def codex_checks(project: str, environ: Mapping[str, str]) -> list[Check]:
    """Whether Codex has our hooks, all of them and trusted, and the proof by a session of its own; nothing where it has none."""
    files = codex.registered(project, environ)
    if not (commands := _commands(files)):
        return []
    again = "Run `ace-reflect install --host codex` again."
    found = [
        check._replace(name="Codex hooks", fix=again) for check in _launcher(commands, environ)
    ]
    for _, path, events in files:
        if waiting := codex.untrusted(path, events, environ):
            says = f"{', '.join(waiting)} in {path} not trusted, so Codex runs none of them"
            fix = "Start `codex` and choose “Trust all and continue”, or type /hooks there."
            found.append(Check("Codex hooks", "note", says, fix))
    found = found or [Check("Codex hooks", "ok", f"registered ({files[0][1]}) and trusted")]
    return [
        *found,
        *(
            each._replace(name=f"Codex, {each.name}")
            for each in _proof(commands, environ, of_codex=True)
        ),
    ]


def assess_entry(commands: list[Command], project: str, environ: Mapping[str, str]) -> list[Check]:
    """The second Stop entry is there exactly where a model is configured, and runs as `assess.mode` says."""
    loaded, (plugin, _) = _loaded(project, environ), _plugin(environ)
    entries = [command for command in commands if command.script == registration.ASSESS[0]]
    asks = bool(loaded.settings.models) or loaded.settings.review_enabled
    if asks != bool(entries) and not plugin:  # a plugin always has the entry
        says = f"{'a' if asks else 'no'} model is configured, but the hook that asks it is {'not ' * asks}registered"
        return [Check("assessment", "wrong" if asks else "note", says, _AGAIN)]
    mode, source = loaded.settings.assess_mode, loaded.sources["assess.mode"]
    foreground = mode == "foreground"
    # `asyncRewake` tells the host not to wait, `--wait` tells the script that it does. A plugin's entry never waits.
    marks = {(entry.rewakes, registration.WAIT in entry.argv) for entry in entries}
    if not asks or (marks <= {(not foreground, foreground)} and not (plugin and foreground)):
        return []
    otherwise = "but the hook that asks a model is registered otherwise"
    own = paths.user_config(paths.home(environ))
    fix = f"Put `assess: {{mode: {mode}}}` into {own} and run `ace-reflect install` again: neither a project's file nor the plugin registers it"
    fix += f" (`claude plugin uninstall {plugin}`)." if plugin else "."
    return [Check("assessment", "wrong", f"assess.mode is {mode} ({source}), {otherwise}", fix)]


def _host(project: str, environ: Mapping[str, str]) -> list[Check]:
    found = host.find_host(environ)
    if found.command is None:
        fix = "Install it: npm install -g @anthropic-ai/claude-code"
        check = Check("Claude Code", "note", "no `claude` command found", fix)
    elif found.too_old:
        check = Check("Claude Code", "wrong", found.too_old, "Run `claude update`.")
    else:
        version = found.version or "of unknown version"
        check = Check("Claude Code", "ok", f"{version} ({found.command})")
    return [check, *(Check("settings", "wrong", why) for why in host.obstacles(project, environ))]


def _configuration(project: str, environ: Mapping[str, str]) -> list[Check]:
    found = _loaded(project, environ)
    fix = "`ace-reflect config show` lists each setting with its source."
    checks = [Check("configuration", "note", warning, fix) for warning in found.warnings]
    if not found.settings.enabled:
        checks.append(Check("configuration", "note", "switched off (enabled: false)", fix))
    models = online(found.settings.models)
    if not models:
        checks.append(Check("models", "ok", "none: offline, nothing is sent anywhere"))
    for spec in models:
        why = host.why_not_asked(spec, found, project, environ)
        why = why or why_unreachable(spec, found, environ)
        fix = "Fix that, or take the model out of `models:`."
        wrong = Check("models", "wrong", f"{spec}: {why}", fix)
        checks.append(wrong if why else Check("models", "ok", f"{spec}: can be asked"))
    return checks


def _state(environ: Mapping[str, str]) -> list[Check]:
    with open_state(paths.home(environ)) as state:
        aside = [name for name in os.listdir(state.home_dir) if ".corrupt-" in name]
        lost = "was set aside, broken; why votes were given before that is lost"
        notes = [Check("state", "note", f"{name} {lost}") for name in sorted(aside)[-1:]]
        return [Check("state", "ok", state.home_dir), *notes]


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
            fix = "Until then none of its key points reaches a session, and nothing is learned into it."
            checks.append(Check("playbook", "wrong", str(error), fix))
    return checks or [Check("playbook", "ok", "readable, or not there yet")]


def failed_last(environ: Mapping[str, str]) -> list[Check]:
    """One line for all hooks that failed when they last ran: the session went on, and nobody would see it."""
    last = {str(row.get("event")): row for row in entries(paths.home(environ))}
    failed = [event for event in registration.EVENTS if "error" in last.get(event, {})]
    if not failed:
        return []
    row = last[failed[-1]]
    says = f"{', '.join(failed)} failed when last run ({row.get('at')}): {row['error']} {row.get('message', '')} {row.get('where', '')}"
    fix = "Start a new session and run this again; if it persists, please report it with `ace-reflect log`."
    return [Check("hooks", "note", " ".join(says.split()), fix)]


def _proof(
    commands: list[Command], environ: Mapping[str, str], *, of_codex: bool = False
) -> list[Check]:
    """Give the registered Stop command a stop that must be blocked and one that must stand."""
    stops = [command for command in commands if command.script == "stop"]
    # A checkout's settings may be anybody's: of theirs only what starts our own launcher is started.
    safe = (one for one in stops if one.source == "user" or one.argv[:4] == registration.STARTED)
    stop = next(safe, None)
    if stop is None:
        fix = "Look at it; `ace-reflect install` registers this one."
        says = "not tried: the {} settings start {}, which is not this installation"
        told = [says.format(one.source, " ".join(one.argv)) for one in stops[:1]]
        return [Check("proof", "note", each, fix) for each in told]
    launcher = Path(registration.launcher(paths.home(environ)))
    text = registration.launcher_text()
    if not stop.source.startswith("plugin"):
        text = launcher.read_text() if launcher.exists() else ""
    checks = []
    for tested, name, what in _SESSIONS:
        blocked = _blocks(stop.argv, text, environ, tested=tested, of_codex=of_codex)
        says = f"a stop after {what} {'is blocked' if blocked else 'stands'}"
        wrong = Check(name, "wrong", says, f"{_AGAIN} If it persists, please report it.")
        checks.append(wrong if blocked is tested else Check(name, "ok", says))
    return checks


def _blocks(
    argv: Sequence[str],
    started: str,
    environ: Mapping[str, str],
    *,
    tested: bool,
    of_codex: bool,
) -> bool:
    """Whether a hook blocks a session of its own, in a home of its own with `started` as the launcher."""
    with tempfile.TemporaryDirectory(prefix="ace-reflect-doctor-") as folder:
        payload = _write_session(Path(folder), tested=tested, of_codex=of_codex)
        home = str(Path(folder) / "home")
        replace(registration.launcher(home), started.encode())
        # Reading one needs packages that a hook without it does not touch.
        Path(paths.user_config(home)).write_text("enabled: true\n")
        own = {k: v for k, v in environ.items() if not k.startswith(("ACE_REFLECT_", "CLAUDE_"))}
        try:
            done = subprocess.run(
                argv,
                input=json.dumps(payload).encode(),
                capture_output=True,
                timeout=60,
                cwd=folder,
                env={**own, "ACE_REFLECT_HOME": home},
                check=False,
            )
            said = json.loads(done.stdout or b"{}")
        except (subprocess.TimeoutExpired, ValueError):
            return False
        return isinstance(said, dict) and said.get("decision") == "block"


def _write_session(folder: Path, *, tested: bool, of_codex: bool) -> dict[str, Any]:
    """Write a small project and the transcript of an edit in it; the stop's payload."""
    project, transcript = folder / "project", folder / "session.jsonl"
    (project / "tests").mkdir(parents=True)
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (project / "slug.py").write_text("def slug(text):\n    return text.casefold()\n")
    (project / "tests" / "test_slug.py").write_text("def test_slug():\n    pass\n")
    steps = [
        {"user": "Make slugs keep their digits."},
        {"edit": "slug.py", "old": "    text.lower()\n", "new": "    text.casefold()\n"},
        *[{"bash": "pytest -q", "out": "3 passed in 0.02s"}] * tested,
        {"say": _DONE},
    ]
    transcript.write_text("\n".join(Session(steps, str(project)).lines) + "\n")
    ids: dict[str, Any] = {"session_id": "eval", "transcript_path": str(transcript)}
    ids["background_tasks"] = []
    if of_codex:
        ids = codex.write_session(folder / "rollout.jsonl", str(project), _DONE, tested=tested)
    said = {"hook_event_name": "Stop", "last_assistant_message": _DONE}
    return {"cwd": str(project), **ids, **said}
