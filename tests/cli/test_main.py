"""The command's frame: exit codes, errors as one line or as JSON, help that costs nothing."""

import json
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ace_reflect.cli.main import COMMANDS, group, main

ACE = str(Path(sys.executable).parent / "ace-reflect")
COMMAND = f"{shlex.quote(sys.executable)} -m ace_reflect"  # for a shell


def ace(*arguments: str, **kwargs: object) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "import sys; from ace_reflect.cli.main import main; sys.exit(main())",
        *arguments,
    ]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, **kwargs
    )  # type: ignore[call-overload]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name):
    result = CliRunner().invoke(group, [name, "--help"])

    assert result.exit_code == 0, result.output
    assert f"ace-reflect {name}" in result.output


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_no_line_of_any_help_is_wider_than_a_terminal_of_eighty_columns(name):
    """Examples are given line by line: nothing folds them."""
    result = CliRunner().invoke(group, [name, "--help"] if name else ["--help"], terminal_width=80)

    assert [line for line in result.output.splitlines() if len(line) > 80] == []


def test_the_overview_names_every_command_and_imports_no_sdk():
    done = ace("--help")
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from ace_reflect.cli.main import main; main(['--help']); print(sorted(sys.modules), file=sys.stderr)",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stderr

    assert done.returncode == 0
    assert all(name in done.stdout for name in COMMANDS)
    assert not any(
        f"'{heavy}'" in loaded for heavy in ("anthropic", "pydantic", "rich", "yaml", "openai")
    )


def test_usage_errors_are_two():
    assert ace("no-such-command").returncode == 2
    assert ace("config", "show", "--nonsense").returncode == 2


def test_an_expected_failure_is_one_and_one_line(tmp_path: Path):
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "reflection.yaml").write_text("gats: 1\n")

    people = ace("config", "show", "--project", str(tmp_path))
    tools = ace("config", "show", "--project", str(tmp_path), "--json")

    assert (people.returncode, people.stdout) == (1, "")
    assert people.stderr.count("\n") == 1
    assert "reflection.yaml:1: unknown key `gats`" in people.stderr
    assert tools.returncode == 1
    assert "unknown key" in json.loads(tools.stdout)["error"]


def test_a_bug_of_ours_is_three_with_its_traceback_in_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ACE_REFLECT_HOME", str(tmp_path))
    monkeypatch.setitem(COMMANDS, "status", ("main:no_such_attribute", ""))

    assert main(["status"]) == 3
    assert "bug of ours" in capsys.readouterr().err
    assert "no_such_attribute" in (tmp_path / "crash.log").read_text()


@pytest.mark.parametrize(
    "arguments", ["config show", "config show --json", "--help", "playbook --help"]
)
def test_a_closed_pipe_is_no_failure(arguments):
    done = subprocess.run(
        f"{COMMAND} {arguments} | true; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("environ", "coloured"),
    [({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({}, True), ({"NO_COLOR": ""}, True)],
)
def test_a_terminal_gets_colours_unless_the_person_wants_none(environ, coloured, tmp_path):
    ours, theirs = pty.openpty()
    clean = {"PATH": "/usr/bin:/bin", "TERM": "xterm", "HOME": str(tmp_path)}
    subprocess.run(
        [ACE, "doctor"], cwd=tmp_path, stdout=theirs, env={**clean, **environ}, check=False
    )

    assert (b"\x1b[" in os.read(ours, 4000)) is coloured
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("arguments", ["config show", "--help", "config --json"])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_an_output_that_is_closed_from_the_start_is_no_failure(arguments, closed):
    done = subprocess.run(
        f"{COMMAND} {arguments} {closed}", shell=True, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("playbook",), "the folder that you are in is no longer there"),
        (("config", "show"), "the folder that you are in is no longer there"),
        (("check", "session.jsonl"), "session.jsonl: there is no such file"),
        (("status", "--json"), "the folder that you are in is no longer there"),
    ],
)
def test_a_working_directory_that_was_deleted_is_no_bug_of_ours(arguments, said, tmp_path):
    gone = tmp_path / "worktree"
    gone.mkdir()
    script = 'rmdir "$0" && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, str(gone), ACE, *arguments],
        cwd=gone,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert said in done.stdout + done.stderr
    assert "bug" not in done.stderr


