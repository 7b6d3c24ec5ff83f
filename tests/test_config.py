"""Precedence, sources, trust, and errors that name the file, the line and the way out."""

from pathlib import Path

import pytest

from ace_reflect import config, settings
from ace_reflect.errors import ConfigError
from ace_reflect.state.db import open_state


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    project, home = tmp_path / "project", tmp_path / "home"
    (project / ".claude").mkdir(parents=True)
    home.mkdir()
    return project, home


def write(places: tuple[Path, Path], *, project: str | None = None, user: str | None = None) -> None:
    if project is not None:
        (places[0] / ".claude" / "reflection.yaml").write_text(project)
    if user is not None:
        (places[1] / "reflection.yaml").write_text(user)


def load(places: tuple[Path, Path], environ: dict[str, str] | None = None, **kwargs: object) -> config.Config:
    return config.load(str(places[0]), str(places[1]), environ or {}, **kwargs)  # type: ignore[arg-type]


def test_nothing_configured_is_offline_with_the_documented_defaults(places):
    found = load(places)

    assert found.settings == settings.Settings()
    assert found.settings.models == ()
    assert set(found.sources.values()) == {"default"}


def test_each_layer_overrides_the_one_below_and_is_named_as_the_source(places):
    write(
        places,
        user="max_attempts: 2\nworkflow: local\nassess: {when: never}\n",
        project="workflow: pull-request\n\nmax_attempts: 4\n",
    )

    found = load(places, {"ACE_REFLECT_MAX_ATTEMPTS": "5"}, flags={"assess.when": "always"})

    assert (found.settings.max_attempts, found.settings.workflow, found.settings.assess_when) == (
        5,
        "pull-request",
        "always",
    )
    assert found.sources["max_attempts"] == "ACE_REFLECT_MAX_ATTEMPTS"
    assert found.sources["workflow"].endswith("project/.claude/reflection.yaml:1")
    assert found.sources["assess.when"] == "flag"


@pytest.mark.parametrize("spelling", ["off", '"off"', "'off'"])
def test_a_bare_off_and_a_quoted_one_switch_a_gate_off(places, spelling):
    write(places, project=f"gates: {{tests: {spelling}, ci: block}}\n")

    found = load(places).settings

    assert (found.gate_mode("tests"), found.gate_mode("ci"), found.gate_mode("build")) == ("off", "block", "block")


def test_what_could_send_or_run_something_waits_for_trust(places):
    text = "models: [evil/model]\nnotify: {command: curl evil}\nendpoints: {evil: {base_url: 'https://evil'}}\nworkflow: local\n"
    write(places, project=text)
    path = str(places[0] / ".claude" / "reflection.yaml")

    before = load(places)
    after = load(places, trusted=lambda _: config.content_hash(path))
    write(places, project=text + "review: {enabled: true}\n")
    changed = load(places, trusted=lambda _: "another hash")

    assert (before.settings.models, before.settings.notify_command, before.file.endpoints) == ((), "", {})
    assert before.settings.workflow == "local"
    assert before.untrusted == ("models", "notify.command", "endpoints")
    assert "ace-reflect trust" in before.warnings[0]
    assert after.settings.models == ("evil/model",)
    assert changed.settings.models == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("workflow: local\ngats: {tests: warn}\n", "reflection.yaml:2: unknown key `gats`; did you mean `gates`?"),
        ("gates:\n  test: warn\n", "reflection.yaml:2: unknown key `gates.test`; did you mean `gates.tests`?"),
        ("tests: off\n", "did you mean `gates.tests`?"),
        ("workflow: sometimes\n", "reflection.yaml:1: workflow:"),
        ("models: [sonnet]\n", "provider/model"),
        ("a: [\n", "is not valid YAML"),
        ("- a\n", "must be a table"),
        ("gates: []\n", "reflection.yaml:1: gates must be a table"),
        ("gates: 'off'\n", "reflection.yaml:1: gates must be a table"),
        ("models: &a [x/y]\nworkflow: *a\n", "aliases"),
        ("redaction: {patterns: ['(']}\n", "no regular expression"),
        ("injection: {max_chars: 50000}\n", "less than or equal to 9900"),
    ],
)
def test_an_error_names_the_file_the_line_and_the_way_out(places, text, says):
    write(places, user=text)

    with pytest.raises(ConfigError) as caught:
        load(places)

    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("given", "used"), [(0, 1), (-3, 1), (8, 7), (99, 7)])
def test_attempts_outside_one_to_seven_are_clamped_with_a_warning(places, given, used):
    write(places, user=f"max_attempts: {given}\n")

    found = load(places)

    assert found.settings.max_attempts == used
    assert str(given) in found.warnings[0]


def test_a_number_from_the_environment_is_held_to_the_same_limits(places):
    assert load(places, {"ACE_REFLECT_MAX_ATTEMPTS": "99"}).settings.max_attempts == 7
    assert load(places, {"ACE_REFLECT_MAX_ATTEMPTS": "-1"}).settings.max_attempts == 1
    with pytest.raises(ConfigError, match="ACE_REFLECT_MAX_ATTEMPTS: is a number that is too large"):
        load(places, {"ACE_REFLECT_MAX_ATTEMPTS": "9" * 400})


def test_binary_and_huge_files_are_refused_by_name(places):
    path = places[1] / "reflection.yaml"
    for content, says in ((b"\xff\xfe\x00", "not UTF-8"), (b"#" * 300_000, "larger than")):
        path.write_bytes(content)
        with pytest.raises(ConfigError, match=says):
            load(places)


def test_the_compiled_form_reads_back_as_it_was(places):
    write(
        places,
        user="models: [a/b, c/d]\ngates: {tests: 'off'}\nrouting: {enabled: true, models: {backend: x/y}}\nnotify: {command: say done}\n",
    )

    found = load(places).settings

    assert settings.parse(settings.dump(found)) == found
    assert found.routing_model("backend") == "x/y"


@pytest.mark.parametrize("empty", ["", " null", " ~", " # nothing yet"])
def test_a_section_with_nothing_in_it_sets_nothing_whatever_others_set(places, empty):
    write(places, user="gates: {tests: warn}\n", project=f"gates:{empty}\n")

    assert load(places, {"ACE_REFLECT_GATES_CI": "block"}).settings.gates == ("tests=warn", "ci=block")


@pytest.mark.parametrize("command", ["say done\nand more\n", "C:\\new\\say \\\\ \\\n", "a\tb", "\udcff"])
def test_a_command_of_any_text_is_the_same_in_its_compiled_form(command):
    found = settings.Settings(notify_command=command, models=("a/b", "c/d"))

    assert settings.parse(settings.dump(found)) == found


def test_hooks_see_a_changed_file_at_once_and_a_broken_one_as_absent(places, tmp_path):
    with open_state(str(tmp_path / "state")) as state:

        def now() -> settings.Settings:
            return settings.for_hooks(str(places[0]), str(places[1]), {}, state)

        assert now() == settings.Settings()
        write(places, project="max_attempts: 5\n")
        assert now().max_attempts == 5
        write(places, project="max_attempts: 6 \n")
        assert now().max_attempts == 6
        write(places, project="max_attempts: [\n", user="workflow: local\n")
        assert (now().max_attempts, now().workflow) == (3, "local")
