"""Attempts, waits and deadlines."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from email.utils import formatdate

import pytest

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm.calls import AttemptFailed, base_delay_s, retry_after_s, with_retries
from ace_reflect.llm.port import Request

Attempt = Callable[[float], Awaitable[str]]


def failing(
    times: int, *, again: bool = True, after_s: float | None = None
) -> tuple[list[float], Attempt]:
    """When it was called; and an attempt that fails so many times."""
    calls: list[float] = []

    async def attempt(_: float) -> str:
        calls.append(time.monotonic())
        if len(calls) <= times:
            error = ModelUnavailable(f"failure {len(calls)}")
            raise AttemptFailed(error, again=again, after_s=after_s)
        return "done"

    return calls, attempt


def run(attempt: Attempt, base_s: float = 0.1, **limits: float) -> str:
    request = Request("?", **{"deadline_s": 20.0, **limits})  # type: ignore[arg-type]
    environ = {"ACE_REFLECT_RETRY_BASE_S": str(base_s)}
    return asyncio.run(with_retries(attempt, "a/model", request, environ))


@pytest.mark.req("REQ-REFL-003")
def test_there_are_three_attempts_with_growing_waits_between_them() -> None:
    calls, attempt = failing(2)

    assert run(attempt) == "done"

    first, second = calls[1] - calls[0], calls[2] - calls[1]
    assert 0.075 <= first <= 0.2
    assert 0.15 <= second <= 0.35


@pytest.mark.req("REQ-REFL-006")
@pytest.mark.parametrize(("again", "attempts"), [(True, 3), (False, 1)])
def test_the_last_failure_is_raised_and_what_will_not_pass_is_tried_once(
    again: bool, attempts: int
) -> None:
    calls, attempt = failing(9, again=again)

    with pytest.raises(ModelUnavailable, match=f"failure {attempts}"):
        run(attempt)

    assert len(calls) == attempts


def test_the_wait_that_is_asked_for_is_kept_and_not_begun_beyond_the_deadline() -> None:
    calls, attempt = failing(1, after_s=0.5)
    assert run(attempt, base_s=0.0) == "done"
    assert 0.5 <= calls[1] - calls[0] < 10

    calls, attempt = failing(9, after_s=500)
    with pytest.raises(ModelUnavailable, match="asks to wait 500 s") as caught:
        run(attempt)
    assert caught.value.retry_later
    assert len(calls) == 1


def test_an_attempt_is_ended_at_its_limit_and_all_of_them_at_the_deadline() -> None:
    limits: list[float] = []

    async def hanging(timeout_s: float) -> str:
        limits.append(timeout_s)
        await asyncio.sleep(60)
        return ""

    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="gave no answer"):
        run(hanging, base_s=0.01, attempt_s=0.5, deadline_s=1.3)

    assert time.monotonic() - started < 10
    assert len(limits) == 3
    assert limits[2] < 0.5


@pytest.mark.req("REQ-REFL-003")
@pytest.mark.parametrize(
    ("given", "seconds"),
    [("", 2.0), ("0.5", 0.5), ("0", 0.0), ("soon", 2.0), ("-1", 2.0), ("nan", 2.0), ("inf", 2.0)],
)
def test_the_base_is_two_seconds_unless_a_number_of_seconds_is_set(
    given: str, seconds: float
) -> None:
    assert seconds == base_delay_s({"ACE_REFLECT_RETRY_BASE_S": given})
    assert base_delay_s({}) == 2.0


@pytest.mark.parametrize(("told", "seconds"), [("3", 3.0), ("0.5", 0.5), ("-3", 0.0), ("nan", None), ("tomorrow", None), ("", None)])  # fmt: skip
def test_the_wait_is_read_from_the_header_as_seconds_or_a_date(
    told: str, seconds: float | None
) -> None:
    assert seconds == retry_after_s({"retry-after": told})
    date = retry_after_s({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert date is not None
    assert 50 < date <= 60
