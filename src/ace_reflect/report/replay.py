"""The stops of a recorded session, each judged as the hook would have judged it then."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from heapq import merge
from itertools import groupby
from typing import Any

from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, History, Judgement, Verdict
from ace_reflect.project.facts import Project
from ace_reflect.project.read import read_project
from ace_reflect.settings import Settings
from ace_reflect.transcript import records as wire
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.values import Value

_DEEDS = (wire.AssistantText, wire.ToolUse, wire.ToolResult)
_STEPS = (*_DEEDS, wire.Interrupt, wire.ApiError)
_ENDS = {"human", "plan", "task-notification", "hook-feedback"}


class Pause(Value):
    """Where the agent stopped, and what was known then."""

    line: int  # of the last thing before the stop
    ledger: Ledger
    next_words: str = ""  # what the person answered
    in_mid_turn: bool = False  # the file ends, the turn did not


class Stop(Pause):
    judgement: Judgement


def replay(
    records: Iterable[wire.Record],
    project: Project | None,
    settings: Settings,
    builder: LedgerBuilder | None = None,
    *,
    last_only: bool = False,
) -> Iterator[Stop]:
    """Every stop in its order, or the last one; the records are fed to `builder`.

    The last one depends on those before it of the same prompt, which moved its counters, and on what was given up: a prompt
    with one stop gives nothing up, and is not judged for `last_only`.
    """
    history, held, turn = History(), None, -1  # of the last one judged

    def judged(pause: Pause) -> Stop:
        nonlocal history
        judgement = judge_stop(pause.ledger, project or Project(), settings, history)
        history, own = judgement.history, judgement.verdict
        settled = pause.ledger.now.interrupted or own.end_state is EndState.ERROR
        if pause.in_mid_turn and not settled:
            told: Any = {"stop_kind": own.stop_kind, "why_silent": "the file ends in mid-turn"}
            own = Verdict(complete=False, end_state=EndState.WORKING, **told)
        return Stop(**pause.__dict__, judgement=judgement.replace(verdict=own))

    for pause in _pauses(records, builder or LedgerBuilder()):
        if not last_only:
            yield judged(pause)
        elif held and (
            history.given_up or held.ledger.now.number in {pause.ledger.now.number, turn}
        ):
            judged(held)
            turn = held.ledger.now.number
        held = pause
    if last_only and held:
        yield judged(held)


def _pauses(records: Iterable[wire.Record], builder: LedgerBuilder) -> Iterator[Pause]:
    line = 0
    active = False  # something was said or done since the last stop
    spoke = False  # the last thing on the main thread was an answer's text
    queue: list[wire.Record] = []  # notices behind an answer: a stop may lie between
    for _, group in groupby(records, key=lambda record: (record.file, record.line)):
        of_line = [*group]
        if active and (end := next(filter(_ends_turn, of_line), None)):
            if spoke:  # a turn that was broken off had no Stop event
                by = end if isinstance(end, wire.Prompt) and end.kind in {"human", "plan"} else None
                yield Pause(line=line, ledger=builder.ledger(), next_words=by.text if by else "")
            active, spoke = isinstance(end, wire.UserShell) and not spoke, False
        for record in of_line:
            queue.append(record)
            if spoke and isinstance(record, wire.TaskNotice):
                continue
            while queue:
                builder.feed(queue.pop(0))
            if isinstance(record, _STEPS) and record.in_main_thread:
                spoke = isinstance(record, wire.AssistantText)
                active, line = active or isinstance(record, _DEEDS), record.line
    for record in queue:
        builder.feed(record)
    if active:
        yield Pause(line=line, ledger=builder.ledger(), in_mid_turn=not spoke)


def _ends_turn(record: wire.Record) -> bool:
    prompt = isinstance(record, wire.Prompt) and not record.queued and record.kind in _ENDS
    return (prompt or isinstance(record, wire.UserShell)) and record.in_main_thread


def stops_of(
    path: str,
    project: Project | None,
    settings: Settings,
    builder: LedgerBuilder | None = None,
    seen: Callable[[wire.Record], object] | None = None,
    *,
    last_only: bool = False,
) -> Iterator[Stop]:
    """Every stop of a transcript, or the last one, see `replay`. After it `builder` holds the whole session. `seen` gets each
    record of its own file. Raises TranscriptError.
    """
    builder = builder or LedgerBuilder()
    reader = TranscriptReader(path, final=True)
    every = (_dated(reader), *(_dated(_of_agent(other)) for other in subagent_files(path)))

    def each() -> Iterator[wire.Record]:
        for _, record in merge(*every, key=lambda dated: dated[0]):
            if seen is not None and record.file is None:
                seen(record)
            yield record

    yield from replay(each(), project, settings, builder, last_only=last_only)
    builder.count(reader.cursor.line, reader.bad_lines)


def _dated(records: Iterable[wire.Record]) -> Iterator[tuple[str, wire.Record]]:
    """Each record with the latest time so far."""
    last = ""
    for record in records:
        last = max(last, record.timestamp or "")
        yield last, record


def _of_agent(path: str) -> Iterator[wire.Record]:
    """A subagent's own records; none where its file cannot be read."""
    with suppress(TranscriptError):
        yield from TranscriptReader(path, file=os.path.basename(path), final=True)


def project_for(given: str | None, folder: str) -> Project:
    """A session's checkout: the one given, else the session's own folder where it is a project on this machine."""
    if given is not None:
        found = read_project(given)
        # The transcript's paths begin with the folder that the session worked in, as it was spelled there.
        return found.replace(root=folder) if folder else found
    here = read_project(folder) if os.path.isdir(folder) else None
    return here if here is not None and here.scopes else Project(root=folder)
