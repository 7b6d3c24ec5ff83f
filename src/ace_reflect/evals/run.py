"""Run suites through an engine: staged one by one, asked several at a time, scored."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from ace_reflect.evals import rules
from ace_reflect.evals.cases import Case, load
from ace_reflect.evals.score import Answer, Result, Score
from ace_reflect.evals.stage import stage
from ace_reflect.llm.chain import Chain

#: Called with a case when it is answered.
Seen = Callable[[Case], None]


def by_rules(suites: Sequence[str], seen: Seen = lambda _: None) -> tuple[Score, ...]:
    """Score the rules alone. Nobody is asked."""
    return tuple(
        Score(suite, tuple(_by_rules(case, seen) for case in load(suite))) for suite in suites
    )


def _by_rules(case: Case, seen: Seen) -> Result:
    result = Result(case, rules.answer(stage(case)))
    seen(case)
    return result


async def by_model(
    suites: Sequence[str], chain: Chain, *, concurrency: int = 4, seen: Seen = lambda _: None
) -> tuple[Score, ...]:
    """
    Score a model; `rules_first` of each result is what the product would have come to: the rules where they decide,
    the model where they leave it open.

    A cancellation (^C) goes through at once; what was answered is in the journal of the chain's model.
    """
    doors = asyncio.Semaphore(concurrency)

    async def one(case: Case) -> Result:
        async with doors:
            from ace_reflect.evals import models

            staged = stage(case)
            said = await models.answer(staged, chain)
            seen(case)
            return Result(case, said, _with_rules(rules.answer(staged), said))

    async with asyncio.TaskGroup() as group:
        tasks = [
            (suite, [group.create_task(one(case)) for case in load(suite)]) for suite in suites
        ]
    return tuple(Score(suite, tuple(task.result() for task in started)) for suite, started in tasks)


def _with_rules(by_rule: Answer, by_model: Answer) -> Answer:
    return replace(by_rule, why=f"by rule: {by_rule.why}") if by_rule.decided else by_model
