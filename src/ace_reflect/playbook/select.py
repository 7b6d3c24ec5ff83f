"""Which key points go in front of the model for a prompt (DESIGN §4): the person's preferences, and what bears on it.

The budget is a ceiling and is not filled. On every prompt's path: nothing is imported but what the hook has anyway.
"""

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import log

from ace_reflect.paths import load_template
from ace_reflect.playbook.index import Indexed, Point, indexed, searchable_text
from ace_reflect.playbook.model import USER_FLOOR
from ace_reflect.playbook.render import PLACEHOLDER, fill, heading, join_sections, utf16_units
from ace_reflect.values import Value

#: Words of a prompt that say nothing about its subject: function words, and what is asked in any prompt (add, fix,
#: fails, new). Even if few key points contain one, it tells nothing.
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
#: "thanks, looks good!" calls for nothing, "fix it" for a small playbook.
_COURTESY = frozenset("a cool do fine good great hello hey hi it lgtm looks much nice no ok okay perfect please so super thank thanks that very well yes you".split())  # fmt: skip  # noqa: SIM905
_PROMPT_ENDS = 3_000  # characters at either end of a prompt: a log pasted in between does not count
_LOOKED_UP = 300  # distinct words of it
_SMALL = 2_000  # characters of a playbook that goes in whole
_MOST = {True: 12, False: 8}  # key points that a first, or a later, prompt calls for
#: Of relevance: about one word that an eighth of the key points has; on a later prompt, that a twentieth has.
_FLOOR = {True: 2.0, False: 2.8}
_GAP = 2  # the blank line between blocks
_PROJECTS, _USERS = "project", "user"

Books = Mapping[str, Indexed]
Found = tuple[str, Point]  # of which playbook


class Selection(Value):
    """What to inject: `text` is complete, directive included, and empty if there is nothing to say."""

    text: str = ""
    project_ids: tuple[str, ...] = ()
    user_ids: tuple[str, ...] = ()

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
    """Choose key points from both playbooks for a prompt. `budget` limits the whole text, in UTF-16 code units. `already` are
    the ids the session has. After its `first` prompt, only key points newly relevant to this one.
    """
    books = indexes(connection, project_playbook, user_playbook)
    template = load_template("playbook.txt" if first else "playbook_more.txt")
    room = budget - utf16_units(template.replace(PLACEHOLDER, "", 1))
    words = prompt_words(prompt)
    stages = [(room // 3, _preferences(books))] if first else []
    said = searchable_text(prompt.lower()).split()
    if not said or not _COURTESY.issuperset(said):
        stages.append((room, _relevant(books, words, first=first)))
    chosen = list(_fitting(stages, already))
    points = {name: sorted(point for of, point in chosen if of == name) for name in books}
    lines = [[(section, line) for _, _, section, _, line in each] for each in points.values()]
    blocks = [join_sections(pairs) for pairs in lines if pairs]
    ids = {name: tuple(point[1] for point in each) for name, each in points.items()}
    return Selection(
        text=fill(template, "\n\n".join(blocks)) if blocks else "",
        project_ids=ids.get(_PROJECTS, ()),
        user_ids=ids.get(_USERS, ()),
    )


def prompt_words(prompt: str) -> list[str]:
    """The words that may say what a prompt is about, each once, in lower case."""
    ends = f"{prompt[:_PROMPT_ENDS]} {prompt[_PROMPT_ENDS:][-_PROMPT_ENDS:]}"
    sound = ends.encode("utf-8", "replace").decode("utf-8")
    words = dict.fromkeys(word.lower() for word in searchable_text(sound).split())
    return [word for word in words if len(word) > 1 and word not in _STOP_WORDS][:_LOOKED_UP]


def indexes(connection: sqlite3.Connection, project: str | None, user: str | None) -> Books:
    """Of the project's playbook, then the user's, as far as they exist. One file in both roles is the user's."""
    found = {}
    project, user = (path if path and os.path.exists(path) else None for path in (project, user))
    if project and not (user and os.path.realpath(project) == os.path.realpath(user)):
        found[_PROJECTS] = indexed(connection, project)
    if user:
        found[_USERS] = indexed(connection, user, floor=USER_FLOOR)
    return found


def _preferences(books: Books) -> list[Found]:
    """The person's preferences, the newest first, the project's before the user's own."""
    return [(name, point) for name, book in books.items() for point in book.preferences()]


def _relevant(books: Books, words: list[str], *, first: bool) -> list[Found]:
    """What bears on a prompt, best first; on the first prompt a small playbook whole."""
    whole: list[Found] = []
    ranked: list[tuple[float, float, Found]] = []
    for name, book in books.items():
        if first and book.chars <= _SMALL:
            whole += [(name, point) for point in book.every()]
            continue
        weights = _weights(book, words)
        floor = min(_FLOOR[first], 0.75 * log(book.points + 1))
        points = book.at(at for at, weight in weights.items() if weight >= floor)
        ranked += [(-weights[point[0]], -point[3], (name, point)) for point in points]
    return [*whole, *(found for *_, found in sorted(ranked)[: _MOST[first]])]


def _weights(book: Indexed, words: list[str]) -> dict[int, float]:
    """Position -> relevance: BM25's weight of each word that it shares with the prompt (whatever its length)."""
    weights: dict[int, float] = {}
    most = max(book.points // 5, 3)
    for word in words:
        positions = book.holding(word, most + 1)
        for at in positions if len(positions) <= most else ():
            rare = (book.points + 1) / (len(positions) + 0.5)
            weights[at] = weights.get(at, 0.0) + log(rare)
    return weights


def _fitting(
    stages: Iterable[tuple[int, list[Found]]], already: Collection[str]
) -> Iterator[Found]:
    """Whole lines only: of each stage what fits into its room, beside what stands there already."""
    taken, headings, used = set(already), set[tuple[str, str]](), 0
    for room, found in stages:
        for book, point in found:
            _, name, section, _, line = point
            cost = utf16_units(line) + 1
            cost += 0 if (book, section) in headings else utf16_units(heading(section)) + _GAP
            if name not in taken and used + cost <= room:
                used += cost
                taken.add(name)
                headings.add((book, section))
                yield book, point
