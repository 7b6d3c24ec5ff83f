"""SessionEnd and PreCompact: a job, a worker, and gone; the transcript is not read in the hook."""

import os
import time
from pathlib import Path

import pytest

from ace_reflect.state import jobs, sessions
from support.transcripts import TranscriptBuilder


@pytest.fixture
def session(host):
    session = TranscriptBuilder(host.transcript(), cwd=str(host.project))
    session.prompt("From now on use tabs.").say("Ok.").write()
    return session


def queued(host):
    with host.state() as state:
        return [(job.reason, job.final) for job in jobs.listed(state)]


def test_a_session_that_ends_is_learned_from_once_by_a_worker_that_outlives_the_hook(host, session):
    answered = [host.hook("SessionEnd", reason="other") for _ in range(2)]
    give_up = time.monotonic() + 20
    while any(_cwd(pid) == host.project for pid in host.processes()):
        assert time.monotonic() < give_up, "the worker stays in the project's folder"
        time.sleep(0.01)
    host.wait_for_workers()

    assert {(each.code, each.stdout, each.stderr) for each in answered} == {(0, "", "")}
    assert "From now on use tabs." in host.playbook.read_text()
    assert queued(host) == [("session_end", True)]
    assert [line["event"] for line in host.log()].count("SessionEnd") == 1


def _cwd(pid):
    try:
        return Path(os.readlink(f"/proc/{pid}/cwd"))
    except OSError:
        return Path("/")


def test_a_session_that_was_opened_and_left_is_no_job(host):
    host.hook("SessionEnd", reason="other")
    assert queued(host) == []


@pytest.mark.parametrize("event", ["SessionEnd", "PreCompact"])
def test_the_hook_does_not_read_the_transcript(event, host):
    """A pipe in its place would block whoever opens it."""
    os.mkfifo(host.transcript())
    started = time.monotonic()
    assert host.hook(event, trigger="auto").code == 0
    assert time.monotonic() - started < 10
    host.close()


def test_learning_can_be_switched_off_for_each_event(host, session):
    (host.project / ".claude" / "reflection.yaml").write_text("learning: {on: []}\n")
    host.hook("PreCompact", trigger="auto")
    host.hook("SessionEnd", reason="other")

    assert queued(host) == []
    with host.state() as state:
        found = sessions.get(state, host.session_id)
    assert found is not None
    assert found.ended_at is not None
