"""Has the person gone on since a stop? Then nobody speaks about it any more."""

import os

from ace_reflect.errors import TranscriptError
from ace_reflect.hooks.edge import Event
from ace_reflect.state import prompts, sessions, stops
from ace_reflect.transcript.reader import Cursor, TranscriptReader
from ace_reflect.transcript.records import (
    AssistantText,
    Interrupt,
    Prompt,
    Record,
    ToolUse,
    UserShell,
)

#: What opens a turn, or goes on with one.
_TURNS = frozenset({"human", "plan", "task-notification", "hook-feedback", "teammate"})


class Watch:
    """
    Looks whether a stop is still the last thing that happened: no newer prompt, stop, interrupt or call, no end of the
    session. `cursor` is where the first entry had read the transcript to, `final` the answer that it may not hold yet.
    """

    def __init__(self, event: Event, prompt_row: int, cursor: Cursor | None, final: str) -> None:
        self._state = event.db
        self._session = event.session_id
        self._transcript = event.transcript
        self._prompt_row = prompt_row
        self._cursor = cursor
        self._final = final.strip()
        self._decided = stops.newest(event.db, event.session_id)
        self._size = -1

    def gone_on(self) -> str:
        """What happened since, in a word; "" while the stop is the last thing."""
        row = prompts.current(self._state, self._session)
        if row is not None and row.id != self._prompt_row:
            return "a newer prompt"
        if stops.newest(self._state, self._session) > self._decided:
            return "a newer stop"
        session = sessions.get(self._state, self._session)
        if session is not None and session.ended_at is not None:
            return "the session has ended"
        return self._in_transcript()

    def _in_transcript(self) -> str:
        try:
            size = os.stat(self._transcript).st_size
            if size == self._size:
                return ""
            reader = TranscriptReader(self._transcript, self._cursor, progress=False)
            if reader.restarted:
                reader.close()
                return "another transcript"
            found = next((what for record in reader if (what := self._turned(record))), "")
        except (OSError, TranscriptError):
            return "no transcript"
        self._size = size
        return found

    def _turned(self, record: Record) -> str:
        if record.sidechain:
            return ""
        if isinstance(record, Interrupt):
            return "an interrupt"
        if isinstance(record, Prompt) and record.kind in _TURNS:
            return f"a newer {record.kind} prompt"
        if isinstance(record, (ToolUse, UserShell)):
            return "a newer call"
        if isinstance(record, AssistantText) and record.text.strip() != self._final:
            return "a newer answer"
        return ""
