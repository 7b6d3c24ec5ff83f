"""
The port to a model: one request, one reply, two errors.

A provider is a module with a class that satisfies `Model` and a line in `registry._PROVIDERS`. It holds to this contract
(`tests/llm/test_conformance.py` is run on each):

* `ask` ends within `request.deadline_s` (and a second), whatever the other side does, and leaves no process behind;
* it makes at most three attempts (`llm.retry`) and raises `ModelUnavailable` or `ModelReplyInvalid`, nothing else;
* a message names the model and, where a key was refused, the variable that held it, and never holds a key;
* secrets are taken out of the request before it leaves (`Request.without_secrets`).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable

__all__ = [
    "Call",
    "Model",
    "ModelReplyInvalid",
    "ModelUnavailable",
    "Reply",
    "ReplyRefused",
    "Request",
    "Usage",
    "tokens",
]

DEADLINE_S = 180.0  # all attempts of one request together
ATTEMPT_S = 60.0

#: The person's own patterns for secrets (`redaction.patterns`).
Patterns = tuple[re.Pattern[str], ...]

_MOST_TOKENS = (
    1_000_000_000  # of one call; what an endpoint claims above that is a mistake or a trick
)


def tokens(value: object) -> int:
    """A count as a provider tells it: what is none counts as 0, and none lowers the day's sum."""
    return min(max(value, 0), _MOST_TOKENS) if isinstance(value, int) else 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call took. `cost_usd` is None where the price is not known; cached input is counted in `input_tokens`."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None

    def __add__(self, other: "Usage") -> "Usage":
        known = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            sum(known) if known else None,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.cost_usd,
        }


@dataclass(frozen=True, slots=True)
class Request:
    """
    One question, complete in itself.

    `schema` is the JSON Schema of the answer for providers that can enforce one; the prompt must say the form as well,
    for most cannot. `role` names the asker ("reflector", "judge" …) in records of usage.
    """

    prompt: str
    system: str = ""
    max_tokens: int = 8192
    schema: Mapping[str, Any] | None = None
    deadline_s: float = DEADLINE_S
    attempt_s: float = ATTEMPT_S
    role: str = ""

    def without_secrets(self, environ: Mapping[str, str], patterns: Patterns) -> "Request":
        """The request as it may leave this machine: secrets out, and nothing in it that UTF-8 cannot carry."""
        from ace_reflect.redact import redact

        def clean(text: str) -> str:
            return redact(text, environ, patterns=patterns).encode("utf-8", "replace").decode()

        return replace(self, prompt=clean(self.prompt), system=clean(self.system))


@dataclass(frozen=True, slots=True)
class Reply:
    """
    `text` is all the text of the answer, `structured` the object of a provider that enforces the schema.

    `cut` says that the answer ran into `max_tokens`: it may still be salvaged.
    """

    text: str
    model: str
    structured: Mapping[str, Any] | None = None
    usage: Usage = field(default_factory=Usage)
    ms: int = 0
    cut: bool = False


class ReplyRefused(ModelReplyInvalid):
    """The model answered and declined, or with nothing at all; what it took is in `usage`."""

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()


class Model(Protocol):
    """Someone to ask. `name` is the configured one (`anthropic/claude-sonnet-5`)."""

    @property
    def name(self) -> str: ...

    async def ask(self, request: Request) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Call:
    """One `ask` as it goes on record: who asked whom, what came of it, what it took."""

    role: str
    model: str
    outcome: str  # "answered", "invalid" or "unavailable"
    usage: Usage = field(default_factory=Usage)
    ms: int = 0
    why: str = ""


#: Called with each `Call` when it is over. Recording is the caller's business: this room knows no database.
Recorder = Callable[[Call], None]
