"""How far a transcript has been read, and whether it is still the same file."""

import os

from ace_reflect.checksum import checksum
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HEAD = 1024
_TAIL = 256


class Cursor(Value):
    """
    A position at a line's end, and what it takes to notice that the file is no longer the one that was read.

    `offset` and `size` are bytes, `line` counts physical lines consumed, `state` is the parser's (plain JSON).
    """

    device: int = 0
    inode: int = 0
    offset: int = 0
    line: int = 0
    size: int = 0
    head: str = ""
    state: "dict[str, Any] | None" = None

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Cursor":
        """`to_json` read back; the parser's state keeps its lists."""
        return cls(**{name: value for name, value in data.items() if name in cls._fields})


def fingerprint(descriptor: int, offset: int) -> str:
    """A checksum of what stands before `offset`: the file's first kilobyte and the bytes just read. Raises OSError."""
    head = os.pread(descriptor, min(_HEAD, offset), 0)
    tail = os.pread(descriptor, min(_TAIL, offset), max(0, offset - _TAIL))
    return f"{checksum(head + tail):08x}"


def continues(descriptor: int, cursor: Cursor) -> bool:
    """Whether the open file still begins with all that `cursor` has read: same inode, no shorter, same bytes."""
    status = os.fstat(descriptor)
    if (status.st_dev, status.st_ino) != (cursor.device, cursor.inode) or status.st_size < cursor.offset:
        return False
    return fingerprint(descriptor, cursor.offset) == cursor.head
