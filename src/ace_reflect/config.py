"""
Configuration: flag, then `ACE_REFLECT_*`, then the project's `reflection.yaml`, then the user's, then the default.

A project's file may choose workflow, gates and budgets. What could send a transcript somewhere, run a command or weaken
the learning (models, endpoints, notify, routing, review, redaction, learning) is taken from it only after
`ace-reflect trust`, which remembers the file's hash.
"""

import errno
import hashlib
import os
import re
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ace_reflect.config_faults import fault, near
from ace_reflect.errors import AceReflectError, ConfigError
from ace_reflect.settings import GATES, RESERVED, Settings, config_files

MAX_BYTES = 64_000
_DEEPEST = 20  # brackets in brackets; PyYAML takes a time that grows with the square of it
_LARGEST = 10**15
_PREFIX = "ACE_REFLECT_"
_FLAG = "flag"  # the source of what the command line says
#: The keys that a project's file may set without being trusted.
FREE_KEYS = frozenset(
    {"workflow", "gates", "max_attempts", "assess.when", "injection.max_chars", "enabled", "learning.on"}
)


def _mode(value: object) -> object:
    # YAML reads a bare `off` as false; both are understood.
    return "off" if value is False else value


Mode = Annotated[Literal["off", "warn", "block"], BeforeValidator(_mode)]


def _spec(value: object) -> object:
    if isinstance(value, str) and value and not re.fullmatch(r"[\w.-]+/[\w.:@/-]+|offline", value):
        raise ValueError(f'a model is written provider/model, as in "anthropic/claude-sonnet-5", not {value!r}')
    return value


ModelSpec = Annotated[str, BeforeValidator(_spec)]


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
    tests: Mode = "block"
    build: Mode = "block"
    pr: Mode = "block"
    ci: Mode = "warn"
    direct_push: Mode = "block"
    claims: Mode = "block"
    remaining_work: Mode = "block"
    wiring: Mode = "warn"
    completion: Mode = "block"


class Assess(_Section):
    when: Literal["auto", "always", "never"] = "auto"
    mode: Literal["background", "foreground"] = "background"
    daily_tokens: int = Field(default=200_000, ge=0)


class Learning(_Section):
    review: Literal["all", "untrusted", "none"] = "untrusted"
    ungrounded: Literal["count", "neutral"] = "count"
    on: Annotated[tuple[Literal["session_end", "pre_compact"], ...], BeforeValidator(_listed)] = (
        "session_end",
        "pre_compact",
    )


class Injection(_Section):
    max_chars: int = Field(default=9_000, ge=0, le=9_900)  # the host drops what is over 10,000


class Routes(_Section):
    backend: ModelSpec = ""
    architecture: ModelSpec = ""
    frontend: ModelSpec = ""
    default: ModelSpec = ""


class Routing(_Section):
    enabled: bool = False
    models: Routes = Routes()


class Review(_Section):
    enabled: bool = False
    reviewer: ModelSpec = "openai/gpt-5.3-codex"
    auditor: ModelSpec = "minimax/MiniMax-M2.5"


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

    enabled: bool = True
    models: Annotated[tuple[ModelSpec, ...], BeforeValidator(_models)] = ()
    workflow: Literal["auto", "pull-request", "local"] = "auto"
    gates: Gates = Gates()
    max_attempts: int = 3
    assess: Assess = Assess()
    learning: Learning = Learning()
    injection: Injection = Injection()
    routing: Routing = Routing()
    review: Review = Review()
    notify: Notify = Notify()
    endpoints: dict[str, Endpoint] = Field(default_factory=dict)
    fast_models: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    redaction: Redaction = Redaction()


@dataclass(frozen=True, slots=True)
class Config:
    """What is in force, and where each value comes from."""

    file: File
    settings: Settings
    sources: dict[
        str, str
    ]  # "assess.when" -> "default", "user: …/reflection.yaml:4", "ACE_REFLECT_ASSESS_WHEN", "--model"
    warnings: tuple[str, ...] = ()
    untrusted: tuple[str, ...] = ()  # keys of the project's file that wait for `ace-reflect trust`
    project_file: str = ""
    user_file: str = ""

    @property
    def redaction_patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(pattern) for pattern in self.file.redaction.patterns)


