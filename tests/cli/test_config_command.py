"""`ace-reflect config show` and `trust`, as their reader sees them."""

import os
import pty
import subprocess
import sys
from contextlib import suppress

import pytest

from ace_reflect.settings import GATES
from support.cli import Ace


@pytest.fixture(autouse=True)
def _home_is_there(ace: Ace) -> None:
    ace.host.home.mkdir(parents=True, exist_ok=True)


def rows(page: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in page.splitlines() if line.strip()}


def test_each_setting_has_its_source_and_the_files_are_named_below(ace: Ace) -> None:
    (ace.host.home / "reflection.yaml").write_text("max_attempts: 2\nenabled: true\n")
    (ace.host.project / ".claude" / "reflection.yaml").write_text("# ours\ngates: {tests: off}\n")

    page = ace("config", "show").out

    found = rows(page)
    assert found["max_attempts"] == ["2", "user:1"]
    assert found["enabled"] == ["true", "user:2"]
    assert found["gates.tests"] == ["off", "project:2"]
    assert found["routing.enabled"] == ["false", "default"]
    assert found["project"] == [".claude/reflection.yaml"]
    assert found["user"][0].endswith("reflection.yaml")
    assert all(len(line) <= 80 for line in page.splitlines() if not line.startswith("user"))


def test_a_file_that_is_not_there_yet_is_named_all_the_same(ace: Ace) -> None:
    page = ace("config").out

    assert page.count("(not there yet)") == 2
    assert rows(page)["project"][0] == ".claude/reflection.yaml"


def test_json_keeps_the_whole_source(ace: Ace) -> None:
    path = ace.host.home / "reflection.yaml"
    path.write_text("max_attempts: 2\n")

    body = ace("config", "--json").json

    assert body["schema"] == "ace-reflect/config/1"
    assert body["files"]["user"] == str(path)
    assert body["settings"]["max_attempts"] == {"value": 2, "source": f"user: {path}:1"}


def test_an_endpoint_is_shown_as_it_is_written(ace: Ace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    (ace.host.home / "reflection.yaml").write_text("endpoints: {own: {base_url: 'http://x/v1'}}\n")

    assert "{own: {base_url: 'http://x/v1'}}" in " ".join(ace("config").out.split())


@pytest.mark.parametrize(
    ("width", "first"), [("40", "enabled  true  default"), ("60", "setting "), ("80", "setting ")]
)
def test_no_value_is_cut_into_pieces_where_the_terminal_is_narrow(
    ace: Ace, monkeypatch, width: str, first: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)

    page = ace("config").out

    assert page.startswith(first)
    assert "background" in page.split()


def test_a_setting_that_waits_for_trust_is_said(ace: Ace) -> None:
    path = ace.host.project / ".claude" / "reflection.yaml"
    path.write_text("assess: {daily_tokens: 5}\n")

    said = ace("config")
    shown = ace("trust", "--yes").err

    assert "not in force before you run `ace-reflect trust`" in " ".join(said.err.split())
    assert shown.splitlines()[0] == "   1  assess: {daily_tokens: 5}"
    assert shown.splitlines()[1].startswith("Trusted: ")
    assert rows(ace("config").out)["assess.daily_tokens"] == ["5", "project:1"]


def test_a_password_in_an_endpoints_address_is_not_shown(ace: Ace) -> None:
    ace.host.home.mkdir(parents=True, exist_ok=True)
    (ace.host.home / "reflection.yaml").write_text(
        "endpoints: {x: {base_url: 'http://bob:hunter2@127.0.0.1/v1'}}\n"
    )

    for said in (ace("config", "show"), ace("config", "show", "--json")):
        assert "http://127.0.0.1/v1" in said.out
        assert "hunter2" not in said.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nope: 1\n", "known there: assess, enabled, endpoints, fast_models, gates, injection, learning, max_attempts, models,"),
        ("gates: {zzzz: warn}\n", f"known there: {', '.join(sorted(GATES))}"),
        ("gats: {tests: warn}\n", "did you mean `gates`?"),
    ],
)  # fmt: skip
def test_a_key_that_there_is_not_is_told_with_those_that_there_are(
    ace: Ace, text: str, said: str
) -> None:
    """`config show` cannot be the way out: it stops at the same key."""
    path = ace.host.project / ".claude" / "reflection.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)

    assert said in ace("config", "show").err


def test_trust_that_was_never_given_is_not_told_as_taken_back(ace: Ace) -> None:
    path = ace.host.project / ".claude" / "reflection.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("workflow: local\n")

    assert ace("trust", "--revoke").err.startswith("Was not trusted")
    ace("trust", "--yes")
    assert ace("trust", "--revoke").err.startswith("No longer trusted")


def trusted(ace: Ace) -> bool:
    with ace.host.state() as state:
        return bool(state.all("SELECT 1 FROM trust"))


def test_where_nobody_can_be_asked_nothing_is_trusted(ace: Ace) -> None:
    (ace.host.project / ".claude" / "reflection.yaml").write_text("notify: {command: sh evil.sh}\n")

    said = ace("trust")

    assert said.code == 1
    assert "sh evil.sh" in said.err
    assert "`ace-reflect trust --yes`" in said.err
    assert not trusted(ace)
    assert ace("trust", "--yes").code == 0
    assert trusted(ace)


@pytest.mark.parametrize(
    ("typed", "meanwhile", "said", "trusts"),
    [
        ("y", "", "Trusted: ", True),
        ("n", "", "your answer was no; nothing was changed", False),
        ("", "", "your answer was no; nothing was changed", False),
        (
            "y",
            "notify: {command: sh evil.sh}\n",
            "changed while it was shown; run `ace-reflect trust` again",
            False,
        ),
    ],
    ids=["yes", "no", "neither", "yes to another file"],
)
def test_at_a_terminal_a_person_is_shown_the_file_and_asked(
    ace: Ace, typed: str, meanwhile: str, said: str, *, trusts: bool
) -> None:
    file = ace.host.project / ".claude" / "reflection.yaml"
    file.write_text("models: [claude-code/sonnet]\n")
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "ace_reflect.cli.main", "trust"]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ace.host.project
    ) as asked:
        os.close(theirs)
        shown = b""
        while b"[y/N]" not in shown:
            shown += os.read(mine, 4096)
        if meanwhile:
            file.write_text(meanwhile)
        os.write(mine, f"{typed}\n".encode())
        with suppress(OSError):  # the other side is closed
            while part := os.read(mine, 4096):
                shown += part
    os.close(mine)

    assert b"models: [claude-code/sonnet]" in shown
    assert said in " ".join(shown.decode().split())
    assert trusted(ace) is trusts
    assert asked.returncode == (0 if trusts else 1)
