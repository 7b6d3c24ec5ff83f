"""`anthropic/MODEL`: the Messages API through its SDK."""

import time
import warnings
from collections.abc import Mapping
from typing import Any

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm.cost import priced
from ace_reflect.llm.keys import ANTHROPIC_KEYS, ANTHROPIC_URLS, first_set
from ace_reflect.llm.port import Patterns, Reply, ReplyRefused, Request, Usage, tokens
from ace_reflect.llm.retry import RetryPolicy, base_delay_s, with_retries
from ace_reflect.llm.sdk import Who, attempt_failed, bounded_client, list_models, of_its_api

DEFAULT_URL = "https://api.anthropic.com"


class AnthropicModel:
    """A model of the Messages API. Key and base URL are looked up when it is asked."""

    def __init__(self, model: str, environ: Mapping[str, str], patterns: Patterns = ()) -> None:
        self._model = model
        self._environ = environ
        self._patterns = patterns

    @property
    def name(self) -> str:
        return f"anthropic/{self._model}"

    async def ask(self, request: Request) -> Reply:
        who = self._who()
        import anthropic  # 2 s and 75 MB: only a process that really asks pays for it

        started = time.monotonic()
        outgoing = request.without_secrets(self._environ, self._patterns)
        http = bounded_client(anthropic, who)
        try:
            client = _client(anthropic, who, http)
            policy = RetryPolicy(request.deadline_s, request.attempt_s, base_s=base_delay_s(self._environ))
            message = await with_retries(
                lambda left_s: _create(anthropic, client, self._model, outgoing, left_s, who), who.name, policy
            )
        finally:
            await http.aclose()
        return _reply(message, who.name, self._model, started)

    async def list_models(self, timeout_s: float) -> tuple[str, ...]:
        """The ids that the key may use. Raises ModelUnavailable or ModelReplyInvalid; one attempt."""
        who = self._who()
        import anthropic

        return await list_models(anthropic, lambda http: _client(anthropic, who, http), who, timeout_s)

    def _who(self) -> Who:
        variable, key = first_set(self._environ, ANTHROPIC_KEYS)
        if not key:
            raise ModelUnavailable(f"{self.name}: no key; set {', '.join(ANTHROPIC_KEYS[:-1])} or {ANTHROPIC_KEYS[-1]}")
        _, base_url = first_set(self._environ, ANTHROPIC_URLS)
        return Who(self.name, variable, key, base_url)


def _client(sdk: Any, who: Who, http: Any) -> Any:
    is_token = who.variable == "ANTHROPIC_AUTH_TOKEN"
    credential = {"auth_token": who.key} if is_token else {"api_key": who.key}
    client = sdk.AsyncAnthropic(**credential, base_url=who.base_url or DEFAULT_URL, max_retries=0, http_client=http)
    # Older SDKs fill the other credential from the environment and would send both.
    if is_token:
        client.api_key = None
    else:
        client.auth_token = None
    return client


async def _create(sdk: Any, client: Any, model: str, request: Request, timeout_s: float, who: Who) -> Any:
    asked: dict[str, Any] = {"model": model, "max_tokens": request.max_tokens, "timeout": timeout_s}
    if request.system:
        asked["system"] = request.system
    # The SDK warns of every model with an end-of-life date, in the middle of a hook's or worker's stderr. It is the
    # person who chose the model; where warnings are errors, the call would fail over it.
    warnings.filterwarnings("ignore", r"The model '.*' is deprecated", DeprecationWarning)
    try:
        answer = await client.messages.create(**asked, messages=[{"role": "user", "content": request.prompt}])
    except Exception as error:
        raise attempt_failed(error, sdk, who) from error
    return of_its_api(answer, who)


def _reply(message: Any, name: str, model: str, started: float) -> Reply:
    usage = priced(_usage(getattr(message, "usage", None)), "anthropic", model)
    content = getattr(message, "content", None)
    text = "".join(_text(block) for block in content) if isinstance(content, list) else ""
    stop_reason = getattr(message, "stop_reason", None)
    if stop_reason == "refusal":
        raise ReplyRefused(f"{name} declined to answer", usage)
    if not text.strip():
        raise ReplyRefused(f"{name} sent an empty answer", usage)
    return Reply(
        text, name, usage=usage, ms=round((time.monotonic() - started) * 1000), cut=stop_reason == "max_tokens"
    )


def _text(block: Any) -> str:
    """A text block's text; thinking blocks keep theirs under another name."""
    text = getattr(block, "text", None)
    return text if isinstance(text, str) else ""


def _usage(usage: Any) -> Usage:
    def count(name: str) -> int:
        return tokens(getattr(usage, name, 0))

    cached = count("cache_read_input_tokens") + count("cache_creation_input_tokens")
    return Usage(count("input_tokens") + cached, count("output_tokens"))
