"""Configuration: flag, then `ACE_REFLECT_*`, then the project's `reflection.yaml`, then the user's, then the default.

A project's file chooses workflow, gates and budgets; what could send or run something, or weaken the learning, is taken from
it only after `ace-reflect trust`, which remembers the file's hash.
"""

import difflib
import errno
import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from ace_reflect import paths
from ace_reflect.errors import ConfigError
from ace_reflect.settings import GATES, PREFIX, ROUTES, Settings, setting_variables

MAX_BYTES = 16_000  # PyYAML takes quadratic time for nested brackets
_NULLS = yaml.SafeLoader.yaml_implicit_resolvers["~"]
_MOST_ERRORS = 20  # of one file; what follows them is not read
#: The keys that a project's file may set without being trusted.
FREE_KEYS = frozenset({"storage", "workflow", "gates", "max_attempts", "assess.when", "injection.max_chars", "enabled", "learning.on"})  # fmt: skip


def _listed(value: object) -> object:
    """One word, or several separated by commas, is a list; nothing is an empty list."""
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if value is not None and not isinstance(value, list | tuple):
        raise ValueError("must be a list, as in [first, second]")
    return () if value in (None, ["none"]) else value


class Endpoint(BaseModel, extra="forbid", frozen=True):
    """An OpenAI-compatible endpoint under a name that the person chose."""

    base_url: str = Field(pattern=r"^https?://")
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Z_][A-Z0-9_]*$")


ModelSpec = Annotated[str, Field(pattern=r"^([\w.-]+/[\w.:@/-]+|offline|)$")]
Pattern = Annotated[re.Pattern[str], AfterValidator(attrgetter("pattern"))]
#: One pattern, commas and all, or a list of them.
Patterns = Annotated[
    tuple[Pattern, ...], BeforeValidator(lambda v: [v] if v and isinstance(v, str) else v or ())
]
Event = Literal["session_end", "pre_compact"]

#: Every dotted key that a file may hold, and its type. The defaults are in `Settings`.
FORM: dict[str, Any] = {
    "enabled": bool,
    "models": Annotated[tuple[ModelSpec, ...], BeforeValidator(_listed)],
    "storage": Settings._fields["storage"],
    "workflow": Settings._fields["workflow"],
    **{f"gates.{gate}": Literal["off", "warn", "block"] for gate in GATES},
    "max_attempts": int,
    "assess.when": Settings._fields["assess_when"],
    "assess.mode": Settings._fields["assess_mode"],
    "assess.daily_tokens": Annotated[int, Field(ge=0)],
    "learning.review": Settings._fields["learning_review"],
    "learning.ungrounded": Settings._fields["learning_ungrounded"],
    "learning.on": Annotated[tuple[Event, ...], BeforeValidator(_listed)],
    "injection.max_chars": Annotated[int, Field(ge=0, le=9_900)],  # the host's limit is 10,000
    "routing.enabled": bool,
    **{f"routing.models.{route}": ModelSpec for route in ROUTES},
    "review.enabled": bool,
    "review.reviewer": ModelSpec,
    "review.auditor": ModelSpec,
    "notify.command": Annotated[str, BeforeValidator(lambda value: "" if value is None else value)],
    "endpoints": dict[str, Endpoint],
    "redaction.patterns": Patterns,
}
KEYS = tuple(FORM)
SECTIONS = frozenset(key.rpartition(".")[0] for key in FORM) - {""}


