"""Precedence, sources, trust, and errors that name the file, the line and the way out."""

from pathlib import Path

import pytest

from ace_reflect import config, config_yaml, settings
from ace_reflect.errors import ConfigError
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

    assert (found.gate_mode("tests"), found.gate_mode("ci"), found.gate_mode("pr")) == (
        "off",
        "block",
        "block",
    )


def test_what_could_send_or_run_something_waits_for_trust(places):
    text = "models: [evil/model]\nnotify: {command: curl evil}\nendpoints: {evil: {base_url: 'https://evil'}}\nworkflow: local\n"
    write(places, project=text)
    path = str(places[0] / ".claude" / "reflection.yaml")

    before = load(places)
    after = load(places, trusted=lambda _: config_yaml.content_hash(path))
    write(places, project=text + "review: {enabled: true}\n")
    changed = load(places, trusted=lambda _: "another hash")

    assert (before.settings.models, before.settings.notify_command, before.file.endpoints) == (
        (),
        "",
        {},
    )
    assert before.settings.workflow == "local"
    assert before.untrusted == ("models", "notify.command", "endpoints")
    assert "ace-reflect trust" in before.warnings[0]
    assert after.settings.models == ("evil/model",)
    assert changed.settings.models == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "workflow: local\ngats: {tests: warn}\n",
            "reflection.yaml:2: unknown key `gats`; did you mean `gates`?",
        ),
        (
            "gates:\n  test: warn\n",
            "reflection.yaml:2: unknown key `gates.test`; did you mean `gates.tests`?",
        ),
        ("tests: off\n", "did you mean `gates.tests`?"),
        ("workflow: sometimes\n", "reflection.yaml:1: workflow:"),
        ("models: [sonnet]\n", "provider/model"),
        ("a: [\n", "is not valid YAML"),
        ("- a\n", "must be a table"),
        ("gates: []\n", "reflection.yaml:1: gates must be a table"),
        ("gates: 'off'\n", "reflection.yaml:1: gates must be a table"),
        ("models: &a [x/y]\nworkflow: *a\n", "reflection.yaml:2: YAML aliases"),
        ('workflow: auto\nmodels: ["\\UFFFFFFFF"]\n', "reflection.yaml:2: a \\U escape"),
        ('x:\n  "a\\U00110000b": 0\n', "reflection.yaml:2: a \\U escape"),
        (
            "redaction: {patterns: ['(']}\n",
            "reflection.yaml:1: redaction.patterns: '(' is no regular expression",
        ),
        (
            "injection: {max_chars: 50000}\n",
            "injection.max_chars: must be at most 9900 (found 50000)",
        ),
        ("assess: {daily_tokens: -5}\n", "assess.daily_tokens: must be at least 0 (found -5)"),
        (
            "max_attempts: two\n",
            "reflection.yaml:1: max_attempts: must be a whole number (found 'two')",
        ),
        ("max_attempts: 2.5\n", "must be a whole number (found 2.5)"),
        (
            "max_attempts: false\n",
            "reflection.yaml:1: max_attempts: must be a whole number (found false)",
        ),
        ("assess: {daily_tokens: yes}\n", "must be a whole number (found true)"),
        ("enabled: maybe\n", "must be true or false (found 'maybe')"),
        ("gates: {tests: on}\n", "gates.tests: must be 'off', 'warn' or 'block' (found true)"),
        ("workflow:\n", "workflow: must be 'auto', 'pull-request' or 'local' (found nothing)"),
        ("workflow: pr\n", "workflow: must be 'auto', 'pull-request' or 'local' (found 'pr')"),
        (
            "notify: {command: [say, done]}\n",
            "notify.command: must be text (found ['say', 'done'])",
        ),
        ("models: {a: b}\n", "models: must be a list, as in [first, second]"),
        ("endpoints: {own: http://x}\n", "endpoints.own: must be a table of `key: value` lines"),
        ("endpoints: {own: {}}\n", "endpoints.own.base_url: is missing"),
        (
            "endpoints: {own: {base_url: localhost}}\n",
            "base_url: must begin with http:// or https://",
        ),
    ],
)
def test_an_error_names_the_file_the_line_and_the_way_out(places, text, says):
    write(places, user=text)

    with pytest.raises(ConfigError) as caught:
        load(places)

    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (
            "{base_url: 'https://x', api_key: sk-plainly-here}",
            "api_key: is no setting; did you mean `api_key_env`?",
        ),
        (
            "{base_url: 'https://x', api_key_env: sk-plainly-here}",
            "must be the name of an environment variable",
        ),
        ("{base_url: 'me:sk-plainly-here@x'}", "must begin with http"),
        ("[sk-plainly-here]", "must be a table"),
    ],
)
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

    assert load(places).file.redaction.patterns == ("x{2,3}y",)
    assert load(places, {"ACE_REFLECT_REDACTION_PATTERNS": "a{4,}"}).file.redaction.patterns == (
        "a{4,}",
    )
    assert load(places, {"ACE_REFLECT_REDACTION_PATTERNS": ""}).file.redaction.patterns == ()


