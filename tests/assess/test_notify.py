"""`notify.command` hears each verdict, and cannot hold anybody up."""

import json
import os
import time
from pathlib import Path

from ace_reflect.assess import notify
from ace_reflect.state import spawn
from support.hooks import Host
from support.stops import PASSED, Session, python_project

VERDICT = {"sessionId": "s1", "complete": False, "missing": ["token ghp_" + "a1B2" * 9]}


def test_the_verdict_comes_on_stdin_redacted(tmp_path: Path) -> None:
    told = tmp_path / "told"

    assert (
        notify.run(
            f"cat > {told}; test $ACE_REFLECT_CHILD = 1", str(tmp_path), VERDICT, dict(os.environ)
        )
        == ""
    )
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
    host.environ["ACE_REFLECT_NOTIFY_COMMAND"] = "true #" + "x" * spawn.MAX_PAYLOAD

    answered = Session(python_project(host)).ask("Fix the parser").code().stop_hook()

    assert answered.json["decision"] == "block"
    assert [row["error"] for row in host.log() if row.get("decision") == "notify-failed"] == [
        "ValueError"
    ]


def test_a_projects_command_waits_for_trust(host: Host, tmp_path: Path) -> None:
    (host.project / ".claude" / "reflection.yaml").write_text(
        f"notify: {{command: 'touch {tmp_path}/ran'}}\n"
    )
    Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED).stop_hook()
    host.wait_for_workers()

    assert not (tmp_path / "ran").exists()


def test_a_huge_verdict_is_cut_to_its_short_form(tmp_path: Path) -> None:
    told = tmp_path / "told"
    huge = {
        "complete": False,
        "severity": "LOW",
        "end_state": "incomplete",
        "missing": ["x" * 1000] * 100,
        "feedback": "y" * 100_000,
    }
    environ = {**os.environ, "ACE_REFLECT_HOME": str(tmp_path / "home")}

    notify.start(environ, "s1", f"cat > {told}.part && mv {told}.part {told}", str(tmp_path), huge)
    give_up = time.monotonic() + 20
    while not told.exists() and time.monotonic() < give_up:
        time.sleep(0.05)

    short = {"complete": False, "severity": "LOW", "end_state": "incomplete"}
    # as the verdict's file spells it, and as `check --json` does
    assert json.loads(told.read_text()) == {"sessionId": "s1", "endState": "incomplete", **short}
    assert spawn.MAX_PAYLOAD < 65_536
