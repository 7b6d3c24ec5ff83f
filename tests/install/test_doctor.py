"""doctor on settings files as they are found: what is registered, and whether it fits the configuration."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ace_reflect import paths
from ace_reflect.cli.doctor import doctor as command
from ace_reflect.config_yaml import content_hash
from ace_reflect.install import registration
from ace_reflect.install.doctor import examine
from ace_reflect.install.hook_checks import hook_checks, registered_commands
from ace_reflect.install.proof import is_slow
from ace_reflect.state import trust
from ace_reflect.state.db import open_state

MODEL = "models: [claude-code/sonnet]\n"
FOREGROUND = "assess: {mode: foreground}\n"
PLUGIN = {"enabledPlugins": {"ace-reflect@ace-reflect": True}}


class Person:
    """A home with settings and a configuration, and a checkout."""

    def __init__(self, root: Path, environ: dict[str, str]) -> None:
        self.home, self.project, self.environ = root / "home", root / "project", environ
        self.settings = self.home / ".claude" / "settings.json"
        for folder in (self.settings.parent / "ace-reflect", self.project / ".claude"):
            folder.mkdir(parents=True)
        data = (
            self.settings.parent
            / "plugins"
            / "data"
            / "ace-reflect-ace-reflect"
            / "environment"
            / "bin"
        )
        data.mkdir(parents=True)
        (data / "python").touch()

    def configured(self, text: str, *, project: str = "") -> "Person":
        (self.settings.parent / "ace-reflect" / "reflection.yaml").write_text(text)
        (self.project / ".claude" / "reflection.yaml").write_text(project)
        return self

    def registered(self, *, assess: bool = True, foreground: bool = False, **more: Any) -> "Person":
        hooks = registration.entries(
            sys.executable, paths.data_dir("hooks"), assess=assess, foreground=foreground
        )
        self.settings.write_text(json.dumps({"hooks": hooks, **more}))
        return self

    def told(self) -> list[tuple[str, str, str]]:
        commands = registered_commands(str(self.project), self.environ)
        found = hook_checks(commands, str(self.project), self.environ)
        return [(check.state, check.says, check.fix) for check in found if check.state != "ok"]


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    environ = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    monkeypatch.setenv("HOME", environ["HOME"])
    return Person(tmp_path, environ)


@pytest.mark.parametrize("foreground", [False, True])
def test_an_assessment_that_runs_as_it_was_asked_for_is_not_spoken_of(
    foreground: bool, person: Person
) -> None:
    person.configured(MODEL + (FOREGROUND if foreground else "")).registered(foreground=foreground)

    assert person.told() == []


def test_a_mode_that_was_changed_after_the_install_is_told_with_what_to_do(person: Person) -> None:
    person.configured(MODEL + FOREGROUND).registered()

    ((state, says, fix),) = person.told()

    assert state == "wrong"
    assert says.startswith(
        "the assessment runs beside your work (asyncRewake), but assess.mode is foreground (user: "
    )
    assert fix == "Run `ace-reflect install` again: it registers the entry as assess.mode says."


def test_an_entry_that_waits_though_nobody_asked_it_to_is_told(person: Person) -> None:
    person.configured(MODEL).registered(foreground=True)

    ((state, says, fix),) = person.told()

    assert (state, "ace-reflect install" in fix) == ("wrong", True)
    assert (
        says
        == "the assessment runs while you wait (no asyncRewake), but assess.mode is background (default)"
    )


def test_what_a_project_asks_for_cannot_be_registered_by_installing_again(person: Person) -> None:
    person.configured(MODEL, project=FOREGROUND).registered()
    assert person.told() == [], "it waits for trust, and is not in force"
    file = str(person.project / ".claude" / "reflection.yaml")
    with open_state(paths.home(person.environ)) as state:
        trust.trust(state, file, content_hash(file) or "")

    ((_, says, fix),) = person.told()

    assert "assess.mode is foreground (project: " in says
    assert fix.startswith(
        f"Put `assess: {{mode: foreground}}` into {paths.home(person.environ)}/reflection.yaml"
    )
    assert "or take it out of the project's file" in fix


@pytest.mark.parametrize("both", [True, False])
def test_an_entry_whose_two_marks_contradict_each_other_is_told(both: bool, person: Person) -> None:
    person.configured(MODEL).registered(foreground=not both)
    data = json.loads(person.settings.read_text())
    (hook,) = data["hooks"]["Stop"][1]["hooks"]
    hook["args"] = [part for part in hook["args"] if part != "--wait"]
    if both:
        hook["args"].insert(-1, "--wait")
    person.settings.write_text(json.dumps(data))

    ((state, says, fix),) = person.told()

    assert state == "wrong"
    assert "asyncRewake and --wait exclude each other" in says
    assert "ace-reflect install" in fix


def test_a_plugin_always_registers_the_background(person: Person) -> None:
    person.settings.write_text(json.dumps(PLUGIN))

    assert person.configured(MODEL).told() == []
    assert person.configured("").told() == [], "its entry is there without a model, and silent"
    ((state, says, fix),) = person.configured(MODEL + FOREGROUND).told()

    assert state == "wrong"
    assert (
        "but the plugin ace-reflect@ace-reflect registers the assessment for the background" in says
    )
    assert fix.startswith("Take that line out, or register by `ace-reflect install`")


def test_the_plugins_hooks_are_as_doctor_says_they_are() -> None:
    data = json.loads((Path(paths.data_dir("hooks")) / "hooks.json").read_text())
    second = data["hooks"]["Stop"][1]["hooks"][0]

    assert second["args"][-1] == "assess"
    assert second["asyncRewake"] is True
    assert "--wait" not in second["args"]


def test_a_model_without_the_second_entry_and_an_entry_without_a_model_are_told(
    person: Person,
) -> None:
    missing = person.configured(MODEL).registered(assess=False).told()
    idle = person.configured("").registered().told()

    assert [(state, says) for state, says, _ in missing] == [
        ("wrong", "a model is configured, but the hook that asks it is not registered")
    ]
    assert [(state, says) for state, says, _ in idle] == [
        ("note", "the hook that asks a model is registered, but no model is configured")
    ]


def test_what_a_checkouts_settings_name_is_not_started_and_cannot_move_the_terminal(
    person: Person, tmp_path: Path
) -> None:
    """Entries that look like ours in a clone's settings.json: the host asks before it trusts them, doctor runs none."""
    proof = tmp_path / "proof"
    script = tmp_path / "stop.py"
    script.write_text(f"open({str(proof)!r}, 'w')")
    evil = tmp_path / "evil\x1b[2Ksh"
    evil.write_text(f"#!/bin/sh\ntouch {proof}\n")
    evil.chmod(0o755)
    entries = [
        {"type": "command", "command": sys.executable, "args": ["-I", str(script), "ace-reflect"]},
        {"type": "command", "command": str(evil), "args": ["-I", "/hooks/stop.py", "ace-reflect"]},
        {"type": "command", "command": str(evil), "args": ["ace-reflect"]},
        {"type": "command", "command": 7, "args": [None, {}, "ace-reflect"]},
        {"args": ["-c", f"touch {proof} #/stop.py", "ace-reflect"], "command": "/bin/sh"},
        {"args": ["a", "b", "ace-reflect"]},
    ]
    hooks = {event: [{"hooks": entries}] for event in registration.EVENTS}
    (person.project / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))
    person.configured("")

    found = examine(str(person.project), person.environ)
    said = CliRunner().invoke(command, ["--project", str(person.project)], catch_exceptions=False)

    assert not proof.exists()
    (proof_check,) = [check for check in found if check.name == "proof"]
    assert "which is not this installation" in proof_check.says
    assert "\x1b" not in said.output