def checked(key: str, value: object) -> Any:
    """The value as it is used. Raises ValueError: "unknown key `gats`; did you mean `gates`?", "workflow: must be …". An
    endpoint's value, which may be a key by mistake, is not repeated: errors end up in logs and reports.
    """
    if key not in FORM:
        names = sorted((*SECTIONS, *KEYS))
        inside = [name for name in names if name.endswith(f".{key}")]
        near = difflib.get_close_matches(key, names, n=1) or inside
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise ValueError(f"unknown key `{key}`{hint}")
    try:
        return TypeAdapter(FORM[key]).validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
    place = ".".join(map(str, (key, *first["loc"])))
    message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    if first["type"] == "extra_forbidden":
        message = f"is no setting; there are {' and '.join(Endpoint.model_fields)}"
    elif key != "endpoints" and first["type"] == "string_pattern_mismatch":
        message = 'a model is written provider/model, as in "anthropic/claude-sonnet-5"'
    elif key != "endpoints" and isinstance(first["input"], str | bool | float):
        message += f" (found {first['input']!r:.60})"
    raise ValueError(f"{place}: {message}")


@dataclass(frozen=True, slots=True)
class Config:
    """What is in force, and where each value comes from."""

    settings: Settings
    endpoints: Mapping[str, Endpoint]
    sources: dict[
        str, str
    ]  # dotted key -> "default", "user: …/reflection.yaml:4", a variable's name, "flag"
    warnings: tuple[str, ...]
    untrusted: tuple[str, ...]  # keys in the project's file that need `ace-reflect trust`
    fault: str  # every error, one per line: the file, the line in it, and the nearest known key

    def sound(self) -> Self:
        """Itself, if nothing is wrong. Raises ConfigError with everything that is."""
        if self.fault:
            raise ConfigError(self.fault)
        return self

    def value(self, key: str) -> Any:
        """The value of a dotted key, or its default."""
        section, _, name = key.rpartition(".")
        if section == "gates":
            return self.settings.gate_mode(name)
        if section == "routing.models":
            return self.settings.routing_models.get(name, "")
        return getattr(self if key == "endpoints" else self.settings, key.replace(".", "_"))


