"""SessionStart: after a compaction the key points again, and how to go on; else what waits is learned or said in a line."""

import os

from ace_reflect import paths
from ace_reflect.hooks.edge import Event, Json, context, hook
from ace_reflect.hooks.pre_compact import NOTE, prepare, take_note
from ace_reflect.hooks.user_prompt_submit import key_points_for
from ace_reflect.learning.queue import has_work
from ace_reflect.playbook.index import indexed, known_problem
from ace_reflect.playbook.model import USER_FLOOR
from ace_reflect.playbook.render import utf16_units
from ace_reflect.state import cache, jobs, prompts, record, sessions
from ace_reflect.text import counted, shortened


@hook("SessionStart")
def main(event: Event) -> Json | None:
    source = event.text("source")
    event.touch()
    if source == "compact":
        return _after_compaction(event)
    event.wants_worker = has_work(event.state)
    line = _waiting(event)
    event.log(source if source in {"startup", "resume", "clear", "fork"} else "start")
    return {"systemMessage": line} if line else None


def _after_compaction(event: Event) -> Json | None:
    prompts.forget_injected(event.state, event.session_id)
    prompt = prompts.current(event.state, event.session_id)
    room = event.settings.injection_max_chars
    note = ""
    if cache.identity_of(event.state, NOTE, event.session_id) == "":
        note = take_note(event)
    else:
        prepare(event, "manual")  # what comes of it goes with the next prompt
    if utf16_units(note) > room:
        note = ""
    text = key_points_for(event, prompt.text if prompt else "", room - utf16_units(note) - 2)
    event.log("compact", characters=len(text), note=bool(note))
    return context("SessionStart", "\n\n".join(filter(None, (note, text))))


def _learned(event: Event, books: tuple[str, str]) -> list[str]:
    """What Claude is given of the playbooks, what the last session taught, and once where the project's is kept."""
    floors = {books[1]: USER_FLOOR, books[0]: 0}
    there = {book: floor for book, floor in floors.items() if os.path.exists(book)}
    connection = event.state.connection
    points = sum(indexed(connection, book, floor=floor).points for book, floor in there.items())
    parts = [f"{counted(points, 'key point')} for Claude"] if points else []
    since = sessions.began_before(event.state, event.project, event.session_id)
    learned = record.learned_since(event.state, since, *map(os.path.realpath, books))
    if learned:
        from ace_reflect.playbook.neutral import neutralise

        _, name, text = learned[-1]
        more = f" and {len(learned) - 1} more" if len(learned) > 1 else ""
        parts.append(f"learned last time: “{shortened(neutralise(text), 80)}” ({name}){more}")
    shared = learned and event.settings.storage == "project" and books[0] in there
    if shared and cache.get(event.state, "told-storage", event.project) is None:
        cache.put(event.state, "told-storage", event.project, "", b"")
        way = f"`storage: home` in {paths.user_config(event.home)} keeps them out of the checkout"
        parts.append(f"this project's are in .claude/playbook.json ({way})")
    return parts


def _waiting(event: Event) -> str:
    """One line for the person: key points to review, and what is wrong."""
    books = event.playbooks()
    count = record.count_waiting(event.state, *map(os.path.realpath, books))
    aside = jobs.counts(event.state).get("set-aside", 0)
    parts = _learned(event, books)
    if count:
        parts.append(f"{counted(count, 'key point')} to review (ace-reflect review)")
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
