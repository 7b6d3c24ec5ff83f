"""`ace-reflect queue`: sessions that wait to be learned from."""

import json
import os
from collections.abc import Callable
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.groups import Group
from ace_reflect.cli.named import ROW_ID
from ace_reflect.cli.terminal import LEAST_TEXT, columns, wrapped
from ace_reflect.cli.times import day, iso
from ace_reflect.errors import StateError
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.state import jobs
from ace_reflect.state.db import State, open_state
from ace_reflect.state.jobs import Job

_STATES = {"queued": "waits", "running": "runs", "set-aside": "set aside", "done": "done"}


@click.group(
    cls=Group, invoke_without_command=True, short_help="Sessions that wait to be learned from."
)
@as_json_option
@click.pass_context
def queue(context: click.Context, as_json: bool) -> None:
    """
    Sessions that wait to be learned from, run, or were set aside; then the latest that are done.

    \b
    ace-reflect queue
    ace-reflect queue run
    ace-reflect queue retry 12
    """
    if context.invoked_subcommand is None:
        _list(as_json=as_json)


@queue.command("list")
@as_json_option
def list_(as_json: bool) -> None:
    """
    What waits, runs and was set aside.

    \b
    ace-reflect queue list --json
    """
    _list(as_json=as_json)


@queue.command("run")
@as_json_option
def run_(as_json: bool) -> int:
    """
    Work on the queue now, in the foreground; does not wait for a job's next try.

    \b
    ace-reflect queue run
    """
    from ace_reflect.learning.settle import settle_all
    from ace_reflect.learning.worker import drain, single, sweep

    home = paths.home(os.environ)
    rows: list[dict[str, Any]] = []
    with open_state(home, durable=True, wait_s=30.0) as state, single(home) as mine:
        if not mine:
            raise StateError(
                "a worker is at the queue already; `ace-reflect queue` shows what it does"
            )
        settle_all(state, home)
        sweep(state, home, os.environ)
        for done in drain(state, home, os.environ, ignore_wait=True):
            rows.append(
                {
                    "id": done.job.id,
                    "session": done.job.session,
                    "outcome": done.outcome,
                    "error": done.error or None,
                }
            )
            if not as_json:
                click.echo(
                    f"{done.job.id:>5}  {done.job.session[:36]:36}  {done.outcome or done.error}"
                )
    if as_json:
        echo_json("queue-run", {"jobs": rows})
    elif not rows:
        click.echo("Nothing waits.")
    return 1 if any(row["error"] for row in rows) else 0


@queue.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@as_json_option
def retry(ids: tuple[int, ...], as_json: bool) -> None:
    """
    Give jobs that were set aside their three tries back.

    \b
    ace-reflect queue retry 12
    """
    _each(ids, jobs.retry)
    _say(ids, "queued again; `ace-reflect queue run` takes it at once", as_json=as_json)


@queue.command()
@click.argument("ids", nargs=-1, required=True, type=ROW_ID, metavar="ID…")
@as_json_option
def drop(ids: tuple[int, ...], as_json: bool) -> None:
    """
    Take jobs out of the queue. The transcript itself stays, and `ace-reflect run` still learns from it.

    \b
    ace-reflect queue drop 12
    """
    _each(ids, jobs.drop)
    _say(ids, "dropped", as_json=as_json)


def _each(ids: tuple[int, ...], change: Callable[[State, int], bool]) -> None:
    """Change the jobs one by one. Raises StateError at the first that cannot be; those before it are changed."""
    with open_state(paths.home(os.environ)) as state:
        for job_id in ids:
            if not change(state, job_id):
                raise StateError(
                    f"no job {job_id} that could be changed: it is unknown or running; `ace-reflect queue` lists them"
                )


def _say(ids: tuple[int, ...], what: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"ids": list(ids), "done": what.partition(";")[0]}))
    else:
        for job_id in ids:
            click.echo(f"{job_id}: {what}", err=True)


def job_json(job: Job) -> dict[str, Any]:
    """One job as `queue --json` shows it; times are ISO 8601 in UTC."""
    return {
        "id": job.id,
        "state": job.state,
        "session": job.session,
        "transcript": job.transcript,
        "project": job.project,
        "reason": job.reason,
        "tries": job.tries,
        "queued_at": iso(job.created_at),
        "not_before": iso(job.not_before) if job.not_before else None,
        "finished_at": iso(job.finished_at) if job.finished_at else None,
        "outcome": job.outcome,
        "error": job.error,
    }


def _list(*, as_json: bool) -> None:
    with open_state(paths.home(os.environ)) as state:
        found = jobs.listed(state, limit=20)
    if as_json:
        echo_json("queue", {"jobs": [job_json(job) for job in found]})
        return
    if not found:
        click.echo("The queue is empty: no session waits to be learned from.")
        return
    click.echo(f"{'id':>5}  {'state':9}  {'queued':11}  {'session':8}  what")
    for job in found:
        click.echo(_row(job))


def _row(job: Job) -> str:
    error = "" if job.state == "running" else job.error  # of the try before
    said = error or job.outcome or job.reason.replace("_", " ")
    if job.state == "queued" and job.tries:
        said = f"try {job.tries + 1} of {jobs.MAX_TRIES} at {day(job.not_before)[-5:]}: {said}"
    line = f"{job.id:>5}  {_STATES.get(job.state, job.state):9}  {day(job.created_at)[5:]}  {job.session[:8]}  "
    return wrapped(neutralise(said), line, None if columns() - len(line) >= LEAST_TEXT else "    ")
