"""
The ledger while it is being written: lists that grow, the open turn, the calls that wait for their results.

Everything here can be written as JSON between two records and read back without a difference, so that a stop reads only
what is new and comes to the same ledger as one reading of the whole.
"""

from ace_reflect.evidence.facts import NESTED, Background, Edit, Ledger, Run, Turn
from ace_reflect.transcript.fields import last_space, next_space

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from ace_reflect.evidence.facts import CiLook, Commit, Done, PullRequest, Push, Question, Todo, ToolCall
    from ace_reflect.transcript.records import Record
    from ace_reflect.values import Value

    V = TypeVar("V", bound=Value)

MAX_COMMANDS = 400
MAX_COMMAND = 300
MAX_FILES = 250
MAX_CALLS = 300
MAX_PENDING = 200
MAX_WAITING = 60
MAX_PROMPT = 4_000
MAX_FINAL = 8_000
#: How many characters the prompts of all turns may have together, and likewise their final texts. Above that the oldest are
#: shortened, each to the number in `_LIMITS`, but never the last two. Prompts get more room: what a person said long ago
#: ("never push") still holds, and an old answer is asked for by nobody.
ALL_PROMPTS = 60_000
ALL_FINALS = 8_000
_LIMITS = {"prompt": (ALL_PROMPTS, 300), "final_text": (ALL_FINALS, 100)}
#: Facts that have their place in one common order.
DATED = ("edits", "runs", "script_runs", "pushes", "commits", "pull_requests", "ci_looks")


_defaults: "dict[type[Value], dict[str, Any]]" = {}  # of each class that was made, by field


def file_key(path: str) -> str:
    """The key in `Book.waiting` of a file that a run's output went to; ids of background tasks hold no blank."""
    return f"file {path}"


def made(cls: "type[V]", /, **fields: "Any") -> "V":
    """A record without the fields that have their default anyway: it is shorter as JSON."""
    defaults = _defaults.get(cls)
    if defaults is None:
        defaults = _defaults[cls] = {name: getattr(cls, name) for name in cls._fields if hasattr(cls, name)}
    return cls(**{name: value for name, value in fields.items() if name not in defaults or defaults[name] != value})


def cut(text: str, most: int) -> str:
    """At most `most` characters: the beginning and the end, whole lines or words where they are short."""
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: last_space(text, most - tail - 3)]} … {text[next_space(text, len(text) - tail) :]}"


