"""The command line in this process, as `ace-reflect` runs it, on a `Host` of its own."""

import json
import os
import pty
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest

from ace_reflect.cli.main import main
from support.hooks import Host


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Ace:
    def __init__(self, host: Host, capsys: pytest.CaptureFixture[str]) -> None:
        self.host = host
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Said:
        code = main([str(argument) for argument in arguments])
        said = self._capsys.readouterr()
        return Said(code, said.out, said.err)


def at_a_terminal(
    ace: Ace,
    *words: str,
    typed: str | list[str],
    until: str = "",
    meanwhile: Callable[[], object] = bool,
) -> tuple[str, int]:
    """What a program of its own shows at a terminal, and its exit status. `typed`: what is typed when it has shown `until`, or
    the keys that it asks for one by one, showing `until` each time.
    """
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ace_reflect.cli.main", *words]
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with subprocess.Popen(command, cwd=ace.host.project, **streams) as asked:
        os.close(theirs)
        shown = b""
        for number, each in enumerate([typed] if isinstance(typed, str) else typed):
            while shown.count(until.encode()) <= number:
                shown += os.read(ours, 4096)
            meanwhile()
            while isinstance(typed, list) and termios.tcgetattr(ours)[3] & termios.ICANON:
                time.sleep(0.01)  # until it waits for one key: what comes before is thrown away
            os.write(ours, each.encode())
        with suppress(OSError):  # the other side is closed
            while part := os.read(ours, 4096):
                shown += part
    os.close(ours)
    return shown.decode().replace("\r\n", "\n"), asked.returncode


@pytest.fixture
def ace(host: Host, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ace:
    """Run commands in the host's project, with its home."""
    monkeypatch.setenv("ACE_REFLECT_HOME", str(host.home))
    monkeypatch.setenv("HOME", str(host.root))
    monkeypatch.chdir(host.project)
    return Ace(host, capsys)