@dataclass(slots=True)
class _Layer:
    """What one file, the environment or the flags set: key -> (value, source). `kind`: of a file, "user" or "project"."""

    kind: str = ""
    settings: dict[str, tuple[Any, str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    digest: str = ""  # of a file's bytes

    def add(self, key: str, value: Any, place: str = "") -> None:
        """Take one setting, or note what is wrong with it; without a `place` the person has just typed it."""
        try:
            value = checked(key, value)
        except ValueError as error:
            self.errors.append(f"{place}: {error}" if place else str(error))
            return
        if key == "max_attempts" and value != (used := min(max(value, 1), 7)):
            why = f"max_attempts is {value}; the host ends a turn after 8, so it is {used}"
            self.warnings.append(f"{place}: {why}")
            value = used
        self.settings[key] = value, f"{self.kind}: {place}" if self.kind else place or "flag"

    def keep_free(self) -> list[str]:
        """Drop what only a trusted file may set; the keys that were dropped."""
        dropped = [key for key in self.settings if not FREE_KEYS & {key, key.partition(".")[0]}]
        for key in dropped:
            del self.settings[key]
        return dropped


def load(
    project_dir: str,
    home_dir: str,
    environ: Mapping[str, str],
    *,
    flags: Mapping[str, Any] | None = None,
    trusted: Callable[[str], str | None] | None = None,
) -> Config:
    """The configuration in force. `flags`: by dotted key; `trusted(path)`: the hash of a project's file that the person trusts.

    A variable with an error counts as absent. Of a file with one, only what any project may set takes effect, line by line:
    what is switched off stays off. Is it the person's own, no model is asked: it may name what must never be sent.
    """
    project_file, user_file = paths.project_config(project_dir), paths.user_config(home_dir)
    user, project = _file(user_file, "user"), _file(project_file, "project")
    variables, typed = _Layer(), _Layer()
    for key, value in (flags or {}).items():
        typed.add(key, value)
    keys = {PREFIX + key.replace(".", "_").upper(): key for key in KEYS if key != "endpoints"}
    for name in setting_variables(environ):
        if name not in keys:
            variables.warnings.append(f"{name} is no setting of ace-reflect and was ignored")
        elif environ[name].strip():
            variables.add(keys[name], environ[name], name)
    trusts = trusted is not None and project.digest == trusted(project_file)
    untrusted = [] if trusts and not project.errors else project.keep_free()
    if untrusted:
        why = "not in force before you run `ace-reflect trust` in this project"
        project.warnings.append(f"{project_file}: {why}: {', '.join(untrusted)}")
    layers = (user, project, variables, typed)
    if user.errors:
        for layer in layers:
            layer.keep_free()
    found = {key: setting for layer in layers for key, setting in layer.settings.items()}
    errors = [error for layer in layers for error in layer.errors]
    values = {key.replace(".", "_"): value for key, (value, _) in found.items()}
    known = {name: values[name] for name in values.keys() & Settings._fields.keys()}
    gates = {gate: values[f"gates_{gate}"] for gate in GATES if f"gates_{gate}" in values}
    routes = {name: model for name in ROUTES if (model := values.get(f"routing_models_{name}"))}
    return Config(
        Settings(**known, gates=gates, routing_models=routes, faulty=bool(errors)),
        values.get("endpoints", {}),
        dict.fromkeys(KEYS, "default") | {key: source for key, (_, source) in found.items()},
        tuple(warning for layer in layers for warning in layer.warnings),
        tuple(untrusted),
        "\n".join(errors),
    )


def read_file(path: str) -> bytes | None:
    """The bytes of a configuration file; None if there is none. Raises OSError, also for a pipe or a huge file."""
    if not os.path.exists(path):
        return None
    if not os.path.isfile(path) or os.path.getsize(path) > MAX_BYTES:  # anybody may have created it
        raise OSError(errno.EINVAL, f"it is larger than {MAX_BYTES} bytes, or no plain file", path)
    with open(path, "rb") as file:
        return file.read(MAX_BYTES)


def _file(path: str, kind: str) -> _Layer:
    """The settings of one `reflection.yaml` and its errors, each with its line."""
    layer, loader = _Layer(kind), None
    try:
        if (raw := read_file(path)) is None:
            return layer
        layer.digest = hashlib.sha256(raw).hexdigest()
        loader = _Loader(raw.decode("utf-8-sig"))
        _add(layer, loader, loader.get_single_node(), path)
    except OSError as error:
        layer.errors.append(f"{path}: cannot be read ({error.strerror}); fix or remove it")
    except UnicodeDecodeError:
        layer.errors.append(f"{path}: is not UTF-8 text; save it as UTF-8 or remove it")
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None) or (loader and loader.get_mark())
        place = f"{path}:{mark.line + 1}" if mark else path
        problem = " ".join(str(getattr(error, "problem", None) or error).split())
        layer.errors.append(f"{place}: is not valid YAML: {problem}; fix the line")
    return layer


class _Loader(yaml.SafeLoader):
    """Values as they are written, for the form to read (a bare `off` is no truth value); no aliases: ten make a billion values."""

    yaml_implicit_resolvers = dict.fromkeys(("", *"~nN"), _NULLS)

    def fetch_alias(self) -> None:
        why = "aliases (*name) are not used here, write the value out"
        raise yaml.MarkedYAMLError(problem=why, problem_mark=self.get_mark())


def _add(layer: _Layer, loader: _Loader, node: Any, path: str, section: str = "") -> None:
    if node is None or node.tag == "tag:yaml.org,2002:null":
        return
    if not isinstance(node, yaml.MappingNode):
        name, place = section.rstrip(".") or "the file", f"{path}:{node.start_mark.line + 1}"
        layer.errors.append(f"{place}: {name} must be a table of `key: value` lines")
        return
    for key_node, value in node.value:
        key = f"{section}{key_node.value}"
        if key in SECTIONS:
            _add(layer, loader, value, path, f"{key}.")
        elif len(layer.errors) < _MOST_ERRORS:
            place = f"{path}:{key_node.start_mark.line + 1}"
            layer.add(key, loader.construct_object(value, deep=True), place)
