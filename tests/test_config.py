"""Precedence, sources, trust, and errors that name the file, the line and the way out."""

import hashlib
from pathlib import Path

import pytest

from ace_reflect import config
from ace_reflect.errors import ConfigError
from ace_reflect.settings import Settings
from ace_reflect.state import cache
from ace_reflect.state.db import open_state


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    project, home = tmp_path / "project", tmp_path / "home"
    (project / ".claude").mkdir(parents=True)
    home.mkdir()
    return project, home


def write(
    places: tuple[Path, Path], *, project: str | None = None, user: str | None = None
) -> None:
    if project is not None:
        (places[0] / ".claude" / "reflection.yaml").write_text(project)
    if user is not None:
        (places[1] / "reflection.yaml").write_text(user)


def load(
    places: tuple[Path, Path], environ: dict[str, str] | None = None, **kwargs: object
) -> config.Config:
    return config.load(str(places[0]), str(places[1]), environ or {}, **kwargs).sound()  # type: ignore[arg-type]


def content_hash(path: str) -> str | None:
    file = Path(path)
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else None


def usable(places, environ=None, **kwargs) -> Settings:
    return config.load(str(places[0]), str(places[1]), environ or {}, **kwargs).settings


def test_nothing_configured_is_offline_with_the_documented_defaults(places):
    found = load(places)

    assert found.settings == Settings()
    assert found.settings.models == ()
    assert set(found.sources.values()) == {"default"}


def test_each_layer_overrides_the_one_below_and_is_named_as_the_source(places):
    user = "max_attempts: 2\nworkflow: local\nassess: {when: never}\n"
    write(places, user=user, project="workflow: pull-request\n\nmax_attempts: 4\n")

    found = load(places, {"ACE_REFLECT_MAX_ATTEMPTS": "5"}, flags={"assess.when": "always"})

    keys = ("max_attempts", "workflow", "assess.when")
    assert [found.value(key) for key in keys] == [5, "pull-request", "always"]
    assert found.sources["max_attempts"] == "ACE_REFLECT_MAX_ATTEMPTS"
    assert found.sources["workflow"].endswith("project/.claude/reflection.yaml:1")
    assert found.sources["assess.when"] == "flag"


@pytest.mark.parametrize("spelling", ["off", '"off"', "'off'"])
def test_a_bare_off_and_a_quoted_one_switch_a_gate_off(places, spelling):
    write(places, project=f"gates: {{tests: {spelling}, ci: block}}\n")

    found = load(places).settings

    assert [found.gate_mode(gate) for gate in ("tests", "ci", "pr")] == ["off", "block", "block"]


