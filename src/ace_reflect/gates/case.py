"""What every gate looks at: one stop, with the facts, the task, the words and the settings that bear on it."""

from ace_reflect.evidence.book import MAX_COMMANDS
from ace_reflect.evidence.facts import Outcome
from ace_reflect.gates import places, prose
from ace_reflect.gates.model import GIVEN_UP, Evidence, Finding, History, Mode, Severity, State, StopKind, Task
from ace_reflect.gates.words import Words
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Protocol, TypeVar

    from ace_reflect.evidence.facts import Edit, Ledger, Run, Tried, Turn
    from ace_reflect.gates.exempt import Exempted
    from ace_reflect.gates.honesty import Admission

    class OfTurn(Protocol):
        @property
        def turn(self) -> int: ...

    T = TypeVar("T", bound=OfTurn)

#: The severity of a disproven gate.
SEVERITY = {
    "tests": Severity.HIGH,
    "build": Severity.HIGH,
    "pr": Severity.LOW,
    "ci": Severity.MEDIUM,
    "direct_push": Severity.HIGH,
    "claims": Severity.HIGH,
    "remaining_work": Severity.LOW,
    "wiring": Severity.LOW,
    "completion": Severity.LOW,
}


class Case(Value):
    ledger: "Ledger"
    turn: "Turn"
    final: str  # the last answer's text
    task: Task
    words: Words
    project: Project
    settings: Settings
    history: History
    stop_kind: StopKind
    subagents_read: bool = False  # there were subagents, and all their own transcripts are in the ledger
    running: tuple[str, ...] = ()  # what still runs in the background and will end by itself

    @property
    def ships(self) -> bool:
        """Whether this turn committed, pushed or opened a pull request."""
        return any(fact.outcome is Outcome.PASSED for fact in self._tried_to_ship())

    @property
    def worked(self) -> bool:
        """Whether this turn changed anything: an edit, or a try to ship."""
        return bool(self.own(self.ledger.edits) or self._tried_to_ship())

    @property
    def admission(self) -> "Admission":
        """What the last answer admits of the tests."""
        from ace_reflect.gates.honesty import admits  # only where something is not proven

        return admits(self.final)

    def spared(self, failed: "Run") -> "Exempted | None":
        """The person's words that exempt what failed in a run; None where they do not, or not all of it."""
        from ace_reflect.gates.exempt import exempted  # only where something failed

        return exempted(failed, self)

    def _tried_to_ship(self) -> "list[Tried]":
        return self.own((*self.ledger.commits, *self.ledger.pushes, *self.ledger.pull_requests))

    @property
    def untouched(self) -> bool:
        """
        Whether a change was asked for, and nothing at all was done in the session: no tool, no command of the person's.

        An answer with a block of code may be the work itself: "here it is", to be copied.
        """
        ledger = self.ledger
        done = ledger.edits or ledger.runs or ledger.commands_seen or ledger.compactions or ledger.subagents
        used = done or any(turn.tool_calls for turn in ledger.turns)
        return self.task.asks_for_change and not used and "```" not in self.final

    @property
    def out_of_sight(self) -> bool:
        """
        Whether parts of the session are not in the ledger: the work of subagents whose transcripts were not found, what
        a compaction summed up, the first of very many commands.
        """
        ledger = self.ledger
        unread = ledger.subagents > 0 and not self.subagents_read
        return unread or bool(ledger.compactions) or len(ledger.commands_seen) >= MAX_COMMANDS

    @property
    def used_servers(self) -> bool:
        """Whether tools of an MCP server were called: what they do is not known."""
        return any(call.name.startswith("mcp__") for call in self.ledger.calls)

    def mode(self, gate: str) -> Mode:
        return Mode(self.settings.gate_mode(gate))

    def own(self, facts: "Iterable[T]") -> "list[T]":
        """Those of this turn."""
        return [fact for fact in facts if fact.turn == self.turn.number]

    @property
    def plain(self) -> str:
        return prose.plain(self.final)

    @property
    def on_gitlab(self) -> bool:
        return "gitlab" in (self.project.forge or self.ledger.forge_remote or "")

    @property
    def root(self) -> str:
        return self.project.root or self.ledger.cwd or ""

    def shown(self, edit: "Edit") -> Evidence:
        """An edit as evidence: its path as seen from the project's root."""
        path = places.relative(edit.path, self.root) or edit.path
        quote = path if edit.tool in {"Edit", "Write", "MultiEdit"} else f"{path} (by {edit.tool})"
        return Evidence(line=edit.line, file=edit.file, quote=quote)

    def said(self, quote: str) -> Evidence:
        """Words of the last answer as evidence."""
        return Evidence(line=self.turn.final_line or self.turn.last_line, quote=quote)

    def finding(self, gate: str, state: State, reason: str, *, mark: object = "", **more: "Any") -> Finding:
        """
        A finding of this gate, with its mode, and with its severity where it is disproven. What is disproven or unknown
        becomes WAIVED by the person's word, and silent where it was given up (its `key` says so).

        `mark`: goes into the fingerprint. As long as it stays the same, nothing has happened since the last message.
        """
        if state in {State.DISPROVEN, State.UNKNOWN}:
            waived = self.words.waiver(gate)
            if waived is not None:
                state, more = State.WAIVED, {"evidence": more.get("evidence", ()), "scope": more.get("scope", "")}
                reason = f"{waived.by} said: “{waived.quote}”"
                more["waived_by"] = waived.quote
            elif more.get("key") in self.history.given_up:
                more["silent"] = GIVEN_UP
        return Finding(
            gate=gate,
            state=state,
            mode=self.mode(gate),
            severity=SEVERITY[gate] if state is State.DISPROVEN else Severity.NONE,
            reason=reason,
            fingerprint=f"{more.get('key') or gate}|{state}|{mark}",
            **more,
        )
