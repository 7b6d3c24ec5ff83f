"""What a hook starts and leaves alone, where a pipe holds less than on Linux: macOS may give one 4 to 16 KiB."""

import fcntl
import json
import os
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

    notify.start({**os.environ}, "s1", f"cat > {told}.part && mv {told}.part {told}", str(tmp_path), verdict)
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
