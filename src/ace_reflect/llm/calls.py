"""A call to a model: at most three attempts, every failure as one of our two errors, and what it costs.

The SDKs' own retries are off: theirs start at 0.5 s, and two layers would multiply.
"""

import asyncio
import json
import random
import re
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from ace_reflect.errors import ModelError, ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.port import Environ, Reply, Request, Usage, Who, first_set

T = TypeVar("T")

ATTEMPTS = 3
BASE_S = 2.0
#: Model, without a trailing date as in `-20250929` -> US dollars per million input and output tokens: list prices without
#: cache or batch discounts, so that a sum is an upper bound. Anthropic's are from 2026-11, as Claude Code 2.1.330 computes
#: them; the others from 2025-11, as published.
PRICES: Mapping[str, tuple[float, float]] = {
    "anthropic/claude-haiku-4-5": (1.0, 5.0),
    "anthropic/claude-haiku-5-5": (0.1, 0.5),
    "anthropic/claude-opus-4-5": (5.0, 25.0),
    "anthropic/claude-opus-5": (5.0, 25.0),
    "anthropic/claude-opus-5-5": (4.0, 20.0),
    "anthropic/claude-sonnet-4-5": (3.0, 15.0),
    "anthropic/claude-sonnet-5": (2.0, 10.0),
    "anthropic/claude-sonnet-5-5": (2.0, 10.0),
    "openai/gpt-4o-mini": (0.15, 0.6),
    "openai/gpt-5": (1.25, 10.0),
    "openai/gpt-5-mini": (0.25, 2.0),
    "google/gemini-2.0-flash": (0.1, 0.4),
    "google/gemini-2.5-flash": (0.3, 2.5),
    "google/gemini-2.5-pro": (1.25, 10.0),
}
_DATE = re.compile(r"-(?:20\d{6}|20\d\d-\d\d-\d\d|latest)$")
_RETRIED_4XX = (408, 409, 429)  # everything from 500 on is retried too, including 529 (overloaded)


async def with_retries(
    attempt: Callable[[float], Awaitable[T]], name: str, request: Request, environ: Environ
) -> T:
    """The result of `attempt(timeout_s)`, which is called again if that may help or it takes too long. `name` is the model's,
    for messages. Raises the last attempt's `ModelError`.
    """
    ends = time.monotonic() + request.deadline_s
    number = 0
    while True:
        number += 1
        timeout_s = min(request.attempt_s, ends - time.monotonic())
        try:
            async with asyncio.timeout(timeout_s):
                return await attempt(timeout_s)
        except TimeoutError:
            told = f"{name} gave no answer in {timeout_s:.0f} s"
            failed = ModelUnavailable(told, retry_later=True)
        except ModelUnavailable as error:
            failed = error
        if number == ATTEMPTS or not failed.retry_later:
            raise failed
        wait_s = failed.after_s
        if wait_s is None:
            wait_s = base_delay_s(environ) * 2 ** (number - 1) * random.uniform(0.75, 1.25)  # noqa: S311
        if time.monotonic() + wait_s >= ends:
            asked = f"{failed}; it asks to wait {wait_s:.0f} s, longer than it is given"
            raise failed if failed.after_s is None else ModelUnavailable(asked, retry_later=True)
        await asyncio.sleep(wait_s)


def base_delay_s(environ: Environ) -> float:
    """`$ACE_REFLECT_RETRY_BASE_S`, else 2 s. Anything else is ignored."""
    try:
        given = float(environ.get("ACE_REFLECT_RETRY_BASE_S", ""))
    except ValueError:
        return BASE_S
    return given if 0 <= given < 3600 else BASE_S


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """The wait in seconds that `retry-after` asks for, given as seconds or a date; None without one."""
    told = headers.get("retry-after", "")
    try:
        number = re.fullmatch(r"-?[\d.]+", told)
        wait_s = float(told) if number else parsedate_to_datetime(told).timestamp() - time.time()
        return max(wait_s, 0.0)
    except (ValueError, OverflowError):
        return None


def refused(status: int, said: str, who: Who, after_s: float | None = None) -> ModelUnavailable:
    """The error for an HTTP status other than success; `said` is the other side's reason."""
    if status in {401, 403}:
        told = f"the key in {who.variable} was refused" if who.variable else "the login was refused"
    elif status == 404:
        told = "there is no such model or address there"
    elif 300 <= status < 400:
        told = "redirects to another address, which is not followed; set the right base URL"
    else:
        told = "refused the request" if status < 500 else "failed"
    message = f"{who.name}{who.at}: {told} ({status}: {who.plain(said)})"
    again = status in _RETRIED_4XX or status >= 500
    return ModelUnavailable(message, retry_later=again, after_s=after_s)


