"""The same mistake gets the same answer from every command."""

import json
import os
import subprocess
import sys

import pytest

from ace_reflect.state import sessions
from support.cli import Ace
from support.transcripts import TranscriptBuilder

OF_A_PROJECT = [
    "status",
    "config show",
    "config",
    "trust --yes",
    "doctor",
    "skip",
    "playbook",
    "playbook list",
    "playbook add x",
]
OF_A_PROJECT += [
    "playbook promote pat-001",
    "install --yes --dry-run",
    "uninstall --dry-run",
    "review list",
]
OF_A_PROJECT += ["run s.jsonl", "check s.jsonl"]


@pytest.mark.parametrize("name", ["nowhere", "a-file"])
@pytest.mark.parametrize("command", OF_A_PROJECT)
def test_a_project_that_is_not_there_is_an_expected_failure(
    ace: Ace, command: str, name: str
) -> None:
    (ace.host.project / "a-file").write_text("")
    (ace.host.project / "s.jsonl").write_text("")

    said = ace(*command.split(), "--project", ace.host.project / name)

    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(f"ace-reflect: {ace.host.project / name}: ")
    assert "folder" in said.err
    assert "no such folder" in ace(*command.split(), "--project", "nowhere", "--json").json["error"]
    assert not (ace.host.project / "nowhere").exists()


@pytest.mark.parametrize(
    "command",
    [
        "run nowhere.jsonl",
        "check nowhere.jsonl",
        "playbook import nowhere.jsonl",
        "eval judge --replay nowhere.jsonl",
    ],
)
def test_a_file_that_is_not_there_is_an_expected_failure(ace: Ace, command: str) -> None:
    said = ace(*command.split())

    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("ace-reflect: nowhere.jsonl: ")
    assert "no such file" in said.err.lower()
    assert "no such file" in ace(*command.split(), "--json").json["error"].lower()


@pytest.mark.parametrize(
    "command",
    [
        "playbook import .",
        "playbook list --playbook .",
        "playbook export -o .",
        "run s.jsonl --playbook .",
    ],
)
def test_a_folder_for_a_file_is_an_expected_failure(ace: Ace, command: str) -> None:
    said = ace(*command.split())

    assert (said.code, said.out) == (1, "")
    assert ".: is a folder; name a file in it" in said.err


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"\x00\x01" * 99, "binary"),
        (b"hello\n", "no line of it is a session's"),
        (b"# A page\n\nof Markdown.\n", "no line of it is a session's"),
        (b'{"name": "a package"}\n', "no line of it is a session's"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_file_that_is_no_transcript_is_told_why(
    ace: Ace, command: str, content: bytes, why: str
) -> None:
    (ace.host.project / "x").write_bytes(content)

    assert why in ace(command, "x").err
    assert why in ace(command, "x", "--json").json["error"]


@pytest.mark.parametrize("command", ["config", "queue", "review", "playbook"])
def test_a_group_without_a_word_lists(ace: Ace, command: str) -> None:
    word = "show" if command == "config" else "list"

    assert ace(command) == ace(command, word)
    assert ace(command, "--json") == ace(command, word, "--json")


def test_a_project_that_is_named_comes_before_the_one_that_claude_code_names(
    ace: Ace, monkeypatch, tmp_path
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(ace.host.project))
    (tmp_path / "named" / ".claude").mkdir(parents=True)
    (tmp_path / "named" / ".claude" / "reflection.yaml").write_text("max_attempts: 5\n")

    shown = ace("config", "show", "--project", tmp_path / "named", "--json").json["settings"]

    assert shown["max_attempts"]["value"] == 5
    ace("playbook", "add", "x", "--project", tmp_path / "named")
    assert (tmp_path / "named" / ".claude" / "playbook.json").exists()


def test_trust_without_a_terminal_says_how(ace: Ace) -> None:
    (ace.host.project / ".claude" / "reflection.yaml").write_text("max_attempts: 5\n")

    said = ace("trust")

    assert said.code == 1
    assert said.err.endswith("then `ace-reflect trust --yes`\n")


@pytest.mark.parametrize("command", ["run x", "check x", "playbook import x", "check folder"])
def test_what_may_not_be_read_is_an_expected_failure(ace: Ace, command: str) -> None:
    (ace.host.project / "x").write_text("{}")
    (ace.host.project / "folder").mkdir()
    for name in ("x", "folder"):
        (ace.host.project / name).chmod(0)
    # Root reads through modes, but for a root that has given that up.
    given_up = "-dac_override,-dac_read_search"
    weak = (
        ["setpriv", f"--bounding-set={given_up}", f"--inh-caps={given_up}"]
        if os.geteuid() == 0
        else []
    )

    said = subprocess.run(
        [*weak, sys.executable, "-m", "ace_reflect.cli.main", *command.split(), "--json"],
        capture_output=True,
        check=False,
    )
    (ace.host.project / "folder").chmod(0o700)

    assert (said.returncode, said.stderr) == (1, b"")
    assert "Permission denied" in json.loads(said.stdout)["error"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "the name of the file is empty"),
        ("a-file/x.jsonl", "no such file"),
        ("n" * 300, "File name too long"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check", "playbook import"])
def test_a_name_that_can_lead_nowhere_is_an_expected_failure(
    ace: Ace, command: str, name: str, says: str
) -> None:
    (ace.host.project / "a-file").write_text("")

    said = ace(*command.split(), name)

    assert (said.code, said.out) == (1, "")
    assert says in said.err
    assert says in ace(*command.split(), name, "--json").json["error"]


@pytest.mark.parametrize("command", ["run --dry-run", "check"])
def test_a_name_of_several_lines_takes_one(ace: Ace, command: str) -> None:
    for name in ("one\nand two.jsonl", "three.jsonl"):
        TranscriptBuilder(ace.host.project / name, cwd=str(ace.host.project)).prompt("hi").say(
            "Hello."
        ).write()

    assert "\nand two" not in ace(*command.split(), ".").out


@pytest.mark.parametrize(
    "command",
    [
        "config",
        "doctor",
        "skip --session 65f6",
        "install --dry-run",
        "uninstall --dry-run",
        "trust --yes",
    ],
)
def test_json_names_its_form(ace: Ace, command: str) -> None:
    (ace.host.project / ".claude" / "reflection.yaml").write_text("max_attempts: 5\n")
    with ace.host.state() as state:
        sessions.touch(state, "65f68b31", project=str(ace.host.project))

    assert (
        ace(*command.split(), "--json").json["schema"]
        == f"ace-reflect/{command.split(maxsplit=1)[0]}/1"
    )


@pytest.mark.parametrize(
    "command", ["review accept", "review reject", "review edit", "queue retry", "queue drop"]
)
@pytest.mark.parametrize("number", [7, 2**63 - 1, 2**63, 10**40])
def test_a_number_that_no_row_has_is_unknown_however_large_it_is(
    ace: Ace, command: str, number: int
) -> None:
    text = ["a new text"] if command.endswith("edit") else []

    said = ace(*command.split(), number, *text)

    assert (said.code, said.out) == (1, "")
    assert str(number) in said.err
    assert "unknown" in said.err
    assert str(number) in ace(*command.split(), number, *text, "--json").json["error"]


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("playbook list --playbook", "file"),
        ("playbook import", "file"),
        ("status --project", "folder"),
        ("run", "file"),
    ],
)
def test_an_empty_name_is_called_that(ace: Ace, command: str, what: str) -> None:
    """As in `--project "$UNSET"`: it is neither the working directory nor a name of nothing."""
    said = ace(*command.split(), "")

    assert (said.code, said.err) == (1, f"ace-reflect: the name of the {what} is empty\n")


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_transcript_that_can_be_read_only_once_or_never_ends_is_refused(
    ace: Ace, command: str, kind: str
) -> None:
    path = ace.host.project / "pipe"
    os.mkfifo(path)

    said = ace(command, path if kind == "pipe" else "/dev/zero")

    assert (said.code, said.out) == (1, "")
    assert "is no file but a pipe or a device" in said.err


