"""
Stop: is it done? The first entry: facts and rules, no model.

A stop with nothing new costs no more than a look at the transcript's size; `judge` is imported only where there is news.
"""

import json
import os
import stat
import time
from contextlib import suppress
from functools import partial

from ace_reflect.errors import TranscriptError
from ace_reflect.hooks.edge import Event, Json, answer
from ace_reflect.state import claims, prompts, sessions
from ace_reflect.state.sessions import Identity

WAIT_S = 3.0  # for the last answer
_POLL_S = 0.02
_TAIL_BYTES = 262_144
_LONGEST, _SHORT = 48, 12  # characters of the answer's end


def _body(event: Event) -> Json | None:
    if not event.transcript or event.text("agent_id"):
        event.log("not-judged")
        return None
    identity, seen = _identity(event.transcript), sessions.last_read(event.state, event.session_id)
    row = prompts.current(event.state, event.session_id)
    # After a block the host may call again before it has written a line.
    stood = row is not None and row.end_state not in {"", "incomplete"}
    if identity is None:
        why = "no-transcript"
    elif identity == seen and stood:
        why = "nothing-new"
    elif not _wait_for_answer(event, identity, seen, row):
        why = "transcript-behind"
    else:
        from ace_reflect.hooks.judge import judge_event

        try:
            said = judge_event(event, _identity(event.transcript) or identity)
        except TranscriptError:
            why = "no-transcript"
        else:
            if said is not None and "decision" in said:
                claims.blocked(event.state, "Stop", event.raw)
            return said
    # The stop stands; the second entry, which waits for a decision, is told that no model is needed.
    event.decided()
    event.log(why)
    return None


def _identity(path: str) -> Identity | None:
    with suppress(OSError, ValueError):
        found = os.stat(path)
        if stat.S_ISREG(found.st_mode):  # a pipe would wait for its writer
            return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
    return None


def _wait_for_answer(
    event: Event, identity: Identity, seen: Identity | None, row: prompts.PromptRow | None
) -> bool:
    """
    Wait until the transcript holds the answer that the host stopped with; False where it did not come in time.

    Seen on 2.1.330: a Stop hook may start some tenths of a second before the last lines are written, and a judgement
    without them would miss the run that proves the work. Only what no stop has read yet is searched: the same words may
    have ended an earlier turn.
    """
    wanted = _answers_end(event.text("last_assistant_message"))
    since = seen[2] if seen and seen[1] == identity[1] and seen[2] <= identity[2] else 0
    if since == identity[2] and row is not None and not row.end_state:
        since = 0  # a stop that was killed has read it, and came to no verdict
    end = time.monotonic() + WAIT_S
    while wanted and not _holds(event.transcript, since, wanted):
        if time.monotonic() >= end:
            return False
        time.sleep(_POLL_S)
    return True


def _answers_end(message: str) -> bytes:
    """The answer's end as the host writes it: JSON that escapes nothing beyond ASCII. A short one is the whole string."""
    whole = message.rstrip()
    written = json.dumps(whole[-_LONGEST:], ensure_ascii=False)
    return written[0 if 0 < len(whole) <= _SHORT else 1 : -1].encode("utf-8", "replace")


def _holds(path: str, since: int, wanted: bytes) -> bool:
    """Whether the end of the file, from byte `since` on, holds the answer, or another one as its last line."""
    try:
        with open(path, "rb") as file:
            file.seek(max(since, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            tail = file.read(_TAIL_BYTES)
    except OSError:
        return True
    if wanted in tail:
        return True
    for line in reversed(tail.replace(b'": ', b'":').splitlines()):
        if b'"role":"assistant"' in line:
            return b'"type":"text"' in line and b'"stop_reason":"tool_use"' not in line
        if b'"role":"user"' in line:
            return False
    return False


main = partial(answer, "Stop", _body)
