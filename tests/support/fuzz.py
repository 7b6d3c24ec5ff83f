"""
Fuzz tests in two forms: a short one that is the same in every run, and a long one (`--long`) with thousands of cases.

    @fuzzed("shell commands", 100, 20_000, command=commands())
    def test_a_joined_line_keeps_its_commands(command): ...

What ran is counted in the figures. `--hypothesis-seed` chooses the cases of either form; a failure names its seed. A case
that hangs is pytest-timeout's.
"""

import functools
import inspect
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, core, given, seed, settings
from hypothesis.strategies import SearchStrategy

from support import figures

_ROUND = 1_000  # cases drawn from one seed: what Hypothesis remembers of them grows

Check = Callable[..., None]


def both_forms(name: str, short: int, long: int) -> Any:
    """A test with so many cases, and one of `--long` with many more."""
    marks = [pytest.mark.long, pytest.mark.timeout(1800)]
    return pytest.mark.parametrize(name, [short, pytest.param(long, marks=marks)])


def fuzzed(
    area: str, short: int, long: int, /, **strategies: SearchStrategy[Any]
) -> Callable[[Check], Check]:
    """The check with drawn values for the named parameters and pytest's fixtures for the others, in both forms."""

    def decorate(check: Check) -> Check:
        @both_forms("cases", short, long)
        def test(cases: int, **fixtures: Any) -> None:
            def one(**drawn: Any) -> None:
                check(**fixtures, **drawn)
                figures.add(f"fuzz cases: {area}")

            one.__name__ = check.__name__
            begins = _first_seed(is_long=cases == long)
            for number, done in enumerate(range(0, cases, _ROUND)):
                _run(one, strategies, min(_ROUND, cases - done), begins + number)

        marks = [*test.pytestmark, *getattr(check, "pytestmark", ())]  # type: ignore[attr-defined]
        functools.update_wrapper(test, check).pytestmark = marks
        parameters = inspect.signature(check).parameters.values()
        fixtures = [one for one in parameters if one.name not in strategies]
        cases = inspect.Parameter("cases", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        test.__signature__ = inspect.Signature([cases, *fixtures])  # type: ignore[attr-defined]
        return test

    return decorate


def _run(one: Check, strategies: dict[str, SearchStrategy[Any]], cases: int, begins: int) -> None:
    phases, quiet = (Phase.generate, Phase.shrink), list(HealthCheck)
    bounds = settings(max_examples=cases, database=None, suppress_health_check=quiet, phases=phases)
    try:
        bounds(seed(begins)(given(**strategies)(one)))()
    except BaseException as error:
        error.add_note(f"the cases were drawn with --hypothesis-seed={begins}")
        raise


def _first_seed(*, is_long: bool) -> int:
    if core.global_force_seed is not None:
        return int(core.global_force_seed)
    return random.SystemRandom().randrange(1 << 32) if is_long else 0
