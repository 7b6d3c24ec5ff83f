"""What is registered, by `install` or the plugin, run as the host runs it: also where the program is gone."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

from ace_reflect import paths
from ace_reflect.install import registration
from ace_reflect.install.settings_file import replace
from conftest import ROOT
from support.programs import ran

HERE, OURS = ROOT / "hooks", Path(paths.data_dir("hooks"))  # the plugin's; the installed program's


def started(command: list[str], home: Path, event: str) -> "subprocess.CompletedProcess[str]":
    payload = {"hook_event_name": event, "session_id": "s", "cwd": str(home), "source": "startup"}
    environ = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    environ |= dict.fromkeys(("HOME", "ACE_REFLECT_HOME"), str(home))
    return ran(*command, input=json.dumps({**payload, "prompt": "fix it"}), env=environ)


def commands(hooks: dict[str, Any], event: str) -> list[list[str]]:
    """Each command of the event, as a host's shell starts it."""
    return [["bash", "-c", hook["command"]] for item in hooks[event] for hook in item["hooks"]]


def registered(
    home: Path, event: str, hooks: Path = OURS, python: str = sys.executable
) -> list[list[str]]:
    """What `install` has the host start, with its launcher for scripts in `hooks`."""
    text = registration.launcher_text().replace(str(OURS), quote(str(hooks)))
    replace(registration.launcher(str(home)), text.replace(sys.executable, python).encode())
    return commands(registration.entries(assess=True, foreground=True), event)


GONE = ("the checkout", "the interpreter", "half of the program", "the launcher")


@pytest.mark.parametrize("gone", GONE)
@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop"])
def test_a_program_that_is_gone_disturbs_no_session(event, gone, tmp_path):
    """pipx uninstall, a checkout that was moved, an upgrade cut short: no error, no dropped prompt."""
    hooks = OURS
    if gone == "the checkout":
        hooks = tmp_path / "it's gone/café"
    elif gone == "half of the program":
        hooks = tmp_path / "hooks"
        shutil.copytree(OURS, hooks)
        (tmp_path / "src/ace_reflect").mkdir(parents=True)
        (tmp_path / "src/ace_reflect/__init__.py").touch()
    python = "/gone/bin/python" if gone == "the interpreter" else sys.executable
    for command in registered(tmp_path, event, hooks, python):
        if gone == "the launcher":
            (tmp_path / "bin" / "ace-reflect-hook").unlink(missing_ok=True)
        done = started(command, tmp_path, event)

        assert (done.returncode, done.stdout) == (0, "")
    assert not (tmp_path / "log.jsonl").exists(), "it ran after all"


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "SessionStart"])
def test_a_plugin_that_is_gone_disturbs_no_session(event, tmp_path):
    text = (HERE / "hooks.json").read_text().replace("$CLAUDE_PLUGIN_ROOT", f"{tmp_path}/gone")
    for command in commands(json.loads(text)["hooks"], event):
        done = started(command, tmp_path, event)

        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_plugin_registers_what_install_does() -> None:
    listed = json.loads((HERE / "hooks.json").read_text())["hooks"]
    ours = registration.entries(assess=True)

    def told(hooks: dict[str, Any]) -> list[tuple[Any, ...]]:
        return [
            # Codex takes at most 3 s for a SessionEnd and warns of more; of a plugin Claude Code takes none.
            (
                event,
                item.get("matcher"),
                hook["timeout"] * (event != "SessionEnd"),
                hook["statusMessage"],
            )
            for event, items in hooks.items()
            for item in items
            for hook in item["hooks"]
        ]

    assert told(listed) == told(ours)


def test_a_script_that_is_there_runs(tmp_path: Path) -> None:
    hooks = tmp_path / "a b/it's/café"
    hooks.parent.mkdir(parents=True)
    (hooks.parent / "src").symlink_to(ROOT / "src")
    hooks.symlink_to(HERE)

    (command,) = registered(tmp_path, "SessionStart", hooks)
    done = started(command, tmp_path, "SessionStart")

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "log.jsonl").read_text())["decision"] == "startup"


def test_what_the_script_is_told_reaches_it_and_its_2_the_host(tmp_path: Path) -> None:
    """`--wait` of the second entry, and the mark; 2 wakes the session."""
    (tmp_path / "assess.py").write_text("import sys\nprint(*sys.argv)\nsys.exit(2)\n")

    _, command = registered(tmp_path, "Stop", tmp_path)

    done = started(command, tmp_path, "Stop")
    assert done.stdout == f"{tmp_path / 'assess.py'} --wait ace-reflect\n"
    assert done.returncode == 2


@pytest.mark.parametrize("more", [("setsid",), ()], ids=["Linux", "macOS"])
def test_a_plugins_first_session_begins_to_make_its_environment(tmp_path, more):
    root, data, programs = tmp_path / "the plugin", tmp_path / "its data", tmp_path / "bin"
    for folder in (root / "hooks", data, programs):
        folder.mkdir(parents=True)
    shutil.copy(HERE / "plugin.sh", root / "hooks")
    closed = 'kill -HUP $$  # the terminal is closed\ntouch "$CLAUDE_PLUGIN_DATA/begun"\n'
    (root / "hooks" / "plugin_environment.sh").write_text(closed)
    (root / "pyproject.toml").write_text("")
    for name in ("sh", "cat", "cksum", "touch", *more):
        (programs / name).symlink_to(shutil.which(name) or "")
    environ = {"CLAUDE_PLUGIN_ROOT": str(root), "CLAUDE_PLUGIN_DATA": str(data)}

    environ["PATH"] = str(programs)
    done = ran(programs / "sh", root / "hooks" / "plugin.sh", "session_start", env=environ)

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["systemMessage"].startswith("ace-reflect: setting itself up")
    until = time.monotonic() + 10
    while not (data / "begun").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert (data / "begun").exists()


def _missing(root: Path, data: Path, what: str) -> None:
    plugin = root / "hooks" / "plugin.sh"
    if what == "script":
        for script in (root / "hooks").glob("*.py"):
            script.unlink()
    elif what == "package":
        shutil.rmtree(root / "src")
    elif what == "environment":
        shutil.rmtree(data / "environment")
    elif what == "half of plugin.sh":
        text = plugin.read_text()
        plugin.write_text(text[: text.index("made_for=")])
    else:
        plugin.unlink()
        os.mkfifo(plugin)


@pytest.mark.parametrize(
    "what", ["script", "package", "environment", "half of plugin.sh", "plugin.sh"]
)
def test_a_plugin_of_which_a_part_is_missing_drops_no_prompt_and_wakes_nobody(what, tmp_path):
    """Class: an upgrade cut short. With 2 the host drops the prompt, blocks the stop, or wakes the session."""
    root, data = tmp_path / "root", tmp_path / "data"
    shutil.copytree(HERE, root / "hooks")
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").touch()
    (data / "environment" / "bin").mkdir(parents=True)
    (data / "environment" / "bin" / "python").symlink_to(sys.executable)
    _missing(root, data, what)
    text = (HERE / "hooks.json").read_text().replace("$CLAUDE_PLUGIN_ROOT", str(root))
    environ = {"CLAUDE_PLUGIN_ROOT": str(root), "CLAUDE_PLUGIN_DATA": str(data)}
    hooks = json.loads(text)["hooks"]
    for command in (each for event in hooks for each in commands(hooks, event)):
        done = subprocess.run(
            command, input=b"{}", capture_output=True, timeout=30, check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **environ},
        )  # fmt: skip
        assert done.returncode == int(what in {"script", "package"})
        assert b"decision" not in done.stdout
