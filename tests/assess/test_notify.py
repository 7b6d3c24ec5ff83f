"""`notify.command` hears each verdict, and cannot hold anybody up."""

import json
import os
import time
from pathlib import Path

import pytest

from ace_reflect.assess import notify
from ace_reflect.log import entries
from ace_reflect.state.db import open_state
from support.hooks import Host
from support.stops import PASSED, Session, python_project

VERDICT = {"sessionId": "s1", "complete": False, "missing": ["token ghp_" + "a1B2" * 9]}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("cat > told; test $ACE_REFLECT_CHILD = 1", ""),
        ("cat > told; exit 3", "it ended with 3"),
        ("cat > told; no-such-command-here", "it ended with 127"),
        ("cat > told; sleep 60 & sleep 60", "it still ran after 0.5 s and was ended"),
    ],
)
def test_the_verdict_comes_on_stdin_redacted_and_a_failure_is_logged(tmp_path, command, why):
    given = {"command": command, "project": str(tmp_path), "session": "s1", "verdict": VERDICT}
    begun = time.monotonic()
    with open_state(str(tmp_path / "home")) as state:
        notify.run(state, given, dict(os.environ), limit_s=0.5)
        assert [row["why"] for row in entries(state.home_dir)] == ([why] if why else [])
    assert time.monotonic() - begun < 5
    redacted = {**VERDICT, "missing": ["token [REDACTED:github-token]"]}
    assert json.loads((tmp_path / "told").read_text()) == redacted


def test_the_hook_does_not_wait_and_a_failure_is_logged(host: Host, tmp_path: Path) -> None:
    go = tmp_path / "go"
    host.environ["ACE_REFLECT_NOTIFY_COMMAND"] = f"while [ ! -e {go} ]; do sleep 0.05; done; exit 7"
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED)

    session.stop_hook()
    go.touch()
    host.wait_for_workers()

    (row,) = [row for row in host.log() if row["event"] == "notify"]
    assert (row["decision"], row["why"]) == ("failed", "it ended with 7")
