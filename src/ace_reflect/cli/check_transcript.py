"""One transcript judged as the Stop hook would: at its end, or at every stop. What `check` prints is made of it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from ace_reflect import config, paths
from ace_reflect.errors import AceReflectError, TranscriptError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.evidence.read import feed_subagent, read_ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Judgement
from ace_reflect.gates.replay import Stop, replay
from ace_reflect.project.facts import Project
from ace_reflect.project.infer import infer_project, merge
from ace_reflect.project.read import read_project
from ace_reflect.project.references import new_sources, unreferenced
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
    ledger = read_ledger(path)
    facts = _project(project, ledger)
    settings = _settings(project or facts.root if facts.present else project)
    judgement = judge_stop(
        ledger,
        merge(facts, infer_project(ledger)),
        settings,
        unreferenced=_unreferenced(project or facts.root, ledger, settings) if facts.present else None,
        subagents_found=len(subagent_files(path)),
    )
    stops = list(stops_of(path, facts if facts.present else None, settings)) if every_stop else []
    return Checked(path, ledger, judgement, stops)


def _project(given: str | None, ledger: Ledger) -> Project:
    """The checkout: the one given, else the session's own folder where it is a project on this machine."""
    if given is not None:
        found = read_project(given)
        # The transcript's paths begin with the folder that the session worked in, as it was spelled there.
        return found.replace(root=ledger.cwd) if ledger.cwd else found
    if ledger.cwd and os.path.isdir(ledger.cwd):
        found = read_project(ledger.cwd)
        if found.scopes:
            return found
    return Project(root=ledger.cwd or "")


def _unreferenced(folder: str, ledger: Ledger, settings: Settings) -> tuple[str, ...] | None:
    """The last turn's new source files that nothing in the checkout names; None where one is not there to be looked for."""
    here = {_moved(path, ledger.cwd or "", folder): path for path in new_sources(ledger)}
    if settings.gate_mode("wiring") == "off" or not all(map(os.path.isfile, here)):
        return None
    lost = unreferenced(os.path.abspath(folder), tuple(here))
    return None if lost is None else tuple(here[path] for path in lost)


def _moved(path: str, begins: str, folder: str) -> str:
    """Where a file of the session's own folder lies in the checkout that was given."""
    inside = path.removeprefix(begins.rstrip("/") + "/")
    return path if inside == path else os.path.join(os.path.abspath(folder), inside)


def _settings(project: str | None) -> Settings:
    return config.load(project or os.devnull, paths.home(os.environ), os.environ).settings


def stops_of(path: str, project: Project | None, settings: Settings) -> Iterator[Stop]:
    """Every stop of a transcript with those of its subagents' files, in order; see `replay`. Raises TranscriptError."""
    others = subagent_files(path)

    def feed_others(builder: LedgerBuilder) -> None:
        for other in others:
            feed_subagent(builder, other)

    reader = TranscriptReader(path, final=True, progress=not others)
    yield from replay(reader, project, settings, before_end=feed_others)


def bad_at(path: str, ledger: Ledger) -> list[int]:
    """The first damaged lines; whole objects in them were read."""
    if not ledger.bad_lines:
        return []
    reader = TranscriptReader(path, final=True)
    for _ in reader:
        pass
    return reader.bad_at
