"""
Stop: is it done? The first entry: facts and rules, no model.

A stop with nothing new costs no more than a look at the transcript's size; what reads, judges and writes stands in
`stop_judge`, which is imported only where there is something to read.
"""

import os

from ace_reflect.hooks.edge import Event, answer
from ace_reflect.state import claims, sessions, stops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO, TextIO

    from ace_reflect.hooks.edge import Answer

Identity = tuple[int, int, int, int]


def main(stdin: "BinaryIO", stdout: "TextIO", environ: "Mapping[str, str]") -> int:
    """Answer one Stop event. Returns 0."""
    return answer("Stop", stdin, stdout, environ, _body)


def _body(event: Event) -> "Answer | None":
    if event.state is None or not event.session_id or not event.transcript or event.text("agent_id"):
        event.log("not-judged")
        return None
    identity = _identity(event.transcript)
    if identity is None:
        return _silent(event, "no-transcript")
    if sessions.unchanged(event.state, event.session_id, identity):
        return _silent(event, "nothing-new")
    from ace_reflect.hooks.stop_judge import judge_event

    return judge_event(event, identity)


def _silent(event: Event, why: str) -> None:
    """Let it stand; the second entry, which waits for a decision, is told that no model is needed."""
    if event.state is not None:
        stops.put(event.state, claims.stop_key("Stop", event.raw, event.transcript), event.session_id, "allow")
    event.log(why)


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
