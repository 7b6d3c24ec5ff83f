"""
Does the transcript hold the answer that the host stopped with?

Seen on 2.1.330: a Stop hook may start some tenths of a second before the last lines are in the transcript. A judgement
without them would miss the run that proves the work. The payload brings the answer, so a stop waits until that stands
in the new part of the file.
"""

import json
import os
import time

from ace_reflect.hooks.edge import Event

WAIT_S = 3.0
_POLL_S = 0.02
_TAIL_BYTES = 262_144
_LONGEST, _SHORT = 48, 12  # characters of the answer's end


def wait(event: Event, identity: tuple[int, int, int, int], most_s: float = WAIT_S) -> bool:
    """
    Wait, `most_s` at the most, until the last answer is written to the part of the transcript that no stop has read yet.
    False where it did not come in time.
    """
    wanted = snippet(event.text("last_assistant_message"))
    if not wanted:
        return True
    row = event.db.one("SELECT inode, size FROM ledgers WHERE session = ?", (event.session_id,))
    since = row[1] if row is not None and row[0] == identity[1] and row[1] <= identity[2] else 0
    end = time.monotonic() + most_s
    while not _holds(event.transcript, since, wanted):
        if time.monotonic() >= end:
            return False
        time.sleep(_POLL_S)
    return True


def stands(event: Event) -> bool:
    """Whether the last answer stands at the transcript's end already; true where the host does not name it."""
    wanted = snippet(event.text("last_assistant_message"))
    return not wanted or _holds(event.transcript, 0, wanted)


def snippet(message: str) -> bytes:
    """The answer's end as the host writes it: JSON that escapes nothing beyond ASCII."""
    whole = message.rstrip()
    written = json.dumps(whole[-_LONGEST:], ensure_ascii=False)
    start = 0 if 0 < len(whole) <= _SHORT else 1  # a short one is looked for as the whole string
    return written[start:-1].encode("utf-8", "replace")


def _holds(path: str, since: int, wanted: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(since, size - _TAIL_BYTES))
            tail = file.read(_TAIL_BYTES)
    except OSError:
        return True
    return wanted in tail or _ends_with_an_answer(tail)


def _ends_with_an_answer(tail: bytes) -> bool:
    """Whether the last line of the conversation is an assistant's last text: then nothing that counts is still to come."""
    for line in reversed(tail.splitlines()):
        plain = line.replace(b'": ', b'":')
        if b'"role":"assistant"' in plain:
            return b'"type":"text"' in plain and b'"stop_reason":"tool_use"' not in plain
        if b'"role":"user"' in plain:
            return False
    return False
