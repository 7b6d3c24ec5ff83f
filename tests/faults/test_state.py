"""A state.db that is spoiled, locked or newer, for hooks, commands and the worker; a worker that hangs; many at once."""

import json
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from ace_reflect.state import jobs
from ace_reflect.state.db import VERSION
from support import figures
from support.faults import (
    COMMANDS,
    EVENTS,
    begun,
    counted,
    enqueue,
    known,
    session_of,
    settled,
    sound,
)
from support.stops import Session, python_project

HEALED = ("empty", "garbage", "cut off", "broken pages")


def spoil(home, how):
    """Make the state so; the bytes that it has then."""
    database = home / "state.db"
    data = database.read_bytes()
    if how in HEALED:
        spoiled = {
            "empty": b"",
            "garbage": b"this is no database\n" * 1000,
            "cut off": data[:9000],
            "broken pages": data[:4096] + b"\xaa" * (len(data) - 4096),
        }
        database.write_bytes(spoiled[how])
    elif how == "a folder":
        database.unlink()
        database.mkdir()
        (database / "x").touch()
        return b""
    else:
        newer = f"PRAGMA user_version = {VERSION + 7}"
        with sqlite3.connect(database) as connection:
            connection.execute(newer if how == "newer" else "DROP TABLE sessions")
        connection.close()
    return database.read_bytes()


@pytest.mark.parametrize("how", [*HEALED, "newer", "a folder", "a table less"])
def test_a_state_that_cannot_be_used_stops_nobody_and_a_command_says_what_is_wrong(
    how, host, nursery
):
    enqueue(host, session_of(host, 1))
    session = Session(python_project(host)).prompt("Fix the parser").edit("src/app.py")
    session.say("Done.").write()
    spoiled = spoil(host.home, how)

    said = {event: nursery.event(event, **fields) for event, fields in EVENTS.items()}
    for arguments in COMMANDS:
        done = nursery.command(*arguments)
        assert done.code in {0, 1, 2}, (arguments, done.err)
        assert "bug of ours" not in done.err, (arguments, done.err)
    assert nursery.worker().code == 0

    mended = how in (*HEALED, "a table less")
    assert ("pat-001" in said["UserPromptSubmit"].out) is mended
    errors = {row["error"] for row in host.log() if row["event"] in EVENTS and "error" in row}
    assert errors <= {"StateError", "OperationalError"}
    aside = [path.read_bytes() for path in host.home.glob("state.db.corrupt-*")]
    assert aside == [spoiled] * (how in HEALED and how != "empty"), "set aside, unchanged"
    if mended:
        sound(host)
    elif how == "newer":
        assert "newer ace-reflect" in nursery.command("playbook", "add", "A rule.").err
        assert (host.home / "state.db").read_bytes() == spoiled


@pytest.mark.parametrize("how", ["empty", "garbage", "cut off", "a page", "a table less"])
@pytest.mark.parametrize("first", ["UserPromptSubmit", "Stop", "SessionEnd", "worker", "status", "playbook", "queue", "doctor"])  # fmt: skip
def test_whoever_meets_a_broken_state_first_mends_it_and_no_turn_counts_twice(
    first, how, host, nursery
):
    session = session_of(host, 5)
    name = {"session_id": session.session_id}
    enqueue(host, session)
    assert nursery.worker().code == 0
    with host.state() as state:
        state.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = state.value("SELECT rootpage FROM sqlite_master WHERE name = 'turns'")
    if how == "a page":
        with open(host.home / "state.db", "r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(b"\xaa" * 4096)
    else:
        spoil(host.home, how)

    if first in EVENTS:
        nursery.event(first, **name, **EVENTS[first])
    else:
        met = nursery.worker() if first == "worker" else nursery.command(first)
        assert (met.code in {0, 1}, met.err) == (True, "")
    nursery.event("SessionEnd", reason="other", **name)
    assert nursery.worker().code == 0

    sound(host)
    assert host.counters("pat-001") == (5, 0), "the session was resumed and ended anew"
    with host.state() as state:
        assert jobs.counts(state).keys() <= {"done"}
    told = nursery.command("doctor").out
    assert ("was set aside" in told) is (how in {"garbage", "cut off", "a page"})


def test_a_state_that_another_holds_costs_a_hook_or_a_command_its_wait_and_no_more(host, nursery):
    name = session_of(host, 1).session_id
    with host.state() as holder:
        holder.connection.execute("BEGIN IMMEDIATE")
        assert nursery.event("SessionEnd", session_id=name, reason="other").out == ""
        done = nursery.command("skip")
        holder.connection.execute("ROLLBACK")
    assert done.code in {0, 1, 2}
    assert "bug of ours" not in done.err
    nursery.event("SessionEnd", session_id=name, reason="other")
    assert nursery.worker().code == 0
    assert counted(host) == (1, 1, 1)


def test_a_worker_that_stands_still_holds_nothing_that_a_session_needs(host, nursery):
    """Stopped in its work, as a laptop's sleep or a debugger does it: hooks and commands go on, and so does it."""
    for number in range(3):
        enqueue(host, session_of(host, 3, number))
    process = worker(host)
    with host.state() as state:
        end = time.monotonic() + 20
        while state.one("SELECT 1 FROM jobs WHERE state = 'running'") is None:
            assert time.monotonic() < end
    process.send_signal(signal.SIGSTOP)
    try:
        name = session_of(host, 1, 9).session_id
        nursery.event("UserPromptSubmit", prompt="hi", session_id=name)
        nursery.event("SessionEnd", reason="other", session_id=name)
        assert nursery.worker().code == 0, "a second one sees the first"
    finally:
        process.send_signal(signal.SIGCONT)
    assert process.wait(60) == 0
    settled(host, nursery)
    assert counted(host) == (10, 10, 10)


def worker(host):
    command = [sys.executable, "-I", "-m", "ace_reflect.learning.worker"]
    return subprocess.Popen(command, env=host.environment(), start_new_session=True)


@pytest.mark.parametrize("many", [6, pytest.param(64, marks=pytest.mark.long)])
def test_sessions_that_stop_and_end_in_the_same_second_are_all_judged_and_learned_from(
    many, host, nursery
):
    started = []
    for number in range(many):
        session = session_of(host, 1, number)
        with host.state() as state:
            known(state, session)
        own = {"session_id": session.session_id, "reason": "other"}
        stop = host.payload("Stop", last_assistant_message="Done.", **own)
        started.append(begun(host, "stop.py", stop))
        started.append(begun(host, "session_end.py", host.payload("SessionEnd", **own)))
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


def test_a_playbook_that_many_change_at_once_has_all_of_it(host, nursery):
    """A worker and commands at the same moment, through one lock."""
    enqueue(host, session_of(host, 3))
    code = "import sys; from ace_reflect.cli.main import main; sys.exit(main(sys.argv[1:]))"
    add = [sys.executable, "-I", "-c", code, "playbook", "add"]
    started = [
        subprocess.Popen([*add, f"Rule number {number} of many."], env=host.environment(), cwd=host.project)
        for number in range(5)
    ]  # fmt: skip
    started.append(worker(host))
    assert [process.wait(100) for process in started] == [0] * 6
    data = json.loads(host.playbook.read_text())
    assert len(data["sections"]["USER PREFERENCES"]) == 5
    assert counted(host) == (3, 3, 3)