def test_a_setting_that_is_written_twice_is_named_and_the_last_one_counts(places):
    write(
        places, user="max_attempts: 2\ngates: {tests: warn}\nmax_attempts: 5\ngates: {ci: block}\n"
    )

    found = load(places)

    assert (found.settings.max_attempts, found.settings.gates) == (5, ("tests=warn", "ci=block"))
    assert [w.rpartition("/")[2] for w in found.warnings] == [
        "reflection.yaml:3: max_attempts is set in line 1 too; this line counts"
    ]


@pytest.mark.parametrize(
    ("given", "used"), [("0", 1), ("9", 7), ("'0'", 1), ('"99"', 7), ("-1", 1)]
)
def test_more_or_fewer_attempts_than_the_host_allows_are_brought_to_what_it_does(
    places, given, used
):
    write(places, user=f"max_attempts: {given}\n")

    found = load(places)

    assert found.settings.max_attempts == used
    assert (
        f"1 to 7 can be used (the host ends a turn by itself after 8), so it is {used}"
        in found.warnings[0]
    )


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("test=warn", "unknown gate `test`; did you mean `tests`?"),
        ("zzz=off", "unknown gate `zzz`; there are tests, build, pr,"),
        ("tests", "gates.tests: must be 'off', 'warn' or 'block' (found '')"),
    ],
)
def test_a_gate_of_the_environment_that_cannot_be_names_the_variable_and_the_way_out(
    places, value, says
):
    with pytest.raises(ConfigError, match=r"^ACE_REFLECT_GATES: ") as caught:
        load(places, {"ACE_REFLECT_GATES": value})

    assert says in str(caught.value)


@pytest.mark.parametrize(("given", "used"), [(0, 1), (-3, 1), (8, 7), (99, 7)])
def test_attempts_outside_one_to_seven_are_clamped_with_a_warning(places, given, used):
    write(places, user=f"max_attempts: {given}\n")

    found = load(places)

    assert found.settings.max_attempts == used
    assert f"reflection.yaml:1: max_attempts is {given};" in found.warnings[0]


def test_a_number_from_the_environment_is_held_to_the_same_limits(places):
    assert load(places, {"ACE_REFLECT_MAX_ATTEMPTS": "99"}).settings.max_attempts == 7
    assert load(places, {"ACE_REFLECT_MAX_ATTEMPTS": "-1"}).settings.max_attempts == 1
    with pytest.raises(
        ConfigError, match="ACE_REFLECT_MAX_ATTEMPTS: is a number that is too large"
    ):
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

    assert load(places, {"ACE_REFLECT_GATES_CI": "block"}).settings.gates == (
        "tests=warn",
        "ci=block",
    )


@pytest.mark.parametrize(
    "command", ["say done\nand more\n", "C:\\new\\say \\\\ \\\n", "a\tb", "\udcff"]
)
def test_a_command_of_any_text_is_the_same_in_its_compiled_form(command):
    found = settings.Settings(notify_command=command, models=("a/b", "c/d"))

    assert settings.parse(settings.dump(found)) == found


@pytest.mark.parametrize("patterns", [(r"ACME-\d{6}", r"\\n\n", "a\tb"), ("two\nlines",), ("\\",)])
def test_patterns_of_any_text_are_the_same_in_their_compiled_form(patterns):
    found = settings.Settings(redaction_patterns=patterns, models=("a/b", "c/d"))

    assert settings.parse(settings.dump(found)) == found


def test_a_compiled_copy_that_this_version_cannot_read_is_compiled_anew(places, tmp_path):
    write(places, project="max_attempts: 5\n")
    with open_state(str(tmp_path / "state")) as state:

        def now() -> settings.Settings:
            return settings.for_hooks(str(places[0]), str(places[1]), {}, state)

        assert now().max_attempts == 5
        state.connection.execute(
            "UPDATE cache SET value = ? WHERE kind = 'settings'", (b"max_attempts\tmany",)
        )
        assert now().max_attempts == 5
        state.connection.execute(
            "UPDATE cache SET identity = replace(identity, 'workflow', 'flow')"
        )
        state.connection.execute(
            "UPDATE cache SET value = ? WHERE kind = 'settings'", (b"max_attempts\t2",)
        )
        assert now().max_attempts == 5, "of a version with other settings"


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


