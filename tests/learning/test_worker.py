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
from ace_reflect.state import intents, jobs, processes, record, sessions
from support import figures
from support.assessed import ask_cli_at
from support.faults import nursery
from support.messages_api import MessagesApi
from support.transcripts import TranscriptBuilder

__all__ = ["nursery"]

PASSED = "3 passed in 0.10s"
POINT = {"name": "pat-001", "text": "Run the tests.", "helpful": 0, "harmful": 0}
BOOK = {"PATTERNS & APPROACHES": [POINT]}
DEAD = "999999:1"


def session_of(host, turns, number=0, project=None):
    """A session that cites a key point in each of its turns, with a passing test after it."""
    name, folder = f"5e55105e-0000-4000-8000-{number:012d}", project or host.project
    session = TranscriptBuilder(host.transcript(name), cwd=str(folder), session_id=name)
    for _ in range(turns):
        session.prompt("Fix it").say("[pat-001]").edit(f"{session.cwd}/src/a.py")
        session.bash("pytest -q", PASSED).say("Done.")
    session.write()
    return session


def touch(state, session, process=""):
    given = {"project": session.cwd, "transcript": str(session.path), "process": process}
    sessions.touch(state, session.session_id, **given)


def enqueue(host, session):
    with host.state() as state:
        touch(state, session)
        given = {"project": session.cwd, "reason": "session_end", "final": True}
        jobs.enqueue(state, session.session_id, str(session.path), **given)


def start(host):
    command = [sys.executable, "-I", "-m", "ace_reflect.learning.worker"]
    return subprocess.Popen(command, env=host.environment(), start_new_session=True)


def work(host):
    """What a worker does, in this process."""
    worker.run(str(host.home), host.environment())


def drain(host, state):
    return list(worker.drain(state, str(host.home), host.environment(), ignore_wait=True))


def listed(host):
    with host.state() as state:
        return jobs.listed(state)


def test_the_worker_empties_the_queue_and_ends(host):
    host.write_playbook(BOOK)
    for number in range(3):
        enqueue(host, session_of(host, 2, number))
    assert start(host).wait(60) == 0
    assert host.counters("pat-001") == (6, 0)
    done = {(job.state, job.outcome) for job in listed(host)}
    assert done == {("done", "2 turns, 2 votes, 0 changes (offline)")}


def test_compaction_session_end_resume_and_fork_credit_each_turn_once(host):
    host.write_playbook(BOOK)
    session = session_of(host, 2)

    def hook(event, **more):
        given = {"session_id": session.session_id, **more}
        assert host.hook(event, **given).code == 0
        host.wait_for_workers()
        return host.counters("pat-001")[0]

    assert hook("PreCompact", trigger="auto") == 1, "the open turn waits for its end"
    assert hook("SessionEnd", reason="other") == 2
    assert hook("SessionEnd", reason="other") == 2
    session.prompt("More").say("[pat-001]").bash("pytest -q", PASSED).write()
    assert hook("SessionStart", source="resume") == 2
    assert hook("SessionEnd", reason="prompt_input_exit") == 3
    fork = "f0f0f0f0-0000-4000-8000-000000000000"
    copied = session.data().replace(session.session_id.encode(), fork.encode())
    host.transcript(fork).write_bytes(copied)
    assert hook("SessionEnd", session_id=fork, reason="other") == 3


def test_a_second_worker_ends_at_once_and_leaves_the_work_to_the_first(host):
    enqueue(host, session_of(host, 1))
    with worker.single(str(host.home)) as mine:
        assert mine
        assert start(host).wait(60) == 0
        assert [job.state for job in listed(host)] == ["queued"]
    work(host)
    assert [job.state for job in listed(host)] == ["done"]


def test_a_vanished_transcript_is_set_aside_with_its_error(host):
    session = session_of(host, 1)
    enqueue(host, session)
    Path(str(session.path)).unlink()
    work(host)
    (job,) = listed(host)
    assert job.state == "set-aside"
    assert "no such file" in (job.error or "")
    said = host.hook("SessionStart", source="startup").json["systemMessage"]
    assert "could not be learned from" in said


