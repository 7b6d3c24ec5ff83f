"""From `provider/model` to a provider: a line in `PROVIDERS`; any other name is an OpenAI-compatible endpoint."""

import asyncio
import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ace_reflect.errors import ConfigError, ModelError
from ace_reflect.llm.anthropic import AnthropicModel
from ace_reflect.llm.calls import ApiModel
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.claude_code import ClaudeCodeModel
from ace_reflect.llm.openai_compatible import KNOWN, OpenAIModel, endpoint
from ace_reflect.llm.port import Environ, Provider, Recorder
from ace_reflect.settings import online

PROVIDERS: Mapping[str, Callable[[str, Mapping[str, str], tuple[str, ...]], Provider]] = {
    "anthropic": AnthropicModel,
    "claude-code": ClaudeCodeModel,
}

#: Fast models for short questions: provider -> ids, best first, as the pinned SDKs and Claude Code know them (2026-11).
FAST: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("claude-haiku-5-5", "claude-haiku-4-5"),
    "claude-code": ("haiku",),
    "openai": ("gpt-5.4-mini", "gpt-5-mini", "gpt-4o-mini"),
    "google": ("gemini-2.5-flash", "gemini-2.0-flash"),
    "github-copilot": ("claude-haiku-4.5", "gpt-4o-mini"),
}


def model_for(spec: str, config: Any, environ: Environ) -> Provider:
    """The model that `spec` names; it is not contacted. Raises ConfigError for an unknown provider."""
    provider, _, model = spec.partition("/")
    if not provider or not model:
        raise ConfigError(
            f'a model is written provider/model, as in "anthropic/claude-sonnet-5", not {spec!r}'
        )
    patterns = tuple(config.settings.redaction_patterns) if config else ()
    if provider in PROVIDERS:
        return PROVIDERS[provider](model, environ, patterns)
    configured: Mapping[str, Any] = getattr(config, "endpoints", None) or {}
    found = endpoint(provider, configured, environ)
    if found is None:
        known = [*PROVIDERS, *KNOWN, *configured]
        near = difflib.get_close_matches(provider, known, 1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise ConfigError(
            f"{spec}: no provider is called {provider!r}{hint} Name its address under `endpoints:`, or use one of {', '.join(known)}"
        )
    return OpenAIModel(found, model, environ, patterns)


def chain_for(
    specs: Sequence[str], config: Any, environ: Environ, *, record: Recorder | None = None
) -> Chain:
    """The models of `specs` in order, up to `offline`. If nothing is configured it is empty, and nobody is asked."""
    return Chain(tuple(model_for(spec, config, environ) for spec in online(specs)), record)


def why_unusable(spec: str, config: Any, environ: Environ) -> str:
    """Why a model cannot be asked (without naming it), as far as can be known without asking; or ""."""
    try:
        return model_for(spec, config, environ).why_unusable()
    except ConfigError as error:
        return str(error).removeprefix(f"{spec}: ")


def why_unreachable(spec: str, config: Any, environ: Environ, *, timeout_s: float = 5.0) -> str:
    """The same, and whether its endpoint answers and accepts the key: listing its models is free."""
    reason = why_unusable(spec, config, environ)
    model = None if reason else model_for(spec, config, environ)
    if not isinstance(model, ApiModel):
        return reason  # other kinds of providers have no such list

    async def listed() -> None:
        async with model.connected(timeout_s) as client:
            await client.models.list()

    try:
        asyncio.run(listed())
    except ModelError as error:
        status = getattr(error.__cause__, "status_code", 500)
        # Most other answers will do: not every endpoint lists its models.
        refused = status in {401, 403} or status >= 500
        return str(error).removeprefix(model.name).lstrip(": ") if refused else ""
    return ""


def fast_specs(specs: Sequence[str]) -> tuple[str, ...]:
    """The models for a short question: each configured provider's fast ones, then the configured model itself."""
    chosen: list[str] = []
    for spec in specs:
        provider = spec.partition("/")[0]
        chosen += [*(f"{provider}/{name}" for name in FAST.get(provider, ())), spec]
    return tuple(dict.fromkeys(chosen))
