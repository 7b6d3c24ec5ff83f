"""
Does the transcript hold the answer that the host stopped with?

Seen on 2.1.330: a Stop hook may start some tenths of a second before the last lines are in the transcript. A judgement
without them would miss the run that proves the work. The payload brings the answer, so a stop waits briefly until that
stands in the new part of the file.
"""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.hooks.edge import Event

WAIT_S = 0.4
_POLL_S = 0.01
_TAIL_BYTES = 262_144
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,.:;()!?-_")
_LONGEST, _SHORTEST = 48, 4


def wait(event: "Event", identity: "tuple[int, int, int, int]") -> bool:
    """
    Wait, `WAIT_S` at the most, until the last answer is written to the part of the transcript that no stop has read yet.
    False where it did not come in time.
    """
    wanted = snippet(event.text("last_assistant_message"))
    if not wanted:
        return True
    row = event.db.one("SELECT inode, size FROM ledgers WHERE session = ?", (event.session_id,))
    since = row[1] if row is not None and row[0] == identity[1] and row[1] <= identity[2] else 0
    end = time.monotonic() + WAIT_S
    while not _holds(event.transcript, since, wanted):
        if time.monotonic() >= end:
            return False
        time.sleep(_POLL_S)
    return True


def stands(event: "Event") -> bool:
    """Whether the last answer stands at the transcript's end already; true where the host does not name it."""
    wanted = snippet(event.text("last_assistant_message"))
    return not wanted or _holds(event.transcript, 0, wanted)


def snippet(message: str) -> bytes:
    """
    Bytes of the answer's end by which it is found in the raw transcript: the longest run of characters that JSON does not
    escape, at most 48. Empty where there is none of four or more.
    """
    raw = message.rstrip().encode("utf-8", "replace")[-400:]
    best, run = b"", bytearray()
    for byte in (*raw, 0):
        if byte in _PLAIN:
            run.append(byte)
            continue
        if len(run) >= len(best):
            best = bytes(run)
        run.clear()
    found = best.strip()[-_LONGEST:]
    return found if len(found) >= _SHORTEST else b""


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
    """Whether the last line of the conversation is an assistant's text: then nothing that counts is still to come."""
    for line in reversed(tail.splitlines()):
        if b'"role":"assistant"' in line:
            return b'"type":"text"' in line
        if b'"role":"user"' in line:
            return False
    return False
