"""`ace-reflect skip`."""

import pytest

from ace_reflect.state import sessions
from support.cli import Ace


@pytest.fixture
def known(ace: Ace) -> Ace:
    with ace.host.state() as state:
        for name in ("aaaa-1", "aaaa-2", "bbbb-1"):
            sessions.touch(state, name, project=str(ace.host.project))
            state.run("UPDATE sessions SET seen_at = seen_at - 10")
    return ace


def skipped(ace: Ace) -> set[str]:
    with ace.host.state() as state:
        return {row[0] for row in state.all("SELECT id FROM sessions WHERE skipped_at IS NOT NULL")}


def test_without_a_session_it_is_the_projects_newest(known: Ace) -> None:
    assert known("skip", "--json").json == {
        "schema": "ace-reflect/skip/1",
        "session": "bbbb-1",
        "skipped": True,
    }
    assert skipped(known) == {"bbbb-1"}
    assert known("skip", "--undo").code == 0
    assert skipped(known) == set()


def test_the_beginning_of_an_id_is_enough_where_it_is_one_sessions(known: Ace) -> None:
    known("skip", "--session", "aaaa-2")
    assert skipped(known) == {"aaaa-2"}
    for wanted in ("aaaa", "zzzz", "", "aaaa-%"):
        said = known("skip", "--session", wanted)
        assert (said.code, said.err.count("\n")) == (1, 1)
    assert "error" in known("skip", "--session", "zzzz", "--json").json


def test_a_project_without_a_session_is_an_error(ace: Ace) -> None:
    assert "no session" in ace("skip").err
    assert ace("skip", "--project", ace.host.root).code == 1
