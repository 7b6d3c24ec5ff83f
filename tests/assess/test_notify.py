"""`notify.command` hears each verdict, and cannot hold anybody up."""

import json
import os
import time
from pathlib import Path

from ace_reflect.assess import notify
from ace_reflect.state import processes
from support.hooks import Host
from support.stops import PASSED, Session, python_project

VERDICT = {"sessionId": "s1", "complete": False, "missing": ["token ghp_" + "a1B2" * 9]}


def test_the_verdict_comes_on_stdin_redacted(tmp_path: Path) -> None:
    told = tmp_path / "told"

    command = f"cat > {told}; test $ACE_REFLECT_CHILD = 1"
    assert notify.run(command, str(tmp_path), VERDICT, dict(os.environ)) == ""
    assert json.loads(told.read_text()) == {**VERDICT, "missing": ["token [REDACTED:github-token]"]}


def test_a_command_that_fails_or_hangs_is_told_of(tmp_path: Path) -> None:
    environ = dict(os.environ)

    assert notify.run("exit 3", str(tmp_path), VERDICT, environ) == "it ended with 3"
    assert (
        notify.run("no-such-command-here", str(tmp_path), VERDICT, environ) == "it ended with 127"
    )
    begun = time.monotonic()
    said = notify.run("sleep 60 & sleep 60", str(tmp_path), VERDICT, environ, limit_s=0.3)
    assert said == "it still ran after 0.3 s and was ended"
    assert time.monotonic() - begun < 5


def test_the_hook_does_not_wait_and_a_failure_is_logged(host: Host, tmp_path: Path) -> None:
    go = tmp_path / "go"
    host.environ["ACE_REFLECT_NOTIFY_COMMAND"] = f"while [ ! -e {go} ]; do sleep 0.05; done; exit 7"
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED)

    session.stop_hook()
    go.touch()
    host.wait_for_workers()

    (row,) = [row for row in host.log() if row["event"] == "notify"]
    assert (row["decision"], row["why"]) == ("failed", "it ended with 7")


def test_a_command_that_no_pipe_holds_is_named_in_the_log_and_costs_no_stop(host: Host) -> None:
    host.environ["ACE_REFLECT_NOTIFY_COMMAND"] = "true #" + "x" * processes.MAX_PAYLOAD

    answered = Session(python_project(host)).ask("Fix the parser").code().stop_hook()

    assert answered.json["decision"] == "block"
    assert [row["error"] for row in host.log() if row.get("decision") == "notify-failed"] == [
        "ValueError"
    ]
