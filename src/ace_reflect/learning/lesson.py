"""The values of learning: what is asked for, what is to be judged, what a reflector and a curator concluded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ace_reflect.evidence.facts import Turn
from ace_reflect.learning.gather import Gathered
from ace_reflect.playbook.model import Playbook
from ace_reflect.redact import redact
from ace_reflect.state.record import Vote, Waiting

CLAUDE = "claude"  # the running Claude is the reflector: `Lesson.model`, and the mode of the run
#: As a curator gives it; with `"candidate": True` it waits for a person.
Operation = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to learn. If `models` is empty or ("offline",): by rule, and nothing is sent anywhere."""

    home_dir: str
    project: str
    environ: Mapping[str, str]
    playbook: str | None = None  # only this one; None: the project's, and votes for the user's own
    models: tuple[str, ...] = ()
    final: bool = True
    session: str = ""  # "": as the transcript says
    review: str = "untrusted"
    ungrounded: str = "neutral"
    again: bool = False  # judge turns again that count already
    dry_run: bool = False
    config: Any = None  # config.Config, for the models' endpoints and the redaction patterns

    def hidden(self, text: str) -> str:
        """A text without secrets, by the person's own patterns, too."""
        patterns = () if self.config is None else self.config.settings.redaction_patterns
        return redact(text, self.environ, patterns=patterns)


@dataclass(frozen=True, slots=True)
class Case:
    """What a reflector judges: these turns of a session, against this playbook."""

    gathered: Gathered
    turns: tuple[Turn, ...]
    known: Mapping[str, str]  # id -> text of what may have been cited, the user's playbook included
    cited: tuple[str, ...]
    books: tuple[Playbook, ...]  # the project's, which operations go to, then the user's
    session: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a reflector and a curator concluded, and what it took. A vote's `turn` is "" if several were judged at once.

    `sources` moves the operations that may not enter a playbook unseen to `refused`, and to `waiting` if a person is asked.
    """

    analysis: str
    votes: tuple[Vote, ...] = ()
    operations: tuple[Operation, ...] = ()
    model: str | None = None  # None: by rule
    read_text: str = ""  # what the session had read in files and tool output
    usage: Mapping[str, Any] = field(default_factory=dict)
    waiting: tuple[Waiting, ...] = ()
    refused: tuple[Operation, ...] = ()
    seen: Mapping[str, str] = field(
        default_factory=dict
    )  # id -> text of the key points as the curator saw them
