"""
The part of a line that says where it was written: directory, branch, session, version.

It seldom changes from one line to the next, and a line whose envelope is known changes no context: what is left to read
of it is its message. Older hosts write the envelope before the message, newer ones behind it.
"""

MESSAGE = b',"message":{"'
OLD_USER = b',"type":"user"'
_FOOT = b',"userType":"'
_PARENT = b'{"parentUuid":'
PARENT = 15  # where the parent's uuid stands
FLAG = 53  # where `"isSidechain"` stands behind `{"parentUuid":"<uuid>",`
FLAGGED = 72  # where that ends: `"isSidechain":false`
HEAD = 1_500
_KIND = (0, len(OLD_USER))  # what may stand between an envelope and the message
_FLAG = b'"isSidechain"'
_ROOT = _PARENT + b"null," + _FLAG
_MOST = 64


def place_of_message(raw: bytes) -> int:
    """Where the line's own message begins; -1 if it has none near its start."""
    return raw.find(MESSAGE, 0, HEAD)


class Envelopes:
    """Those of one file's lines that were decoded since the context changed."""

    def __init__(self) -> None:
        self._before: set[bytes] = set()
        self._behind: set[bytes] = set()
        self.forget()

    def forget(self) -> None:
        """The context changed."""
        self._take(b"\x00")
        self._before.clear()
        self._behind.clear()

    def learn(self, raw: bytes, message: int) -> None:
        """Remember the envelope of a line that was decoded: the next one with the same changes no context."""
        if message - self._place in _KIND and raw[FLAG - 2 : self._place] == self._last:
            return
        start = _flag(raw)
        if start < 0:
            return
        before = raw.find(b'"userType"', start, message) > 0
        known = self._before if before else self._behind
        if len(known) > _MOST:
            known.clear()
        if before:
            envelope = raw[start:message].removesuffix(OLD_USER)
            self._take(envelope)
            known.add(envelope)
        else:
            known.add(_around(raw, start, raw.rfind(_FOOT)))

    def _take(self, envelope: bytes) -> None:
        """Keep the envelope of the line before, as older hosts write it: before the message."""
        self._last = b'",' + envelope
        self._place = FLAG + len(envelope)
        self._sidechain = envelope.startswith(b'"isSidechain":true')
        self._foot = -2  # where what stands behind the message ends: the closing brace
        self._sides = self._end = b"\x00"  # of the line before, as newer hosts write it: on both sides of the message

    def _knows(self, raw: bytes, message: int) -> bool:
        if raw.find(b"{", 1, message) > 0 or not raw.startswith(_PARENT):
            return False
        if raw.endswith(self._end) and raw[FLAG - 2 : FLAGGED] == self._sides:
            return True
        start = _flag(raw)
        if start < 0:
            return False
        if raw.find(b'"userType"', start, message) < 0:
            self._take(b"\x00")
            self._sidechain = raw.startswith(b"true", start + 14)
            foot = raw.rfind(_FOOT)
            self._foot = foot - len(raw)
            if foot < 0 or _around(raw, start, foot) not in self._behind:
                return False
            if start == FLAG:
                self._sides, self._end = raw[FLAG - 2 : FLAGGED], raw[foot:]
            return True
        envelope = raw[start:message].removesuffix(OLD_USER)
        if envelope not in self._before:
            return False
        self._take(envelope)
        return True


def _flag(raw: bytes) -> int:
    """Where `"isSidechain"` stands: right behind the parent's uuid, or behind null; -1 where anything else comes before it."""
    if raw.startswith(_FLAG, FLAG):
        return FLAG
    return len(_ROOT) - len(_FLAG) if raw.startswith(_ROOT) else -1


def _around(raw: bytes, start: int, foot: int) -> bytes:
    """What newer hosts write of it on both sides of the message."""
    return raw[start : start + 19] + raw[foot:]  # 19: up to the flag's value
