"""
A call to a model: three attempts and not one more, whatever goes wrong as one of our two errors, and what it costs.

2 s base, exponential with jitter, `retry-after` honoured, a deadline over all. The SDKs' own retries are off: theirs
start at 0.5 s, and two layers would multiply.
"""

import asyncio
import json
import math
import random
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import Any, TypeVar

from ace_reflect.errors import ModelError, ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.port import Patterns, Reply, Request, Usage, Who

T = TypeVar("T")

ATTEMPTS = 3
BASE_S = 2.0
_JITTER = (0.75, 1.25)
#: provider -> model id (without a trailing date, as in `-20250929`) -> US dollars per million input and output tokens:
#: list prices without cache or batch discounts, so that a sum is an upper bound. Anthropic's are of 2026-11, as Claude
#: Code 2.1.330 computes them; the others of 2025-11, as published.
PRICES: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "anthropic": {
        "claude-haiku-4-5": (1.0, 5.0),
        "claude-haiku-5-5": (0.1, 0.5),
        "claude-opus-4-5": (5.0, 25.0),
        "claude-opus-5": (5.0, 25.0),
        "claude-opus-5-5": (4.0, 20.0),
        "claude-sonnet-4-5": (3.0, 15.0),
        "claude-sonnet-5": (2.0, 10.0),
        "claude-sonnet-5-5": (2.0, 10.0),
    },
    "openai": {
        "gpt-4o-mini": (0.15, 0.6),
        "gpt-5": (1.25, 10.0),
        "gpt-5-mini": (0.25, 2.0),
    },
    "google": {
        "gemini-2.0-flash": (0.1, 0.4),
        "gemini-2.5-flash": (0.3, 2.5),
        "gemini-2.5-pro": (1.25, 10.0),
    },
}
_DATE = re.compile(r"-(?:20\d{6}|20\d\d-\d\d-\d\d|latest)$")
_RETRIED_4XX = (408, 409, 429)  # everything from 500 on is retried too, 529 (overloaded) with it


class AttemptFailed(Exception):
    """One attempt's failure: `error` is what the caller gets if no attempt is left."""

    def __init__(
        self, error: ModelError, *, again: bool = False, after_s: float | None = None
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.again = again
        self.after_s = after_s


async def with_retries(
    attempt: Callable[[float], Awaitable[T]],
    name: str,
    request: Request,
    environ: Mapping[str, str],
) -> T:
    """
    What `attempt(timeout_s)` gives; it raises `AttemptFailed`. `name` is the model's, for messages.

    Raises the last attempt's `ModelError`.
    """
    ends = time.monotonic() + request.deadline_s
    for number in range(1, ATTEMPTS + 1):
        timeout_s = min(request.attempt_s, ends - time.monotonic())
        try:
            async with asyncio.timeout(timeout_s):
                return await attempt(timeout_s)
        except TimeoutError:
            told = f"{name} gave no answer in {timeout_s:.0f} s"
            failed = AttemptFailed(ModelUnavailable(told, retry_later=True), again=True)
        except AttemptFailed as error:
            failed = error
        if not failed.again or number == ATTEMPTS:
            raise failed.error
        wait_s = failed.after_s
        if wait_s is None:
            wait_s = base_delay_s(environ) * 2 ** (number - 1) * random.uniform(*_JITTER)  # noqa: S311
        if time.monotonic() + wait_s >= ends:
            if failed.after_s is None:
                raise failed.error
            told = f"{failed.error}; it asks to wait {wait_s:.0f} s, longer than it is given"
            raise ModelUnavailable(told, retry_later=True)
        await asyncio.sleep(wait_s)
    raise AssertionError("unreachable: the last attempt returns or raises")


def base_delay_s(environ: Mapping[str, str]) -> float:
    """`$ACE_REFLECT_RETRY_BASE_S`, else 2 s. What is no number of seconds is ignored."""
    try:
        given = float(environ.get("ACE_REFLECT_RETRY_BASE_S", ""))
    except ValueError:
        return BASE_S
    return given if 0 <= given < 3600 else BASE_S


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """The wait that a response asks for in `retry-after`, as seconds or a date; None without one."""
    told = headers.get("retry-after", "")
    try:
        seconds = float(told)
        return max(seconds, 0.0) if math.isfinite(seconds) else None
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(told).timestamp() - time.time(), 0.0)
    except (ValueError, OverflowError):
        return None


def refused(status: int, said: str, who: Who, *, after_s: float | None = None) -> AttemptFailed:
    """The failure of an answer with an HTTP status that is none of success; `said` is the other side's reason."""
    again = status in _RETRIED_4XX or status >= 500
    if status in {401, 403}:
        told = f"the key in {who.variable} was refused" if who.variable else "the login was refused"
    elif status == 404:
        told = "there is no such model or address there"
    elif 300 <= status < 400:
        told = (
            "redirects to another address, which is not followed; set the base URL to the right one"
        )
    else:
        told = "refused the request" if status < 500 else "failed"
    message = f"{who.name}{who.at}: {told} ({status}: {who.plain(said)})"
    unavailable = ModelUnavailable(message, retry_later=again)
    return AttemptFailed(unavailable, again=again, after_s=after_s if again else None)


