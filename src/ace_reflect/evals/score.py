"""From suites to numbers: each case answered, then accuracy, sensitivity, specificity, cost and every miss."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ace_reflect.evals import engines
from ace_reflect.evals.cases import POSITIVE, Case, load, stage
from ace_reflect.evals.engines import Answer
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.port import Usage

#: Called with each answered case.
Seen = Callable[[Case], None]


@dataclass(frozen=True, slots=True)
class Result:
    """One case with the engine's answer. `rules_first` is what the product answers with rules and a model: the rules' answer
    if they decide, else the model's; None for the rules alone.
    """

    case: Case
    answer: Answer
    rules_first: Answer | None = None

    @property
    def right(self) -> bool:
        return self.answer.said in self.case.right

    @property
    def found(self) -> bool:
        """Whether answer and label agree on acting or not, whatever the exact answer."""
        return self.answer.decided and (self.answer.said in POSITIVE) == self.case.positive

    @property
    def false_alarm(self) -> bool:
        """Acted on without need, which costs a person's patience."""
        return self.answer.decided and not self.case.positive and not self.found


@dataclass(frozen=True, slots=True)
class Score:
    """A suite's numbers. An undecided or failed case is never right, and neither found nor left alone."""

    suite: str
    results: tuple[Result, ...]

    def numbers(self) -> dict[str, Any]:
        """Counts, and shares of 1. `undecided`: the rules leave it open; `failed`: nobody answered."""
        results = self.results
        answers = [result.answer for result in results]
        return {
            "cases": len(results),
            "positive": sum(result.case.positive for result in results),
            "right": sum(result.right for result in results),
            "undecided": sum(not (answer.decided or answer.failed) for answer in answers),
            "failed": sum(bool(answer.failed) for answer in answers),
            "false_alarms": sum(result.false_alarm for result in results),
            "accuracy": _share([result.right for result in results]),
            "sensitivity": _share([result.found for result in results if result.case.positive]),
            "specificity": _share([result.found for result in results if not result.case.positive]),
            "usage": sum((answer.usage for answer in answers), Usage()).to_json(),
            "seconds": sum(answer.seconds for answer in answers),
        }

    def to_json(self) -> dict[str, Any]:
        """The suite's part of `eval --json`; `rules_first` only if a model was asked."""
        firsts = tuple(Result(one.case, one.rules_first) for one in self.results if one.rules_first)
        misses = [_miss(result) for result in self.results if not result.right]
        found = {"suite": self.suite, **self.numbers(), "misses": misses}
        return found | ({"rules_first": Score(self.suite, firsts).numbers()} if firsts else {})


def _share(flags: Sequence[bool]) -> float | None:
    """None of nothing."""
    return sum(flags) / len(flags) if flags else None


def _miss(result: Result) -> dict[str, Any]:
    return {
        "id": result.case.id,
        "expected": list(result.case.right),
        "label_why": result.case.why,
        "said": result.answer.said,
        "why": result.answer.failed or result.answer.why,
        "false_alarm": result.false_alarm,
    }


# ------------------------------------------------------------------ running


def by_rules(suites: Sequence[str], seen: Seen = lambda _: None) -> tuple[Score, ...]:
    """Score the rules alone. Nobody is asked."""

    def one(case: Case) -> Result:
        result = Result(case, engines.by_rules(stage(case)))
        seen(case)
        return result

    return tuple(Score(suite, tuple(map(one, load(suite)))) for suite in suites)


async def by_model(
    suites: Sequence[str], chain: Chain, *, concurrency: int = 4, seen: Seen = lambda _: None
) -> tuple[Score, ...]:
    """Score a model, several cases at a time. A cancellation (^C) goes through at once."""
    doors = asyncio.Semaphore(concurrency)

    async def one(case: Case) -> Result:
        async with doors:
            staged = stage(case)
            said, by_rule = await engines.by_model(staged, chain), engines.by_rules(staged)
            seen(case)
            return Result(case, said, by_rule if by_rule.decided else said)

    async with asyncio.TaskGroup() as group:
        tasks = {s: [group.create_task(one(case)) for case in load(s)] for s in suites}
    return tuple(Score(s, tuple(task.result() for task in started)) for s, started in tasks.items())
