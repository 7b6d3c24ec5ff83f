"""Whatever state.db, the home or the disk are like: the session goes on, and nothing is lost."""

import ctypes
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ace_reflect.state.db import VERSION, open_state
from support.hooks import HOOKS, SCRIPTS, Host
from support.stops import Session, python_project

POINT = {"name": "pat-001", "text": "Run the tests.", "helpful": 1, "harmful": 0}


@pytest.fixture
def ready(host: Host) -> Host:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    return host


def spoil(home: Path, how: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    database = home / "state.db"
    if how == "garbage":
        database.write_bytes(b"this is no database\n" * 1000)
    elif how == "empty":
        database.touch()
    elif how == "newer":
        open_state(str(home)).close()
        connection = sqlite3.connect(database)
        connection.execute(f"PRAGMA user_version = {VERSION + 7}")
        connection.close()
    elif how == "a folder":
        database.mkdir()
        (database / "x").touch()
    elif how == "a broken page":
        open_state(str(home)).close()
        data = bytearray(database.read_bytes())
        data[4096:] = b"\xaa" * (len(data) - 4096)
        database.write_bytes(bytes(data))
    elif how == "a missing table":
        open_state(str(home)).close()
        connection = sqlite3.connect(database)
        connection.execute("DROP TABLE sessions")
        connection.commit()
        connection.close()


@pytest.mark.parametrize("event", list(SCRIPTS))
@pytest.mark.parametrize(
    "how", ["garbage", "empty", "newer", "a folder", "a broken page", "a missing table"]
)
def test_a_state_that_cannot_be_used_stops_nobody(event: str, how: str, ready: Host) -> None:
    spoil(ready.home, how)
    ready.transcript().write_text("{}\n")
    answered = ready.hook(event, prompt="hello", source="startup")
    assert (answered.code, answered.stderr) == (0, "")
    assert isinstance(answered.json, dict)
    ready.wait_for_workers()


@pytest.mark.parametrize("how", ["garbage", "a broken page"])
def test_after_a_corrupt_state_was_set_aside_the_same_prompt_is_answered(
    how: str, ready: Host
) -> None:
    spoil(ready.home, how)
    assert "pat-001" in ready.prompt("hello").context
    assert len(list(ready.home.glob("state.db.corrupt-*"))) >= 1


@pytest.mark.parametrize("how", ["newer", "a folder"])
def test_without_a_state_the_first_prompt_of_a_session_still_gets_its_key_points(
    how: str, ready: Host
) -> None:
    spoil(ready.home, how)
    assert "pat-001" in ready.prompt("hello").context
    ready.transcript().write_text("{}\n")
    assert ready.prompt("and now").context == "", "what cannot be remembered is not said twice"


@pytest.mark.parametrize(
    "kept", [b"\xff", b"[]", b'{"scopes": [1]}', b'{"scopes": [{}], "gone": 1}']
)
def test_project_facts_that_cannot_be_read_are_read_anew(kept: bytes, host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    first = session.stop_hook()
    with host.state() as state:
        assert state.run("UPDATE cache SET value = ? WHERE kind = 'project'", (kept,)) == 1
        state.run("DELETE FROM prompts")

    again = session.ask("Fix the parser").code().stop_hook()

    assert again.json["decision"] == first.json["decision"] == "block"


def test_a_locked_state_costs_the_wait_and_no_more(ready: Host) -> None:
    open_state(str(ready.home)).close()
    ready.transcript().write_text("{}\n")
    with open_state(str(ready.home)) as holder:
        holder.connection.execute("BEGIN IMMEDIATE")
        answered = ready.hook("SessionEnd", reason="other")
    assert (answered.code, answered.stdout) == (0, "")
    assert ready.hook("SessionEnd", reason="other").code == 0
    with ready.state() as state:
        assert len(state.all("SELECT id FROM jobs")) == 1
    ready.wait_for_workers()


def _without_roots_powers() -> None:
    """Root writes through modes by two capabilities; without them in the bounding set, an exec leaves them behind."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            assert libc.prctl(24, capability, 0, 0, 0) == 0  # PR_CAPBSET_DROP


@pytest.mark.parametrize("event", list(SCRIPTS))
def test_a_home_that_cannot_be_written_stops_nobody(event: str, ready: Host) -> None:
    ready.home.mkdir(parents=True)
    ready.home.chmod(0o555)
    script = Path(__file__).parents[2] / "hooks" / SCRIPTS[event]
    done = subprocess.run(
        [sys.executable, "-I", str(script)],
        input=json.dumps(ready.payload(event, prompt="hello", source="startup")).encode(),
        capture_output=True,
        env=ready.environment(),
        preexec_fn=_without_roots_powers,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert isinstance(json.loads(done.stdout or b"{}"), dict)
    assert ("pat-001" in done.stdout.decode()) == (event == "UserPromptSubmit")
    assert list(ready.home.iterdir()) == []


def test_a_full_disk_stops_nobody(ready: Host) -> None:
    """`RLIMIT_FSIZE`: a write of a file fails or is cut short, a module's compiled form too."""
    code = (
        "import resource, signal, runpy, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "runpy.run_path(sys.argv[1], run_name='__main__')\n"
    )
    script = Path(__file__).parents[2] / "hooks" / "user_prompt_submit.py"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(script)],
        input=json.dumps(ready.payload("UserPromptSubmit", prompt="hello")).encode(),
        capture_output=True,
        env=ready.environment(),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "pat-001" in done.stdout.decode()


def test_a_reader_that_is_gone_is_no_failure(ready: Host) -> None:
    script = Path(__file__).parents[2] / "hooks" / "user_prompt_submit.py"
    process = subprocess.Popen(
        [sys.executable, "-I", str(script)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ready.environment(),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(json.dumps(ready.payload("UserPromptSubmit", prompt="hello")).encode())
    process.stdin.close()
    assert process.wait(30) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize("event", list(SCRIPTS))
def test_a_relative_home_below_a_folder_that_is_gone_stops_nobody(
    event: str, host: Host, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$0" && exec "$1" -I "$2"', str(gone), sys.executable, str(HOOKS / SCRIPTS[event])],
        input=json.dumps(host.payload(event)), capture_output=True, text=True, cwd=gone, check=False, timeout=60,
        env=host.environment(ACE_REFLECT_HOME="relative/home"),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_locale_without_unicode_still_gets_its_key_points_whole(ready: Host) -> None:
    ready.write_playbook({"OTHERS": [{**POINT, "name": "oth-001", "text": "Größe → 😀"}]})
    answered = ready.hook(
        "UserPromptSubmit",
        prompt="hello",
        env={"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
    )
    assert "Größe → 😀" in answered.context
