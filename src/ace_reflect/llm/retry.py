"""
Three attempts, and not one more: 2 s base, exponential with jitter, `retry-after` honoured, a deadline over all.

The SDKs' own retries are off: theirs start at 0.5 s, and two layers would multiply.
"""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from ace_reflect.errors import ModelError, ModelUnavailable
from ace_reflect.llm.port import ATTEMPT_S, DEADLINE_S, Request

T = TypeVar("T")

ATTEMPTS = 3
BASE_S = 2.0
JITTER = (0.75, 1.25)
RETRIED_4XX = frozenset(
    {408, 409, 429}
)  # everything from 500 on is retried too, 529 (overloaded) with it


class AttemptFailed(Exception):
    """One attempt's failure: `error` is what the caller gets if no attempt is left."""

    def __init__(
        self, error: ModelError, *, again: bool = False, after_s: float | None = None
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.again = again
        self.after_s = after_s


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long and how often. `base_s` is the wait before the second attempt."""

    deadline_s: float = DEADLINE_S
    attempt_s: float = ATTEMPT_S
    attempts: int = ATTEMPTS
    base_s: float = BASE_S


def policy_for(request: Request, environ: Mapping[str, str]) -> RetryPolicy:
    return RetryPolicy(request.deadline_s, request.attempt_s, base_s=base_delay_s(environ))


def base_delay_s(environ: Mapping[str, str]) -> float:
    """`$ACE_REFLECT_RETRY_BASE_S`, else 2 s. What is no number of seconds is ignored."""
    try:
        given = float(environ.get("ACE_REFLECT_RETRY_BASE_S", ""))
    except ValueError:
        return BASE_S
    return given if 0 <= given < 3600 else BASE_S


def is_retried(status: int) -> bool:
    return status in RETRIED_4XX or status >= 500


async def with_retries(
    attempt: Callable[[float], Awaitable[T]], who: str, policy: RetryPolicy
) -> T:
    """
    What `attempt(timeout_s)` gives.

    `attempt` raises `AttemptFailed`; `who` names the model in messages. Raises the last attempt's `ModelError`.
    """
    ends = time.monotonic() + policy.deadline_s
    for number in range(1, policy.attempts + 1):
        try:
            return await _one(attempt, who, min(policy.attempt_s, ends - time.monotonic()))
        except AttemptFailed as failed:
            wait_s = (
                failed.after_s if failed.after_s is not None else _backoff_s(number, policy.base_s)
            )
            if not failed.again or number == policy.attempts:
                raise failed.error from failed.__cause__
            if time.monotonic() + wait_s >= ends:
                raise _out_of_time(failed, who, wait_s, policy) from failed.__cause__
        await asyncio.sleep(wait_s)
    raise AssertionError("unreachable: the last attempt returns or raises")


async def _one(attempt: Callable[[float], Awaitable[T]], who: str, timeout_s: float) -> T:
    try:
        async with asyncio.timeout(timeout_s):
            return await attempt(timeout_s)
    except TimeoutError as error:
        unavailable = ModelUnavailable(
            f"{who} gave no answer in {timeout_s:.0f} s", retry_later=True
        )
        raise AttemptFailed(unavailable, again=True) from error


def _backoff_s(number: int, base_s: float) -> float:
    return float(base_s * 2 ** (number - 1) * random.uniform(*JITTER))  # noqa: S311 - spreads load, guards nothing


def _out_of_time(failed: AttemptFailed, who: str, wait_s: float, policy: RetryPolicy) -> ModelError:
    if failed.after_s is None:
        return failed.error
    return ModelUnavailable(
        f"{who} asks to wait {wait_s:.0f} s, longer than the {policy.deadline_s:.0f} s that are given to it: {failed.error}",
        retry_later=True,
    )


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """The wait a response asks for, in seconds: `retry-after-ms`, or `retry-after` as seconds or a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return max(seconds, 0.0) if math.isfinite(seconds) else None
    try:
        return max(
            parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time(), 0.0
        )
    except (ValueError, OverflowError, OSError):
        return None
