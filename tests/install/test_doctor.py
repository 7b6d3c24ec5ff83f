"""doctor on machines as they are found: what is registered, whether it fits the configuration, and whether it works."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ace_reflect import paths
from ace_reflect.cli.install import doctor as command
from ace_reflect.install import registration
from ace_reflect.install.doctor import (
    Check,
    assess_entry,
    examine,
    failed_last,
    hook_checks,
    registered_commands,
)
from ace_reflect.install.settings_file import replace
from ace_reflect.state.db import open_state

MODEL = "models: [claude-code/sonnet]\n"
FOREGROUND = "assess: {mode: foreground}\n"
PLUGIN = {"enabledPlugins": {"ace-reflect@ace-reflect": True}}
AGAIN = "Run `ace-reflect install` again"
PUT = "Put `assess: {{mode: {}}}` into "
PROVED = {"proof: a bad stop is blocked": "ok", "proof: a good stop passes": "ok"}


class Person:
    """A home with settings, a plugin's environment and a configuration, and a checkout."""

    def __init__(self, root: Path, environ: dict[str, str]) -> None:
        self.home, self.project, self.environ = root / "home", root / "project", environ
        self.settings = self.home / ".claude" / "settings.json"
        self.own = self.settings.parent / "ace-reflect"
        self.data = self.settings.parent / "plugins" / "data" / "ace-reflect-ace-reflect"
        for folder in (self.own, self.project / ".claude", self.data / "environment" / "bin"):
            folder.mkdir(parents=True)
        (self.data / "environment" / "bin" / "python").touch()

    def configured(self, text: str, *, project: str = "") -> "Person":
        (self.own / "reflection.yaml").write_text(text)
        (self.project / ".claude" / "reflection.yaml").write_text(project)
        return self

    def registered(
        self, *, assess=False, foreground=False, hooks_dir="", local=False
    ) -> dict[str, Any]:
        """Register the hooks; what stands in the file, with the second Stop entry's own command last."""
        text = registration.launcher_text()
        if hooks_dir:
            text = text.replace(paths.data_dir("hooks"), hooks_dir)
        replace(registration.launcher(str(self.own)), text.encode())
        hooks = registration.entries(assess=assess, foreground=foreground)
        return self.write({"hooks": hooks}, local=local)

    def write(self, data: dict[str, Any], *, local: bool = False) -> dict[str, Any]:
        path = self.project / ".claude" / "settings.local.json" if local else self.settings
        path.write_text(json.dumps(data))
        return data

    def told(self) -> list[tuple[str, str, str]]:
        commands = registered_commands(str(self.project), self.environ)
        parts = (hook_checks, assess_entry)
        found = [one for part in parts for one in part(commands, str(self.project), self.environ)]
        return [(check.state, check.says, check.fix) for check in found if check.state != "ok"]

    def examined(self, name: str) -> list[Check]:
        found = examine(str(self.project), self.environ)
        return [check for check in found if check.name.startswith(name)]


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    environ = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    monkeypatch.setenv("HOME", environ["HOME"])
    return Person(tmp_path, environ).configured("")


# -- what is registered


@pytest.mark.parametrize(
    ("configured", "assess", "foreground", "state", "says", "fix"),
    [
        (MODEL, True, False, "", "", ""),
        (MODEL + FOREGROUND, True, True, "", "", ""),
        (MODEL + FOREGROUND, True, False, "wrong", "assess.mode is foreground (user: ", PUT.format("foreground")),
        (MODEL, True, True, "wrong", "assess.mode is background (default), but the hook that asks a model is registered otherwise", PUT.format("background")),
        (MODEL, False, False, "wrong", "a model is configured, but the hook that asks it is not registered", AGAIN),
        ("", True, False, "note", "no model is configured, but the hook that asks it is registered", AGAIN),
    ],
)  # fmt: skip
def test_the_assessments_entry_is_to_be_as_the_configuration_says(
    configured, assess, foreground, state, says, fix, person
):
    person.configured(configured).registered(assess=assess, foreground=foreground)

    told = person.told()

    assert [found for found, _, _ in told] == ([state] if state else [])
    assert all(said.startswith(says) and do.startswith(fix) for _, said, do in told)


