"""
`openai/MODEL` and any endpoint that speaks chat completions, through the official SDK (an extra): those known by name,
and those that the person names in `reflection.yaml`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ace_reflect.llm.calls import ApiModel, list_in, priced
from ace_reflect.llm.port import Patterns, Reply, Request, Usage, Who, first_set, reply_of, tokens


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where an endpoint is and which variables may hold its key; `keyless` for one that asks for none."""

    name: str
    base_url: str
    key_variables: tuple[str, ...]
    keyless: bool = False


#: name -> (base URL, variables of its key, whether it works without one). Addresses as documented in 2025-11.
KNOWN: Mapping[str, tuple[str, tuple[str, ...], bool]] = {
    "openai": ("https://api.openai.com/v1", ("OPENAI_API_KEY",), False),
    "google": ("https://generativelanguage.googleapis.com/v1beta/openai", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), False),
    "minimax": ("https://api.minimax.io/v1", ("MINIMAX_API_KEY",), False),
    "github-copilot": ("https://api.githubcopilot.com", ("GITHUB_COPILOT_API_KEY",), False),
    "openrouter": ("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",), False),
    "deepseek": ("https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",), False),
    "mistral": ("https://api.mistral.ai/v1", ("MISTRAL_API_KEY",), False),
    "groq": ("https://api.groq.com/openai/v1", ("GROQ_API_KEY",), False),
    "xai": ("https://api.x.ai/v1", ("XAI_API_KEY",), False),
    "ollama": ("http://127.0.0.1:11434/v1", ("OLLAMA_API_KEY",), True),
}  # fmt: skip


def endpoint(
    name: str, configured: Mapping[str, Any], environ: Mapping[str, str]
) -> Endpoint | None:
    """
    The endpoint of that name, or None where nobody knows it.

    `configured` is `endpoints:` (each with `base_url` and `api_key_env`) and comes first; `<NAME>_BASE_URL` moves a known
    endpoint or makes an unknown name known.
    """
    stem = re.sub(r"[^A-Z0-9]", "_", name.upper())
    own = configured.get(name)
    if own is not None:
        named = (own.api_key_env,) if own.api_key_env else ()
        return Endpoint(name, own.base_url, named or (f"{stem}_API_KEY",), keyless=not named)
    _, moved = first_set(environ, (f"{stem}_BASE_URL",))
    if name in KNOWN:
        base_url, variables, keyless = KNOWN[name]
        return Endpoint(name, moved or base_url, variables, keyless)
    return Endpoint(name, moved, (f"{stem}_API_KEY",), keyless=True) if moved else None


class OpenAIModel(ApiModel):
    """A model behind chat completions."""

    sdk = "openai"

    def __init__(
        self, endpoint: Endpoint, model: str, environ: Mapping[str, str], patterns: Patterns = ()
    ) -> None:
        super().__init__(f"{endpoint.name}/{model}", environ, patterns)
        self._endpoint = endpoint

    def who(self) -> Who:
        variable, key = first_set(self.environ, self._endpoint.key_variables)
        return Who(self.name, variable, key, self._endpoint.base_url)

    def why_unusable(self) -> str:
        if find_spec("openai") is None:
            return "the OpenAI SDK is not installed; `pip install 'ace-reflect[openai]'` brings it"
        if self._endpoint.keyless or self.who().key:
            return ""
        return f"no key; set {' or '.join(self._endpoint.key_variables)}"

    def listing(self) -> tuple[str, dict[str, str]]:
        who = self.who()
        headers = {"authorization": f"Bearer {who.key}"} if who.key else {}
        return f"{who.base_url.rstrip('/')}/models", headers

    def client(self, sdk: Any, who: Who, **options: Any) -> Any:
        return sdk.AsyncOpenAI(api_key=who.key or "none", base_url=who.base_url, **options)

    async def create(self, client: Any, request: Request, timeout_s: float) -> Any:
        messages = [{"role": "user", "content": request.prompt}]
        if request.system:
            messages.insert(0, {"role": "system", "content": request.system})
        # OpenAI's newer models know only the new name of the limit, other endpoints mostly only the old one.
        limit = "max_completion_tokens" if self.provider == "openai" else "max_tokens"
        return await client.chat.completions.create(
            model=self.model, messages=messages, timeout=timeout_s, **{limit: request.max_tokens}
        )

    def read(self, answer: Any, who: Who, started: float) -> Reply:
        choice = next(iter(list_in(answer, "choices", who)), None)
        said, ended = getattr(choice, "message", None), getattr(choice, "finish_reason", None)
        told = getattr(answer, "usage", None)
        names = ("prompt_tokens", "completion_tokens")
        usage = Usage(*(tokens(getattr(told, name, 0)) for name in names))
        return reply_of(
            self.name,
            _text(getattr(said, "content", None)),
            priced(usage, self.provider, self.model),
            started,
            declined=bool(getattr(said, "refusal", None)) or ended == "content_filter",
            cut=ended == "length",
        )


def _text(content: Any) -> str:
    """The text of an answer; some endpoints send it in parts, among them the model's thoughts."""
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))
