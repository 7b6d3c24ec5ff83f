"""settings.json is merged, never replaced; a broken one is refused; what was there comes back byte for byte."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.errors import ConfigError
from ace_reflect.install.registration import (
    START,
    entries,
    is_ours,
    registered,
    with_ours,
    without_ours,
)
from ace_reflect.install.settings_file import read_settings, write_settings

OTHERS: dict[str, Any] = {
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    "PreToolUse": [{"matcher": "Bash", "hooks": []}],
}
OURS = entries("/opt/py thon/bin/python", "/opt/ace reflect/hooks", assess=False)
MORE = entries("/opt/py thon/bin/python", "/opt/ace reflect/hooks", assess=True)


def installed(path: Path) -> None:
    before = read_settings(str(path))
    write_settings(before, with_ours(before.data, OURS))


def test_an_entry_starts_python_without_a_shell_isolated_and_marked() -> None:
    command = OURS["Stop"][0]["hooks"][0]

    assert command["command"] == "/opt/py thon/bin/python"
    assert command["args"] == ["-I", "-c", START, "/opt/ace reflect/hooks/stop.py", "ace-reflect"]
    assert command["timeout"] > 0
    assert command["statusMessage"]
    assert is_ours(command)
    assert MORE["Stop"][1]["hooks"][0]["asyncRewake"] is True


def test_other_peoples_hooks_stay_first_and_untouched() -> None:
    merged = with_ours({"model": "opus", "hooks": OTHERS}, OURS)

    assert merged["model"] == "opus"
    assert merged["hooks"]["Stop"] == [*OTHERS["Stop"], *OURS["Stop"]]
    assert merged["hooks"]["PreToolUse"] == OTHERS["PreToolUse"]
    assert without_ours(merged) == {"model": "opus", "hooks": OTHERS}
    assert with_ours(merged, OURS) == merged
    said = {"type": "command", "command": "say"}
    mixed = {"hooks": {"Stop": [{"hooks": [said, *OURS["Stop"][0]["hooks"]]}]}}
    assert without_ours(mixed) == {"hooks": {"Stop": [{"hooks": [said]}]}}


def test_an_upgrade_moves_no_line_of_somebody_elses() -> None:
    older = with_ours({"model": "opus", "hooks": {}}, entries("/old/python", "/old", assess=True))
    later = {**older, "skipDangerousModePermissionPrompt": True}
    later["hooks"] = {**older["hooks"], "Stop": [*older["hooks"]["Stop"], *OTHERS["Stop"]]}

    again = with_ours(later, OURS)

    assert registered(again) == OURS
    assert (list(again), list(again["hooks"])) == (list(later), list(later["hooks"]))


@pytest.mark.parametrize("odd", [None, "say done", {"hooks": []}, 7])
def test_hooks_of_an_event_that_are_no_list_are_refused_and_not_taken_apart(odd: object) -> None:
    with pytest.raises(ConfigError, match=r"hooks\.Stop"):
        with_ours({"hooks": {"Stop": odd}}, OURS)
    assert without_ours({"hooks": {"Stop": odd}}) == {"hooks": {"Stop": odd}}


@pytest.mark.parametrize(("indent", "end"), [("\t", ""), ("  ", "\n"), ("    ", ""), (" ", "\n")])
def test_lines_of_others_keep_their_indent_and_the_file_its_end(tmp_path, indent, end):
    path = tmp_path / "settings.json"
    text = json.dumps({"model": "opus", "permissions": {"allow": ["Read"]}}, indent=indent)
    path.write_text(text + end)
    path.chmod(0o640)

    installed(path)

    assert path.stat().st_mode & 0o777 == 0o640
    assert path.read_text().startswith(text.removesuffix("\n}"))
    assert path.read_text().endswith("}" + end)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{\n  // mine\n  "a": 1\n}', ":2: is not valid JSON"),
        (b'\n\n{\n  "a": \n}', ":5: is not valid JSON"),
        (b'{\n  "a": [1,\n  ]\n}', "is not valid JSON"),
        (b'{"a": ', ":1: is not valid JSON"),
        (b"[" * 100_000, ":1: is not valid JSON"),
        (b"[1]", "must be an object"),
        (b'{"hooks": []}', "`hooks` must be an object"),
        (b'{"a": "\xe9"}', "cannot be read (not UTF-8 text: save it as UTF-8)"),
        (None, "cannot be read (Is a directory)"),
    ],
)
def test_a_file_the_host_cannot_read_is_refused_with_its_line(tmp_path, text, says):
    path = tmp_path / "settings.json"
    path.mkdir() if text is None else path.write_bytes(text)

    with pytest.raises(ConfigError) as caught:
        read_settings(str(path))

    assert says in str(caught.value)
    assert "nothing was changed" in str(caught.value)
    assert text is None or path.read_bytes() == text


def test_a_link_into_a_dotfiles_repository_stays_one_and_a_killed_writers_file_goes(tmp_path):
    (tmp_path / "dotfiles").mkdir()
    real, link = tmp_path / "dotfiles" / "settings.json", tmp_path / "settings.json"
    real.write_text("{}\n")
    link.symlink_to(real)
    dead, living = (
        real.with_name(f".settings.json.{pid}.a.tmp") for pid in (2**31 - 1, os.getpid())
    )
    for path in (dead, living):
        path.write_text("half")

    installed(link)

    assert link.is_symlink()
    assert registered(json.loads(real.read_text())) == OURS
    assert (dead.exists(), living.exists()) == (False, True)
