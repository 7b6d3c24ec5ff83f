"""A transcript file -> records, from where the last reading stopped, in memory that does not grow with the file."""

import os

from ace_reflect.errors import TranscriptError
from ace_reflect.transcript.cursor import Cursor, continues, fingerprint
from ace_reflect.transcript.parse import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, Self

    from ace_reflect.transcript.records import Record

__all__ = ["Cursor", "TranscriptReader"]

_LONGEST_LINE = 32 << 20  # pictures make lines of many megabytes; beyond this a line is counted as bad
_PIECE = 1 << 20
_BAD_NAMED = 5
_NEWLINE = 10


class TranscriptReader:
    """
    Iterate once over the records that stand behind `cursor` (from the start without one).

    Args:
        path: the transcript; its name is used in no other way than to open it.
        cursor: where an earlier reading stopped. A file that shrank or was replaced since is read from the start,
            and `restarted` is true from the beginning, so that a caller can drop what it derived.
        file: what records are marked with when this is a subagent's file.
        final: the file is finished: a last line without a newline is read too. Without it such a line is left for
            the next time, because Claude Code may still be writing it.
        whole: decode every line in full (for learning, and to check the filter).
        progress: false where the subagents' own files are read as well.
        thoughts: give the model's thinking too; `whole` does.

    Raises TranscriptError when the file cannot be opened or read; never because of what is in it.
    Afterwards `cursor`, `lines` (consumed by this reading) and `bad_lines` tell how it went; `bad_at` has the numbers of
    the first of them.
    """

    def __init__(
        self,
        path: str,
        cursor: Cursor | None = None,
        *,
        file: str | None = None,
        final: bool = False,
        whole: bool = False,
        progress: bool = True,
        thoughts: bool = False,
    ) -> None:
        self.path = path
        self._final = final
        try:
            self._handle: BinaryIO = open(path, "rb", _PIECE)  # noqa: SIM115 - closed at the end of the iteration
            self.restarted = cursor is not None and not continues(self._handle.fileno(), cursor)
        except OSError as error:
            raise _unreadable(path, error) from error
        self.cursor = Cursor() if cursor is None or self.restarted else cursor
        self._parser = Parser(self.cursor.state, file=file, whole=whole, progress=progress, thoughts=thoughts)
        self._unterminated = bool((self.cursor.state or {}).get("unterminated"))
        self.lines = 0
        self.bad_lines = 0
        self.bad_at: list[int] = []

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Done by itself at the end of the iteration."""
        self._handle.close()

    def __iter__(self) -> "Iterator[Record]":
        line = first = self.cursor.line
        quick, feed, readline = self._parser.quick, self._parser.feed, self._handle.readline
        unread = 0  # bytes of a last line that is still being written
        rest = self._unterminated  # of a line that was read to its end before
        try:
            self._handle.seek(self.cursor.offset)
            while raw := readline(_LONGEST_LINE):
                if raw[-1] != _NEWLINE or rest:
                    if raw[-1] != _NEWLINE:
                        if len(raw) < _LONGEST_LINE and not self._final:
                            unread = len(raw)
                            break
                        raw = self._to_its_end(raw)
                    self._unterminated = raw[-1] != _NEWLINE
                    if rest:
                        rest = False
                        self.bad_lines += bool(raw.strip())
                        continue
                line += 1
                record = quick(raw, line)
                if record is not None:
                    if record:
                        yield record
                    continue
                records, sound = feed(raw, line)
                if not sound:
                    self.bad_lines += 1
                    if self.bad_lines <= _BAD_NAMED:
                        self.bad_at.append(line)
                yield from records
            if self._final:
                yield from self._parser.end()
            self.lines = line - first
            self.cursor = self._cursor_at(self._handle.tell() - unread, line)
        except OSError as error:
            raise _unreadable(self.path, error) from error
        finally:
            self.close()

    def _to_its_end(self, raw: bytes) -> bytes:
        """
        A line that did not end with what was read of it.

        One over the cap is skipped in pieces; what is left of it is no JSON and counts as a bad line.
        """
        if len(raw) < _LONGEST_LINE:
            return raw
        while piece := self._handle.readline(_PIECE):
            if piece[-1] == _NEWLINE:
                break
        return raw[:200] + b"\n"

    def _cursor_at(self, offset: int, line: int) -> Cursor:
        descriptor = self._handle.fileno()
        status = os.fstat(descriptor)
        return Cursor(
            device=status.st_dev,
            inode=status.st_ino,
            offset=offset,
            line=line,
            size=status.st_size,
            head=fingerprint(descriptor, offset),
            state={**self._parser.state(), "unterminated": self._unterminated},
        )


def _unreadable(path: str, error: OSError) -> TranscriptError:
    return TranscriptError(f"cannot read the transcript {path}: {error.strerror or error}")
