"""Attempts, waits and deadlines."""

import asyncio
import time
from email.utils import formatdate

import pytest

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm.retry import (
    AttemptFailed,
    RetryPolicy,
    base_delay_s,
    is_retried,
    retry_after_s,
    with_retries,
)


def failing(
    times: int, *, again: bool = True, after_s: float | None = None
) -> "tuple[list[float], object]":
    """An attempt that fails so many times; and when it was called."""
    calls: list[float] = []

    async def attempt(_: float) -> str:
        calls.append(time.monotonic())
        if len(calls) <= times:
            raise AttemptFailed(
                ModelUnavailable(f"failure {len(calls)}"), again=again, after_s=after_s
            )
        return "done"

    return calls, attempt


def run(attempt: object, **policy: float) -> str:
    return asyncio.run(
        with_retries(attempt, "a/model", RetryPolicy(**{"base_s": 0.1, "deadline_s": 20, **policy}))
    )  # type: ignore[arg-type]


@pytest.mark.req("REQ-REFL-003")
def test_there_are_three_attempts_with_growing_waits_between_them() -> None:
    calls, attempt = failing(2)

    assert run(attempt) == "done"

    first, second = calls[1] - calls[0], calls[2] - calls[1]
    assert 0.075 <= first <= 0.2
    assert 0.15 <= second <= 0.35


@pytest.mark.req("REQ-REFL-006")
def test_after_the_third_failure_its_error_is_raised() -> None:
    calls, attempt = failing(9)

    with pytest.raises(ModelUnavailable, match="failure 3"):
        run(attempt)

    assert len(calls) == 3


def test_what_will_not_pass_is_tried_once() -> None:
    calls, attempt = failing(9, again=False)

    with pytest.raises(ModelUnavailable, match="failure 1"):
        run(attempt)

    assert len(calls) == 1


def test_the_wait_that_is_asked_for_is_kept() -> None:
    calls, attempt = failing(1, after_s=0.5)

    run(attempt, base_s=0.0)

    assert 0.5 <= calls[1] - calls[0] < 10


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    calls, attempt = failing(9, after_s=500)
    started = time.monotonic()

    with pytest.raises(
        ModelUnavailable, match="asks to wait 500 s, longer than the 20 s"
    ) as caught:
        run(attempt)

    assert time.monotonic() - started < 10
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


def test_a_cancellation_goes_through_at_once() -> None:
    async def hanging(_: float) -> str:
        await asyncio.sleep(60)
        return ""

    async def impatient() -> None:
        asking = asyncio.ensure_future(with_retries(hanging, "a/model", RetryPolicy()))
        await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(impatient())


@pytest.mark.req("REQ-REFL-003")
@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("", 2.0),
        ("0.5", 0.5),
        ("0", 0.0),
        ("soon", 2.0),
        ("-1", 2.0),
        ("nan", 2.0),
        ("inf", 2.0),
        ("3599", 3599.0),
        ("3600", 2.0),
    ],
)
def test_the_base_is_two_seconds_unless_a_number_of_seconds_is_set(
    given: str, seconds: float
) -> None:
    assert seconds == base_delay_s({"ACE_REFLECT_RETRY_BASE_S": given})


@pytest.mark.parametrize(
    ("status", "again"),
    [
        (400, False),
        (401, False),
        (404, False),
        (408, True),
        (409, True),
        (413, False),
        (429, True),
        (500, True),
        (503, True),
        (529, True),
    ],
)
def test_only_what_may_pass_is_tried_again(status: int, again: bool) -> None:
    assert again is is_retried(status)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Mon, 99 Foo 2026 99:99:99 GMT"}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert seconds == retry_after_s(headers)


def test_the_wait_may_be_a_date() -> None:
    seconds = retry_after_s({"retry-after": formatdate(time.time() + 60, usegmt=True)})

    assert seconds is not None
    assert 50 < seconds <= 60
