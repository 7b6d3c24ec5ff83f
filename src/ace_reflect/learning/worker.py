"""
The worker: detached, single, mortal. It empties the queue and ends.

A lock that the kernel lets go of keeps it single; a lease keeps a job its own; an alarm that needs no cooperation ends
it for good. Killed at any instant, it loses nothing and doubles nothing: `learning.settle` finishes what was begun, the
next worker takes the job again, and turns that count are known by their key.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from ace_reflect import config as configuration
from ace_reflect import log, paths
from ace_reflect.errors import AceReflectError, StateError, TranscriptError
from ace_reflect.learning.pipeline import Options, Report, learn
from ace_reflect.learning.queue import IDLE_S
from ace_reflect.learning.settle import settle_all
from ace_reflect.redact import redact
from ace_reflect.state import jobs, packed, processes, prune, sessions, trust
from ace_reflect.state.db import State, open_state
from ace_reflect.state.jobs import Job
from ace_reflect.text import counted

LIFETIME_S = 1800.0  # of a worker, whatever it does
JOB_S = jobs.LEASE_S  # of one job; a job that takes longer hangs


@dataclass(frozen=True, slots=True)
class Done:
    """One job that was taken, and what came of it."""

    job: Job
    outcome: str
    report: Report | None = None
    error: str = ""


def main() -> int:
    """Run as the hooks start it: empty the queue, unless a worker is at it. Always returns 0."""
    os.umask(0o077)
    home = paths.home(os.environ)
    try:
        paths.make_folder(home)
        _own_session()
        _set_alarm(LIFETIME_S)
        signal.signal(signal.SIGTERM, _leave)
        run(home, os.environ)
    except Exception as error:  # noqa: BLE001 - nobody looks at this process: the log is the only place to say it
        log.failure(home, "worker", error)
    return 0


def run(home: str, environ: Mapping[str, str]) -> int:
    """Work until nothing is due; the number of jobs done. A second worker ends at once."""
    done = 0
    give_up_at = time.monotonic() + LIFETIME_S - JOB_S / 2
    while time.monotonic() < give_up_at:
        with single(home) as mine:
            if not mine:
                return done
            with open_state(home, wait_s=30.0, durable=True) as state:
                settle_all(state, home)
                sweep(state, home, environ)
                done += sum(1 for _ in drain(state, home, environ, until=give_up_at))
                prune.prune(state)
                packed.rest(state, time.time())
        # A job that came between the last look and letting go of the lock has a worker that saw the lock: look again.
        with open_state(home) as state:
            if not jobs.due(state):
                break
    return done


def drain(
    state: State,
    home: str,
    environ: Mapping[str, str],
    *,
    until: float | None = None,
    ignore_wait: bool = False,
) -> Iterator[Done]:
    """Take one job after another until none is due. `ignore_wait`: those that wait for another try, too."""
    owner = processes.name()
    seen: set[int] = set()
    try:
        while until is None or time.monotonic() < until:
            job = jobs.take(state, owner, ignore_wait=ignore_wait)
            if job is None:
                return
            if job.id in seen:  # `queue run` gives each job one try
                jobs.release(state, owner)
                return
            seen.add(job.id)
            yield _attempt(state, job, home, environ)
    except BaseException:
        jobs.release(state, owner)
        raise


def sweep(state: State, home: str, environ: Mapping[str, str]) -> int:
    """Queue sessions that died without a SessionEnd: their process gone (or, where none is known, idle), something unread."""
    before, found = time.time() - IDLE_S, 0
    for session in sessions.maybe_dead(state, before):
        if processes.alive(session.process):
            continue
        try:
            file = os.stat(session.transcript)
        except OSError:
            sessions.end(state, session.id)
            continue
        if not session.process and before < file.st_mtime < time.time() + sessions.AHEAD_S:
            continue
        if (
            file.st_size <= session.learned_size
            or "session_end"
            not in _config(state, session.project, home, environ).settings.learning_on
        ):
            sessions.end(state, session.id)
            continue
        jobs.enqueue(
            state,
            session.id,
            session.transcript,
            project=session.project,
            reason="sweep",
            final=True,
        )
        found += 1
    return found


@contextmanager
def single(home: str) -> Iterator[bool]:
    """Whether this process is the one worker. The kernel gives the lock back when the process dies."""
    import fcntl

    descriptor = os.open(
        os.path.join(home, "worker.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
    )
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def _attempt(state: State, job: Job, home: str, environ: Mapping[str, str]) -> Done:
    started = time.monotonic()
    try:
        done = _learn(state, job, home, environ)
    except StateError:
        raise
    except TranscriptError as error:
        done = _no_transcript(state, job, error)
    except Exception as error:  # noqa: BLE001 - one job's failure is not the queue's
        done = _failed(state, job, home, error)
    ms = round((time.monotonic() - started) * 1000)
    log.write(
        home,
        "learn",
        session=job.session,
        job=job.id,
        decision=done.outcome or "failed",
        error=redact(done.error, environ) or None,
        ms=ms,
    )
    return done


def _learn(state: State, job: Job, home: str, environ: Mapping[str, str]) -> Done:
    if job.kind != "learn":
        error = f"jobs of the kind {job.kind!r} are not known here; a newer ace-reflect queued it"
        jobs.fail(state, job, error, retry=False)
        return Done(job, "", error=error)
    config = _config(state, job.project, home, environ)
    options = Options(
        home_dir=home,
        project=job.project,
        environ=environ,
        models=config.file.models,
        final=job.final,
        session=job.session,
        review=config.settings.learning_review,
        ungrounded=config.settings.learning_ungrounded,
        config=config,
    )
    report = learn(state, job.transcript, options)
    with state.transaction():
        if job.final:
            sessions.learned(state, job.transcript, report.size)
            if job.reason == "sweep":
                sessions.end(state, job.session)
        outcome = summary(report)
        jobs.finish(state, job, outcome)
    return Done(job, outcome, report)


def summary(report: Report) -> str:
    """One line for `queue list`."""
    if not report.learned:
        return "nothing new" if report.known else "no turn of a person's in it"
    votes = sum(len(applied.tags) for _, applied in report.playbooks)
    changes = sum(
        outcome.applied for _, applied in report.playbooks for outcome in applied.outcomes
    )
    parts = [counted(report.learned, "turn"), counted(votes, "vote"), counted(changes, "change")]
    if report.waiting:
        parts.append(f"{len(report.waiting)} for review")
    return ", ".join(parts) + ("" if report.model else " (offline)")


def _no_transcript(state: State, job: Job, error: TranscriptError) -> Done:
    if os.path.exists(job.transcript):
        # A session that was opened and left: its file holds nothing that anybody said.
        jobs.finish(state, job, "nothing to learn from")
        return Done(job, "nothing to learn from")
    jobs.fail(state, job, str(error), retry=False)
    return Done(job, "", error=str(error))


def _failed(state: State, job: Job, home: str, error: Exception) -> Done:
    log.failure(home, "learn", error, session=job.session, job=job.id)
    said = (
        str(error)
        if isinstance(error, AceReflectError)
        else f"{type(error).__name__} (see the log)"
    )
    # A refused key or a broken playbook may be mended by the next try; three of them, then the person is told.
    jobs.fail(state, job, said)
    return Done(job, "", error=said)


def _config(
    state: State, project: str, home: str, environ: Mapping[str, str]
) -> configuration.Config:
    """The project's configuration; where a file of it cannot be used, what can be."""
    return configuration.load_usable(
        project, home, environ, trusted=partial(trust.trusted_hash, state)
    )


def _own_session() -> None:
    try:
        os.setsid()
    except OSError:
        return  # it leads one already


def _set_alarm(seconds: float) -> None:
    """
    End this process and all that it started, whatever they are doing.

    The handler takes the group along; should Python itself be stuck, the default action of a second alarm does for it.
    """
    import faulthandler

    signal.signal(signal.SIGALRM, _end_all)
    signal.alarm(int(seconds))
    faulthandler.dump_traceback_later(seconds + 10, exit=True, file=sys.__stderr__ or sys.stderr)


def _end_all(_number: int, _frame: object) -> None:
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _leave(_number: int, _frame: object) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(main())
