"""settings.json is merged, never replaced; a broken one is refused; what was there comes back byte for byte."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.errors import ConfigError
from ace_reflect.install.registration import (
    START,
    entries,
    is_ours,
    registered,
    with_ours,
    without_ours,
)
from ace_reflect.install.settings_file import read_settings, render, restore_if_same, write_settings
from ace_reflect.state import processes

OTHERS = {
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    "PreToolUse": [{"matcher": "Bash", "hooks": []}],
}


def ours(*, assess: bool = False):
    return entries("/opt/py thon/bin/python", "/opt/ace reflect/hooks", assess=assess)


def test_an_entry_starts_python_without_a_shell_isolated_and_marked():
    command = ours()["Stop"][0]["hooks"][0]

    assert command["command"] == "/opt/py thon/bin/python"
    assert command["args"] == ["-I", "-c", START, "/opt/ace reflect/hooks/stop.py", "ace-reflect"]
    assert command["timeout"] > 0
    assert command["statusMessage"]
    assert is_ours(command)


def test_the_second_stop_entry_stands_only_where_a_model_is_configured():
    assert len(ours()["Stop"]) == 1
    assert ours(assess=True)["Stop"][1]["hooks"][0]["asyncRewake"] is True


def test_other_peoples_hooks_stay_first_and_untouched():
    merged = with_ours({"model": "opus", "hooks": OTHERS}, ours())

    assert merged["model"] == "opus"
    assert merged["hooks"]["Stop"][0] == OTHERS["Stop"][0]
    assert merged["hooks"]["PreToolUse"] == OTHERS["PreToolUse"]
    assert without_ours(merged) == {"model": "opus", "hooks": OTHERS}


def test_installing_again_changes_nothing_and_an_upgrade_leaves_one_registration():
    once = with_ours({"hooks": OTHERS}, ours())
    older = with_ours({"hooks": OTHERS}, entries("/old/python", "/old/hooks", assess=True))

    assert with_ours(once, ours()) == once
    assert registered(with_ours(older, ours())) == ours()


def test_installing_again_moves_no_line_of_somebody_elses():
    later = {
        **with_ours({"model": "opus", "hooks": {}}, ours()),
        "skipDangerousModePermissionPrompt": True,
    }
    later["hooks"] = {
        **later["hooks"],
        **OTHERS,
        "Stop": [*later["hooks"]["Stop"], *OTHERS["Stop"]],
    }

    again = with_ours(later, ours(assess=True))

    assert list(again) == list(later)
    assert list(again["hooks"]) == list(later["hooks"])
    assert again["hooks"]["PreToolUse"] == OTHERS["PreToolUse"]


def test_a_command_of_ours_inside_somebody_elses_entry_is_taken_out_alone():
    mixed = {
        "hooks": {
            "Stop": [
                {"hooks": [{"type": "command", "command": "say"}, ours()["Stop"][0]["hooks"][0]]}
            ]
        }
    }

    assert without_ours(mixed) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say"}]}]}
    }


@pytest.mark.parametrize("odd", [None, "say done", {"hooks": []}, 7])
def test_hooks_of_an_event_that_are_no_list_are_refused_and_not_taken_apart(odd):
    with pytest.raises(ConfigError, match=r"hooks\.Stop"):
        with_ours({"hooks": {"Stop": odd}}, ours())
    assert without_ours({"hooks": {"Stop": odd}}) == {"hooks": {"Stop": odd}}


def test_half_a_character_in_somebodys_settings_is_written_as_it_was(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"model": "a\\ud800"}\n')
    before = read_settings(str(path))

    write_settings(before, with_ours(before.data, ours()))

    assert read_settings(str(path)).data["model"] == "a\ud800"


def test_an_event_with_a_list_of_no_hooks_does_not_cost_the_files_formatting(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"hooks": {"Stop": [], "Other": []}, "model": "opus"}')
    before = read_settings(str(path))
    write_settings(before, with_ours(before.data, ours()))
    now = read_settings(str(path))

    assert restore_if_same(now, without_ours(now.data))

    assert path.read_text() == '{"hooks": {"Stop": [], "Other": []}, "model": "opus"}'


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(st.sampled_from(["Stop", "SessionEnd", "Other"]), _json, max_size=3),
    st.dictionaries(st.text(max_size=5), _json, max_size=3),
)
def test_out_undoes_in_for_any_settings(hooks, rest):
    data = {
        **rest,
        "hooks": {
            event: value for event, value in hooks.items() if isinstance(value, list) and value
        },
    }
    data = {**rest} if not data["hooks"] else data

    assert without_ours(with_ours(data, ours(assess=True))) == data


@pytest.mark.parametrize(
    "text",
    [
        '{\n    "model": "opus",\n    "hooks": {}\n}\n',
        '{"a":1,   "b": [1,2]}',
        '{\n\t"a": "é"\n}',
        "",
        '\ufeff{"a": 1}\n',
    ],
)
def test_install_then_uninstall_gives_the_file_back_byte_for_byte(tmp_path: Path, text: str):
    path = tmp_path / "settings.json"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o640)
    before = read_settings(str(path))

    write_settings(before, with_ours(before.data, ours()))
    installed = read_settings(str(path))
    assert registered(installed.data) == ours()
    assert path.stat().st_mode & 0o777 == 0o640
    assert restore_if_same(installed, without_ours(installed.data))

    assert path.read_text(encoding="utf-8") == text
    assert [item.name for item in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    "by_hand",
    [
        {"theme": "dark"},
        {"hooks": {**OTHERS, "Notification": OTHERS["Stop"]}},
        {"hooks": {"Stop": OTHERS["Stop"]}},
    ],
    ids=["a setting", "a hook more", "a hook less"],
)
def test_what_was_changed_by_hand_after_the_install_survives_the_uninstall(tmp_path, by_hand):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"model": "opus", "hooks": OTHERS}))
    before = read_settings(str(path))
    write_settings(before, with_ours(before.data, ours()))
    path.write_text(json.dumps(with_ours({"model": "opus", "hooks": OTHERS, **by_hand}, ours())))

    now = read_settings(str(path))

    assert not restore_if_same(now, without_ours(now.data))
    write_settings(now, without_ours(now.data))
    assert json.loads(path.read_text()) == {"model": "opus", "hooks": OTHERS, **by_hand}


@pytest.mark.parametrize("indent", ["\t", "  ", "    ", " "])
def test_lines_of_others_keep_their_indent(tmp_path, indent):
    path = tmp_path / "settings.json"
    text = json.dumps({"model": "opus", "permissions": {"allow": ["Read"]}}, indent=indent)
    path.write_text(text)
    before = read_settings(str(path))

    write_settings(before, with_ours(before.data, ours()))

    assert path.read_text().startswith(text.removesuffix("\n}"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{\n  // mine\n  "a": 1\n}', ":2: is not valid JSON (comments are not allowed there)"),
        ('{\n  /* mine */\n  "a": 1\n}', ":2: is not valid JSON (comments are not allowed there)"),
        ('{\n  "a": \n}', ":3: is not valid JSON, so"),
        ('{\n  "a": [1,\n  ]\n}', "a trailing comma?"),
        ("[1]", "must be an object"),
        ('{"hooks": []}', "`hooks` must be an object"),
        ('{"a": ', "is not valid JSON"),
    ],
)
def test_a_file_the_host_cannot_read_is_refused_with_its_line(tmp_path, text, says):
    path = tmp_path / "settings.json"
    path.write_text(text)

    with pytest.raises(ConfigError) as caught:
        read_settings(str(path))

    assert says in str(caught.value)
    assert "nothing was changed" in str(caught.value)
    assert path.read_text() == text


def test_a_symbolic_link_into_a_dotfiles_repository_stays_one(tmp_path):
    (tmp_path / "dotfiles").mkdir()
    real = tmp_path / "dotfiles" / "settings.json"
    real.write_text("{}\n")
    link = tmp_path / "settings.json"
    link.symlink_to(real)

    settings = read_settings(str(link))
    write_settings(settings, with_ours(settings.data, ours()))

    assert link.is_symlink()
    assert registered(json.loads(real.read_text())) == ours()


def test_what_a_killed_process_left_goes_and_what_another_one_is_writing_stays(tmp_path: Path):
    living = tmp_path / f".ace-reflect-{processes.name().replace(':', '-')}.abc.tmp"
    dead = tmp_path / ".ace-reflect-999999999-1.abc.tmp"
    mine = tmp_path / "notes.tmp"
    for path in (living, dead, mine):
        path.write_text("half")

    write_settings(read_settings(str(tmp_path / "settings.json")), {"a": 1}, keep_copy=False)

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [living.name, mine.name, "settings.json"]
    )


@pytest.mark.parametrize(
    ("like", "ends"), [(None, "}\n"), ("", "}\n"), ("{}", "}"), ("{}\n", "}\n")]
)
def test_a_file_ends_as_it_ended(like: str | None, ends: str):
    assert render({"a": 1}, like).endswith("1\n" + ends)


def test_a_folder_in_the_place_of_the_file_is_named_with_the_reason(tmp_path: Path):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')

    with pytest.raises(ConfigError, match=r"folder\.json: cannot be read \(Is a directory\)"):
        read_settings(str(tmp_path / "folder.json"))
    with pytest.raises(
        ConfigError, match=r"latin\.json: cannot be read \(not UTF-8 text: save it as UTF-8\)"
    ):
        read_settings(str(tmp_path / "latin.json"))
