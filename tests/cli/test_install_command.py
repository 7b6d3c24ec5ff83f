"""install and uninstall as a person runs them, on real files."""

import json
import os
import pty
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from ace_reflect.cli.install import install, uninstall
from ace_reflect.errors import ConfigError
from ace_reflect.install.registration import EVENTS, registered


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return tmp_path / ".claude" / "settings.json"


def run(command, *arguments: str, **kwargs):
    return CliRunner().invoke(command, list(arguments), catch_exceptions=False, **kwargs)


def test_a_first_install_registers_every_event_offline_and_shows_the_change(settings):
    result = run(install, "--yes")

    found = registered(json.loads(settings.read_text()))
    assert result.exit_code == 0
    assert set(found) == set(EVENTS)
    assert len(found["Stop"]) == 1
    assert '+            "statusMessage": "Checking that it is done"' in result.output
    assert not (settings.parent / "ace-reflect" / "reflection.yaml").exists()
    assert all(os.path.isabs(entry[0]["hooks"][0]["command"]) for entry in found.values())


def test_naming_a_model_registers_the_assessment_and_writes_the_configuration(settings):
    run(install, "--yes", "--models", "claude-code/sonnet", "--workflow", "local")
    again = run(install, "--yes")

    assert len(registered(json.loads(settings.read_text()))["Stop"]) == 2
    assert (
        settings.parent / "ace-reflect" / "reflection.yaml"
    ).read_text() == "models: [claude-code/sonnet]\nworkflow: local\n"
    assert "nothing to change" in again.output


def test_going_back_offline_takes_the_assessment_out_again(settings):
    run(install, "--yes", "--models", "claude-code/sonnet")
    run(install, "--yes", "--models", "none")

    assert len(registered(json.loads(settings.read_text()))["Stop"]) == 1
    assert (settings.parent / "ace-reflect" / "reflection.yaml").read_text() == "models: []\n"


def test_settings_that_are_broken_are_refused_and_left_alone(settings):
    settings.parent.mkdir()
    settings.write_text('{"a": 1,}')

    with pytest.raises(ConfigError, match=r"settings\.json:1"):
        run(install, "--yes")

    assert settings.read_text() == '{"a": 1,}'


def test_a_dry_run_changes_nothing(settings):
    result = run(install, "--yes", "--dry-run")

    assert result.exit_code == 0
    assert not settings.exists()


@pytest.mark.parametrize("flag", ["--yes", "-y"])
def test_uninstall_takes_the_flag_of_a_script_and_asks_nothing_without_it_either(settings, flag):
    run(install, "--yes")
    run(uninstall, flag, "--dry-run")
    assert settings.exists()

    result = run(uninstall, flag)

    assert result.exit_code == 0
    assert not settings.exists()
    assert run(uninstall).exit_code == 0


def test_uninstall_leaves_no_trace(settings):
    run(install, "--yes")
    run(uninstall)
    assert not settings.exists()

    settings.write_text('{"model":"opus"}')
    run(install, "--yes")
    result = run(uninstall)
    assert settings.read_text() == '{"model":"opus"}'
    assert [path.name for path in settings.parent.glob("settings*")] == ["settings.json"]
    assert "What was learned stays" in result.output


@pytest.mark.parametrize(
    "text", [None, "{}", '{"model":"opus"}', '{"hooks": {"Stop": [{"hooks": []}]}}\n']
)
@pytest.mark.parametrize("first", [("--dry-run",), ()], ids=["tried before", "at once"])
def test_what_uninstall_shows_is_what_becomes_of_the_file(settings, text, first):
    if text is not None:
        settings.parent.mkdir()
        settings.write_text(text)
    run(install, "--yes")
    before = settings.read_text().splitlines()

    shown = run(uninstall, *first).output.splitlines()
    run(uninstall)

    after = settings.read_text().splitlines() if settings.exists() else []
    assert {line[1:] for line in shown if line[:1] == "+" and line[:3] != "+++"} == set(
        after
    ) - set(before)
    assert {line[1:] for line in shown if line[:1] == "-" and line[:3] != "---"} >= set(
        before
    ) - set(after)


@pytest.mark.parametrize(
    "before", ['{"model":   "opus", "hooks": {"Stop": []}}', '{\n\t"a": 1\n}', None]
)
@pytest.mark.parametrize("second", ["another model", "another place"])
def test_an_install_that_registers_something_else_than_the_one_before_leaves_no_trace_either(
    settings, before, second
):
    """What is given back is the file from before the first of them."""
    settings.parent.mkdir()
    if before is not None:
        settings.write_text(before)
    run(
        install, "--yes", *(["--models", "claude-code/sonnet"] if second == "another model" else [])
    )
    if second == "another place":
        settings.write_text(settings.read_text().replace(sys.executable, "/opt/old/bin/python"))
    run(install, "--yes", "--models", "none")
    run(uninstall)

    assert (settings.read_text() if settings.exists() else None) == before
    assert {item.name for item in settings.parent.iterdir()} <= {"settings.json", "ace-reflect"}


