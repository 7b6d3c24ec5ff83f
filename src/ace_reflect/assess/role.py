"""
The one shape of every role that asks a model: a prompt file, a pydantic answer, a parser that salvages.

    ROUTING = Role("routing", "routing.txt", RoutingAnswer, deadline_s=30, max_tokens=200, fresh_s=3600)
    told = await ask(ROUTING, chain, {"task": …, "earlier": …}, state=state)

`ask` never raises: where no model answers, where the budget is spent or where time runs out, there is no value, and it
says why. Each role is capped in time, tokens and a daily budget, and an answer is kept by what was asked.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.chain import Allowance, Chain
from ace_reflect.llm.json_reply import object_in
from ace_reflect.llm.port import Call, Recorder, Reply, Request, Usage
from ace_reflect.llm.template import OWN_TAGS, as_data, fill, tags_of
from ace_reflect.paths import load_template
from ace_reflect.redact import without_private
from ace_reflect.state import cache, usage
from ace_reflect.state.db import State

A = TypeVar("A", bound=BaseModel)

#: Whose tokens count against `assess.daily_tokens`; learning has no budget of the kind.
ROLES = ("assess", "judge", "stop_kind", "compaction", "routing", "reviewer", "auditor")
_QUOTED = 4_000


@dataclass(frozen=True, slots=True)
class Role(Generic[A]):
    """
    What a role asks and what it takes for an answer.

    `answer` ignores unknown fields and gives every field a default that claims nothing. `fresh_s` is how long an answer
    to the same question holds: None for ever, 0 not at all. `asks` is how often one model is asked before the next, an
    answer that is none shown to it. A `fast` role goes to the fast models of the configured providers.
    """

    name: str  # as it stands in records of usage; one of ROLES
    prompt_file: str
    answer: type[A]
    deadline_s: float = 180.0
    max_tokens: int = 2_000
    fresh_s: float | None = None
    asks: int = 2
    fast: bool = False


V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Told(Generic[V]):
    """
    An answer and where it comes from: "model", "cache" or "nobody" (then `why` says what went wrong).

    `said` is the last text that was no answer, for a judge to read. `asked` is false where nobody was asked at all: no
    model, no budget, no time.
    """

    value: V
    source: str
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    why: str = ""
    said: str = ""
    asked: bool = True


async def ask(
    role: Role[A],
    chain: Chain,
    values: Mapping[str, str],
    *,
    state: State | None = None,
    clock: Callable[[], float] = time.time,
    deadline_s: float | None = None,
) -> Told[A | None]:
    """
    The role's answer about `values` (place in the prompt -> text, which is data to the model), or None. Never raises.

    `deadline_s` shortens the role's own. A cancellation goes through.
    """
    said = [""]

    def read(reply: Reply) -> A:
        said[0] = reply.text
        return read_answer(role.answer, reply)

    try:
        request = _request(role, values, deadline_s)
        key = _key(chain, request)
        kept = _kept(role, key, state, clock()) if state is not None else None
        if kept is not None:
            return Told(kept, "cache")
        answer = await chain.answer(request, read, asks=role.asks)
        if state is not None:
            row = {"at": clock(), "answer": answer.value.model_dump(mode="json")}
            cache.put(state, "role", key, "", json.dumps(row).encode())
        return Told(answer.value, "model", answer.model, answer.usage)
    except (ModelUnavailable, ModelReplyInvalid) as error:
        return Told(None, "nobody", why=str(error), said=said[0][:_QUOTED])
    except Exception as error:  # noqa: BLE001 - a role that fails must not cost the person's stop
        return Told(None, "nobody", why=f"{type(error).__name__} in the role {role.name}")


def read_answer(kind: type[A], reply: Reply) -> A:
    """
    The answer in a reply; a field that cannot be read takes its default. Raises ModelReplyInvalid where nothing can.
    """
    known = tuple(kind.model_fields)
    found = object_in(reply, *known)
    try:
        answer = kind.model_validate(found)
    except ValidationError as error:
        wrong = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
        return _without(kind, found, wrong, error)
    # The kind's own validators know older spellings of its keys, so whether there was one is asked after them.
    if not answer.model_fields_set:
        raise ModelReplyInvalid(f"the object has none of the keys {', '.join(known)}")
    return answer


def _without(kind: type[A], found: Mapping[str, Any], wrong: set[str], error: ValidationError) -> A:
    rest = {name: value for name, value in found.items() if name not in wrong}
    try:
        if rest.keys() & kind.model_fields.keys():
            return kind.model_validate(rest)
    except ValidationError:
        pass
    said = "; ".join(
        f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5]
    )
    raise ModelReplyInvalid(f"the object is not of the form that was asked for ({said})") from error


def recorder(state: State, session_id: str) -> Recorder:
    """Puts each call's tokens and cost on record, for `log --cost` and the daily budget."""

    def record(call: Call) -> None:
        usage.add(
            state, call.role, call.model, **call.usage.to_json(), ms=call.ms, session_id=session_id
        )

    return record


def daily_budget(state: State, daily_tokens: int) -> Allowance:
    """Refuses a call that could take today's sum over `daily_tokens`, counting three bytes of the question a token."""

    def allow(request: Request, model: str) -> None:
        asked = (
            len(request.prompt.encode("utf-8", "replace")) + len(request.system)
        ) // 3 + request.max_tokens
        spent = usage.tokens_today(state, ROLES)
        if spent + asked > daily_tokens:
            raise ModelUnavailable(
                f"{model}: not asked, for {spent:,} of today's {daily_tokens:,} tokens are spent (assess.daily_tokens)"
            )

    return allow


def _request(role: Role[Any], values: Mapping[str, str], deadline_s: float | None) -> Request:
    template = load_template(role.prompt_file)
    tags = OWN_TAGS | tags_of(template)
    return Request(
        fill(
            template, {name: as_data(without_private(text), tags) for name, text in values.items()}
        ),
        load_template("system.txt"),
        max_tokens=role.max_tokens,
        schema=role.answer.model_json_schema(),
        deadline_s=role.deadline_s if deadline_s is None else min(role.deadline_s, deadline_s),
        role=role.name,
    )


def _key(chain: Chain, request: Request) -> str:
    """What was asked, and of whom."""
    asked = f"{chain.name}\0{request.system}\0{request.prompt}"
    return f"{request.role}:{hashlib.sha256(asked.encode('utf-8', 'replace')).hexdigest()}"


def _kept(role: Role[A], key: str, state: State, now: float) -> A | None:
    raw = cache.get(state, "role", key, "")
    try:
        row = json.loads(raw) if raw is not None else {}
        if "answer" not in row or (
            role.fresh_s is not None and not 0 <= now - row["at"] < role.fresh_s
        ):
            return None
        return role.answer.model_validate(row["answer"])
    except (ValueError, TypeError):
        return None
