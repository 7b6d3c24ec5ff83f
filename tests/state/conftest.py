"""A state of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ace_reflect.state.db import State, open_state


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with open_state(str(tmp_path / "home")) as opened:
        yield opened
