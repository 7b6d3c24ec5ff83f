"""
`<project>/.reflection/verdict_<session>.json`, for other tools: written by Stop, marked pending by the next prompt.

The folder may stand in a hostile checkout: neither it nor the file is followed where it is a link, and a session id is
never trusted as a file name.
"""

import json
import os
import time
import zlib
from collections.abc import Mapping

from ace_reflect import paths

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


def safe_name(session_id: str) -> str:
    """The full session id where it is a plain file name, else one made from it that no other id gets."""
    plain = "".join(letter if letter in _PLAIN else "_" for letter in session_id)[:100].lstrip(".")
    if plain == session_id and plain:
        return plain
    return f"{plain[:60] or 'session'}-{zlib.crc32(session_id.encode('utf-8', 'replace')):08x}"


def verdict_name(session_id: str) -> str:
    return f"verdict_{safe_name(session_id)}.json"


def mark_pending(project: str, session_id: str) -> bool:
    """
    A new prompt came: the verdict on the last one is out of date. Only a verdict that exists is touched.

    Never raises; False where there was nothing to mark, or it could not be.
    """
    return refresh_verdict(
        project, session_id, {"complete": False, "severity": "NONE", "end_state": "working"}
    )


def refresh_verdict(project: str, session_id: str, verdict: Mapping[str, object]) -> bool:
    """The same with this verdict (as `gates.report.verdict` gives it): a turn without work, too, ends a session's stop."""
    name = verdict_name(session_id)
    try:
        folder = os.open(
            paths.artifacts_dir(project),
            os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC,
        )
    except (OSError, ValueError):
        return False
    try:
        os.close(
            os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        )
        write_in(folder, name, short_verdict(session_id, verdict))
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


def short_verdict(session_id: str, verdict: Mapping[str, object]) -> str:
    """What stands in the file, as JSON."""
    now = time.time()
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
    return json.dumps(
        {
            "sessionId": session_id,
            "complete": verdict["complete"],
            "severity": verdict["severity"],
            "endState": verdict["end_state"],
            "timestamp": at,
        }
    )


def write_in(folder: int, name: str, text: str) -> None:
    """Write a file whole or not at all, mode 0600, in a folder given as an open descriptor. Raises OSError."""
    temporary = f".{name}.{os.getpid()}.tmp"
    # O_NONBLOCK: a pipe that a hostile checkout put there must not hold the hook.
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o600, dir_fd=folder)
    try:
        try:
            rest = (text + "\n").encode("utf-8", "replace")
            while rest:  # a disk that runs full takes a part and says nothing
                rest = rest[os.write(descriptor, rest) :]
        finally:
            os.close(descriptor)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        os.unlink(temporary, dir_fd=folder)
        raise
