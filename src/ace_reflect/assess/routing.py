"""What kind of work a task is, by a model in the background; a message that sends the task back names the agent for it."""

import json
import time
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from ace_reflect import log
from ace_reflect.assess.answers import Confidence, ModelAnswer, Text, one_of
from ace_reflect.assess.role import Role, ask_models, asker_for
from ace_reflect.llm import event_loop
from ace_reflect.state import cache, sessions
from ace_reflect.state.db import State
from ace_reflect.state.processes import run_alone
from ace_reflect.text import cut_middle, shortened

DEFAULT = "default"
LIFETIME_S = 60
ANSWER_S = 45.0
SURE_FROM = 0.5  # below this a category is a guess, and "default" is better than that
_KINDS = {"backend": "*backend*", "architecture": "*architecture*", "frontend": "*frontend*"}


class RoutingAnswer(ModelAnswer):
    """The kind of work a task is."""

    category: Annotated[
        Literal["backend", "architecture", "frontend", "default"], one_of(_KINDS, DEFAULT)
    ]
    confidence: Confidence = 0.5
    why: Text = ""


ROUTING: Role[RoutingAnswer] = Role(
    "routing", RoutingAnswer, deadline_s=30.0, max_tokens=200, fresh_s=3_600.0, fast=True
)


def main() -> int:
    """Classify one prompt; its facts come as JSON on stdin. Returns 0."""
    return run_alone("routing", route, lifetime_s=LIFETIME_S)


def route(state: State, given: Mapping[str, Any], environ: Mapping[str, str]) -> str:
    """`given`: session, project, prompt, row. The category that was kept; "" without one, or after a newer prompt."""
    session, row = str(given["session"]), int(given["row"])
    ends = time.monotonic() + ANSWER_S
    asker = asker_for(state, str(given["project"]), environ, session=session, ends=ends)
    sql = "SELECT text FROM prompts WHERE session = ? AND id < ? AND text <> '' ORDER BY id DESC LIMIT 3"
    earlier = [shortened(text, 300) for text in state.column(sql, (session, row))]
    values = {
        "task": cut_middle(str(given["prompt"]).strip(), 4_000) or "(empty)",
        "earlier": "\n".join(f"- {text}" for text in reversed(earlier)) or "(nothing)",
    }
    told = event_loop.run(ask_models(ROUTING, values, asker))
    category = ""
    with state.transaction():
        current = sessions.prompt(state, session)
        if told.value and current and current.id == row:
            category = told.value.category if told.value.confidence >= SURE_FROM else DEFAULT
            found = json.dumps({"category": category}).encode()
            cache.put(state, cache.ROUTE, session, str(row), found)
    facts = {"decision": category or "no-answer", "why": told.why[:200] or None}
    log.write(state.home_dir, "routing", session=session, **facts)
    return category
