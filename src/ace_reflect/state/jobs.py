"""
The queue of what is to be learned. A job is tried three times, then set aside in sight.

Only the one worker, which holds `worker.lock`, takes jobs: that lock is the lease on them.
"""

import time

from ace_reflect.state.db import State
from ace_reflect.values import Value

MAX_TRIES = 3
_RETRY_AFTER_S = (60.0, 900.0)
#: Due: its time has come, or lies further off than any wait, for it was set before the clock jumped back.
_DUE = f"(not_before <= ?1 OR not_before > ?1 + {2 * _RETRY_AFTER_S[-1]})"


class Job(Value):
    id: int
    session: str
    project: str
    transcript: str
    reason: str
    final: bool
    state: str = "queued"
    tries: int = 0
    created_at: float
    not_before: float = 0.0
    finished_at: float | None = None
    error: str | None = None
    outcome: str | None = None


def enqueue(
    state: State, session_id: str, transcript: str, *, project: str, reason: str, final: bool
) -> None:
    """
    Queue a transcript. One that already waits is joined, not doubled; one that runs is queued behind itself.

    `final`: the session is over, so its last turn is too.
    """
    state.run(
        "INSERT INTO jobs (kind, session, project, transcript, reason, final, created_at)"
        " VALUES ('learn', ?1, ?2, ?3, ?4, ?5, ?6)"
        " ON CONFLICT (kind, transcript) WHERE state = 'queued' DO UPDATE SET"
        " final = max(final, ?5), reason = ?4, session = ?1, project = ?2, not_before = 0",
        (session_id, project, transcript, reason, final, time.time()),
    )


def due(state: State) -> bool:
    """Whether a job could be taken now."""
    sql = f"SELECT count(*) FROM jobs WHERE state = 'queued' AND {_DUE}"  # noqa: S608 - our own words
    return bool(state.value(sql, (time.time(),)))


def take(state: State, *, ignore_wait: bool = False) -> Job | None:
    """
    The oldest job that is due, now running; None where there is none. One that runs already has lost its worker.

    Taking counts as a try, so that a job that kills its worker is set aside as well.
    """
    with state.transaction():
        for dead in state.records(Job, "FROM jobs WHERE state = 'running'"):
            often = " three times" if dead.tries >= MAX_TRIES else ""
            _put_back(state, dead, 0.0, f"the worker died{often} on this job")
        sql = f"SELECT id FROM jobs WHERE state = 'queued' AND (?2 OR {_DUE}) ORDER BY id LIMIT 1"  # noqa: S608
        job_id = state.value(sql, (time.time(), ignore_wait))
        state.run("UPDATE jobs SET state = 'running', tries = tries + 1 WHERE id = ?", (job_id,))
        return state.record(Job, "FROM jobs WHERE id = ?", (job_id,))


def finish(state: State, job: Job, outcome: str) -> None:
    """The job is done; `outcome` is one line for `queue list`."""
    state.run(
        "UPDATE jobs SET state = 'done', finished_at = ?, outcome = ?, error = NULL WHERE id = ?",
        (time.time(), outcome[:500], job.id),
    )


def fail(state: State, job: Job, error: str, *, retry: bool = True) -> None:
    """Put a job back for later, or aside when it was tried three times or cannot be done at all (not `retry`)."""
    wait_s = _RETRY_AFTER_S[min(job.tries, len(_RETRY_AFTER_S)) - 1]
    tried = job if retry else job.replace(tries=MAX_TRIES)
    with state.transaction():
        _put_back(state, tried, time.time() + wait_s, error[:500])


def retry(state: State, job_id: int) -> bool:
    """Give a job that was set aside (or that waits) its tries back; False for one that is unknown or running."""
    with state.transaction():
        sql = "UPDATE jobs SET tries = 0 WHERE id = ? AND state <> 'running'"
        if not state.run(sql, (job_id,)):
            return False
        _requeue(state, job_id, 0.0, None)
    return True


def drop(state: State, job_id: int) -> bool:
    return state.run("DELETE FROM jobs WHERE id = ? AND state <> 'running'", (job_id,)) > 0


def listed(state: State, limit: int = 100) -> list[Job]:
    """What waits, runs or was set aside, and then the latest that are done."""
    order = "state = 'done', CASE state WHEN 'done' THEN -id ELSE id END"
    return state.records(Job, f"FROM jobs ORDER BY {order} LIMIT ?", (limit,))


def counts(state: State) -> dict[str, int]:
    """How many jobs there are of each state."""
    return dict(state.all("SELECT state, count(*) FROM jobs GROUP BY state"))


def release(state: State) -> None:
    """A worker that was asked to end gives its job back, and the try with it."""
    for job_id in state.column("SELECT id FROM jobs WHERE state = 'running'"):
        state.run("UPDATE jobs SET tries = max(tries - 1, 0) WHERE id = ?", (job_id,))
        _requeue(state, job_id, 0.0, None)


def _put_back(state: State, job: Job, not_before: float, error: str) -> None:
    """Back to the queue for another try; aside, where that was the last one."""
    if job.tries < MAX_TRIES:
        _requeue(state, job.id, not_before, error)
    else:
        state.run(
            "UPDATE jobs SET state = 'set-aside', finished_at = ?, error = ? WHERE id = ?",
            (time.time(), error, job.id),
        )


def _requeue(state: State, job_id: int, not_before: float, error: str | None) -> None:
    """Back to the queue; what an event has queued of the same transcript meanwhile joins it."""
    later = state.one(
        "DELETE FROM jobs WHERE id <> ?1 AND state = 'queued'"
        " AND transcript = (SELECT transcript FROM jobs WHERE id = ?1) RETURNING final",
        (job_id,),
    )
    state.run(
        "UPDATE jobs SET state = 'queued', finished_at = NULL, not_before = ?, error = coalesce(?, error),"
        " final = max(final, ?) WHERE id = ?",
        (not_before, error, later[0] if later else 0, job_id),
    )
