"""What is registered, by `install` or the plugin, run as the host runs it: also where the program is gone."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.install import registration
from conftest import ROOT

HERE = ROOT / "hooks"


def started(command: list[str], home: Path, event: str) -> subprocess.CompletedProcess[bytes]:
    payload = {"hook_event_name": event, "session_id": "s", "cwd": str(home), "source": "startup"}
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C"}
    return subprocess.run(
        command,
        input=json.dumps({**payload, "prompt": "fix it"}).encode(),
        capture_output=True,
        check=False,
        timeout=60,
        env={**environ, "ACE_REFLECT_HOME": str(home)},
    )


def commands(hooks: dict[str, Any], event: str) -> list[list[str]]:
    """Each command of the event with its arguments."""
    return [[hook["command"], *hook["args"]] for item in hooks[event] for hook in item["hooks"]]


def registered(hooks: Path, event: str) -> list[list[str]]:
    """What `install` has the host start for scripts in `hooks`."""
    found = registration.entries(sys.executable, str(hooks), assess=True, foreground=True)
    return commands(found, event)


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "SessionStart"])
def test_a_script_or_a_plugin_that_is_gone_blocks_neither_a_prompt_nor_a_stop(event, tmp_path):
    """Class: the interpreter is there, the script is not: a checkout moved or deleted, an upgrade cut short."""
    for command in registered(tmp_path / "a b/café", event):
        done = started(command, tmp_path, event)

        assert done.returncode == 1, "2 drops the prompt, 0 would hide it"
        assert done.stdout == b""
    text = (HERE / "hooks.json").read_text().replace("${CLAUDE_PLUGIN_ROOT}", f"{tmp_path}/gone")
    for command in commands(json.loads(text)["hooks"], event):
        done = started(command, tmp_path, event)

        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_script_that_is_there_runs(tmp_path: Path) -> None:
    hooks = tmp_path / "a b/café"
    hooks.parent.mkdir()
    (hooks.parent / "src").symlink_to(ROOT / "src")
    hooks.symlink_to(HERE)

    (command,) = registered(hooks, "SessionStart")
    done = started(command, tmp_path, "SessionStart")

    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads((tmp_path / "log.jsonl").read_text())["decision"] == "startup"


def test_what_the_script_is_told_reaches_it(tmp_path: Path) -> None:
    """`--wait` of the second entry, and the mark."""
    (tmp_path / "assess.py").write_text("import sys\nprint(__file__, *sys.argv[2:])\n")

    _, command = registered(tmp_path, "Stop")

    said = started(command, tmp_path, "Stop").stdout.decode()
    assert said == f"{tmp_path / 'assess.py'} --wait ace-reflect\n"


@pytest.mark.parametrize("more", [("setsid",), ()], ids=["Linux", "macOS"])
def test_a_plugins_first_session_begins_to_make_its_environment(tmp_path, more):
    root, data, programs = tmp_path / "the plugin", tmp_path / "its data", tmp_path / "bin"
    for folder in (root / "hooks", data, programs):
        folder.mkdir(parents=True)
    shutil.copy(HERE / "plugin.sh", root / "hooks")
    (root / "hooks" / "plugin_environment.sh").write_text(
        'kill -HUP $$  # the terminal is closed\ntouch "$CLAUDE_PLUGIN_DATA/begun"\n'
    )
    (root / "pyproject.toml").write_text("")
    for name in ("sh", "cat", "cksum", "touch", *more):
        (programs / name).symlink_to(shutil.which(name) or "")
    environ = {"CLAUDE_PLUGIN_ROOT": str(root), "CLAUDE_PLUGIN_DATA": str(data)}

    done = subprocess.run(
        [programs / "sh", root / "hooks" / "plugin.sh", "session_start"],
        env={"PATH": str(programs), **environ},
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    until = time.monotonic() + 10
    while not (data / "begun").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert (data / "begun").exists()
