"""One file's lines -> records: the quick look first, the whole line where that does not do."""

from ace_reflect.transcript import prefilter
from ace_reflect.transcript.envelopes import place_of_message
from ace_reflect.transcript.jsonlines import objects
from ace_reflect.transcript.lines import read_line
from ace_reflect.transcript.memory import Memory
from ace_reflect.transcript.quick import Quick
from ace_reflect.transcript.user import flush_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    from ace_reflect.transcript.records import Record


class Parser:
    """
    Holds what a line's meaning depends on. `state()` is plain JSON, so that reading goes on where it stopped.

    With `whole` every line is decoded in full; otherwise bytes decide what can be left out, and the text of what reading
    tools brought in is cut after its beginning, and the model's thinking is told with `thoughts` only. With `progress` false, subagents' messages that the main file repeats
    are left out, for a caller who reads the subagents' own files.
    """

    def __init__(
        self,
        state: "dict[str, Any] | None" = None,
        *,
        file: str | None = None,
        whole: bool = False,
        progress: bool = True,
        thoughts: bool = False,
    ) -> None:
        self._memory = Memory(state, file)
        self._thoughts = whole or thoughts
        self._quick = Quick(self._memory, thoughts=self._thoughts, progress=progress)
        #: The one record of a common line, False where a line holds none; None where it needs `feed`.
        self.quick: Callable[[bytes, int], Record | Literal[False] | None] = _not if whole else self._quick.read
        self._whole = whole
        self._progress = progress

    def state(self) -> "dict[str, Any]":
        """What `__init__` takes to go on after the last line."""
        return self._memory.state()

    def feed(self, raw: bytes, line: int) -> "tuple[Sequence[Record], bool]":
        """The records of physical line number `line`, and whether the line was sound."""
        if several := self._quick.several:
            self._quick.several = []
            return several, True
        self._memory.line = line
        if self._whole or raw.startswith(b'{"type":"'):  # one of those that tell something: `quick` took the others
            return self._decoded(raw)
        message = place_of_message(raw)
        if message > 0 and raw.find(b"{", 1, message) < 0:
            records, sound = self._decoded(raw)
            if sound:
                self._quick.learn(raw, message)
            return records, sound
        if prefilter.tells_nothing(raw):
            return (), True
        return self._decoded(raw)

    def end(self) -> "list[Record]":
        """What was still being waited for when the file ended for good."""
        return flush_shell(self._memory)

    def _decoded(self, raw: bytes) -> "tuple[list[Record], bool]":
        light = raw if self._whole else prefilter.lighter(raw)
        found, sound = objects(light)
        if not sound and light is not raw:
            found, sound = objects(raw)
        context = self._memory.context
        records: list[Record] = []
        for data in found:
            records += read_line(
                self._memory, data, whole=self._whole, progress=self._progress, thoughts=self._thoughts
            )
        if context is not self._memory.context:
            self._quick.forget()
        return records, sound


def _not(_raw: bytes, _line: int) -> None:
    """No line is common where every one is to be decoded in full."""
