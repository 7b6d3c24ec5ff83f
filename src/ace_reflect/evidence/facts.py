"""
The facts of a session, each with the transcript line that proves it, and the ledger that holds them.

A ledger is built by `evidence.ledger.LedgerBuilder` from records and read by `gates` and `learning`. It is plain data:
`to_json`/`from_json` carry it through `state.db`, so that a stop reads only what is new.
"""

from ace_reflect.choices import Choice
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Self

    By = Literal["agent", "subagent", "user", "git-hook"]
    EditKind = Literal["code", "test", "docs", "config", "other"]


class Outcome(Choice):
    """What a command came to. UNKNOWN is "ran, and neither status nor summary shows how"; NOT_RUN is "nothing was executed"."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"
    NOT_RUN = "not-run"


class CommandKind(Choice):
    """What a command is for. `OTHER` is everything that no gate asks about."""

    TEST = "test"
    BUILD = "build"
    LINT = "lint"
    TYPECHECK = "typecheck"
    FORMAT = "format"
    COMMIT = "commit"
    PUSH = "push"
    PR_CREATE = "pr-create"
    PR_VIEW = "pr-view"
    PR_CHECKS = "pr-checks"  # `gh pr checks`, `gh run watch|view|list`, `glab ci …`
    PR_MERGE = "pr-merge"
    PR_COMMENT = "pr-comment"
    ISSUE = "issue"
    INSTALL = "install"
    SERVER = "server"  # a dev server or watcher: has no end of its own
    READ = "read"  # looks, changes nothing
    EDIT = "edit"  # changes files of the project
    OTHER = "other"


#: The kinds that become a `Run`: they look at the work and pass or fail. A formatter only writes.
RUN_KINDS = frozenset((CommandKind.TEST, CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK))
#: Those of them that look at the code and do not execute it. What is said of "the build" is said of all three.
STATIC_KINDS = RUN_KINDS - {CommandKind.TEST}


class Fact(Value):
    """
    What every dated fact carries beside its own fields.

    `at` is the time of its transcript line, never earlier than that of a line before it in the same file; with it facts of
    subagents' files find their place among the main thread's.
    """

    at: str = ""


class Done(Fact):
    """What one call did: where it stands, and its place among all that was done."""

    line: int
    result_line: int | None = None
    file: str | None = None  # a subagent's; None: the session's own
    turn: int
    sequence: int = 0  # in the order they happened


class Tried(Done):
    """What can succeed or fail."""

    outcome: Outcome

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Self":
        return super().from_json({**data, "outcome": Outcome(data["outcome"])})


class Counts(Value):
    """What a runner's summary counted; None where it does not say."""

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    deselected: int | None = None
    total: int | None = None


class Edit(Done):
    """A change to a file that succeeded, by a tool or by the shell."""

    path: str  # as given; absolute where the transcript allows
    tool: str  # Edit, Write, MultiEdit, NotebookEdit, Bash
    kind: "EditKind"
    by: "By" = "agent"
    created: bool = False
    formatter: bool = False  # made by a formatter run: listed, makes no debt
    weakened: str = ""  # quote of an assertion or test that this edit removed, skipped or loosened
    gone: str = ""  # names of functions and classes that this edit of code took out: "set_command Parser"
    trivial: str = ""  # "comments", "blank lines": nothing that runs was changed, so it makes no debt
    #: What became of the file's text: "removed", "restored" (to what git has), "brought back" (from the stash),
    #: "written" (whole), or the checksums of what an Edit took out and put in ("1f2e:9a0b"), by which the edit that
    #: takes it back is known.
    change: str = ""

    @property
    def unnamed(self) -> bool:
        """Whether the command does not name what it changed; `*.ts` names a kind."""
        return self.path.endswith("*")


