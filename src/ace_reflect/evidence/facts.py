"""The facts of a session, each with the transcript line that proves it, and the ledger that holds them: plain data."""

from enum import StrEnum
from typing import Literal

from ace_reflect.values import Value

EditKind = Literal["code", "test", "docs", "config", "other"]


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"  # it ran, and neither status nor summary shows how
    NOT_RUN = "not-run"  # nothing was executed


#: What a command is for. SCRIPT: `python repro.py`, `node -e …`; TREE: git puts other contents there; SERVER: has no end.
CommandKind = StrEnum("CommandKind", "TEST BUILD LINT TYPECHECK FORMAT SCRIPT COMMIT PUSH PR_CREATE PR_VIEW PR_CHECKS PR_MERGE PR_COMMENT ISSUE TREE INSTALL SERVER READ EDIT OTHER")  # fmt: skip
#: The kinds that look at the code without executing it, and with the tests all that pass or fail: `Ledger.runs`.
STATIC_KINDS = frozenset({CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK})
RUN_KINDS = STATIC_KINDS | {CommandKind.TEST}
MAINLINES = ("main", "master")


class Placed(Value):
    line: int
    turn: int


class Done(Placed):
    """What one call did. `sequence` is its place among all that was done, by `at`: subagents' files are read apart."""

    at: str = ""  # the line's time, never earlier than that of a line before it in the same file
    result_line: int | None = None
    file: str | None = None  # a subagent's; None: the session's own
    sequence: int = 0
    by: Literal["agent", "subagent", "user", "git-hook"] = "agent"
    command: str = ""  # as typed, white space kept
    quote: str = ""  # the line of the output that decided


class Tried(Done):
    outcome: Outcome


class Counts(Value):  # None where the summary does not say
    passed: int | None = None
    failed: int | None = None  # errors and timeouts included
    skipped: int | None = None
    deselected: int | None = None
    total: int | None = None


class Edit(Done):
    path: str  # absolute where the transcript allows
    tool: str  # Edit, Write, …, the MCP tool's name, or Bash
    kind: EditKind
    language: str = ""  # python, javascript, go, …; "" for none
    created: bool = False
    trivial: str = ""  # why nothing that runs was written: "comments", "moved", "removed"
    scratch: bool = False  # made here and run or deleted, or outside the project
    undone: str = ""  # by git or another edit since: "stash", "restore", "edit"
    weakened: str = ""  # a test that it removed, skipped or moved out of sight
    imports: tuple[str, ...] | None = None  # see `closed_imports`

    @property
    def is_work(self) -> bool:
        return not (self.trivial or self.scratch or self.undone)


class Run(Tried):
    own: str = ""  # what of `command` is the run, where there is more
    kind: CommandKind
    runner: str  # pytest, jest, go test, make test …; for a script its file
    languages: tuple[str, ...] = ()  # that the runner is for; (): any
    why: str  # "exit 1: 2 failed, 10 passed"
    status_visible: bool = True
    counts: Counts | None = None
    cwd: str | None = None
    targets: tuple[str, ...] = ()  # paths or names the run was limited to; (): the whole of cwd
    selected: str = ""  # "-k slow", "--grep x", `--lf`
    deselects: str = ""  # what leaves tests out: "-k 'not slow'", "--ignore=…", "--skip …"
    running: bool = False  # in the background and not yet ended
    baseline: bool = False  # of the unedited tree: work stashed, another worktree or clone
    elsewhere: bool = False  # in such another folder, which may also be a copy of the work
    of_scratch: bool = False  # every target is a scratch file: its failure fails no suite

    @property
    def executed(self) -> bool:
        return self.outcome is not Outcome.NOT_RUN

    @property
    def partial(self) -> bool:
        return bool(self.targets or self.selected or self.deselects)


class Push(Tried):
    branch: str | None = None  # the remote branch; the default branch where that is one of several
    up_to_date: bool = False
    deleted: bool = False
    tag: str = ""  # a tag that was pushed and no branch with it; `branch` is None then

    @property
    def to_default(self) -> bool:
        """By the branch's name alone: only a checkout knows the default branch."""
        return self.branch in MAINLINES and not self.deleted


