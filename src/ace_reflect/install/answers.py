"""What a person answered at the install, into their `reflection.yaml`, without touching a line that says something else."""

import os
from typing import Any

import yaml

from ace_reflect import paths
from ace_reflect.errors import ConfigError


def merged(old: str, answers: dict[str, Any], path: str) -> str:
    """
    The file's text with `answers` in force; comments and other settings stay where they are.

    Raises ConfigError where an answer would have to replace a setting written over several lines.
    """
    current = yaml.safe_load(old) or {}
    changed = {key: value for key, value in answers.items() if current.get(key) != value}
    kept = [line for line in old.splitlines() if line.partition(":")[0] not in changed]
    try:
        rest = yaml.safe_load("\n".join(kept)) or {}
    except yaml.YAMLError:
        rest = changed
    if set(rest) & set(changed):
        raise ConfigError(f"{path}: {', '.join(changed)} stand there over several lines; change them by hand")
    return "".join(f"{line}\n" for line in [*kept, *(f"{key}: {_one_line(value)}" for key, value in changed.items())])


def write(path: str, text: str) -> None:
    """Replace the file, mode 0600. Raises ConfigError where that cannot be done; then the old file stands."""
    temporary = path + ".new"
    try:
        paths.make_folder(os.path.dirname(path))
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise ConfigError(f"{path}: could not be written ({error.strerror}); the old file stands") from None


def _one_line(value: Any) -> str:
    return yaml.safe_dump(value, default_flow_style=True, width=10_000).splitlines()[0]
