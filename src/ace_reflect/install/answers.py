"""What a person answered at the install, into their `reflection.yaml`, without touching a line that says something else."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from ace_reflect import config, paths
from ace_reflect.errors import ConfigError
from ace_reflect.llm import registry
from ace_reflect.settings import OFFLINE, online


def parse_models(text: str) -> list[str]:
    """The models of a comma-separated answer, in order; none for `no`, `none`, `offline` or nothing."""
    named = [part.strip() for part in text.split(",") if part.strip()]
    return [] if text.strip().lower() in {"n", "no", "none", OFFLINE} else named


def in_force(answers: Mapping[str, Any], environ: Mapping[str, str]) -> config.Config:
    """The person's own configuration as it is to be with `answers`, which also stand in for a broken value of the file.
    Raises ConfigError for an answer that cannot be used, and for a file that is broken elsewhere.
    """
    found = config.load(os.devnull, paths.home(environ), environ, flags=answers).sound()
    for spec in online(answers.get("models", ())):
        registry.model_for(spec, found, environ)
    return found


def merged(old: str, answers: Mapping[str, Any], path: str) -> str:
    """The file's text with `answers` in force; comments and other settings stay where they are.
    Raises ConfigError where the file is written in a way that cannot be changed line by line.
    """
    current = _read(old)
    changed = {key: value for key, value in answers.items() if value != current.get(key)}
    lines = old.splitlines()
    gone = set(_lines_of(changed, lines))
    lines = [line for number, line in enumerate(lines) if number not in gone]
    for key, value in changed.items():
        dumped = yaml.safe_dump(value, default_flow_style=True, width=10_000)
        lines.append(f"{key}: {dumped.splitlines()[0]}")
    new = "".join(f"{line}\n" for line in lines)
    try:
        if _read(new) == {**current, **changed}:
            return new
    except yaml.YAMLError:
        pass
    raise ConfigError(
        f"{path}: is not written as lines of `key: value`, so {', '.join(changed)} cannot be changed there; change "
        "it by hand, nothing was changed"
    )


def _lines_of(keys: Mapping[str, Any], lines: list[str]) -> Iterator[int]:
    """The numbers of the lines on which these settings stand; comments and blank lines are nobody's."""
    inside = False
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] not in " -]}":
            inside = line.partition(":")[0] in keys
        if inside:
            yield number


def _read(text: str) -> dict[str, Any]:
    """Every word as it is written: to YAML the key in `learning: {on: …}` is `true`."""
    found = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - BaseLoader makes text, lists and tables only
    return found if isinstance(found, dict) else {}
