"""
The stops of a recorded session, one after the other, each judged as the hook would have judged it then.

A stop is where an answer ended: before the next prompt, a notice, a Stop hook's feedback or the person's `!command`, and at
the end of the file.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, History, Judgement, Verdict
from ace_reflect.project.facts import Project
from ace_reflect.project.infer import infer_project, merge
from ace_reflect.settings import Settings
from ace_reflect.transcript import records as wire
from ace_reflect.values import Value

_DEEDS = (wire.AssistantText, wire.ToolUse, wire.ToolResult)
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
    Every stop of a session in its order.

    `project`: the checkout's facts, or None to judge by the transcript alone. `before_end` is called with the builder
    before the last stop is judged: it feeds the subagents' own files.
    """
    player = _Player(project, settings)
    for _, group in groupby(records, key=lambda record: (record.file, record.line)):
        if stop := player.take([*group]):
            yield stop
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
        self._notices: list[wire.Record] = []  # behind an answer: a stop may lie between

    def take(self, line: list[wire.Record]) -> Stop | None:
        """Feed the records of a line; the stop that it shows to have happened, judged without it."""
        main = [record for record in line if record.in_main_thread]
        ends = [record for record in main if self.active and _ends_turn(record)]
        stop = self._judge(ends[0]) if ends and self._spoke else None
        if ends and not stop:  # a turn that was broken off had no Stop event
            self.active = isinstance(ends[0], wire.UserShell)
        for record in line:
            if self._spoke and isinstance(record, wire.TaskNotice):
                self._notices.append(record)
            else:
                self.at_end().feed(record)
            if record in main and isinstance(record, _DEEDS):
                self.active, self._line = True, record.line
            if record in main and isinstance(record, (*_DEEDS, wire.Interrupt, wire.ApiError)):
                self._spoke = isinstance(record, wire.AssistantText)
        return stop

    def at_end(self) -> LedgerBuilder:
        """The builder, with all that was held back."""
        held, self._notices = self._notices, []
        for notice in held:
            self._builder.feed(notice)
        return self._builder

    def last_stop(self) -> Stop:
        """The end of the file, whether or not the turn ended there."""
        spoke, stop = self._spoke, self._judge()
        given = stop.judgement
        if spoke or given.verdict.end_state is EndState.ERROR:
            return stop.replace(in_mid_turn=not spoke)
        kind, why = given.verdict.stop_kind, "the file ends in mid-turn"
        fields: Any = {"complete": False, "decision": "allow", "end_state": EndState.WORKING}
        cut = Verdict(stop_kind=kind, why_silent=why, **fields)
        return stop.replace(in_mid_turn=True, judgement=given.replace(verdict=cut))

    def _judge(self, by: wire.Record | None = None) -> Stop:
        ledger = self._builder.ledger()
        project = infer_project(ledger)
        project = merge(self._project, project) if self._project else project
        judgement = judge_stop(ledger, project, self._settings, self._history)
        self._history = judgement.history
        self.active = self._spoke = False
        said = isinstance(by, wire.Prompt) and by.kind in {"human", "plan"} and by.text
        return Stop(line=self._line, ledger=ledger, judgement=judgement, next_words=said or "")


def _ends_turn(record: wire.Record) -> bool:
    prompt = isinstance(record, wire.Prompt) and not record.queued and record.kind in _ENDS
    return prompt or isinstance(record, wire.UserShell)