def test_this_installation_is_tried_wherever_it_is_registered(person: Person) -> None:
    hooks = registration.entries(
        os.path.abspath(sys.executable), paths.data_dir("hooks"), assess=False
    )
    (person.project / ".claude" / "settings.local.json").write_text(json.dumps({"hooks": hooks}))

    found = {check.name: check.state for check in examine(str(person.project), person.environ)}

    assert found["proof: a bad stop is blocked"] == found["proof: a good stop passes"] == "ok"


def test_what_an_earlier_version_registered_is_examined_like_todays(person: Person) -> None:
    """It named the script without the `-c` before it."""
    hooks = registration.entries(
        os.path.abspath(sys.executable), paths.data_dir("hooks"), assess=False
    )
    for items in hooks.values():
        del items[0]["hooks"][0]["args"][1:3]
    (person.project / ".claude" / "settings.local.json").write_text(json.dumps({"hooks": hooks}))
    person.configured("")

    found = examine(str(person.project), person.environ)

    assert {check.name: check.state for check in found if check.name.startswith("proof")} == {
        "proof: a bad stop is blocked": "ok",
        "proof: a good stop passes": "ok",
    }
    assert [check.state for check in found if check.name == "hooks"] == ["ok"]


def test_a_script_that_is_gone_is_named(person: Person) -> None:
    hooks = registration.entries(os.path.abspath(sys.executable), "/moved away/hooks", assess=False)
    person.configured("").settings.write_text(json.dumps({"hooks": hooks}))

    assert (
        "wrong",
        "Stop (user) starts /moved away/hooks/stop.py, which is gone",
        "Run `ace-reflect install` again.",
    ) in person.told()


def test_in_the_home_directory_the_one_settings_file_is_one_registration(person: Person) -> None:
    person.configured("").registered(assess=False)
    home = str(person.home)

    commands = registered_commands(home, person.environ)

    assert {command.source for command in commands} == {"user"}
    assert [check.state for check in hook_checks(commands, home, person.environ)] == ["ok"]