def test_a_file_that_is_missing_by_our_fault_is_still_our_bug(tmp_path, monkeypatch, capsys):
    def lost(_name: str) -> None:
        raise FileNotFoundError(2, "No such file or directory", "prompts/lost.txt")

    monkeypatch.setenv("ACE_REFLECT_HOME", str(tmp_path))
    monkeypatch.setattr("ace_reflect.cli.main.import_module", lost)

    assert main(["status"]) == 3
    assert "lost.txt" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is Linux's")
@pytest.mark.parametrize("arguments", ["config show", "--help", "config show --json"])
def test_a_disk_that_is_full_where_the_output_goes_is_one_line_and_one(arguments):
    done = subprocess.run(
        f"{COMMAND} {arguments} >/dev/full",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "the output cannot be written" in done.stderr
    assert "Exception" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("typed", "meant"), [("chek", "check"), ("playbok", "playbook"), ("stat", "status")]
)
def test_a_command_that_is_mistyped_is_answered_with_the_nearest(typed, meant, capsys):
    assert main([typed]) == 2
    assert f"No such command '{typed}'. Did you mean '{meant}'?" in capsys.readouterr().err


def test_a_command_like_no_other_is_answered_with_none(capsys):
    assert main(["xyzzy"]) == 2
    assert "Did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "code"), [("--version", 0), ("--help", 0), ("bananas", 2)])
def test_the_package_run_as_a_module_is_the_command(arguments, code, tmp_path):
    command = [sys.executable, "-m", "ace_reflect", arguments]

    done = subprocess.run(
        command,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == code
    assert "ace-reflect" in (done.stderr if code else done.stdout)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "koi8-r", "ascii", "utf-8"])
def test_a_terminal_that_knows_few_letters_gets_its_page_and_json_is_whole(encoding, tmp_path):
    environ = {
        **os.environ, "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "HOME": str(tmp_path)
    }  # fmt: skip
    command = [sys.executable, "-m", "ace_reflect.cli.main"]
    add = [*command, "playbook", "add", "→ 文 ✓ é", "--user"]
    assert subprocess.run(add, env=environ, capture_output=True, check=False).returncode == 0

    page = subprocess.run(
        [*command, "playbook", "--user"], env=environ, capture_output=True, check=False
    )
    data = subprocess.run(
        [*command, "playbook", "--user", "--json"], env=environ, capture_output=True, check=False
    )

    assert (page.returncode, page.stderr) == (0, b"")
    assert b"pref-9001" in page.stdout
    assert json.loads(data.stdout)["playbooks"][0]["key_points"][0]["text"] == "→ 文 ✓ é"


@pytest.mark.parametrize(
    "command", [["list", "--json"], ["list"], ["show", "oth-001", "--json"], ["export"]]
)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_half_an_emoji_that_somebodys_program_cut_is_no_crash_and_json_stays_json(
    command, encoding, tmp_path
):
    (tmp_path / "book.json").write_text(
        r'{"key_points": [{"name": "oth-001", "text": "ship it \ud83d, schnöde 日本"}]}'
    )
    environ = {
        **os.environ, "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "HOME": str(tmp_path)
    }  # fmt: skip
    program = "import sys; from ace_reflect.cli.main import main; sys.exit(main())"

    done = subprocess.run(
        [
            sys.executable,
            "-c",
            program,
            "playbook",
            *command,
            "--playbook",
            str(tmp_path / "book.json"),
        ],
        env={**environ, "ACE_REFLECT_HOME": str(tmp_path / "home")},
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert b"ship it" in done.stdout
    if command != ["list"]:
        assert repr("ship it \ud83d, schnöde 日本") in repr(json.loads(done.stdout))
