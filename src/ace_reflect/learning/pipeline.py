"""
Learn from one transcript: gather, reflect, curate, apply.

The worker and `ace-reflect run` both come in here. A model is asked before any lock is taken; what it proposed is
checked against the transcript before it may enter a playbook.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import LockTimeout, PlaybookError
from ace_reflect.evidence.facts import Turn
from ace_reflect.learning import offline
from ace_reflect.learning.apply import Applied, Overtaken, Terms, apply_lesson
from ace_reflect.learning.citations import in_own_words
from ace_reflect.learning.gather import Gathered, gather, keys_of, lies_in
from ace_reflect.learning.lesson import Lesson
from ace_reflect.learning.persons_word import PersonsWord
from ace_reflect.learning.sources import Checked, check_sources
from ace_reflect.playbook import store
from ace_reflect.playbook.model import Playbook, key_points
from ace_reflect.settings import OFFLINE, online
from ace_reflect.state import injections, record, sessions
from ace_reflect.state.db import State

_OVERTAKEN_AT_MOST = 3

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to learn. `models` empty or ("offline",): by rule, nothing is sent anywhere."""

    home_dir: str
    project: str
    environ: Mapping[str, str]
    playbook: str | None = (
        None  # only this playbook; None: the project's, and votes for the user's own
    )
    models: tuple[str, ...] = ()
    final: bool = True
    session: str = ""  # "": as the transcript says
    review: str = "untrusted"
    ungrounded: str = "count"
    again: bool = False
    dry_run: bool = False
    config: Any = None  # config.Config, for the models' endpoints and the redaction patterns

    @property
    def redaction_patterns(self) -> tuple[re.Pattern[str], ...]:
        """The person's own, for secrets."""
        patterns: tuple[re.Pattern[str], ...] = (
            () if self.config is None else self.config.redaction_patterns
        )
        return patterns


@dataclass(frozen=True, slots=True)
class Report:
    """What was learned from one transcript. `learned` are the turns that were new, `known` those that were not."""

    transcript: str
    session: str
    mode: str
    model: str | None
    cited: tuple[str, ...]
    lesson: Lesson
    learned: int
    known: int
    open: int
    place: store.Place  # the playbook that additions go to
    key_points: int  # how many that playbook had before
    playbooks: tuple[tuple[store.Place, Applied], ...] = ()
    waiting: tuple[record.Waiting, ...] = ()
    refused: tuple[Mapping[str, Any], ...] = ()
    usage: Mapping[str, Any] = field(default_factory=dict)
    size: int = 0

    @property
    def changed(self) -> bool:
        return any(applied.changed for _, applied in self.playbooks)


@dataclass(frozen=True, slots=True)
class Case:
    """What a reflector is to judge: these turns of a session, against this playbook."""

    gathered: Gathered
    turns: tuple[Turn, ...]
    known: Mapping[str, str]  # id -> text of what may have been cited, the user's playbook included
    cited: tuple[str, ...]
    books: tuple[Playbook, ...]  # the project's, which operations go to, then the user's
    session: str

    @property
    def playbook(self) -> Playbook:
        return self.books[0]


@dataclass(frozen=True, slots=True)
class Consulted:
    """A lesson, who gave it, and what it took. `read_text`: what the session had read in files and tool output."""

    lesson: Lesson
    model: str | None = None
    read_text: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)


def learn(
    state: State, transcript: str, options: Options, progress: Progress = lambda _: None
) -> Report:
    """
    Learn from a transcript what is new in it. Where another process learned some of it meanwhile, the rest is judged anew.

    Raises TranscriptError (no transcript), PlaybookError (nothing was changed), ModelError (no model of the chain could
    be asked), LockTimeout, StateError.
    """
    for _ in range(_OVERTAKEN_AT_MOST):
        try:
            return _learn_once(state, transcript, options, progress)
        except Overtaken:
            continue
    raise LockTimeout(
        f"{transcript}: other processes keep learning from the same session; try again"
    )


def _learn_once(state: State, transcript: str, options: Options, progress: Progress) -> Report:
    progress("reading")
    gathered = gather(transcript, final=options.final)
    session = options.session or gathered.ledger.session_id or _stem(transcript)
    places = _places(options)
    over = keys_of(gathered, final=options.final)
    fresh = {place: _fresh(state, place, over, again=options.again) for place in places}
    wanted = tuple(item[1] for item in over if any(item in items for items in fresh.values()))
    books = {place: store.snapshot(place).playbook for place in places}
    known = _known_key_points(state, session, gathered, books.values())
    gathered = replace(gathered, citations=in_own_words(gathered.citations, known))
    case = Case(
        gathered, wanted, known, _cited(gathered, wanted, known), tuple(books.values()), session
    )
    unchanged = _unchanged(case, places[0], over=len(over), mode=_mode(options))
    if not wanted:
        return unchanged
    progress("reflecting")
    consulted = _consult(state, case, options)
    checked = check_sources(
        case, consulted, options, PersonsWord(state, places[0].real_path, case.books[1:])
    )
    progress("saving")
    applied = _apply(state, places, fresh, checked, _terms(case, consulted, options))
    return _report(unchanged, consulted, checked, applied)


