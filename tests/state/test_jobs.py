"""The queue: joined, leased, tried three times, set aside in sight."""

import time

from ace_reflect.state import jobs, processes
from ace_reflect.state.db import State


def queue(state: State, transcript: str = "/t/a.jsonl", *, final: bool = True) -> None:
    jobs.enqueue(state, "s", transcript, project="/p", reason="session_end", final=final)


def take(state: State, **more: float) -> jobs.Job:
    job = jobs.take(state, processes.name(), **more)  # type: ignore[arg-type]
    assert job is not None
    return job


def test_events_for_one_transcript_become_one_job_that_is_final_when_one_of_them_was(
    state: State,
) -> None:
    queue(state, final=False)
    queue(state, final=True)
    queue(state, final=False)
    assert [(job.final, job.state) for job in jobs.listed(state)] == [(True, "queued")]


def test_an_event_that_comes_while_the_job_runs_waits_behind_it(state: State) -> None:
    queue(state)
    job = take(state)
    queue(state)
    jobs.finish(state, job, "done")
    assert jobs.counts(state) == {"done": 1, "queued": 1}


def test_a_failed_job_waits_is_tried_three_times_and_then_set_aside_with_its_error(
    state: State,
) -> None:
    queue(state)
    for expected in ("queued", "queued", "set-aside"):
        job = take(state, ignore_wait=True)
        jobs.fail(state, job, "the model cannot be reached")
        assert jobs.counts(state) == {expected: 1}
        assert jobs.take(state, processes.name()) is None, "it waits for its next try"
    (found,) = jobs.listed(state)
    assert (found.state, found.error, found.tries) == (
        "set-aside",
        "the model cannot be reached",
        3,
    )


def test_a_job_whose_worker_died_is_taken_again_at_once_and_after_three_set_aside(
    state: State,
) -> None:
    queue(state)
    for tries in (1, 2, 3):
        job = jobs.take(state, "1234567:1")
        assert job is not None
        assert job.tries == tries
    assert jobs.take(state, processes.name()) is None
    (found,) = jobs.listed(state)
    assert found.state == "set-aside"
    assert "three times" in (found.error or "")


def test_a_lease_ends_by_time_and_does_not_outlive_a_clock_that_jumped_back(state: State) -> None:
    queue(state)
    leased_at = time.time()
    take(state, now=leased_at)
    assert jobs.take(state, processes.name(), now=leased_at + 10) is None
    assert jobs.take(state, processes.name(), now=leased_at + jobs.LEASE_S + 1) is not None
    assert jobs.take(state, processes.name(), now=leased_at - 3600) is not None


def test_a_worker_that_is_asked_to_leave_gives_its_job_and_the_try_back(state: State) -> None:
    queue(state)
    take(state)
    jobs.release(state, processes.name())
    (found,) = jobs.listed(state)
    assert (found.state, found.tries) == ("queued", 0)


def test_a_running_job_that_goes_back_joins_the_one_that_was_queued_meanwhile(state: State) -> None:
    queue(state, final=True)
    job = take(state)
    queue(state, final=False)
    jobs.fail(state, job, "no")
    (found,) = jobs.listed(state)
    assert (found.state, found.final, found.tries) == ("queued", True, 1)


def test_retry_gives_the_tries_back_and_drop_forgets(state: State) -> None:
    queue(state)
    job = take(state)
    assert not jobs.retry(state, job.id), "a running job is left alone"
    jobs.fail(state, job, "no", retry=False)
    assert jobs.retry(state, job.id)
    assert take(state).tries == 1
    assert not jobs.drop(state, 99)
    assert not jobs.drop(state, job.id)
    jobs.release(state, processes.name())
    assert jobs.drop(state, job.id)
    assert jobs.listed(state) == []


def set_aside(state: State) -> jobs.Job:
    queue(state)
    for _ in range(jobs.MAX_TRIES):
        job = take(state, ignore_wait=True)
        jobs.fail(state, job, "no")
    return job


def test_retry_of_a_job_whose_transcript_is_queued_anew_gives_that_one_all_its_tries(
    state: State,
) -> None:
    """The session went on after its job was set aside: one job is left of the two, and it need not wait."""
    aside = set_aside(state)
    queue(state)
    jobs.fail(state, take(state), "no")
    queue(state, "/t/b.jsonl")
    other = take(state)
    jobs.fail(state, other, "no")
    assert not jobs.due(state)

    assert jobs.retry(state, aside.id)

    assert take(state).tries == 1
    found = jobs.get(state, other.id)
    assert found is not None
    assert found.tries == 1, "another transcript's job keeps its own"
