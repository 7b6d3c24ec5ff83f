"""
One transcript as learning sees it: the ledger of what happened, the citations, and what the person said to it.

Light on purpose: of a transcript of any size only these are kept. What a model is to read is made by `segment`.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import Ledger, Turn
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.learning.citations import Citation, cited_in, injected_in
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import (
    AssistantText,
    Prompt,
    Record,
    Thinking,
    ToolResult,
    UserShell,
)

#: How a hook that ran beside the person's work wakes the session: a notification, no feedback line.
_REWAKE = "<summary>Stop hook"


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the person's in mid-turn: while refusing a call, or typed while the agent worked."""

    line: int
    text: str
    refusal: bool


@dataclass(frozen=True, slots=True)
class SentBack:
    """A stop that a check, ours or another hook's, did not let stand."""

    line: int
    at: str = ""  # the line's timestamp: places it among what subagents did


@dataclass(frozen=True, slots=True)
class Gathered:
    path: str
    size: int  # bytes of the file when it was read
    ledger: Ledger
    citations: tuple[Citation, ...] = ()
    injected: frozenset[str] = frozenset()
    said: tuple[Said, ...] = ()
    shell: tuple[tuple[int, str], ...] = ()  # (line, the person's own command)
    feedback: tuple[SentBack, ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that a person opened: the units of learning."""
        return tuple(
            turn for turn in self.ledger.turns if turn.number > 0 and turn.kind in {"human", "plan"}
        )


def lies_in(line: int, turns: Iterable[Turn]) -> bool:
    """Whether a line of the main transcript belongs to one of these turns."""
    return any(turn.line <= line <= turn.last_line for turn in turns)


def turn_key(ledger: Ledger, turn: Turn) -> str:
    """What a turn is known by, in this session, its resumption and its forks: the prompt's own `uuid`."""
    return turn.prompt_uuid or f"{ledger.session_id}:{turn.at}:{turn.line}"


def gather(path: str, *, final: bool = True) -> Gathered:
    """
    Read a transcript and its subagents' files.

    Raises TranscriptError for a path that holds none: missing, empty, binary, or JSON of another kind.
    """
    size = _size(path)
    found = _Found()
    reader = TranscriptReader(path, final=final, thoughts=True)
    for record in reader:
        found.feed(record)
    if not found.records:
        raise TranscriptError(_no_transcript(path))
    return Gathered(
        path=path,
        size=size,
        ledger=read_ledger(path, final=final),
        citations=tuple(found.citations),
        injected=frozenset(found.injected),
        said=tuple(found.said),
        shell=tuple(found.shell),
        feedback=tuple(found.feedback),
    )


class _Found:
    def __init__(self) -> None:
        self.records = 0
        self.citations: list[Citation] = []
        self.injected: set[str] = set()
        self.said: list[Said] = []
        self.shell: list[tuple[int, str]] = []
        self.feedback: list[SentBack] = []

    def feed(self, record: Record) -> None:
        self.records += 1
        if not record.in_main_thread:
            return
        if isinstance(record, AssistantText | Thinking):
            self.citations += cited_in(record.text, record.line, record.timestamp or "")
        elif isinstance(record, ToolResult):
            if record.user_words:
                self.said.append(Said(record.line, record.user_words, refusal=True))
        elif isinstance(record, Prompt):
            self._prompt(record)
        elif isinstance(record, UserShell):
            self.shell.append((record.line, record.command))
        else:
            self.injected |= injected_in(record)

    def _prompt(self, record: Prompt) -> None:
        if record.kind == "human" and record.queued:
            self.said.append(Said(record.line, record.text, refusal=False))
        elif record.kind == "hook-feedback" or (
            record.kind == "task-notification" and _REWAKE in record.text
        ):
            self.feedback.append(SentBack(record.line, record.timestamp or ""))


def _size(path: str) -> int:
    if os.path.isdir(path):
        raise TranscriptError(
            f"{path} is a folder; name the transcripts in it ({os.path.join(path, '*.jsonl')})"
        )
    try:
        size = os.stat(path).st_size
    except FileNotFoundError:
        raise TranscriptError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise TranscriptError(f"{path} cannot be read: {error}") from error
    if size == 0:
        raise TranscriptError(
            f"{path} is empty and no Claude Code transcript: no session was written to it"
        )
    return size


def why_no_transcript(path: str) -> str:
    """Why a file in which nothing of a session was found holds none, in words that name it. Raises TranscriptError, too."""
    _size(path)
    return _no_transcript(path)


def _no_transcript(path: str) -> str:
    with open(path, "rb") as file:
        binary = b"\x00" in file.read(4096)
    if binary:
        return f"{path} is a binary file and no Claude Code transcript; a transcript is a .jsonl file under ~/.claude/projects"
    return f"{path} is no Claude Code transcript: no line of it is a session's; transcripts are .jsonl files under ~/.claude/projects"


def keys_of(gathered: Gathered, *, final: bool) -> list[tuple[str, Turn]]:
    """(key, turn) of every turn that is over: with `final` the last one too."""
    turns = gathered.turns if final else gathered.turns[:-1]
    return [(turn_key(gathered.ledger, turn), turn) for turn in turns]
