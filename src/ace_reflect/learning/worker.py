"""The worker: detached, single, short-lived. It empties the queue and ends, and an alarm ends it for certain.

Killed at any instant, it loses and doubles nothing: the next one takes the job again and knows counted turns by their key.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from filelock import FileLock, Timeout

from ace_reflect import log, paths
from ace_reflect.errors import AceReflectError, StateError, TranscriptError
from ace_reflect.learning.lesson import Options
from ace_reflect.learning.pipeline import Report, learn
from ace_reflect.learning.queue import IDLE_S
from ace_reflect.learning.recorded import settle_all
from ace_reflect.redact import redact
from ace_reflect.state import cache, jobs, processes, sessions
from ace_reflect.state.db import State, open_state, prune
from ace_reflect.state.jobs import Job
from ace_reflect.text import counted

LIFETIME_S = 1800.0  # a worker's, whatever it does


class Done(NamedTuple):
    """One job that was taken, and its outcome."""

    job: Job
    outcome: str
    error: str = ""


def main() -> int:
    """What the hooks start: empty the queue, unless another worker does. Always returns 0."""
    os.umask(0o077)
    home = paths.home(os.environ)
    try:
        paths.make_folder(home)
        if os.getpgrp() != os.getpid():
            os.setsid()
        signal.signal(signal.SIGALRM, _end_all)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        signal.alarm(int(LIFETIME_S))
        run(home, os.environ)
    except Exception as error:  # noqa: BLE001 - nobody looks at this process: the log is the only place to say it
        log.failure(home, "worker", error)
    return 0


def run(home: str, environ: Mapping[str, str]) -> None:
    """Work until nothing is due. A second worker ends at once."""
    while True:
        with single(home) as mine:
            if not mine:
                return
            with open_state(home, wait_s=30.0, durable=True) as state:
                settle_all(state, home)
                sweep(state, environ)
                list(drain(state, home, environ))
                prune(state)
        # A job queued between the last look and the lock's release started a worker that saw the lock: look again.
        with open_state(home) as state:
            if not jobs.due(state):
                return


def drain(
    state: State, home: str, environ: Mapping[str, str], *, ignore_wait: bool = False
) -> Iterator[Done]:
    """Try each job once until none is due. `ignore_wait`: those that wait for another try, too."""
    seen = set[int]()
    try:
        while (job := jobs.take(state, ignore_wait=ignore_wait)) and job.id not in seen:
            seen.add(job.id)
            started = time.monotonic()
            done = _attempt(state, job, home, environ)
            ms = round((time.monotonic() - started) * 1000)
            facts = {"session": job.session, "job": job.id, "decision": done.outcome or "failed"}
            log.write(home, "learn", **facts, error=redact(done.error, environ) or None, ms=ms)
            yield done
    finally:
        jobs.release(state)


def sweep(state: State, environ: Mapping[str, str]) -> None:
    """Queue sessions that died without a SessionEnd: their process gone (or, where none is known, idle), something unread."""
    before = time.time() - IDLE_S
    for session in sessions.maybe_dead(state, before):
        path = session.transcript
        changed_at = os.path.getmtime(path) if os.path.exists(path) else 0.0
        grows = not session.process and before < changed_at < time.time() + sessions.AHEAD_S
        if processes.alive(session.process) or grows:
            continue
        settings = cache.configuration(state, session.project, environ).settings
        unread = bool(changed_at) and os.path.getsize(path) > session.learned_size
        if unread and "session_end" in settings.learning_on:
            job = {"project": session.project, "reason": "sweep"}
            jobs.enqueue(state, session.id, path, **job, final=True)
        else:
            sessions.end(state, session.id)


@contextmanager
def single(home: str) -> Iterator[bool]:
    """Whether this process is the one worker. The kernel releases the lock when the process dies."""
    lock = FileLock(os.path.join(home, "worker.lock"), timeout=0, mode=0o600)
    with suppress(Timeout):
        lock.acquire()
    try:
        yield lock.is_locked
    finally:
        lock.release()


def _attempt(state: State, job: Job, home: str, environ: Mapping[str, str]) -> Done:
    """Learn from a job's session and finish it; a job that fails does not stop the queue."""
    try:
        report = learn(state, job.transcript, _options(state, job, home, environ))
        outcome = summary(report)
        with state.transaction():
            if job.final:
                sessions.learned(state, job.transcript, report.size)
                if job.reason == "sweep":
                    sessions.end(state, job.session)
            jobs.finish(state, job, outcome)
        return Done(job, outcome)
    except StateError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it was, the next job is tried
        no_transcript = isinstance(error, TranscriptError)
        if no_transcript and os.path.exists(job.transcript):  # a session opened and left
            jobs.finish(state, job, "nothing to learn from")
            return Done(job, "nothing to learn from")
        log.failure(home, "learn", error, session=job.session, job=job.id)
        ours = isinstance(error, AceReflectError)
        said = str(error) if ours else f"{type(error).__name__} (see the log)"
        # A refused key or a broken playbook may be fixed by the next try; after three the person is told.
        jobs.fail(state, job, said, retry=not no_transcript)
        return Done(job, "", said)


def _options(state: State, job: Job, home: str, environ: Mapping[str, str]) -> Options:
    config = cache.configuration(state, job.project, environ)
    return Options(
        home_dir=home,
        project=job.project,
        environ=environ,
        models=config.settings.models,
        final=bool(job.final),
        session=job.session,
        review=config.settings.learning_review,
        ungrounded=config.settings.learning_ungrounded,
        config=config,
    )


def summary(report: Report) -> str:
    """One line for `queue list`."""
    if not report.learned:
        return "nothing new" if report.known else "no finished turn"
    applied = [done for _, done in report.playbooks]
    votes = sum(len(done.votes) for done in applied)
    changes = sum(outcome.applied for done in applied for outcome in done.outcomes)
    parts = [counted(report.learned, "turn"), counted(votes, "vote"), counted(changes, "change")]
    if report.lesson.waiting:
        parts.append(f"{len(report.lesson.waiting)} for review")
    return ", ".join(parts) + ("" if report.lesson.model else " (offline)")


def _end_all(_number: int, _frame: object) -> None:
    """End this process and all it started, whatever they are doing."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
