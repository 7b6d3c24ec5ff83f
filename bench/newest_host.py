"""
Sessions of the newest host, whole again.

The samples beside the checkout are real, with long strings cut and the cut's length noted; each cut is filled up here,
so that the lines have the lengths that the host wrote. A folder of full recordings is taken as it is.
"""

import re
from pathlib import Path

SAMPLES = (
    Path(__file__).resolve().parent.parent.parent
    / "shared"
    / "claude-code"
    / "samples"
    / "transcripts"
)
_CUT = re.compile(rb"(?:\xe2\x80\xa6|\\u2026)? ?\[\+(\d+) chars cut from this sample\]")
_FILLER = b"The host writes what it sent: tools, schemas, reminders, instructions. "


def sessions_of(path: str | None, place: Path) -> list[Path]:
    """The recordings of a folder; without one, the samples filled up in `place`. Empty where there is neither."""
    if path:
        return sorted(Path(path).rglob("*.jsonl"))
    found = []
    for sample in sorted(SAMPLES.glob("*.jsonl")):
        whole = place / sample.name
        whole.write_bytes(_CUT.sub(lambda match: filler(int(match[1])), sample.read_bytes()))
        found.append(whole)
    return found


def filler(length: int) -> bytes:
    return (_FILLER * (length // len(_FILLER) + 1))[:length]
