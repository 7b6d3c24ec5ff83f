"""
Regular expressions that are compiled when a text may match them.

`re` compiles in Python: a hundred expressions cost a hook five times the interpreter's start. Most of them have words
without which they match nothing, and most texts hold none of those.
"""

from ace_reflect import regex as re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Replacement = str | Callable[[re.Match[str]], str]

DIGITS = "|".join("0123456789")  # one of `needs`
IGNORECASE, MULTILINE, DOTALL, VERBOSE = re.IGNORECASE, re.MULTILINE, re.DOTALL, re.VERBOSE

#: What `re.IGNORECASE` takes for an ASCII letter and `str.lower` leaves as it is.
_ODD_LETTERS = (("i\u0307", "i"), ("\u0131", "i"), ("\u017f", "s"))
_last = ("", "")


class Late:
    """
    `re.compile(source, flags)`, later, with the methods that are used here.

    `needs`: groups of words between bars, in lower case where case is ignored. A text that lacks all words of any group
    is not looked at, so every match must hold one word of each; a test proves that of every expression.
    """

    __slots__ = ("_compiled", "_folds", "_groups", "flags", "needs", "source")

    def __init__(self, source: str, flags: int = 0, *, needs: "tuple[str, ...]" = ()) -> None:
        self.source = source
        self.flags = flags
        self.needs = needs
        self._groups: list[list[str]] | None = None  # like what follows, made when a text comes: most never see one
        self._compiled: re.Pattern[str] | None = None

    def may_match(self, text: str) -> bool:
        """Whether the text holds what a match needs."""
        if not self.needs:
            return True
        if self._groups is None:
            self._groups = [group.split("|") for group in self.needs]
            self._folds = bool(int(self.flags) & IGNORECASE) or self.source.startswith("(?i")
        if self._folds:
            text = folded(text)
        for group in self._groups:
            for word in group:
                if word in text:
                    break
            else:
                return False
        return True

    @property
    def compiled(self) -> "re.Pattern[str]":
        found = self._compiled
        if found is None:
            found = self._compiled = re.compile(self.source, self.flags)
        return found

    def search(self, text: str, start: int = 0) -> "re.Match[str] | None":
        return self.compiled.search(text, start) if self.may_match(text) else None

    def match(self, text: str, start: int = 0) -> "re.Match[str] | None":
        if self._compiled is not None:  # to try at one place is quicker than to look for words
            return self._compiled.match(text, start)
        return self.compiled.match(text, start) if self.may_match(text) else None

    def fullmatch(self, text: str) -> "re.Match[str] | None":
        return self.compiled.fullmatch(text) if self.may_match(text) else None

    def finditer(self, text: str) -> "Iterator[re.Match[str]]":
        return self.compiled.finditer(text) if self.may_match(text) else iter(())

    def split(self, text: str) -> "list[Any]":
        return self.compiled.split(text) if self.may_match(text) else [text]

    def findall(self, text: str) -> "list[Any]":
        return self.compiled.findall(text) if self.may_match(text) else []

    def sub(self, new: "Replacement", text: str, count: int = 0) -> str:
        return self.compiled.sub(new, text, count) if self.may_match(text) else text


class Alternatives:
    """`a|b|c`, of which only those are compiled that a text may match."""

    __slots__ = ("parts",)

    def __init__(self, *parts: Late) -> None:
        self.parts = parts

    def search(self, text: str) -> "re.Match[str] | None":
        """The match that begins first; of two at one place the earlier part's."""
        found = [match for part in self.parts if (match := part.search(text)) is not None]
        return min(found, key=_start, default=None)


def _start(match: "re.Match[str]") -> int:
    return match.start()


class Scripts:
    """
    An expression, and one that matches the same in a text of ASCII only: a class with other characters in it is several
    times as slow to compile, and most texts hold none.
    """

    __slots__ = ("parts",)

    def __init__(self, every: str, ascii_only: str) -> None:
        self.parts = (Late(every), Late(ascii_only))

    def of(self, text: str) -> Late:
        """The one for this text."""
        return self.parts[text.isascii()]


def holds(low: str, words: "tuple[str, ...]", beginnings: "tuple[str, ...]" = ()) -> bool:
    r"""Whether one of the words stands in a folded text by itself, or one of the beginnings begins a word: `\b(?:…)\b`."""
    for word in words:
        at = low.find(word)
        while at >= 0:
            if _edge(low, at) and _edge(low, at + len(word)):
                return True
            at = low.find(word, at + 1)
    for word in beginnings:
        at = low.find(word)
        while at >= 0:
            if _edge(low, at):
                return True
            at = low.find(word, at + 1)
    return False


def begins(low: str, words: "tuple[str, ...]") -> bool:
    r"""Whether a folded text begins with one of the words: `^(?:…)\b`."""
    return low.startswith(words) and any(low.startswith(word) and _edge(low, len(word)) for word in words)


def _edge(text: str, at: int) -> bool:
    r"""What `\b` is: a letter, digit or `_` on one side only."""
    before = at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_")
    behind = at < len(text) and (text[at].isalnum() or text[at] == "_")
    return before != behind


def folded(text: str) -> str:
    """In lower case, with the letters that `re.IGNORECASE` takes for ASCII ones as those."""
    global _last  # noqa: PLW0603 - one text is asked about by many expressions in a row
    if text is _last[0]:
        return _last[1]
    low = text.lower()
    if not low.isascii():
        for odd, plain in _ODD_LETTERS:
            low = low.replace(odd, plain)
    _last = (text, low)
    return low
