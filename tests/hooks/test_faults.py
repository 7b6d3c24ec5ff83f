"""Whatever state.db or the machine are like: the session goes on, and nothing is lost."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ace_reflect.state.db import VERSION, open_state
from support.hooks import HOOKS, SCRIPTS, Host
from support.stops import Session, python_project

POINT = {"name": "oth-001", "text": "Größe → 😀", "helpful": 1, "harmful": 0}


@pytest.fixture
def ready(host: Host) -> Host:
    host.write_playbook({"OTHERS": [POINT]})
    return host


def spoil(home: Path, how: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    database = home / "state.db"
    if how == "a folder":
        database.mkdir()
        (database / "x").touch()
        return
    if how == "garbage":
        database.write_bytes(b"this is no database\n" * 1000)
        return
    open_state(str(home)).close()
    if how == "empty":
        database.write_bytes(b"")
    elif how == "a broken page":
        data = database.read_bytes()
        database.write_bytes(data[:4096] + b"\xaa" * (len(data) - 4096))
    else:
        does = {
            "newer": f"PRAGMA user_version = {VERSION + 7}",
            "a table less": "DROP TABLE sessions",
        }
        with sqlite3.connect(database) as connection:
            connection.execute(does[how])


STATES = ["garbage", "empty", "newer", "a folder", "a broken page", "a table less"]


@pytest.mark.parametrize("how", STATES)
def test_a_state_that_cannot_be_used_stops_nobody(how: str, ready: Host) -> None:
    spoil(ready.home, how)
    session = Session(python_project(ready)).prompt("Fix the parser").edit("src/app.py")
    session.say("Done.").write()
    healed = how in {"garbage", "empty", "a broken page"}

    said = {
        event: ready.hook(event, prompt="hello", source="startup", last_assistant_message="Done.")
        for event in SCRIPTS
    }

    assert {(each.code, each.stderr) for each in said.values()} == {(0, "")}
    assert ("oth-001" in said["UserPromptSubmit"].context) is healed
    assert bool(list(ready.home.glob("state.db.corrupt-*"))) is (healed and how != "empty")
    errors = {row["error"] for row in ready.log() if "error" in row}
    assert errors <= {"StateError", "OperationalError"}
    ready.wait_for_workers()


@pytest.mark.parametrize(
    "kept", [b"\xff", b"[]", b'{"scopes": [1]}', b'{"scopes": [{}], "gone": 1}']
)
def test_project_facts_that_cannot_be_read_are_read_anew(kept: bytes, host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    session.stop_hook()
    with host.state() as state:
        assert state.run("UPDATE cache SET value = ? WHERE kind = 'project'", (kept,)) == 1

    assert session.ask("Fix the lexer").code().stop_hook().json["decision"] == "block"


def test_a_locked_state_costs_the_wait_and_no_more(ready: Host) -> None:
    ready.transcript().write_text("{}\n")
    with open_state(str(ready.home)) as holder:
        holder.connection.execute("BEGIN IMMEDIATE")
        answered = ready.hook("SessionEnd", reason="other")
    assert (answered.code, answered.stdout) == (0, "")
    assert ready.hook("SessionEnd", reason="other").code == 0
    with ready.state() as state:
        assert len(state.all("SELECT id FROM jobs")) == 1
    ready.wait_for_workers()


def test_a_reader_that_is_gone_is_no_failure(ready: Host) -> None:
    process = subprocess.Popen(
        [sys.executable, "-I", str(HOOKS / "user_prompt_submit.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ready.environment(),
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    data = json.dumps(ready.payload("UserPromptSubmit", prompt="hello")).encode()
    assert process.communicate(data, timeout=30)[1] == b""
    assert process.returncode == 0


def test_a_relative_home_below_a_folder_that_is_gone_stops_nobody(
    host: Host, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$0" && exec "$1" -I "$2"', str(gone), sys.executable, str(HOOKS / "stop.py")],
        input=json.dumps(host.payload("Stop")), capture_output=True, text=True, cwd=gone, check=False, timeout=60,
        env=host.environment(ACE_REFLECT_HOME="relative/home"),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_locale_without_unicode_still_gets_its_key_points_whole(ready: Host) -> None:
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    assert "Größe → 😀" in ready.prompt("hello", env=plain).context
