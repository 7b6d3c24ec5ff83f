"""What is registered outlives what it starts: then the host must not be told to block, which is what exit code 2 says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ace_reflect.install import registration
from conftest import ROOT

HERE = ROOT / "hooks"


def started(command: list[str], home: Path, event: str) -> subprocess.CompletedProcess[bytes]:
    """Run a registered command as the host does."""
    payload = {
        "hook_event_name": event,
        "session_id": "s",
        "cwd": str(home),
        "prompt": "fix it",
        "source": "startup",
    }
    return subprocess.run(
        command,
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=False,
        timeout=60,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LC_ALL": "C",
            "ACE_REFLECT_HOME": str(home),
        },
    )


def registered(hooks: Path) -> dict[str, list[list[str]]]:
    """By event, what `install` has the host start for scripts in `hooks`."""
    found = registration.entries(sys.executable, str(hooks), assess=True, foreground=True)
    return {
        event: [
            [command["command"], *command["args"]] for item in items for command in item["hooks"]
        ]
        for event, items in found.items()
    }


def by_the_plugin(root: Path) -> dict[str, list[list[str]]]:
    listed = json.loads((HERE / "hooks.json").read_text())["hooks"]
    return {
        event: [
            [
                command["command"],
                *(part.replace("${CLAUDE_PLUGIN_ROOT}", str(root)) for part in command["args"]),
            ]
            for item in items
            for command in item["hooks"]
        ]
        for event, items in listed.items()
    }


@pytest.mark.parametrize("place", ["moved", "a b/café"])
@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "SessionStart"])
def test_a_script_that_is_gone_blocks_neither_a_prompt_nor_a_stop(
    event: str, place: str, tmp_path: Path
) -> None:
    """Class: the interpreter is there, the script is not: a checkout moved or deleted, an upgrade cut short."""
    for command in registered(tmp_path / place)[event]:
        done = started(command, tmp_path, event)

        assert done.returncode == 1, "2 drops the prompt, 0 would hide it"
        assert done.stdout == b""


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "SessionStart"])
def test_a_plugin_whose_folder_is_gone_is_silent(event: str, tmp_path: Path) -> None:
    for command in by_the_plugin(tmp_path / "gone")[event]:
        done = started(command, tmp_path, event)

        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_plugin_that_is_there_is_still_started_with_its_hook(tmp_path: Path) -> None:
    (tmp_path / "a b" / "hooks").mkdir(parents=True)
    (tmp_path / "a b" / "hooks" / "plugin.sh").write_text('echo "$1"')

    (command,) = by_the_plugin(tmp_path / "a b")["UserPromptSubmit"]

    assert started(command, tmp_path, "UserPromptSubmit").stdout == b"user_prompt_submit\n"


@pytest.mark.parametrize("place", ["hooks", "a b/café"])
def test_a_script_that_is_there_runs_as_before(place: str, tmp_path: Path) -> None:
    hooks = tmp_path / place
    hooks.parent.mkdir(parents=True, exist_ok=True)
    (hooks.parent / "src").symlink_to(ROOT / "src")
    hooks.symlink_to(HERE)

    (command,) = registered(hooks)["SessionStart"]
    done = started(command, tmp_path, "SessionStart")

    assert (done.returncode, done.stderr) == (0, b"")
    assert [
        json.loads(line)["decision"] for line in (tmp_path / "log.jsonl").read_text().splitlines()
    ] == ["startup"]


def test_what_the_script_is_told_reaches_it(tmp_path: Path) -> None:
    """`--wait` of the second entry, and the mark."""
    (tmp_path / "assess.py").write_text("import sys\nprint(__file__, *sys.argv[2:])\n")

    _, command = registered(tmp_path)["Stop"]

    assert (
        started(command, tmp_path, "Stop").stdout.decode()
        == f"{tmp_path / 'assess.py'} --wait ace-reflect\n"
    )
