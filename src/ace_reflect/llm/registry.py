"""From `provider/model` to someone to ask. A provider is added by its module and a line in `_PROVIDERS`."""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from ace_reflect.errors import ConfigError
from ace_reflect.llm import endpoints
from ace_reflect.llm.chain import Allowance, Chain
from ace_reflect.llm.keys import ANTHROPIC_KEYS, first_set
from ace_reflect.llm.port import Model, Patterns, Recorder
from ace_reflect.settings import online


def _anthropic(model: str, environ: Mapping[str, str], patterns: Patterns) -> Model:
    from ace_reflect.llm.anthropic import AnthropicModel

    return AnthropicModel(model, environ, patterns)


def _claude_code(model: str, environ: Mapping[str, str], patterns: Patterns) -> Model:
    from ace_reflect.llm.claude_code import ClaudeCodeModel

    return ClaudeCodeModel(model, environ, patterns)


_PROVIDERS: Mapping[str, Callable[[str, Mapping[str, str], Patterns], Model]] = {
    "anthropic": _anthropic,
    "claude-code": _claude_code,
}  # every other name is an OpenAI-compatible endpoint


def model_for(spec: str, config: Any, environ: Mapping[str, str]) -> Model:
    """
    The model that `spec` names. `config` is the configuration or its file (endpoints, redaction patterns), or None.

    Nothing is looked up or contacted yet. Raises ConfigError for a provider that nobody knows.
    """
    provider, _, model = spec.partition("/")
    if not provider or not model:
        raise ConfigError(
            f'a model is written provider/model, as in "anthropic/claude-sonnet-5", not {spec!r}'
        )
    if provider in _PROVIDERS:
        return _PROVIDERS[provider](model, environ, _patterns(config))
    from ace_reflect.llm.openai_compatible import OpenAIModel

    return OpenAIModel(endpoint_of(spec, config, environ), model, environ, _patterns(config))


def chain_for(
    specs: Sequence[str],
    config: Any,
    environ: Mapping[str, str],
    *,
    record: Recorder | None = None,
    allow: Allowance | None = None,
) -> Chain:
    """The models of `specs` in order, up to `offline`. Empty where nothing is configured: then nobody is asked."""
    return Chain(tuple(model_for(spec, config, environ) for spec in online(specs)), record, allow)


def why_unusable(spec: str, config: Any, environ: Mapping[str, str]) -> str:
    """
    Why a model cannot be asked from here, as far as that shows without asking; "" if nothing stands against it.

    To be said behind the model's name, which the reason leaves out.
    """
    provider = spec.partition("/")[0]
    try:
        model_for(spec, config, environ)
    except ConfigError as error:
        return str(error).removeprefix(f"{spec}: ")
    if provider == "claude-code":
        from ace_reflect.llm.claude_code import find_claude

        return "" if find_claude(environ) else "there is no `claude` on PATH"
    if provider == "anthropic":
        return (
            ""
            if first_set(environ, ANTHROPIC_KEYS)[1]
            else f"no key; set one of {', '.join(ANTHROPIC_KEYS)}"
        )
    if provider in _PROVIDERS:
        return ""  # what it lacks, it says when it is asked
    return _why_unusable_endpoint(endpoint_of(spec, config, environ), environ)


def is_endpoint(spec: str) -> bool:
    """Whether the provider of `spec` is an OpenAI-compatible endpoint, and none with a module of its own."""
    return spec.partition("/")[0] not in _PROVIDERS


def _why_unusable_endpoint(endpoint: endpoints.Endpoint, environ: Mapping[str, str]) -> str:
    if find_spec("openai") is None:
        from ace_reflect.llm.openai_compatible import INSTALL

        return INSTALL
    if endpoint.keyless or first_set(environ, endpoint.key_variables)[1]:
        return ""
    return f"no key; set {' or '.join(endpoint.key_variables)}"


def endpoint_of(spec: str, config: Any, environ: Mapping[str, str]) -> endpoints.Endpoint:
    """The OpenAI-compatible endpoint that `spec` names. Raises ConfigError for a provider that nobody knows."""
    provider = spec.partition("/")[0]
    configured: Mapping[str, Any] = (
        getattr(getattr(config, "file", config), "endpoints", None) or {}
    )
    found = endpoints.endpoint(provider, configured, environ)
    if found is None:
        known = [*_PROVIDERS, *endpoints.KNOWN, *configured]
        near = difflib.get_close_matches(provider, known, 1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise ConfigError(
            f"{spec}: no provider is called {provider!r}{hint} Name its address under `endpoints:`, or use one of {', '.join(known)}"
        )
    return found


def _patterns(config: Any) -> Patterns:
    redaction = getattr(getattr(config, "file", config), "redaction", None)
    return tuple(re.compile(pattern) for pattern in getattr(redaction, "patterns", ()))
