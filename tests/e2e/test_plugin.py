"""Installed as a plugin, from a marketplace in a folder, offline; and both ways at once."""

import json
import subprocess
from pathlib import Path

import pytest

from support.claude_code import ROOT, ClaudeCode, edit, eventually

NAME = "ace-reflect@ace-reflect"
pytestmark = pytest.mark.timeout(300)  # the environment's packages are fetched anew


def claude(host: ClaudeCode, *arguments: str) -> str:
    done = subprocess.run(
        [host.command, *arguments],
        cwd=host.project,
        env=host.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def plugged(host: ClaudeCode) -> ClaudeCode:
    claude(host, "plugin", "marketplace", "add", str(ROOT))
    claude(host, "plugin", "install", NAME)
    return host


def data(host: ClaudeCode) -> Path:
    return host.home / ".claude/plugins/data/ace-reflect-ace-reflect"


def with_environment(host: ClaudeCode) -> None:
    """A first session, which makes the environment in the background and is otherwise left alone."""
    host.api.enqueue("Hello.")
    host.prompt("Fix it")
    eventually(
        (data(host) / "environment" / "bin" / "python").exists,
        within_s=180,
        says="the environment stands",
    )


def test_the_plugin_is_valid_and_has_nothing_the_directory_refuses(host):
    said = claude(host, "plugin", "validate", str(ROOT))

    assert "Validation passed" in said
    assert "refuses" not in said


def test_a_plugin_is_silent_until_its_environment_stands_and_then_works(plugged):
    host = plugged
    host.api.enqueue(*edit(host), "Slugs fold case now.")
    host.prompt("make slugs fold case")
    assert host.blocks() == []
    assert not (host.ace_home / "state.db").exists()

    eventually((data(host) / "environment" / "bin" / "python").exists, within_s=180)
    host.api.enqueue(
        *edit(host, "title.casefold()", "title.strip().casefold()"),
        "Slugs are stripped now.",
        "Still nothing.",
        "No.",
    )
    host.prompt("make slugs strip spaces")

    assert any("slugs.py" in message for message in host.blocks())
    ended = [entry for entry in host.log() if entry["event"] == "SessionEnd"]
    assert ended
    assert all(entry["ms"] < 1500 for entry in ended)


def test_its_commands_run_the_programs_own_page(plugged):
    host = plugged
    with_environment(host)
    host.api.enqueue("Shown.")

    host.prompt("/ace-reflect:playbook")

    (asked,) = [text for text in host.asked() if "Show me the page above" in text]
    assert "this is a bug" not in asked
    assert (
        "ace-reflect:" not in asked.split("Show me the page above")[0].rpartition("command-name")[2]
    )


def test_installed_both_ways_an_event_is_answered_once_and_doctor_says_so(plugged):
    host = plugged
    with_environment(host)
    host.install()
    host.api.enqueue(*edit(host), "Slugs fold case now.", "Still.", "Done.")

    host.prompt("make slugs fold case")

    assert len(host.blocks()) == len(set(host.blocks())) == 2
    checks = json.loads(host.ace("doctor", "--json", check=False).stdout)["checks"]
    assert any("registered twice" in check["says"] for check in checks), checks
