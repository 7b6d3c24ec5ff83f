"""
Configuration: flag, then `ACE_REFLECT_*`, then the project's `reflection.yaml`, then the user's, then the default.

A project's file may choose workflow, gates and budgets (`FREE_KEYS`). What could send a transcript somewhere, run a
command or weaken the learning (models, endpoints, notify, routing, review, redaction, what is learned unseen) is taken
from it only after `ace-reflect trust`, which remembers the file's hash.
"""

import os
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from ace_reflect.config_faults import fault, near
from ace_reflect.config_form import FREE_FORM, File, annotation_of, known_keys, settings_of
from ace_reflect.config_yaml import LARGEST, content_hash, settings_in
from ace_reflect.errors import AceReflectError, ConfigError
from ace_reflect.redact import configured
from ace_reflect.settings import GATES, RESERVED, Settings, config_files, default_mode

_PREFIX = "ACE_REFLECT_"
_FLAG = "flag"  # the source of what the command line says
#: The keys that a project's file may set without being trusted.
FREE_KEYS = frozenset(
    {
        "workflow",
        "gates",
        "max_attempts",
        "assess.when",
        "injection.max_chars",
        "enabled",
        "learning.on",
    }
)


@dataclass(frozen=True, slots=True)
class Config:
    """
    What is in force, and where each value comes from.

    `sources`: dotted key -> "default", "user: …/reflection.yaml:4", "project: …", "ACE_REFLECT_ASSESS_WHEN" or "flag".
    """

    file: File
    settings: Settings
    sources: dict[str, str]
    warnings: tuple[str, ...] = ()
    untrusted: tuple[str, ...] = ()  # keys of the project's file that wait for `ace-reflect trust`
    project_file: str = ""
    user_file: str = ""
    fault: str = ""  # why not all of it could be used (`load_usable`)

    @property
    def redaction_patterns(self) -> tuple[re.Pattern[str], ...]:
        return configured(self.file.redaction.patterns)


@dataclass(slots=True)
class _Layers:
    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    untrusted: list[str] = field(default_factory=list)

    def set(self, key: str, value: Any, source: str) -> None:
        self.values[key] = value
        self.sources[key] = source


def _nobody(_path: str) -> None:
    """No project's file is trusted."""


def load(
    project_dir: str,
    home_dir: str,
    environ: Mapping[str, str],
    *,
    flags: Mapping[str, Any] | None = None,
    trusted: Callable[[str], str | None] = _nobody,
) -> Config:
    """
    The configuration in force. `flags` are dotted keys (`{"models": ["anthropic/…"]}`); `trusted(path)` gives the hash
    that the person trusted for a project's file, or None.

    Raises ConfigError naming the file, the line, and the nearest known key.
    """
    return _load(project_dir, home_dir, environ, flags or {}, trusted)


def _load(
    project_dir: str,
    home_dir: str,
    environ: Mapping[str, str],
    flags: Mapping[str, Any],
    trusted: Callable[[str], str | None],
    faulty: Collection[str] = (),
) -> Config:
    project_file, user_file = config_files(project_dir, home_dir)
    layers = _Layers()
    if "user" in faulty:
        _add_harmless(layers, user_file, "user")
    else:
        _add_file(layers, user_file, "user", free_only=False)
    if os.path.abspath(project_file) != os.path.abspath(user_file):
        known = trusted(project_file)
        if "project" in faulty:
            _add_harmless(layers, project_file, "project")
        else:
            _add_file(
                layers,
                project_file,
                "project",
                free_only=known is None or known != content_hash(project_file),
            )
    _add_environment(layers, environ)
    for key, value in flags.items():
        layers.set(key, value, _FLAG)
    return _finish(layers, project_file, user_file)


def load_usable(
    project_dir: str,
    home_dir: str,
    environ: Mapping[str, str],
    *,
    trusted: Callable[[str], str | None] = _nobody,
) -> Config:
    """
    What can be used of the configuration, for hooks: a variable with an error counts as absent, and of a file with one
    holds, line by line, what any project may set. So what a person has switched off stays off whatever else is mistyped.

    Where the person's own file has an error, no model is asked: the file may name what must never be sent.
    """
    try:
        return load(project_dir, home_dir, environ, trusted=trusted)
    except AceReflectError as error:
        fault = str(error)
    given = {
        name: text
        for name, text in environ.items()
        if name.startswith(_PREFIX) and _is_usable(name, text)
    }
    free = {name: text for name, text in given.items() if name in _free_variables()}
    for faulty, variables, trusts in (
        ((), given, trusted),
        (("project",), given, trusted),
        (("user",), free, _nobody),
        (("user", "project"), free, _nobody),
    ):
        with suppress(AceReflectError):
            return _with_fault(_load(project_dir, home_dir, variables, {}, trusts, faulty), fault)
    return _with_fault(load(os.devnull, os.devnull, {}), fault)


