"""One line, whatever comes on stdin."""

import pytest
from click.testing import CliRunner

from ace_reflect.cli.statusline import statusline
from ace_reflect.state import prompts, sessions
from ace_reflect.state.db import open_state


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ACE_REFLECT_HOME", str(tmp_path))
    return str(tmp_path)


def shown(text: str) -> str:
    result = CliRunner().invoke(statusline, input=text, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", '{"session_id": null}', '{"session_id": "unknown"}', "[" * 100_000]
)
def test_anything_on_stdin_gives_one_line(home, text):
    assert shown(text) == "ace\n"


@pytest.mark.parametrize(
    ("end_state", "line"),
    [("complete", "ace ✓ done\n"), ("gave_up", "ace ✗ gave up\n"), ("not_applicable", "ace\n")],
)
def test_the_last_verdict_of_the_session_is_shown(home, end_state, line):
    with open_state(home) as state:
        sessions.touch(state, "s", project="/p", transcript="/t")
        prompts.note(state, "s", "p1", "do it")
        prompts.update(state, prompts.ensure(state, "s").id, end_state=end_state)

    assert shown('{"session_id": "s"}') == line
