"""The worker: one at a time, nothing lost, nothing doubled, gone when it is done."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ace_reflect.learning import queue, worker
from ace_reflect.playbook import store
from ace_reflect.state import intents, jobs, record, sessions
from ace_reflect.state.db import open_state
from support import figures
from support.assessed import ask_cli_at
from support.faults import nursery
from support.hooks import Host
from support.messages_api import MessagesApi
from support.nursery import Nursery
from support.transcripts import TranscriptBuilder

__all__ = ["nursery"]

PASSED = "3 passed in 0.10s"
POINT = {"name": "pat-001", "text": "Run the tests.", "helpful": 0, "harmful": 0}


def session_of(
    host: Host, turns: int, number: int = 0, cited: str = "[pat-001]"
) -> TranscriptBuilder:
    """A session that cites a key point in each of its turns, with a passing test after it."""
    session_id = f"5e55105e-0000-4000-8000-{number:012d}"
    session = TranscriptBuilder(
        host.transcript(session_id), cwd=str(host.project), session_id=session_id
    )
    for _ in range(turns):
        session.prompt("Fix it").say(cited).edit(f"{session.cwd}/src/a.py").bash(
            "pytest -q", PASSED
        ).say("Done.")
    session.write()
    return session


def enqueue(host: Host, session: TranscriptBuilder, *, final: bool = True) -> None:
    with host.state() as state:
        sessions.touch(
            state, session.session_id, project=str(host.project), transcript=str(session.path)
        )
        jobs.enqueue(
            state,
            session.session_id,
            str(session.path),
            project=str(host.project),
            reason="session_end",
            final=final,
        )


def start(host: Host) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-I", "-m", "ace_reflect.learning.worker"],
        env=host.environment(),
        start_new_session=True,
    )


def work(host: Host) -> None:
    """What a worker does, in this process."""
    worker.run(str(host.home), host.environment())


def test_the_worker_empties_the_queue_and_ends(host: Host) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    for number in range(3):
        enqueue(host, session_of(host, 2, number))
    assert start(host).wait(60) == 0
    assert host.counters("pat-001") == (6, 0)
    with host.state() as state:
        assert jobs.counts(state) == {"done": 3}
        assert {job.outcome for job in jobs.listed(state)} == {
            "2 turns, 2 votes, 0 changes (offline)"
        }


def test_a_session_end_starts_a_worker_that_learns(host: Host) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 1)
    started = time.monotonic()
    assert host.hook("SessionEnd", session_id=session.session_id, reason="other").code == 0
    assert time.monotonic() - started < 30
    host.wait_for_workers()
    assert host.counters("pat-001") == (1, 0)


def test_compaction_session_end_resume_and_fork_credit_each_turn_once(host: Host) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 2)
    host.hook("PreCompact", session_id=session.session_id, trigger="auto")
    host.wait_for_workers()
    assert host.counters("pat-001") == (1, 0), "the open turn waits for its end"
    host.hook("SessionEnd", session_id=session.session_id, reason="other")
    host.hook("SessionEnd", session_id=session.session_id, reason="other")
    host.wait_for_workers()
    assert host.counters("pat-001") == (2, 0)
    session.prompt("More").say("[pat-001]").bash("pytest -q", PASSED).write()
    host.hook("SessionStart", session_id=session.session_id, source="resume")
    host.hook("SessionEnd", session_id=session.session_id, reason="prompt_input_exit")
    host.wait_for_workers()
    assert host.counters("pat-001") == (3, 0)
    fork = "f0f0f0f0-0000-4000-8000-000000000000"
    host.transcript(fork).write_bytes(
        session.data().replace(session.session_id.encode(), fork.encode())
    )
    host.hook("SessionEnd", session_id=fork, reason="other")
    host.wait_for_workers()
    assert host.counters("pat-001") == (3, 0)


def test_a_second_worker_ends_at_once_and_leaves_the_work_to_the_first(host: Host) -> None:
    enqueue(host, session_of(host, 1))
    with worker.single(str(host.home)) as mine:
        assert mine
        assert start(host).wait(60) == 0
        with host.state() as state:
            assert jobs.counts(state) == {"queued": 1}
    work(host)
    with host.state() as state:
        assert jobs.counts(state) == {"done": 1}


def test_a_vanished_transcript_is_set_aside_with_its_error(host: Host) -> None:
    session = session_of(host, 1)
    enqueue(host, session)
    Path(str(session.path)).unlink()
    work(host)
    with host.state() as state:
        (job,) = jobs.listed(state)
    assert job.state == "set-aside"
    assert "no such file" in (job.error or "")
    assert (
        "could not be learned from"
        in host.hook("SessionStart", source="startup").json["systemMessage"]
    )


@pytest.mark.parametrize(
    "content", [b"", b"\n", b'{"type":"mode","mode":"default","sessionId":"x"}\n', b"garbage\n"]
)
def test_a_session_in_which_nobody_said_anything_is_done_without_a_word(
    content: bytes, host: Host
) -> None:
    session = session_of(host, 1)
    Path(str(session.path)).write_bytes(content)
    enqueue(host, session)
    work(host)
    with host.state() as state:
        assert jobs.counts(state) == {"done": 1}
    assert not host.playbook.exists()


def test_a_broken_playbook_costs_a_try_and_not_the_session(host: Host) -> None:
    host.playbook.write_text("{broken")
    enqueue(host, session_of(host, 1))
    work(host)
    with host.state() as state:
        (job,) = jobs.listed(state)
        assert (job.state, job.tries) == ("queued", 1)
        assert "no playbook" in (job.error or "")
        assert host.playbook.read_text() == "{broken", "somebody may be in the middle of a merge"
        host.playbook.unlink()
        assert [
            done.outcome
            for done in worker.drain(state, str(host.home), host.environment(), ignore_wait=True)
        ] == ["1 turn, 0 votes, 0 changes (offline)"]


def test_a_broken_playbook_that_was_being_changed_keeps_no_other_project_waiting(
    host: Host,
) -> None:
    """Its unfinished change stays where it is until the file is mended."""
    broken = host.root / "other" / ".claude" / "playbook.json"
    broken.parent.mkdir(parents=True)
    place = store.place_of(broken, str(host.home))

    def grown(book: dict) -> dict:
        book["sections"]["OTHERS"].append(
            {"name": "oth-001", "text": "x", "helpful": 0, "harmful": 0}
        )
        return book

    with host.state() as state:

        def announce(planned: store.Planned) -> int:
            digests = (planned.before_digest, planned.after_digest)
            return intents.begin(state, place.real_path, digests, planned.content, record.Rows())

        store.change(place, grown, why="test", announce=announce)
    broken.write_text("<<<<<<< HEAD\n")
    enqueue(host, session_of(host, 1))

    work(host)

    with host.state() as state:
        assert jobs.counts(state) == {"done": 1}
        assert len(intents.pending(state)) == 1
    assert broken.read_text() == "<<<<<<< HEAD\n"


def test_models_that_cannot_be_reached_are_tried_three_times_and_never_replaced_by_rules(
    host: Host,
) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    (host.home).mkdir(parents=True, exist_ok=True)
    (host.home / "reflection.yaml").write_text("models: [anthropic/claude-sonnet-4-5]\n")
    enqueue(host, session_of(host, 1))
    environ = host.environment(
        ANTHROPIC_API_KEY="sk-fake",
        ANTHROPIC_BASE_URL="http://127.0.0.1:1",
        ACE_REFLECT_RETRY_BASE_S="0.01",
    )
    with open_state(str(host.home), durable=True) as state:
        for _ in range(3):
            (done,) = worker.drain(state, str(host.home), environ, ignore_wait=True)
            assert done.error
        assert jobs.listed(state)[0].state == "set-aside"
    assert host.counters("pat-001") == (0, 0)


def test_a_session_that_died_is_found_by_the_sweep(host: Host) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 2)
    with host.state() as state:
        sessions.touch(
            state,
            session.session_id,
            project=str(host.project),
            transcript=str(session.path),
            process="999999:1",
        )
        state.run("UPDATE sessions SET seen_at = seen_at - 7200")
        assert queue.has_work(state)
    os.utime(str(session.path), (time.time() - 7200,) * 2)
    host.hook("SessionStart", session_id="another", source="startup")
    host.wait_for_workers()
    assert host.counters("pat-001") == (2, 0)
    with host.state() as state:
        assert not queue.has_work(state), "it is not found again"


def test_a_session_whose_process_is_gone_is_swept_at_once(host: Host) -> None:
    session = session_of(host, 1)
    with host.state() as state:
        sessions.touch(
            state,
            session.session_id,
            project=str(host.project),
            transcript=str(session.path),
            process="999999:1",
        )
        assert queue.has_work(state)
        assert worker.sweep(state, str(host.home), host.environment()) == 1


def test_a_session_that_was_learned_and_died_again_is_queued_only_for_what_is_new(
    host: Host,
) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 1)
    enqueue(host, session)
    with host.state() as state:
        for _ in worker.drain(state, str(host.home), host.environment()):
            pass

        def died() -> int:
            sessions.touch(state, session.session_id, process="999999:1")
            return worker.sweep(state, str(host.home), host.environment())

        assert died() == 0
        session.prompt("Fix it again").say("Done.").write()
        assert died() == 1


def test_what_a_project_may_set_holds_for_the_sweep_where_the_persons_own_file_is_broken(
    host: Host,
) -> None:
    """The hooks go by `load_usable`: a worker that read the files in another way would learn what they would not queue."""
    session = session_of(host, 1)
    host.home.mkdir(parents=True, exist_ok=True)
    (host.home / "reflection.yaml").write_text("no_such_key: 1\n")
    (host.project / ".claude").mkdir(exist_ok=True)
    (host.project / ".claude" / "reflection.yaml").write_text("learning: {on: [pre_compact]}\n")
    with host.state() as state:
        sessions.touch(
            state,
            session.session_id,
            project=str(host.project),
            transcript=str(session.path),
            process="999999:1",
        )
        assert worker.sweep(state, str(host.home), host.environment()) == 0


def test_a_session_whose_process_lives_or_whose_file_grows_is_not_swept(host: Host) -> None:
    from ace_reflect.state import processes

    for number, process, age in ((1, processes.name(), 7200.0), (2, "", 0.0)):
        session = session_of(host, 1, number)
        os.utime(str(session.path), (time.time() - age,) * 2)
        with host.state() as state:
            sessions.touch(
                state,
                session.session_id,
                project=str(host.project),
                transcript=str(session.path),
                process=process,
            )
    with host.state() as state:
        state.run("UPDATE sessions SET seen_at = seen_at - 7200")
        assert worker.sweep(state, str(host.home), host.environment()) == 0


def test_a_hanging_model_does_not_outlive_its_alarm(host: Host) -> None:
    """The alarm ends the worker and what it started; the job is taken again by the next one."""
    enqueue(host, session_of(host, 1))
    with MessagesApi() as api:
        api.enqueue(*[{"hang": True}] * 3)
        code = "import ace_reflect.learning.worker as w, sys\nw.LIFETIME_S = 4.0\nw.JOB_S = 0.0\nsys.exit(w.main())\n"
        ask_cli_at(host, api)
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", code], env=host.environment(), start_new_session=True
        )
        assert process.wait(30) == -signal.SIGKILL
    host.wait_for_workers()
    with host.state() as state:
        (job,) = jobs.listed(state)
        assert job.state == "running"
        assert jobs.take(state, "me") is not None


def test_sigterm_gives_the_job_back(host: Host) -> None:
    enqueue(host, session_of(host, 1))
    with MessagesApi() as api:
        api.enqueue(*[{"hang": True}] * 3)
        ask_cli_at(host, api)
        process = subprocess.Popen(
            [sys.executable, "-I", "-m", "ace_reflect.learning.worker"],
            env=host.environment(),
            start_new_session=True,
        )
        give_up = time.monotonic() + 30
        while not api.requests and time.monotonic() < give_up:
            time.sleep(0.02)
        process.terminate()
        assert process.wait(30) == 0
    with host.state() as state:
        (job,) = jobs.listed(state)
        assert (job.state, job.tries) == ("queued", 0)


# ------------------------------------------------------------------ kill -9


def _kill_rounds(host: Host, rounds: int, seed: int) -> int:
    """Kill workers at random instants until the queue is empty; how many were killed in their work."""
    random_ = random.Random(seed)
    killed = 0
    with host.state() as watched:
        for number in range(rounds):
            enqueue(host, session_of(host, 2, number))
            process = start(host)
            took = "SELECT 1 FROM jobs WHERE state = 'running' AND owner LIKE ?"
            while process.poll() is None and watched.one(took, (f"{process.pid}:%",)) is None:
                time.sleep(0.001)
            try:
                process.wait(random_.uniform(0, 0.06))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed += 1
    with host.state() as state:
        state.run("UPDATE jobs SET tries = 0, not_before = 0 WHERE state = 'queued'")
    for _ in range(10):
        work(host)
        with host.state() as state:
            state.run("UPDATE jobs SET state = 'queued', tries = 0 WHERE state = 'set-aside'")
            if not jobs.waiting(state):
                break
    return killed


def _check_nothing_lost_nothing_doubled(host: Host, rounds: int) -> None:
    with host.state() as state:
        assert intents.pending(state) == []
        votes = record.votes_of(state, str(host.playbook), "pat-001", limit=10_000)
        turns = state.one("SELECT count(*) FROM turns")
    assert host.counters("pat-001") == (2 * rounds, 0)
    assert len(votes) == 2 * rounds
    assert turns == (2 * rounds,)
    connection = sqlite3.connect(host.home / "state.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.parametrize(
    "rounds", [5, pytest.param(200, marks=[pytest.mark.long, pytest.mark.timeout(1800)])]
)
def test_workers_killed_at_random_instants_lose_and_double_nothing(rounds: int, host: Host) -> None:
    """Processes from the first to the last; tests/faults kills them in their work only, more often."""
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    killed = _kill_rounds(host, rounds, seed=7)
    figures.add("kill rounds", rounds)
    figures.add("kill rounds that met the writer at work", killed)
    assert killed > rounds // 6, "most of them were in the middle of something"
    _check_nothing_lost_nothing_doubled(host, rounds)


#: A worker that dies at one exact place, by SIGKILL to itself: before and after each step that lasts.
_DIE_AT = """
import os, signal
from ace_reflect.learning import apply, settle, worker
from ace_reflect.playbook import history, store
from ace_reflect.playbook import store
from ace_reflect.state import intents, jobs
place = {place!r}
owner, name, when = {{
    "before the intent": (intents, "begin", "before"), "after the intent": (intents, "begin", "after"),
    "before the history": (history, "keep", "before"), "after the history": (history, "keep", "after"),
    "before the replace": (store, "_replace", "before"), "after the replace": (store, "_replace", "after"),
    "before it counts": (intents, "complete", "before"), "after it counts": (intents, "complete", "after"),
    "before the job is done": (jobs, "finish", "before"), "after the job is done": (jobs, "finish", "after"),
}}[place]
real = getattr(owner, name)
def dying(*arguments, **more):
    if when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = real(*arguments, **more)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, dying)
