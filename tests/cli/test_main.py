"""The command's frame: exit codes, errors as one line or as JSON, help that costs nothing, any kind of output."""

import json
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ace_reflect.cli.main import COMMANDS, group
from support.cli import Ace
from support.programs import ran

ACE = str(Path(sys.executable).parent / "ace-reflect")
COMMAND = shlex.quote(ACE)


def shell(line: str, **options: object) -> "subprocess.CompletedProcess[str]":
    """A line of bash, as a person types it."""
    return ran("/bin/bash", "-c", line, **options)


@pytest.mark.parametrize("name", [None, "playbook", "review", "queue", *COMMANDS])
def test_no_line_of_any_help_is_wider_than_a_terminal_of_eighty_columns(name):
    """Examples are given line by line: nothing folds them."""
    result = CliRunner().invoke(group, [name, "--help"] if name else ["--help"], terminal_width=80)

    assert result.exit_code == 0, result.output
    assert [line for line in result.output.splitlines() if len(line) > 80] == []


def test_the_overview_names_every_command_and_imports_no_sdk():
    show = (
        "from ace_reflect.cli.main import main; main(['--help']); import sys; print(*sys.modules)"
    )
    shown = ran(sys.executable, "-c", show).stdout

    page, _, loaded = shown.rstrip().rpartition("\n")
    assert all(name in page for name in COMMANDS)
    assert {"anthropic", "pydantic", "rich", "yaml", "openai"}.isdisjoint(loaded.split())


def test_a_bug_of_ours_is_three_with_its_traceback_in_a_file(ace: Ace, monkeypatch):
    monkeypatch.setitem(COMMANDS, "status", ("main:no_such_attribute", ""))

    said = ace("status")

    assert (said.code, "bug of ours" in said.err) == (3, True)
    assert "no_such_attribute" in (ace.host.home / "crash.log").read_text()


@pytest.mark.parametrize("arguments", ["playbook", "--help"])
@pytest.mark.parametrize("output", ["| true; exit ${PIPESTATUS[0]}", ">&-", "2>&-", ">&- 2>&-"])
def test_an_output_that_is_closed_is_no_failure(arguments, output):
    done = shell(f"{COMMAND} {arguments} {output}")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is Linux's")
@pytest.mark.parametrize("arguments", ["playbook", "--help", "playbook --json"])
def test_a_disk_that_is_full_where_the_output_goes_is_one_line_and_two(arguments):
    done = shell(f"{COMMAND} {arguments} >/dev/full")

    assert done.returncode == 2
    assert "the output cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("environ", "coloured"),
    [({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": ""}, True)],
)
def test_a_terminal_gets_colours_unless_the_person_wants_none(environ, coloured, tmp_path):
    ours, theirs = pty.openpty()
    clean = {"PATH": "/usr/bin:/bin", "TERM": "xterm", "HOME": str(tmp_path), **environ}
    subprocess.run([ACE, "doctor"], cwd=tmp_path, stdout=theirs, env=clean, check=False)

    assert (b"\x1b[" in os.read(ours, 4000)) is coloured
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("arguments", ["playbook", "status --json"])
def test_a_working_directory_that_was_deleted_is_no_bug_of_ours(arguments, tmp_path):
    gone = tmp_path / "worktree"
    gone.mkdir()

    done = shell(f"rmdir {shlex.quote(str(gone))} && exec {ACE} {arguments}", cwd=gone)

    assert done.returncode == 2
    assert "the folder that you are in is no longer there" in done.stdout + done.stderr
    assert "bug" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_what_a_terminal_cannot_show_is_no_crash_and_json_is_whole(encoding, tmp_path):
    """Half an emoji, that somebody's program cut, among letters that few encodings know."""
    text = "→ ship it \ud83d, schnöde 日本"
    book = tmp_path / "book.json"
    book.write_text(json.dumps({"key_points": [{"name": "oth-001", "text": text}]}))
    environ = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    environ["HOME"] = str(tmp_path)

    for words in ("list", "list --json", "export"):
        command = [ACE, "playbook", *words.split(), "--playbook", str(book)]
        done = subprocess.run(command, env=environ, capture_output=True, check=True)
        assert b"ship it" in done.stdout
        if words != "list":
            assert repr(text) in repr(json.loads(done.stdout))
