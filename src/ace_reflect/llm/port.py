"""The port to a model: one request, one reply, two errors; and the keys, which come from the environment only.

A provider is a module with a class that satisfies `Provider` and a line in `registry.PROVIDERS`. The contract:

* `ask` ends within `request.deadline_s` (and a second), whatever the other side does, and leaves no process behind;
* it makes at most three attempts (`llm.calls`) and raises `ModelUnavailable` or `ModelReplyInvalid`, nothing else;
* a message names the model and, if a key was refused, the variable that held it, but never contains a key;
* secrets are taken out of the request before it leaves (`Request.without_secrets`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from ace_reflect.errors import ModelReplyInvalid

Environ = Mapping[str, str]

ANTHROPIC_KEYS = ("AGENTIC_CONTEXT_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY")
ANTHROPIC_MODELS = ("AGENTIC_CONTEXT_MODEL", "ANTHROPIC_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL")

#: Our own delimiters inside somebody's text could end a block early and make the rest look like instructions.
OWN_TAGS = ("transcript", "playbook", "cited_ids", "facts", "reflection", "instructions", "last_answer")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call took. `cost_usd` is None if the price is unknown; `input_tokens` includes cached input."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None

    def __add__(self, other: "Usage") -> "Usage":
        given = self.input_tokens + other.input_tokens
        said = self.output_tokens + other.output_tokens
        known = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(given, said, sum(known) if known else None)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


_INPUT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def counted(told: object, given: Sequence[str] = _INPUT, said: str = "output_tokens") -> Usage:
    """The usage in a provider's object or JSON, by the names of its counts. Anything invalid or negative is 0."""

    def count(name: str) -> int:
        value = told.get(name) if isinstance(told, dict) else getattr(told, name, 0)
        return max(value, 0) if isinstance(value, int) else 0

    return Usage(sum(map(count, given)), count(said))


@dataclass(frozen=True, slots=True)
class Request:
    """One self-contained question; `system` is the fixed text before it. `schema` is the JSON Schema of the answer for providers that can enforce one; most cannot,
    so the prompt must describe the form too. `role` names the asker in usage records.
    """

    prompt: str
    system: str = ""
    max_tokens: int = 8192
    schema: Mapping[str, Any] | None = None
    deadline_s: float = 180.0  # all attempts together
    attempt_s: float = 60.0
    role: str = ""

    def without_secrets(self, environ: Environ, patterns: Sequence[str]) -> "Request":
        """The request as it may leave this machine: without secrets (`patterns`: the person's own), and valid UTF-8."""
        from ace_reflect.redact import redact

        def clean(text: str) -> str:
            return redact(text, environ, patterns=patterns).encode("utf-8", "replace").decode()

        return replace(self, prompt=clean(self.prompt), system=clean(self.system))


def fill(template: str, values: Mapping[str, str]) -> str:
    """A prompt template with values in place of `{name}`, in one pass: braces inside a value stay, doubled ones become single.
    A place without a value is left as it is, so that a user's own template cannot fail.
    """
    return re.sub(
        r"\{\{|\}\}|\{(\w+)\}",
        lambda match: values.get(match[1], match[0]) if match[1] else match[0][0],
        template,
    )


def as_data(text: str, template: str = "") -> str:
    """`text` without anything that would open or close one of our blocks, or one that `template` closes."""
    names = "|".join((*OWN_TAGS, *re.findall(r"</(\w+)>", template)))
    opening = rf"[<\uff1c\ufe64](?=\s{{0,20}}/?\s{{0,20}}(?:{names})\b)"
    return re.sub(opening, "‹", text, flags=re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, whole or `cut`."""

    text: str
    model: str
    usage: Usage = field(default_factory=Usage)
    cut: bool = False  # it ran into `max_tokens`, and may still be salvaged


class ReplyRefused(ModelReplyInvalid):
    """The model declined to answer, or answered nothing; `usage` has what it took."""

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


@dataclass(frozen=True, slots=True)
class Who:
    """Where a request goes, for messages: `variable` is the one the key came from, "" without a key."""

    name: str
    variable: str = ""
    key: str = ""
    base_url: str = ""

    @property
    def at(self) -> str:
        return f" at {without_login(self.base_url)}" if self.base_url else ""

    def plain(self, text: str) -> str:
        """One short line of what the other side wrote, without control characters and without the key."""
        if self.key:
            text = text.replace(self.key, "[the key]")
        shown = "".join(ch if ch.isprintable() else " " for ch in without_login(text[:2000]))
        line = " ".join(shown.split())
        return line if len(line) <= 200 else line[:199] + "…"

    def reply(self, text: str, usage: Usage, ended: object) -> Reply:
        """The reply of this text that `ended` so. Raises ReplyRefused if there is none."""
        if ended in ("refusal", "content_filter"):
            raise ReplyRefused(f"{self.name} declined to answer", usage)
        if not text.strip():
            raise ReplyRefused(f"{self.name} sent an empty answer", usage)
        return Reply(text, self.name, usage, cut=ended in ("max_tokens", "length"))


def first_set(environ: Environ, names: tuple[str, ...]) -> tuple[str, str]:
    """The first of `names` that has a value, and the value; two empty strings if none has."""
    given = ((name, environ.get(name, "").strip()) for name in names)
    return next(((name, value) for name, value in given if value), ("", ""))


def without_login(text: str) -> str:
    """`text` with the user and password taken out of its addresses (`https://user:password@proxy.example`)."""
    return re.sub(r"(://)[^/\s@]{1,500}@", r"\1", text)


class Model(Protocol):
    """Someone to ask. `name` is the configured one (`anthropic/claude-sonnet-5`)."""

    @property
    def name(self) -> str: ...

    async def ask(self, request: Request) -> Reply: ...


class Provider(Model, Protocol):
    """A model that can say why it cannot be asked, as far as can be known without asking; "" if it can."""

    def why_unusable(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Call:
    """One `ask` for the record, answered or not: who asked whom, and what it took."""

    role: str
    model: str
    usage: Usage
    ms: int


#: Called with each `Call` when it is over. The caller does the recording: this room knows no database.
Recorder = Callable[[Call], object]
