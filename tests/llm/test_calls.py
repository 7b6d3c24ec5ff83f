"""Attempts, waits and deadlines."""

import asyncio
import time
from email.utils import formatdate

import pytest

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm.calls import base_delay_s, retry_after_s, with_retries
from ace_reflect.llm.port import Request


def failing(times: int, after_s: float | None = None) -> tuple[list[float], object]:
    """When it was called; and an attempt that fails so many times."""
    calls: list[float] = []

    async def attempt(_: float) -> str:
        calls.append(time.monotonic())
        if len(calls) <= times:
            raise ModelUnavailable(f"failure {len(calls)}", retry_later=True, after_s=after_s)
        return "done"

    return calls, attempt


def run(attempt: object) -> str:
    request = Request("?", deadline_s=20.0)
    environ = {"ACE_REFLECT_RETRY_BASE_S": "0.1"}
    return asyncio.run(with_retries(attempt, "a/model", request, environ))


@pytest.mark.req("REQ-REFL-003")
def test_there_are_three_attempts_with_growing_waits_of_a_base_of_two_seconds() -> None:
    calls, attempt = failing(2)

    assert run(attempt) == "done"

    first, second = calls[1] - calls[0], calls[2] - calls[1]
    assert 0.075 <= first <= 0.2
    assert 0.15 <= second <= 0.35
    for given in ("", "soon", "-1", "nan", "inf"):
        assert base_delay_s({"ACE_REFLECT_RETRY_BASE_S": given}) == base_delay_s({}) == 2.0


@pytest.mark.parametrize(
    ("told", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-3", 0.0), ("nan", None), ("tomorrow", None), ("", None)],
)
def test_the_wait_that_is_asked_for_is_kept_and_not_begun_beyond_the_deadline(told, seconds):
    assert seconds == retry_after_s({"retry-after": told})
    date = retry_after_s({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert date is not None
    assert 50 < date <= 60

    calls, attempt = failing(9, after_s=500)
    with pytest.raises(ModelUnavailable, match="asks to wait 500 s") as caught:
        run(attempt)
    assert caught.value.retry_later
    assert len(calls) == 1
