"""A state of its own for each test."""

import pytest

from ace_reflect.state.db import open_state


@pytest.fixture
def state(tmp_path):
    with open_state(str(tmp_path / "home")) as opened:
        yield opened
