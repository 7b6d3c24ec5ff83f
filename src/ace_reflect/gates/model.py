"""What a gate says about a stop (`Finding`), and what the findings add up to (`Verdict`, in a `Judgement`)."""

from enum import IntEnum, StrEnum
from typing import Literal, Self

from ace_reflect.evidence.facts import Done
from ace_reflect.values import Value

State = StrEnum("State", "PROVEN DISPROVEN UNKNOWN NOT_APPLICABLE WAIVED")
Mode = StrEnum("Mode", "OFF WARN BLOCK")
Severity = IntEnum("Severity", "NONE LOW MEDIUM HIGH BLOCKER", start=0)  # written by name
EndState = StrEnum("EndState", "COMPLETE INCOMPLETE OPEN_FROM_EARLIER WAITING_FOR_USER BLOCKED_ON_HUMAN WORKING GAVE_UP SKIPPED NOT_APPLICABLE ERROR")  # fmt: skip
#: How the final text presents itself, whatever the verdict.
StopKind = StrEnum("StopKind", "COMPLETE WAITING_FOR_USER WORKING GENUINELY_STUCK")


class Evidence(Value):
    line: int
    quote: str
    file: str | None = None

    @classmethod
    def of(cls, fact: Done, quote: str) -> Self:
        """What the result of a fact shows."""
        return cls(line=fact.result_line or fact.line, file=fact.file, quote=quote)


class Finding(Value):
    gate: str
    state: State
    mode: Mode
    severity: Severity = Severity.NONE
    reason: str  # one sentence; what is missing comes first
    evidence: tuple[Evidence, ...] = ()
    settle: str = ""  # the command that would settle it
    scope: str = ""  # the language and folder it is about, if a session has several
    key: str = ""  # what it is about, for `History.given_up`: "tests python packages/a"
    mark: str = ""  # equal to the last stop's while nothing has happened since: no new attempt
    silent: str = ""  # why it does not block this stop: given up before, of an earlier prompt
    tell: bool = False  # worth a line to the person although nothing blocks

    @property
    def open(self) -> bool:
        return self.state is State.DISPROVEN


class Verdict(Value):
    complete: bool
    decision: Literal["block", "allow", "defer"] = "allow"
    end_state: EndState
    stop_kind: StopKind
    severity: Severity = Severity.NONE
    missing: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()
    requires_human_action: bool = False
    feedback: str = ""  # to Claude, when decision is block
    system_message: str = ""  # one line to the person
    why_silent: str = ""  # which rule let the stop stand without a word


class History(Value):
    """The outcome of a session's earlier stops: in `state.db` for the hook, in memory for a replay."""

    turn: str = ""  # the key of the prompt that the counters are for
    attempts: int = 0  # blocks since that prompt
    last_mark: str = ""
    last_told: bool = False  # the last block was the last message
    told: tuple[str, ...] = ()  # what is said only once per prompt
    given_up: tuple[str, ...] = ()  # keys of findings that do not block until their proof is seen
    skipped: bool = False  # `ace-reflect skip`, or the person's "skip gates" for the session
    notes: tuple[str, ...] = ()  # gates given up in three of the project's sessions in a row


class Judgement(Value):
    findings: tuple[Finding, ...]
    verdict: Verdict
    history: History  # as it is after this stop
    gates_ran: bool = False