class Run(Tried):
    """A command of one of the `RUN_KINDS`, and what the transcript shows of its result."""

    by: "By" = "agent"
    command: str  # as typed, whitespace kept
    own: str = ""  # what of `command` is the run, where other commands, pipes or redirections stand around it
    kind: CommandKind
    runner: str  # pytest, jest, go test, make test …
    why: str  # "exit 1: 2 failed, 10 passed"; "status hidden by `| tail -5`, no summary shown"
    quote: str = ""  # the summary line that decided
    status_visible: bool = True
    masked: str = ""  # what hides the result: "| tail -5", "|| true", "2>/dev/null"
    counts: Counts | None = None
    cwd: str | None = None
    targets: tuple[str, ...] = ()  # paths or names the run was limited to; empty: the whole of cwd
    background: bool = False
    running: bool = False  # in the background and not yet ended
    cut_off: bool = False  # the transcript or the host's limit ended before the verdict
    selected: str = ""  # what narrows the run: "-k not slow", "--grep x"
    deselects: str = ""  # what leaves required tests out: "-k 'not slow'", "--exclude flaky", "--ignore=…"

    @property
    def executed(self) -> bool:
        return self.outcome is not Outcome.NOT_RUN

    @property
    def limited(self) -> bool:
        """Whether it was aimed at some tests only."""
        return bool(self.targets or self.selected)

    @property
    def covers_too_little(self) -> bool:
        """Whether it failed for its coverage alone, with no test that did."""
        tests_passed = self.counts is not None and self.counts.passed and not self.counts.failed
        return self.outcome is Outcome.FAILED and bool(tests_passed) and "coverage" in self.quote.lower()

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Self":
        nested = {**data, "kind": CommandKind(data["kind"])}
        if data.get("counts"):
            nested["counts"] = Counts.from_json(data["counts"])
        return super().from_json(nested)


class Push(Tried):
    by: "By" = "agent"
    command: str
    branch: str | None = None  # the remote branch that was updated
    to_default: bool = False
    quote: str = ""
    up_to_date: bool = False
    forced: bool = False
    deleted: bool = False
    tag: str = ""  # a tag that was pushed; `branch` is None then


class Commit(Tried):
    by: "By" = "agent"
    no_verify: bool = False
    quote: str = ""

    @property
    def let_through(self) -> bool:
        """Whether the repository's hooks, where it has any, passed it."""
        return self.outcome is Outcome.PASSED and not self.no_verify


class PullRequest(Tried):
    """A `gh pr create` (or the forge's like) that was tried."""

    url: str | None = None
    number: int | None = None
    command: str = ""
    existing: bool = False  # it was there already: "a pull request for branch … already exists"
    quote: str = ""


class CiLook(Done):
    """A look at CI: who looked, and what it showed."""

    command: str
    outcome: "Literal['passed', 'failed', 'pending', 'unknown']"
    quote: str = ""


class Todo(Value):
    id: str
    text: str
    #: "left-out": not begun, and gone from the list that closes it.
    status: "Literal['pending', 'in_progress', 'completed', 'deleted', 'left-out']"
    line: int
    turn: int  # the turn that wrote or changed it last

    @property
    def open(self) -> bool:
        return self.status in {"pending", "in_progress"}


class Background(Value):
    """A background shell or subagent."""

    id: str
    line: int
    turn: int
    command: str
    kind: CommandKind  # SERVER defers nothing
    running: bool = True
    subagent: bool = False

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Self":
        return super().from_json({**data, "kind": CommandKind(data["kind"])})


class Question(Fact):
    """AskUserQuestion, or a refused call with the person's words."""

    line: int
    turn: int
    text: str
    answer: str = ""  # the person's words


class ToolCall(Fact):
    """One call as the loop detectors see it."""

    line: int
    turn: int
    name: str
    key: str  # normalised command, or name and target
    write: bool
    read: bool
    bash: bool = False
    failed: bool = False
    sequence: int = 0


