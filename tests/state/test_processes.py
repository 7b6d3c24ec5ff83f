"""Processes are known by their start; what a hook starts and leaves alone, also where a pipe holds less than on Linux."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from ace_reflect.assess import notify
from ace_reflect.state import processes


@pytest.fixture
def small_pipes(monkeypatch):
    make = os.pipe

    def small():
        reading, writing = make()
        if hasattr(fcntl, "F_SETPIPE_SZ"):  # a Mac's are small as they come
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4_096)
        return reading, writing

    monkeypatch.setattr(os, "pipe", small)


@pytest.mark.usefixtures("small_pipes")
def test_what_the_pipe_does_not_hold_is_read_all_the_same(tmp_path):
    told, verdict = tmp_path / "told", {"end_state": "incomplete", "feedback": "y" * 30_000}
    command = f"cat > {told}.part && mv {told}.part {told}"

    module, given = notify.telling("s1", command, str(tmp_path), verdict)
    processes.start(module, {**os.environ}, json.dumps(given).encode())

    give_up = time.monotonic() + 20
    while not told.exists() and time.monotonic() < give_up:
        time.sleep(0.05)
    assert json.loads(told.read_text()) == {"sessionId": "s1", **verdict, "endState": "incomplete"}


@pytest.mark.usefixtures("small_pipes")
def test_a_process_that_ends_before_it_reads_is_an_error_and_no_wait():
    with pytest.raises(BrokenPipeError):
        processes.start("ace_reflect.there_is_none", os.environ, b"x" * 60_000)


_ALONE = "from ace_reflect.state.processes import run_alone; raise SystemExit(run_alone('test', lambda *_: 1 / 0, lifetime_s=%d))"


def alone(home, lifetime_s):
    environ = {**os.environ, "ACE_REFLECT_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-c", _ALONE % lifetime_s], stdin=subprocess.PIPE, env=environ
    )


def test_a_process_that_is_told_nothing_ends_at_its_time(tmp_path):
    process = alone(tmp_path, 1)

    assert process.wait(timeout=30) == -signal.SIGALRM
    assert process.stdin is not None
    process.stdin.close()


@pytest.mark.parametrize(
    ("told", "error"), [(b"{}", "ZeroDivisionError"), (b"no JSON", "JSONDecodeError")]
)
def test_what_goes_wrong_in_a_process_of_its_own_is_logged(told, error, tmp_path):
    process = alone(tmp_path, 60)
    process.communicate(told, timeout=30)

    assert process.returncode == 0
    (line,) = (tmp_path / "log.jsonl").read_text().splitlines()
    assert (json.loads(line)["event"], json.loads(line)["error"]) == ("test", error)


def test_a_process_is_known_by_its_start_not_by_its_number_alone():
    assert processes.alive(processes.name())
    assert not processes.alive(f"{os.getpid()}:1")
    assert not any(map(processes.alive, ("", "nonsense", "99999999999999999999:1")))
    assert processes.name(2**31 - 1) == ""


def test_where_there_is_no_proc_a_process_is_known_by_its_start_as_well(monkeypatch):
    monkeypatch.setattr(processes, "_PROC", "/nowhere")
    me, parent = processes.name(), processes.name(os.getppid())
    assert me.startswith(f"{os.getpid()}:")
    assert me.endswith(time.strftime("%Y", time.gmtime()))
    assert parent.startswith(f"{os.getppid()}:")
    assert processes.alive(parent)
    assert not processes.alive(f"{os.getpid()}:MonJan100:00:002001"), (
        "the number was given to another process"
    )
    assert processes.name(2**31 - 1) == ""
