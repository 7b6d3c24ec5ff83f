"""What every gate looks at: one stop, with the facts, the task, the words and the settings that bear on it."""

from ace_reflect.evidence.facts import Outcome
from ace_reflect.gates import places
from ace_reflect.gates.model import History, Mode, Severity, StopKind, Task
from ace_reflect.gates.words import Words
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.facts import Edit, Ledger, Turn
    from ace_reflect.gates.model import Finding, State

#: DESIGN §6: the severity of a disproven gate.
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
    subagents_read: bool = False  # the subagents' own transcripts are in the ledger
    running: tuple[str, ...] = ()  # what still runs in the background and will end by itself

    @property
    def ships(self) -> bool:
        """Whether this turn committed, pushed or opened a pull request."""
        number, done = self.turn.number, Outcome.PASSED
        return (
            any(commit.turn == number and commit.outcome is done for commit in self.ledger.commits)
            or any(push.turn == number and push.outcome is done for push in self.ledger.pushes)
            or any(pr.turn == number and pr.outcome is done for pr in self.ledger.pull_requests)
        )

    @property
    def worked(self) -> bool:
        """Whether this turn changed anything: an edit, or a try to ship."""
        number = self.turn.number
        shipped = (self.ledger.commits, self.ledger.pushes, self.ledger.pull_requests)
        return any(edit.turn == number for edit in self.ledger.edits) or any(
            fact.turn == number for facts in shipped for fact in facts
        )

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

    def mode(self, gate: str) -> Mode:
        return Mode(self.settings.gate_mode(gate))

    def shown(self, edit: "Edit") -> str:
        """An edit as evidence: its path as seen from the project's root."""
        path = places.relative(edit.path, self.project.root or self.ledger.cwd or "") or edit.path
        return path if edit.tool in {"Edit", "Write", "MultiEdit"} else f"{path} (by {edit.tool})"

    def finding(self, gate: str, state: "State", reason: str, **more: "Any") -> "Finding":
        """A finding with this gate's mode, and its severity where it is disproven."""
        from ace_reflect.gates.model import Finding, State

        waived = self.words.waiver(gate)
        if waived is not None and state in {State.DISPROVEN, State.UNKNOWN}:
            state, more = State.WAIVED, {"evidence": more.get("evidence", ()), "scope": more.get("scope", "")}
            reason = f"{waived.by} said: “{waived.quote}”"
            more["waived_by"] = waived.quote
        severity = SEVERITY[gate] if state is State.DISPROVEN else Severity.NONE
        fields = {"severity": severity, **more}
        return Finding(gate=gate, state=state, mode=self.mode(gate), reason=reason, **fields)