def test_what_was_changed_between_two_installs_stays(settings):
    settings.parent.mkdir()
    settings.write_text('{"model":   "opus"}')
    run(install, "--yes", "--models", "claude-code/sonnet")
    settings.write_text(settings.read_text().replace("opus", "haiku"))
    run(install, "--yes", "--models", "none")
    run(uninstall)

    assert json.loads(settings.read_text()) == {"model": "haiku"}
    assert {item.name for item in settings.parent.iterdir()} == {"settings.json", "ace-reflect"}


def test_where_the_settings_cannot_be_written_no_copy_is_left(settings, monkeypatch):
    """As in a container into which only the file itself is mounted."""
    settings.parent.mkdir()
    settings.write_text("{}")
    replace = os.replace

    def mounted(source, target):
        if target == str(settings):
            raise OSError(16, "Device or resource busy")
        replace(source, target)

    monkeypatch.setattr(os, "replace", mounted)
    with pytest.raises(ConfigError, match="could not be written"):
        run(install, "--yes")

    assert [item.name for item in settings.parent.iterdir()] == ["settings.json"]


def test_uninstall_after_others_changed_the_file_leaves_no_copy_either(settings):
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}\n')
    run(install, "--yes")
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "theme": "dark"}))

    run(uninstall)

    assert json.loads(settings.read_text()) == {"model": "opus", "theme": "dark"}
    assert [path.name for path in settings.parent.glob("settings*")] == ["settings.json"]


@pytest.mark.parametrize("models", ["foo", "claude-code/sonnet,gpt 5", "nobody/x"])
def test_a_model_that_cannot_be_leaves_nothing_behind(settings, models):
    with pytest.raises(ConfigError):
        run(install, "--yes", "--models", models)

    assert list(settings.parent.parent.iterdir()) == []


@pytest.mark.parametrize("broken", ["max_attempts: many\n", "colour: red\n", "models: [foo\n"])
def test_a_configuration_that_is_broken_elsewhere_is_named_before_anything_is_registered(
    settings, broken
):
    home = settings.parent / "ace-reflect"
    home.mkdir(parents=True)
    (home / "reflection.yaml").write_text(broken)

    with pytest.raises(ConfigError, match=r"reflection\.yaml:\d"):
        run(install, "--yes", "--models", "claude-code/sonnet")

    assert not settings.exists()


def test_a_project_configuration_that_is_broken_is_named_before_its_hooks_are_registered(
    settings, tmp_path
):
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "reflection.yaml").write_text("gates: {tests: never}\n")

    with pytest.raises(ConfigError, match=r"reflection\.yaml:1"):
        run(install, "--yes", "--scope", "project", "--project", str(project))

    assert os.listdir(project / ".claude") == ["reflection.yaml"]


@pytest.mark.parametrize("models", ["none", "claude-code/sonnet"])
def test_a_broken_model_in_the_configuration_is_replaced(settings, models):
    home = settings.parent / "ace-reflect"
    home.mkdir(parents=True)
    (home / "reflection.yaml").write_text("max_attempts: 2\nmodels:\n  - foo\n")

    run(install, "--yes", "--models", models)

    written = "[]" if models == "none" else f"[{models}]"
    assert (home / "reflection.yaml").read_text() == f"max_attempts: 2\nmodels: {written}\n"


def test_in_the_home_directory_the_one_settings_file_is_one_registration(settings, monkeypatch):
    monkeypatch.chdir(settings.parent.parent)
    run(install, "--yes")

    again = run(install, "--yes", "--project", str(settings.parent.parent))
    as_project = run(
        install, "--yes", "--scope", "project", "--project", str(settings.parent.parent)
    )

    assert "registered in" not in again.output + as_project.output


def test_a_link_to_the_users_settings_is_no_second_registration(settings, tmp_path):
    run(install, "--yes")
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    (tmp_path / "project" / ".claude" / "settings.json").symlink_to(settings)

    again = run(install, "--yes", "--project", str(tmp_path / "project"))

    assert "registered in" not in again.output


