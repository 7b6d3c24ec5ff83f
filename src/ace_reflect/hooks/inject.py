"""Key points into the conversation: chosen for a prompt, remembered, so that a session gets each of them once."""

import os
import sqlite3

from ace_reflect import paths
from ace_reflect.hooks.edge import Event
from ace_reflect.playbook.select import for_prompt
from ace_reflect.state import injections

#: The host drops what is over 10,000 UTF-16 code units; settings allow less.
HOST_LIMIT = 9_900


def key_points_for(event: Event, prompt: str, budget: int) -> str:
    """
    The text to inject for a prompt, "" where there is nothing new to say. `budget` is in UTF-16 code units.

    The project's key points come first, then the user's.
    """
    if budget <= 0:
        return ""
    project, user = _playbooks(event)
    if event.state is None:
        return _without_state(event, project, user, prompt, budget)
    known = injections.known(event.state, event.session_id)
    chosen = for_prompt(
        event.state.connection,
        project,
        user,
        prompt,
        budget=min(budget, HOST_LIMIT),
        already=[name for _, name in known],
        first=not known,
    )
    for problem in chosen.problems:
        from ace_reflect.redact import (
            redact,
        )  # only where something is wrong: it costs a hook as much as all the rest

        event.log("playbook-unreadable", problem=redact(problem, event.environ)[:300])
    if project is not None:
        injections.add(event.state, event.session_id, project, chosen.project_ids)
    if user is not None:
        injections.add(event.state, event.session_id, user, chosen.user_ids)
    return chosen.text


def _playbooks(event: Event) -> tuple[str | None, str | None]:
    project, user = paths.project_playbook(event.project), paths.user_playbook(event.home)
    # The home may be the project's own `.claude`: one playbook then, not the same one twice.
    same = os.path.realpath(project) == os.path.realpath(user)
    return (None if same or not os.path.exists(project) else project), (
        user if os.path.exists(user) else None
    )


def _without_state(
    event: Event, project: str | None, user: str | None, prompt: str, budget: int
) -> str:
    """Nothing can be remembered, so only a session's first prompt, which no transcript stands before, gets key points."""
    if os.path.exists(event.transcript):
        return ""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        return for_prompt(
            connection, project, user, prompt, budget=min(budget, HOST_LIMIT), first=True
        ).text
    finally:
        connection.close()
