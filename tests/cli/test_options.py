"""The same mistake gets the same answer from every command: paths, ids, groups, words that are mistyped."""

import os

import pytest

from support.cli import Ace
from support.transcripts import TranscriptBuilder

OF_A_PROJECT = "status|config show|config|trust --yes|doctor|skip|playbook|playbook list|playbook add x|playbook promote pat-001|install --yes --dry-run|uninstall --dry-run|run s.jsonl|check s.jsonl"


@pytest.mark.parametrize("name", ["nowhere", "a-file"])
@pytest.mark.parametrize("command", OF_A_PROJECT.split("|"))
def test_a_project_that_is_not_there_is_an_error(ace: Ace, command: str, name: str) -> None:
    (ace.host.project / "a-file").write_text("")
    (ace.host.project / "s.jsonl").write_text("")

    said = ace(*command.split(), "--project", name)

    assert (said.code, said.out) == (2, "")
    assert f"'{name}'" in said.err
    assert f"'{name}'" in ace(*command.split(), "--project", name, "--json").json["error"]
    assert "''" in ace(*command.split(), "--project", "").err, "as in `--project $UNSET`"
    assert not (ace.host.project / "nowhere").exists()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("run nowhere.jsonl", "does not exist"),
        ("run .", "no Claude Code transcript"),
        ("check empty", "no transcript"),
        ("run pipe", "no transcript"),
        ("check /dev/zero", "no transcript"),
        ("playbook import /dev/zero", "no playbook is"),
        ("playbook list --user --playbook x", "cannot be combined"),
        ("review accept 7", "no key point 7 waits"),
        (f"review accept {2**63}", str(2**63)),
        ("queue drop 7", "no job 7"),
        ("skip --session ffff", "no sessions whose id begins"),
        ("trust", "there is no file to trust"),
        ("eval stuck --model anthropic/x", "no key"),
        ("eval stuck --model nobody/x", "no provider is called"),
        ("run a-file --model foo", "a model is written provider/model"),
        ("run a-file --model foo/bar", "no provider is called"),
        ("run a-file --offline --model anthropic/x", "cannot be combined"),
    ],
)
def test_what_is_not_there_or_is_something_else_is_an_error(ace, command, says):
    (ace.host.project / "a-file").write_text("")
    (ace.host.project / "x.jsonl").write_text("hello\n")
    (ace.host.project / "empty").mkdir()
    os.mkfifo(ace.host.project / "pipe")

    said, as_json = ace(*command.split()), ace(*command.split(), "--json")

    assert (said.code, as_json.code) == (2, 2)
    assert says in " ".join(said.err.split())
    assert command == "run ." or says in " ".join(as_json.json["error"].split())


NO_TRANSCRIPTS = {b"": "is empty", b"\x00\x01" * 99: "binary"}
NO_TRANSCRIPTS |= dict.fromkeys((b"hello\n", b"[1, 2]\n", b'{"name": "a package"}\n'), "no Claude Code transcript")  # fmt: skip


@pytest.mark.parametrize(("content", "why"), NO_TRANSCRIPTS.items())
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_file_that_is_no_transcript_is_told_why(ace, command, content, why):
    (ace.host.project / "x").write_bytes(content)

    said = ace(command, "x")

    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert why in said.err
    assert why in ace(command, "x", "--json").json["error"]


def test_a_link_to_a_transcript_is_a_transcript_and_a_pipe_can_be_imported(ace: Ace) -> None:
    path = TranscriptBuilder().prompt("hello").say("hi").write(ace.host.project / "s.jsonl")
    (ace.host.project / "link.jsonl").symlink_to(path)
    assert ace("check", ace.host.project / "link.jsonl").code == 0

    reading, writing = os.pipe()
    os.write(writing, b"[pat-001] helpful=3 harmful=0 :: run the tests\n")
    os.close(writing)
    said = ace("playbook", "import", f"/dev/fd/{reading}")
    os.close(reading)
    assert (said.code, said.out) == (0, "pat-001: run the tests (added to OTHERS)\n")


def test_a_named_project_comes_before_the_one_that_claude_code_names(ace, monkeypatch, tmp_path):
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(ace.host.project))
    (tmp_path / "named" / ".claude").mkdir(parents=True)
    (tmp_path / "named" / ".claude" / "reflection.yaml").write_text("max_attempts: 5\n")

    shown = ace("config", "show", "--project", tmp_path / "named", "--json").json["settings"]

    assert shown["max_attempts"]["value"] == 5
    ace("playbook", "add", "x", "--project", tmp_path / "named")
    assert (tmp_path / "named" / ".claude" / "playbook.json").exists()


@pytest.mark.parametrize("words", ["config show", "queue list", "review list", "playbook list"])
def test_a_group_without_a_word_lists_and_takes_the_lists_options(ace, words):
    group, word = words.split()
    assert ace(group) == ace(group, word)
    assert ace(group, "--json") == ace(group, word, "--json")


@pytest.mark.parametrize("words", ["--playbook other.json remove pref-001", "--user list"])
def test_an_option_that_stands_before_the_command_is_never_passed_over(ace, words):
    """Else `playbook --playbook other.json remove pref-001` would remove from the project's."""
    ace("playbook", "add", "of the project")

    assert ace("playbook", *words.split()).code == 2
    assert "of the project" in ace("playbook").out
