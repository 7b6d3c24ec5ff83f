"""Stop: is it done? The first entry: facts and rules, no model.

A stop with nothing new costs only a look at the transcript's size; `judge` is imported only if there is news.
"""

import json
import os
import time

from ace_reflect.hooks.edge import Event, Json, hook
from ace_reflect.state import cache, sessions

WAIT_S = 3.0  # for the last answer
_POLL_S = 0.02
_TAIL_BYTES = 262_144
_END = 48  # characters of the answer's end


@hook("Stop")
def main(event: Event) -> Json | None:
    if not event.transcript or event.text("agent_id"):
        event.log("not-judged")
        return None
    # A pipe would wait for its writer.
    found = cache.file_identity(event.transcript) if os.path.isfile(event.transcript) else ""
    seen = cache.identity_of(event.state, cache.LEDGER, event.session_id)
    row = sessions.prompt(event.state, event.session_id)
    # After a block the host may call again before it has written a line.
    stood = row is not None and sessions.is_over(row)
    if not found:
        why = "no-transcript"
    elif found == seen and stood:
        why = "nothing-new"
    elif not wait_for_answer(event, event.transcript, _read_to(found, seen or "")):
        why = "transcript-behind"
    else:
        from ace_reflect.hooks.judge import judge_event

        said = judge_event(event)
        if said is not None and "decision" in said:
            cache.blocked(event.state, event.raw)
        return said
    # The stop stands; the second entry, which waits for a decision, is told that no model is needed.
    cache.decided(event.state, event.raw, needs_model=False)
    event.log(why)
    return None


def _read_to(found: str, seen: str) -> int:
    """How many bytes of the transcript the stop before has read, by the file's identity now and then."""
    _, inode, size, *_ = found.split(":")
    then = seen.split(":")
    same_file = then[1:2] == [inode] and int(then[2]) <= int(size)
    return int(then[2]) if same_file else 0


def wait_for_answer(event: Event, path: str, since: int = 0) -> bool:
    """Wait until a transcript holds the answer that the host stopped with; False where it did not come in time.

    Seen on 2.1.330: a Stop hook may start some tenths of a second before the last lines are written, and a judgement
    without them would miss the run that proves the work. Only what no stop has read yet, from byte `since` on, is searched:
    the same words may have ended an earlier turn.
    """
    message = event.text("last_assistant_message").rstrip()
    # As the host writes it: JSON that escapes nothing beyond ASCII.
    wanted = json.dumps(message[-_END:], ensure_ascii=False)
    if len(message) > _END:  # else it is the whole string, with the quotation mark before it
        wanted = wanted[1:]
    end = time.monotonic() + WAIT_S
    while message and not _holds(path, since, wanted.encode("utf-8", "replace")):
        if time.monotonic() >= end:
            return False
        time.sleep(_POLL_S)
    return True


def _holds(path: str, since: int, wanted: bytes) -> bool:
    """Whether the end of the file, from byte `since` on, holds the answer, or another one as its last line."""
    try:
        with open(path, "rb") as file:
            file.seek(max(since, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            tail = file.read(_TAIL_BYTES)
    except OSError:
        return True  # it is gone: the reader says so
    lines = tail.replace(b'": ', b'":').splitlines()
    last = next((line for line in reversed(lines) if b'"role":"' in line), b"")
    text = b'"type":"text"' in last or b'"type":"output_text"' in last
    answer = text and b'"role":"assistant"' in last and b'"stop_reason":"tool_use"' not in last
    return answer or wanted in tail
