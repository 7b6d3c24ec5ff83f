"""
SessionStart: after a compaction the key points again, and how to go on; else what earlier sessions left is learned, and
what waits for the person is said in one line.
"""

import os
import time
from collections.abc import Mapping
from typing import Any, BinaryIO, TextIO

from ace_reflect import paths
from ace_reflect.hooks.edge import Answer, Event, answer
from ace_reflect.hooks.inject import key_points_for
from ace_reflect.hooks.pre_compact import LINE, NOTE, TRIGGER
from ace_reflect.hooks.user_prompt_submit import host_process
from ace_reflect.learning.queue import has_work
from ace_reflect.playbook.index import known_problem
from ace_reflect.playbook.render import utf16_units
from ace_reflect.state import cache, inbox, injections, jobs, prompts, sessions

GO_ON = (
    "The conversation was compacted in the middle of the task. Go on with it from where it stood: do not start over, and"
    " do not ask what to do. Look at the files before you trust the summary's account of them."
)


def main(stdin: BinaryIO, stdout: TextIO, environ: Mapping[str, str]) -> int:
    """Answer one SessionStart event. Returns 0."""
    return answer("SessionStart", stdin, stdout, environ, _body, brief=True)


def _body(event: Event) -> Answer | None:
    if event.state is None or not event.session_id:
        return None
    source = event.text("source")
    sessions.touch(
        event.state,
        event.session_id,
        project=event.project,
        transcript=event.transcript,
        source=source,
        process=host_process(event),
    )
    if source == "compact":
        return _after_compaction(event)
    if source == "fork":
        _inherit(event)
    event.wants_worker = has_work(event.state)
    line = _waiting(event)
    event.log(event.word("source") or "start", waiting=bool(line))
    return {"systemMessage": line} if line else None


def _after_compaction(event: Event) -> Answer | None:
    injections.forget(event.db, event.session_id)
    prompt = prompts.current(event.db, event.session_id)
    note, budget = _note(event), event.settings.injection_max_chars
    if utf16_units(note) > budget:
        note = ""
    room = budget - utf16_units(note) - 2
    text = key_points_for(event, prompt.text if prompt else "", room)
    whole = "\n\n".join(part for part in (note, text) if part)
    event.log("compact", characters=len(whole), note=bool(note))
    said: dict[str, Any] = {}
    line = cache.get(event.db, LINE, event.session_id, "")
    if line:
        said["systemMessage"] = line.decode("utf-8", "replace")
    if whole:
        said["hookSpecificOutput"] = {"hookEventName": "SessionStart", "additionalContext": whole}
    return said


def _note(event: Event) -> str:
    """How to go on: the background assessment's word where it is there in time, else the rule for a cut in mid-task."""
    assessed = cache.get(event.db, NOTE, event.session_id, "")
    if assessed is not None:
        return _as_data(assessed.decode("utf-8", "replace"))
    trigger = cache.get(event.db, TRIGGER, event.session_id, "")
    # After a manual /compact nothing runs on: there is no task in the middle of which one could be.
    return GO_ON if trigger == b"auto" else ""


def _as_data(note: str) -> str:
    """A note may quote the session, or be a model's: it opens and closes nothing in the context."""
    if note.isascii() and "<" not in note and note.replace("\n", "").isprintable():
        return note
    from ace_reflect.playbook.neutral import neutral_lines

    return neutral_lines(note)


def _inherit(event: Event) -> None:
    """A fork's conversation holds its parent's key points; the payload says when the parent answered last, not its id."""
    ago = event.payload.get("seconds_since_last_response")
    if isinstance(ago, bool) or not isinstance(ago, int | float):
        return
    parent = sessions.likely_parent(event.db, event.session_id, event.project, time.time() - ago)
    if parent is not None:
        sessions.set_parent(event.db, event.session_id, parent)
        injections.inherit(event.db, parent, event.session_id)


def _waiting(event: Event) -> str:
    """One line for the person: key points to review, and what is out of order."""
    books = (paths.project_playbook(event.project), paths.user_playbook(event.home))
    count = inbox.count(event.db, *(os.path.realpath(book) for book in books))
    aside = jobs.counts(event.db).get("set-aside", 0)
    parts = []
    if count:
        parts.append(
            f"{count} key point{'s wait' if count > 1 else ' waits'} for your review (ace-reflect review)"
        )
    if aside:
        parts.append(
            f"{aside} session{'s' if aside > 1 else ''} could not be learned from (ace-reflect queue)"
        )
    if any(known_problem(event.db.connection, book) for book in books):
        parts.append("a playbook cannot be read and is not used (ace-reflect status)")
    parts += [
        f"the {gate} gate was given up in three sessions in a row and is a note here from now on (`gates: {{{gate}: block}}`"
        " in .claude/reflection.yaml makes it block again, `off` silences it)"
        for gate in sessions.untold_notes(event.db, event.project)
    ]
    if event.settings.faulty:
        parts.append("a setting has an error, so not all of them are in force (ace-reflect status)")
    return f"ace-reflect: {'; '.join(parts)}" if parts else ""
