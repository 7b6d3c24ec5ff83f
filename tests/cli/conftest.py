from pathlib import Path

import pytest

from support.cli import ace
from support.hooks import host

__all__ = ["ace", "host"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project to stand in, and a home for it."""
    (tmp_path / "app" / ".claude").mkdir(parents=True)
    monkeypatch.setenv("ACE_REFLECT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "app")
    return tmp_path / "app"
