"""
Configuration: flag, then `ACE_REFLECT_*`, then the project's `reflection.yaml`, then the user's, then the default.

A project's file may choose workflow, gates and budgets (`FREE_KEYS`). What could send a transcript somewhere, run a
command or weaken the learning (models, endpoints, notify, routing, review, redaction, what is learned unseen) is taken
from it only after `ace-reflect trust`, which remembers the file's hash.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn, Self

import yaml

from ace_reflect import paths
from ace_reflect.config_schema import KEYS, SECTIONS, Endpoint, checked
from ace_reflect.errors import ConfigError
from ace_reflect.settings import GATES, PREFIX, ROUTES, Settings, setting_variables

MAX_BYTES = 64_000
_DEEPEST = 20  # brackets in brackets; PyYAML takes a time that grows with the square of it
_MOST_ERRORS = 20  # of one file; what stands behind them is not read
#: The keys that a project's file may set without being trusted.
FREE_KEYS = frozenset(
    {"workflow", "gates", "max_attempts", "assess.when", "injection.max_chars", "enabled", "learning.on"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Config:
    """
    What is in force, and where each value comes from.

    `sources`: dotted key -> "default", "user: …/reflection.yaml:4", "project: …", "ACE_REFLECT_ASSESS_WHEN" or "flag".
    """

    settings: Settings
    endpoints: Mapping[str, Endpoint]
    sources: dict[str, str]
    warnings: tuple[str, ...]
    untrusted: tuple[str, ...]  # keys of the project's file that wait for `ace-reflect trust`
    fault: str  # every error, a line each: the file, the line in it, and the nearest known key

    @property
    def redaction_patterns(self) -> tuple[str, ...]:
        return self.settings.redaction_patterns

    def sound(self) -> Self:
        """This one, if nothing is wrong with it. Raises ConfigError, with all that is."""
        if self.fault:
            raise ConfigError(self.fault)
        return self

    def value(self, key: str) -> Any:
        """The value of a dotted key, the default where nothing sets it."""
        section, _, name = key.rpartition(".")
        tables = {"gates": self.settings.gate_mode, "routing.models": self.settings.routing_model}
        if section in tables:
            return tables[section](name)
        return getattr(self if key == "endpoints" else self.settings, key.replace(".", "_"))


@dataclass(slots=True)
class _Layer:
    """What one file, the environment or the flags set: key -> (value, source)."""

    settings: dict[str, tuple[Any, str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    digest: str = ""  # of a file's bytes

    def add(self, key: str, value: Any, source: str, place: str) -> None:
        """Take one setting, or note what is wrong with it; `place` is "" where the person has just typed it."""
        try:
            value = checked(key, value)
        except ValueError as error:
            self.errors.append(f"{place}: {error}" if place else str(error))
            return
        if key == "max_attempts" and not 1 <= value <= 7:
            given, value = value, min(max(value, 1), 7)
            self.warnings.append(
                f"{place}: max_attempts is {given}; the host ends a turn by itself after 8, so it is {value}"
            )
        self.settings[key] = value, source

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
    """
    The configuration in force. `flags` are dotted keys (`{"models": ["anthropic/…"]}`); `trusted(path)` gives the hash
    that the person trusted for a project's file, or None; without it no project is trusted.

    A variable with an error counts as absent, and of a file with one holds, line by line, what any project may set: what
    a person has switched off stays off whatever else is mistyped. Where the person's own file has an error, no model is
    asked: the file may name what must never be sent.
    """
    project_file, user_file = paths.project_config(project_dir), paths.user_config(home_dir)
    user, project = _file(user_file, "user"), _file(project_file, "project")
    variables, typed = _variables(environ), _Layer()
    for key, value in (flags or {}).items():
        typed.add(key, value, "flag", "")
    trusts = trusted is not None and project.digest == trusted(project_file)
    untrusted = [] if trusts and not project.errors else project.keep_free()
    if untrusted:
        project.warnings.append(
            f"{project_file}: not in force before you run `ace-reflect trust` in this project: {', '.join(untrusted)}"
        )
    layers = (user, project, variables, typed)
    if user.errors:
        for layer in layers:
            layer.keep_free()
    found = {key: setting for layer in layers for key, setting in layer.settings.items()}
    errors = [error for layer in layers for error in layer.errors]
    values = {key: value for key, (value, _) in found.items()}
    return Config(
        _settings(values, faulty=bool(errors)),
        values.get("endpoints", {}),
        dict.fromkeys(KEYS, "default") | {key: source for key, (_, source) in found.items()},
        tuple(warning for layer in layers for warning in layer.warnings),
        tuple(untrusted),
        "\n".join(errors),
    )


def _settings(values: Mapping[str, Any], *, faulty: bool) -> Settings:
    flat = {key.replace(".", "_"): value for key, value in values.items()}
    known = {name: value for name, value in flat.items() if name in Settings._fields}
    gates = {gate: flat[f"gates_{gate}"] for gate in GATES if f"gates_{gate}" in flat}
    routes = {name: flat.get(f"routing_models_{name}") for name in ROUTES}
    routing_models = {name: model for name, model in routes.items() if model}
    return Settings(**known, gates=gates, routing_models=routing_models, faulty=faulty)


def _variables(environ: Mapping[str, str]) -> _Layer:
    layer = _Layer()
    keys = {PREFIX + key.replace(".", "_").upper(): key for key in KEYS if key != "endpoints"}
    for name in setting_variables(environ):
        if name not in keys:
            layer.warnings.append(f"{name} is no setting of ace-reflect and was ignored")
        elif environ[name].strip():
            layer.add(keys[name], environ[name], name, name)
    return layer


# ------------------------------------------------------------------ files


def content_hash(path: str) -> str | None:
    """SHA-256 of a file's bytes, or None where it cannot be read."""
    with suppress(OSError):
        raw = read_file(path)
        return None if raw is None else hashlib.sha256(raw).hexdigest()
    return None


