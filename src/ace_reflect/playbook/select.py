"""
Which key points go in front of the model for this prompt: all that fit; above that, the best by relevance (BM25) and by
track record, whole lines only, in canonical order. The project's come first, then the user's, inside one budget.

On every prompt's path: nothing is imported here but what the hook has anyway.
"""

import os
import sqlite3
from collections.abc import Collection

from ace_reflect.paths import load_template
from ace_reflect.playbook.index import Indexed, Point, indexed, searchable_text
from ace_reflect.playbook.model import USER_FLOOR
from ace_reflect.playbook.render import PLACEHOLDER, fill, heading, join_sections, utf16_units
from ace_reflect.values import Value

#: Words of a prompt that say nothing about its subject: what binds a sentence, and what is asked in any prompt (add, fix,
#: fails, new). Few key points may hold one of them, and it still tells nothing.
_STOP_WORDS = frozenset(
    """
    a about add added after again all already also always am an and another any are as at back be because been before
    being break breaks broken but by can cannot cant change changed changes could create created did do does doesn done
    dont each else every everything fail failed failing fails first fix fixed fixes for from get gets getting give gives
    go goes going got had has have he help her here him his how i if implement in instead into is it its just keep know
    last let lets like made make makes many may maybe me more much must my need needs never new next no not nothing now
    of off ok okay old on once one only or other our out over please put really right same see seems set she should show
    since so some something still sure take takes tell than thanks that the their them then there these they thing think
    this those to too try two until up update updated us use using very want wants was way we well were what when where
    which while who why will with without work working works would write written wrong yes yet you your
    """.split()  # noqa: SIM905 - as a list it is a line a word
)
_PROMPT_ENDS = 3_000  # characters of either end of a prompt: a log pasted in between has no say
_LOOKED_UP = 300  # distinct words of it
_MAX_WORDS = 24  # of them searched for, the rarest
_RARE = 3  # key points that share a word which hardly any other has
_BY_RELEVANCE = 200
_BY_TRACK_RECORD = 300  # candidates that no word of the prompt calls for
_LATER_POINTS = 8  # on later prompts: a few that matter
_GAP = 2  # the blank line between blocks
_PROJECTS, _USERS = "project", "user"


class Selection(Value):
    """What to inject: `text` is complete, directive included, and empty where there is nothing to say."""

    text: str = ""
    project_ids: tuple[str, ...] = ()
    user_ids: tuple[str, ...] = ()
    left_out: int = 0  # key points that the session does not have after this
    problems: tuple[str, ...] = ()  # playbooks that could not be read, for the log

    @property
    def ids(self) -> tuple[str, ...]:
        """The injected ids, in the order of the text."""
        return self.project_ids + self.user_ids


def for_prompt(
    connection: sqlite3.Connection,
    project_playbook: str | None,
    user_playbook: str | None,
    prompt: str,
    *,
    budget: int,
    already: Collection[str] = (),
    first: bool = True,
) -> Selection:
    """
    Choose key points of both playbooks for a prompt. `budget` is what the whole text may take, in UTF-16 code units.
    `already` are the ids that the session has. After its `first` prompt, only key points that this one newly calls for.
    """
    books = _books(connection, project_playbook, user_playbook)
    problems = tuple(book.problem for book in books.values() if book.problem)
    total = sum(book.points for book in books.values())
    if not total:
        return Selection(problems=problems)
    template = load_template("playbook.txt" if first else "playbook_more.txt")
    room = budget - utf16_units(template.replace(PLACEHOLDER, "", 1))
    words, wanted = prompt_words(prompt), total - len(already)
    rank = _by_value if first else _newly_relevant
    ranked = [rank(book, words) for book in books.values()]
    most = wanted if first else _LATER_POINTS
    chosen = _fitting(ranked, room, already, most)
    if first and sum(map(len, chosen)) < wanted:
        chosen = _fitting(ranked, room - utf16_units(_note(wanted)) - _GAP, already, most)
    left_out = max(wanted - sum(map(len, chosen)), 0)
    lines = [[(section, line) for _, _, section, _, line in points] for points in chosen]
    blocks = [join_sections(pairs) for pairs in lines if pairs]
    if blocks and first and left_out:
        blocks.append(_note(left_out))
    ids = [tuple(point[1] for point in points) for points in chosen]
    of_book = dict(zip(books, ids, strict=True))
    return Selection(
        text=fill(template, "\n\n".join(blocks)) if blocks else "",
        project_ids=of_book.get(_PROJECTS, ()),
        user_ids=of_book.get(_USERS, ()),
        left_out=left_out,
        problems=problems,
    )