class Book:
    """See the module's docstring. One instance is one session."""

    def __init__(self, ledger: Ledger | None, state: "dict[str, Any] | None") -> None:
        ledger, state = ledger or Ledger(), state or {}
        provisional = {name: frozenset(places) for name, places in (state.get("provisional") or {}).items()}
        for name in NESTED:
            left_out = provisional.get(name, frozenset())
            setattr(self, name, [item for place, item in enumerate(getattr(ledger, name)) if place not in left_out])
        self.ledger = ledger
        self.turn: dict[str, Any] | None = dict(self.turns.pop().__dict__) if self.turns else None
        self.pending: dict[str, dict[str, Any]] = dict(state.get("pending") or {})
        self.orphans: dict[str, dict[str, Any]] = dict(state.get("orphans") or {})
        self.waiting: dict[str, dict[str, Any]] = dict(state.get("waiting") or {})
        self.ended_early: dict[str, dict[str, Any]] = dict(state.get("ended_early") or {})
        self.cwd: dict[str, str] = dict(state.get("cwd") or {})
        self.clock: dict[str, str] = dict(state.get("clock") or {})
        self.agents: dict[str, None] = dict.fromkeys(state.get("agents") or ())
        self.now_branch: str | None = state.get("branch")
        self.calls_made: int = state.get("calls_made") or 0
        self.fresh: bool = bool(state.get("fresh"))
        self.message_id: str | None = state.get("message_id")
        self.top: dict[str, Any] = {name: getattr(ledger, name) for name in _TOP}
        self.files_seen = dict.fromkeys(ledger.files_seen)
        self.scripts_seen = dict.fromkeys(ledger.scripts_seen)
        self.worktrees = dict.fromkeys(ledger.worktrees)
        self.pr_links = dict.fromkeys(ledger.pr_links)
        self.commands_seen = list(ledger.commands_seen)
        self.compactions = list(ledger.compactions)
        self.interrupts = list(ledger.interrupts)
        self.plan_exits = list(ledger.plan_exits)
        self._sizes = dict.fromkeys(_LIMITS, (0, 0))  # characters of a field in so many turns, from the first on
        self._shortened = dict.fromkeys(_LIMITS, 0)  # so many of the first turns are as short as they get

    if TYPE_CHECKING:
        turns: list[Turn]
        edits: list[Edit]
        runs: list[Run]
        script_runs: list[Run]
        pushes: list[Push]
        commits: list[Commit]
        pull_requests: list[PullRequest]
        ci_looks: list[CiLook]
        todos: list[Todo]
        background: list[Background]
        questions: list[Question]
        calls: list[ToolCall]

    # the clock and the turns

    def time_of(self, record: "Record") -> str:
        """The record's time, never earlier than that of a record before it in the same file."""
        file = record.file or ""
        now = max(self.clock.get(file, ""), record.timestamp or "")
        self.clock[file] = now
        return now

    def turn_at(self, record: "Record", at: str) -> int:
        """The number of the turn a record belongs to; a subagent's by its time, since its file is read apart."""
        current = self.open_turn(record, at)
        if record.file is None or not at or at >= current.get("at", ""):
            return int(current["number"])
        for turn in reversed(self.turns):
            if at >= turn.at:
                return turn.number
        return self.turns[0].number if self.turns else int(current["number"])

    def open_turn(self, record: "Record", at: str) -> "dict[str, Any]":
        """The current turn; turn 0 where nobody has said anything yet."""
        if self.turn is None:
            self.turn = {"number": 0, "line": record.line, "last_line": record.line, "at": at}
        return self.turn

    def begin_turn(self, **fields: "Any") -> None:
        """Close the turn, if there is one, and open the next."""
        if self.turn is not None:
            self.turns.append(made(Turn, **self._closed(self.turn)))
            self._shorten()
        number = self.turn["number"] + 1 if self.turn is not None else 1
        self.turn = {"number": number, **fields}
        self.calls = []
        self.fresh = True

    def _closed(self, turn: "dict[str, Any]") -> "dict[str, Any]":
        own = (call for call in self.pending.values() if call["turn"] == turn["number"] and call["by"] == "agent")
        waits = sum(1 for call in own if "lost" not in call)
        return {**turn, "plan_mode": bool(self.top["plan_mode"]), "pending_calls": waits}

    def _shorten(self) -> None:
        for field, (most, each) in _LIMITS.items():
            size, counted = self._sizes[field]
            size += sum(len(getattr(turn, field)) for turn in self.turns[counted:])
            place = self._shortened[field]
            while size > most and place < len(self.turns) - 2:
                text = getattr(self.turns[place], field)
                if len(text) > each:
                    short = cut(text, each)
                    size -= len(text) - len(short)
                    self.turns[place] = self.turns[place].replace(**{field: short})
                place += 1
            self._sizes[field], self._shortened[field] = (size, len(self.turns)), place

    # small notes

    def wait(self, key: str, draft: "dict[str, Any]") -> None:
        """Keep a call until more is known of it: by a background task's id, or by `file_key`. The oldest are let go."""
        self.waiting[key] = draft
        while len(self.waiting) > MAX_WAITING:
            del self.waiting[next(iter(self.waiting))]

    def note_command(self, command: str) -> None:
        self.commands_seen.append(command[:MAX_COMMAND])
        del self.commands_seen[:-MAX_COMMANDS]

    def note_file(self, path: str) -> None:
        if len(self.files_seen) < MAX_FILES:
            self.files_seen[path[:300]] = None

    def cwd_of(self, record: "Record") -> str | None:
        return self.cwd.get(record.file or "") or self.cwd.get("") or self.top["cwd"]

    # out

    def snapshot(self, provisional: "dict[str, list[Any]]") -> tuple[Ledger, "dict[str, list[int]]"]:
        """
        The ledger at this moment. Facts of unfinished calls (`provisional`, by the ledger's field) are in it for now; the second
        value tells at which places of each field, so that they can be left out when the book is read back.
        """
        fields: dict[str, Any] = {name: list(getattr(self, name)) for name in NESTED}
        if self.turn is not None:
            fields["turns"].append(made(Turn, **self._closed(self.turn)))
        if "pushes" in provisional:
            provisional = {**provisional, "pushes": [self._with_target(push) for push in provisional["pushes"]]}
        fields["pushes"] = [self._with_target(push) for push in fields["pushes"]]
        for name, items in provisional.items():
            fields[name] += items
        fresh = {id(item) for items in provisional.values() for item in items}
        places = _in_order(fields, fresh)
        for name in _PLAIN:
            fields[name] = getattr(self, name)
        return made(Ledger, **self.top, **{name: tuple(value) for name, value in fields.items()}), places

    def _with_target(self, push: "Push") -> "Push":
        """The push with `to_default` set anew: which branch is the default one may have been learned only after it."""
        default = self.top["default_branch"]
        to_default = not push.deleted and push.branch in ((default,) if default else ("main", "master"))
        return push if push.to_default == to_default else push.replace(to_default=to_default)

    def state(self) -> "dict[str, Any]":
        return {
            "pending": self.pending,
            "orphans": self.orphans,
            "waiting": self.waiting,
            "ended_early": self.ended_early,
            "cwd": self.cwd,
            "clock": self.clock,
            "agents": list(self.agents),
            "branch": self.now_branch,
            "calls_made": self.calls_made,
            "fresh": self.fresh,
            "message_id": self.message_id,
        }


_PLAIN = (
    "files_seen",
    "scripts_seen",
    "worktrees",
    "pr_links",
    "commands_seen",
    "compactions",
    "interrupts",
    "plan_exits",
)
_TOP = ("session_id", "lines", "bad_lines", "cwd", "branch", "default_branch", "subagents", "plan_mode", "forge_remote")


def _order(fact: "Done") -> "tuple[str, bool, str, int]":
    file = fact.file or ""
    return (fact.at, file != "", file, fact.line)


def _in_order(fields: "dict[str, list[Any]]", fresh: "set[int]") -> "dict[str, list[int]]":
    """
    Sort the facts of each field by time, and number all of them in one common order (`sequence`). Gives the places of those
    whose `id` is in `fresh`, by field.
    """
    places: dict[str, list[int]] = {}
    everything = []
    for name in DATED:
        ordered = sorted([(_order(item), place, item) for place, item in enumerate(fields[name])])
        fields[name] = [item for _, _, item in ordered]
        found = [place for place, item in enumerate(fields[name]) if id(item) in fresh]
        if found:
            places[name] = found
        everything += [(order, name, place) for place, (order, _, _) in enumerate(ordered)]
    everything.sort(key=lambda entry: entry[0])
    for sequence, (_, name, place) in enumerate(everything, start=1):
        fact = fields[name][place]
        if fact.sequence != sequence:
            fields[name][place] = fact.replace(sequence=sequence)
    return places
