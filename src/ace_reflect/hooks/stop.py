"""
Stop: is it done? The first entry: facts and rules, no model.

A stop with nothing new costs no more than a look at the transcript's size; what reads, judges and writes stands in
`stop_judge`, which is imported only where there is something to read.
"""

import os
from collections.abc import Mapping
from typing import BinaryIO, TextIO

from ace_reflect.hooks import last_answer
from ace_reflect.hooks.edge import Answer, Event, answer
from ace_reflect.state import claims, prompts, sessions, stops

Identity = tuple[int, int, int, int]


def main(stdin: BinaryIO, stdout: TextIO, environ: Mapping[str, str]) -> int:
    """Answer one Stop event. Returns 0."""
    return answer("Stop", stdin, stdout, environ, _body)


def _body(event: Event) -> Answer | None:
    if (
        event.state is None
        or not event.session_id
        or not event.transcript
        or event.text("agent_id")
    ):
        event.log("not-judged")
        return None
    identity = _identity(event.transcript)
    if identity is None:
        _note_silence(event, "no-transcript")
        return None
    known = stops.get(
        event.db, claims.stop_key("Stop", event.raw)
    )  # of an event with the very same payload
    said = None if known is None else known[0]
    if sessions.unchanged(event.state, event.session_id, identity) and (
        said == "allow" or _judged_already(event)
    ):
        _note_silence(event, "nothing-new")
        return None
    if not last_answer.wait(event, identity, last_answer.WAIT_S if said is None else 0.0):
        _note_silence(event, "transcript-behind")
        return None
    from ace_reflect.hooks.stop_judge import judge_event

    said_now = judge_event(event, _identity(event.transcript) or identity)
    if said_now is not None and "decision" in said_now:
        claims.blocked(event.state, "Stop", event.raw)
    return said_now


def _judged_already(event: Event) -> bool:
    """
    Whether the unchanged transcript holds this very answer, and its stop was let stand. After a block the host may call
    again before it has written a line, with an answer that is new.
    """
    row = prompts.current(event.db, event.session_id)
    return row is not None and row.end_state not in {"", "incomplete"} and last_answer.stands(event)


def _note_silence(event: Event, why: str) -> None:
    """The stop stands; the second entry, which waits for a decision, is told that no model is needed."""
    if event.state is not None:
        stops.put(event.state, claims.stop_key("Stop", event.raw), event.session_id, "allow")
    event.log(why)


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