class ApiModel(ABC):
    """
    A model asked through an SDK, of the same form for `anthropic` and `openai`: the same generator makes both, with the
    same names of exceptions and the same HTTP client. Key and address are looked up when the model is asked.
    """

    sdk: str  # the package, imported only by a process that asks: it takes 2 s and 75 MB

    def __init__(self, name: str, environ: Mapping[str, str], patterns: Patterns) -> None:
        self.name = name
        self.environ = environ
        self.patterns = patterns
        self.provider, _, self.model = name.partition("/")

    @abstractmethod
    def who(self) -> Who: ...

    @abstractmethod
    def why_unusable(self) -> str: ...

    @abstractmethod
    def listing(self) -> tuple[str, dict[str, str]]:
        """The address of the list of models, and the headers to ask it with."""

    @abstractmethod
    def client(self, sdk: Any, who: Who, **options: Any) -> Any:
        """The SDK's client."""

    @abstractmethod
    async def create(self, client: Any, request: Request, timeout_s: float) -> Any:
        """One attempt: the SDK's answer."""

    @abstractmethod
    def read(self, answer: Any, who: Who, started: float) -> Reply:
        """The SDK's answer as a reply. Raises ModelReplyInvalid."""

    async def ask(self, request: Request) -> Reply:
        if reason := self.why_unusable():
            raise ModelUnavailable(f"{self.name}: {reason}")
        sdk, who = import_module(self.sdk), self.who()
        started = time.monotonic()
        outgoing = request.without_secrets(self.environ, self.patterns)
        try:  # No redirect is followed: it would carry the transcript to wherever the endpoint says.
            http = sdk.DefaultAsyncHttpxClient(follow_redirects=False)
        except Exception as error:  # a proxy that cannot be used, as SOCKS without its package
            raise _failure(error, sdk, who).error from error

        async def attempt(timeout_s: float) -> Any:
            try:
                return await self.create(client, outgoing, timeout_s)
            except Exception as error:
                raise _failure(error, sdk, who) from error

        client = self.client(sdk, who, max_retries=0, http_client=http)
        async with client:  # not what entering gives: a stand-in for the SDK gives another
            answer = await with_retries(attempt, self.name, request, self.environ)
        return self.read(answer, who, started)


def _failure(error: Exception, sdk: Any, who: Who) -> AttemptFailed:
    """Our error for one of the SDK's, and whether another attempt may help."""
    if isinstance(error, sdk.APIStatusError):
        said = _words(error.body) or error.message
        after_s = retry_after_s(error.response.headers)
        return refused(error.status_code, said, who, after_s=after_s)
    if isinstance(error, sdk.APIConnectionError):
        why = who.plain(str(error.__cause__ or error))
        told = f"{who.name} could not be reached{who.at}: {why}"
        return AttemptFailed(ModelUnavailable(told, retry_later=True), again=True)
    said = who.plain(str(error))
    if isinstance(error, (sdk.APIError, json.JSONDecodeError)):
        told = f"{who.name} sent a reply that is not of its API's form: {said}"
        return AttemptFailed(ModelReplyInvalid(told))
    return AttemptFailed(ModelUnavailable(f"{who.name}: {type(error).__name__}: {said}"))


def _words(body: Any) -> str:
    """Out of `{"error": {"message": …}}`, `{"error": …}`, `{"message": …}`, `{"detail": …}` or a text."""
    for name in ("error", "message", "detail"):
        if isinstance(body, dict) and body.get(name):
            body = body[name]
    return body if isinstance(body, str) else ""


def list_in(answer: Any, name: str, who: Who) -> list[Any]:
    """
    The list of that name in an SDK's answer. Raises ModelReplyInvalid where a status of 200 came with something else:
    gateways send the error of the provider behind them, and a wrong base URL a page, which the SDKs hand on as text.
    """
    found = getattr(answer, name, None)
    if isinstance(found, list):
        return found
    said = who.plain(str(getattr(answer, "error", None) or answer))
    raise ModelReplyInvalid(
        f"{who.name}{who.at} sent no reply of its API; is the base URL right? It says: {said}"
    )


def priced(usage: Usage, provider: str, model: str) -> Usage:
    """`usage` with its cost, where the table knows the model; elsewhere the cost is unknown, never zero."""
    prices = PRICES.get(provider, {}).get(_DATE.sub("", model))
    if prices is None:
        return usage
    dollars = (usage.input_tokens * prices[0] + usage.output_tokens * prices[1]) / 1_000_000
    return Usage(usage.input_tokens, usage.output_tokens, dollars)
