"""
The stops of a recorded session, each judged as the hook would have judged it then: where an answer ended, before the next
prompt, a notice, a Stop hook's feedback or the person's `!command`, and at the end of the file.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, History, Judgement, Verdict
from ace_reflect.project.facts import Project, infer_project, merge
from ace_reflect.settings import Settings
from ace_reflect.transcript import records as wire
from ace_reflect.values import Value

_DEEDS = (wire.AssistantText, wire.ToolUse, wire.ToolResult)
_STEPS = (*_DEEDS, wire.Interrupt, wire.ApiError)
_ENDS = {"human", "plan", "task-notification", "hook-feedback"}


class Stop(Value):
    line: int  # of the last thing before the stop
    ledger: Ledger
    judgement: Judgement
    next_words: str = ""  # what the person answered
    in_mid_turn: bool = False  # the file ends, the turn did not


def replay(
    records: Iterable[wire.Record],
    project: Project | None,
    settings: Settings,
    *,
    before_end: Callable[[LedgerBuilder], object] | None = None,
) -> Iterator[Stop]:
    """
    Every stop in its order. `project`: the checkout's facts, or None to judge by the transcript alone. `before_end` is called
    with the builder before the last stop is judged: it feeds the subagents' own files.
    """
    player = _Player(project, settings)
    for _, group in groupby(records, key=lambda record: (record.file, record.line)):
        yield from player.take([*group])
    if before_end:
        before_end(player.at_end())
    if player.active:
        yield player.last_stop()


class _Player:
    def __init__(self, project: Project | None, settings: Settings) -> None:
        self.active = False  # something was said or done since the last stop
        self._builder, self._history = LedgerBuilder(), History()
        self._project, self._settings = project, settings
        self._spoke = False  # the last thing on the main thread was an answer's text
        self._line = 0
        self._held: list[wire.Record] = []  # notices behind an answer: a stop may lie between

    def take(self, line: list[wire.Record]) -> Iterator[Stop]:
        """Feed the records of a line; the stop that it shows to have happened, judged without it."""
        end = next(filter(_ends_turn, line), None) if self.active else None
        if end and self._spoke:
            yield self._judge(end)
        elif end:  # a turn that was broken off had no Stop event
            self.active = isinstance(end, wire.UserShell)
        for record in line:
            if self._spoke and isinstance(record, wire.TaskNotice):
                self._held.append(record)
                continue
            self.at_end().feed(record)
            if record.in_main_thread and isinstance(record, _STEPS):
                self._spoke = isinstance(record, wire.AssistantText)
                if isinstance(record, _DEEDS):
                    self.active, self._line = True, record.line

    def at_end(self) -> LedgerBuilder:
        """The builder, with all that was held back."""
        while self._held:
            self._builder.feed(self._held.pop(0))
        return self._builder

    def last_stop(self) -> Stop:
        """The end of the file, whether or not the turn ended there."""
        spoke, stop = self._spoke, self._judge()
        given, verdict = stop.judgement, stop.judgement.verdict
        if not spoke and verdict.end_state is not EndState.ERROR:
            about: Any = {"end_state": EndState.WORKING, "stop_kind": verdict.stop_kind}
            verdict = Verdict(complete=False, why_silent="the file ends in mid-turn", **about)
        return stop.replace(in_mid_turn=not spoke, judgement=given.replace(verdict=verdict))

    def _judge(self, by: wire.Record | None = None) -> Stop:
        ledger = self._builder.ledger()
        project = merge(self._project or Project(), infer_project(ledger))
        judgement = judge_stop(ledger, project, self._settings, self._history)
        self._history, self.active, self._spoke = judgement.history, False, False
        said = by.text if isinstance(by, wire.Prompt) and by.kind in {"human", "plan"} else ""
        return Stop(line=self._line, ledger=ledger, judgement=judgement, next_words=said)


def _ends_turn(record: wire.Record) -> bool:
    prompt = isinstance(record, wire.Prompt) and not record.queued and record.kind in _ENDS
    return record.in_main_thread and (prompt or isinstance(record, wire.UserShell))
