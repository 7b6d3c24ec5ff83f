"""The queue of what is to be learned. A job is tried three times, then set aside. Its lease is the one worker's `worker.lock`."""

import time

from ace_reflect.state.db import State
from ace_reflect.values import Value

MAX_TRIES = 3
_RETRY_AFTER_S = (60.0, 900.0)
#: Due: its time has come, or is further off than any wait, since it was set before the clock jumped back.
_DUE = f"(not_before <= ?1 OR not_before > ?1 + {2 * _RETRY_AFTER_S[-1]})"


class Job(Value):
    id: int
    session: str
    project: str
    transcript: str
    reason: str
    final: int  # 1: the session is over
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
    """Queue a transcript: one that waits is joined, one that runs is queued behind itself. `final`: its last turn is over."""
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
    """The oldest job that is due, now running; one that runs already has lost its worker. Taking counts as a try, so that a job
    that kills its worker is set aside as well.
    """
    with state.transaction():
        for dead in state.records(Job, "FROM jobs WHERE state = 'running'"):
            often = " three times" if dead.tries >= MAX_TRIES else ""
            _put_back(state, dead.id, dead.tries, error=f"the worker died{often} on this job")
        sql = f"SELECT id FROM jobs WHERE state = 'queued' AND (?2 OR {_DUE}) ORDER BY id LIMIT 1"  # noqa: S608
        job_id = state.value(sql, (time.time(), ignore_wait))
        state.run("UPDATE jobs SET state = 'running', tries = tries + 1 WHERE id = ?", (job_id,))
        return state.record(Job, "FROM jobs WHERE id = ?", (job_id,))


def finish(state: State, job: Job, outcome: str) -> None:
    """The job is done; `outcome` is one line for `queue list`."""
    done = "state = 'done', finished_at = ?, outcome = ?, error = NULL"
    state.run(f"UPDATE jobs SET {done} WHERE id = ?", (time.time(), outcome[:500], job.id))  # noqa: S608


def fail(state: State, job: Job, error: str, *, retry: bool = True) -> None:
    """Put a job back for later, or aside when it was tried three times or cannot be done at all (not `retry`)."""
    wait_s = _RETRY_AFTER_S[min(job.tries, len(_RETRY_AFTER_S)) - 1]
    tries = job.tries if retry else MAX_TRIES
    _put_back(state, job.id, tries, at=time.time() + wait_s, error=error[:500])


def retry(state: State, job_id: int) -> bool:
    """Give a job that was set aside (or that waits) its tries back; False for one that is unknown or running."""
    return _put_back(state, job_id, 0, running=False)


def drop(state: State, job_id: int) -> bool:
    return state.run("DELETE FROM jobs WHERE id = ? AND state <> 'running'", (job_id,)) > 0


def listed(state: State, limit: int = 100) -> list[Job]:
    """What waits, runs or was set aside, and then the latest that are done."""
    order = "state = 'done', CASE state WHEN 'done' THEN -id ELSE id END"
    return state.records(Job, f"FROM jobs ORDER BY {order} LIMIT ?", (limit,))


def counts(state: State) -> dict[str, int]:
    """How many jobs there are in each state."""
    return dict(state.all("SELECT state, count(*) FROM jobs GROUP BY state"))


def release(state: State) -> None:
    """A worker that was asked to end gives its job back, and the try with it."""
    for job_id, tries in state.all("SELECT id, tries FROM jobs WHERE state = 'running'"):
        _put_back(state, job_id, max(tries - 1, 0))


def _put_back(
    state: State, job: int, tries: int, *, at: float = 0, error: str = "", running: bool = True
) -> bool:
    """Back to the queue for another try, not before `at`; aside, where that was the last one. What an event has queued of the
    same transcript meanwhile joins it: one alone may wait there, and REPLACE takes the other out.
    """
    changed = state.run(
        "UPDATE OR REPLACE jobs SET tries = ?2, not_before = ?3, error = coalesce(nullif(?4, ''), error),"
        " state = iif(?2 < ?7, 'queued', 'set-aside'), finished_at = iif(?2 < ?7, NULL, ?6),"
        " final = (SELECT max(final) FROM jobs AS each WHERE each.transcript = jobs.transcript"
        " AND (each.id = jobs.id OR each.state = 'queued')) WHERE id = ?1 AND (state = 'running') = ?5",
        (job, tries, at, error, running, time.time(), MAX_TRIES),
    )
    return changed > 0
