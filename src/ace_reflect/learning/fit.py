"""
Messages made to fit a model's window.

What is given up, in this order and always the oldest first: tools' output down to the lines that tell its outcome, the
long inputs of calls, thoughts, what was only read, the agent's words. Never given up: the person's words, the outcomes
of commands, citations. Only if these alone do not fit are they shortened too, and the note says so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ace_reflect.text import cut_middle

Message = dict[str, Any]

_PER_MESSAGE = 12  # tokens of its heading
_NOTE = 160  # tokens kept free for the note
_BRIEF = 400
_SHORT_CORE = 200
_LEFT_OUT = "[… left out …]"


@dataclass(frozen=True, slots=True)
class Fitted:
    """`note` says what was cut, in words; empty when nothing was. It stands first in `messages` too."""

    messages: list[Message]
    note: str = ""


def estimate_tokens(text: str) -> int:
    """An upper guess, for every tokenizer met: three bytes of UTF-8 a token, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // 3)


def message_tokens(message: Message) -> int:
    return estimate_tokens(str(message.get("content", ""))) + _PER_MESSAGE


def fit(messages: Sequence[Message], budget_tokens: int) -> Fitted:
    """
    The messages within `budget_tokens` by `estimate_tokens`.

    Messages come from `segment`; ones without `kind` and `core` count as the person's or the agent's words by role.
    A budget below some 300 tokens may be overrun by the note.
    """
    given = [message for message in messages if message.get("content")]
    room = _Room([_known(message) for message in given], budget_tokens)
    if room.total <= budget_tokens:
        return Fitted(given)
    room.limit = max(budget_tokens - _NOTE, 0)
    said = [f"{count} {what}" for what, kinds, cut in _STEPS if (count := room.apply(kinds, cut))]
    whole = room.total <= room.limit
    if not whole:
        said += room.last_resort()
    note = _note(said, whole=whole)
    kept = [message for message in room.messages if message["content"]]
    first = {"role": "user", "content": note, "kind": "note", "core": note}
    return Fitted([first, *kept], note)


def _known(message: Message) -> Message:
    kind = "said" if message.get("role") == "assistant" else "person"
    return {"kind": kind, "core": "", **message, "content": str(message.get("content", ""))}


def _note(said: list[str], *, whole: bool) -> str:
    kept = "The person's words, the outcomes of commands and the citations are whole."
    if not whole:
        kept = "Even the person's words or the outcomes of commands had to be shortened."
    return f"(Cut to fit, the oldest first: {', '.join(said) or 'nothing'}. {kept})"


class _Room:
    """The messages, their sizes, and the sum that must come down to `limit`."""

    def __init__(self, messages: list[Message], limit: int) -> None:
        self.messages = messages
        self.limit = limit
        self._sizes = [message_tokens(message) for message in messages]
        self.total = sum(self._sizes)

    def apply(self, kinds: Sequence[str], cut: "Callable[[Message], str]") -> int:
        """Shorten messages of these kinds until all fits; how many were."""
        count = 0
        for index, message in enumerate(self.messages):
            if self.total <= self.limit:
                break
            if message["kind"] in kinds:
                count += self._put(index, cut(message))
        return count

    def _put(self, index: int, content: str) -> bool:
        message = {**self.messages[index], "content": content}
        size = message_tokens(message) if content else 0
        if size >= self._sizes[index]:
            return False
        self.total += size - self._sizes[index]
        self._sizes[index] = size
        self.messages[index] = message
        return True

    def last_resort(self) -> list[str]:
        """Outcomes in one short line, then all but the newest of them, then the person's long texts cut in the middle."""
        steps = (
            ("outcomes shortened", ("output",), lambda m: str(m["core"])[:_SHORT_CORE]),
            ("commands left out", ("call",), lambda _: ""),
            ("of the person's texts cut in the middle", ("person", "plan"), self._share),
            ("outcomes left out", ("output",), lambda _: ""),
            ("citations shortened", ("said", "thinking"), lambda m: str(m["core"])[:_SHORT_CORE]),
            ("of the agent's words left out", ("said", "thinking", "other", "plan"), lambda _: ""),
            ("of the person's texts left out", ("person",), lambda _: ""),
        )
        return [
            f"{count} {what}" for what, kinds, cut in steps if (count := self.apply(kinds, cut))
        ]

    def _share(self, message: Message) -> str:
        """The text cut to its fair part of the window."""
        people = sum(
            1 for other in self.messages if other["kind"] in ("person", "plan") and other["content"]
        )
        most = max(2 * self.limit // max(people, 1), _BRIEF)
        return _within(message["content"], most)


def _within(text: str, most_bytes: int) -> str:
    """Cut in the middle so that it has about `most_bytes` bytes, whatever its script."""
    size = len(text.encode("utf-8", "replace"))
    if size <= most_bytes:
        return text
    return cut_middle(text, max(len(text) * most_bytes // size - 60, 40))


def _outcome(message: Message) -> str:
    core = str(message["core"])
    return f"{core}\n{_LEFT_OUT}" if core else str(message["content"]).split("\n", 1)[0][:_BRIEF]


def _core(message: Message) -> str:
    return str(message["core"])


def _brief(message: Message) -> str:
    core = str(message["core"])
    start = cut_middle(message["content"], _BRIEF)
    return f"{start}\n{core}" if core and core not in start else start


def _only_if_core(message: Message) -> str:
    return "" if not message["core"] else str(message["content"])


_STEPS: "tuple[tuple[str, tuple[str, ...], Callable[[Message], str]], ...]" = (
    ("tool outputs", ("output",), _outcome),
    ("long inputs of calls", ("call",), lambda m: cut_middle(m["content"], _BRIEF)),
    ("thoughts", ("thinking",), _core),
    ("texts of others", ("other",), lambda m: cut_middle(m["content"], _BRIEF)),
    ("results of reading", ("output",), _only_if_core),
    ("calls for reading", ("call",), _core),
    ("plans", ("plan",), lambda m: cut_middle(m["content"], 4_000)),
    ("long texts of the agent's", ("said",), _brief),
    ("texts of the agent's", ("said", "other"), _core),
)
