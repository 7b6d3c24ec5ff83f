"""Fast models for short questions: a dated table, the user's own list before it, and what the endpoint really offers."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.registry import model_for
from ace_reflect.settings import OFFLINE

#: provider -> ids, best first: what the pinned SDKs and Claude Code know (2026-11). `fast_models:` in reflection.yaml overrides.
FAST: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("claude-haiku-5-5", "claude-haiku-4-5"),
    "claude-code": ("haiku",),
    "openai": ("gpt-5.4-mini", "gpt-5-mini", "gpt-4o-mini"),
    "google": ("gemini-2.5-flash", "gemini-2.0-flash"),
    "github-copilot": ("claude-haiku-4.5", "gpt-4o-mini"),
}
FRESH_S = 300.0
_LIST_TIMEOUT_S = 5.0

#: (when a provider was asked, in seconds of `clock`; the ids it offered, none where it did not say)
Offer = tuple[float, tuple[str, ...]]


class Seen(Protocol):
    """Provider -> its last offer: a dict, or what keeps it across processes."""

    def get(self, provider: str, default: Offer, /) -> Offer: ...

    def __setitem__(self, provider: str, offer: Offer, /) -> None: ...


_seen: Seen = dict[str, Offer]()


@runtime_checkable
class Listing(Protocol):
    """A provider that can say which models it has."""

    async def list_models(self, timeout_s: float) -> tuple[str, ...]: ...


async def fast_specs(
    specs: Sequence[str],
    config: Any,
    environ: Mapping[str, str],
    *,
    seen: Seen | None = None,
    clock: Callable[[], float] = time.time,
) -> tuple[str, ...]:
    """
    The models for a short question: the fast one of each configured provider, and behind it what is configured.

    What an endpoint offers is looked up at most every 5 minutes; `seen` keeps it (for this process, if not given).
    """
    seen = _seen if seen is None else seen
    chosen: list[str] = []
    for spec in specs:
        if spec == OFFLINE:
            chosen.append(spec)
            continue
        provider = spec.partition("/")[0]
        candidates = _candidates(provider, config)
        if candidates:
            offered = (
                await _offered(spec, config, environ, seen, clock) if len(candidates) > 1 else ()
            )
            chosen.append(
                f"{provider}/{next((one for one in candidates if one in offered), candidates[0])}"
            )
        chosen.append(spec)
    return tuple(dict.fromkeys(chosen))


def _candidates(provider: str, config: Any) -> tuple[str, ...]:
    own: Mapping[str, Sequence[str]] = (
        getattr(getattr(config, "file", config), "fast_models", None) or {}
    )
    return tuple(own.get(provider, ())) or FAST.get(provider, ())


async def _offered(
    spec: str, config: Any, environ: Mapping[str, str], seen: Seen, clock: Callable[[], float]
) -> tuple[str, ...]:
    provider = spec.partition("/")[0]
    at, offered = seen.get(provider, (float("-inf"), ()))
    if clock() - at < FRESH_S:
        return offered
    model = model_for(spec, config, environ)
    try:
        offered = await model.list_models(_LIST_TIMEOUT_S) if isinstance(model, Listing) else ()
    except (ModelUnavailable, ModelReplyInvalid):
        offered = ()  # kept as well: a dead endpoint is not asked before every question
    seen[provider] = clock(), offered
    return offered
