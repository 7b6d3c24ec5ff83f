"""`ace-reflect eval`: how well a model, or the rules alone, tell done from not done."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli import eval_page
from ace_reflect.cli.as_json import echo_json
from ace_reflect.cli.named import NEW_FILE
from ace_reflect.errors import AceReflectError
from ace_reflect.evals import run as runs
from ace_reflect.evals.cases import KINDS, Case, load
from ace_reflect.evals.journal import Recorded, open_journal, replayed
from ace_reflect.evals.score import Score
from ace_reflect.llm import event_loop
from ace_reflect.llm.chain import Chain

RULES, REPLAY = "rules", "replay"


@click.command("eval", short_help="Score a model, or the rules alone, on the evaluation suites.")
@click.argument("suite", type=click.Choice([*KINDS, "all"]))
@click.option(
    "--model",
    default=None,
    metavar="rules|PROVIDER/MODEL|replay",
    help="Whom to ask (default: the rules alone, nobody is asked).",
)
@click.option(
    "--json", "as_json", is_flag=True, help="The stable JSON form, schema ace-reflect/eval/1."
)
@click.option("--markdown", is_flag=True, help="As Markdown, for a run's summary.")
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="Questions under way at once.",
)
@click.option("--record", type=NEW_FILE, metavar="FILE", help="Keep every answer in FILE.")
@click.option(
    "--replay", type=NEW_FILE, metavar="FILE", help="Take the answers from FILE; nobody is asked."
)
@click.option("--resume", is_flag=True, help="Go on where a run of this model was broken off.")
def eval_(
    suite: str,
    model: str | None,
    as_json: bool,
    markdown: bool,
    concurrency: int,
    record: str | None,
    replay: str | None,
    resume: bool,
) -> int:
    """
    Score an engine on labelled sessions: is it done, is it stuck, what after a compaction, how good is the whole.

    Asking a model costs money; the cases are ours, and nothing of yours is sent. ^C keeps what was answered: --resume
    goes on from there.

    \b
    ace-reflect eval all
    ace-reflect eval judge --model anthropic/claude-sonnet-5
    ace-reflect eval judge --model openai/gpt-5-mini --record answers.jsonl
    ace-reflect eval judge --replay answers.jsonl
    """
    if as_json and markdown:
        raise click.UsageError("--json and --markdown exclude each other")
    name = model or (REPLAY if replay else RULES)
    _check(name, record, replay, resume=resume)
    suites = list(KINDS) if suite == "all" else [suite]
    scores = (
        _by_rules(suites)
        if name == RULES
        else _by_model(suites, name, concurrency, record, replay, resume)
    )
    engine = _engine_name(name, replay)
    if as_json:
        echo_json("eval", {"engine": engine, "suites": [score.to_json() for score in scores]})
    else:
        page = eval_page.markdown(engine, scores) if markdown else eval_page.page(engine, scores)
        click.echo(page)
    return _exit_code(scores)


def _check(name: str, record: str | None, replay: str | None, *, resume: bool) -> None:
    if (name == REPLAY) != bool(replay):
        raise click.UsageError(
            "--replay FILE and --model replay belong together; another model is asked, not replayed"
        )
    if name in {RULES, REPLAY} and (record or resume):
        raise click.UsageError(f"there is nothing to record or resume with --model {name}")


def _engine_name(name: str, replay: str | None) -> str:
    return name if replay is None else f"{replayed(replay).name} ({os.path.basename(replay)})"


def _exit_code(scores: tuple[Score, ...]) -> int:
    failures = [
        result.answer.failed for score in scores for result in score.results if result.answer.failed
    ]
    if failures:
        click.echo(f"ace-reflect: {len(failures)} cases have no answer: {failures[0]}", err=True)
    return 1 if failures else 0


# ------------------------------------------------------------------ running


def _by_rules(suites: list[str]) -> tuple[Score, ...]:
    with _progress(suites) as seen:
        return runs.by_rules(suites, seen)


def _by_model(
    suites: list[str],
    name: str,
    concurrency: int,
    record: str | None,
    replay: str | None,
    resume: bool,
) -> tuple[Score, ...]:
    model = replayed(replay) if replay else _recorded(name, record, resume=resume)
    with _progress(suites) as seen:
        try:
            scores = event_loop.run(
                runs.by_model(suites, Chain((model,)), concurrency=concurrency, seen=seen)
            )
        except ExceptionGroup as several:
            raise _first_expected(several) from None
        except KeyboardInterrupt:
            if isinstance(model, Recorded):
                _say_how_to_go_on(model, name, record)
            raise
    if isinstance(model, Recorded) and model.reused:
        click.echo(f"{model.reused} answers were taken from {model.journal.path}.", err=True)
    return scores


def _recorded(name: str, record: str | None, *, resume: bool) -> Recorded:
    """The named model, every answer of which goes into a journal: the person's, else one of ours for each model."""
    from ace_reflect.cli.config import load_config
    from ace_reflect.llm.registry import model_for, why_unusable

    config = load_config()
    why = why_unusable(name, config, os.environ)
    if why:
        raise AceReflectError(f"{name}: {why}")
    path = record or os.path.join(
        paths.home(os.environ), "evals", re.sub(r"[^\w.-]+", "_", name) + ".jsonl"
    )
    if record is None and not resume and os.path.exists(path):
        os.replace(path, path + ".before")  # one run back can be had again by hand
    return Recorded(model_for(name, config, os.environ), open_journal(path, resume=resume))


def _say_how_to_go_on(model: Recorded, name: str, record: str | None) -> None:
    suite = click.get_current_context().params["suite"]
    kept = f" --record {record}" if record else ""
    click.echo(
        f"\n{len(model.journal.replies)} answers are kept. To go on: ace-reflect eval {suite} --model {name}{kept} --resume",
        err=True,
    )


def _first_expected(several: BaseExceptionGroup[Any]) -> BaseException:
    """The expected error among those of tasks that ran side by side; else the first one, which is a bug of ours."""
    expected = several.subgroup(AceReflectError)
    found = (expected or several).exceptions[0]
    return _first_expected(found) if isinstance(found, BaseExceptionGroup) else found


@contextmanager
def _progress(suites: list[str]) -> Iterator[Callable[[Case], None]]:
    """A bar on a terminal, naming the case that was answered last; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=sum(len(load(suite)) for suite in suites))
        yield lambda case: bar.update(task, advance=1, description=f"{case.suite}: {case.id}")
