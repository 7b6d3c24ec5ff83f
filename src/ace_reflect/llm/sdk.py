"""
What the two SDKs have in common: a client that is bounded, attempts on it, and errors and replies that become ours.

`anthropic` and `openai` are made by the same generator: the same exception names, the same `DefaultAsyncHttpxClient`.
Their HTTP library changed between major versions (httpx, httpx2), so no type of it is named here.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.keys import without_login
from ace_reflect.llm.port import Reply, ReplyRefused, Usage
from ace_reflect.llm.retry import (
    AttemptFailed,
    RetryPolicy,
    is_retried,
    retry_after_s,
    with_retries,
)

MAX_REPLY_BYTES = 4_000_000  # far over any answer; an endpoint that sends more is broken or hostile


class ReplyTooLarge(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a request goes to, for messages: `variable` is the one the key came from, "" without a key."""

    name: str
    variable: str = ""
    key: str = ""
    base_url: str = ""


def bounded_client(sdk: Any, who: Who) -> Any:
    """
    An HTTP client for `sdk` that follows no redirect and reads no endless body.

    A redirect would carry the transcript, and with older versions the key, to wherever the endpoint says.
    Raises ModelUnavailable where the environment names a proxy that cannot be used (SOCKS wants a package of its own).
    """

    class Bounded(sdk.DefaultAsyncHttpxClient):  # type: ignore[misc]  # its base differs between the SDKs' generations
        async def send(self, request: Any, *, stream: bool = False, **options: Any) -> Any:
            response = await super().send(request, stream=True, **options)
            if stream:
                return response
            try:
                body = await _read(response)
            finally:
                await response.aclose()
            headers = [
                (k, v) for k, v in response.headers.multi_items() if k.lower() not in _BODY_HEADERS
            ]
            return type(response)(
                response.status_code, headers=headers, content=body, request=request
            )

    try:
        return Bounded(follow_redirects=False)
    except Exception as error:  # the types differ between the SDKs' generations; it only reads the environment here
        told = f"the proxy that the environment names cannot be used: {plain(str(error), who)}"
        raise ModelUnavailable(f"{who.name}: {told}") from error


_BODY_HEADERS = {
    "content-encoding",
    "content-length",
    "transfer-encoding",
}  # the body is decoded and whole by now


async def _read(response: Any) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            raise ReplyTooLarge
    return bytes(body)


async def answered(
    sdk: Any,
    who: Who,
    policy: RetryPolicy,
    client_with: Callable[[Any], Any],
    create: Callable[[Any, float], Awaitable[Any]],
) -> Any:
    """What `create(client, timeout_s)` gives once an attempt at it succeeds. Raises ModelUnavailable or ModelReplyInvalid."""
    http = bounded_client(sdk, who)

    async def attempt(left_s: float) -> Any:
        try:
            answer = await create(client, left_s)
        except Exception as error:
            raise attempt_failed(error, sdk, who) from error
        return of_its_api(answer, who)

    try:
        client = client_with(http)
        return await with_retries(attempt, who.name, policy)
    finally:
        await http.aclose()


def reply_of(
    name: str,
    text: str,
    usage: Usage,
    started: float,
    *,
    declined: bool,
    cut: bool,
    structured: Mapping[str, Any] | None = None,
) -> Reply:
    """The reply of the model `name`, asked at `started` (of `time.monotonic`). Raises ReplyRefused for one that is none."""
    if declined:
        raise ReplyRefused(f"{name} declined to answer", usage)
    if not text.strip():
        raise ReplyRefused(f"{name} sent an empty answer", usage)
    return Reply(text, name, structured, usage, round((time.monotonic() - started) * 1000), cut)


async def list_models(
    sdk: Any, client_with: Callable[[Any], Any], who: Who, timeout_s: float
) -> tuple[str, ...]:
    """The first page of the model ids that an endpoint offers. Raises the `ModelError` of a failed attempt."""
    http = bounded_client(sdk, who)
    try:
        async with asyncio.timeout(timeout_s):
            page = await client_with(http).models.list(timeout=timeout_s)
    except TimeoutError as error:
        raise ModelUnavailable(
            f"{who.name} listed no models in {timeout_s:.0f} s", retry_later=True
        ) from error
    except Exception as error:
        raise attempt_failed(error, sdk, who).error from error
    finally:
        await http.aclose()
    rows = getattr(page, "data", None)
    ids = (getattr(row, "id", None) for row in (rows if isinstance(rows, list) else []))
    return tuple(found for found in ids if isinstance(found, str))


