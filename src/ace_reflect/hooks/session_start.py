"""
SessionStart: after a compaction the key points again, and how to go on; else what earlier sessions left is learned, and
what waits for the person is said in one line.
"""

import os
import time
from functools import partial

from ace_reflect import paths
from ace_reflect.hooks.edge import Event, Json, answer, read_object
from ace_reflect.hooks.pre_compact import NOTE
from ace_reflect.hooks.user_prompt_submit import host_process, key_points_for
from ace_reflect.learning.queue import has_work
from ace_reflect.playbook.index import known_problem
from ace_reflect.playbook.render import utf16_units
from ace_reflect.state import cache, inbox, jobs, prompts, sessions
from ace_reflect.text import counted

GO_ON = (
    "The conversation was compacted in the middle of the task. Go on with it from where it stood: do not start over, and"
    " do not ask what to do. Look at the files before you trust the summary's account of them."
)


def _body(event: Event) -> Json | None:
    source = event.text("source")
    event.touch(process=host_process(event.environ))
    if source == "compact":
        return _after_compaction(event)
    if source == "fork":
        _inherit(event)
    event.wants_worker = has_work(event.state)
    line = _waiting(event)
    event.log(source if source in {"startup", "resume", "clear", "fork"} else "start")
    return {"systemMessage": line} if line else None


def _after_compaction(event: Event) -> Json:
    prompts.forget_injected(event.state, event.session_id)
    prompt = prompts.current(event.state, event.session_id)
    room = event.settings.injection_max_chars
    note, line = _note(event)
    if utf16_units(note) > room:
        note = ""
    text = key_points_for(event, prompt.text if prompt else "", room - utf16_units(note) - 2)
    whole = "\n\n".join(part for part in (note, text) if part)
    event.log("compact", characters=len(whole), note=bool(note))
    said: Json = {"systemMessage": line} if line else {}
    if whole:
        said["hookSpecificOutput"] = {"hookEventName": "SessionStart", "additionalContext": whole}
    return said


def _note(event: Event) -> tuple[str, str]:
    """How to go on, and a line to the person: the background's word where it is there, else the rule for mid-task."""
    told = read_object(cache.get(event.state, NOTE, event.session_id, "")) or {}
    if "note" in told:
        from ace_reflect.playbook.neutral import neutral_lines

        return neutral_lines(told["note"]), told["line"]
    # After a manual /compact nothing runs on: there is no task in the middle of which one could be.
    return GO_ON if str(told.get("begun")).startswith("auto ") else "", ""


def _inherit(event: Event) -> None:
    """A fork's conversation holds its parent's key points; the payload says when the parent answered last, not its id."""
    ago = event.payload.get("seconds_since_last_response")
    if isinstance(ago, int | float):
        answered = time.time() - ago
        parent = sessions.likely_parent(event.state, event.session_id, event.project, answered)
        if parent is not None:
            prompts.inherit_injected(event.state, parent, event.session_id)


def _waiting(event: Event) -> str:
    """One line for the person: key points to review, and what is out of order."""
    books = (paths.project_playbook(event.project), paths.user_playbook(event.home))
    count = inbox.count(event.state, *map(os.path.realpath, books))
    aside = jobs.counts(event.state).get("set-aside", 0)
    parts = []
    if count:
        wait = "waits" if count == 1 else "wait"
        parts.append(f"{counted(count, 'key point')} {wait} for your review (ace-reflect review)")
    if aside:
        parts.append(f"{counted(aside, 'session')} could not be learned from (ace-reflect queue)")
    if any(known_problem(event.state.connection, book) for book in books):
        parts.append("a playbook cannot be read and is not used (ace-reflect status)")
    parts += [
        f"the {gate} gate was given up in three sessions in a row and is a note here from now on (`gates: {{{gate}: block}}`"
        " in .claude/reflection.yaml makes it block again, `off` silences it)"
        for gate in sessions.untold_notes(event.state, event.project)
    ]
    if event.settings.faulty:
        parts.append("a setting has an error, so not all of them are in force (ace-reflect status)")
    return f"ace-reflect: {'; '.join(parts)}" if parts else ""


main = partial(answer, "SessionStart", _body)
