"""A line of the log in plain words: the file keeps names for programs, the page says what was done."""

from collections.abc import Callable, Mapping
from typing import Any

from ace_reflect.hooks.edge import EVENTS

Row = Mapping[str, Any]

#: (event, decision) -> what happened; `{name}` is a field of the line.
_SAID = {
    ("UserPromptSubmit", "injected"): "prompt: key points put in front of Claude ({characters} characters)",
    ("UserPromptSubmit", "nothing-new"): "prompt: no key point to add",
    ("UserPromptSubmit", "not-human"): "prompt: not a person's, left alone",
    ("Stop", "not-judged"): "stop: not checked, it is a subagent's or its session is not known",
    ("Stop", "no-transcript"): "stop: not checked, its transcript cannot be read",
    ("Stop", "nothing-new"): "stop: stands, nothing new since the last one",
    ("Stop", "transcript-behind"): "stop: stands, its answer did not come into the transcript in time",
    ("Stop", "notify-failed"): "stop: your notify command could not be started",
    ("Stop", "block"): "stop: sent back to Claude (message {attempt})",
    ("Stop", "allow"): "stop: stands",
    ("Assess", "stands"): "model check: the stop stands",
    ("Stop", "defer"): "stop: not judged yet",
    ("SessionStart", "compact"): "compaction: key points and how to go on put in front of Claude ({characters} characters)",
    ("PreCompact", "queued"): "compaction: finished turns queued to be learned from",
    ("PreCompact", "learning-off"): "compaction: begins; learning from it is off",
    ("SessionEnd", "queued"): "session ended: queued to be learned from",
    ("SessionEnd", "nothing-queued"): "session ended: nothing to learn from",
    ("Assess", "no-decision"): "model check: not begun, the rules took too long",
    ("Assess", "not-needed"): "model check: not needed, the rules decided",
    ("Assess", "gone-on"): "model check: given up",
    ("Assess", "not-asked"): "model check: no model could be asked",
    ("Assess", "asking"): "model check: asks a model",
    ("Assess", "asked-before"): "model check: not asked again, nothing was done since",
    ("Assess", "gave-up"): "model check: given up after {attempt} messages, nothing was done since",
    ("Assess", "wake"): "model check: sent back to Claude (message {attempt})",
    ("compaction", "superseded"): "compaction: note dropped, a newer compaction began",
    ("compaction", "needs_github_update"): "compaction: Claude is told to update the pull request",
    ("compaction", "continue_task"): "compaction: Claude is told to go on",
    ("compaction", "needs_clarification"): "compaction: Claude is told to say where things stand",
    ("compaction", "task_complete"): "compaction: the task was finished, nothing is said",
    ("routing", "no-answer"): "routing: no agent chosen",
    ("notify", "failed"): "your notify command failed",
    ("notify", "told"): "your notify command ran",
    ("settle", "completed"): "playbook: a change that was cut short is on record now",
    ("settle", "rolled-forward"): "playbook: a change that was cut short was finished",
    ("settle", "abandoned"): "playbook: a change that was cut short was dropped, the file had changed since",
    ("state-set-aside", ""): "state.db was broken: set aside as {corrupt}, a new one was begun",
    ("learn", "failed"): "learning: failed",
}  # fmt: skip
_ANY_EVENT = {
    "unreadable-payload": "{event} hook: what Claude Code sent cannot be read ({size_bytes} bytes); nothing was done",
    "other-event": "{event} hook: called for another event; nothing was done",
    "playbook-unreadable": "a playbook cannot be read and is not used",
}
#: end state -> the words for it; `status` has them too.
END_STATES = {
    "complete": "done",
    "incomplete": "work is left",
    "open_from_earlier": "work of an earlier prompt is left",
    "waiting_for_user": "Claude waits for you",
    "blocked_on_human": "only you can go on",
    "working": "work still runs",
    "gave_up": "enough messages were given",
    "skipped": "the checks are switched off",
    "not_applicable": "nothing to check",
    "error": "it could not be judged",
}
_STARTS = {"startup": "new", "resume": "resumed", "clear": "after /clear", "fork": "a fork"}
#: Where a failure happened, if it was in no hook.
_PLACES = {
    "": "ace-reflect",
    "bug": "a command",
    "learn": "learning",
    "worker": "the process that learns",
    "settle": "a change of the playbook that was cut short",
    "notify": "your notify command",
    "compaction": "the note for a compaction",
    "routing": "the routing of a task",
    "Assess": "the model check",
}
_KNOWN = frozenset({"at", "event", "session", "decision", "ms", "level"})


def in_words(row: Row) -> str:
    """What one line of the log says, without its time and session. A line of a newer program is given as it stands."""
    event, decision = str(row.get("event", "")), str(row.get("decision", ""))
    said = _SAID.get((event, decision)) or _ANY_EVENT.get(decision)
    if said:
        ended = END_STATES.get(str(row.get("end_state"))) if said.endswith("stands") else ""
        return _with_reasons(said.format_map(_Fields(row)) + (f", {ended}" if ended else ""), row)
    if "error" in row and not decision:
        return _failure(row)
    if decision and event in _OTHERWISE:
        return _with_reasons(_OTHERWISE[event](row), row)
    if row.get("level") == "debug":
        return _with_reasons(f"{event}: {decision}", row)
    rest = " ".join(
        f"{name}={_shown(value)}"
        for name, value in row.items()
        if name not in _KNOWN and _says(value)
    )
    return f"{event} {decision} {rest}".strip()


def _started(row: Row) -> str:
    source = str(row["decision"])
    told = "; you were told what waits" if row.get("waiting") else ""
    return f"session started ({_STARTS.get(source, source)}){told}"


#: event -> the words, where the decision is no fixed word
_OTHERWISE: dict[str, Callable[[Row], str]] = {
    "SessionStart": _started,
    "learn": lambda row: f"learned: {row['decision']}",
    "routing": lambda row: f"routing: the task is of the kind {row['decision']}",
}


def _failure(row: Row) -> str:
    """A failure of ours, or of the machine under us; its kind and place are for a report."""
    event = str(row.get("event", ""))
    where = _PLACES.get(event) or (f"the {event} hook" if event in EVENTS else event)
    said = f": {row['message']}" if row.get("message") else ""
    return f"error in {where}{said} ({', '.join(str(row[name]) for name in ('error', 'where') if row.get(name))})"


def _with_reasons(said: str, row: Row) -> str:
    gates = [_gate(gate) for gate in row.get("gates") or () if isinstance(gate, str)]
    reasons = [
        _shown(row[name])
        for name in ("why", "problem", "error", "models", "model")
        if _says(row.get(name))
    ]
    if row.get("decision") == "allow":  # they are no reason for a stop that stands
        still_open = f"; still open: {', '.join(gates)}" if gates else ""
        return said + (": " + "; ".join(reasons) if reasons else "") + still_open
    reasons = [*gates, *reasons]
    return said + (": " + "; ".join(reasons) if reasons else "")


def _gate(text: str) -> str:
    """`tests:disproven`, as `ace-reflect check` has it."""
    gate, _, state = text.partition(":")
    return f"{gate} {state.replace('_', ' ')}".rstrip()


def _says(value: object) -> bool:
    return value not in ("", [], None)


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


class _Fields(dict[str, Any]):
    """The fields of a line; one that is missing is a question mark."""

    def __missing__(self, name: str) -> str:
        return "?"
