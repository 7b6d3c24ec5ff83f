"""`anthropic/MODEL`: the Messages API through its SDK."""

import warnings
from collections.abc import Mapping
from typing import Any

from ace_reflect.llm.calls import ApiModel, Endpoint, list_in
from ace_reflect.llm.port import ANTHROPIC_KEYS, Patterns, Request, Usage, Who, counted, first_set

_URL = "https://api.anthropic.com"
_URLS = ("AGENTIC_CONTEXT_BASE_URL", "ANTHROPIC_BASE_URL")


class AnthropicModel(ApiModel):
    sdk = "anthropic"

    def __init__(self, model: str, environ: Mapping[str, str], patterns: Patterns = ()) -> None:
        own = Endpoint("anthropic", first_set(environ, _URLS)[1], ANTHROPIC_KEYS)
        super().__init__(own, model, environ, patterns)

    def why_unusable(self) -> str:
        return "" if self.who().key else f"no key; set one of {', '.join(ANTHROPIC_KEYS)}"

    def listing(self) -> tuple[str, dict[str, str]]:
        who = self.who()
        own = {"authorization": f"Bearer {who.key}"} if _is_token(who) else {"x-api-key": who.key}
        url = f"{(who.base_url or _URL).rstrip('/')}/v1/models"
        return url, {"anthropic-version": "2023-06-01", **own}

    async def create(self, sdk: Any, who: Who, request: Request, **options: Any) -> Any:
        return await self.client(sdk, who, **options).messages.create(**self.params(request))

    def client(self, sdk: Any, who: Who, **options: Any) -> Any:
        # The SDK warns of every model with an end-of-life date, on a hook's or worker's stderr.
        warnings.filterwarnings("ignore", r"The model '.*' is deprecated", DeprecationWarning)
        key, token = (None, who.key) if _is_token(who) else (who.key, None)
        own = {"auth_token": token} if token else {"api_key": key}
        client = sdk.AsyncAnthropic(**own, base_url=who.base_url or _URL, **options)
        # Older SDKs fill the other credential from the environment and would send both.
        client.api_key, client.auth_token = key, token
        return client

    def params(self, request: Request) -> dict[str, Any]:
        """The request as the API takes it."""
        said = [{"role": "user", "content": request.prompt}]
        fields = {"model": self.model, "max_tokens": request.max_tokens, "messages": said}
        return {**fields, **({"system": request.system} if request.system else {})}

    def read(self, answer: Any, who: Who) -> tuple[str, Usage, object]:
        texts = [getattr(block, "text", None) for block in list_in(answer, "content", who)]
        text = "".join(text for text in texts if isinstance(text, str))  # thoughts have none
        return text, counted(getattr(answer, "usage", None)), getattr(answer, "stop_reason", None)


def _is_token(who: Who) -> bool:
    return who.variable == "ANTHROPIC_AUTH_TOKEN"
