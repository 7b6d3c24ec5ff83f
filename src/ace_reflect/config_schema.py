"""The form of `reflection.yaml`: each key with what it may hold, checked by pydantic. The defaults are `Settings`'."""

import difflib
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from ace_reflect.settings import GATES, ROUTES


def _spec(value: object) -> object:
    if isinstance(value, str) and value and not re.fullmatch(r"[\w.-]+/[\w.:@/-]+|offline", value):
        raise ValueError('a model is written provider/model, as in "anthropic/claude-sonnet-5"')
    return value


def _listed(value: object) -> object:
    """One word, or several with commas between them, is a list of them; nothing is an empty list."""
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if value is not None and not isinstance(value, list | tuple):
        raise ValueError("must be a list, as in [first, second]")
    return () if value in (None, ["none"]) else value


def _patterns(value: object) -> object:
    """One pattern, commas and all, or a list of them."""
    found = [value] if value and isinstance(value, str) else value or ()
    for pattern in found if isinstance(found, list) else ():
        try:
            re.compile(str(pattern))
        except re.error as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
    return found


class Endpoint(BaseModel):
    """An OpenAI-compatible endpoint under a name of the person's."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    base_url: str = Field(pattern=r"^https?://")
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Z_][A-Z0-9_]*$")


#: YAML reads a bare `off` as false.
Mode = Annotated[
    Literal["off", "warn", "block"],
    BeforeValidator(lambda value: "off" if value is False else value),
]
ModelSpec = Annotated[str, BeforeValidator(_spec)]
Event = Literal["session_end", "pre_compact"]

#: Every dotted key that a file may hold, and what it may hold there.
FORM: dict[str, Any] = {
    "enabled": bool,
    "models": Annotated[tuple[ModelSpec, ...], BeforeValidator(_listed)],
    "workflow": Literal["auto", "pull-request", "local"],
    **{f"gates.{gate}": Mode for gate in GATES},
    "max_attempts": int,
    "assess.when": Literal["auto", "always", "never"],
    "assess.mode": Literal["background", "foreground"],
    "assess.daily_tokens": Annotated[int, Field(ge=0)],
    "learning.review": Literal["all", "untrusted", "none"],
    "learning.ungrounded": Literal["count", "neutral"],
    "learning.on": Annotated[tuple[Event, ...], BeforeValidator(_listed)],
    "injection.max_chars": Annotated[int, Field(ge=0, le=9_900)],  # the host's limit is 10,000
    "routing.enabled": bool,
    **{f"routing.models.{route}": ModelSpec for route in ROUTES},
    "review.enabled": bool,
    "review.reviewer": ModelSpec,
    "review.auditor": ModelSpec,
    "notify.command": Annotated[str, BeforeValidator(lambda value: "" if value is None else value)],
    "endpoints": dict[str, Endpoint],
    "redaction.patterns": Annotated[tuple[str, ...], BeforeValidator(_patterns)],
}
KEYS = tuple(FORM)
SECTIONS = frozenset(key.rpartition(".")[0] for key in FORM) - {""}


def checked(key: str, value: object) -> Any:
    """
    The value as it is used. Raises ValueError: "unknown key `gats`; did you mean `gates`?", "workflow: must be …".

    What is in an endpoint is never repeated: a key may stand there by mistake, and errors end in logs and reports.
    """
    if key not in FORM:
        raise ValueError(f"unknown key `{key}`{_nearest(key)}")
    try:
        return TypeAdapter(FORM[key]).validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
    place = ".".join(map(str, (key, *first["loc"])))
    message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    if first["type"] == "extra_forbidden":
        message = f"is no setting; there are {' and '.join(Endpoint.model_fields)}"
    elif key != "endpoints" and isinstance(first["input"], str | bool | float):
        message += f" (found {first['input']!r:.60})"
    raise ValueError(f"{place}: {message}")


def _nearest(key: str) -> str:
    """The known key that may have been meant, as the end of a sentence; "" where none is near."""
    section, _, word = key.rpartition(".")
    names = sorted((*SECTIONS, *KEYS), key=lambda name: name.rpartition(".")[0] == section)
    ends = {name.rpartition(".")[2]: name for name in names}  # of two with one end that beside it
    close = difflib.get_close_matches(word, ends, n=1)
    return f"; did you mean `{ends[close[0]]}`?" if close else ""
