"""`ace-reflect queue`: sessions that wait to be learned from."""

import os
from collections.abc import Callable, Sequence

import click

from ace_reflect.cli.options import ROW_ID, Group
from ace_reflect.cli.output import Json, Report, iso, local, reporting, short_path, table
from ace_reflect.errors import StateError
from ace_reflect.state import jobs
from ace_reflect.state.db import State, open_for_command

_SHOWN = ("id", "state", "session", "transcript", "project", "reason", "tries", "outcome", "error")
_TIMES = {"queued_at": "created_at", "not_before": "not_before", "finished_at": "finished_at"}


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
    rows: list[Json] = []
    with open_for_command() as state:
        for job in jobs.listed(state, limit=20):
            times = {name: iso(getattr(job, field)) for name, field in _TIMES.items()}
            rows.append({**{name: getattr(job, name) for name in _SHOWN}, **times})
    return Report("queue", {"jobs": rows}, _page)


def _page(body: Json) -> str:
    rows = []
    for job in body["jobs"]:
        error = None if job["state"] == "running" else job["error"]  # of the try before
        said = error or job["outcome"] or job["reason"].replace("_", " ")
        if job["state"] == "queued" and job["tries"]:
            at = local(job["not_before"] or "", "%H:%M")
            said = f"try {job['tries'] + 1} of {jobs.MAX_TRIES} at {at}: {said}"
        state, queued = job["state"].replace("-", " "), local(job["queued_at"], "%m-%d %H:%M")
        told = f"{short_path(job['project'])}\n{said}"
        rows.append((job["id"], state, queued, job["session"][:8], told))
    shown = table(("id", "state", "queued", "session", "project and outcome"), rows, right=("id",))
    return shown if rows else "The queue is empty: no session waits to be learned from."


@queue.command("run")
@reporting
def run_() -> Report:
    """Work through the queue now, without waiting for a job's next try."""
    from ace_reflect.learning.recorded import settle_all
    from ace_reflect.learning.worker import drain, single, sweep

    with open_for_command() as state, single(state.home_dir) as mine:
        if not mine:
            raise StateError("a worker is running already; `ace-reflect queue` shows what it does")
        settle_all(state, state.home_dir)
        sweep(state, os.environ)
        done = list(drain(state, state.home_dir, os.environ, ignore_wait=True))
    rows = [{"id": one.job.id, "session": one.job.session, "outcome": one.outcome, "error": one.error or None} for one in done]  # fmt: skip
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
    with open_for_command() as state:
        for number in ids:
            if not change(state, number):
                raise StateError(f"no job {number} to change: see `ace-reflect queue`")
    return Report("queue-change", {"ids": ids, "done": done}, f"{', '.join(map(str, ids))}: {done}")
