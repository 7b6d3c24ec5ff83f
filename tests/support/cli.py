"""The command line in this process, as `ace-reflect` runs it, on a `Host` of its own."""

import json
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


@pytest.fixture
def ace(host: Host, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ace:
    """Run commands in the host's project, with its home."""
    monkeypatch.setenv("ACE_REFLECT_HOME", str(host.home))
    monkeypatch.setenv("HOME", str(host.root))
    monkeypatch.chdir(host.project)
    return Ace(host, capsys)