class Turn(Value):
    """A human prompt and all that follows up to the next one. Turn 0 is what came before the first prompt."""

    number: int
    line: int
    last_line: int
    at: str = ""  # the time of its first line
    prompt: str = ""  # the person's words, at most 4,000 characters; to be redacted by whoever writes them out
    command: str = ""  # the slash command that opened it
    prompt_uuid: str | None = None
    kind: str = "human"  # human or plan
    print_mode: bool = False
    plan_mode: bool = False  # the host's plan mode at the end of the turn
    plan_rejected: bool = False
    interrupted: bool = False  # the turn's last event is the person's interrupt
    api_error: bool = False  # the turn ended in an API error or a limit
    final_text: str = ""  # the last assistant text after the last tool call, at most 8,000 characters
    final_line: int | None = None
    tool_calls: int = 0
    reads: int = 0  # of them: looked, changed nothing
    writes: int = 0  # of them: edits, by tool or shell
    pending_calls: int = 0  # tool uses without a result at the turn's end
    compactions: int = 0
    limits: tuple[str, ...] = ()  # other things the person said in mid-turn (queued prompts, refusals with words)

    @property
    def typed(self) -> tuple[str, ...]:
        """What the person typed in it; an accepted plan the host wrote."""
        return (self.prompt, *self.limits) if self.kind == "human" else self.limits

    @property
    def said(self) -> str:
        """All that was asked for in it, a plan as well."""
        return " ".join((self.prompt, *self.limits))


class Ledger(Value):
    """Everything known of one session so far. Tuples are in transcript order."""

    session_id: str = ""
    lines: int = 0
    bad_lines: int = 0
    cwd: str | None = None  # the session's first working directory: the project
    branch: str | None = None
    default_branch: str | None = None  # where the transcript shows it
    turns: tuple[Turn, ...] = ()
    edits: tuple[Edit, ...] = ()
    runs: tuple[Run, ...] = ()  # tests, builds, lint, type checks
    script_runs: tuple[Run, ...] = ()  # of the project's scripts by themselves; `targets` is the script
    pushes: tuple[Push, ...] = ()
    commits: tuple[Commit, ...] = ()
    pull_requests: tuple[PullRequest, ...] = ()
    ci_looks: tuple[CiLook, ...] = ()
    todos: tuple[Todo, ...] = ()  # the current list, closed ones included
    background: tuple[Background, ...] = ()
    questions: tuple[Question, ...] = ()
    calls: tuple[ToolCall, ...] = ()  # the current turn's, for the loop detectors
    compactions: tuple[int, ...] = ()  # lines
    interrupts: tuple[int, ...] = ()  # lines
    plan_exits: tuple[str, ...] = ()  # "line\tapproved" or "line\trejected"
    subagents: int = 0
    plan_mode: bool = False
    forge_remote: str | None = None  # "github.com/owner/repo" where the transcript shows it
    files_seen: tuple[str, ...] = ()  # manifests, tests folders and config files met in commands, reads and listings
    commands_seen: tuple[str, ...] = ()  # what ran: the last 400 Bash commands, 300 characters of each
    pr_links: tuple[str, ...] = ()  # addresses of pull requests that the session made or looked at
    worktrees: tuple[str, ...] = ()  # working copies that the session made, whose work was not taken over yet
    scripts_seen: tuple[str, ...] = ()  # "name\tbody" of package.json scripts that the transcript shows

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Self":
        nested = dict(data)
        for name, fact in NESTED.items():
            nested[name] = tuple(fact.from_json(item) for item in data.get(name) or ())
        return super().from_json(nested)


#: The ledger's fields that hold records.
NESTED: "dict[str, type[Value]]" = {
    "turns": Turn,
    "edits": Edit,
    "runs": Run,
    "script_runs": Run,
    "pushes": Push,
    "commits": Commit,
    "pull_requests": PullRequest,
    "ci_looks": CiLook,
    "todos": Todo,
    "background": Background,
    "questions": Question,
    "calls": ToolCall,
}
