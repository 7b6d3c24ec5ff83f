"""The worker: one at a time, nothing lost, nothing doubled, gone when it is done."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ace_reflect.learning import worker
from ace_reflect.state import jobs, processes, record
from support.assessed import ask_cli_at
from support.faults import DEAD, POINT, add_turn, enqueue, known, nursery, session_of, sound

__all__ = ["nursery"]

BOOK = {"PATTERNS & APPROACHES": [POINT]}
YEAR = 365 * 86400


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


def test_compaction_session_end_resume_and_fork_credit_each_turn_once(host, nursery):
    session = session_of(host, 2)

    def helpful(event, name=session.session_id, **fields):
        nursery.event(event, session_id=name, **fields)
        work(host)
        return host.counters("pat-001")[0]

    assert helpful("PreCompact", trigger="auto") == 1, "the open turn waits for its end"
    assert helpful("SessionEnd", reason="other") == 2
    assert helpful("SessionEnd", reason="again") == 2
    add_turn(session).write()
    assert helpful("SessionStart", source="resume") == 2
    assert helpful("SessionEnd", reason="prompt_input_exit") == 3
    fork = "f0f0f0f0-0000-4000-8000-000000000000"
    copied = session.data().replace(session.session_id.encode(), fork.encode())
    host.transcript(fork).write_bytes(copied)
    assert helpful("SessionEnd", fork, reason="other") == 3


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


def test_a_session_that_died_is_found_by_the_next_ones_start_and_only_once(host):
    host.write_playbook(BOOK)
    session = session_of(host, 2)

    def started(jobs_done):
        with host.state() as state:
            known(state, session)
        host.hook("SessionStart", session_id="another", source="startup", jobs_done=jobs_done)
        host.wait_for_workers()
        assert [job.state for job in listed(host)] == ["done"] * jobs_done
        return host.counters("pat-001")[0]

    assert started(1) == 2
    assert started(1) == 2
    add_turn(session).write()
    assert started(2) == 3


@pytest.mark.parametrize(
    ("process", "idle_s", "config", "found"),
    [
        (DEAD, 0, "", 1), ("", 7200, "", 1), ("", 0, "", 0), ("this one", 7200, "", 0),
        (DEAD, 0, "learning: {on: [pre_compact]}\n", 0), (DEAD, -YEAR, "", 1), ("", -YEAR, "", 1),
    ],
    ids=["gone", "idle", "its file grows", "lives", "a project that does not want it", "gone, seen in the future", "seen in the future"],
)  # fmt: skip
def test_only_a_session_that_is_over_is_swept(process, idle_s, config, found, host):
    """Also where the person's own file is broken: what a project may set is what the hooks go by, too."""
    host.write_playbook(BOOK)
    session = session_of(host, 1)
    host.home.mkdir(parents=True)
    (host.home / "reflection.yaml").write_text("no_such_key: 1\n")
    (host.project / ".claude" / "reflection.yaml").write_text(config)
    os.utime(str(session.path), (time.time() - idle_s,) * 2)
    with host.state() as state:
        known(state, session, processes.name() if process == "this one" else process)
        state.run("UPDATE sessions SET seen_at = seen_at - ?", (idle_s or 7200,))
    work(host)
    assert host.counters("pat-001") == (found, 0)


def test_a_hanging_model_does_not_outlive_its_alarm(host, api):
    """The alarm ends the worker and what it started; the job is taken again by the next one."""
    enqueue(host, session_of(host, 1))
    api.enqueue({"hang": True, "repeat": 3})
    ask_cli_at(host, api)
    code = "import ace_reflect.learning.worker as w, sys\nw.LIFETIME_S = 4.0\nsys.exit(w.main())"
    command = [sys.executable, "-I", "-c", code]
    process = subprocess.Popen(command, env=host.environment(), start_new_session=True)
    assert process.wait(30) == -signal.SIGKILL
    api.close()
    host.wait_for_workers()
    with host.state() as state:
        assert [job.state for job in jobs.listed(state)] == ["running"]
        assert jobs.take(state) is not None


def test_sigterm_gives_the_job_back(host, api):
    enqueue(host, session_of(host, 1))
    api.enqueue({"hang": True, "repeat": 3})
    ask_cli_at(host, api)
    process = start(host)
    give_up = time.monotonic() + 30
    while not api.requests and time.monotonic() < give_up:
        time.sleep(0.02)
    process.terminate()
    assert process.wait(30) == 0
    assert [(job.state, job.tries) for job in listed(host)] == [("queued", 0)]


