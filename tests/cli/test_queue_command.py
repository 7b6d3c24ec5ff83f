"""`ace-reflect queue`."""

from pathlib import Path

import pytest

from ace_reflect.learning import worker
from ace_reflect.state import jobs
from support.cli import Ace
from support.transcripts import TranscriptBuilder


@pytest.fixture
def waiting(ace: Ace) -> Path:
    built = TranscriptBuilder(ace.host.transcript(), cwd=str(ace.host.project))
    path = built.prompt("Always use tabs.").say("Ok.").write()
    project, reason = str(ace.host.project), "session_end"
    with ace.host.state() as state:
        jobs.enqueue(state, ace.host.session_id, str(path), project=project, reason=reason, final=True)  # fmt: skip
    return path


def states(ace: Ace) -> list[str]:
    return [job["state"] for job in ace("queue", "--json").json["jobs"]]


def test_what_waits_is_listed_with_its_project_and_run_learns_it(ace, waiting):
    said = ace("queue")
    assert "queued" in said.out
    assert "~/project" in said.out
    assert all(len(line) <= 80 for line in said.out.splitlines())

    done = ace("queue", "run")

    assert done.code == 0
    assert "1 turn" in done.out
    assert states(ace) == ["done"]
    assert "1 turn, 0 votes, 1 change (offline)" in " ".join(ace("queue").out.split())
    assert "tabs" in ace.host.playbook.read_text()
    assert ace("queue", "run").out == "Nothing waits.\n"


def test_run_does_not_wait_for_the_next_try_and_fails_with_the_job(ace: Ace, waiting: Path) -> None:
    ace.host.playbook.write_text("{")
    first = ace("queue", "run", "--json")
    assert first.code == 1
    assert "no playbook" in first.json["jobs"][0]["error"]
    page = ace("queue").out
    assert "try 2 of 3" in page
    told = "".join(page.split())
    assert "".join(first.json["jobs"][0]["error"].split()) in told, "what to mend is told whole"
    assert ace.host.playbook.read_text() == "{"
    ace.host.playbook.unlink()
    assert ace("queue", "run").code == 0


def test_a_job_set_aside_can_be_tried_again_or_dropped(ace: Ace, waiting: Path) -> None:
    kept = waiting.read_bytes()
    waiting.unlink()
    ace("queue", "run")
    assert states(ace) == ["set-aside"]
    (job,) = ace("queue", "--json").json["jobs"]
    assert "".join(job["error"].split()) in "".join(ace("queue").out.split())
    waiting.write_bytes(kept)
    assert ace("queue", "retry", job["id"]).code == 0
    assert ace("queue", "run").code == 0
    assert states(ace) == ["done"]
    assert ace("queue", "drop", job["id"], "--json").json["ids"] == [job["id"]]
    assert states(ace) == []
    assert ace("queue").out == "The queue is empty: no session waits to be learned from.\n"


def test_run_leaves_the_queue_to_a_worker_that_is_at_it(ace: Ace, waiting: Path) -> None:
    with worker.single(str(ace.host.home)):
        said = ace("queue", "run")
    assert said.code == 2
    assert "worker" in said.err