def test_a_model_whose_provider_nobody_knows_is_named_once(person: Person) -> None:
    person.configured("models: [nobody/x]\n").registered()

    (told,) = [
        check for check in examine(str(person.project), person.environ) if check.name == "models"
    ]

    assert told.says.startswith("nobody/x: no provider is called 'nobody'. Name its address under")


@pytest.mark.parametrize("content", ["{", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n"])
def test_a_playbook_that_cannot_be_read_is_wrong_and_is_not_moved(
    person: Person, content: str
) -> None:
    path = person.project / ".claude" / "playbook.json"
    path.write_text(content)

    for _ in range(2):
        (told,) = [
            check
            for check in examine(str(person.project), person.environ)
            if check.name == "playbook"
        ]
        assert (told.state, told.says.startswith(f"{path}:1 is no playbook")) == ("wrong", True)

    assert [file.read_text() for file in path.parent.glob("playbook*")] == [content]


def test_a_playbook_set_aside_and_an_entry_that_cannot_be_read_are_named(person: Person) -> None:
    path = person.project / ".claude" / "playbook.json"
    path.write_text('{"sections": {"OTHERS": [{"name": "oth-001"}]}}')
    path.with_name("playbook.json.unreadable-2026").write_text("{")

    told = [
        check for check in examine(str(person.project), person.environ) if check.name == "playbook"
    ]

    assert [(check.state, check.says.partition(".claude/")[2]) for check in told] == [
        ("wrong", "playbook.json: oth-001 in OTHERS cannot be read: it has no text"),
        ("note", "playbook.json.unreadable-2026 was set aside, for it was no playbook"),
    ]


@pytest.mark.parametrize(
    "text", ["colour: red\n", "max_attempts: many\n", "models: [foo\n", "a: b: c\n"]
)
def test_a_broken_configuration_is_told_once_and_under_its_own_name(
    person: Person, text: str
) -> None:
    person.configured(text).registered(assess=False)

    checks = examine(str(person.project), person.environ)

    (told,) = [check for check in checks if "reflection.yaml" in check.says]
    assert (told.name, told.state) == ("configuration", "wrong")
    assert "doctor" not in {check.name for check in checks}
    assert ("hooks", "ok") in {(check.name, check.state) for check in checks}


def test_a_state_that_is_newer_is_told_once(person: Person) -> None:
    home = person.settings.parent / "ace-reflect"
    with open_state(str(home)) as state:
        state.run("PRAGMA user_version = 9999")

    told = [
        check.name
        for check in examine(str(person.project), person.environ)
        if "newer" in check.says
    ]

    assert told == ["state"]


@pytest.mark.parametrize(
    ("event", "took_s", "bare_s", "slow"),
    [
        ("Stop", 0.204, 0.020, False),  # a busy machine
        ("Stop", 0.150, 0.020, False),
        ("Stop", 0.9, 0.100, False),  # a slow machine, nine times
        ("Stop", 0.6, 0.020, True),
        ("UserPromptSubmit", 0.045, 0.020, False),
        ("UserPromptSubmit", 0.2, 0.020, False),  # ten times, and nobody notices
        ("UserPromptSubmit", 0.5, 0.020, True),
    ],
)
def test_only_a_hook_out_of_all_proportion_is_called_slow(event, took_s, bare_s, slow) -> None:
    assert is_slow(event, took_s, bare_s) is slow


def test_measuring_leaves_nothing_behind(person: Person) -> None:
    person.configured("").registered(assess=False)
    home = person.settings.parent / "ace-reflect"

    checks = examine(str(person.project), person.environ)

    assert [check.state for check in checks if check.name == "speed"] == ["ok"]
    assert not [name for name in os.listdir(home) if "doctor" in name]


def test_a_home_that_cannot_be_is_answered_with_the_variable_that_names_another(tmp_path):
    (tmp_path / "a-file").write_text("")
    person = Person(tmp_path, {})
    person.environ.update(HOME=str(person.home), ACE_REFLECT_HOME=str(tmp_path / "a-file" / "home"))

    (found,) = [
        check
        for check in examine(str(person.project), person.environ)
        if "cannot be made" in check.says or check.name == "state"
    ]

    assert found.fix == "Mend that folder, or name another one in ACE_REFLECT_HOME."
    assert "ACE_REFLECT_HOME" not in found.says, "said once"


def test_where_the_plugin_starts_this_program_its_two_paths_are_proved(tmp_path):
    person = Person(tmp_path, {})
    person.environ.update(HOME=str(person.home), PATH=os.environ["PATH"])
    person.settings.write_text(json.dumps(PLUGIN))
    place = person.settings.parent / "plugins" / "data" / "ace-reflect-ace-reflect" / "environment"

    others = {check.name for check in examine(str(person.project), person.environ)}
    shutil.rmtree(place)
    place.symlink_to(sys.prefix)
    own = {check.name: check.state for check in examine(str(person.project), person.environ)}

    assert not any(name.startswith("proof") for name in others), (
        "another program's hooks are not ours to start"
    )
    assert (own["proof: a bad stop is blocked"], own["proof: a good stop passes"]) == ("ok", "ok")