@pytest.mark.parametrize(
    "content", [b"", b"\n", b'{"type":"mode","mode":"default","sessionId":"x"}\n', b"garbage\n"]
)
def test_a_session_in_which_nobody_said_anything_is_done_without_a_word(content, host):
    session = session_of(host, 1)
    Path(str(session.path)).write_bytes(content)
    enqueue(host, session)
    work(host)
    assert [job.state for job in listed(host)] == ["done"]
    assert not host.playbook.exists()


def test_models_that_cannot_be_reached_are_tried_three_times_and_never_replaced_by_rules(host):
    host.write_playbook(BOOK)
    host.home.mkdir(parents=True, exist_ok=True)
    (host.home / "reflection.yaml").write_text("models: [anthropic/claude-sonnet-4-5]\n")
    enqueue(host, session_of(host, 1))
    unreachable = {"ANTHROPIC_API_KEY": "sk-fake", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    environ = host.environment(**unreachable, ACE_REFLECT_RETRY_BASE_S="0.01")
    with host.state() as state:
        for _ in range(3):
            (done,) = worker.drain(state, str(host.home), environ, ignore_wait=True)
            assert done.error
    assert [job.state for job in listed(host)] == ["set-aside"]
    assert host.counters("pat-001") == (0, 0)


# ------------------------------------------------------------------ sessions that died


def test_a_session_that_died_is_found_by_the_next_ones_start_and_only_once(host):
    host.write_playbook(BOOK)
    session = session_of(host, 2)
    with host.state() as state:
        touch(state, session, DEAD)
        assert queue.has_work(state)
    host.hook("SessionStart", session_id="another", source="startup")
    host.wait_for_workers()
    assert host.counters("pat-001") == (2, 0)
    with host.state() as state:
        assert not queue.has_work(state)
        touch(state, session, DEAD)
        assert worker.sweep(state, str(host.home), host.environment()) == 0
        touch(state, session.prompt("Fix it again").say("Done."), DEAD)
        session.write()
        assert worker.sweep(state, str(host.home), host.environment()) == 1


@pytest.mark.parametrize(
    ("process", "idle_s", "config", "found"),
    [
        (DEAD, 0, "", 1),
        ("", 7200, "", 1),
        ("", 0, "", 0),
        ("this one", 7200, "", 0),
        (DEAD, 0, "learning: {on: [pre_compact]}\n", 0),
    ],
    ids=["gone", "idle", "its file grows", "lives", "a project that does not want it"],
)
def test_only_a_session_that_is_over_is_swept(process, idle_s, config, found, host):
    """Also where the person's own file is broken: what a project may set is what the hooks go by, too."""
    session = session_of(host, 1)
    host.home.mkdir(parents=True, exist_ok=True)
    (host.home / "reflection.yaml").write_text("no_such_key: 1\n")
    (host.project / ".claude").mkdir(exist_ok=True)
    (host.project / ".claude" / "reflection.yaml").write_text(config)
    os.utime(str(session.path), (time.time() - idle_s,) * 2)
    with host.state() as state:
        touch(state, session, processes.name() if process == "this one" else process)
        state.run("UPDATE sessions SET seen_at = seen_at - 7200")
        assert worker.sweep(state, str(host.home), host.environment()) == found


# ------------------------------------------------------------------ its end


def test_a_hanging_model_does_not_outlive_its_alarm(host):
    """The alarm ends the worker and what it started; the job is taken again by the next one."""
    enqueue(host, session_of(host, 1))
    with MessagesApi() as api:
        api.enqueue(*[{"hang": True}] * 3)
        ask_cli_at(host, api)
        code = (
            "import ace_reflect.learning.worker as w, sys\nw.LIFETIME_S = 4.0\nsys.exit(w.main())\n"
        )
        command = [sys.executable, "-I", "-c", code]
        process = subprocess.Popen(command, env=host.environment(), start_new_session=True)
        assert process.wait(30) == -signal.SIGKILL
    host.wait_for_workers()
    with host.state() as state:
        assert [job.state for job in jobs.listed(state)] == ["running"]
        assert jobs.take(state, "me") is not None


def test_sigterm_gives_the_job_back(host):
    enqueue(host, session_of(host, 1))
    with MessagesApi() as api:
        api.enqueue(*[{"hang": True}] * 3)
        ask_cli_at(host, api)
        process = start(host)
        give_up = time.monotonic() + 30
        while not api.requests and time.monotonic() < give_up:
            time.sleep(0.02)
        process.terminate()
        assert process.wait(30) == 0
    assert [(job.state, job.tries) for job in listed(host)] == [("queued", 0)]


# ------------------------------------------------------------------ kill -9


def check_nothing_lost_nothing_doubled(host, turns):
    with host.state() as state:
        assert intents.pending(state) == []
        votes = state.all("SELECT id FROM votes WHERE key_point = 'pat-001'")
        assert state.one("SELECT count(*) FROM turns") == (turns,)
    rows = json.loads(host.playbook.read_text())["sections"]["PATTERNS & APPROACHES"]
    assert {**POINT, "helpful": turns} in rows
    assert len(votes) == turns
    connection = sqlite3.connect(host.home / "state.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.parametrize(
    "rounds", [5, pytest.param(200, marks=[pytest.mark.long, pytest.mark.timeout(1800)])]
)
def test_workers_killed_at_random_instants_lose_and_double_nothing(rounds, host):
    """Processes from the first to the last; tests/faults kills them in their work only, more often."""
    host.write_playbook(BOOK)
    random_, killed = random.Random(7), 0
    took = "SELECT 1 FROM jobs WHERE state = 'running' AND owner LIKE ?"
    with host.state() as watched:
        for number in range(rounds):
            enqueue(host, session_of(host, 2, number))
            process = start(host)
            while process.poll() is None and watched.one(took, (f"{process.pid}:%",)) is None:
                time.sleep(0.001)
            try:
                process.wait(random_.uniform(0, 0.06))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed += 1
        watched.run("UPDATE jobs SET tries = 0, not_before = 0 WHERE state = 'queued'")
        while jobs.waiting(watched):
            work(host)
            watched.run("UPDATE jobs SET state = 'queued', tries = 0 WHERE state = 'set-aside'")
    figures.add("kill rounds", rounds)
    figures.add("kill rounds that met the writer at work", killed)
    assert killed > rounds // 6, "most of them were in the middle of something"
    check_nothing_lost_nothing_doubled(host, 2 * rounds)


#: A worker that dies at one exact place, by SIGKILL to itself: before and after each step that lasts.
_DIE_AT = """
import os, signal
from ace_reflect.learning import worker
from ace_reflect.playbook import history, store
from ace_reflect.state import intents, jobs
when, what = {place!r}.split(" ", 1)
owner, name = {{
    "the intent": (intents, "begin"), "the history": (history, "keep"), "the replace": (store, "_replace"),
    "it counts": (intents, "complete"), "the job is done": (jobs, "finish"),
}}[what]
real = getattr(owner, name)
def dying(*arguments, **more):
    if when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = real(*arguments, **more)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, dying)
worker.main()
"""
STEPS = ("the intent", "the history", "the replace", "it counts", "the job is done")
PLACES = [f"{when} {what}" for what in STEPS for when in ("before", "after")]


def die_at(nursery, place):
    assert nursery.python(_DIE_AT.format(place=place)).code == -signal.SIGKILL


@pytest.mark.parametrize("place", PLACES)
def test_a_worker_that_dies_at_one_exact_place_is_finished_by_the_next(place, host, nursery):
    """Also the entries of the playbook that cannot be read outlive it."""
    unread = {"name": "pat-007", "text": ["a", "list"]}
    rows = {"sections": {"PATTERNS & APPROACHES": [unread, POINT, 7]}}
    host.playbook.write_text(json.dumps(rows))
    enqueue(host, session_of(host, 2))
    die_at(nursery, place)
    work(host)
    kept = json.loads(host.playbook.read_text())["sections"]["PATTERNS & APPROACHES"]
    assert all(each in kept for each in (unread, {**POINT, "helpful": 2}, 7))
    assert len(kept) == 3
    assert [job.state for job in listed(host)] == ["done"]
    check_nothing_lost_nothing_doubled(host, 2)


@pytest.mark.parametrize("place", ["after the intent", "after the history", "after the replace"])
def test_a_persons_edit_after_the_kill_stays_and_each_vote_counts_once(place, host, nursery):
    enqueue(host, session_of(host, 2))
    die_at(nursery, place)
    data = json.loads(host.playbook.read_text())
    by_hand = {"name": "oth-001", "text": "By hand.", "helpful": 0, "harmful": 0}
    data["sections"].setdefault("OTHERS", []).append(by_hand)
    host.playbook.write_text(json.dumps(data))
    work(host)
    assert host.counters("oth-001") == (0, 0)
    check_nothing_lost_nothing_doubled(host, 2)


# ------------------------------------------------------------------ a playbook that cannot be read

CONFLICT = '{"version": "1.0",\n<<<<<<< HEAD\n "sections": {}\n=======\n "sections": {"OTHERS": []}\n>>>>>>> theirs\n}\n'


def other_project(host):
    """A second project with a session of its own that waits to be learned from; its playbook."""
    project = host.project.parent / "other-project"
    playbook = project / ".claude" / "playbook.json"
    playbook.parent.mkdir(parents=True)
    playbook.write_text(json.dumps({"sections": BOOK}))
    enqueue(host, session_of(host, 1, 77, project))
    return playbook


def helpful(playbook):
    return json.loads(playbook.read_text())["sections"]["PATTERNS & APPROACHES"][0]["helpful"]


def test_a_merge_conflict_is_left_to_its_owner_costs_no_other_project_and_is_learned_when_mended(
    host,
):
    host.playbook.write_text(CONFLICT)
    enqueue(host, session_of(host, 2))
    other = other_project(host)
    work(host)
    assert host.playbook.read_text() == CONFLICT
    assert [path.name for path in host.playbook.parent.iterdir()] == ["playbook.json"]
    assert helpful(other) == 1
    with host.state() as state:
        (job,) = [job for job in jobs.listed(state) if job.state == "queued"]
        said = f"{host.playbook}:2 is no playbook: line 2 begins a git merge conflict"
        assert said in (job.error or "")
        for _ in range(jobs.MAX_TRIES - 1):
            drain(host, state)
        assert jobs.get(state, job.id).state == "set-aside"
        told = host.hook("SessionStart", source="startup").json["systemMessage"]
        assert "could not be learned from" in told
        host.write_playbook(BOOK)
        jobs.retry(state, job.id)
        drain(host, state)
    assert host.counters("pat-001") == (2, 0)
    assert "git merge conflict" in (host.home / "log.jsonl").read_text()


@pytest.mark.parametrize("place", ["after the history", "after the replace"])
def test_what_was_begun_before_the_playbook_broke_is_settled_when_it_is_mended(
    place, host, nursery
):
    host.write_playbook(BOOK)
    enqueue(host, session_of(host, 2))
    die_at(nursery, place)
    whole = host.playbook.read_text()
    host.playbook.write_text(f"<<<<<<< HEAD\n{whole}")
    other = other_project(host)
    work(host)
    assert host.playbook.read_text() == f"<<<<<<< HEAD\n{whole}"
    assert helpful(other) == 1
    host.playbook.write_text(whole)
    with host.state() as state:
        drain(host, state)
    with host.state() as state:
        assert intents.pending(state) == []
        assert len(record.votes_of(state, str(host.playbook), "pat-001")) == 2
    assert host.counters("pat-001") == (2, 0)
