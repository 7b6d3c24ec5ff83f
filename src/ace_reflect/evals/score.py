"""From answers to numbers: accuracy, sensitivity, specificity, cost and every miss."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ace_reflect.evals.cases import KINDS, Case
from ace_reflect.llm.port import Usage

UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What an engine said of a case. `said` is one of the suite's answers, or `UNDECIDED`; `why` in the engine's words.

    `failed` says why there is no answer at all (no model, no recording), which counts as not right.
    """

    said: str
    why: str = ""
    usage: Usage = field(default_factory=Usage)
    ms: int = 0
    failed: str = ""

    @property
    def decided(self) -> bool:
        return not self.failed and self.said != UNDECIDED


@dataclass(frozen=True, slots=True)
class Result:
    """
    One case with the engine's answer. `rules_first` is what the product comes to with a model behind the rules: theirs
    where they decide, the model's where they leave it open; None for the rules alone.
    """

    case: Case
    answer: Answer
    rules_first: Answer | None = None

    @property
    def right(self) -> bool:
        return self.answer.said in self.case.right

    @property
    def found(self) -> bool:
        """Whether the two sides (act on it, leave it in peace) agree, whatever the exact answer."""
        return (
            self.decided
            and (self.answer.said in KINDS[self.case.suite].positive) == self.case.positive
        )

    @property
    def decided(self) -> bool:
        return self.answer.decided

    @property
    def false_alarm(self) -> bool:
        """Acted on, where there was nothing to act on: what costs a person's patience."""
        return self.decided and not self.case.positive and not self.found


@dataclass(frozen=True, slots=True)
class Score:
    """A suite's numbers. An undecided or failed case is never right, and counts neither as found nor as left in peace."""

    suite: str
    results: tuple[Result, ...]

    @property
    def combined(self) -> "Score | None":
        """The same cases with the rules first; None where the rules alone were scored."""
        firsts = [(result, result.rules_first) for result in self.results]
        if not firsts or any(first is None for _, first in firsts):
            return None
        return Score(
            self.suite,
            tuple(Result(result.case, first) for result, first in firsts if first is not None),
        )

    @property
    def cases(self) -> int:
        return len(self.results)

    @property
    def right(self) -> int:
        return sum(result.right for result in self.results)

    @property
    def undecided(self) -> int:
        return sum(not result.decided and not result.answer.failed for result in self.results)

    @property
    def failed(self) -> int:
        return sum(bool(result.answer.failed) for result in self.results)

    @property
    def false_alarms(self) -> int:
        return sum(result.false_alarm for result in self.results)

    @property
    def accuracy(self) -> float | None:
        return share([result.right for result in self.results])

    @property
    def sensitivity(self) -> float | None:
        return share([result.found for result in self.results if result.case.positive])

    @property
    def specificity(self) -> float | None:
        return share([result.found for result in self.results if not result.case.positive])

    @property
    def usage(self) -> Usage:
        return sum((result.answer.usage for result in self.results), Usage())

    @property
    def misses(self) -> tuple[Result, ...]:
        return tuple(result for result in self.results if not result.right)

    def to_json(self) -> dict[str, Any]:
        """The suite's part of `eval --json`."""
        found = {
            "suite": self.suite,
            **self._numbers(),
            "usage": self.usage.to_json(),
            "misses": [_miss(item) for item in self.misses],
        }
        combined = self.combined
        return found if combined is None else found | {"rules_first": combined._numbers()}  # noqa: SLF001 - the same class

    def _numbers(self) -> dict[str, Any]:
        return {
            "cases": self.cases,
            "positive": sum(result.case.positive for result in self.results),
            "right": self.right,
            "undecided": self.undecided,
            "failed": self.failed,
            "false_alarms": self.false_alarms,
            "accuracy": self.accuracy,
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
        }


def share(flags: Sequence[bool]) -> float | None:
    """The share of true ones; None of nothing."""
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
