"""`openai/MODEL` and any endpoint that speaks chat completions, through the official SDK (an extra)."""

import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm.cost import priced
from ace_reflect.llm.endpoints import Endpoint
from ace_reflect.llm.keys import first_set
from ace_reflect.llm.port import Patterns, Reply, Request, Usage, tokens
from ace_reflect.llm.retry import policy_for
from ace_reflect.llm.sdk import Who, answered, list_models, reply_of

INSTALL = "the OpenAI SDK is not installed; `pip install 'ace-reflect[openai]'` brings it"


class OpenAIModel:
    """A model behind chat completions. The key is looked up when it is asked."""

    def __init__(
        self, endpoint: Endpoint, model: str, environ: Mapping[str, str], patterns: Patterns = ()
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._environ = environ
        self._patterns = patterns

    @property
    def name(self) -> str:
        return f"{self._endpoint.name}/{self._model}"

    async def ask(self, request: Request) -> Reply:
        who = self._who()
        sdk = _sdk(self.name)
        started = time.monotonic()
        asked = self._asked(request.without_secrets(self._environ, self._patterns))
        completion = await answered(
            sdk,
            who,
            policy_for(request, self._environ),
            lambda http: _client(sdk, who, http),
            lambda client, left_s: client.chat.completions.create(**asked, timeout=left_s),
        )
        return _reply(completion, self._endpoint.name, self._model, started)

    async def list_models(self, timeout_s: float) -> tuple[str, ...]:
        """The ids that the endpoint offers. Raises ModelUnavailable or ModelReplyInvalid; one attempt."""
        who, sdk = self._who(), _sdk(self.name)
        return await list_models(sdk, lambda http: _client(sdk, who, http), who, timeout_s)

    def _who(self) -> Who:
        variable, key = first_set(self._environ, self._endpoint.key_variables)
        if not key and not self._endpoint.keyless:
            raise ModelUnavailable(
                f"{self.name}: no key; set {' or '.join(self._endpoint.key_variables)}"
            )
        return Who(self.name, variable, key, self._endpoint.base_url)

    def _asked(self, request: Request) -> dict[str, Any]:
        messages = [{"role": "user", "content": request.prompt}]
        if request.system:
            messages.insert(0, {"role": "system", "content": request.system})
        # OpenAI's newer models know only the new name of the limit, other endpoints mostly only the old one.
        limit = "max_completion_tokens" if self._endpoint.name == "openai" else "max_tokens"
        return {"model": self._model, "messages": messages, limit: request.max_tokens}


def _sdk(name: str) -> ModuleType:
    try:
        import openai
    except ImportError as error:
        raise ModelUnavailable(f"{name}: {INSTALL}") from error
    return openai


def _client(sdk: Any, who: Who, http: Any) -> Any:
    return sdk.AsyncOpenAI(
        api_key=who.key or "none", base_url=who.base_url, max_retries=0, http_client=http
    )


def _reply(completion: Any, provider: str, model: str, started: float) -> Reply:
    name = f"{provider}/{model}"
    usage = priced(_usage(getattr(completion, "usage", None)), provider, model)
    choices = getattr(completion, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    said = getattr(choice, "message", None)
    text = _text(getattr(said, "content", None))
    ended = getattr(choice, "finish_reason", None)
    declined = bool(getattr(said, "refusal", None)) or ended == "content_filter"
    return reply_of(name, text, usage, started, declined=declined, cut=ended == "length")


def _text(content: Any) -> str:
    """The text of an answer; some endpoints send it in parts, among them the model's thoughts."""
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _usage(usage: Any) -> Usage:
    return Usage(
        tokens(getattr(usage, "prompt_tokens", 0)), tokens(getattr(usage, "completion_tokens", 0))
    )
