"""UserPromptSubmit: key points in front of the model; the prompt is noted, the last verdict marked pending."""

import os
from collections.abc import Mapping
from functools import partial

from ace_reflect import paths
from ace_reflect.hooks.artifacts import refresh_verdict
from ace_reflect.hooks.edge import Event, Json, answer
from ace_reflect.playbook.select import for_prompt
from ace_reflect.redact import redact
from ace_reflect.settings import online
from ace_reflect.state import processes, prompts
from ace_reflect.text import cut_middle, without_private

#: How what the host itself wrote begins; only then is the kind of prompt looked at, which takes a while to import.
_HOSTS = ("<", "[", "Stop hook", "Operation stopped", "This session is", "Caveat: ", " ", "\n")  # fmt: skip
_LOOKED_AT = 65_536  # characters of a long prompt: far more than are kept
_PENDING = {"complete": False, "severity": "NONE", "end_state": "working"}
_ROUTED_CHARS = 8_000


def _body(event: Event) -> Json | None:
    prompt = event.text("prompt")
    if event.text("agent_id") or not _is_human(prompt):
        event.log("not-human")
        return None
    event.touch(process=host_process(event.environ))
    text = kept_text(prompt, event.environ, event.settings.redaction_patterns)
    row = prompts.note(event.state, event.session_id, event.text("prompt_id") or None, text)
    refresh_verdict(event.project, event.session_id, _PENDING)
    settings = event.settings
    if settings.routing_enabled and settings.routing_models and online(settings.models):
        given = {"session": event.session_id, "project": event.project, "row": row}
        given["prompt"] = prompt[:_ROUTED_CHARS]
        event.to_start.append(("ace_reflect.assess.routing", given))
    text = key_points_for(event, prompt, event.settings.injection_max_chars)
    event.log("injected" if text else "nothing-new", characters=len(text))
    if not text:
        return None
    return {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": text}}


def _is_human(prompt: str) -> bool:
    """Whether a person (or `claude -p`'s caller) gave this prompt; a plan's execution, which a person accepted, counts."""
    if not prompt.startswith(_HOSTS):
        return bool(prompt)
    from ace_reflect.transcript.messages import prompt_kind, without_wrappers

    return prompt_kind({}, without_wrappers(prompt)) in {"human", "plan"}


def host_process(environ: Mapping[str, str]) -> str:
    """The Claude Code process, so that the sweep can tell a dead session from a quiet one; "" where it is not told."""
    pid = environ.get("CLAUDE_PID", "")
    return processes.name(int(pid)) if pid.isdecimal() else ""


def key_points_for(event: Event, prompt: str, budget: int) -> str:
    """What to inject for a prompt, each key point once a session; "" for nothing new. `budget`: UTF-16 code units."""
    state, session_id = event.state, event.session_id
    places = (paths.project_playbook(event.project), paths.user_playbook(event.home))
    project, user = (path if os.path.exists(path) else None for path in places)
    known = [name for _, name in prompts.injected(state, session_id)]
    chosen = for_prompt(
        state.connection, project, user, prompt, budget=budget, already=known, first=not known
    )
    for problem in chosen.problems:
        event.log("playbook-unreadable", problem=redact(problem, event.environ)[:300])
    for book, ids in ((project, chosen.project_ids), (user, chosen.user_ids)):
        if book is not None:
            prompts.add_injected(state, session_id, book, ids)
    return chosen.text


def kept_text(prompt: str, environ: Mapping[str, str], patterns: tuple[str, ...] = ()) -> str:
    """At most `prompts.MAX_TEXT` characters of a prompt, redacted; of a longer one the beginning and the end."""
    clean = redact(without_private(cut_middle(prompt, _LOOKED_AT)), environ, patterns=patterns)
    # Cut when it is redacted: half a secret would not be known for one.
    return clean if len(clean) <= prompts.MAX_TEXT else cut_middle(clean, prompts.MAX_TEXT - 50)


main = partial(answer, "UserPromptSubmit", _body)
