"""A state.db that is corrupt, locked or newer, for commands and the worker; a worker that hangs; many sessions at once."""

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ace_reflect.state import jobs
from ace_reflect.state.db import VERSION, open_state
from support import figures
from support.faults import DEAD, POINT, begun, counted, enqueue, session_of, settled, sound
from support.hooks import Host

HOOKS = Path(__file__).parents[2] / "hooks"
COMMANDS = [
    ("playbook", "add", "A rule."), ("playbook", "list"), ("playbook", "why", "pat-001"),
    ("playbook", "stats"), ("status",), ("queue", "list"), ("queue", "run"), ("review", "list"),
    ("log",), ("log", "--cost"), ("skip",), ("config", "show"), ("trust", "--revoke"),
]  # fmt: skip


def spoil(host: Host, how: str) -> bytes:
    database = host.home / "state.db"
    if how == "garbage":
        database.write_bytes(b"this is no database\n" * 1000)
    elif how == "newer":
        connection = sqlite3.connect(database)
        connection.execute(f"PRAGMA user_version = {VERSION + 7}")
        connection.close()
    elif how == "cut off":
        open_state(str(host.home)).close()
        database.write_bytes(database.read_bytes()[:9000])
    elif how == "broken pages":
        open_state(str(host.home)).close()
        data = bytearray(database.read_bytes())
        data[4096:] = b"\xaa" * (len(data) - 4096)
        database.write_bytes(bytes(data))
    return database.read_bytes()


@pytest.mark.parametrize("how", ["garbage", "newer", "cut off", "broken pages"])
def test_a_command_says_in_one_line_what_is_wrong_with_the_state(how, host, nursery) -> None:
    enqueue(host, session_of(host, 1))
    spoiled = spoil(host, how)
    for arguments in COMMANDS:
        done = nursery.command(*arguments)
        assert done.code in {0, 1, 2}, (arguments, done.err)
        assert "bug of ours" not in done.err, (arguments, done.err)
    aside = list(host.home.glob("state.db.corrupt-*"))
    if how == "newer":
        assert (host.home / "state.db").read_bytes() == spoiled, (
            "what a newer program wrote is left alone"
        )
        assert nursery.worker().code == 0
        assert (host.home / "state.db").read_bytes() == spoiled
        assert aside == []
    else:
        assert spoiled in [path.read_bytes() for path in aside], "set aside, unchanged"
        sound(host)


def test_a_state_that_another_holds_costs_a_command_its_wait_and_no_more(host, nursery) -> None:
    enqueue(host, session_of(host, 1))
    with host.state() as holder:
        holder.connection.execute("BEGIN IMMEDIATE")
        done = nursery.command("skip", env={"ACE_REFLECT_HOME": str(host.home)})
        holder.connection.execute("ROLLBACK")
    assert done.code in {0, 1, 2}
    assert "bug of ours" not in done.err
    assert nursery.worker().code == 0
    assert counted(host) == (1, 1, 1)


def test_a_worker_that_stands_still_holds_nothing_that_a_session_needs(host, nursery) -> None:
    """Stopped in its work, as a laptop's sleep or a debugger does it: hooks and commands go on, and so does it."""
    for number in range(3):
        enqueue(host, session_of(host, 3, number))
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "ace_reflect.learning.worker"],
        env=host.environment(),
        start_new_session=True,
    )
    taken = False
    with host.state() as state:
        end = time.monotonic() + 20
        while not taken and time.monotonic() < end and process.poll() is None:
            taken = state.one("SELECT 1 FROM jobs WHERE state = 'running'") is not None
    process.send_signal(signal.SIGSTOP)
    try:
        for event, fields in (
            ("UserPromptSubmit", {"prompt": "hi"}),
            ("SessionEnd", {"reason": "other"}),
        ):
            done = nursery.hook(
                event, host.payload(event, session_id=session_of(host, 1, 9).session_id, **fields)
            )
            assert (done.code, done.err) == (0, "")
        assert nursery.worker().code == 0, "a second one sees the first"
    finally:
        process.send_signal(signal.SIGCONT)
    assert process.wait(60) == 0
    settled(host, nursery)
    assert counted(host) == (10, 10, 10)


@pytest.mark.parametrize("many", [8, pytest.param(64, marks=pytest.mark.long)])
def test_sessions_that_stop_and_end_in_the_same_second_are_all_judged_and_learned_from(
    many, host, nursery
) -> None:
    ends = [session_of(host, 1, number) for number in range(many)]
    with host.state() as state:
        for session in ends:
            state.run(
                "INSERT INTO sessions (id, project, transcript, process, started_at, seen_at) VALUES (?, ?, ?, ?, 0, 0)",
                (session.session_id, str(host.project), str(session.path), DEAD),
            )
    started = []
    for session in ends:
        own = {"session_id": session.session_id, "reason": "other"}
        stop = host.payload("Stop", last_assistant_message="Done.", **own)
        started += [begun(host, "stop.py", stop)]
        started += [begun(host, "session_end.py", host.payload("SessionEnd", **own))]
    for process in started:
        out, err = process.communicate(timeout=100)
        assert (process.returncode, err) == (0, b"")
        assert isinstance(json.loads(out or b"{}"), dict)
    host.wait_for_workers(100)
    settled(host, nursery)
    figures.add("hooks at the same moment", len(started))
    assert counted(host) == (many,) * 3
    sound(host)
    with host.state() as state:
        assert jobs.counts(state).keys() == {"done"}


def test_a_playbook_that_many_change_at_once_has_all_of_it(host: Host) -> None:
    """Workers, commands and a review at the same moment, through one lock."""
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    enqueue(host, session_of(host, 3))
    code = "import sys; from ace_reflect.cli.main import main; sys.exit(main(sys.argv[1:]))"
    started = [
        subprocess.Popen(
            [sys.executable, "-I", "-c", code, "playbook", "add", f"Rule number {number} of many."],
            env=host.environment(), cwd=host.project, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        for number in range(6)
    ]  # fmt: skip
    started.append(
        subprocess.Popen(
            [sys.executable, "-I", "-m", "ace_reflect.learning.worker"],
            env=host.environment(),
            stderr=subprocess.PIPE,
        )
    )
    for process in started:
        _, err = process.communicate(timeout=100)
        assert process.returncode == 0, err
    data = json.loads(host.playbook.read_text())
    assert len(data["sections"]["USER PREFERENCES"]) == 6
    assert counted(host) == (3, 3, 3)
