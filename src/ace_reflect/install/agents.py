"""Files of ours beside settings.json: `/ace-reflect:learn`, and the agents that a fix is handed to: each with the model configured for its category.

They stand there only while routing is on. A file is ours by its last line, which holds a digest of the rest: one that
somebody has changed since, or that was there before us, is neither replaced nor removed.
"""

import hashlib
import os
from contextlib import suppress

from ace_reflect.install.registration import shipped
from ace_reflect.install.settings_file import replace
from ace_reflect.settings import ROUTES, Settings, agent_of

#: Categories with an agent; "default" stays with the session's own model.
CATEGORIES = tuple(name for name in ROUTES if name != "default")
#: Providers whose models Claude Code's agents can carry.
CARRIED = ("anthropic", "claude-code")
Changes = dict[str, str]  # path -> the text that a file is to have; "" if it is to go
_MARK = "<!-- ace-reflect: written by `ace-reflect install`, "


def plan(settings: Settings, place: str, *, learn: bool = False) -> tuple[Changes, list[str]]:
    """The files that change, and what a person should know.

    Wanted in `place`, a `.claude` folder, are the agents that `settings` name and, with `learn`, the command
    `/ace-reflect:learn` for those who have no plugin.
    """
    notes = []
    wanted: Changes = {}
    for category in CATEGORIES:
        spec = settings.routing_models.get(category, "") if settings.routing_enabled else ""
        provider, _, model = spec.partition("/")
        path = os.path.join(place, "agents", f"{agent_of(category)}.md")
        wanted[path] = ""
        if provider in CARRIED:
            wanted[path] = with_model(shipped("prompts", "agents", os.path.basename(path)), model)
        elif spec:
            notes.append(
                f"routing.models.{category}: {spec} cannot be carried by an agent of Claude Code, which runs Anthropic's"
                " models only; such fixes stay with the session's own model"
            )
    command = shipped("commands", "learn.md").replace("${CLAUDE_PLUGIN_DATA}/environment/bin/", "")
    path = os.path.join(place, "commands", "ace-reflect", "learn.md")
    wanted[path] = _marked(f"{command}\n") if learn else ""
    changes = {}
    for path, text in wanted.items():
        there = _read(path)
        if text == (there or "") or (there and not text and _MARK not in there):
            continue  # as it is to be, or never ours
        if there is None or is_ours(there):
            changes[path] = text
        else:
            notes.append(f"{path} is somebody's own, or was changed since; it is left as it is")
    return changes, notes


def carry_out(changes: Changes) -> None:
    """Write and remove. Raises ConfigError, OSError."""
    for path, text in changes.items():
        if text:
            replace(path, text.encode(), 0o644, folders=0o755)
        else:
            os.unlink(path)


def tidy(place: str) -> None:
    """Remove the folders that our files were in, or were to be in when an install was killed, if nothing else is there."""
    for name in ("agents", "commands/ace-reflect", "commands"):
        with suppress(OSError):
            os.rmdir(os.path.join(place, name))


def with_model(template: str, model: str) -> str:
    """The agent's file with its model, and the line by which it is known as ours."""
    before, _, rest = template.partition("\nmodel: ")
    body = rest.partition("\n")[2].rstrip()
    return _marked(f"{before}\nmodel: {model}\n{body}\n\n")


def is_ours(text: str) -> bool:
    """Whether a file is as `install` wrote it, of whatever version."""
    before, mark, _ = text.rpartition(_MARK)
    return bool(mark) and text == _marked(before)


def _marked(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return f"{text}{_MARK}{digest} -->\n"


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return None
