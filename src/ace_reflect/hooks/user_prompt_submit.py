"""UserPromptSubmit: key points in front of the model; the prompt is noted, the last verdict marked pending."""

from collections.abc import Mapping

from ace_reflect.hooks.artifacts import refresh_verdict
from ace_reflect.hooks.edge import Event, Json, context, hook
from ace_reflect.hooks.pre_compact import take_note
from ace_reflect.playbook.select import for_prompt
from ace_reflect.redact import redact
from ace_reflect.settings import online
from ace_reflect.state import processes, sessions
from ace_reflect.text import cut_middle, without_private

#: How the host's own texts begin; only then is the kind of prompt examined, which takes a while to import.
_HOSTS = ("<", "[", "Stop hook", "Operation stopped", "This session is", "Caveat: ", " ", "\n")  # fmt: skip
#: Parts of the words for the checks: `words` takes a while to import.
_GATES = ("gate", "reflect", "prüf", "гейт", "провер", "门禁", "門禁", "ゲート", "게이트")
_PENDING = {"complete": False, "severity": "NONE", "end_state": "working"}


@hook("UserPromptSubmit")
def main(event: Event) -> Json | None:
    prompt = event.text("prompt")
    if event.text("agent_id") or not _is_human(prompt):
        event.log("not-human")
        return None
    # The Claude Code process, so that the sweep can tell a dead session from a quiet one.
    pid = event.environ.get("CLAUDE_PID", "")
    event.touch(process=processes.name(int(pid)) if pid.isdecimal() else "")
    text = kept_text(prompt, event.environ, event.settings.redaction_patterns)
    prompt_id = event.text("prompt_id") or None
    row = sessions.note_prompt(event.state, event.session_id, prompt_id, text)
    refresh_verdict(event, _PENDING)
    settings = event.settings
    if settings.routing_enabled and settings.routing_models and online(settings.models):
        event.to_start.append(("ace_reflect.assess.routing", {"row": row, "prompt": text}))
    note = take_note(event) or ""
    text = key_points_for(event, prompt, event.settings.injection_max_chars - len(note))
    event.log("injected" if text else "nothing-new", characters=len(text))
    said = context("UserPromptSubmit", "\n\n".join(filter(None, (note, text)))) or {}
    if any(word in prompt.lower() for word in _GATES):
        from ace_reflect.gates.words import found, ordered

        if heard := ordered(prompt, "gates"):
            how_long = "this session" if found("session", heard[-1]) else "this prompt"
            said["systemMessage"] = f"ace-reflect: checks are off for {how_long}: “{heard[-1]}”"
    return said or None


def _is_human(prompt: str) -> bool:
    """Whether a person (or `claude -p`'s caller) gave this prompt; a plan's execution, which a person accepted, counts."""
    if not prompt.startswith(_HOSTS):
        return bool(prompt)
    from ace_reflect.transcript.messages import prompt_kind, without_wrappers

    return prompt_kind({}, without_wrappers(prompt)) in {"human", "plan"}


def key_points_for(event: Event, prompt: str, budget: int) -> str:
    """What to inject for a prompt, each key point once per session; "" for nothing new. `budget`: UTF-16 code units."""
    state, session_id = event.state, event.session_id
    project, user = event.playbooks()
    known = [name for _, name in sessions.injected(state, session_id)]
    given = (state.connection, project, user, prompt)
    chosen = for_prompt(*given, budget=budget, already=known, first=not known)
    sessions.add_injected(state, session_id, project, chosen.project_ids)
    sessions.add_injected(state, session_id, user, chosen.user_ids)
    return chosen.text


def kept_text(prompt: str, environ: Mapping[str, str], patterns: tuple[str, ...] = ()) -> str:
    """At most `sessions.MAX_TEXT` characters of a prompt, redacted; of a longer one the beginning and the end."""
    clean = redact(cut_middle(without_private(prompt), 65_536), environ, patterns=patterns)
    # Redacted before it is cut: half a secret would not be recognised.
    return clean if len(clean) <= sessions.MAX_TEXT else cut_middle(clean, sessions.MAX_TEXT - 50)