class Endpoint(NamedTuple):
    """Where an endpoint is and which variables may hold its key; `keyless` if it needs none."""

    name: str
    base_url: str
    key_variables: tuple[str, ...]
    keyless: bool = False


class ApiModel(ABC):
    """A model asked through an SDK. One generator makes both, with the same exceptions and the same HTTP client."""

    sdk: str  # the package, imported only by a process that asks: it takes 2 s and 75 MB

    def __init__(
        self, endpoint: Endpoint, model: str, environ: Environ, patterns: Sequence[str] = ()
    ) -> None:
        self.name, self.model, self.endpoint = f"{endpoint.name}/{model}", model, endpoint
        self.environ, self.patterns = environ, patterns
        self.who = Who(self.name, *first_set(environ, endpoint.key_variables), endpoint.base_url)

    @abstractmethod
    def why_unusable(self) -> str: ...

    @abstractmethod
    def client(self, sdk: Any, **options: Any) -> Any:
        """The SDK's client, made with these options."""

    @abstractmethod
    async def send(self, client: Any, request: Request) -> Any:
        """One attempt: the SDK's answer."""

    @abstractmethod
    def read(self, answer: Any) -> tuple[str, Usage, object]:
        """The answer's text, its usage, and why it ended. Raises ModelReplyInvalid."""

    async def ask(self, request: Request) -> Reply:
        if reason := self.why_unusable():
            raise ModelUnavailable(f"{self.name}: {reason}")
        import_module(self.sdk)  # not on the request's time
        outgoing = request.without_secrets(self.environ, self.patterns)

        async def attempt(timeout_s: float) -> Any:
            async with self.connected(timeout_s) as client:
                return await self.send(client, outgoing)

        answer = await with_retries(attempt, self.name, request, self.environ)
        text, usage, ended = self.read(answer)
        return self.who.reply(text, priced(usage, self.name), ended)

    @asynccontextmanager
    async def connected(self, timeout_s: float, retries: int = 0) -> AsyncIterator[Any]:
        """A client of the SDK; what it raises inside becomes a ModelError, with the SDK's as its cause."""
        sdk = import_module(self.sdk)
        try:  # No redirects: they would carry the transcript to wherever the endpoint says.
            async with sdk.DefaultAsyncHttpxClient(follow_redirects=False) as http:
                yield self.client(sdk, http_client=http, max_retries=retries, timeout=timeout_s)
        except ModelError:
            raise
        except Exception as error:
            raise failure(error, sdk, self.who) from error


def failure(error: Exception, sdk: Any, who: Who) -> ModelError:
    """Our error for an SDK error."""
    if isinstance(error, sdk.APIStatusError):
        said = _words(error.body) or error.message
        return refused(error.status_code, said, who, retry_after_s(error.response.headers))
    if isinstance(error, sdk.APIConnectionError):
        why = who.plain(str(error.__cause__ or error))
        told = f"{who.name} could not be reached{who.at}: {why}"
        return ModelUnavailable(told, retry_later=True)
    said = who.plain(str(error))
    if isinstance(error, (sdk.APIError, json.JSONDecodeError)):
        return ModelReplyInvalid(f"{who.name} sent a reply that is not of its API's form: {said}")
    # For example a proxy that cannot be used: SOCKS without its package.
    return ModelUnavailable(f"{who.name}: {type(error).__name__}: {said}")


def _words(body: Any) -> str:
    """Out of `{"error": {"message": …}}`, `{"error": …}`, `{"message": …}`, `{"detail": …}` or a text."""
    for name in ("error", "message", "detail"):
        if isinstance(body, dict) and body.get(name):
            body = body[name]
    return body if isinstance(body, str) else ""


def list_in(answer: Any, name: str, who: Who) -> list[Any]:
    """The list of that name in an SDK's answer. Raises ModelReplyInvalid if a 200 came with something else."""
    # Gateways pass on their provider's error, a wrong base URL gives a page; the SDKs return both as text.
    found = getattr(answer, name, None)
    if isinstance(found, list):
        return found
    said = who.plain(str(getattr(answer, "error", None) or answer))
    raise ModelReplyInvalid(
        f"{who.name}{who.at} sent no reply of its API; is the base URL right? It says: {said}"
    )


def priced(usage: Usage, name: str) -> Usage:
    """`usage` with its cost if the table knows the model; otherwise the cost is unknown, never zero."""
    prices = PRICES.get(_DATE.sub("", name))
    if prices is None:
        return usage
    dollars = (usage.input_tokens * prices[0] + usage.output_tokens * prices[1]) / 1_000_000
    return Usage(usage.input_tokens, usage.output_tokens, dollars)