def _consult(state: State, case: Case, options: Options) -> Consulted:
    if _mode(options) == OFFLINE:
        return Consulted(offline.reflect(case.gathered, case.turns, case.known))
    from ace_reflect.learning.consult import ask_models  # brings the SDKs

    return ask_models(state, case, options)


def _terms(case: Case, consulted: Consulted, options: Options) -> Terms:
    return Terms(
        session=case.session,
        mode=consulted.model or OFFLINE,
        ungrounded=options.ungrounded,
        actor="curator" if consulted.model else OFFLINE,
        again=options.again,
        dry_run=options.dry_run,
        seen={
            str(point["name"]): str(point.get("text", "")) for _, point in key_points(case.playbook)
        },
    )


def _apply(
    state: State,
    places: Sequence[store.Place],
    fresh: Mapping[store.Place, Sequence[tuple[str, Turn]]],
    checked: Checked,
    terms: Terms,
) -> list[tuple[store.Place, Applied]]:
    """Votes go to the playbook that holds the key point; additions to the first, which is the project's."""
    done = []
    for number, place in enumerate(places):
        keys = [key for key, _ in fresh[place]]
        lesson = (
            checked.lesson if number == 0 else Lesson(checked.lesson.analysis, checked.lesson.tags)
        )
        waiting = checked.waiting if number == 0 else ()
        if keys:
            done.append((place, apply_lesson(state, place, lesson, waiting, keys, terms)))
    return done


def _places(options: Options) -> list[store.Place]:
    if options.playbook is not None:
        return [store.place_of(options.playbook, options.home_dir)]
    project = store.place_of(paths.project_playbook(options.project), options.home_dir)
    user = store.place_of(paths.user_playbook(options.home_dir), options.home_dir)
    if user.real_path == project.real_path and project.through_link and project.path != user.path:
        raise PlaybookError(
            f"{project.path} is a link to your own playbook, where nothing of a project's is learned: remove the link, and"
            " `ace-reflect playbook promote` what is to serve every project"
        )
    if user.real_path == project.real_path or not os.path.exists(user.path):
        return [project]
    return [project, user]


def _fresh(
    state: State, place: store.Place, over: Sequence[tuple[str, Turn]], *, again: bool
) -> list[tuple[str, Turn]]:
    if again:
        return list(over)
    learned = record.learned_turns(state, place.real_path, [key for key, _ in over])
    return [item for item in over if item[0] not in learned]


def _known_key_points(state: State, session: str, gathered: Gathered, books: Any) -> dict[str, str]:
    """Id -> text of what this session can have cited: what was injected, or everything where nothing tells."""
    texts = {
        str(point["name"]): str(point.get("text", ""))
        for book in books
        for _, point in key_points(book)
    }
    injected = gathered.injected | injections.ever(state, session)
    found = sessions.get(state, session)
    if found is not None and found.parent:
        injected |= injections.ever(state, found.parent)
    return {name: text for name, text in texts.items() if not injected or name in injected}


def _cited(gathered: Gathered, turns: Sequence[Turn], known: Mapping[str, str]) -> tuple[str, ...]:
    names = [
        citation.key_point
        for citation in gathered.citations
        if citation.key_point in known and lies_in(citation.line, turns)
    ]
    return tuple(dict.fromkeys(names))


def _mode(options: Options) -> str:
    return "model" if online(options.models) else OFFLINE


def _unchanged(case: Case, place: store.Place, *, over: int, mode: str) -> Report:
    """What is to be said where nothing is learned; `over` is the number of turns that have ended."""
    return Report(
        transcript=case.gathered.path,
        session=case.session,
        mode=mode,
        model=None,
        cited=case.cited,
        lesson=Lesson(""),
        learned=0,
        known=over,
        open=len(case.gathered.turns) - over,
        place=place,
        key_points=sum(1 for _ in key_points(case.playbook)),
        size=case.gathered.size,
    )


def _report(
    unchanged: Report,
    consulted: Consulted,
    checked: Checked,
    applied: Sequence[tuple[store.Place, Applied]],
) -> Report:
    learned = len({key for _, done in applied for key in done.turns})
    return replace(
        unchanged,
        mode="model" if consulted.model else OFFLINE,
        model=consulted.model,
        lesson=checked.lesson,
        learned=learned,
        known=unchanged.known - learned,
        playbooks=tuple(applied),
        waiting=checked.waiting,
        refused=checked.refused,
        usage=consulted.usage,
    )


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".jsonl")
