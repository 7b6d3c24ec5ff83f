"""OpenAI-compatible endpoints: those known by name, and those the user names in `reflection.yaml`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ace_reflect.llm.keys import first_set


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
    "google": (
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        False,
    ),
    "minimax": ("https://api.minimax.io/v1", ("MINIMAX_API_KEY",), False),
    "github-copilot": ("https://api.githubcopilot.com", ("GITHUB_COPILOT_API_KEY",), False),
    "openrouter": ("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",), False),
    "deepseek": ("https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",), False),
    "mistral": ("https://api.mistral.ai/v1", ("MISTRAL_API_KEY",), False),
    "groq": ("https://api.groq.com/openai/v1", ("GROQ_API_KEY",), False),
    "xai": ("https://api.x.ai/v1", ("XAI_API_KEY",), False),
    "ollama": ("http://127.0.0.1:11434/v1", ("OLLAMA_API_KEY",), True),
}


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