def _with_fault(found: Config, fault: str) -> Config:
    return replace(found, fault=fault, settings=found.settings.replace(faulty=True))


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


def _finish(layers: _Layers, project_file: str, user_file: str) -> Config:
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
    file = _with_usable_attempts(file, layers)
    sources = {key: layers.sources.get(key, "default") for key in known_keys()} | layers.sources
    return Config(
        _with_mode_by_workflow(file),
        settings_of(file),
        sources,
        tuple(layers.warnings),
        tuple(layers.untrusted),
        project_file,
        user_file,
    )


def _with_usable_attempts(file: File, layers: _Layers) -> File:
    usable = min(max(file.max_attempts, 1), 7)
    if usable == file.max_attempts:
        return file
    layers.warnings.append(
        f"{_place(layers, 'max_attempts')}max_attempts is {file.max_attempts}; 1 to 7 can be used (the host ends a turn by itself after 8), so it is {usable}"
    )
    return file.model_copy(update={"max_attempts": usable})


def _with_mode_by_workflow(file: File) -> File:
    """With the mode of `direct_push` that the workflow gives it, where nobody chose one."""
    if "direct_push" in file.gates.model_fields_set:
        return file
    mode = default_mode("direct_push", file.workflow)
    return file.model_copy(update={"gates": file.gates.model_copy(update={"direct_push": mode})})


def _check_patterns(file: File, layers: _Layers) -> None:
    for pattern in file.redaction.patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(
                f"{_place(layers, 'redaction.patterns')}redaction.patterns: {pattern!r} is no regular expression: {error}"
            ) from None


# ------------------------------------------------------------------ files


def _add_file(layers: _Layers, path: str, kind: str, *, free_only: bool) -> None:
    lines: dict[str, int] = {}
    for key, value, line in settings_in(path):
        if key in lines:
            layers.warnings.append(
                f"{path}:{line}: {key} is set in line {lines[key]} too; this line counts"
            )
        lines[key] = line
        if free_only and not _is_free(key):
            layers.untrusted.append(key)
        else:
            layers.set(key, value, f"{kind}: {path}:{line}")
    if free_only and layers.untrusted:
        layers.warnings.append(
            f"{path}: not in force before you run `ace-reflect trust` in this project: {', '.join(layers.untrusted)}"
        )


def _add_harmless(layers: _Layers, path: str, kind: str) -> None:
    """Of a file with an error: each setting that any project may make, and that can be used."""
    for key, value, line in settings_in(path, passing_over=True):
        alone = _Layers()
        alone.set(key, value, kind)
        if _is_free(key):
            with suppress(ConfigError):
                _finish(alone, "", "")
                layers.set(key, value, f"{kind}: {path}:{line}")


def _is_free(key: str) -> bool:
    return any(key == free or key.startswith(free + ".") for free in FREE_KEYS)


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
    by_variable = {_variable(key): key for key in known_keys() if key not in FREE_FORM}
    for name in sorted(environ):
        short = name.removeprefix(_PREFIX)
        if short == name or short in RESERVED:
            continue
        if name == "ACE_REFLECT_GATES":
            _add_gates(layers, environ[name])
        elif name in by_variable:
            key, text = by_variable[name], environ[name]
            # `VARIABLE=` says nothing, but for a list or a text: there it takes away what a file says.
            if text.strip() or any(kind in annotation_of(key) for kind in ("tuple", "str")):
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


def _from_text(key: str, text: str, name: str) -> Any:
    if annotation_of(key) == "<class 'int'>" and re.fullmatch(r"\s*[+-]?\d+\s*", text):
        if len(text) > len(str(LARGEST)):
            raise ConfigError(f"{name}: is a number that is too large to mean anything here")
        return int(text)  # as from a file, so that it is held to what can be used
    return text