def prompt_words(prompt: str) -> list[str]:
    """The words of a prompt that may say what it is about, each once, in lower case."""
    ends = f"{prompt[:_PROMPT_ENDS]} {prompt[_PROMPT_ENDS:][-_PROMPT_ENDS:]}"
    sound = ends.encode("utf-8", "replace").decode("utf-8")
    words = dict.fromkeys(word.lower() for word in searchable_text(sound).split())
    return [word for word in words if len(word) > 1 and word not in _STOP_WORDS][:_LOOKED_UP]


def _books(
    connection: sqlite3.Connection, project: str | None, user: str | None
) -> dict[str, Indexed]:
    """The project's playbook, then the user's. One file in both roles is the user's."""
    found = {}
    if project and not (user and os.path.realpath(project) == os.path.realpath(user)):
        found[_PROJECTS] = indexed(connection, project)
    if user:
        found[_USERS] = indexed(connection, user, floor=USER_FLOOR)
    return found


def _note(left_out: int) -> str:
    points = "key point was" if left_out == 1 else "key points were"
    return f"({left_out} more {points} left out to save room; `ace-reflect playbook list` shows all of them.)"


def _by_value(book: Indexed, words: list[str]) -> list[Point]:
    """Key points, best first: what the prompt is about and what has proven itself weigh the same."""
    telling = [word for word, _ in _informative(book, words, share=5)]
    relevance = book.relevance(telling, _BY_RELEVANCE)
    strongest = max(relevance.values(), default=1.0)
    points = book.at({*relevance, *book.proven(_BY_TRACK_RECORD)})
    return sorted(points, key=lambda point: -(relevance.get(point[0], 0.0) / strongest + point[3]))


def _newly_relevant(book: Indexed, words: list[str]) -> list[Point]:
    """Key points that share two telling words with the prompt, or one that hardly any other has; best first."""
    shared: dict[int, int] = {}
    weight: dict[int, float] = {}
    for _, positions in _informative(book, words, share=20):
        rare = len(positions) <= _RARE and book.points > _RARE
        for position in positions:
            shared[position] = shared.get(position, 0) + (2 if rare else 1)
            weight[position] = weight.get(position, 0.0) + 1 / len(positions)
    points = book.at(position for position, count in shared.items() if count > 1)
    return sorted(points, key=lambda point: -weight[point[0]])


def _informative(book: Indexed, words: list[str], *, share: int) -> list[tuple[str, list[int]]]:
    """(word, positions) for the words that single key points out: in no more than one of `share`, rarest first."""
    most = max(book.points // share, _RARE)
    found = [(word, book.holding(word, most + 1)) for word in words]
    telling = [(word, positions) for word, positions in found if 0 < len(positions) <= most]
    return sorted(telling, key=lambda pair: len(pair[1]))[:_MAX_WORDS]


def _fitting(
    ranked: list[list[Point]], room: int, already: Collection[str], most: int
) -> list[list[Point]]:
    """Of each playbook as many as there is room for, best first, in canonical order: what one leaves over is the next's."""
    taken = set(already)
    chosen: list[list[Point]] = []
    for points in ranked:
        chosen.append([])
        headings: set[str] = set()
        for point in points:
            _, name, section, _, line = point
            if len(line) >= room or name in taken or len(taken) - len(already) >= most:
                continue  # the greater part, without counting its units
            cost = utf16_units(line) + 1
            if section not in headings:
                cost += utf16_units(heading(section)) + _GAP
            if cost <= room:
                room -= cost
                taken.add(name)
                headings.add(section)
                chosen[-1].append(point)
        chosen[-1].sort()
    return chosen