@pytest.mark.parametrize(
    "name", ["MAX_ATTEMPTS", "ASSESS_WHEN", "ENABLED", "GATES_TESTS", "GATES", "WORKFLOW"]
)
def test_an_empty_variable_says_nothing(places, name):
    write(places, user="max_attempts: 2\nassess: {when: never}\ngates: {tests: warn}\n")

    found = load(places, {f"ACE_REFLECT_{name}": ""})

    assert found.settings == load(places).settings
    assert f"ACE_REFLECT_{name}" not in found.sources.values()


def test_an_empty_list_in_a_variable_takes_away_what_a_file_says(places):
    write(places, user="models: [anthropic/x]\nlearning: {on: [session_end]}\n")

    found = load(places, {"ACE_REFLECT_MODELS": "", "ACE_REFLECT_LEARNING_ON": " "}).settings

    assert (found.models, found.learning_on) == ((), ())


def usable(places, environ=None) -> settings.Settings:
    return config.load_usable(str(places[0]), str(places[1]), environ or {}).settings


def test_an_error_in_one_variable_leaves_the_others_in_force(places):
    given = {
        "ACE_REFLECT_MAX_ATTEMPTS": "many",
        "ACE_REFLECT_GATES": "tests=off",
        "ACE_REFLECT_MODELS": "anthropic/x",
    }

    found = usable(places, given)

    assert (found.max_attempts, found.gates, found.models) == (3, ("tests=off",), ("anthropic/x",))


def test_an_error_in_the_projects_file_leaves_the_persons_in_force(places):
    write(
        places, project="gates: {test: off}\n", user="gates: {tests: warn}\nmodels: [anthropic/x]\n"
    )

    found = usable(places)

    assert (found.gates, found.models) == (("tests=warn",), ("anthropic/x",))


def test_an_error_in_the_persons_own_file_leaves_what_was_switched_off_in_a_project(places):
    write(places, project="enabled: false\ngates: {tests: 'off'}\n", user="max_atempts: 2\n")

    found = usable(places, {"ACE_REFLECT_GATES": "ci=off", "ACE_REFLECT_MAX_ATTEMPTS": "1"})

    assert (found.enabled, found.gates, found.max_attempts) == (False, ("tests=off", "ci=off"), 1)


@pytest.mark.parametrize("which", ["project", "user"])
@pytest.mark.parametrize(
    "wrong",
    [
        "workflw: local\n",
        "gates: {test: warn, pr: 'off'}\n",
        "assess: {when: sometimes}\n",
        "redaction: 3\n",
    ],
)
def test_an_error_in_a_file_leaves_what_the_file_switches_off(places, which, wrong):
    write(places, **{which: f"enabled: false\n{wrong}max_attempts: 1\nmodels: [anthropic/x]\n"})

    found = usable(places)

    assert (found.enabled, found.max_attempts, found.models, found.faulty) == (False, 1, (), True)
    assert found.gates == (("pr=off",) if "pr" in wrong else ())


def test_a_setting_that_is_itself_wrong_is_at_its_default_and_so_is_a_file_that_is_no_yaml(places):
    write(
        places, project="enabled: [no]\ngates: {tests: 'off', ci: loud}\n", user="max_attempts: [\n"
    )

    found = usable(places)

    assert (found.enabled, found.gates, found.max_attempts) == (True, ("tests=off",), 3)


def test_a_configuration_without_an_error_is_not_called_faulty(places):
    write(
        places, project="max_attempts: 12\nmodels: [anthropic/x]\n", user="gates: {tests: warn}\n"
    )

    assert not usable(places).faulty


def test_without_the_persons_own_file_nobody_is_asked_for_it_may_name_what_must_not_be_sent(places):
    write(places, project="models: [evil/x]\n", user="redaction: {patern: 'ACME-.*'}\n")
    given = {
        "ACE_REFLECT_MODELS": "anthropic/x",
        "ACE_REFLECT_REVIEW_ENABLED": "true",
        "ACE_REFLECT_NOTIFY_COMMAND": "x",
    }

    found = config.load_usable(
        str(places[0]), str(places[1]), given, trusted=config_yaml.content_hash
    ).settings

    assert (found.models, found.review_enabled, found.notify_command) == ((), False, "")


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ("", "warn"),
        ("workflow: pull-request\n", "block"),
        ("workflow: local\n", "off"),
        ("workflow: pull-request\ngates: {direct_push: warn}\n", "warn"),
        ("workflow: local\ngates: {direct_push: block}\n", "block"),
    ],
)
def test_what_a_direct_push_is_goes_by_the_workflow(places, given, mode):
    write(places, project=given or "enabled: true\n")

    found = load(places)

    assert found.settings.gate_mode("direct_push") == mode
    assert found.file.gates.direct_push == mode