def test_each_scope_has_its_own_file(settings, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    run(install, "--yes", "--scope", "local", "--project", str(project))
    both = run(install, "--yes", "--scope", "user", "--project", str(project))

    assert registered(json.loads((project / ".claude" / "settings.local.json").read_text()))
    assert "answered once" in both.output


def test_answers_keep_the_other_lines_of_a_hand_kept_configuration(settings):
    home = settings.parent / "ace-reflect"
    home.mkdir(parents=True)
    (home / "reflection.yaml").write_text("# mine\nmax_attempts: 2\nworkflow: auto  # for now\n")

    run(install, "--yes", "--workflow", "local")

    assert (home / "reflection.yaml").read_text() == "# mine\nmax_attempts: 2\nworkflow: local\n"


def test_json_is_one_object_and_asks_nothing(settings):
    result = run(install, "--json")

    assert json.loads(result.stdout)["changed"] is True


def test_uninstall_that_finds_nothing_says_so_and_claims_nothing(settings):
    result = run(uninstall)

    assert result.exit_code == 0
    assert "nothing to change" in result.output
    assert "Taken out" not in result.output


def test_uninstall_names_where_the_hooks_go_on_working(settings, tmp_path):
    (tmp_path / "p").mkdir()
    installed = run(install, "--yes", "--scope", "local", "--project", str(tmp_path / "p"))

    result = run(uninstall, "--project", str(tmp_path / "p"))
    there = run(uninstall, "--project", str(tmp_path / "p"), "--scope", "local")

    assert "`ace-reflect uninstall --scope local` takes it out" in installed.output
    assert "still registered in" in result.output
    assert "`ace-reflect uninstall --scope local` takes those out" in result.output
    assert "still registered" not in there.output
    assert "Taken out." in there.output


def test_a_list_that_is_none_is_named_with_its_file(settings):
    settings.parent.mkdir()
    settings.write_text('{"hooks": {"Stop": {}}}')

    with pytest.raises(ConfigError, match=r"settings\.json: `hooks\.Stop` must be a list"):
        run(install, "--yes")


@pytest.mark.parametrize(
    "before", [b"\n", b"", b"{}", b"  \n\n", b'\xef\xbb\xbf{"a": 1}\n', b'{\r\n"a":1}\r\n']
)
def test_a_file_of_any_form_comes_back_byte_for_byte(settings, before):
    settings.parent.mkdir()
    settings.write_bytes(before)

    run(install, "--yes")
    run(uninstall)

    assert settings.read_bytes() == before
    assert [path.name for path in settings.parent.glob("settings*")] == ["settings.json"]


@pytest.fixture
def terminal(settings, monkeypatch: pytest.MonkeyPatch):
    """Run `install` at a terminal, with what is typed there; gives what is shown and the exit status."""

    def typed(*lines: str, arguments: tuple[str, ...] = ()) -> tuple[str, int]:
        child, screen = pty.fork()
        if child == 0:
            os.execv(  # noqa: S606
                sys.executable,
                [sys.executable, "-m", "ace_reflect.cli.main", "install", *arguments],
            )
        os.write(screen, "".join(f"{line}\n" for line in lines).encode())
        shown = b""
        with suppress(OSError):  # the terminal is gone when the program is
            while part := os.read(screen, 65536):
                shown += part
        os.close(screen)
        return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    return typed


def test_sentences_are_broken_between_words_at_the_terminals_width_and_the_change_is_not(
    settings, terminal, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "60")

    lines = terminal("none", "auto", "")[0].replace("\r\n", "\n").split("\n")
    sentences = [
        line
        for line in lines
        if not line.startswith(("+", "-", "@", "  +", "/")) and "]: " not in line
    ]

    assert [line for line in sentences if len(line) > 60] == []
    assert "  auto          where you, the project's instructions or the" in lines
    assert "                session call for one" in lines
    assert any(line.startswith("+") and len(line) > 60 for line in lines), (
        "a file's lines stay as they are"
    )


def test_for_a_program_a_sentence_is_one_line(settings, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")

    assert (
        "No `claude` command was found. That hinders nothing: the hooks work as soon as Claude Code is there.\n"
        in run(install, "--yes").output
    )


def test_a_person_is_asked_once_with_what_each_answer_means(settings, terminal):
    home = settings.parent / "ace-reflect"

    shown, code = terminal("none", "pull-request", "")
    first = (home / "reflection.yaml").read_text()
    again, _ = terminal()

    assert code == 0
    assert "local         never" in shown
    assert "untrusted     those that come only from text which Claude read" in shown
    assert first == "models: []\nworkflow: pull-request\nlearning: {review: untrusted}\n"
    assert "Your choice" not in again
    assert "nothing to change" in again
    assert (home / "reflection.yaml").read_text() == first, (
        "an upgrade does not set back what was chosen"
    )


def test_only_what_is_not_configured_is_asked(settings, terminal):
    home = settings.parent / "ace-reflect"
    home.mkdir(parents=True)
    (home / "reflection.yaml").write_text("models: []\n")

    shown, code = terminal("all", arguments=("--workflow", "local"))

    assert code == 0
    assert "Which model" not in shown
    assert "pull request" not in shown
    assert (
        home / "reflection.yaml"
    ).read_text() == "models: []\nworkflow: local\nlearning: {review: all}\n"


def test_an_answer_that_cannot_be_is_asked_again(settings, terminal):
    shown, code = terminal("sonnet", "none", "pr", "local", "")

    assert code == 0
    assert 'provider/model, as in "anthropic/claude-sonnet-5"' in " ".join(shown.split())
    assert "'pr' is not one of" in shown
    assert "workflow: local" in (settings.parent / "ace-reflect" / "reflection.yaml").read_text()