def read_file(path: str) -> bytes | None:
    """
    The bytes of a configuration file; None where there is none. Raises OSError, for one that is too large as well.

    A checkout may be anybody's: what is a pipe or a device there would hold a hook for ever.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", path)
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {MAX_BYTES} bytes", path)
    return raw


def _file(path: str, kind: str) -> _Layer:
    """The settings of one `reflection.yaml` and its errors, each with its line."""
    layer, loader = _Layer(), None
    try:
        raw = read_file(path)
        if raw is None:
            return layer
        layer.digest = hashlib.sha256(raw).hexdigest()
        loader = _Loader(raw.decode("utf-8-sig"))
        _add_settings(layer, loader, loader.get_single_node(), path, kind)
    except OSError as error:
        layer.errors.append(f"{path}: cannot be read ({error.strerror}); mend or remove it")
    except UnicodeDecodeError:
        layer.errors.append(f"{path}: is not UTF-8 text; save it as UTF-8 or remove it")
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # `"\UFFFFFFFF"` is a ValueError
        mark = getattr(error, "problem_mark", None) or (loader and loader.get_mark())
        place = f"{path}:{mark.line + 1}" if mark else path
        problem = " ".join(str(getattr(error, "problem", None) or error).split())
        layer.errors.append(f"{place}: is not valid YAML: {problem}; mend the line")
    return layer


class _Loader(yaml.SafeLoader):
    """Refuses what no reflection.yaml needs: aliases, ten of which can make a billion values, and deep nesting."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            self._refuse("aliases (*name) are not used here, write the value out")
        if self.depth == _DEEPEST:
            self._refuse("it is nested too deeply to be a reflection.yaml")
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def _refuse(self, problem: str) -> NoReturn:
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=self.get_mark())


def _add_settings(
    layer: _Layer, loader: _Loader, node: yaml.Node | None, path: str, kind: str, section: str = ""
) -> None:
    if node is None or node.tag == "tag:yaml.org,2002:null":
        return
    if not isinstance(node, yaml.MappingNode):
        place = f"{path}:{node.start_mark.line + 1}"
        name = section.rstrip(".") or "the file"
        layer.errors.append(f"{place}: {name} must be a table of `key: value` lines")
        return
    for key_node, value_node in node.value:
        key, place = f"{section}{key_node.value}", f"{path}:{key_node.start_mark.line + 1}"
        if len(layer.errors) >= _MOST_ERRORS:
            return
        if key in SECTIONS:
            _add_settings(layer, loader, value_node, path, kind, f"{key}.")
            continue
        try:
            value = loader.construct_object(value_node, deep=True)
        except (yaml.YAMLError, ArithmeticError, AttributeError, TypeError, ValueError) as error:
            problem = getattr(error, "problem", None) or error
            layer.errors.append(f"{place}: {key}: has a value that cannot be used ({problem})")
        else:
            layer.add(key, value, f"{kind}: {place}", place)
