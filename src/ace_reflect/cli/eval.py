"""`ace-reflect eval`: how well a model, or the rules alone, tell done from not done."""

import os
from typing import Any

import click

from ace_reflect.cli.config import load_config
from ace_reflect.cli.output import Json, Report, progress, reporting, say, table
from ace_reflect.errors import AceReflectError
from ace_reflect.evals import score
from ace_reflect.evals.cases import KINDS, load
from ace_reflect.llm import event_loop
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.registry import model_for, why_unusable

_RATES = ("accuracy", "sensitivity", "specificity")
_HEADS = ("suite", "cases", *_RATES, "alarms", "open", "cost a case", "time a case")
_NOTE = "Sensitivity: of the cases that call for action, the share found. Specificity: of the others, the share left alone. Alarms: how many of the others were acted on. Open: left undecided, never counted as right."


@click.command("eval")
@click.argument("suite", type=click.Choice([*KINDS, "all"]))
@click.option("--model", metavar="PROVIDER/MODEL", help="The model to ask (default: rules only).")
@reporting
def eval_(suite: str, model: str | None) -> Report:
    """Score a model, or the rules, on labelled sessions: done or not, stuck or not, what next after a compaction, how good.

    Asking a model costs money. The cases are ours; nothing of yours is sent. The page is Markdown. Exits with 1 if a case
    got no answer.

    \b
    ace-reflect eval all
    ace-reflect eval judge --model anthropic/claude-sonnet-5
    """
    suites = list(KINDS) if suite == "all" else [suite]
    config = load_config().sound()
    if model and (why := why_unusable(model, config, os.environ)):
        raise AceReflectError(f"{model}: {why}")
    with progress(sum(len(load(name)) for name in suites), "Scoring") as done:
        if model is None:
            scores = score.by_rules(suites, lambda case: done(case.id))
        else:
            chain = Chain((model_for(model, config, os.environ),))
            asked = score.by_model(suites, chain, seen=lambda case: done(case.id))
            scores = event_loop.run(asked)
    body = {"engine": model or "rules", "suites": [one.to_json() for one in scores]}
    failures = [one.answer.failed for each in scores for one in each.results if one.answer.failed]
    if failures:
        say(f"{len(failures)} cases have no answer: {failures[0]}")
    return Report("eval", body, _page, code=1 if failures else 0, fold=False)


def _page(body: Json) -> str:
    """A line per suite, then every miss with its label's reason, in Markdown."""
    rows, misses = [], []
    for suite in body["suites"]:
        rows.append(_row(suite["suite"], suite))
        if "rules_first" in suite:
            rows.append(_row("– rules first", suite["rules_first"]))
        lines = [f"**{suite['suite']}**: {len(suite['misses'])} of {suite['cases']} missed\n"]
        for miss in suite["misses"]:
            right = " to ".join(dict.fromkeys((miss["expected"][0], miss["expected"][-1])))
            alarm = " (false alarm)" if miss["false_alarm"] else ""
            said = f"{right}, said {miss['said'] or 'nothing'}{alarm}"
            lines.append(f"- {miss['id']}: {said}. {miss['label_why']}")
            lines += [f"  Said because: {miss['why'][:300]}"] * bool(miss["why"])
        misses += ["\n".join(lines)] * bool(suite["misses"])
    shown = table(_HEADS, rows, right=_HEADS[1:], markdown=True)
    return "\n\n".join([f"### Evaluation suites: {body['engine']}", shown, _NOTE, *misses])


def _row(name: str, suite: Json) -> tuple[Any, ...]:
    percent = ["-" if suite[rate] is None else f"{suite[rate]:.0%}" for rate in _RATES]
    usage, cost, cases = suite["usage"], "-", suite["cases"]
    if usage["input_tokens"] or usage["output_tokens"]:
        cost = "?" if usage["cost_usd"] is None else f"${usage['cost_usd'] / cases:.4f}"
    took = f"{suite['seconds'] / cases:.1f} s" if suite["seconds"] else "-"
    left = suite["undecided"] + suite["failed"]
    return name, cases, *percent, suite["false_alarms"], left, cost, took
