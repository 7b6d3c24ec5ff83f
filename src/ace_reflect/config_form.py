"""The form of `reflection.yaml`: its sections and keys, and what each may hold. The defaults are those of `settings`."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ace_reflect.config_faults import near
from ace_reflect.settings import GATES, Settings

#: Keys under which a person chooses the names.
FREE_FORM = ("endpoints", "fast_models")


def _mode(value: object) -> object:
    # YAML reads a bare `off` as false; both are understood.
    return "off" if value is False else value


Mode = Annotated[Literal["off", "warn", "block"], BeforeValidator(_mode)]


def _spec(value: object) -> object:
    if isinstance(value, str) and value and not re.fullmatch(r"[\w.-]+/[\w.:@/-]+|offline", value):
        raise ValueError(
            f'a model is written provider/model, as in "anthropic/claude-sonnet-5", not {value!r}'
        )
    return value


ModelSpec = Annotated[str, BeforeValidator(_spec)]


def _number(value: object) -> object:
    if isinstance(value, bool):  # which Python takes for 0 and 1
        raise ValueError(f"must be a whole number (found {str(value).lower()})")  # noqa: TRY004 - the library asks for it
    return value


Number = Annotated[int, BeforeValidator(_number)]


def _listed(value: object) -> object:
    """One word, or several with commas between them, is a list of them; an empty line is an empty list."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return () if value is None else value


def _listed_whole(value: object) -> object:
    # A comma may belong to the pattern; an empty one would fit everywhere.
    if isinstance(value, str):
        return [value] if value else []
    return () if value is None else value


def _models(value: object) -> object:
    listed = _listed(value)
    return () if listed == ["none"] else listed


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Gates(_Section):
    tests: Mode = GATES["tests"]
    build: Mode = GATES["build"]
    pr: Mode = GATES["pr"]
    ci: Mode = GATES["ci"]
    direct_push: Mode = GATES["direct_push"]
    claims: Mode = GATES["claims"]
    remaining_work: Mode = GATES["remaining_work"]
    completion: Mode = GATES["completion"]


class Assess(_Section):
    when: Literal["auto", "always", "never"] = Settings.assess_when
    mode: Literal["background", "foreground"] = Settings.assess_mode
    daily_tokens: Number = Field(default=Settings.assess_daily_tokens, ge=0)


class Learning(_Section):
    review: Literal["all", "untrusted", "none"] = Settings.learning_review
    ungrounded: Literal["count", "neutral"] = Settings.learning_ungrounded
    on: Annotated[tuple[Literal["session_end", "pre_compact"], ...], BeforeValidator(_listed)] = (
        Settings.learning_on
    )


class Injection(_Section):
    max_chars: Number = Field(
        default=Settings.injection_max_chars, ge=0, le=9_900
    )  # the host drops what is over 10,000


class Routes(_Section):
    backend: ModelSpec = ""
    architecture: ModelSpec = ""
    frontend: ModelSpec = ""
    default: ModelSpec = ""


class Routing(_Section):
    enabled: bool = Settings.routing_enabled
    models: Routes = Routes()


class Review(_Section):
    enabled: bool = Settings.review_enabled
    reviewer: ModelSpec = Settings.review_reviewer
    auditor: ModelSpec = Settings.review_auditor


class Notify(_Section):
    command: str | None = None


class Endpoint(_Section):
    """An OpenAI-compatible endpoint under a name of the user's."""

    base_url: str = Field(pattern=r"^https?://")
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Z_][A-Z0-9_]*$")


class Redaction(_Section):
    patterns: Annotated[tuple[str, ...], BeforeValidator(_listed_whole)] = ()


class File(_Section):
    """The whole of `reflection.yaml`."""

    enabled: bool = Settings.enabled
    models: Annotated[tuple[ModelSpec, ...], BeforeValidator(_models)] = Settings.models
    workflow: Literal["auto", "pull-request", "local"] = Settings.workflow
    gates: Gates = Gates()
    max_attempts: Number = Settings.max_attempts
    assess: Assess = Assess()
    learning: Learning = Learning()
    injection: Injection = Injection()
    routing: Routing = Routing()
    review: Review = Review()
    notify: Notify = Notify()
    endpoints: dict[str, Endpoint] = Field(default_factory=dict)
    fast_models: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    redaction: Redaction = Redaction()


def settings_of(file: File) -> Settings:
    """What the hooks need of it."""
    chosen = (
        file.gates.model_fields_set
    )  # one that was put in words stands though it is the default
    routes = file.routing.models.model_dump()
    return Settings(
        enabled=file.enabled,
        models=file.models,
        workflow=file.workflow,
        gates=tuple(f"{name}={getattr(file.gates, name)}" for name in GATES if name in chosen),
        max_attempts=file.max_attempts,
        assess_when=file.assess.when,
        assess_mode=file.assess.mode,
        assess_daily_tokens=file.assess.daily_tokens,
        learning_review=file.learning.review,
        learning_ungrounded=file.learning.ungrounded,
        learning_on=file.learning.on,
        injection_max_chars=file.injection.max_chars,
        routing_enabled=file.routing.enabled,
        routing_models=tuple(f"{name}={model}" for name, model in routes.items() if model),
        review_enabled=file.review.enabled,
        review_reviewer=file.review.reviewer,
        review_auditor=file.review.auditor,
        notify_command=file.notify.command or "",
        redaction_patterns=file.redaction.patterns,
    )


def known_keys() -> tuple[str, ...]:
    """Every dotted key that a file may hold."""
    return tuple(_keys(File))


def _keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    found: list[str] = []
    for name, info in model.model_fields.items():
        kind = info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found += _keys(kind, f"{prefix}{name}.")
        else:
            found.append(prefix + name)
    return found


def kind_of(key: str) -> str:
    """Whether a dotted key is a "leaf", a "section" or "unknown"."""
    if key in known_keys():
        return "leaf"
    return "section" if any(known.startswith(key + ".") for known in known_keys()) else "unknown"


def nearest(key: str) -> str:
    """What may have been meant by a key that there is not, as the end of a sentence."""
    names = {*known_keys(), *(known.rpartition(".")[0] for known in known_keys() if "." in known)}
    section, _, word = key.rpartition(".")
    ends = {name: name.rpartition(".")[2] for name in names}
    if near(word, ends.values()) and (
        found := near(key, names)
    ):  # a section alone makes no two keys alike
        return found
    same = [name for name in sorted(names) if ends[name] == word]
    if same:
        return f"; did you mean `{same[0]}`?"
    # Named here: `config show` would stop at the same key.
    beside = ", ".join(sorted(ends[name] for name in names if name.rpartition(".")[0] == section))
    return (
        f"; known there: {beside}" if beside else "; `ace-reflect config show` lists the known ones"
    )


def annotation_of(key: str) -> str:
    """The type of a leaf's value, as Python writes it."""
    model: type[BaseModel] = File
    *sections, leaf = key.split(".")
    for section in sections:
        found = model.model_fields[section].annotation
        assert isinstance(found, type)  # noqa: S101 - known_keys walks the same fields
        model = found
    return str(model.model_fields[leaf].annotation)
