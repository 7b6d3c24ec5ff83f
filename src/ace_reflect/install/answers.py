"""What a person answered at the install, into their `reflection.yaml`, without touching a line that says something else."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from ace_reflect import atomic, config, paths
from ace_reflect.errors import ConfigError
from ace_reflect.llm import registry
from ace_reflect.settings import OFFLINE


def parse_models(text: str) -> list[str]:
    """The models of a comma-separated answer, in order; none for `none`, `offline` or nothing."""
    named = [part.strip() for part in text.split(",") if part.strip()]
    return [] if [name.lower() for name in named] in ([], ["none"], [OFFLINE]) else named


def in_force(answers: Mapping[str, Any], environ: Mapping[str, str]) -> config.Config:
    """
    The person's own configuration as it is to be with `answers`, which also stand in for a broken value of the file.

    Raises ConfigError for an answer that cannot be used, and for a file that is broken elsewhere.
    """
    found = config.load(os.devnull, paths.home(environ), environ, flags=as_flags(answers))
    for spec in answers.get("models", ()):
        if spec != OFFLINE:
            registry.model_for(spec, found, environ)
    return found


def as_flags(answers: Mapping[str, Any]) -> dict[str, Any]:
    """`{"learning": {"review": "all"}}` with dotted keys, as `config.load` takes them."""
    flags: dict[str, Any] = {}
    for key, value in answers.items():
        if isinstance(value, dict):
            flags.update({f"{key}.{inner}": each for inner, each in value.items()})
        else:
            flags[key] = value
    return flags


def merged(old: str, answers: Mapping[str, Any], path: str) -> str:
    """
    The file's text with `answers` in force; comments and other settings stay where they are.

    Raises ConfigError where the file is written in a way that cannot be changed line by line.
    """
    current = _read(old)
    wanted = {key: _with_the_rest(current.get(key), value) for key, value in answers.items()}
    changed = {key: value for key, value in wanted.items() if current.get(key) != value}
    gone = set(_lines_of(changed, old))
    kept = [line for number, line in enumerate(old.splitlines()) if number not in gone]
    new = "".join(
        f"{line}\n"
        for line in [*kept, *(f"{key}: {_one_line(value)}" for key, value in changed.items())]
    )
    if not _says(new, {**current, **changed}):
        raise ConfigError(
            f"{path}: is not written as lines of `key: value`, so {', '.join(changed)} cannot be changed there; change "
            "it by hand, nothing was changed"
        )
    return new


def write(path: str, text: str) -> None:
    """Replace the file, mode 0600. Raises ConfigError where that cannot be done; then the old file stands."""
    real = os.path.realpath(path)  # a dotfiles repository keeps its file
    folder, name = os.path.split(real)
    try:
        paths.make_folder(folder)
        atomic.remove_stale(folder, name)
        atomic.write(real, text.encode())
    except OSError as error:
        raise ConfigError(
            f"{path}: could not be written ({error.strerror}); the old file stands"
        ) from None


def _with_the_rest(current: Any, value: Any) -> Any:
    """An answer about one setting of a section leaves the section's others as they are."""
    return {**current, **value} if isinstance(current, dict) and isinstance(value, dict) else value


def _lines_of(keys: Mapping[str, Any], text: str) -> Iterator[int]:
    """The lines, counted from 0, on which a setting stands, however many it takes."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value in keys:
            yield from range(key.start_mark.line, _last_line(value) + 1)


def _last_line(node: yaml.Node) -> int:
    """A block's own end mark stands behind the comments and blank lines that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    end: int = node.end_mark.line
    return end - 1 if node.end_mark.column == 0 and end > node.start_mark.line else end


def _says(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return _read(text) == wanted
    except yaml.YAMLError:
        return False


def _read(text: str) -> dict[str, Any]:
    """Every word as it is written: to YAML the key in `learning: {on: …}` is `true`."""
    found = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - BaseLoader makes text, lists and tables only
    return found if isinstance(found, dict) else {}


def _one_line(value: Any) -> str:
    return yaml.safe_dump(value, default_flow_style=True, width=10_000).splitlines()[0]