def test_a_link_to_a_transcript_is_a_transcript(ace: Ace) -> None:
    path = TranscriptBuilder().prompt("hello").say("hi").write(ace.host.project / "s.jsonl")
    (ace.host.project / "link.jsonl").symlink_to(path)

    assert ace("check", ace.host.project / "link.jsonl").code == 0


def test_what_is_imported_has_an_end_and_may_come_through_a_pipe(ace: Ace) -> None:
    assert "no playbook is; nothing was taken in" in ace("playbook", "import", "/dev/zero").err

    reading, writing = os.pipe()
    os.write(writing, b"[pat-001] helpful=3 harmful=0 :: run the tests\n")
    os.close(writing)
    said = ace("playbook", "import", f"/dev/fd/{reading}")
    os.close(reading)
    assert (said.code, said.err) == (0, "1 added, 0 there already\n")


def test_an_export_replaces_no_pipe_and_no_device(ace: Ace) -> None:
    pipe = ace.host.project / "pipe"
    os.mkfifo(pipe)

    said = ace("playbook", "export", "--force", "-o", pipe)

    assert said.code == 1
    assert "leave -o out to write to stdout" in said.err
    assert pipe.is_fifo()
    assert ace("playbook", "export", "--force", "-o", ace.host.project / "file").code == 0


def test_two_ways_to_say_which_change_are_not_both_taken(ace: Ace) -> None:
    ace("playbook", "add", "use uv")

    assert ace("playbook", "undo", "1", "--session", "abcd").code == 2
    assert ace("playbook", "undo", "1").code == 0


@pytest.mark.parametrize(
    ("blocked", "command"),
    [
        ("log.jsonl", "log"),
        ("history", "playbook history"),
        ("history", "playbook undo"),
        (".claude/reflection.yaml", "trust --yes"),
    ],
)
def test_what_cannot_be_read_is_not_told_as_empty(ace: Ace, blocked: str, command: str) -> None:
    ace("playbook", "add", "use uv")
    (folder,) = (ace.host.home / "history").iterdir()
    path = {"history": folder, "log.jsonl": ace.host.home / "log.jsonl"}.get(
        blocked, ace.host.project / blocked
    )
    if path.is_dir():
        path.rename(ace.host.root / "elsewhere")
        path.write_text("a file in the place of a folder")
    else:
        path.mkdir(parents=True)

    said = ace(*command.split())

    assert (said.code, said.out) == (1, "")
    assert str(path) in said.err
    assert "cannot" in said.err
    assert str(path) in ace(*command.split(), "--json").json["error"]
