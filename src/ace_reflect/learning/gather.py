"""One transcript as learning sees it: the ledger, the citations, the person's words about the work.

Citations include more than the specification's `extract_cited_ids`: several ids in one bracket, an id in bold or code, an
id followed by its text, and ids in thinking; but not the directive's example or lines quoted from the playbook.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import Ledger, Turn
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.transcript import records as rec
from ace_reflect.transcript.reader import TranscriptReader

_AROUND = 80  # characters of the line kept on either side of a citation
_ID = r"(?:(?:pat|mis|pref|ctx|oth)-\d+|kpt_\d+)"
_BRACKET = re.compile(
    rf"\\?[\[【]((?:(?:see|per|key points?)\s){{0,2}}[*_`]{{0,3}}{_ID}[*_`]{{0,3}}(?:\s?(?:[,;/&、]|\b(?:and|und)\b){{1,2}}\s?(?:and\s)?[*_`]{{0,3}}{_ID}[*_`]{{0,3}}){{0,20}})(?::\s[^\[\]【】]{{1,200}})?\\?[\]】]"
)
#: A line of the playbook, as the model is given it.
RENDERED = re.compile(rf"\[({_ID})\]`?\s+(?:helpful=\d+\s+harmful=\d+(?:\s+::)?|::)")
_DIRECTIVE = re.compile(r"(?i)cite its id|cite the ids?\b.{0,40}\bkey point")
#: What follows the id in "[pat-002] does not apply here", "[pat-002: not needed]".
_SET_ASIDE = re.compile(
    r"(?i)[^\w\]]{0,6}(?:(?:does|do|is|are|was)(?:n'?t| not)|not) (?:(?!only)\w+ )?(?:appl\w+|relevant|needed|helpful|matter|concern|about|fit|relate\w*)\b"
)
#: How a background hook wakes the session: by a notification, not a feedback line.
_REWAKE = "<summary>Stop hook"
_INJECTING = {"UserPromptSubmit", "SessionStart"}


@dataclass(frozen=True, slots=True)
class Citation:
    key_point: str
    line: int
    quote: str
    at: str = ""  # the line's timestamp, which orders it among what subagents did


@dataclass(slots=True)
class Gathered:
    path: str
    size: int = 0  # bytes of the file when it was read
    ledger: Ledger = field(default_factory=Ledger)
    citations: list[Citation] = field(default_factory=list)
    injected: set[str] = field(default_factory=set)
    #: (line, words, whether they refuse a call) for what the person said in mid-turn
    said: list[tuple[int, str, bool]] = field(default_factory=list)
    feedback: list[int] = field(default_factory=list)  # lines where a check sent the stop back

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that a person opened: the units of learning."""
        return tuple(turn for turn in self.ledger.turns if turn.number > 0)

    def take(self, record: rec.Record) -> None:
        """Keep what learning needs from a record of the main thread."""
        match record:
            case rec.AssistantText() | rec.Thinking():
                self.citations += cited_in(record.text, record.line, record.timestamp or "")
            case rec.ToolResult() if record.user_words:
                self.said.append((record.line, record.user_words, True))
            case rec.Prompt(kind="human", queued=True):
                self.said.append((record.line, record.text, False))
            case rec.Prompt(kind="hook-feedback"):
                self.feedback.append(record.line)
            case rec.Prompt(kind="task-notification") if _REWAKE in record.text:
                self.feedback.append(record.line)
            case rec.HookOutput() if record.event in _INJECTING:
                shown = (match for match in RENDERED.finditer(record.text) if "::" in match[0])
                self.injected |= {match[1] for match in shown}


def lies_in(line: int, turns: Iterable[Turn]) -> bool:
    """Whether a line of the main transcript belongs to one of these turns."""
    return any(turn.line <= line <= turn.last_line for turn in turns)


def turn_key(ledger: Ledger, turn: Turn) -> str:
    """What identifies a turn in this session, when resumed and in forks: the prompt's own `uuid`."""
    return turn.prompt_uuid or f"{ledger.session_id}:{turn.at}:{turn.line}"


def gather(path: str, *, final: bool = True) -> Gathered:
    """Read a transcript and its subagents' files. Raises TranscriptError if the path is not one."""
    if not os.path.exists(path):
        raise TranscriptError(f"{path}: there is no such file")
    found, record = Gathered(path, os.path.getsize(path)), None
    for record in TranscriptReader(path, final=final):
        if record.in_main_thread:
            found.take(record)
    if record is None:
        raise TranscriptError(why_no_transcript(path))
    found.ledger = read_ledger(path, final=final)
    return found


def why_no_transcript(path: str) -> str:
    """Why a file without a session in it has none, in words that name it."""
    with open(path, "rb") as file:
        start = file.read(4096)
    what = "is empty and" if not start else "is a binary file and" if b"\0" in start else "is"
    return f"{path} {what} no Claude Code transcript and no Codex rollout; those are .jsonl files under ~/.claude/projects and ~/.codex/sessions"


def cited_in(text: str, line: int, at: str = "") -> list[Citation]:
    """The citations in one assistant text."""
    found = []
    for whole in text.split("\n") if "[" in text or "【" in text else ():
        said = "" if _DIRECTIVE.search(whole) else RENDERED.sub("", whole)
        for bracket in _BRACKET.finditer(said):
            start, end = max(bracket.start() - _AROUND, 0), bracket.end() + _AROUND
            quote = " ".join(said[start:end].split())
            found += [Citation(name, line, quote, at) for name in re.findall(_ID, bracket[1])]
    return found


def is_set_aside(citation: Citation) -> bool:
    """Whether the agent names a key point only to say that it does not follow it: "[pat-002] does not apply here"."""
    inside, _, behind = citation.quote.partition(citation.key_point)[2].partition("]")
    return bool(_SET_ASIDE.match(inside) or _SET_ASIDE.match(behind))


def reads_out(citation: Citation, texts: Mapping[str, str]) -> bool:
    """Whether its line is only an id and that key point's text (`texts`: id -> text), which cites nothing."""
    before, _, after = citation.quote.partition(citation.key_point)
    said, own = words(after), words(texts.get(citation.key_point, ""))
    if not own or not said or any(not word.isdigit() for word in words(before)):
        return False
    cut_off = len(after) >= _AROUND - 1  # the quote may end in mid-line, even in mid-word
    return said[:-1] == own[: len(said) - 1] if cut_off else said == own


def words(text: str) -> list[str]:
    """Its words in lower case, without punctuation."""
    return re.findall(r"\w+", text.lower())
