"""Who asks: with which models, on whose account, until when. What every role's question goes through."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ace_reflect import config as configuration
from ace_reflect import log
from ace_reflect.assess.role import A, Role, Told, ask, daily_budget, recorder
from ace_reflect.errors import ConfigError, ModelUnavailable
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.fast import Offer, fast_specs
from ace_reflect.llm.port import Call, Request, Usage
from ace_reflect.llm.registry import chain_for
from ace_reflect.redact import redact
from ace_reflect.settings import online
from ace_reflect.state import cache, trust
from ace_reflect.state.db import State

JUDGE_S = 180.0
_LEAST_S = 1.0


@dataclass(slots=True)
class Asker:
    """
    `ends` is a time of `time.monotonic()`. `state` records usage, answers and the day's budget; it belongs to one
    thread, and so do questions that are asked side by side with `asyncio.gather`. `calls` are all that were made.
    """

    state: State
    config: configuration.Config
    environ: Mapping[str, str]
    session: str = ""
    ends: float = float("inf")
    calls: list[Call] = field(default_factory=list)

    @property
    def models(self) -> tuple[str, ...]:
        """Whom to ask, in order; nobody where none is configured."""
        return online(self.config.file.models)

    @property
    def usage(self) -> Usage:
        return sum((call.usage for call in self.calls), Usage())

    def left_s(self) -> float:
        return self.ends - time.monotonic()

    def clean(self, text: str) -> str:
        """Without secrets, as it may be kept or shown."""
        return redact(text, self.environ, patterns=self.config.redaction_patterns)

    def debug(self, event: str, decision: str, **facts: object) -> None:
        """A line in the log, with `REFLECTION_DEBUG=1`."""
        log.debug(
            self.state.home_dir,
            self.environ,
            event,
            session=self.session,
            decision=decision,
            **facts,
        )


async def ask_models(
    role: Role[A], values: Mapping[str, str], asker: Asker, *, models: Sequence[str] | None = None
) -> Told[A | None]:
    """
    Ask one question of the configured models, or of `models`. Without an answer the value is None. Never raises an
    `Exception`.
    """
    specs = tuple(asker.models if models is None else models)
    if not specs:
        return Told(None, "nobody", why="no model is configured", asked=False)
    if asker.left_s() < _LEAST_S:
        return Told(None, "nobody", why="no time was left", asked=False)
    try:
        chain, gate = await _chain(role, asker, specs)
        asker.debug(role.name, "asking", models=chain.name)
        told = await ask(role, chain, values, state=asker.state, deadline_s=asker.left_s())
    except (ConfigError, OSError) as error:
        return Told(None, "nobody", why=asker.clean(str(error))[:500])
    except Exception as error:  # noqa: BLE001 - whatever fails here must not cost the person's stop
        log.failure(asker.state.home_dir, role.name, error, session=asker.session)
        return Told(None, "nobody", why=f"{type(error).__name__} (see the log)")
    asker.debug(
        role.name, told.source, model=told.model or None, why=asker.clean(told.why)[:300] or None
    )
    said = asker.clean(told.said)
    return replace(told, why=asker.clean(told.why)[:500], said=said, asked=not gate.only_refused)


async def _chain(role: Role[Any], asker: Asker, specs: Sequence[str]) -> tuple[Chain, "_Gate"]:
    if role.fast:
        specs = await fast_specs(specs, asker.config, asker.environ, seen=_Offered(asker.state))
    gate = _Gate(asker)
    chain = chain_for(specs, asker.config, asker.environ, record=gate.record, allow=gate.allow)
    return chain, gate


class _Gate:
    """The budget's door, which remembers whether anybody got through; what was refused is no call and is not recorded."""

    def __init__(self, asker: Asker) -> None:
        self._calls = asker.calls
        self._recorded = recorder(asker.state, asker.session)
        self._allowed = daily_budget(asker.state, asker.config.settings.assess_daily_tokens)
        self._refused = 0
        self._passed = 0
        self._refused_now = False

    @property
    def only_refused(self) -> bool:
        return self._refused > 0 and self._passed == 0

    def allow(self, request: Request, model: str) -> None:
        self._refused_now = True
        try:
            self._allowed(request, model)
        except ModelUnavailable:
            self._refused += 1
            raise
        self._refused_now = False
        self._passed += 1

    def record(self, call: Call) -> None:
        if self._refused_now:
            return
        self._calls.append(call)
        self._recorded(call)


class _Offered:
    """What each provider's endpoint offered (`fast.Seen`), kept in `state.db`: every hook is a process of its own."""

    _KIND = "models-offered"

    def __init__(self, state: State) -> None:
        self._state = state

    def get(self, provider: str, default: Offer) -> Offer:
        raw = cache.get(self._state, self._KIND, provider, "")
        try:
            at, offered = json.loads(raw or "")
            return float(at), tuple(str(name) for name in offered)
        except (ValueError, TypeError, OverflowError):
            return default

    def __setitem__(self, provider: str, offer: Offer) -> None:
        cache.put(
            self._state,
            self._KIND,
            provider,
            "",
            json.dumps([offer[0], list(offer[1])[:500]]).encode(),
        )


# ------------------------------------------------------------------ whose configuration


def asker_for(
    state: State,
    project: str,
    environ: Mapping[str, str],
    *,
    session: str = "",
    ends: float = float("inf"),
) -> Asker:
    """Who asks for a project's session. A file or variable of configuration that cannot be used counts as absent."""
    found = configuration.load_usable(
        project, state.home_dir, environ, trusted=partial(trust.trusted_hash, state)
    )
    return Asker(state, found, environ, session, ends)
