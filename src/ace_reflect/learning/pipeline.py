"""Learn from one transcript: gather, reflect, curate, apply.

Models are asked before any lock is taken; what they propose is checked against the transcript before it may enter a playbook.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from ace_reflect import paths
from ace_reflect.errors import LockTimeout, PlaybookError
from ace_reflect.evidence.facts import Turn
from ace_reflect.learning import offline
from ace_reflect.learning.apply import Applied, Overtaken, apply_lesson
from ace_reflect.learning.gather import gather, lies_in, reads_out, turn_key
from ace_reflect.learning.lesson import CLAUDE, Case, Lesson, Options
from ace_reflect.learning.sources import check_sources
from ace_reflect.playbook import store
from ace_reflect.playbook.model import key_points
from ace_reflect.settings import OFFLINE, online
from ace_reflect.state import record, sessions
from ace_reflect.state.db import State

_OVERTAKEN_AT_MOST = 3

Saving = Callable[[], object]  # called once a lesson is checked; `bool` does nothing
Keyed = Sequence[tuple[str, Turn]]  # turns with their keys


@dataclass(frozen=True, slots=True)
class Report:
    """What was learned from one transcript. `learned` turns were new, `known` ones were not."""

    transcript: str
    session: str
    mode: str  # model, claude or offline
    cited: tuple[str, ...]
    known: int
    open: int
    place: store.Place  # the playbook that additions go to
    key_points: int  # how many that playbook had before
    size: int
    lesson: Lesson = field(default_factory=lambda: Lesson(""))
    learned: int = 0
    playbooks: tuple[tuple[store.Place, Applied], ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A transcript that was read: what is to be judged, and into which playbooks it goes. `report` as long as nothing is."""

    case: Case
    report: Report
    fresh: Mapping[store.Place, Keyed]


def learn(state: State, transcript: str, options: Options, saving: Saving = bool) -> Report:
    """Learn what is new in a transcript. If another process has learned some of it meanwhile, the rest is judged again.

    Raises TranscriptError, PlaybookError (nothing was changed), ModelError, LockTimeout, StateError.
    """
    for _ in range(_OVERTAKEN_AT_MOST):
        prepared = prepare(state, transcript, options)
        case = prepared.case
        if not case.turns:
            return prepared.report
        if online(options.models):
            from ace_reflect.learning.consult import ask_models  # brings the SDKs

            lesson = ask_models(state, case, options)
        else:
            lesson = offline.reflect(case.gathered, case.turns, case.known)
        with suppress(Overtaken):
            return finish(state, prepared, lesson, options, saving)
    raise LockTimeout(f"{transcript}: others keep learning from the same session; try again")


def prepare(state: State, transcript: str, options: Options) -> Prepared:
    """Read a transcript, and what of it counts in no playbook yet. Raises TranscriptError, PlaybookError, StateError."""
    gathered = gather(transcript, final=options.final)
    name = os.path.basename(transcript).removesuffix(".jsonl")
    session = options.session or gathered.ledger.session_id or name
    ended = gathered.turns if options.final else gathered.turns[:-1]
    over = [(turn_key(gathered.ledger, turn), turn) for turn in ended]
    fresh = {place: _fresh(state, place, over, options) for place in _places(options)}
    place = next(iter(fresh))
    turns = tuple(item[1] for item in over if any(item in items for items in fresh.values()))
    books = tuple(store.snapshot(place).playbook for place in fresh)
    # Only injected key points can be cited, or any if that is unknown.
    shown = {name for _, name in sessions.injected(state, session, ever=True)} | gathered.injected
    points = [point for book in books for _, point in key_points(book)]
    shown = shown or {one.key_point for one in gathered.citations}
    points = [point for point in points if point["name"] in shown]
    known = {str(point["name"]): str(point["text"]) for point in points}
    gathered.citations = [one for one in gathered.citations if not reads_out(one, known)]
    inside = (one.key_point for one in gathered.citations if lies_in(one.line, turns))
    cited = tuple(dict.fromkeys(name for name in inside if name in known))
    case = Case(gathered, turns, known, cited, books, session)
    report = Report(
        transcript=transcript,
        session=session,
        mode="model" if online(options.models) else OFFLINE,  # or what judges it in the end
        cited=cited,
        known=len(over),
        open=len(gathered.turns) - len(over),
        place=place,
        key_points=sum(1 for _ in key_points(books[0])),
        size=gathered.size,
    )
    return Prepared(case, report, fresh)


def finish(
    state: State, prepared: Prepared, lesson: Lesson, options: Options, saving: Saving = bool
) -> Report:
    """Check a lesson and apply it. Raises Overtaken, PlaybookError (nothing was changed), LockTimeout, StateError."""
    case, report, fresh = prepared.case, prepared.report, prepared.fresh
    place, session = report.place, report.session
    lesson = check_sources(state, place.real_path, case, lesson, options)
    saving()
    texts = {str(point["name"]): str(point["text"]) for _, point in key_points(case.books[0])}
    lesson = replace(lesson, seen=texts)
    applied = []
    for at, turns in fresh.items():  # additions go to the first, which is the project's
        own = lesson if at == place else replace(lesson, operations=(), waiting=())
        keys = [key for key, _ in turns]
        if keys:
            applied.append((at, apply_lesson(state, at, own, keys, session, options)))
    new = len({key for turns in fresh.values() for key, _ in turns})
    mode = lesson.model if lesson.model == CLAUDE else "model" if lesson.model else OFFLINE
    report = replace(report, mode=mode, lesson=lesson, learned=new, known=report.known - new)
    return replace(report, playbooks=tuple(applied))


def _places(options: Options) -> list[store.Place]:
    """The playbooks to learn into: the one named, else the project's and the user's own."""
    if options.playbook is not None:
        return [store.place_of(options.playbook, options.home_dir)]
    storage = options.config.settings.storage if options.config is not None else "project"
    path = paths.project_playbook(options.project, options.home_dir, storage)
    project = store.place_of(path, options.home_dir)
    user = store.place_of(paths.user_playbook(options.home_dir), options.home_dir)
    same = user.real_path == project.real_path
    linked = os.path.islink(project.path) or os.path.islink(os.path.dirname(project.path))
    if same and linked and project.path != user.path:
        raise PlaybookError(
            f"{project.path} is a link to your own playbook, where nothing of a project's is learned: remove the link, and"
            " `ace-reflect playbook promote` what is to serve every project"
        )
    return [project] if same or not os.path.exists(user.path) else [project, user]


def _fresh(state: State, place: store.Place, over: Keyed, options: Options) -> Keyed:
    """The turns not yet counted in a playbook."""
    if options.again:
        return over
    learned = record.learned_turns(state, place.real_path, [key for key, _ in over])
    lost_at = record.lost_at(state)  # what began before it may be counted already
    return [item for item in over if item[0] not in learned and item[1].at >= lost_at]
