"""SessionEnd and PreCompact: a job, a worker, and gone; the transcript is not read in the hook."""

import json
import os
import time
from pathlib import Path

import pytest

from ace_reflect.state import jobs, sessions
from support.hooks import Host
from support.transcripts import TranscriptBuilder


@pytest.fixture
def session(host: Host) -> TranscriptBuilder:
    return TranscriptBuilder(host.transcript(), cwd=str(host.project))


def queued(host: Host) -> list[tuple[str, bool]]:
    with host.state() as state:
        return [(job.reason, job.final) for job in jobs.listed(state)]


@pytest.mark.parametrize("reason", ["clear", "resume", "logout", "prompt_input_exit", "other"])
def test_a_session_that_ends_is_learned_from_by_a_worker_that_outlives_the_hook(
    reason: str, host: Host, session: TranscriptBuilder
) -> None:
    session.prompt("From now on use tabs.").say("Ok.").write()
    answered = host.hook("SessionEnd", reason=reason)
    assert (answered.code, answered.stdout, answered.stderr) == (0, "", "")
    host.wait_for_workers()
    assert "From now on use tabs." in host.playbook.read_text()
    assert queued(host) == [("session_end", True)]


def test_before_a_compaction_only_what_is_over_is_learned(
    host: Host, session: TranscriptBuilder
) -> None:
    session.prompt("Always use tabs.").say("Ok.").prompt("Never use semicolons.").say("…").write()
    host.hook("PreCompact", trigger="auto")
    host.wait_for_workers()
    text = host.playbook.read_text()
    assert "tabs" in text
    assert "semicolons" not in text
    host.hook("SessionEnd", reason="other")
    host.wait_for_workers()
    assert "semicolons" in host.playbook.read_text()


def test_a_session_that_was_opened_and_left_is_no_job(host: Host) -> None:
    host.hook("SessionEnd", reason="other")
    assert queued(host) == []


@pytest.mark.parametrize(
    ("event", "fields"), [("SessionEnd", {"reason": "other"}), ("PreCompact", {"trigger": "auto"})]
)
def test_the_hook_does_not_read_the_transcript(
    event: str, fields: dict[str, str], host: Host
) -> None:
    """A pipe in its place would block whoever opens it."""
    os.mkfifo(host.transcript())
    started = time.monotonic()
    assert host.hook(event, **fields).code == 0
    assert time.monotonic() - started < 10
    host.close()


def test_learning_can_be_switched_off_for_each_event(
    host: Host, session: TranscriptBuilder
) -> None:
    session.prompt("Always use tabs.").say("Ok.").write()
    (host.project / ".claude" / "reflection.yaml").write_text("learning: {on: []}\n")
    host.hook("PreCompact", trigger="auto")
    host.hook("SessionEnd", reason="other")
    assert queued(host) == []
    with host.state() as state:
        found = sessions.get(state, host.session_id)
    assert found is not None
    assert found.ended_at is not None


@pytest.mark.parametrize(
    ("reason", "logged"),
    [
        ("prompt_input_exit", "prompt_input_exit"),
        ("the door code is 4711", "other"),
        ("Geheimnis-von-Anna", "other"),
        ("x" * 41, "other"),
        ("", ""),
    ],
)
def test_only_a_plain_word_of_the_hosts_gets_into_the_log(
    host: Host, reason: str, logged: str
) -> None:
    host.hook("SessionEnd", reason=reason)
    assert host.log()[-1]["reason"] == logged


def test_registered_twice_there_is_one_job_and_one_line_in_the_log(
    host: Host, session: TranscriptBuilder
) -> None:
    session.prompt("hi").say("hello").write()
    for _ in range(2):
        host.hook("SessionEnd", reason="other")
    host.wait_for_workers()
    assert [line["event"] for line in host.log()].count("SessionEnd") == 1


def test_the_worker_leaves_no_process_behind_and_holds_no_folder(
    host: Host, session: TranscriptBuilder
) -> None:
    session.prompt("hi").say("hello").write()
    host.hook("SessionEnd", reason="other")
    give_up = time.monotonic() + 20
    while any(_cwd(pid) == host.project for pid in host.processes()):
        assert time.monotonic() < give_up, "the worker stays in the project"
        time.sleep(0.01)
    host.wait_for_workers()
    assert host.processes() == []


def _cwd(pid: int) -> Path:
    try:
        return Path(os.readlink(f"/proc/{pid}/cwd"))
    except OSError:
        return Path("/")


def test_a_project_with_a_space_and_an_umlaut_in_its_path_is_learned_from(tmp_path: Path) -> None:
    host = Host(tmp_path / "Größe und Weite")
    TranscriptBuilder(host.transcript(), cwd=str(host.project)).prompt("Always use tabs.").say(
        "Ok."
    ).write()
    host.hook("SessionEnd", reason="other")
    host.wait_for_workers()
    assert "tabs" in json.dumps(json.loads(host.playbook.read_text()))
    host.close()
