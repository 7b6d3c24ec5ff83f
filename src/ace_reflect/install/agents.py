"""Files of ours beside settings.json: `/ace-reflect:learn`, and the agents that a fix is handed to: in the scope's `agents` folder, each with the model configured for its category.

They stand there only while routing is on. A file is ours by its last line, which holds a digest of the rest: one that
somebody has changed since, or that was there before us, is neither replaced nor removed.
"""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from ace_reflect import paths
from ace_reflect.errors import ConfigError
from ace_reflect.install.settings_file import replace
from ace_reflect.settings import ROUTES, Settings, agent_of

#: Categories with an agent; "default" stays with the session's own model.
CATEGORIES = tuple(name for name in ROUTES if name != "default")
#: Providers whose models Claude Code's agents can carry.
CARRIED = ("anthropic", "claude-code")
_MARK = "<!-- ace-reflect: written by `ace-reflect install`, "


class Step(NamedTuple):
    """One file: `do` is "write", "remove" or "keep" (somebody's own); `why` says it where a person should know."""

    path: str
    do: str
    text: str = ""
    why: str = ""


def folder(scope: str, project: str, environ: Mapping[str, str]) -> str:
    """Where a scope's agents stand: the person's own, or the project's."""
    base = paths.claude_dir(environ) if scope == "user" else os.path.join(project, ".claude")
    return os.path.join(base, "agents")


def plan(
    settings: Settings, place: str, *, learn: bool = False
) -> tuple[list[Step], tuple[str, ...]]:
    """What has to be done so that exactly the agents wanted stand in `place`, and in words which cannot; and beside them,
    with `learn`, the command `/ace-reflect:learn` for those who have no plugin."""
    steps: list[Step | None] = []
    notes: list[str] = []
    for category in CATEGORIES:
        spec = settings.routing_model(category) if settings.routing_enabled else ""
        provider, _, model = spec.partition("/")
        name, text = f"{agent_of(category)}.md", ""
        if provider in CARRIED:
            with open(
                os.path.join(paths.data_dir("prompts"), "agents", name), encoding="utf-8"
            ) as file:
                text = with_model(file.read(), model)
        elif spec:
            notes.append(
                f"routing.models.{category}: {spec} cannot be carried by an agent of Claude Code, which runs Anthropic's"
                " models only; such fixes stay with the session's own model"
            )
        steps.append(_step(os.path.join(place, name), text))
    command = os.path.join(_commands(place), "ace-reflect", "learn.md")
    steps.append(_step(command, _learn_command() if learn else ""))
    return [step for step in steps if step is not None], tuple(notes)


def _commands(place: str) -> str:
    return os.path.join(os.path.dirname(place), "commands")


def tidy(place: str) -> None:
    """Remove the folders that the command was in, or was to be in when an install was killed, if nothing else is there."""
    for folder in (os.path.join(_commands(place), "ace-reflect"), _commands(place)):
        with suppress(OSError):
            os.rmdir(folder)


def _learn_command() -> str:
    with open(os.path.join(paths.data_dir("commands"), "learn.md"), encoding="utf-8") as file:
        text = file.read().replace("${CLAUDE_PLUGIN_DATA}/environment/bin/", "")
    return _marked(f"{text}\n")


def with_model(template: str, model: str) -> str:
    """The agent's file with its model, and the line by which it is known as ours."""
    before, _, rest = template.partition("\nmodel: ")
    body = rest.partition("\n")[2].rstrip()
    return _marked(f"{before}\nmodel: {model}\n{body}\n\n")


def _marked(text: str) -> str:
    return f"{text}{_MARK}{_digest(text)} -->\n"


def is_ours(text: str) -> bool:
    """Whether a file is as `install` wrote it, of whatever version."""
    before, mark, rest = text.rpartition(_MARK)
    return bool(mark) and rest == f"{_digest(before)} -->\n"


def carry_out(steps: list[Step]) -> None:
    """Write and remove. Raises ConfigError, naming the file, where that cannot be done."""
    for step in steps:
        place = os.path.dirname(step.path)
        try:
            if step.do == "write":
                replace(step.path, step.text.encode(), 0o644, folders=0o755)
            elif step.do == "remove":
                os.unlink(step.path)
                with suppress(OSError):
                    os.rmdir(place)  # goes only if nothing else is in it
        except OSError as error:
            raise ConfigError(f"{step.path}: could not be changed ({error.strerror})") from None


def _step(path: str, text: str) -> Step | None:
    """What becomes of one file that is to hold `text`; with none it is not wanted."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            there = file.read()
    except FileNotFoundError:
        return Step(path, "write", text) if text else None
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read ({error.strerror}); nothing was changed"
        ) from None
    if there == text or (not text and _MARK not in there):
        return None  # as it is to be, or never ours
    if is_ours(there):
        return Step(path, "write", text) if text else Step(path, "remove")
    why = f"{path} is somebody's own, or was changed since; it is left as it is"
    return Step(path, "keep", why=why)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
