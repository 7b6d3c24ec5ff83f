"""
The agents that a fix is handed to: in the scope's `agents` folder, each with the model configured for its category.

They stand there only while routing is on. A file is ours by its last line, which holds a digest of the rest: one that
somebody has changed since, or that was there before us, is neither replaced nor removed.
"""

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ace_reflect import atomic, paths
from ace_reflect.errors import ConfigError
from ace_reflect.settings import ROUTES, Settings, agent_of

#: Categories with an agent; "default" stays with the session's own model.
CATEGORIES = tuple(name for name in ROUTES if name != "default")
#: Providers whose models Claude Code's agents can carry.
CARRIED = ("anthropic", "claude-code")
_MARK = re.compile(r"<!-- ace-reflect: written by `ace-reflect install`, ([0-9a-f]{16}) -->\n?\Z")


@dataclass(frozen=True, slots=True)
class Step:
    """One file: `do` is "write", "remove", "keep" (somebody's own) or "same"; `why` says it where a person should know."""

    path: str
    do: str
    text: str = ""
    why: str = ""


def folder(scope: str, project: str, environ: Mapping[str, str]) -> str:
    """Where a scope's agents stand: the person's own, or the project's."""
    base = paths.claude_dir(environ) if scope == "user" else os.path.join(project, ".claude")
    return os.path.join(base, "agents")


def wanted(settings: Settings) -> tuple[dict[str, str], tuple[str, ...]]:
    """
    (file name -> text) of the agents that the settings call for, and in words what cannot be carried.
    """
    if not settings.routing_enabled:
        return {}, ()
    files: dict[str, str] = {}
    notes: list[str] = []
    for category in CATEGORIES:
        spec = settings.routing_model(category)
        provider, _, model = spec.partition("/")
        if spec and provider not in CARRIED:
            notes.append(
                f"routing.models.{category}: {spec} cannot be carried by an agent of Claude Code, which runs Anthropic's"
                " models only; such fixes stay with the session's own model"
            )
        elif spec:
            files[_file(category)] = with_model(_template(category), model)
    return files, tuple(notes)


def plan(settings: Settings, place: str) -> tuple[list[Step], tuple[str, ...]]:
    """What has to be done in the folder `place` so that exactly the agents wanted stand there, and what to say about it."""
    files, notes = wanted(settings)
    steps = [
        _step(os.path.join(place, _file(category)), files.get(_file(category)))
        for category in CATEGORIES
    ]
    return [step for step in steps if step is not None], notes


def carry_out(steps: list[Step]) -> None:
    """Write and remove. Raises ConfigError, naming the file, where that cannot be done."""
    for step in steps:
        try:
            if step.do == "write":
                paths.make_folder(os.path.dirname(step.path), 0o755)
                atomic.write(step.path, step.text.encode(), mode=0o644)
            elif step.do == "remove":
                os.unlink(step.path)
        except OSError as error:
            raise ConfigError(f"{step.path}: could not be changed ({error.strerror})") from None
    for place in {os.path.dirname(step.path) for step in steps if step.do == "remove"}:
        try:
            os.rmdir(place)  # goes only where nothing else stands in it
        except OSError:
            continue


def with_model(template: str, model: str) -> str:
    """The agent's file with its model, and the line by which it is known as ours."""
    text = (
        re.sub(r"(?m)^model: .*$", lambda _: f"model: {model}", template, count=1).rstrip("\n")
        + "\n\n"
    )
    return f"{text}<!-- ace-reflect: written by `ace-reflect install`, {_digest(text)} -->\n"


def is_ours(text: str) -> bool:
    """Whether a file is as `install` wrote it, of whatever version."""
    found = _MARK.search(text)
    return found is not None and found[1] == _digest(text[: found.start()])


def _step(path: str, text: str | None) -> Step | None:
    there = _read(path)
    if there is None:
        return None if text is None else Step(path, "write", text)
    if there == text:
        return Step(path, "same")
    if is_ours(there):
        return Step(path, "remove") if text is None else Step(path, "write", text)
    if text is None and not _MARK.search(there):
        return None  # never ours
    return Step(
        path, "keep", why=f"{path} is somebody's own, or was changed since; it is left as it is"
    )


def _file(category: str) -> str:
    return f"{agent_of(category)}.md"


def _template(category: str) -> str:
    with open(os.path.join(paths.data_dir("agents"), _file(category)), encoding="utf-8") as file:
        return file.read()


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read ({error.strerror}); nothing was changed"
        ) from None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