def attempt_failed(error: Exception, sdk: Any, who: Who) -> AttemptFailed:
    """Our error for one of the SDK's, and whether another attempt may help."""
    if isinstance(error, ReplyTooLarge) or isinstance(error.__cause__, ReplyTooLarge):
        return AttemptFailed(
            ModelReplyInvalid(f"{who.name} sent more than {MAX_REPLY_BYTES // 1_000_000} MB")
        )
    if isinstance(error, sdk.APIStatusError):
        return _refused(error, who)
    if isinstance(error, sdk.APITimeoutError):
        return AttemptFailed(
            ModelUnavailable(f"{who.name} gave no answer in time", retry_later=True), again=True
        )
    if isinstance(error, sdk.APIConnectionError):
        why = plain(str(error.__cause__ or error), who)
        return AttemptFailed(
            ModelUnavailable(f"{who.name} could not be reached{_at(who)}: {why}", retry_later=True),
            again=True,
        )
    if isinstance(
        error, (sdk.APIError, ValueError)
    ):  # a body that is no JSON, or not of the API's form
        return AttemptFailed(
            ModelReplyInvalid(
                f"{who.name} sent a reply that is not of its API's form: {plain(str(error), who)}"
            )
        )
    return AttemptFailed(
        ModelUnavailable(f"{who.name}: {type(error).__name__}: {plain(str(error), who)}")
    )


def _refused(error: Any, who: Who) -> AttemptFailed:
    status: int = error.status_code
    said = f"{status}: {plain(_message(error), who)}"
    again = is_retried(status)
    if status in {401, 403}:
        told = (
            f"the key in {who.variable} was refused"
            if who.variable
            else "a key is wanted, and none is configured for it"
        )
    elif status == 404:
        told = f"there is no such model{' or address' if who.base_url else ''} there"
    elif 300 <= status < 400:
        told = (
            "redirects to another address, which is not followed; set the base URL to the right one"
        )
    else:
        told = (
            "is overloaded"
            if status in {429, 529, 503}
            else "refused the request"
            if status < 500
            else "failed"
        )
    unavailable = ModelUnavailable(f"{who.name}{_at(who)}: {told} ({said})", retry_later=again)
    return AttemptFailed(
        unavailable, again=again, after_s=retry_after_s(error.response.headers) if again else None
    )


def _message(error: Any) -> str:
    """What the endpoint said, where its body has words on it; some SDKs give what stands under `error` as the body."""
    return _words(error.body) or str(error.message)


def _words(body: Any) -> str:
    """Out of `{"error": {"message": …}}`, `{"error": …}`, `{"message": …}`, `{"detail": …}` or a text."""
    for _ in range(3):
        if not isinstance(body, dict):
            break
        body = next((body[name] for name in ("error", "message", "detail") if body.get(name)), None)
    return str(body) if isinstance(body, str | list) and body else ""


def of_its_api(answer: Any, who: Who) -> Any:
    """
    `answer` as the SDK gave it. Raises AttemptFailed where a status of 200 came with something else: gateways send the
    error of the provider behind them, and a wrong base URL a page, which the SDKs hand on as text.
    """
    if isinstance(answer, str):
        begins = plain(answer, who)[:80]
        told = f"{who.name}{_at(who)} sent no reply of its API; is the base URL right? It begins: {begins}"
        raise AttemptFailed(ModelReplyInvalid(told))
    error = getattr(answer, "error", None)
    if not error or not isinstance(
        error, dict | str | list
    ):  # what JSON can say; a stand-in's attribute says nothing
        return answer
    found = error if isinstance(error, dict) else {}
    again = found.get("type") in _PASSING or (
        isinstance(found.get("code"), int) and is_retried(found["code"])
    )
    said = plain(_words(error) or str(error), who)
    message = f"{who.name}{_at(who)}: answered with an error ({said})"
    raise AttemptFailed(ModelUnavailable(message, retry_later=again), again=again)


_PASSING = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})


def _at(who: Who) -> str:
    return f" at {without_login(who.base_url)}" if who.base_url else ""


def plain(text: str, who: Who) -> str:
    """One short line of what the other side wrote, without control characters and without the key."""
    if who.key:
        text = text.replace(who.key, "[the key]")
    line = " ".join(
        "".join(ch if ch.isprintable() else " " for ch in without_login(text[:2000])).split()
    )
    return line if len(line) <= 200 else line[:199] + "…"
