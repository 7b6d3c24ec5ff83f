"""The queue of what is to be learned. A job is leased to one worker, tried three times, then set aside in sight."""

import time

from ace_reflect.state import processes
from ace_reflect.state.db import State
from ace_reflect.values import Value

MAX_TRIES = 3
LEASE_S = 900.0
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
    owner: str | None = None
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


def waiting(state: State) -> int:
    """How many jobs are queued or running."""
    return int(state.value("SELECT count(*) FROM jobs WHERE state IN ('queued', 'running')"))


def due(state: State) -> bool:
    """Whether a job could be taken now."""
    sql = f"SELECT count(*) FROM jobs WHERE state = 'queued' AND {_DUE}"  # noqa: S608 - our own words
    return bool(state.value(sql, (time.time(),)))


def take(
    state: State, owner: str, *, now: float | None = None, ignore_wait: bool = False
) -> Job | None:
    """
    Lease the oldest job that is due, or whose lease has run out or lost its owner; None where there is none.

    `owner` is `processes.name()` of the worker. Taking counts as a try, so that a job that kills its worker is set aside
    as well.
    """
    now = time.time() if now is None else now
    with state.transaction():
        _release_dead(state, now)
        sql = f"SELECT id FROM jobs WHERE state = 'queued' AND (?2 OR {_DUE}) ORDER BY id LIMIT 1"  # noqa: S608
        job_id = state.value(sql, (now, ignore_wait))
        if job_id is None:
            return None
        state.run(
            "UPDATE jobs SET state = 'running', tries = tries + 1, owner = ?, leased_at = ?, lease_until = ? WHERE id = ?",
            (owner, now, now + LEASE_S, job_id),
        )
        return get(state, job_id)


def finish(state: State, job: Job, outcome: str) -> None:
    """The job is done; `outcome` is one line for `queue list`."""
    state.run(
        "UPDATE jobs SET state = 'done', finished_at = ?, outcome = ?, error = NULL, owner = NULL WHERE id = ? AND owner IS ?",
        (time.time(), outcome[:500], job.id, job.owner),
    )


def fail(state: State, job: Job, error: str, *, retry: bool = True) -> None:
    """Put a job back for later, or aside when it was tried three times or cannot be done at all (not `retry`)."""
    with state.transaction():
        if state.value("SELECT owner FROM jobs WHERE id = ?", (job.id,)) != job.owner:
            return  # the lease ran out, and the job is another worker's
        if retry and job.tries < MAX_TRIES:
            wait_s = _RETRY_AFTER_S[min(job.tries, len(_RETRY_AFTER_S)) - 1]
            _requeue(state, job.id, time.time() + wait_s, error)
        else:
            _set_aside(state, job.id, error[:500])


def retry(state: State, job_id: int) -> bool:
    """
    Give a job that was set aside (or that waits) its tries back, or the one that took its place; False for one that is
    unknown or running.
    """
    with state.transaction():
        sql = "SELECT transcript FROM jobs WHERE id = ? AND state <> 'running'"
        transcript = state.value(sql, (job_id,))
        if transcript is None:
            return False
        _requeue(state, job_id, 0.0, None)
        state.run(
            "UPDATE jobs SET tries = 0, not_before = 0 WHERE transcript = ? AND state = 'queued'",
            (transcript,),
        )
    return True


def drop(state: State, job_id: int) -> bool:
    return state.run("DELETE FROM jobs WHERE id = ? AND state <> 'running'", (job_id,)) > 0


def get(state: State, job_id: int) -> Job | None:
    found = state.records(Job, "FROM jobs WHERE id = ?", (job_id,))
    return found[0] if found else None


def listed(state: State, limit: int = 100) -> list[Job]:
    """What waits, runs or was set aside, and then the latest that are done."""
    order = "state = 'done', CASE state WHEN 'done' THEN -id ELSE id END"
    return state.records(Job, f"FROM jobs ORDER BY {order} LIMIT ?", (limit,))


def counts(state: State) -> dict[str, int]:
    """How many jobs there are of each state."""
    return dict(state.all("SELECT state, count(*) FROM jobs GROUP BY state"))


def release(state: State, owner: str) -> None:
    """A worker that was asked to end gives its job back, and the try with it."""
    for (job_id,) in state.all(
        "SELECT id FROM jobs WHERE state = 'running' AND owner = ?", (owner,)
    ):
        state.run("UPDATE jobs SET tries = max(tries - 1, 0) WHERE id = ?", (job_id,))
        _requeue(state, job_id, 0.0, None)


def _release_dead(state: State, now: float) -> None:
    for job_id, owner, leased_at, lease_until, tries in state.all(
        "SELECT id, owner, leased_at, lease_until, tries FROM jobs WHERE state = 'running'"
    ):
        # A clock that jumped back would keep a lease for long: one from the future is over as well.
        if leased_at <= now < lease_until and processes.alive(owner):
            continue
        if tries >= MAX_TRIES:
            _set_aside(state, job_id, "the worker died or hung three times on this job")
        else:
            _requeue(state, job_id, 0.0, "the worker died or hung on this job")


def _set_aside(state: State, job_id: int, error: str) -> None:
    sql = (
        "UPDATE jobs SET state = 'set-aside', finished_at = ?, error = ?, owner = NULL WHERE id = ?"
    )
    state.run(sql, (time.time(), error, job_id))


def _requeue(state: State, job_id: int, not_before: float, error: str | None) -> None:
    """Back to the queue; where an event has queued the same transcript meanwhile, that job takes this one's place."""
    merged = state.run(
        "UPDATE jobs AS twin SET final = max(twin.final, own.final), tries = max(twin.tries, own.tries)"
        " FROM jobs AS own WHERE own.id = ? AND twin.id <> own.id AND twin.state = 'queued'"
        " AND twin.kind = own.kind AND twin.transcript = own.transcript",
        (job_id,),
    )
    if merged:
        state.run("DELETE FROM jobs WHERE id = ?", (job_id,))
        return
    state.run(
        "UPDATE jobs SET state = 'queued', owner = NULL, leased_at = NULL, lease_until = NULL, finished_at = NULL,"
        " not_before = ?, error = coalesce(?, error) WHERE id = ?",
        (not_before, error, job_id),
    )