class Commit(Tried):
    no_verify: bool = False


class PullRequest(Tried):
    url: str | None = None
    number: int | None = None
    existing: bool = False  # it was there already


class CiLook(Done):
    outcome: Literal["passed", "failed", "pending", "unknown"]


class Todo(Placed):  # of the turn that wrote or changed it last
    id: str
    text: str
    status: Literal["pending", "in_progress", "completed", "deleted"]

    @property
    def open(self) -> bool:
        return self.status in {"pending", "in_progress"}


class Background(Placed):
    id: str
    command: str
    kind: CommandKind  # SERVER defers nothing
    running: bool = True
    subagent: bool = False


class Question(Placed):
    text: str
    answer: str = ""  # the person's words


class ToolCall(Placed):
    name: str
    key: str  # the command, or name and target
    write: bool
    bash: bool = False


class Turn(Value):
    """A human prompt and all that follows up to the next one; turn 0 came before the first."""

    number: int
    line: int
    last_line: int
    at: str = ""  # the time of its first line
    prompt: str = ""  # the person's words; to be redacted by whoever writes them out
    command: str = ""  # the slash command that opened it
    prompt_uuid: str | None = None
    kind: str = "human"  # human or plan
    print_mode: bool = False
    plan_mode: bool = False  # the host's plan mode at the end of the turn
    plan_rejected: bool = False
    interrupted: bool = False  # the turn's last event is the person's interrupt
    api_error: bool = False  # the turn ended in an API error or a limit
    final_text: str = ""  # the last assistant text after the last tool call
    final_line: int | None = None
    tool_calls: int = 0
    writes: int = 0  # of them: edits, by tool or shell
    pending_calls: int = 0  # tool uses without a result at the turn's end
    limits: tuple[str, ...] = ()  # what the person said in mid-turn: queued, answers, refusals

    @property
    def typed(self) -> tuple[str, ...]:
        return (self.prompt, *self.limits) if self.kind == "human" else self.limits


class Ledger(Value):
    """Everything known of one session; tuples are in the order of `sequence`."""

    session_id: str = ""
    lines: int = 0
    bad_lines: int = 0
    cwd: str | None = None  # the first one: the project
    branch: str | None = None
    turns: tuple[Turn, ...] = ()
    edits: tuple[Edit, ...] = ()
    runs: tuple[Run, ...] = ()  # tests, builds, lint, type checks
    script_runs: tuple[Run, ...] = ()  # `targets`: the file
    tree_changes: tuple[Done, ...] = ()  # merge, pull, revert, stash pop, reset to another commit
    pushes: tuple[Push, ...] = ()
    commits: tuple[Commit, ...] = ()
    pull_requests: tuple[PullRequest, ...] = ()
    ci_looks: tuple[CiLook, ...] = ()
    todos: tuple[Todo, ...] = ()  # the current list, closed ones included
    background: tuple[Background, ...] = ()
    questions: tuple[Question, ...] = ()
    calls: tuple[ToolCall, ...] = ()  # the current turn's, for the loop detectors
    compactions: tuple[int, ...] = ()  # lines
    planned: bool = False  # the host's plan mode was on at some time
    subagents: int = 0
    plan_mode: bool = False
    files_seen: tuple[str, ...] = ()  # manifests and test files met anywhere; absolute

    @property
    def now(self) -> Turn:
        """The current turn; an empty one if nobody has said anything yet."""
        return self.turns[-1] if self.turns else Turn(number=0, line=0, last_line=0)


#: The ledger's fields whose facts have their place in one common order, with the records that they hold.
DATED = {"edits": Edit, "runs": Run, "script_runs": Run, "tree_changes": Done, "pushes": Push, "commits": Commit, "pull_requests": PullRequest, "ci_looks": CiLook}  # fmt: skip
