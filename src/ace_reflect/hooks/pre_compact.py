"""
PreCompact: finished turns go to the queue before the conversation is summed up. The open turn waits for its end.

What is to be said after the compaction is worked out meanwhile, by a process that is not waited for.
"""

import json
from collections.abc import Mapping
from typing import BinaryIO, TextIO

from ace_reflect.hooks.edge import Event, answer
from ace_reflect.state import cache, jobs, sessions, spawn
from ace_reflect.state.db import State

#: Where SessionStart(`compact`), which is not told, finds what set the compaction off: `cache` kind, by session.
TRIGGER = "compaction-trigger"
#: `cache` kind, by session: what the background assessment of this compaction wants said; "" for nothing.
NOTE = "compaction-note"
#: `cache` kind, by session: one line for the person, where the assessment has nothing for the model.
LINE = "compaction-line"
_PROCESS = "ace_reflect.hooks.compaction_note"


def main(stdin: BinaryIO, stdout: TextIO, environ: Mapping[str, str]) -> int:
    """Answer one PreCompact event. Says nothing, for its stdout would become instructions for the summary; returns 0."""
    to_assess: list[str] = []
    code = answer(
        "PreCompact", stdin, stdout, environ, lambda event: _body(event, to_assess), brief=True
    )
    for given in to_assess:  # everything is committed by now
        spawn.start_after("PreCompact", _PROCESS, environ, given)
    return code


def _body(event: Event, to_assess: list[str]) -> None:
    if event.state is None or not event.session_id or not event.transcript:
        return
    learn = "pre_compact" in event.settings.learning_on
    sessions.touch(
        event.state, event.session_id, project=event.project, transcript=event.transcript
    )
    cache.put(event.state, TRIGGER, event.session_id, "", event.text("trigger").encode())
    for kind in (NOTE, LINE):
        cache.drop(event.state, kind, event.session_id)  # the last compaction's
    if learn:
        jobs.enqueue(
            event.state,
            event.session_id,
            event.transcript,
            project=event.project,
            reason="pre_compact",
            final=False,
        )
    event.wants_worker = learn
    to_assess.append(_facts(event))
    event.log("queued" if learn else "learning-off", trigger=event.word("trigger"))


def _facts(event: Event) -> str:
    """What the process that assesses is told, as JSON."""
    return json.dumps(
        {
            "session": event.session_id,
            "transcript": event.transcript,
            "project": event.project,
            "trigger": event.text("trigger"),
            "begun": begun(event.db, event.session_id),
        }
    )


def begun(state: State, session: str) -> str:
    """When the session's last compaction began: it tells this compaction from the next one."""
    row = state.one("SELECT at FROM cache WHERE kind = ? AND key = ?", (TRIGGER, session))
    return "" if row is None else repr(row[0])
