"""Sessions where Claude Code keeps them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ace_reflect import paths
from ace_reflect.report.history import History, read_history
from support.cli import Ace, ace
from support.hooks import host
from support.transcripts import TranscriptBuilder

__all__ = ["ace", "host"]

Put = Callable[..., TranscriptBuilder]


@pytest.fixture
def put(ace: Ace, monkeypatch: pytest.MonkeyPatch) -> Put:
    """A session of the project, in which the tests were seen to pass; to be written by the test."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(ace.host.root / "claude"))

    def begun(name: str = "a", prompt: str = "Fix the parser") -> TranscriptBuilder:
        where = str(ace.host.project)
        path = Path(paths.sessions_dir(os.environ, where)) / f"{name}.jsonl"
        made = TranscriptBuilder(path, cwd=where, session_id=f"5e55105e-{name}")
        return made.prompt(prompt).bash("pytest -q", "===== 3 passed in 0.10s =====")

    return begun


@pytest.fixture
def known(ace: Ace, put: Put) -> Callable[[], History]:
    """All that is known, after reading what is new."""

    def read() -> History:
        folder = ace.host.root / "claude" / "projects"
        files = sorted(map(str, folder.glob("*/*.jsonl")))
        return read_history(files, str(folder), str(ace.host.home), dict(os.environ))

    return read
