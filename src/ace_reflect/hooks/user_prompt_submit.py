"""UserPromptSubmit: key points in front of the model; the prompt is noted, the last verdict marked pending."""

import os
from collections.abc import Mapping
from typing import BinaryIO, TextIO

from ace_reflect import paths
from ace_reflect.hooks.edge import Answer, Event, answer
from ace_reflect.hooks.inject import key_points_for
from ace_reflect.hooks.prompt_text import safe_text
from ace_reflect.state import processes, prompts, sessions

#: How what the host itself wrote begins; only then the marks are looked at one by one.
_HOSTS = (
    "<", "[", "Stop hook", "SubagentStop hook", "TeammateIdle hook", "Operation stopped", "This session is being",
    "Caveat: ", " ", "\n",
)  # fmt: skip


def main(stdin: BinaryIO, stdout: TextIO, environ: Mapping[str, str]) -> int:
    """Answer one UserPromptSubmit event. Returns 0."""
    to_route: list[str] = []
    code = answer(
        "UserPromptSubmit", stdin, stdout, environ, lambda event: _body(event, to_route), brief=True
    )
    for question in to_route:  # everything is committed by now
        from ace_reflect.hooks import routes
        from ace_reflect.state import spawn

        spawn.start_after("UserPromptSubmit", routes.PROCESS, environ, question)
    return code


def _body(event: Event, to_route: list[str]) -> Answer | None:
    prompt = event.text("prompt")
    if not event.session_id or not is_human(event, prompt):
        event.log("not-human")
        return None
    _note(event, prompt)
    if event.settings.routing_enabled:
        from ace_reflect.hooks import routes  # off by default, and then not paid for

        to_route += (
            [question]
            if routes.wanted(event) and (question := routes.question(event, prompt))
            else []
        )
    text = key_points_for(event, prompt, event.settings.injection_max_chars)
    event.log("injected" if text else "nothing-new", characters=len(text))
    if not text:
        return None
    return {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": text}}


def is_human(event: Event, prompt: str) -> bool:
    """Whether a person (or `claude -p`'s caller) gave this prompt; a plan's execution, which a person accepted, counts."""
    if event.text("agent_id") or not prompt.strip():
        return False
    if not prompt.startswith(_HOSTS):
        return True
    from ace_reflect.transcript.prompts import prompt_kind, without_wrappers

    return prompt_kind({}, without_wrappers(prompt)) in {"human", "plan"}


def _note(event: Event, prompt: str) -> None:
    if event.state is not None:
        sessions.touch(
            event.state,
            event.session_id,
            project=event.project,
            transcript=event.transcript,
            process=host_process(event),
        )
        text = safe_text(prompt, event.environ, event.settings.redaction_patterns)
        prompts.note(event.state, event.session_id, event.text("prompt_id") or None, text)
    if os.path.isdir(paths.artifacts_dir(event.project)):
        from ace_reflect.hooks.verdict_file import mark_pending

        mark_pending(event.project, event.session_id)


def host_process(event: Event) -> str:
    """The Claude Code process, so that the sweep can tell a dead session from a quiet one."""
    pid = event.environ.get("CLAUDE_PID", "")
    return (
        processes.name(int(pid))
        if pid.isdecimal() and len(pid) < 12 and int(pid) != os.getpid()
        else ""
    )