@dataclass(slots=True)
class _Layers:
    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    untrusted: list[str] = field(default_factory=list)

    def set(self, key: str, value: Any, source: str) -> None:
        self.values[key] = value
        self.sources[key] = source


def load(
    project_dir: str,
    home_dir: str,
    environ: Mapping[str, str],
    *,
    flags: Mapping[str, Any] | None = None,
    trusted: Callable[[str], str | None] = lambda _: None,
) -> Config:
    """
    The configuration in force. `flags` are dotted keys (`{"models": ["anthropic/…"]}`); `trusted(path)` gives the hash
    that the person trusted for a project's file, or None.

    Raises ConfigError naming the file, the line, and the nearest known key.
    """
    project_file, user_file = config_files(project_dir, home_dir)
    layers = _Layers()
    _add_file(layers, user_file, "user", free_only=False)
    if os.path.abspath(project_file) != os.path.abspath(user_file):
        known = trusted(project_file)
        _add_file(layers, project_file, "project", free_only=known is None or known != content_hash(project_file))
    _add_environment(layers, environ)
    for key, value in (flags or {}).items():
        layers.set(key, value, _FLAG)
    return _finish(layers, project_file, user_file)


def load_usable(
    project_dir: str,
    home_dir: str,
    environ: Mapping[str, str],
    *,
    trusted: Callable[[str], str | None] = lambda _: None,
) -> Config:
    """
    What can be used of the configuration, for hooks: each file and each variable with an error counts as absent.

    Without the person's own file only what a project may set is in force, and no model is asked: the file may name what
    must never be sent.
    """
    with suppress(AceReflectError):
        return load(project_dir, home_dir, environ, trusted=trusted)
    given = {name: text for name, text in environ.items() if name.startswith(_PREFIX) and _is_usable(name, text)}
    for project in (project_dir, os.devnull):
        with suppress(AceReflectError):
            return load(project, home_dir, given, trusted=trusted)
    free = {name: text for name, text in given.items() if name in _free_variables()}
    for project in (project_dir, os.devnull):
        with suppress(AceReflectError):
            return load(project, os.devnull, free)
    return load(os.devnull, os.devnull, {})


def _is_usable(name: str, text: str) -> bool:
    try:
        load(os.devnull, os.devnull, {name: text})
    except ConfigError:
        return False
    return True


def _free_variables() -> set[str]:
    return {_PREFIX + "GATES", *(_variable(key) for key in known_keys() if _is_free(key))}


def _variable(key: str) -> str:
    return _PREFIX + key.replace(".", "_").upper()


def content_hash(path: str) -> str | None:
    """SHA-256 of a file's bytes, or None where it cannot be read."""
    try:
        raw = read_file(path)
    except OSError:
        return None
    return None if raw is None else hashlib.sha256(raw).hexdigest()


