"""`ace-reflect queue`: sessions that wait to be learned from."""

import os
from collections.abc import Callable, Sequence

import click

from ace_reflect import paths
from ace_reflect.cli.options import ROW_ID, Group
from ace_reflect.cli.output import Json, Report, iso, local, reporting, short_path, table
from ace_reflect.errors import StateError
from ace_reflect.state import jobs
from ace_reflect.state.db import State, open_state
from ace_reflect.state.jobs import Job

_SHOWN = ("id", "state", "session", "transcript", "project", "reason", "tries", "outcome", "error")


@click.group(cls=Group, short_help="Sessions that wait to be learned from.")
def queue() -> None:
    """Sessions to learn from: waiting, running or set aside; then the latest that are done.

    \b
    ace-reflect queue
    ace-reflect queue run
    ace-reflect queue retry 12
    """


@queue.command("list")
@reporting
def list_() -> Report:
    """What waits, what runs, and what was set aside."""
    with open_state(paths.home(os.environ)) as state:
        found = jobs.listed(state, limit=20)
    return Report("queue", {"jobs": [job_json(job) for job in found]}, _page)


def job_json(job: Job) -> Json:
    """One job as `queue --json` shows it; times are ISO 8601 in UTC."""
    return {
        **{name: getattr(job, name) for name in _SHOWN},
        "queued_at": iso(job.created_at),
        "not_before": iso(job.not_before),
        "finished_at": iso(job.finished_at),
    }


def _page(body: Json) -> str:
    if not body["jobs"]:
        return "The queue is empty: no session waits to be learned from."
    heads = ("id", "state", "queued", "session", "project and outcome")
    return table(heads, map(_row, body["jobs"]), right=("id",))


def _row(job: Json) -> Sequence[object]:
    error = None if job["state"] == "running" else job["error"]  # of the try before
    said = error or job["outcome"] or job["reason"].replace("_", " ")
    if job["state"] == "queued" and job["tries"]:
        at = local(job["not_before"] or "", "%H:%M")
        said = f"try {job['tries'] + 1} of {jobs.MAX_TRIES} at {at}: {said}"
    state, queued = job["state"].replace("-", " "), local(job["queued_at"], "%m-%d %H:%M")
    return job["id"], state, queued, job["session"][:8], f"{short_path(job['project'])}\n{said}"


@queue.command("run")
@reporting
def run_() -> Report:
    """Work through the queue now, without waiting for a job's next try."""
    from ace_reflect.learning.recorded import settle_all
    from ace_reflect.learning.worker import drain, single, sweep

    home = paths.home(os.environ)
    with open_state(home, durable=True, wait_s=30.0) as state, single(home) as mine:
        if not mine:
            raise StateError("a worker is running already; `ace-reflect queue` shows what it does")
        settle_all(state, home)
        sweep(state, os.environ)
        done = list(drain(state, home, os.environ, ignore_wait=True))
    rows = [
        {"id": one.job.id, "session": one.job.session, "outcome": one.outcome, "error": one.error or None}
        for one in done
    ]  # fmt: skip
    page = "\n".join(f"{one.job.session[:8]}  {one.outcome or one.error}" for one in done)
    code = 1 if any(one.error for one in done) else 0
    return Report("queue-run", {"jobs": rows}, page or "Nothing waits.", code=code)


@queue.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@reporting
def retry(ids: tuple[int, ...]) -> Report:
    """Give jobs that were set aside three new tries."""
    return _each(ids, jobs.retry, "queued again")


@queue.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@reporting
def drop(ids: tuple[int, ...]) -> Report:
    """Remove jobs from the queue. `ace-reflect run` can still learn from the transcript."""
    return _each(ids, jobs.drop, "dropped")


def _each(ids: Sequence[int], change: Callable[[State, int], bool], done: str) -> Report:
    """Change the jobs one by one. Raises StateError at the first that cannot be changed; those before it are."""
    with open_state(paths.home(os.environ)) as state:
        for number in ids:
            if not change(state, number):
                raise StateError(f"no job {number} to change: see `ace-reflect queue`")
    return Report("queue-change", {"ids": ids, "done": done}, f"{', '.join(map(str, ids))}: {done}")
