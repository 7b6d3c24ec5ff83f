"""settings.json is merged, never replaced; a broken one is refused; what was there comes back byte for byte."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.errors import ConfigError
from ace_reflect.install import registration
from ace_reflect.install.registration import entries, registered, with_ours
from ace_reflect.install.settings_file import read_settings, why_dropped, write_settings

OTHERS: dict[str, Any] = {
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    "PreToolUse": [{"matcher": "Bash", "hooks": []}],
}
OURS = entries(assess=False)
MORE = entries(assess=True)
OLDER = {
    event: [{"hooks": [{"command": "/old/python", "args": ["/old/stop.py", "ace-reflect"]}]}]
    for event in OURS
}


def installed(path: Path) -> None:
    before = read_settings(str(path))
    write_settings(before, with_ours(before.data, OURS))


def test_every_entry_is_marked_says_what_it_does_and_names_no_folder_of_this_machine() -> None:
    commands = [hook for items in MORE.values() for item in items for hook in item["hooks"]]

    assert all(registration.is_ours(hook) and hook["statusMessage"] for hook in commands)
    words = ("sh", "-c", registration.START, "ace-reflect", "stop", "ace-reflect")
    assert registration.argv_of(MORE["Stop"][0]["hooks"][0]) == words
    assert all("args" not in hook for hook in commands), "a host that passes them over runs `sh`"
    assert MORE["Stop"][1]["hooks"][0]["asyncRewake"] is True
    assert str(Path.home()) not in json.dumps(MORE)
    assert MORE["PreCompact"][0]["matcher"] == "auto", "/compact would show the command line"


def test_other_peoples_hooks_stay_first_and_untouched() -> None:
    merged = with_ours({"model": "opus", "hooks": OTHERS}, OURS)

    assert merged["model"] == "opus"
    assert merged["hooks"]["Stop"] == [*OTHERS["Stop"], *OURS["Stop"]]
    assert merged["hooks"]["PreToolUse"] == OTHERS["PreToolUse"]
    assert with_ours(merged, {}) == {"model": "opus", "hooks": OTHERS}
    assert with_ours(merged, OURS) == merged
    said = {"type": "command", "command": "say"}
    mixed = {"hooks": {"Stop": [{"hooks": [said, *OURS["Stop"][0]["hooks"]]}]}}
    assert with_ours(mixed, {}) == {"hooks": {"Stop": [{"hooks": [said]}]}}


def test_an_upgrade_moves_no_line_of_somebody_elses() -> None:
    older = with_ours({"model": "opus", "hooks": {}}, OLDER)
    later = {**older, "skipDangerousModePermissionPrompt": True}
    later["hooks"] = {**older["hooks"], "Stop": [*older["hooks"]["Stop"], *OTHERS["Stop"]]}

    again = with_ours(later, OURS)

    assert registered(again) == OURS
    assert (list(again), list(again["hooks"])) == (list(later), list(later["hooks"]))


#: Tried on 2.1.330: `claude -p` says for each whether the file was loaded.
COMMAND = {"type": "command", "command": "true"}
DROPPED = {
    "hooks.PreToolUse.0.hooks": {"PreToolUse": [{"matcher": "Bash", **COMMAND}]},
    "hooks.PreToolUse.0.matcher": {"PreToolUse": [{"matcher": {"tool": "Bash"}, "hooks": []}]},
    "hooks.PreToolUse": {"PreToolUse": {"hooks": []}},
    "hooks.PreToolUse.0": {"PreToolUse": ["true"]},
    "hooks.Stop.0.hooks.0.type": {"Stop": [{"hooks": [{"command": "true"}]}]},
    "hooks.Stop.0.hooks.0.timeout": {"Stop": [{"hooks": [{**COMMAND, "timeout": "5"}]}]},
}
TAKEN = (
    {"Foo": {"hooks": []}},
    {"Stop": None},
    {"Stop": [{"hooks": [{**COMMAND, "foo": 1}], "bar": 2}]},
    {"Stop": [{"hooks": [{"type": "prompt", "prompt": "Done?"}]}], "PreModelSwitch": 1},
)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        *(({"hooks": hooks}, place) for place, hooks in DROPPED.items()),
        ({"permissions": {"allow": "Read"}}, "permissions.allow"),
        ({"permissions": []}, "permissions"),
        ({"env": []}, "env"),
        ({"model": 3}, "model"),
        *(({"hooks": hooks}, "") for hooks in TAKEN),
        ({"permissions": {"allow": [1], "deny": []}, "env": {"A": 1}, "foo": 1, "hooks": None}, ""),
    ],
)
def test_a_file_that_the_host_drops_whole_is_told_with_the_place(data, place):
    assert why_dropped(data).partition(": ")[0].strip("`") == place


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
        (
            b'{"a": {"x": 1},\n "b": {"x": {"x": 1}},\n\n "\\u0061": 2}',
            ':4: "\\u0061" occurs twice',
        ),
        (None, "cannot be read (it is no plain file)"),
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
    pids = (2**31 - 1, os.getpid())
    dead, living = (real.with_name(f".settings.json.{pid}.a.tmp") for pid in pids)
    for path in (dead, living):
        path.write_text("half")

    installed(link)

    assert link.is_symlink()
    assert registered(json.loads(real.read_text())) == OURS
    assert (dead.exists(), living.exists()) == (False, True)
