"""
What kind of work a task is, told by a model while the turn runs: the agent for it is named if a stop sends it back.

UserPromptSubmit starts this as a process of its own and waits for nothing. There is no rule to fall back on: without an
answer, or with one that comes too late, the task is "default", and nothing is handed to anybody.
"""

import json
import re
import time
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from ace_reflect import log
from ace_reflect.assess.asker import Asker, ask_models, asker_for
from ace_reflect.assess.fields import Confidence, ModelAnswer, Text, certainty
from ace_reflect.assess.role import Role, Told
from ace_reflect.assess.text import cut
from ace_reflect.llm import event_loop
from ace_reflect.settings import ROUTES
from ace_reflect.state import cache, prompts
from ace_reflect.state.alone import run_alone
from ace_reflect.state.db import State
from ace_reflect.text import shortened

DEFAULT = "default"
LIFETIME_S = 60
ANSWER_S = 45.0
#: Below this a category is a guess, and "default" is better than that.
SURE_FROM = 0.5
_EARLIER = 3
_TASK_CHARS = 4_000


def _category(value: Any) -> str:
    word = re.sub(r"[^a-z]+", " ", str(value).lower()).strip()
    return next((name for name in ROUTES if name in word.split()), DEFAULT)


class RoutingAnswer(ModelAnswer):
    """The kind of work a task is."""

    category: Annotated[
        Literal["backend", "architecture", "frontend", "default"], BeforeValidator(_category)
    ]
    confidence: Confidence = None
    why: Text = ""


ROUTING: Role[RoutingAnswer] = Role(
    "routing",
    "routing.txt",
    RoutingAnswer,
    deadline_s=30.0,
    max_tokens=200,
    fresh_s=3_600.0,
    fast=True,
)


async def classify(asker: Asker, task: str, earlier: str = "") -> Told[RoutingAnswer | None]:
    """The task's category, by a fast model. Never raises an `Exception`."""
    values = {"task": cut(task, _TASK_CHARS) or "(empty)", "earlier": earlier or "(nothing)"}
    return await ask_models(ROUTING, values, asker)


def main() -> int:
    """Classify one prompt; its facts come as JSON on stdin. Returns 0."""
    return run_alone("routing", route, lifetime_s=LIFETIME_S)


def route(state: State, given: Mapping[str, Any], environ: Mapping[str, str]) -> str:
    """`given`: session, project, prompt, row. The category that was kept; "" where none was."""
    session, row = str(given["session"]), int(given["row"])
    started = time.monotonic()
    asker = asker_for(
        state, str(given["project"]), environ, session=session, ends=started + ANSWER_S
    )
    told = event_loop.run(classify(asker, str(given["prompt"]), _earlier(state, session, row)))
    category = _kept(state, session, row, told)
    log.write(
        state.home_dir, "routing", session=session, decision=category or "no-answer", why=told.why[:200] or None,
        ms=round((time.monotonic() - started) * 1000),
    )  # fmt: skip
    return category


def _kept(state: State, session: str, row: int, told: Told[RoutingAnswer | None]) -> str:
    """Write the answer down, unless the person has gone on to another prompt."""
    if told.value is None:
        return ""
    sure = certainty(told.value.confidence) >= SURE_FROM
    category = told.value.category if sure else DEFAULT
    with state.transaction():
        current = prompts.current(state, session)
        if current is None or current.id != row:
            return ""
        found = {"category": category, "why": told.value.why, "by": told.model or told.source}
        cache.put(state, cache.ROUTE, session, str(row), json.dumps(found).encode())
    return category


def _earlier(state: State, session: str, row: int) -> str:
    rows = state.all(
        "SELECT text FROM prompts WHERE session = ? AND id < ? AND text <> '' ORDER BY id DESC LIMIT ?",
        (session, row, _EARLIER),
    )
    return "\n".join(f"- {shortened(text, 300)}" for (text,) in reversed(rows))
