"""What a gate says and what the decision comes to. One gate is a function `(Task, Ledger, Project) -> Finding`."""

from enum import IntEnum, StrEnum

from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class State(StrEnum):
    PROVEN = "proven"
    DISPROVEN = "disproven"
    UNKNOWN = "unknown"  # "could not tell" is not "failed"
    NOT_APPLICABLE = "not_applicable"
    WAIVED = "waived"


class Mode(StrEnum):
    OFF = "off"
    WARN = "warn"
    BLOCK = "block"


class Severity(IntEnum):
    """Ordered; written by name."""

    NONE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    BLOCKER = 4


class EndState(StrEnum):
    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    WAITING_FOR_USER = "waiting_for_user"
    BLOCKED_ON_HUMAN = "blocked_on_human"
    WORKING = "working"
    GAVE_UP = "gave_up"
    SKIPPED = "skipped"
    NOT_APPLICABLE = "not_applicable"
    ERROR = "error"


class StopKind(StrEnum):
    """How the final text presents itself, whatever the verdict."""

    COMPLETE = "complete"
    WAITING_FOR_USER = "waiting_for_user"
    WORKING = "working"
    GENUINELY_STUCK = "genuinely_stuck"
    UNCLEAR = "unclear"


class Evidence(Value):
    line: int
    quote: str
    file: str | None = None


class Finding(Value):
    """One gate's answer."""

    gate: str
    state: State
    mode: Mode
    severity: Severity = Severity.NONE
    reason: str  # one sentence; what is missing comes first
    evidence: tuple[Evidence, ...] = ()
    settle: str = ""  # the command that would settle it
    waived_by: str = ""  # the person's words
    masked: bool = False  # unknown because a result is hidden: may block once
    scope: str = ""
    fingerprint: str = ""  # state, scope, last relevant edit and last covering run


class Task(Value):
    """What the current turn was asked to do."""

    type: "Literal['coding', 'docs', 'research', 'ops', 'other']"
    source: str  # "edits", "commands", "words"
    prompt: str
    asks_for_change: bool
    question: bool
    plan_only: bool
    print_mode: bool


class Verdict(Value):
    complete: bool
    decision: "Literal['block', 'allow', 'defer']"
    end_state: EndState
    stop_kind: StopKind
    severity: Severity
    missing: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()
    requires_human_action: bool = False
    feedback: str = ""  # to Claude, when decision is block
    system_message: str = ""  # one line to the person
    fingerprint: str = ""
    attempt: int = 0
    why_silent: str = ""  # which rule let the stop stand without a word