worker.main()
"""
PLACES = [
    f"{when} {what}"
    for what in ("the intent", "the history", "the replace", "it counts", "the job is done")
    for when in ("before", "after")
]


@pytest.mark.parametrize("place", PLACES)
def test_a_worker_that_dies_at_one_exact_place_is_finished_by_the_next(
    place: str, host: Host, nursery: Nursery
) -> None:
    enqueue(host, session_of(host, 2))
    assert nursery.python(_DIE_AT.format(place=place)).code == -signal.SIGKILL
    work(host)
    _check_nothing_lost_nothing_doubled(host, 1)


@pytest.mark.parametrize("place", ["after the intent", "after the history", "after the replace"])
def test_a_playbook_that_a_person_edits_after_the_kill_keeps_their_edit_and_each_vote_once(
    place: str, host: Host, nursery: Nursery
) -> None:
    enqueue(host, session_of(host, 2))
    assert nursery.python(_DIE_AT.format(place=place)).code == -signal.SIGKILL
    data = json.loads(host.playbook.read_text())
    data["sections"].setdefault("OTHERS", []).append(
        {"name": "oth-001", "text": "By hand.", "helpful": 0, "harmful": 0}
    )
    host.playbook.write_text(json.dumps(data))
    work(host)
    assert host.counters("oth-001") == (0, 0)
    assert host.counters("pat-001") == (2, 0)
    with host.state() as state:
        assert len(record.votes_of(state, str(host.playbook), "pat-001")) == 2


# ------------------------------------------------------------------ a playbook that cannot be read

CONFLICT = '{"version": "1.0",\n<<<<<<< HEAD\n "sections": {}\n=======\n "sections": {"OTHERS": []}\n>>>>>>> theirs\n}\n'


def _other_project(host: Host) -> Path:
    """A second project with a session of its own that waits to be learned from; its playbook."""
    project = host.project.parent / "other-project"
    playbook = project / ".claude" / "playbook.json"
    playbook.parent.mkdir(parents=True)
    playbook.write_text(json.dumps({"sections": {"PATTERNS & APPROACHES": [POINT]}}))
    session = TranscriptBuilder(host.transcript("0ther"), cwd=str(project), session_id="0ther")
    session.prompt("Fix it").say("[pat-001]").edit(f"{project}/src/a.py").bash(
        "pytest -q", PASSED
    ).say("Done.").write()
    with host.state() as state:
        sessions.touch(state, "0ther", project=str(project), transcript=str(session.path))
        jobs.enqueue(
            state,
            "0ther",
            str(session.path),
            project=str(project),
            reason="session_end",
            final=True,
        )
    return playbook


def _helpful(playbook: Path) -> int:
    found: int = json.loads(playbook.read_text())["sections"]["PATTERNS & APPROACHES"][0]["helpful"]
    return found


def test_a_merge_conflict_in_one_projects_playbook_is_left_to_its_owner_and_costs_no_other_project(
    host: Host,
) -> None:
    host.playbook.write_text(CONFLICT)
    enqueue(host, session_of(host, 1))
    other = _other_project(host)
    work(host)
    assert host.playbook.read_text() == CONFLICT
    assert [path.name for path in host.playbook.parent.iterdir()] == ["playbook.json"]
    assert _helpful(other) == 1
    with host.state() as state:
        (waiting,) = [job for job in jobs.listed(state) if job.state == "queued"]
    assert f"{host.playbook}:2 is no playbook: line 2 begins a git merge conflict" in (
        waiting.error or ""
    )
    assert "git merge conflict" in (host.home / "log.jsonl").read_text()


def test_a_job_over_a_broken_playbook_is_set_aside_in_sight_and_learned_when_both_are_mended(
    host: Host,
) -> None:
    host.playbook.write_text(CONFLICT)
    enqueue(host, session_of(host, 2))
    with host.state() as state:
        for _ in range(jobs.MAX_TRIES):
            list(worker.drain(state, str(host.home), host.environment(), ignore_wait=True))
        (job,) = jobs.listed(state)
        assert (job.state, "git merge conflict" in (job.error or "")) == ("set-aside", True)
        assert (
            "could not be learned from"
            in host.hook("SessionStart", source="startup").json["systemMessage"]
        )
        host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
        jobs.retry(state, job.id)
        list(worker.drain(state, str(host.home), host.environment()))
    assert host.counters("pat-001") == (2, 0)


@pytest.mark.parametrize("place", ["after the history", "after the replace"])
def test_what_was_begun_before_the_playbook_broke_is_settled_when_it_is_mended(
    place: str, host: Host, nursery: Nursery
) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    enqueue(host, session_of(host, 2))
    assert nursery.python(_DIE_AT.format(place=place)).code == -signal.SIGKILL
    whole = host.playbook.read_text()
    host.playbook.write_text(f"<<<<<<< HEAD\n{whole}")
    other = _other_project(host)
    work(host)
    assert host.playbook.read_text() == f"<<<<<<< HEAD\n{whole}"
    assert _helpful(other) == 1
    host.playbook.write_text(whole)
    with host.state() as state:
        list(worker.drain(state, str(host.home), host.environment(), ignore_wait=True))
        assert intents.pending(state) == []
    assert host.counters("pat-001") == (2, 0)


@pytest.mark.parametrize("place", PLACES)
def test_entries_that_cannot_be_read_outlive_a_worker_that_dies(
    place: str, host: Host, nursery: Nursery
) -> None:
    unread = {"name": "pat-007", "text": ["a", "list"]}
    host.playbook.write_text(
        json.dumps({"sections": {"PATTERNS & APPROACHES": [unread, POINT, 7]}})
    )
    enqueue(host, session_of(host, 2))
    assert nursery.python(_DIE_AT.format(place=place)).code == -signal.SIGKILL
    work(host)
    with host.state() as state:
        assert intents.pending(state) == []
        assert jobs.counts(state) == {"done": 1}
    rows = json.loads(host.playbook.read_text())["sections"]["PATTERNS & APPROACHES"]
    assert rows == [unread, {**POINT, "helpful": 2}, 7]