# ------------------------------------------------------------------ killed at one exact place (`tests/faults`: at any)

#: A worker that dies by SIGKILL to itself: before and after each step that lasts.
_DIE_AT = """
import os, signal
from ace_reflect.learning import worker
from ace_reflect.playbook import history, store
from ace_reflect.state import jobs, record
when, what = {place!r}.split(" ", 1)
owner, name = {{
    "the intent": (record, "begin"), "the history": (history, "keep"), "the replace": (store, "_replace"),
    "it counts": (record, "complete"), "the job is done": (jobs, "finish"),
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


def die_at(nursery, place):
    assert nursery.python(_DIE_AT.format(place=place)).code == -signal.SIGKILL


def nothing_lost_nothing_doubled(host, turns):
    """The counters of the playbook are each test's own."""
    sound(host)
    with host.state() as state:
        assert record.pending(state) == []
        assert state.one("SELECT count(*) FROM turns") == (turns,)
        assert state.one("SELECT count(*) FROM votes WHERE key_point = 'pat-001'") == (turns,)


@pytest.mark.parametrize("edited", [False, True], ids=["", "and a person's edit"])
@pytest.mark.parametrize("place", [f"{when} {what}" for what in STEPS for when in ("before", "after")])  # fmt: skip
def test_a_worker_that_dies_at_an_exact_place_is_finished_by_another(place, edited, host, nursery):
    """Also entries of the playbook that cannot be read outlive it, and what a person wrote after the kill."""
    unread = {"name": "pat-007", "text": ["a", "list"]}
    rows = [unread, POINT, 7]
    host.playbook.write_text(json.dumps({"sections": {"PATTERNS & APPROACHES": rows}}))
    enqueue(host, session_of(host, 2))
    die_at(nursery, place)
    by_hand = {"name": "oth-001", "text": "By hand.", "helpful": 0, "harmful": 0}
    if edited:
        data = json.loads(host.playbook.read_text())
        data["sections"]["OTHERS"] = [by_hand]
        host.playbook.write_text(json.dumps(data))
    work(host)
    kept = json.loads(host.playbook.read_text())["sections"]
    assert {json.dumps(row) for row in kept["PATTERNS & APPROACHES"]} == {
        json.dumps(row) for row in (unread, {**POINT, "helpful": 2}, 7)
    }
    assert kept.get("OTHERS", []) == [by_hand] * edited
    assert [job.state for job in listed(host)] == ["done"]
    nothing_lost_nothing_doubled(host, 2)


@pytest.mark.parametrize("begun", ["", "after the history", "after the replace"])
def test_a_merge_conflict_costs_no_other_project_and_is_learned_when_mended(begun, host, nursery):
    """Also what a killed worker had begun before the playbook broke."""
    enqueue(host, session_of(host, 2))
    if begun:
        die_at(nursery, begun)
    whole = host.playbook.read_text()
    conflict = f'{{"version": "1.0",\n<<<<<<< HEAD\n{whole}'
    host.playbook.write_text(conflict)
    project = host.project.parent / "other-project"
    other = host.write_playbook(BOOK, project / ".claude" / "playbook.json")
    enqueue(host, session_of(host, 1, 77, folder=project))

    work(host)

    assert host.playbook.read_text() == conflict
    assert [path.name for path in host.playbook.parent.iterdir()] == ["playbook.json"]
    assert host.counters("pat-001", other) == (1, 0)
    (job,) = [job for job in listed(host) if job.state == "queued"]
    said = f"{host.playbook}:2 is no playbook: line 2 begins a git merge conflict"
    assert said in (job.error or "")
    with host.state() as state:
        while jobs.counts(state).get("queued"):
            drain(host, state)
    told = host.hook("SessionStart", source="startup").json["systemMessage"]
    assert "could not be learned from" in told
    host.wait_for_workers()
    host.playbook.write_text(whole)
    with host.state() as state:
        jobs.retry(state, job.id)
        drain(host, state)
        assert record.pending(state) == []
        assert len(record.votes_of(state, str(host.playbook), "pat-001")) == 2
    assert host.counters("pat-001") == (2, 0)
    assert "git merge conflict" in (host.home / "log.jsonl").read_text()