def test_a_plugin_always_registers_the_background_and_needs_its_environment(person):
    person.write(PLUGIN)
    listed = json.loads((Path(paths.data_dir("hooks")) / "hooks.json").read_text())
    (second,) = listed["hooks"]["Stop"][1]["hooks"]
    assert (second["command"].rpartition(" ")[2], second["asyncRewake"]) == ("assess", True)

    assert person.configured(MODEL).told() == []
    assert person.configured("").told() == [], "its entry is there without a model, and silent"
    ((state, says, fix),) = person.configured(MODEL + FOREGROUND).told()

    assert state == "wrong"
    assert says.startswith("assess.mode is foreground")
    assert "`claude plugin uninstall ace-reflect@ace-reflect`" in fix

    shutil.rmtree(person.data / "environment")
    (person.data / "setup.log").write_text("Setting up …\ninstall.sh: needs Python 3.11\n")
    told = person.configured("").told()
    assert [state for state, _, _ in told] == ["wrong"]
    assert told[0][1].endswith("yet: install.sh: needs Python 3.11"), "the last line of its making"


def test_a_launcher_that_is_gone_and_a_second_registration_are_named(person: Person) -> None:
    person.registered(local=True)
    person.registered(hooks_dir="/moved away/hooks")
    launcher = person.own / "bin" / "ace-reflect-hook"

    told = person.told()
    checks = person.examined("proof")
    launcher.unlink()

    other = f"{launcher} starts another installation than this one"
    assert ("note", other, f"{AGAIN}.") in told
    assert "registered twice: local and user" in [says for _, says, _ in told]
    assert [check.state for check in checks] == ["wrong", "ok"]
    gone = f"the hooks start {launcher}, which is gone"
    assert ("wrong", gone, f"{AGAIN}.") in person.told()


def test_no_install_hooks_switched_off_and_a_file_that_the_host_does_not_read_are_found(person):
    (not_there,) = person.examined("hooks")
    assert (not_there.says, "ace-reflect install" in not_there.fix) == ("not registered", True)

    data = person.registered()
    person.write({**data, "disableAllHooks": True})
    assert "disableAllHooks" in " ".join(check.says for check in person.examined(""))

    person.write({**data, "permissions": {"allow": "Read"}})
    (check,) = person.examined("settings")
    assert (check.state, "`permissions.allow`: " in check.says) == ("wrong", True)
    person.settings.write_text(json.dumps(data) + "// mine")
    assert any("is not valid JSON" in check.says for check in person.examined(""))


def test_keys_that_the_host_keeps_from_hooks_and_a_missing_one_are_told(person: Person) -> None:
    person.configured("models: [anthropic/claude-sonnet-5]\n").registered(assess=True)
    (missing,) = person.examined("models")

    person.environ["ANTHROPIC_API_KEY"] = "sk-fake"
    data = person.registered(assess=True)
    person.write({**data, "env": {"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB": "1"}})
    (kept,) = person.examined("models")

    assert (missing.state, "ANTHROPIC_API_KEY" in missing.says) == ("wrong", True)
    assert (kept.state, "SUBPROCESS_ENV_SCRUB" in kept.says) == ("wrong", True)


# -- the proof


@pytest.mark.parametrize("older", [True, False])
def test_this_installation_is_proved_wherever_it_is_registered(older: bool, person: Person) -> None:
    """An earlier version registered the interpreter and the script."""
    data = person.registered(local=not older)
    if older:
        stop = os.path.join(paths.data_dir("hooks"), "stop.py")
        start = "import sys; __file__ = sys.argv[1]; exec(open(__file__).read())"
        for items in data["hooks"].values():
            args = ["-I", "-c", start, stop, "ace-reflect"]
            items[0]["hooks"][0] |= {"command": sys.executable, "args": args}
        person.write(data)

    assert {check.name: check.state for check in person.examined("proof")} == PROVED
    assert [check.state for check in person.examined("hooks")] == ["note" if older else "ok"]


