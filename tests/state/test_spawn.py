"""What a hook starts and leaves alone, where a pipe holds less than on Linux: macOS may give one 4 to 16 KiB."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from ace_reflect.assess import notify
from ace_reflect.state import spawn


@pytest.fixture
def small_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    make = os.pipe

    def small() -> tuple[int, int]:
        reading, writing = make()
        if hasattr(fcntl, "F_SETPIPE_SZ"):  # a Mac's are small as they come
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4_096)
        return reading, writing

    monkeypatch.setattr(os, "pipe", small)


@pytest.mark.usefixtures("small_pipes")
def test_what_the_pipe_does_not_hold_is_read_all_the_same(tmp_path: Path) -> None:
    told = tmp_path / "told"
    verdict = {"complete": False, "feedback": "y" * 30_000}

    notify.start(
        {**os.environ}, "s1", f"cat > {told}.part && mv {told}.part {told}", str(tmp_path), verdict
    )
    give_up = time.monotonic() + 20
    while not told.exists() and time.monotonic() < give_up:
        time.sleep(0.05)

    assert json.loads(told.read_text()) == {"sessionId": "s1", **verdict}


@pytest.mark.usefixtures("small_pipes")
@pytest.mark.parametrize("module", ["ace_reflect", "ace_reflect.there_is_none"])
def test_a_process_that_ends_before_it_reads_is_an_error_and_no_wait(module: str) -> None:
    said: list[str] = []

    def begin() -> None:
        try:
            spawn.start(module, os.environ, b"x" * spawn.MAX_PAYLOAD)
        except OSError as error:
            said.append(type(error).__name__)

    hook = Thread(target=begin, daemon=True)
    hook.start()
    hook.join(20)

    assert said == ["BrokenPipeError"]


_ALONE = "from ace_reflect.state.alone import run_alone; raise SystemExit(run_alone('test', lambda *_: 1 / 0, lifetime_s=1))"


def alone(home: Path) -> "subprocess.Popen[bytes]":
    environ = {**os.environ, "ACE_REFLECT_HOME": str(home)}
    return subprocess.Popen([sys.executable, "-c", _ALONE], stdin=subprocess.PIPE, env=environ)


def test_a_process_that_is_told_nothing_ends_at_its_time(tmp_path: Path) -> None:
    process = alone(tmp_path)

    assert process.wait(timeout=30) == -signal.SIGALRM
    assert process.stdin is not None
    process.stdin.close()


@pytest.mark.parametrize(
    ("told", "error"), [(b"{}", "ZeroDivisionError"), (b"no JSON", "JSONDecodeError")]
)
def test_what_goes_wrong_in_a_process_of_its_own_is_logged(
    told: bytes, error: str, tmp_path: Path
) -> None:
    process = alone(tmp_path)
    process.communicate(told, timeout=30)

    assert process.returncode == 0
    (line,) = (tmp_path / "log.jsonl").read_text().splitlines()
    assert (json.loads(line)["event"], json.loads(line)["error"]) == ("test", error)
