"""One transcript judged as the Stop hook would: at its end, or at every stop. What `check` prints is made of it."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ace_reflect import config, paths
from ace_reflect.cli.run_project import session_folder
from ace_reflect.errors import AceReflectError, TranscriptError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import LedgerBuilder, feed_subagent
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Judgement
from ace_reflect.gates.replay import Stop, replay
from ace_reflect.project.facts import Project
from ace_reflect.project.read import read_project
from ace_reflect.settings import Settings
from ace_reflect.transcript.files import looks_like_transcript, subagent_files
from ace_reflect.transcript.reader import TranscriptReader


@dataclass(slots=True)
class Checked:
    """One transcript's outcome: its judgement, or why it could not be judged."""

    path: str
    ledger: Ledger | None = None
    judgement: Judgement | None = None
    stops: list[Stop] = field(default_factory=list)
    error: str = ""

    @property
    def blocks(self) -> bool:
        judgements = [self.judgement, *(stop.judgement for stop in self.stops)]
        return any(given is not None and given.verdict.decision == "block" for given in judgements)


def check_one(path: str, project: str | None = None, *, every_stop: bool = False) -> Checked:
    """Judge one transcript. What cannot be read is said in `error`; nothing is raised for it."""
    try:
        return _judged(path, project, every_stop=every_stop)
    except AceReflectError as error:
        return Checked(path, error=str(error))
    except OSError as error:
        return Checked(path, error=f"{path}: {error.strerror or error}")


def _judged(path: str, project: str | None, *, every_stop: bool) -> Checked:
    if not looks_like_transcript(path):
        from ace_reflect.learning.gather import why_no_transcript

        raise TranscriptError(why_no_transcript(path))
    folder = session_folder(path) or ""
    facts = _project(project, folder)
    settings = _settings(project or facts.root if facts.present else project)
    builders: list[LedgerBuilder] = []
    played = stops_of(path, facts if facts.present else None, settings, at_end=builders.append)
    stops: list[Stop] = []
    for stop in played:
        stops = [*stops, stop] if every_stop else [stop]
    ledger = builders[0].ledger()
    if not stops:  # nobody has asked for anything yet
        return Checked(path, ledger, judge_stop(ledger, facts, settings))
    return Checked(path, ledger, stops[-1].judgement, stops if every_stop else [])


def _project(given: str | None, folder: str) -> Project:
    """The checkout: the one given, else the session's own folder where it is a project on this machine."""
    if given is not None:
        found = read_project(given)
        # The transcript's paths begin with the folder that the session worked in, as it was spelled there.
        return found.replace(root=folder) if folder else found
    if os.path.isdir(folder):
        found = read_project(folder)
        if found.scopes:
            return found
    return Project(root=folder)


def _settings(project: str | None) -> Settings:
    return config.load(project or os.devnull, paths.home(os.environ), os.environ).settings


def stops_of(
    path: str,
    project: Project | None,
    settings: Settings,
    *,
    at_end: Callable[[LedgerBuilder], object] | None = None,
) -> Iterator[Stop]:
    """
    Every stop of a transcript with those of its subagents' files, in order; see `replay`. `at_end` gets the builder that
    has read all of it. Raises TranscriptError.
    """
    others = subagent_files(path)
    reader = TranscriptReader(path, final=True, progress=not others)

    def finish(builder: LedgerBuilder) -> None:
        builder.count(reader.cursor.line, reader.bad_lines)
        for other in others:
            feed_subagent(builder, other)
        if at_end is not None:
            at_end(builder)

    yield from replay(reader, project, settings, before_end=finish)


def bad_at(path: str, ledger: Ledger) -> list[int]:
    """The first damaged lines; whole objects in them were read."""
    if not ledger.bad_lines:
        return []
    reader = TranscriptReader(path, final=True)
    for _ in reader:
        pass
    return reader.bad_at
