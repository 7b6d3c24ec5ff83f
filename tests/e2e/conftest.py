"""One host for each test, ended with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.claude_code import ClaudeCode


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[ClaudeCode]:
    found = ClaudeCode(tmp_path)
    yield found
    found.close()
