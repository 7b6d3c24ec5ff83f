"""SessionStart: after a compaction the key points again, and how to go on; else what waits is learned or said in a line."""

import os
import time

from ace_reflect.hooks.edge import Event, Json, context, hook
from ace_reflect.hooks.pre_compact import prepare, take_note
from ace_reflect.hooks.user_prompt_submit import key_points_for
from ace_reflect.learning.queue import has_work
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.playbook.render import utf16_units
from ace_reflect.playbook.select import indexes
from ace_reflect.state import jobs, record, sessions
from ace_reflect.text import counted, seen_from, shortened


@hook("SessionStart")
def main(event: Event) -> Json | None:
    source = event.text("source")
    event.touch()
    if source == "compact":
        return _after_compaction(event)
    ago = event.payload.get("seconds_since_last_response")
    if source == "fork" and isinstance(ago, int):
        sessions.inherit(event.state, event.session_id, event.project, time.time() - ago)
    event.wants_worker = has_work(event.state)
    line = _waiting(event)
    event.log(source if source in {"startup", "resume", "clear", "fork"} else "start")
    return {"systemMessage": line} if line else None


def _after_compaction(event: Event) -> Json | None:
    sessions.forget_injected(event.state, event.session_id)
    prompt = sessions.prompt(event.state, event.session_id)
    room = event.settings.injection_max_chars
    note = take_note(event)
    if note is None:
        prepare(event, "manual")  # what comes of it goes with the next prompt
    if note is None or utf16_units(note) > room:
        note = ""
    text = key_points_for(event, prompt.text if prompt else "", room - utf16_units(note) - 2)
    event.log("compact", characters=len(text), note=bool(note))
    return context("SessionStart", "\n\n".join(filter(None, (note, text))))


def _waiting(event: Event) -> str:
    """One line for the person: what Claude is given, what is new in it, what waits for a review, and what is wrong."""
    state, books = event.state, event.playbooks()
    found = indexes(state.connection, *books).values()
    points = sum(each.points for each in found)
    parts = [f"{counted(points, 'key point')} for Claude"] if points else []
    real = [os.path.realpath(book) for book in books]
    if learned := record.learned_last(state, event.project, event.session_id, real):
        parts.append(_learned(event.project, learned))
    if count := record.count_waiting(state, *real):
        parts.append(f"{counted(count, 'key point')} to review (ace-reflect review)")
    if aside := jobs.counts(state).get("set-aside", 0):
        parts.append(f"{counted(aside, 'session')} could not be learned from (ace-reflect queue)")
    if any(each.problem for each in found):
        parts.append("a playbook cannot be read and is not used (ace-reflect status)")
    parts += [
        f"the {gate} gate was given up in three sessions in a row and is a note here from now on (`gates: {{{gate}: block}}`"
        " in .claude/reflection.yaml makes it block again, `off` silences it)"
        for gate in sessions.untold_notes(state, event.project)
    ]
    if event.settings.faulty:
        parts.append("a setting has an error, so not all of them are in force (ace-reflect status)")
    return f"ace-reflect: {'; '.join(parts)}" if parts else ""


def _learned(project: str, learned: list[tuple[str, str, str]]) -> str:
    """What the last session taught, and where it is kept."""
    book, name, text = learned[-1]
    more = f" and {len(learned) - 1} more" if len(learned) > 1 else ""
    place = seen_from(os.path.realpath(project), book)
    return f"learned last time: “{shortened(neutralise(text), 80)}” ({name}){more}, kept in {place}"
