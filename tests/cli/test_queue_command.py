"""`ace-reflect queue`."""

from pathlib import Path

import pytest

from ace_reflect.learning import worker
from ace_reflect.state import jobs
from support.cli import Ace
from support.transcripts import TranscriptBuilder


@pytest.fixture
def waiting(ace: Ace) -> Path:
    path = (
        TranscriptBuilder(ace.host.transcript(), cwd=str(ace.host.project))
        .prompt("Always use tabs.")
        .say("Ok.")
        .write()
    )
    with ace.host.state() as state:
        jobs.enqueue(
            state,
            ace.host.session_id,
            str(path),
            project=str(ace.host.project),
            reason="session_end",
            final=True,
        )
    return path


def states(ace: Ace) -> list[str]:
    return [job["state"] for job in ace("queue", "--json").json["jobs"]]


def test_an_empty_queue_says_so(ace: Ace) -> None:
    assert ace("queue").out == "The queue is empty: no session waits to be learned from.\n"
    assert ace("queue", "run").out == "Nothing waits.\n"
    assert ace("queue", "list", "--json").json["jobs"] == []


def test_what_waits_is_listed_in_eighty_columns_and_run_works_on_it(
    ace: Ace, waiting: Path
) -> None:
    said = ace("queue")
    assert "waits" in said.out
    assert all(len(line) <= 80 for line in said.out.splitlines())
    done = ace("queue", "run")
    assert done.code == 0
    assert "1 turn" in done.out
    assert states(ace) == ["done"]
    assert "tabs" in ace.host.playbook.read_text()


@pytest.mark.parametrize("width", ["40", "60", "120"])
def test_what_came_of_a_job_is_told_whole_in_any_width(
    ace: Ace, waiting: Path, monkeypatch, width: str
) -> None:
    ace("queue", "run")
    monkeypatch.setenv("COLUMNS", width)

    assert "1 turn, 0 votes, 1 change (offline)" in " ".join(ace("queue").out.split())


def test_run_does_not_wait_for_the_next_try_and_fails_with_the_job(ace: Ace, waiting: Path) -> None:
    ace.host.playbook.write_text("{")
    first = ace("queue", "run", "--json")
    assert first.code == 1
    assert "no playbook" in first.json["jobs"][0]["error"]
    page = ace("queue").out
    assert "try 2 of 3" in page
    assert all(word in page for word in first.json["jobs"][0]["error"].split()), (
        "what to mend is told whole"
    )
    assert ace.host.playbook.read_text() == "{"
    ace.host.playbook.unlink()
    assert ace("queue", "run").code == 0


def test_a_job_set_aside_can_be_tried_again_or_dropped(ace: Ace, waiting: Path) -> None:
    kept = waiting.read_bytes()
    waiting.unlink()
    ace("queue", "run")
    assert states(ace) == ["set-aside"]
    assert "set aside" in ace("queue").out
    (job,) = ace("queue", "--json").json["jobs"]
    waiting.write_bytes(kept)
    assert ace("queue", "retry", job["id"]).code == 0
    assert ace("queue", "run").code == 0
    assert states(ace) == ["done"]
    assert ace("queue", "drop", job["id"], "--json").json == {"ids": [job["id"]], "done": "dropped"}
    assert states(ace) == []


@pytest.mark.parametrize("verb", ["retry", "drop"])
def test_an_unknown_job_is_exit_1_with_the_way_on(verb: str, ace: Ace) -> None:
    said = ace("queue", verb, "77")
    assert said.code == 1
    assert "ace-reflect queue" in said.err
    assert "error" in ace("queue", verb, "77", "--json").json


def test_run_leaves_the_queue_to_a_worker_that_is_at_it(ace: Ace, waiting: Path) -> None:
    with worker.single(str(ace.host.home)):
        said = ace("queue", "run")
    assert said.code == 1
    assert "worker" in said.err


def test_why_a_session_was_set_aside_is_told_whole(ace: Ace, waiting: Path) -> None:
    waiting.unlink()
    for _ in range(jobs.MAX_TRIES):
        ace("queue", "run")
    (job,) = ace("queue", "--json").json["jobs"]

    page = ace("queue").out

    assert job["state"] == "set-aside"
    assert "…" not in page
    assert all(word in page for word in job["error"].split())
