"""`openai/MODEL` and any endpoint that speaks chat completions, through the official SDK (an extra): those known by name,
and those that the person names in `reflection.yaml`.
"""

import re
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from ace_reflect.llm.calls import ApiModel, Endpoint, list_in
from ace_reflect.llm.port import Environ, Request, Usage, counted

#: Base URLs as documented in 2025-11.
_KNOWN = (
    Endpoint("openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",)),
    Endpoint("google", "https://generativelanguage.googleapis.com/v1beta/openai", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
    Endpoint("minimax", "https://api.minimax.io/v1", ("MINIMAX_API_KEY",)),
    Endpoint("github-copilot", "https://api.githubcopilot.com", ("GITHUB_COPILOT_API_KEY",)),
    Endpoint("openrouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    Endpoint("deepseek", "https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",)),
    Endpoint("mistral", "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",)),
    Endpoint("groq", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
    Endpoint("xai", "https://api.x.ai/v1", ("XAI_API_KEY",)),
    Endpoint("ollama", "http://127.0.0.1:11434/v1", ("OLLAMA_API_KEY",), keyless=True),
)  # fmt: skip
KNOWN: Mapping[str, Endpoint] = {one.name: one for one in _KNOWN}


def endpoint(name: str, configured: Mapping[str, Any], environ: Environ) -> Endpoint | None:
    """The endpoint of that name, or None: one's own in `configured` (`endpoints:`), else a known one, which
    `<NAME>_BASE_URL` moves.
    """
    stem = re.sub(r"[^A-Z0-9]", "_", name.upper())
    own, known = configured.get(name), KNOWN.get(name)
    if own is not None:
        variable = own.api_key_env or f"{stem}_API_KEY"
        return Endpoint(name, own.base_url, (variable,), keyless=not own.api_key_env)
    moved = environ.get(f"{stem}_BASE_URL", "").strip()
    return known._replace(base_url=moved) if known and moved else known


class OpenAIModel(ApiModel):
    """A model behind chat completions."""

    sdk = "openai"

    def why_unusable(self) -> str:
        if find_spec("openai") is None:
            return "the OpenAI SDK is not installed; `pip install 'ace-reflect[openai]'` brings it"
        if self.endpoint.keyless or self.who.key:
            return ""
        return f"no key; set {' or '.join(self.endpoint.key_variables)}"

    def client(self, sdk: Any, **options: Any) -> Any:
        key, url = self.who.key or "none", self.who.base_url
        return sdk.AsyncOpenAI(api_key=key, base_url=url, **options)

    async def send(self, client: Any, request: Request) -> Any:
        said = {"system": request.system, "user": request.prompt}
        messages = [{"role": role, "content": text} for role, text in said.items()]
        # OpenAI's newer models accept only the limit's new name, most other endpoints only the old one.
        limit = "max_completion_tokens" if self.endpoint.name == "openai" else "max_tokens"
        options = {"model": self.model, "messages": messages, limit: request.max_tokens}
        return await client.chat.completions.create(**options)

    def read(self, answer: Any) -> tuple[str, Usage, object]:
        choice = next(iter(list_in(answer, "choices", self.who)), None)
        said, counts = getattr(choice, "message", None), getattr(answer, "usage", None)
        refused = "refusal" if getattr(said, "refusal", None) else ""
        ended = refused or getattr(choice, "finish_reason", None)
        usage = counted(counts, ("prompt_tokens",), "completion_tokens")
        return _text(getattr(said, "content", None)), usage, ended


def _text(content: Any) -> str:
    """The text of an answer; some endpoints send it in parts, the model's thoughts among them."""
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))
