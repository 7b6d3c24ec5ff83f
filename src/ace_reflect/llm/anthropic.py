"""`anthropic/MODEL`: the Messages API through its SDK."""

import warnings
from collections.abc import Sequence
from typing import Any

from ace_reflect.llm.calls import ApiModel, Endpoint, list_in
from ace_reflect.llm.port import ANTHROPIC_KEYS, Environ, Request, Usage, counted, first_set

_URL = "https://api.anthropic.com"
_URLS = ("AGENTIC_CONTEXT_BASE_URL", "ANTHROPIC_BASE_URL")


class AnthropicModel(ApiModel):
    sdk = "anthropic"

    def __init__(self, model: str, environ: Environ, patterns: Sequence[str] = ()) -> None:
        own = Endpoint("anthropic", first_set(environ, _URLS)[1] or _URL, ANTHROPIC_KEYS)
        super().__init__(own, model, environ, patterns)

    def why_unusable(self) -> str:
        return "" if self.who.key else f"no key; set one of {', '.join(ANTHROPIC_KEYS)}"

    def client(self, sdk: Any, **options: Any) -> Any:
        # The SDK warns of every model with an end-of-life date, on a hook's or worker's stderr.
        warnings.filterwarnings("ignore", r"The model '.*' is deprecated", DeprecationWarning)
        is_token = self.who.variable == "ANTHROPIC_AUTH_TOKEN"
        key, token = (None, self.who.key) if is_token else (self.who.key, None)
        url = self.who.base_url
        client = sdk.AsyncAnthropic(api_key=key, auth_token=token, base_url=url, **options)
        # Older SDKs fill the other credential from the environment and would send both.
        client.api_key, client.auth_token = key, token
        return client

    def params(self, request: Request) -> dict[str, Any]:
        """The request as the API takes it."""
        said = {"system": request.system, "messages": [{"role": "user", "content": request.prompt}]}
        return {"model": self.model, "max_tokens": request.max_tokens, **said}

    async def send(self, client: Any, request: Request) -> Any:
        return await client.messages.create(**self.params(request))

    def read(self, answer: Any) -> tuple[str, Usage, object]:
        texts = [getattr(block, "text", None) for block in list_in(answer, "content", self.who)]
        text = "".join(text for text in texts if isinstance(text, str))  # thoughts have none
        return text, counted(getattr(answer, "usage", None)), getattr(answer, "stop_reason", None)
