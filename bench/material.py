"""
Transcripts of any size, of real lines.

The corpus' files follow one another as if they were one session. Where it is read more than once, the names of calls
and lines are changed each time, for a reader knows what it has seen already.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from corpus import ROOT, SHARED

EXAMPLE = ROOT / "examples" / "session.jsonl"
_NAMES = (b'"uuid":"', b'"parentUuid":"', b'"id":"', b'"tool_use_id":"', b'"promptId":"')
_CHANGES = (
    b'"name":"Edit"', b'"name":"MultiEdit"', b'"name":"Write"', b'"name":"NotebookEdit"', b'"name":"Bash"', b'"oldString"', b'"stdout"',
)  # fmt: skip


def corpus(path: str | None = None) -> list[Path]:
    """The files of a folder (or one file), the corpus beside the checkout, or else the bundled example."""
    place = Path(path) if path else SHARED
    if place.is_file():
        return [place]
    # Fixtures made by hand are no sample of what hosts write.
    return [file for file in sorted(place.rglob("*.jsonl")) if "fixture" not in file.name] or [
        EXAMPLE
    ]


def lines(files: list[Path]) -> Iterator[bytes]:
    """Whole lines without end."""
    turn = 0
    while True:
        for file in files:
            with file.open("rb") as handle:
                for raw in handle:
                    line = raw if raw.endswith(b"\n") else raw + b"\n"
                    yield line if not turn else _renamed(line, turn)
        turn += 1


def _renamed(line: bytes, turn: int) -> bytes:
    """The same line with names of the same length: eight digits of each are the turn's."""
    mark = b"%08d" % turn
    for name in _NAMES:
        parts = line.split(name)
        line = name.join((parts[0], *(_shifted(part, mark) for part in parts[1:])))
    return line


def _shifted(part: bytes, mark: bytes) -> bytes:
    """`toolu_01abc…` and uuids keep their form; null and short names stay."""
    start = 6 if part.startswith(b"toolu_") else 4 if part.startswith(b"msg_") else 0
    end = part.find(b'"')
    return part[:start] + mark + part[start + 8 :] if end >= start + 20 else part


def write(path: Path, size: int, files: list[Path], *, edits: bool = True, skip: int = 0) -> int:
    """Write about `size` bytes (the last line whole) that begin `skip` bytes into the corpus; how many it became."""
    written = 0
    with path.open("wb") as out:
        for line in lines(files):
            if skip > 0:
                skip -= len(line)
                continue
            if not edits and any(mark in line for mark in _CHANGES):
                continue
            out.write(line)
            written += len(line)
            if written >= size:
                return written
    return written


def piece(size: int, files: list[Path], *, skip: int = 0) -> bytes:
    """About `size` bytes of whole lines, none of them longer than a fifth of it."""
    found, have = [], 0
    for line in lines(files):
        if skip > 0:
            skip -= len(line)
            continue
        if len(line) <= size // 5:
            found.append(line)
            have += len(line)
        if have >= size:
            break
    return b"".join(found)


def answer(text: str, session: str, cwd: str) -> bytes:
    """A last answer as the host writes it."""
    line = {
        "parentUuid": None, "isSidechain": False, "userType": "external", "cwd": cwd, "sessionId": session, "version": "2.1.181", "gitBranch": "main",
        "message": {"model": "claude-opus-4-1", "id": "msg_01bench", "type": "message", "role": "assistant", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 4, "output_tokens": 20}},
        "type": "assistant", "uuid": "00000000-0000-4000-8000-000000000000", "timestamp": "2026-06-01T10:00:00.000Z",
    }  # fmt: skip
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"
