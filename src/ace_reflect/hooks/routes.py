"""
Whom a fix is handed to: the category that a model gave the task, and the installed agent that carries its model.

A model's answer may be there at a stop or not; nothing waits for it. An agent that `install` has not written is not
named.
"""

import json
import os

from ace_reflect import paths
from ace_reflect.hooks.edge import Event, read_object
from ace_reflect.settings import agent_of, online
from ace_reflect.state import cache, prompts
from ace_reflect.values import Value

PROCESS = "ace_reflect.assess.routing"
_PROMPT_CHARS = 8_000


class Route(Value):
    """`agent` is "" where the fix stays with the session's own model."""

    category: str
    model: str = ""
    agent: str = ""

    def as_json(self) -> dict[str, str | None]:
        """For the artifact's `routing`."""
        return {"category": self.category, "model": self.model or None, "agent": self.agent or None}


def wanted(event: Event) -> bool:
    """Whether, with routing on, there is anybody to ask and anything to route to."""
    return bool(event.settings.routing_models and online(event.settings.models))


def question(event: Event, prompt: str) -> str:
    """What the process that classifies is told, as JSON; "" where there is nothing to ask about."""
    row = prompts.current(event.state, event.session_id) if event.state is not None else None
    if row is None:
        return ""
    return json.dumps(
        {
            "session": event.session_id,
            "project": event.project,
            "row": row.id,
            "prompt": prompt[:_PROMPT_CHARS],
        }
    )


def route_of(event: Event, row_id: int) -> Route | None:
    """The current task's route, as far as it is known at this moment; None where routing is off."""
    if event.state is None or not wanted(event):
        return None
    kept = cache.get(event.state, cache.ROUTE, event.session_id, str(row_id))
    found = read_object(kept) if kept is not None else None
    category = str(found.get("category")) if found else "default"
    model = event.settings.routing_model(category)
    name = agent_of(category)
    agent = name if model and category != "default" and _installed(event, name) else ""
    return Route(category=category, model=model, agent=agent)


def _installed(event: Event, name: str) -> bool:
    folders = (os.path.join(event.project, ".claude"), paths.claude_dir(event.environ))
    return any(os.path.isfile(os.path.join(folder, "agents", f"{name}.md")) for folder in folders)