def test_what_could_send_or_run_something_waits_for_trust(places):
    text = "models: [evil/model]\nnotify: {command: curl evil}\nendpoints: {evil: {base_url: 'https://evil'}}\nworkflow: local\n"
    write(places, project=text)
    path = str(places[0] / ".claude" / "reflection.yaml")

    before = load(places)
    after = load(places, trusted=lambda _: content_hash(path))
    write(places, project=text + "review: {enabled: true}\n")
    changed = load(places, trusted=lambda _: "another hash")

    assert not (before.settings.models)
    assert not (before.settings.notify_command)
    assert not (before.endpoints)
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
        ("workflow: sometimes\n", "reflection.yaml:1: workflow: must be 'auto', 'pull-request' or 'local' (found 'sometimes')"),
        ("models: [sonnet]\n", "provider/model"),
        ("a: [\n", "is not valid YAML"),
        ("- a\n", "must be a table"),
        ("gates: []\n", "reflection.yaml:1: gates must be a table"),
        ("gates: 'off'\n", "reflection.yaml:1: gates must be a table"),
        ("models: &a [x/y]\nworkflow: *a\n", "reflection.yaml:2: is not valid YAML: aliases"),
        ('workflow: auto\nmodels: ["\\UFFFFFFFF"]\n', "reflection.yaml:2: is not valid YAML"),
        ('x:\n  "a\\U00110000b": 0\n', "reflection.yaml:2: is not valid YAML"),
        ("redaction: {patterns: ['(']}\n", "reflection.yaml:1: redaction.patterns.0: must be a valid regular expression (found '(')"),
        ("injection: {max_chars: 50000}\n", "injection.max_chars: must be less than or equal to 9900"),
        ("assess: {daily_tokens: -5}\n", "assess.daily_tokens: must be greater than or equal to 0"),
        ("max_attempts: two\n", "reflection.yaml:1: max_attempts: must be a valid integer"),
        ("max_attempts: 2.5\n", "must be a valid integer"),
        ("enabled: maybe\n", "must be a valid boolean"),
        ("gates: {tests: on}\n", "gates.tests: must be 'off', 'warn' or 'block' (found 'on')"),
        ("workflow:\n", "workflow: must be 'auto', 'pull-request' or 'local'"),
        ("notify: {command: [say, done]}\n", "notify.command: must be a valid string"),
        ("models: {a: b}\n", "models: must be a list, as in [first, second]"),
        ("endpoints: {own: http://x}\n", "endpoints.own: must be a valid dictionary"),
        ("endpoints: {own: {}}\n", "endpoints.own.base_url: Field required"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_the_line_and_the_way_out(places, text, says):
    write(places, user=text)

    with pytest.raises(ConfigError) as caught:
        load(places)

    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("{base_url: 'https://x', api_key: sk-plainly-here}", "endpoints.own.api_key: is no setting; there are base_url and api_key_env"),
        ("{base_url: 'https://x', api_key_env: sk-plainly-here}", "endpoints.own.api_key_env: "),
        ("{base_url: 'me:sk-plainly-here@x'}", "should match pattern '^https?://'"),
        ("[sk-plainly-here]", "must be a valid dictionary"),
    ],
)  # fmt: skip
def test_a_key_that_was_written_into_an_endpoint_is_not_repeated(places, value, says):
    write(places, user=f"endpoints: {{own: {value}}}\n")

    with pytest.raises(ConfigError) as caught:
        load(places)

    assert says in str(caught.value)
    assert "plainly" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ("models: anthropic/claude-sonnet-4-5", ("anthropic/claude-sonnet-4-5",)),
        ("models: a/b, c/d", ("a/b", "c/d")),
        ("models: none", ()),
        ("models:", ()),
        ("models: [a/b, c/d]", ("a/b", "c/d")),
    ],
)
def test_a_list_of_one_needs_no_brackets(places, text, models):
    write(places, user=f"{text}\nlearning: {{on: session_end}}\n")

    found = load(places).settings

    assert (found.models, found.learning_on) == (models, ("session_end",))


def test_a_pattern_keeps_its_commas_wherever_it_is_set(places):
    write(places, user="redaction: {patterns: 'x{2,3}y'}\n")

    def patterns(environ: dict[str, str]) -> tuple[str, ...]:
        return load(places, environ).settings.redaction_patterns

    assert patterns({}) == ("x{2,3}y",)
    assert patterns({"ACE_REFLECT_REDACTION_PATTERNS": "a{4,}"}) == ("a{4,}",)


@pytest.mark.parametrize(
    ("given", "used"), [("0", 1), ("9", 7), ("'0'", 1), ('"99"', 7), ("-1", 1)]
)
def test_attempts_outside_one_to_seven_are_clamped_with_a_warning(places, given, used):
    write(places, user=f"max_attempts: {given}\n")

    found = load(places)
    variable = {"ACE_REFLECT_MAX_ATTEMPTS": given.strip("'\"")}
    assert load(places, variable).settings.max_attempts == used
    assert not usable(places).faulty

    assert found.settings.max_attempts == used
    assert "reflection.yaml:1: max_attempts is " in found.warnings[0]
    assert f"so it is {used}" in found.warnings[0]


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("GATES_TESTS", "of", "gates.tests: must be 'off', 'warn' or 'block' (found 'of')"),
        ("MAX_ATTEMPTS", "two", "must be a valid integer"),
    ],
)
def test_an_error_of_the_environment_names_the_variable_beside_all_others(
    places, variable, value, says
):
    write(places, user="workflow: x\ngats: {}\n", project="max_attempts: many\n")

    with pytest.raises(ConfigError) as caught:
        load(places, {f"ACE_REFLECT_{variable}": value})

    *in_files, last = str(caught.value).split("\n")
    assert [line.rpartition("/")[2].partition(" ")[0] for line in in_files] == [
        "reflection.yaml:1:",
        "reflection.yaml:2:",
        "reflection.yaml:1:",
    ]
    assert last.startswith(f"ACE_REFLECT_{variable}: ")
    assert says in last


