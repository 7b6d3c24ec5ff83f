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
