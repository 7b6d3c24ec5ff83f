"""From `provider/model` to someone to ask. A provider is added by its module and a line in `_PROVIDERS`."""

from collections.abc import Callable, Mapping
from typing import Any

from ace_reflect.errors import ConfigError
from ace_reflect.llm.port import Model, Patterns

OFFLINE = "offline"  # in `models:`, allows the offline reflector where no model before it answered


def _anthropic(model: str, environ: Mapping[str, str], patterns: Patterns) -> Model:
    from ace_reflect.llm.anthropic import AnthropicModel

    return AnthropicModel(model, environ, patterns)


_PROVIDERS: Mapping[str, Callable[[str, Mapping[str, str], Patterns], Model]] = {
    "anthropic": _anthropic,
}


def model_for(spec: str, config: Any, environ: Mapping[str, str]) -> Model:
    """
    The model that `spec` names. `config` is the configuration or its file (endpoints, redaction patterns), or None.

    Nothing is looked up or contacted yet. Raises ConfigError for a provider that nobody knows.
    """
    provider, slash, model = spec.partition("/")
    if not slash or not provider or not model:
        raise ConfigError(f'a model is written provider/model, as in "anthropic/claude-sonnet-4-5", not {spec!r}')
    make = _PROVIDERS[provider]
    return make(model, environ, patterns_of(config))


def patterns_of(config: Any) -> Patterns:
    import re

    redaction = getattr(getattr(config, "file", config), "redaction", None)
    return tuple(re.compile(pattern) for pattern in getattr(redaction, "patterns", ()))
