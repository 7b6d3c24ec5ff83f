"""
What a gate says (`Finding`), and what all findings together come to (`Verdict`, in a `Judgement`).

A gate is a function from one stop (`case.Case`) to a finding; `tests` and `build` give one for each `debt.Debt`.
"""

from ace_reflect.choices import Choice, Rank
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, Self

    from ace_reflect.evidence.facts import Done


class State(Choice):
    PROVEN = "proven"
    DISPROVEN = "disproven"
    UNKNOWN = "unknown"  # "could not tell" is not "failed"
    NOT_APPLICABLE = "not_applicable"
    WAIVED = "waived"


class Mode(Choice):
    OFF = "off"
    WARN = "warn"
    BLOCK = "block"


class Severity(Rank):
    """Ordered; written by name."""

    NONE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    BLOCKER = 4


class EndState(Choice):
    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    WAITING_FOR_USER = "waiting_for_user"
    BLOCKED_ON_HUMAN = "blocked_on_human"
    WORKING = "working"
    GAVE_UP = "gave_up"
    SKIPPED = "skipped"
    NOT_APPLICABLE = "not_applicable"
    ERROR = "error"


class StopKind(Choice):
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

    @classmethod
    def of(cls, fact: "Done", quote: str) -> "Self":
        """What the result of a deed shows."""
        return cls(line=fact.result_line or fact.line, file=fact.file, quote=quote)


#: Values of `Finding.silent` that any gate may give: why an open finding is not asked for again.
GIVEN_UP = "it was given up before"
OF_EARLIER = "it is of an earlier prompt, and this one neither added to it nor shipped it"


class Cause(Choice):
    """
    Why a gate found what it found, for code to branch on. `Finding.reason` says the same to people, in words that may change.
    """

    TESTS_FAILED = "tests failed"
    KEPT_FROM_RUNNING = "kept from running"  # the environment lacks what the tests need
    EXEMPTED = "exempted"  # the person named what may fail
    LOOSENED = "loosened"  # a test was removed or loosened
    LEFT_OUT = "left out"  # a run passed, but some of the tests were excluded from it
    BY_SUBAGENT = "by a subagent"  # one may have run the tests; its transcript is not at hand
    NO_ADDRESS = "no address"  # a pull request was opened, and its address is shown nowhere
    OVERWROTE = "overwrote"  # a forced push replaced what somebody else had pushed
    FILE_UNTOUCHED = "file untouched"
    CHECK_NOT_SHOWN = "check not shown"  # a run, a push, a commit that the answer claims
    NAMED_IN_PROMPT = "named in the prompt"
    TODO_LIST = "todo list"
    OFF_THE_LIST = "off the list"  # an item never begun is missing from the to-do list that ends with all done
    STILL_RUNNING = "still running"  # the tests or the build, in the background
    WITHOUT_RESULT = "without result"  # a run of the tests that was stopped, or whose end is not shown
    NO_ANSWER = "no answer"
    NOTHING_DONE = "nothing done"
    ONLY_READ = "only read"
    TESTS_COMPILE_IT = "the tests compile it"  # the build was not run, and a run of the tests will have done as much
    LEFT_TO_TRY = "left to try"
    PART_LEFT = "part left"
    NOT_DONE = "not done"  # as the answer itself says
    PAST_THE_HOOK = "past the hook"
    ASKS_NOBODY = "asks nobody"  # a question in print mode, where nobody can answer


class Finding(Value):
    """One gate's answer."""

    gate: str
    state: State
    mode: Mode
    severity: Severity = Severity.NONE
    reason: str  # one sentence; what is missing comes first
    cause: Cause | None = None
    evidence: tuple[Evidence, ...] = ()
    settle: str = ""  # the command that would settle it
    waived_by: str = ""  # the person's words
    masked: bool = False  # unknown because a result is hidden: may block once
    scope: str = ""
    fingerprint: str = ""  # equal to the last stop's while nothing has happened since: no new attempt
    silent: str = ""  # why an open gate asks nothing at this stop: OF_EARLIER, GIVEN_UP, or a reason of the gate's own
    key: str = ""  # what it is about, for `History.given_up` and `History.told`

    @property
    def open(self) -> bool:
        """Whether something is left to do or to show."""
        return self.state is State.DISPROVEN or (self.state is State.UNKNOWN and self.masked)


class Task(Value):
    """What the current turn was asked to do."""

    type: "Literal['coding', 'docs', 'research', 'ops', 'other']"
    source: str  # "edits", "commands", "words"
    prompt: str
    asks_for_change: bool
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
    why_silent: str = ""  # which rule let the stop stand without a word


class History(Value):
    """What earlier stops of this prompt and session came to (from `state.db`; a replay keeps its own)."""

    attempts: int = 0  # blocks since the last human prompt
    last_fingerprint: str = ""
    last_told: bool = False  # the last block was the last message
    given_up: tuple[str, ...] = ()  # keys of debts that never block again
    #: What is said only once: keys of masked results and of questions in print mode; "said:…" for a line to the person.
    told: tuple[str, ...] = ()
    skipped: bool = False  # `ace-reflect skip`


class Judgement(Value):
    task: Task
    findings: tuple[Finding, ...]
    verdict: Verdict
    history: History  # as it is after this stop
    gates_ran: bool = False
    unproven: bool = False  # this turn worked on code, and no gate knows of tests or a build to prove it by
