"""`anthropic/MODEL`: the Messages API through its SDK."""

import time
import warnings
from collections.abc import Mapping
from typing import Any

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm.cost import priced
from ace_reflect.llm.keys import ANTHROPIC_KEYS, ANTHROPIC_URLS, first_set
from ace_reflect.llm.port import Patterns, Reply, Request, Usage, tokens
from ace_reflect.llm.retry import policy_for
from ace_reflect.llm.sdk import Who, answered, list_models, reply_of

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
        asked = self._asked(request.without_secrets(self._environ, self._patterns))
        # The SDK warns of every model with an end-of-life date, in the middle of a hook's or worker's stderr. It is the
        # person who chose the model; where warnings are errors, the call would fail over it.
        warnings.filterwarnings("ignore", r"The model '.*' is deprecated", DeprecationWarning)
        message = await answered(
            anthropic,
            who,
            policy_for(request, self._environ),
            lambda http: _client(anthropic, who, http),
            lambda client, left_s: client.messages.create(**asked, timeout=left_s),
        )
        return _reply(message, who.name, self._model, started)

    async def list_models(self, timeout_s: float) -> tuple[str, ...]:
        """The ids that the key may use. Raises ModelUnavailable or ModelReplyInvalid; one attempt."""
        who = self._who()
        import anthropic

        return await list_models(
            anthropic, lambda http: _client(anthropic, who, http), who, timeout_s
        )

    def _who(self) -> Who:
        variable, key = first_set(self._environ, ANTHROPIC_KEYS)
        if not key:
            raise ModelUnavailable(
                f"{self.name}: no key; set {', '.join(ANTHROPIC_KEYS[:-1])} or {ANTHROPIC_KEYS[-1]}"
            )
        _, base_url = first_set(self._environ, ANTHROPIC_URLS)
        return Who(self.name, variable, key, base_url)

    def _asked(self, request: Request) -> dict[str, Any]:
        messages = [{"role": "user", "content": request.prompt}]
        system = {"system": request.system} if request.system else {}
        return {
            "model": self._model,
            "max_tokens": request.max_tokens,
            "messages": messages,
            **system,
        }


def _client(sdk: Any, who: Who, http: Any) -> Any:
    is_token = who.variable == "ANTHROPIC_AUTH_TOKEN"
    credential = {"auth_token": who.key} if is_token else {"api_key": who.key}
    client = sdk.AsyncAnthropic(
        **credential, base_url=who.base_url or DEFAULT_URL, max_retries=0, http_client=http
    )
    # Older SDKs fill the other credential from the environment and would send both.
    if is_token:
        client.api_key = None
    else:
        client.auth_token = None
    return client


def _reply(message: Any, name: str, model: str, started: float) -> Reply:
    usage = priced(_usage(getattr(message, "usage", None)), "anthropic", model)
    content = getattr(message, "content", None)
    text = "".join(_text(block) for block in content) if isinstance(content, list) else ""
    stop_reason = getattr(message, "stop_reason", None)
    return reply_of(
        name,
        text,
        usage,
        started,
        declined=stop_reason == "refusal",
        cut=stop_reason == "max_tokens",
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
