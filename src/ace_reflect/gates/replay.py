"""
The stops of a recorded session, one after the other, each judged as the hook would have judged it then.

A stop is where an answer ended: before the next prompt, a notice, or a Stop hook's feedback, and at the end of the
file. What was blocked once is taken as told: in life the session would have gone on differently from there.
"""

from itertools import groupby

from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, History, Judgement
from ace_reflect.project.infer import infer_project, merge
from ace_reflect.transcript import records as wire
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeGuard

    from ace_reflect.evidence.facts import Ledger
    from ace_reflect.project.facts import Project
    from ace_reflect.settings import Settings
    from ace_reflect.transcript.records import Record


class Stop(Value):
    line: int  # of the last thing before the stop
    ledger: "Ledger"
    judgement: Judgement
    next_words: str = ""  # what the person said next
    in_mid_turn: bool = False  # the file ends, the turn did not


def replay(
    records: "Iterable[Record]",
    project: "Project | None",
    settings: "Settings",
    *,
    before_end: "Callable[[LedgerBuilder], object] | None" = None,
) -> "Iterator[Stop]":
    """
    Every stop of a session in its order.

    `project`: the checkout's facts, or None to judge by the transcript alone. `before_end` is called with the builder
    before the last stop is judged: it feeds the subagents' own files.
    """
    player = _Player(project, settings)
    waiting: Stop | None = None
    for _, told in groupby(records, key=lambda record: (record.file, record.line)):
        line = list(told)  # a prompt's folder and mode are told before it, and are none of the stop's before
        ended = next((stop for record in line if (stop := player.before(record)) is not None), None)
        if ended is not None:
            if waiting is not None:
                yield waiting
            waiting = ended
        words = next((record.text for record in line if _is_said(record)), None)
        if waiting is not None and words is not None:
            yield waiting.replace(next_words=words)
            waiting = None
        for record in line:
            player.take(record)
    if waiting is not None:
        yield waiting
    if before_end is not None:
        before_end(player.builder)
    end = player.end()
    if end is not None:
        yield end


def _still_working(judgement: Judgement) -> Judgement:
    """At the end of a file that was copied in mid-turn no Stop event was, so nothing would have been said."""
    verdict = judgement.verdict.replace(
        decision="allow",
        end_state=EndState.WORKING,
        feedback="",
        system_message="",
        why_silent="the file ends in mid-turn",
    )
    return judgement.replace(verdict=verdict)


class _Player:
    def __init__(self, project: "Project | None", settings: "Settings") -> None:
        self.builder = LedgerBuilder()
        self._project = project
        self._settings = settings
        self._history = History()
        self._heard: dict[str, Any] = {}
        self._turn = -1
        self._active = False  # something was said or done since the last stop
        self._spoke = False  # the last thing on the main thread was an answer's text
        self._line = 0
        self._notices: list[
            Record
        ] = []  # that came after an answer: what woke the session was not known when it stopped

    def before(self, record: "Record") -> Stop | None:
        """The stop that this record shows to have happened, judged without it."""
        # The person's `!command` is typed behind an answer.
        if isinstance(record, wire.UserShell) and record.in_main_thread:
            return self._judge() if self._active and self._spoke else None
        if not isinstance(record, wire.Prompt) or not record.in_main_thread or record.queued:
            return None
        if record.kind not in {"human", "plan", "task-notification", "hook-feedback"} or not self._active:
            return None
        if self._spoke:
            return self._judge()
        self._active = False  # broken off: no Stop event came of it
        return None

    def take(self, record: "Record") -> None:
        """Feed a record; a notice behind an answer waits until it is known whether a stop lay between the two."""
        if self._spoke and isinstance(record, wire.TaskNotice):
            self._notices.append(record)
            return
        self._release()
        self.feed(record)

    def _release(self) -> None:
        held, self._notices = self._notices, []
        for notice in held:
            self.builder.feed(notice)

    def feed(self, record: "Record") -> None:
        self.builder.feed(record)
        if not record.in_main_thread:
            return
        if isinstance(record, wire.AssistantText):
            self._active = self._spoke = True
            self._line = record.line
        elif isinstance(record, (wire.ToolUse, wire.ToolResult)):
            self._active, self._spoke = True, False
            self._line = record.line
        elif isinstance(record, (wire.Interrupt, wire.ApiError)):
            self._spoke = False

    def end(self) -> Stop | None:
        """The stop at the end of the file; None where its last turn had ended before."""
        self._release()
        if not self._active:
            return None
        spoke = self._spoke
        stop = self._judge()
        if spoke or stop.judgement.verdict.end_state is EndState.ERROR:
            return stop.replace(in_mid_turn=not spoke)
        return stop.replace(in_mid_turn=True, judgement=_still_working(stop.judgement))

    def _judge(self) -> Stop:
        ledger = self.builder.ledger()
        number = ledger.turns[-1].number if ledger.turns else 0
        if number != self._turn:
            self._turn = number
            self._history = History(given_up=self._history.given_up, told=self._history.told)
        inferred = infer_project(ledger)
        project = inferred if self._project is None else merge(self._project, inferred)
        judgement = judge_stop(ledger, project, self._settings, self._history, heard=self._heard)
        self._history = judgement.history
        if judgement.verdict.decision == "block":
            keys = [
                finding.key for finding in judgement.findings if finding.open and finding.key and not finding.silent
            ]
            self._history = self._history.replace(given_up=tuple(dict.fromkeys((*self._history.given_up, *keys))))
        self._active = self._spoke = False
        return Stop(line=self._line, ledger=ledger, judgement=judgement)


def _is_said(record: "Record") -> "TypeGuard[wire.Prompt]":
    return isinstance(record, wire.Prompt) and record.kind in {"human", "plan"}