def test_what_a_checkouts_settings_name_is_not_started_nor_shown_raw(person, tmp_path):
    """Entries that look like ours in a clone's settings.json: the host asks before it trusts them, doctor runs none."""
    proof, script, evil = tmp_path / "proof", tmp_path / "stop.py", tmp_path / "evil\x1b[2Ksh"
    script.write_text(f"open({str(proof)!r}, 'w')")
    evil.write_text(f"#!/bin/sh\ntouch {proof}\n")
    evil.chmod(0o755)
    entries = [
        {"type": "command", "command": sys.executable, "args": ["-I", str(script), "ace-reflect"]},
        {"type": "command", "command": str(evil), "args": ["-I", "/hooks/stop.py", "ace-reflect"]},
        {"type": "command", "command": str(evil), "args": ["ace-reflect"]},
        {"type": "command", "command": 7, "args": [None, {}, "ace-reflect"]},
        {"args": ["-c", f"touch {proof} #/stop.py", "ace-reflect"], "command": "/bin/sh"},
        {"args": ["a", "b", "ace-reflect"]},
        {"type": "command", "command": f"sh -c 'touch {proof} ace-reflect"},
        {"type": "command", "command": f"sh -c 'touch {proof}' stop ace-reflect"},
    ]
    hooks = {event: [{"hooks": entries}] for event in registration.EVENTS}
    (person.project / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))

    (check,) = person.examined("proof")
    said = CliRunner().invoke(command, ["--project", str(person.project)], catch_exceptions=False)

    assert not proof.exists()
    assert "which is not this installation" in check.says
    assert "\x1b" not in said.output


# -- the rest of the machine


@pytest.mark.parametrize("text", ["colour: red\n", "models: [foo\n"])
def test_a_broken_configuration_is_told_once_and_under_its_own_name(person, text):
    person.configured(text).registered()

    checks = examine(str(person.project), person.environ)

    (told,) = [check for check in checks if "reflection.yaml" in check.says]
    assert (told.name, told.state) == ("configuration", "wrong")
    assert ("hooks", "ok") in {(check.name, check.state) for check in checks}


def test_playbooks_that_cannot_be_read_whole_are_named_and_stay(person: Person) -> None:
    broken, odd = person.project / ".claude" / "playbook.json", person.own / "playbook.json"
    broken.write_text("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n")
    odd.write_text('{"sections": {"OTHERS": [{"name": "oth-001"}]}}')

    told = person.examined("playbook")

    assert [check.state for check in told] == ["wrong", "wrong"]
    assert told[0].says.startswith(f"{broken}:1 is no playbook")
    assert told[1].says == f"{odd}: oth-001 in OTHERS cannot be read: it has no text"
    assert broken.read_text().startswith("<<<<<<< HEAD")


@pytest.mark.parametrize("how", ["newer", "no folder"])
def test_a_state_that_cannot_be_used_is_told_once_with_what_to_do(how, person, tmp_path):
    if how == "newer":
        with open_state(str(person.own)) as state:
            state.run("PRAGMA user_version = 9999")
    else:
        (tmp_path / "a-file").write_text("")
        person.environ["ACE_REFLECT_HOME"] = str(tmp_path / "a-file" / "home")

    checks = examine(str(person.project), person.environ)

    (told,) = [check for check in checks if "state.db" in check.says]
    assert (told.name, told.state) == ("state", "wrong")
    way_out = "update ace-reflect" if how == "newer" else "fix that, or name another folder"
    assert way_out in told.says


BROKEN = {"error": "ImportError", "message": "No module named 'yaml'", "where": "config.py:18"}


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([("SessionStart", BROKEN), ("Stop", {}), ("Stop", BROKEN)], "SessionStart, Stop failed when last run (14:29): ImportError No module named 'yaml' config.py:18"),
        ([("Stop", {"error": "KeyError", "where": "a.py:8"})], "Stop failed when last run (14:29): KeyError a.py:8"),
        ([("Stop", BROKEN), ("Stop", {"decision": "allow"}), ("learn", BROKEN)], ""),
        ([], ""),
    ],
)  # fmt: skip
def test_hooks_that_failed_when_last_run_are_told_in_one_line(rows, says, tmp_path):
    """A hook that fails lets the session go on: doctor is where a person hears of it."""
    lines = [json.dumps({"at": "14:29", "event": event, **facts}) for event, facts in rows]
    (tmp_path / "log.jsonl").write_text("\n".join(['{"at": "20', "[1]", *lines]))

    found = failed_last({"ACE_REFLECT_HOME": str(tmp_path)})

    assert [(check.state, check.says) for check in found] == ([("note", says)] if says else [])
