"""
Fuzz tests in two forms: a short one that is the same in every run, and a long one (`--long`) with thousands of cases.

    @fuzzed("shell commands", short=100, long=20_000, command=commands())
    def test_a_joined_line_keeps_its_commands(command): ...

Each case has a bound: of processor time, so that a busy machine does not matter, and of time by the clock for what waits.
What ran is counted in the figures. `--hypothesis-seed` chooses the cases of either form; a failure names its seed.
"""

import inspect
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, core, given, seed, settings
from hypothesis.strategies import SearchStrategy

from support import figures

CPU_S = 10.0
CLOCK_S = 60.0
_ROUND = (
    1_000  # cases drawn from one seed: what Hypothesis remembers of them grows with their number
)

Check = Callable[..., None]


def fuzzed(
    area: str, *, short: int, long: int, cpu_s: float = CPU_S, **strategies: SearchStrategy[Any]
) -> Callable[[Check], Check]:
    """The check with drawn values for the named parameters and pytest's fixtures for the others, in both forms."""

    def decorate(check: Check) -> Check:
        given_by_pytest = [
            p for p in inspect.signature(check).parameters.values() if p.name not in strategies
        ]

        @pytest.mark.parametrize(
            "cases",
            [short, pytest.param(long, marks=[pytest.mark.long, pytest.mark.timeout(1800)])],
        )
        def test(cases: int, **fixtures: Any) -> None:
            _run(
                area,
                check,
                strategies,
                fixtures,
                cases,
                first_seed=_first_seed(is_long=cases == long),
                cpu_s=cpu_s,
            )

        test.__name__, test.__doc__, test.__module__ = (
            check.__name__,
            check.__doc__,
            check.__module__,
        )
        test.pytestmark.extend(getattr(check, "pytestmark", ()))  # type: ignore[attr-defined]
        test.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter("cases", inspect.Parameter.POSITIONAL_OR_KEYWORD), *given_by_pytest]
        )
        return test

    return decorate


def _first_seed(*, is_long: bool) -> int:
    if core.global_force_seed is not None:
        return int(core.global_force_seed)
    return random.SystemRandom().randrange(1 << 32) if is_long else 0


def _run(
    area: str,
    check: Check,
    strategies: dict[str, SearchStrategy[Any]],
    fixtures: dict[str, Any],
    cases: int,
    *,
    first_seed: int,
    cpu_s: float,
) -> None:
    with watching(cpu_s) as watch:

        def one(**drawn: Any) -> None:
            watch.run(lambda: check(**fixtures, **drawn))
            figures.add(f"fuzz cases: {area}")

        one.__name__ = check.__name__
        for number, done in enumerate(range(0, cases, _ROUND)):
            drawn_from = first_seed + number
            wrapped = settings(
                max_examples=min(_ROUND, cases - done),
                database=None,
                suppress_health_check=list(HealthCheck),
                phases=(Phase.generate, Phase.shrink),
            )(seed(drawn_from)(given(**strategies)(one)))
            try:
                wrapped()
            except BaseException as error:
                error.add_note(f"the cases were drawn with --hypothesis-seed={drawn_from}")
                raise


# ------------------------------------------------------------------ a bound on each case


class _Hangs(BaseException):
    """Thrown into a case that does not end. No `Exception`: code that goes on after any of those must not go on here."""


class Watch:
    """
    Ends a case that takes too long: by a timer of the kernel's, for an expression that goes back and forth lets no other
    thread run, and by a thread, for a case that waits takes no processor time.
    """

    def __init__(self, cpu_s: float) -> None:
        self._cpu_s = cpu_s
        self._began: float | None = None
        self._over = threading.Event()

    def run(self, case: Callable[[], None]) -> None:
        """Run a case. Raises AssertionError where it does not end in time."""
        try:
            self._began = time.monotonic()
            signal.setitimer(signal.ITIMER_PROF, self._cpu_s)
            try:
                case()
            finally:
                self._began = None
                signal.setitimer(signal.ITIMER_PROF, 0)
        except _Hangs as hang:
            raise AssertionError(
                f"the case takes more than {self._cpu_s:g} s of processor time, or hangs"
            ) from hang

    def look(self) -> None:
        """Until the test is over."""
        while not self._over.wait(0.5):
            began = self._began
            if began is not None and time.monotonic() - began > CLOCK_S:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGPROF)

    def interrupt(self, _: int, __: FrameType | None) -> None:
        if self._began is not None:
            self._began = None
            raise _Hangs

    def close(self) -> None:
        self._over.set()


@contextmanager
def watching(cpu_s: float = CPU_S) -> Iterator[Watch]:
    watch = Watch(cpu_s)
    before = signal.signal(signal.SIGPROF, watch.interrupt)
    thread = threading.Thread(target=watch.look, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.close()
        thread.join()
        signal.signal(signal.SIGPROF, before)
