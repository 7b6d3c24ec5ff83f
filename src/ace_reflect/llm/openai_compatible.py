"""`openai/MODEL` and any endpoint that speaks chat completions, through the official SDK (an extra): those known by name,
and those that the person names in `reflection.yaml`.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from ace_reflect.llm.calls import ApiModel, Endpoint, list_in
from ace_reflect.llm.port import Request, Usage, Who, counted, first_set

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


def endpoint(
    name: str, configured: Mapping[str, Any], environ: Mapping[str, str]
) -> Endpoint | None:
    """The endpoint of that name, or None. `configured` is `endpoints:` and comes first; `<NAME>_BASE_URL` moves a known
    endpoint or defines an unknown one.
    """
    stem = re.sub(r"[^A-Z0-9]", "_", name.upper())
    variables = (f"{stem}_API_KEY",)
    own = configured.get(name)
    if own is not None:
        named = (own.api_key_env,) if own.api_key_env else ()
        return Endpoint(name, own.base_url, named or variables, keyless=not named)
    _, moved = first_set(environ, (f"{stem}_BASE_URL",))
    known = KNOWN.get(name)
    if known is None or moved:
        known = replace(known or Endpoint(name, "", variables, keyless=True), base_url=moved)
    return known if known.base_url else None


class OpenAIModel(ApiModel):
    """A model behind chat completions."""

    sdk = "openai"

    def why_unusable(self) -> str:
        if find_spec("openai") is None:
            return "the OpenAI SDK is not installed; `pip install 'ace-reflect[openai]'` brings it"
        if self.endpoint.keyless or self.who().key:
            return ""
        return f"no key; set {' or '.join(self.endpoint.key_variables)}"

    def listing(self) -> tuple[str, dict[str, str]]:
        who = self.who()
        headers = {"authorization": f"Bearer {who.key}"} if who.key else {}
        return f"{who.base_url.rstrip('/')}/models", headers

    async def create(self, sdk: Any, who: Who, request: Request, **options: Any) -> Any:
        client = sdk.AsyncOpenAI(api_key=who.key or "none", base_url=who.base_url, **options)
        messages = [{"role": "user", "content": request.prompt}]
        if request.system:
            messages.insert(0, {"role": "system", "content": request.system})
        # OpenAI's newer models accept only the limit's new name, most other endpoints only the old one.
        limit = "max_completion_tokens" if self.endpoint.name == "openai" else "max_tokens"
        return await client.chat.completions.create(
            model=self.model, messages=messages, **{limit: request.max_tokens}
        )

    def read(self, answer: Any, who: Who) -> tuple[str, Usage, object]:
        choice = next(iter(list_in(answer, "choices", who)), None)
        said = getattr(choice, "message", None)
        counts = getattr(answer, "usage", None)
        usage = counted(counts, ("prompt_tokens",), "completion_tokens")
        ended = (
            "refusal" if getattr(said, "refusal", None) else getattr(choice, "finish_reason", None)
        )
        return _text(getattr(said, "content", None)), usage, ended


def _text(content: Any) -> str:
    """The text of an answer; some endpoints send it in parts, the model's thoughts among them."""
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))
