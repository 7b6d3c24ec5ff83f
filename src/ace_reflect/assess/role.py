"""The shape of every role that asks a model: a prompt file, a pydantic answer, a parser that salvages.

An `Asker` says with which models, on whose account and until when.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from ace_reflect import config as configuration
from ace_reflect import log
from ace_reflect.errors import AceReflectError, ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.json_reply import object_in
from ace_reflect.llm.port import Call, Reply, Request, Usage, as_data, fill
from ace_reflect.llm.registry import chain_for, fast_specs
from ace_reflect.paths import load_template
from ace_reflect.redact import redact
from ace_reflect.settings import online
from ace_reflect.state import cache, record
from ace_reflect.state.db import State
from ace_reflect.text import without_private

A = TypeVar("A", bound=BaseModel)

#: Roles whose tokens count against `assess.daily_tokens`; learning has no such budget.
ROLES = ("assess", "judge", "stop_kind", "compaction", "routing", "reviewer", "auditor")


@dataclass(frozen=True, slots=True)
class Role(Generic[A]):
    """What a role asks, and the answer it accepts: fields whose defaults claim nothing."""

    name: str  # as it stands in records of usage, and `prompts/<name>.txt`; one of ROLES
    answer: type[A]
    deadline_s: float = 180.0
    max_tokens: int = 2_000
    fresh_s: float = inf  # how long an answer to the same question holds
    asks: int = 2  # per model; it is shown its invalid answer before the next model is asked
    fast: bool = False  # goes to the fast models of the configured providers


@dataclass(frozen=True, slots=True)
class Told(Generic[A]):
    """An answer, if there is one, and where it comes from."""

    value: A | None = None
    source: str = "nobody"  # or "model", "cache"
    model: str = ""
    why: str = ""  # there is no answer
    said: str = ""  # the last invalid answer, for a judge to read
    asked: bool = True  # false without a model, budget or time


async def ask(
    role: Role[A], chain: Chain, values: Mapping[str, str], asker: "Asker | None" = None
) -> Told[A]:
    """The role's answer about `values` (place in the prompt -> text, which is data to the model). Never raises; a
    cancellation goes through. Nobody is asked if the question could take today's tokens over `assess.daily_tokens`. Without
    an `asker` there is no such budget, and nothing is kept.
    """
    said: list[str] = []

    def read(reply: Reply) -> A:
        said.append(reply.text)
        return read_answer(role.answer, reply)

    try:
        template = load_template(f"{role.name}.txt")
        data = {name: as_data(without_private(text), template) for name, text in values.items()}
        request = Request(
            fill(template, data),
            load_template("system.txt"),
            max_tokens=role.max_tokens,
            schema=role.answer.model_json_schema(),
            deadline_s=min(role.deadline_s, asker.ends - time.monotonic() if asker else inf),
            role=role.name,
        )
        asked = f"{chain.name}\0{request.system}\0{request.prompt}".encode("utf-8", "replace")
        key = f"{role.name}:{hashlib.sha256(asked).hexdigest()}"
        if asker:
            kept = _kept(role, cache.get(asker.state, "role", key, fresh_s=role.fresh_s))
            if kept is not None:
                return Told(kept, "cache")
            spent = record.tokens_today(asker.state, ROLES)
            most = asker.config.settings.assess_daily_tokens
            if spent + len(asked) // 3 + request.max_tokens > most:  # three bytes per token
                why = f"{spent:,} of today's {most:,} tokens are spent (assess.daily_tokens)"
                return Told(why=why, asked=False)
        answer = await chain.answer(request, read, asks=role.asks)
        if asker:
            cache.put(asker.state, "role", key, "", answer.value.model_dump_json().encode())
        return Told(answer.value, "model", answer.model)
    except (ModelUnavailable, ModelReplyInvalid) as error:
        return Told(why=str(error), said="".join(said[-1:])[:4_000])
    except Exception as error:  # noqa: BLE001 - a role that fails must not cost the person's stop
        return Told(why=f"{type(error).__name__} in the role {role.name}")


def read_answer(kind: type[A], reply: Reply) -> A:
    """The answer in a reply. Raises ModelReplyInvalid if there is none."""
    try:
        return kind.model_validate(object_in(reply, *kind.model_fields))
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5]]
        message = f"the object is not of the form that was asked for ({'; '.join(wrong)})"
        raise ModelReplyInvalid(message) from error


def _kept(role: Role[A], raw: bytes | None) -> A | None:
    try:
        return role.answer.model_validate_json(raw or b"")
    except ValidationError:  # there is none, or it is another version's
        return None


@dataclass(slots=True)
class Asker:
    """For one thread, like `state`. `ends` is a `time.monotonic()` time; `calls` are all calls made."""

    state: State
    config: configuration.Config
    environ: Mapping[str, str]
    session: str = ""
    ends: float = inf
    calls: list[Call] = field(default_factory=list)

    @property
    def models(self) -> tuple[str, ...]:
        """The models to ask, in order; empty if none is configured."""
        return online(self.config.settings.models)

    @property
    def usage(self) -> Usage:
        return sum((call.usage for call in self.calls), Usage())

    def clean(self, text: str, most: int = 4_000) -> str:
        """Without secrets, as it may be kept or shown."""
        return redact(text, self.environ, patterns=self.config.settings.redaction_patterns)[:most]

    def record(self, call: Call) -> None:
        """Put a call's tokens and cost on record, for `log --cost` and the daily budget."""
        self.calls.append(call)
        spent = call.usage.to_json()
        record.spend(self.state, call.role, call.model, **spent, session_id=self.session)


async def ask_models(
    role: Role[A], values: Mapping[str, str], asker: Asker, *, models: Sequence[str] | None = None
) -> Told[A]:
    """Ask the configured models, or `models`, one question. Never raises."""
    specs, left_s = models or asker.models, asker.ends - time.monotonic()
    if not specs or left_s < 1:
        return Told(why="no time was left" if specs else "no model is configured", asked=False)
    try:
        specs = fast_specs(specs) if role.fast else specs
        chain = chain_for(specs, asker.config, asker.environ, record=asker.record)
    except AceReflectError as error:
        return Told(why=asker.clean(str(error), 500))
    told = await ask(role, chain, values, asker)
    told = replace(told, why=asker.clean(told.why, 500), said=asker.clean(told.said))
    if asker.environ.get("REFLECTION_DEBUG") == "1":
        facts = {
            "decision": told.source,
            "model": told.model or chain.name,
            "why": told.why or None,
        }
        log.write(asker.state.home_dir, role.name, level="debug", session=asker.session, **facts)
    return told


def asker_for(
    state: State, project: str, environ: Mapping[str, str], *, session: str = "", ends: float = inf
) -> Asker:
    """Who asks for a project's session. An unusable configuration file or variable counts as absent."""
    return Asker(state, cache.configuration(state, project, environ), environ, session, ends)