def read_file(path: str) -> bytes | None:
    """
    The bytes of a configuration file, at most one more than it may have; None where there is none. Raises OSError.

    A checkout may be anybody's: what is a pipe or a device there would hold a hook for ever.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", path)
        return file.read(MAX_BYTES + 1)


def _finish(layers: _Layers, project_file: str, user_file: str) -> Config:
    attempts = layers.values.get("max_attempts", 3)
    if isinstance(attempts, int) and not isinstance(attempts, bool) and not 1 <= attempts <= 7:
        layers.values["max_attempts"] = min(max(attempts, 1), 7)
        layers.warnings.append(
            f"{_place(layers, 'max_attempts')}max_attempts is {attempts}; 1 to 7 can be used (the host ends a turn by itself after 8), so it is {layers.values['max_attempts']}"
        )
    nested: dict[str, Any] = {}
    for key, value in layers.values.items():
        place, *rest = reversed(key.split("."))
        target = nested
        for part in reversed(rest):
            target = target.setdefault(part, {})
        target[place] = value
    try:
        file = File.model_validate(nested)
    except ValidationError as error:
        raise ConfigError(_explain(error, layers)) from None
    _check_patterns(file, layers)
    sources = {key: layers.sources.get(key, "default") for key in known_keys()} | layers.sources
    return Config(
        file, _flatten(file), sources, tuple(layers.warnings), tuple(layers.untrusted), project_file, user_file
    )


def _check_patterns(file: File, layers: _Layers) -> None:
    for pattern in file.redaction.patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(
                f"{_place(layers, 'redaction.patterns')}redaction.patterns: {pattern!r} is no regular expression: {error}"
            ) from None


def _flatten(file: File) -> Settings:
    modes = file.gates.model_dump()
    routes = file.routing.models.model_dump()
    return Settings(
        enabled=file.enabled,
        models=file.models,
        workflow=file.workflow,
        gates=tuple(f"{name}={mode}" for name, mode in modes.items() if mode != GATES[name]),
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
    )


# ------------------------------------------------------------------ files


def _add_file(layers: _Layers, path: str, kind: str, *, free_only: bool) -> None:
    document = _compose(path)
    if document is None:
        return
    lines: dict[str, int] = {}
    for key, value, line in _leaves(document, path):
        if key in lines:
            layers.warnings.append(f"{path}:{line}: {key} is set in line {lines[key]} too; this line counts")
        lines[key] = line
        if free_only and not _is_free(key):
            layers.untrusted.append(key)
        else:
            layers.set(key, value, f"{kind}: {path}:{line}")
    if free_only and layers.untrusted:
        layers.warnings.append(
            f"{path}: not in force before you run `ace-reflect trust` in this project: {', '.join(layers.untrusted)}"
        )


def _is_free(key: str) -> bool:
    return any(key == free or key.startswith(free + ".") for free in FREE_KEYS)


def _compose(path: str) -> yaml.Node | None:
    try:
        raw = read_file(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"{path}: cannot be read ({reason}); mend its permissions or remove it") from None
    if raw is None:
        return None
    if len(raw) > MAX_BYTES:
        raise ConfigError(
            f"{path}: is larger than {MAX_BYTES} bytes and was not read; a reflection.yaml is a few lines"
        )
    try:
        text = raw.decode("utf-8-sig")
        if _depth(text) > _DEEPEST:
            raise ConfigError(f"{path}: is nested too deeply to be a reflection.yaml")
        # Composing first gives every key its line; aliases are refused, for ten of them can make a billion values.
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken):
                line = token.start_mark.line + 1
                raise ConfigError(f"{path}:{line}: YAML aliases (*name) are not used here; write the value out")
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text; save it as UTF-8 or remove it") from None
    except RecursionError:
        raise ConfigError(f"{path}: is nested too deeply to be a reflection.yaml") from None
    except (ValueError, OverflowError):  # what the library says of `"\UFFFFFFFF"`
        line = text.count("\n", 0, text.find("\\U")) + 1
        raise ConfigError(f"{path}:{line}: a \\U escape names no character; mend the line") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else path
        raise ConfigError(
            f"{where}: is not valid YAML: {getattr(error, 'problem', error)}; mend the line or remove the file"
        ) from None


def _depth(text: str) -> int:
    """How many brackets stand open at once, at most."""
    deepest = depth = 0
    for letter in text:
        if letter in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "]}":
            depth = max(depth - 1, 0)
    return deepest


def _leaves(node: yaml.Node, path: str, prefix: str = "") -> list[tuple[str, Any, int]]:
    """(dotted key, value, 1-based line) of every setting in the file."""
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null" and not prefix:
        return []
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(
            f"{path}:{node.start_mark.line + 1}: {prefix.rstrip('.') or 'the file'} must be a table of `key: value` lines"
        )
    found: list[tuple[str, Any, int]] = []
    for key_node, value_node in node.value:
        key = prefix + str(key_node.value)
        line = key_node.start_mark.line + 1
        kind = _kind_of(key)
        if kind == "unknown":
            raise ConfigError(f"{path}:{line}: unknown key `{key}`{_nearest(key)}")
        if kind == "section" and isinstance(value_node, yaml.MappingNode):
            found += _leaves(value_node, path, key + ".")
        elif kind == "section":
            if value_node.tag != "tag:yaml.org,2002:null":
                raise ConfigError(f"{path}:{line}: {key} must be a table of `key: value` lines")
        else:
            found.append((key, _construct(value_node, f"{path}:{line}: {key}"), line))
    return found


def _construct(node: yaml.Node, where: str) -> Any:
    try:
        value = yaml.SafeLoader("").construct_object(node, deep=True)
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError, AttributeError, TypeError) as error:
        raise ConfigError(f"{where}: has a value that cannot be used ({getattr(error, 'problem', error)})") from None
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise ConfigError(f"{where}: is a number that is too large to mean anything here")
    return value


_FREE_FORM = ("endpoints", "fast_models")


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


def _kind_of(key: str) -> str:
    if key in known_keys():
        return "leaf"
    return "section" if any(known.startswith(key + ".") for known in known_keys()) else "unknown"


def _nearest(key: str) -> str:
    names = {*known_keys(), *(known.rpartition(".")[0] for known in known_keys() if "." in known)}
    found = near(key, names)
    same = [name for name in sorted(names) if name.rpartition(".")[2] == key.rpartition(".")[2]]
    if not found and same:
        return f"; did you mean `{same[0]}`?"
    return found or "; `ace-reflect config show` lists the known ones"


def _explain(error: ValidationError, layers: _Layers) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    where = _place(layers, key)
    # What was just typed is in sight; a file's line or a variable is not.
    return f"{where}{key}: {fault(first)}" if where else fault(first)


def _place(layers: _Layers, key: str) -> str:
    """`…/reflection.yaml:4: ` or `ACE_REFLECT_…: `; nothing for a flag."""
    while key and key not in layers.sources:
        key = key.rpartition(".")[0]
    source = layers.sources.get(key, "configuration")
    return "" if source == _FLAG else f"{source.partition(': ')[2] or source}: "


# ------------------------------------------------------------------ environment


def _add_environment(layers: _Layers, environ: Mapping[str, str]) -> None:
    by_variable = {_variable(key): key for key in known_keys() if key not in _FREE_FORM}
    for name in sorted(environ):
        short = name.removeprefix(_PREFIX)
        if short == name or short in RESERVED:
            continue
        if name == "ACE_REFLECT_GATES":
            _add_gates(layers, environ[name])
        elif name in by_variable:
            key, text = by_variable[name], environ[name]
            # `VARIABLE=` says nothing, but for a list or a text: there it takes away what a file says.
            if text.strip() or any(kind in _annotation(key) for kind in ("tuple", "str")):
                layers.set(key, _from_text(key, text, name), name)
        else:
            layers.warnings.append(f"{name} is no setting of ace-reflect and was ignored")


def _add_gates(layers: _Layers, text: str) -> None:
    """`ACE_REFLECT_GATES=tests=warn,ci=off`."""
    for item in filter(None, (part.strip() for part in text.split(","))):
        gate, _, mode = item.partition("=")
        if gate not in GATES:
            raise ConfigError(
                f"ACE_REFLECT_GATES: unknown gate `{gate}`{near(gate, GATES) or '; there are ' + ', '.join(GATES)}"
            )
        layers.set(f"gates.{gate}", mode, "ACE_REFLECT_GATES")


def _annotation(key: str) -> str:
    model: type[BaseModel] = File
    *sections, leaf = key.split(".")
    for section in sections:
        found = model.model_fields[section].annotation
        assert isinstance(found, type)  # noqa: S101 - known_keys walks the same fields
        model = found
    return str(model.model_fields[leaf].annotation)


def _from_text(key: str, text: str, name: str) -> Any:
    if _annotation(key) == "<class 'int'>" and re.fullmatch(r"\s*[+-]?\d+\s*", text):
        if len(text) > len(str(_LARGEST)):
            raise ConfigError(f"{name}: is a number that is too large to mean anything here")
        return int(text)  # as from a file, so that it is held to what can be used
    return text
