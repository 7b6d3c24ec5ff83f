"""doctor proves both paths through the very commands that are registered."""

import json

from support.claude_code import ClaudeCode


def checks(host: ClaudeCode) -> tuple[int, list[dict[str, str]]]:
    done = host.ace(
        "doctor", "--json", check=False, PATH=f"{host.command.rpartition('/')[0]}:/usr/bin:/bin"
    )
    return done.returncode, json.loads(done.stdout)["checks"]


def test_after_an_install_everything_works_and_both_paths_are_proved(host):
    host.install()

    code, found = checks(host)

    assert [check for check in found if check["state"] == "wrong"] == []
    assert code == 0
    assert {check["name"] for check in found} >= {
        "proof: a bad stop is blocked",
        "proof: a good stop passes",
    }


def test_without_an_install_it_says_so(host):
    code, found = checks(host)

    assert code == 1
    assert any(
        check["says"] == "not registered" and "ace-reflect install" in check["fix"]
        for check in found
    )


def test_a_gone_interpreter_hooks_switched_off_and_a_broken_file_are_found(host):
    host.install()
    text = host.settings.read_text()
    data = json.loads(text)
    data["disableAllHooks"] = True
    data["hooks"]["Stop"][0]["hooks"][0]["command"] = "/nowhere/python"
    host.settings.write_text(json.dumps(data))

    code, found = checks(host)

    said = " ".join(check["says"] for check in found)
    assert code == 1
    assert "disableAllHooks" in said
    assert "/nowhere/python" in said

    host.settings.write_text(text + "// mine")
    _, found = checks(host)
    assert any("is not valid JSON" in check["says"] for check in found)
