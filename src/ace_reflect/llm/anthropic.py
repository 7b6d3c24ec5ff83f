"""`anthropic/MODEL`: the Messages API through its SDK."""

import warnings
from collections.abc import Mapping
from typing import Any

from ace_reflect.llm.calls import ApiModel, list_in, priced
from ace_reflect.llm.port import (
    ANTHROPIC_KEYS,
    ANTHROPIC_URLS,
    Patterns,
    Reply,
    Request,
    Usage,
    Who,
    first_set,
    reply_of,
    tokens,
)

_URL = "https://api.anthropic.com"


class AnthropicModel(ApiModel):
    sdk = "anthropic"

    def __init__(self, model: str, environ: Mapping[str, str], patterns: Patterns = ()) -> None:
        super().__init__(f"anthropic/{model}", environ, patterns)

    def who(self) -> Who:
        variable, key = first_set(self.environ, ANTHROPIC_KEYS)
        return Who(self.name, variable, key, first_set(self.environ, ANTHROPIC_URLS)[1])

    def why_unusable(self) -> str:
        return "" if self.who().key else f"no key; set one of {', '.join(ANTHROPIC_KEYS)}"

    def listing(self) -> tuple[str, dict[str, str]]:
        who = self.who()
        own = {"authorization": f"Bearer {who.key}"} if _is_token(who) else {"x-api-key": who.key}
        url = f"{(who.base_url or _URL).rstrip('/')}/v1/models"
        return url, {"anthropic-version": "2023-06-01", **own}

    def client(self, sdk: Any, who: Who, **options: Any) -> Any:
        # The SDK warns of every model with an end-of-life date, on a hook's or worker's stderr.
        warnings.filterwarnings("ignore", r"The model '.*' is deprecated", DeprecationWarning)
        key, token = (None, who.key) if _is_token(who) else (who.key, None)
        client = sdk.AsyncAnthropic(
            **({"auth_token": token} if token else {"api_key": key}),
            base_url=who.base_url or _URL,
            **options,
        )
        # Older SDKs fill the other credential from the environment and would send both.
        client.api_key, client.auth_token = key, token
        return client

    async def create(self, client: Any, request: Request, timeout_s: float) -> Any:
        return await client.messages.create(
            model=self.model,
            max_tokens=request.max_tokens,
            messages=[{"role": "user", "content": request.prompt}],
            timeout=timeout_s,
            **({"system": request.system} if request.system else {}),
        )

    def read(self, answer: Any, who: Who, started: float) -> Reply:
        texts = [getattr(block, "text", None) for block in list_in(answer, "content", who)]
        ended, told = getattr(answer, "stop_reason", None), getattr(answer, "usage", None)
        names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        taken = sum(tokens(getattr(told, name, 0)) for name in names)
        usage = Usage(taken, tokens(getattr(told, "output_tokens", 0)))
        return reply_of(
            self.name,
            "".join(text for text in texts if isinstance(text, str)),  # thoughts have none
            priced(usage, self.provider, self.model),
            started,
            declined=ended == "refusal",
            cut=ended == "max_tokens",
        )


def _is_token(who: Who) -> bool:
    return who.variable == "ANTHROPIC_AUTH_TOKEN"
