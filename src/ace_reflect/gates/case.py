"""One stop as the gates see it: the ledger, what the turn was asked to do, and what is known besides."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Self, TypeVar

from ace_reflect.evidence.facts import RUN_KINDS, Done, Ledger, Outcome, Placed, Run, Turn
from ace_reflect.evidence.facts import CommandKind as K
from ace_reflect.gates.model import Evidence, Finding, History, Mode, Severity, State
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from ace_reflect.text import shortened
from ace_reflect.transcript.records import SUBAGENTS

Fact = TypeVar("Fact", bound=Placed)
_SEVERITY = {"pr": Severity.LOW, "remaining_work": Severity.LOW, "completion": Severity.LOW, "ci": Severity.MEDIUM}  # fmt: skip
#: Background work that has an end and bears on a gate.
AWAITED = RUN_KINDS | {K.SCRIPT, K.PR_CHECKS, K.COMMIT, K.PUSH}
#: Values of `Finding.silent`.
EARLIER = "of an earlier prompt"
GIVEN_UP = "given up before"


def ended(runs: Iterable[Run]) -> list[Run]:
    """Those that passed or failed, except runs of the unedited tree or of scratch files only."""
    shown = {Outcome.PASSED, Outcome.FAILED}
    return [run for run in runs if run.outcome in shown and not (run.baseline or run.of_scratch)]


def still_running(ledger: Ledger) -> tuple[str, ...]:
    """The turn's background work that a gate waits for, from its transcript: no server, and nothing that bears on none."""
    running = [one for one in ledger.background if one.running and one.turn == ledger.now.number]
    bears = [task for task in running if task.subagent or task.kind in AWAITED]
    return tuple(task.command or task.id for task in bears)


class Case(NamedTuple):
    ledger: Ledger
    turn: Turn
    project: Project
    settings: Settings
    history: History
    running: tuple[str, ...]  # what a gate waits for
    final: str  # the last answer
    asks: str  # the question or hand-over at its end; "" if nobody can answer

    def with_history(self, **changes: Any) -> Self:
        return self._replace(history=self.history.replace(**changes))

    def own(self, facts: Iterable[Fact]) -> list[Fact]:
        """Those of the current turn."""
        return [fact for fact in facts if fact.turn == self.turn.number]

    def may_have_run(self, since: int) -> bool:
        """Whether a subagent that was sent after a line, and whose transcript is not at hand, may have done it."""
        sent = any(call.name in SUBAGENTS and call.line > since for call in self.ledger.calls)
        facts = (*self.ledger.edits, *self.ledger.runs, *self.ledger.script_runs)
        return sent and not any(fact.file for fact in facts)

    def finding(self, gate: str, state: State, reason: str, **more: Any) -> Finding:
        severity = _SEVERITY.get(gate, Severity.HIGH) if state is State.DISPROVEN else Severity.NONE
        mode = Mode(self.settings.gate_mode(gate))
        mode = Mode.WARN if mode is Mode.BLOCK and gate in self.history.notes else mode
        settle = " ".join(more.pop("settle", "").split())  # one line, whatever a file is called
        fields = {"key": gate, "severity": severity, "mode": mode, "settle": settle, **more}
        return Finding(gate=gate, state=state, reason=reason, **fields)

    def nothing(self, gate: str, why: str) -> Finding:
        return self.finding(gate, State.NOT_APPLICABLE, why)

    def waived(self, gate: str, said: str, **more: Any) -> Finding:
        return self.finding(gate, State.WAIVED, f"the person said: “{said}”", **more)

    def shown(self, fact: Done, quote: str) -> dict[str, Any]:
        """The fields of a finding about one fact."""
        silent = "" if fact.turn == self.turn.number else EARLIER
        evidence = (Evidence.of(fact, shortened(quote)),)
        return {"evidence": evidence, "mark": str(fact.sequence), "silent": silent}

    def said(self, text: str) -> Evidence:
        """Words of the answer as evidence."""
        return Evidence(line=self.turn.final_line or self.turn.last_line, quote=shortened(text))
