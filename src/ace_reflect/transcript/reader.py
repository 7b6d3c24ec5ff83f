"""A transcript file -> records, from where the last reading stopped, in memory that does not grow with the file."""

import json
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ace_reflect.errors import TranscriptError
from ace_reflect.transcript.codex_files import is_rollout
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.messages import Messages
from ace_reflect.transcript.records import Record
from ace_reflect.values import Value

_TAIL = 1024  # bytes before the cursor by which a file is recognised
_LONGEST_LINE = 32 << 20  # pictures make lines of many megabytes; a longer one counts as bad
_BLANK = "\x00 \t\r\n"
_GLUED = '{"parentUuid":'  # how a line begins that follows one that was cut short
_decode, _surrogate = json.JSONDecoder(strict=False).raw_decode, re.compile(rb"\\u[dD]").search


class Cursor(Value):
    """A place in a transcript, and what identifies the file that was read."""

    offset: int = 0
    line: int = 0
    head: str = ""  # inode, and a sum of what was read last
    open: bool = False  # the last line had no newline yet
    state: dict[str, Any] | None = None  # what the next line's meaning takes from those before


class TranscriptReader:
    """Iterate once over the records behind `cursor`; all of them where the file is another one by now (`restarted`).
    `file` names a subagent's. `final`: nobody writes any more; else a last line that was cut short waits. Raises
    TranscriptError for a file that cannot be read, whatever is in it.
    """

    def __init__(
        self, path: str, cursor: Cursor | None = None, *, file: str = "", final: bool = False
    ) -> None:
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would wait for its writer
                raise OSError(0, "it is no regular file")  # noqa: TRY301
            self._file = open(path, "rb", 1 << 20)  # noqa: SIM115 - closed at the end
            self.restarted = cursor is not None and cursor.head != self._head(cursor.offset)
            codex = is_rollout(os.pread(self._file.fileno(), 4096, 0))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise TranscriptError(f"cannot read the transcript {path}: {why}") from error
        self.cursor = Cursor() if cursor is None or self.restarted else cursor
        self.close = self._file.close
        self.bad_lines, self._final = 0, final
        alone, given = not (file or subagent_files(path)), (self.cursor.state, file or None)
        self._messages: Any = Messages(*given, repeated=alone)
        if codex:
            from ace_reflect.transcript.codex import Rollout

            self._messages = Rollout(*given)

    def __iter__(self) -> Iterator[Record]:
        messages, before = self._messages, self.cursor
        line, unended = before.line, before.open
        try:
            self._file.seek(before.offset)
            while raw := self._next():
                line += not unended
                unended = not raw.endswith(b"\n")
                found, sound = _objects(raw)
                self.bad_lines += not sound
                messages.line = line
                for data in found:
                    yield from messages.read(data)
            offset, state = self._file.tell(), messages.memory
            head = self._head(offset)
            self.cursor = Cursor(offset=offset, line=line, head=head, open=unended, state=state)
        except OSError as error:
            why = error.strerror or error
            raise TranscriptError(f"cannot read the transcript {self._file.name}: {why}") from error
        finally:
            self.close()

    def _next(self) -> bytes:
        """The next line; nothing also before one that the host is still writing."""
        raw = self._file.readline(_LONGEST_LINE)
        if len(raw) == _LONGEST_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = self._file.readline(_LONGEST_LINE)
            return b"too long\n"
        if raw.endswith(b"\n") or self._final or _objects(raw)[1]:
            return raw
        self._file.seek(-len(raw), os.SEEK_CUR)
        return b""

    def _head(self, offset: int) -> str:
        number = self._file.fileno()
        read = os.pread(number, min(_TAIL, offset), max(0, offset - _TAIL))
        return f"{os.fstat(number).st_ino}:{zlib.crc32(read)}"


def _objects(raw: bytes) -> tuple[list[dict[str, Any]], bool]:
    """The JSON objects of a line (two, the first cut short, were seen), and whether it was sound: one, or blank."""
    text, found, start = raw.decode("utf-8", "replace").lstrip(_BLANK), [], 0
    while start >= 0:
        with suppress(ValueError, RecursionError):
            value, end = _decode(text, start)
            if _surrogate(raw):  # maybe no UTF-8 of its own
                value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
            found += [value] if isinstance(value, dict) else []
            if start == 0 and not text[end:].strip(_BLANK):
                return found, bool(found)
        start = text.rfind(_GLUED, start + 1)
    return found, not text
