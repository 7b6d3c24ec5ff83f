"""The queue: joined, tried three times, set aside in sight."""

from ace_reflect.state import jobs


def queue(state, transcript="/t/a.jsonl", *, final=True):
    jobs.enqueue(state, "s", transcript, project="/p", reason="session_end", final=final)


def take(state, **more):
    job = jobs.take(state, **more)
    assert job is not None
    return job


def test_events_for_one_transcript_become_one_job_that_is_final_when_one_of_them_was(state):
    queue(state, final=False)
    queue(state, final=True)
    queue(state, final=False)
    assert [(job.final, job.state) for job in jobs.listed(state)] == [(True, "queued")]


def test_an_event_that_comes_while_the_job_runs_waits_behind_it(state):
    queue(state)
    job = take(state)
    queue(state)
    jobs.finish(state, job, "done")
    assert jobs.counts(state) == {"done": 1, "queued": 1}


def test_a_failed_job_waits_is_tried_three_times_and_then_set_aside_with_its_error(state):
    queue(state)
    for expected in ("queued", "queued", "set-aside"):
        job = take(state, ignore_wait=True)
        jobs.fail(state, job, "the model cannot be reached")
        assert jobs.counts(state) == {expected: 1}
        assert jobs.take(state) is None, "it waits for its next try"
    (found,) = jobs.listed(state)
    assert (found.state, found.tries) == ("set-aside", 3)
    assert found.error == "the model cannot be reached"


def test_a_job_whose_worker_died_is_taken_again_at_once_and_after_three_set_aside(state):
    queue(state)
    for tries in (1, 2, 3):
        assert take(state).tries == tries
    assert jobs.take(state) is None
    (found,) = jobs.listed(state)
    assert found.state == "set-aside"
    assert "three times" in (found.error or "")


def test_a_job_of_which_the_next_try_was_set_by_a_clock_that_was_ahead_does_not_wait_for_it(state):
    queue(state)
    jobs.fail(state, take(state), "no")
    state.run("UPDATE jobs SET not_before = not_before + 86400")
    assert take(state).tries == 2


def test_a_worker_that_is_asked_to_leave_gives_its_job_and_the_try_back(state):
    queue(state)
    take(state)
    jobs.release(state)
    (found,) = jobs.listed(state)
    assert (found.state, found.tries) == ("queued", 0)


def test_a_running_job_that_goes_back_joins_the_one_that_was_queued_meanwhile(state):
    queue(state, final=True)
    job = take(state)
    queue(state, final=False)
    jobs.fail(state, job, "no")
    (found,) = jobs.listed(state)
    assert (found.state, found.final, found.tries) == ("queued", True, 1)


def set_aside(state):
    queue(state)
    for _ in range(jobs.MAX_TRIES):
        job = take(state, ignore_wait=True)
        jobs.fail(state, job, "no")
    return job


def test_retry_of_a_job_whose_transcript_is_queued_anew_gives_that_one_all_its_tries(state):
    """The session went on after its job was set aside: one job is left of the two, and it need not wait."""
    aside = set_aside(state)
    queue(state)
    jobs.fail(state, take(state), "no")
    queue(state, "/t/b.jsonl")
    other = take(state)
    assert not jobs.retry(state, other.id), "a running job is left alone"
    jobs.fail(state, other, "no")
    assert not jobs.due(state)

    assert jobs.retry(state, aside.id)

    assert take(state).tries == 1
    (found,) = (job for job in jobs.listed(state) if job.id == other.id)
    assert found.tries == 1, "another transcript's job keeps its own"