@pytest.mark.parametrize("empty", ["", " null", " ~", " # nothing yet"])
def test_a_section_with_nothing_in_it_sets_nothing_whatever_others_set(places, empty):
    write(places, user="gates: {tests: warn}\n", project=f"gates:{empty}\n")

    assert load(places, {"ACE_REFLECT_GATES_CI": "block"}).settings.gates == {
        "tests": "warn",
        "ci": "block",
    }


@pytest.mark.parametrize(
    "name", ["MAX_ATTEMPTS", "ASSESS_WHEN", "ENABLED", "GATES_TESTS", "MODELS", "WORKFLOW"]
)
def test_an_empty_variable_says_nothing(places, name):
    write(places, user="max_attempts: 2\nassess: {when: never}\ngates: {tests: warn}\n")

    found = load(places, {f"ACE_REFLECT_{name}": ""})

    assert found.settings == load(places).settings
    assert f"ACE_REFLECT_{name}" not in found.sources.values()


def test_none_in_a_variable_takes_away_a_list_that_a_file_sets(places):
    write(places, user="models: [anthropic/x]\nlearning: {on: [session_end]}\n")

    found = load(places, {"ACE_REFLECT_MODELS": "none", "ACE_REFLECT_LEARNING_ON": "none"}).settings

    assert (found.models, found.learning_on) == ((), ())


# ------------------------------------------------------------------ where something is wrong, what can be used


@pytest.mark.parametrize(
    ("project", "user", "environ", "holds"),
    [
        # an error in one variable leaves the others in force
        ("", "", {"MAX_ATTEMPTS": "many", "GATES_TESTS": "off", "MODELS": "a/x"}, {"max_attempts": 3, "gates": {"tests": "off"}, "models": ("a/x",)}),
        # one in the project's file leaves the person's
        ("gates: {test: off}\n", "gates: {tests: warn}\nmodels: [a/x]\n", {}, {"gates": {"tests": "warn"}, "models": ("a/x",)}),
        # one in the person's own leaves what was switched off in a project
        ("enabled: false\ngates: {tests: 'off'}\n", "max_atempts: 2\n", {"GATES_CI": "off", "MAX_ATTEMPTS": "1"},
         {"enabled": False, "gates": {"tests": "off", "ci": "off"}, "max_attempts": 1}),
        # a setting that is itself wrong is at its default, and so is a file that is no YAML
        ("enabled: [no]\ngates: {tests: 'off', ci: loud}\n", "max_attempts: [\n", {}, {"enabled": True, "gates": {"tests": "off"}, "max_attempts": 3}),
        # without the person's own file nobody is asked: it may name what must not be sent
        ("models: [evil/x]\n", "redaction: {patern: 'ACME-.*'}\n", {"MODELS": "a/x", "REVIEW_ENABLED": "true", "NOTIFY_COMMAND": "x"},
         {"models": (), "review_enabled": False, "notify_command": ""}),
    ],
)  # fmt: skip
def test_of_a_configuration_with_an_error_what_can_be_used_holds(
    places, project, user, environ, holds
):
    write(places, project=project, user=user)
    given = {f"ACE_REFLECT_{name}": value for name, value in environ.items()}

    found = usable(places, given, trusted=content_hash)

    assert {name: getattr(found, name) for name in holds} == holds
    assert found.faulty


# ------------------------------------------------------------------ as hooks read it


def test_hooks_see_a_changed_file_at_once_and_a_broken_one_as_absent(places):
    with open_state(str(places[1])) as state:

        def now() -> Settings:
            return cache.settings(state, str(places[0]), {})

        assert now() == Settings()
        write(places, project="max_attempts: 5\n")
        assert now().max_attempts == now().max_attempts == 5
        write(places, project="max_attempts: 6 \n")
        assert now().max_attempts == 6
        write(places, project="max_attempts: [\n", user="workflow: local\n")
        assert (now().max_attempts, now().workflow) == (3, "local")
