"""
Which key points go in front of the model for this prompt.

What fits goes in whole, in canonical order. Above that, key points are ranked by relevance to the prompt (BM25) and by
track record, whole lines only. The project's come first, then the user's, inside one budget.

On every prompt's path: nothing is imported here but what the hook has anyway.
"""

import os
import sqlite3
from collections.abc import Collection, Iterable
from typing import Any

from ace_reflect.paths import load_template
from ace_reflect.playbook.index import Indexed, indexed, searchable_text
from ace_reflect.playbook.model import USER_FLOOR
from ace_reflect.playbook.render import PLACEHOLDER, fill, heading, join_sections, utf16_units
from ace_reflect.values import Value

Candidate = tuple[float, int]  # (value, position)

#: Words of a prompt that say nothing about its subject: what binds a sentence, and what is asked in any prompt (add, fix,
#: fails, new). Few key points may hold one of them, and it still tells nothing.
_SAY_NOTHING = """
a about add added after again all already also always am an and another any are as at back be because been before
being break breaks broken but by can cannot cant change changed changes could create created did do does doesn done
dont each else every everything fail failed failing fails first fix fixed fixes for from get gets getting give gives
go goes going got had has have he help her here him his how i if implement in instead into is it its just keep know
last let lets like made make makes many may maybe me more much must my need needs never new next no not nothing now
of off ok okay old on once one only or other our out over please put really right same see seems set she should show
since so some something still sure take takes tell than thanks that the their them then there these they thing think
this those to too try two until up update updated us use using very want wants was way we well were what when where
which while who why will with without work working works would write written wrong yes yet you your
"""
_STOP_WORDS = frozenset(_SAY_NOTHING.split())
_PROMPT_ENDS = (
    3_000  # characters read of either end of a prompt: a pasted log in the middle has no say
)
_LOOKED_UP = 300  # distinct words of it
_MAX_WORDS = 24  # of them searched for, the rarest
_BEGINS = 5  # letters of a word that also calls for longer ones: docker for Dockerfile, Rechnung for Rechnungen
_RARE = 3  # key points that share a word which hardly any other has
_BY_RELEVANCE = 200
_BY_TRACK_RECORD = 300  # candidates that no word of the prompt calls for
_LATER_POINTS = 8  # on later prompts: a few that matter
_MISFITS = 30  # lines that did not fit, after which no more are tried
_AHEAD = 64
_GAP = 2  # the blank line between blocks


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
    Choose key points of both playbooks for a prompt.

    `budget` is what the whole text may take, in UTF-16 code units. `already` are the ids that the session has in its
    context. `first` is False on later prompts of a session: only key points that this prompt newly calls for.
    """
    books = _books(connection, project_playbook, user_playbook)
    problems = tuple(book.problem for book in books if book.problem)
    total = sum(book.points for book in books)
    if not total:
        return Selection(problems=problems)
    template = load_template("playbook.txt" if first else "playbook_more.txt")
    room = budget - utf16_units(template.replace(PLACEHOLDER, "", 1))
    parts = _whole(books, room) if first and not already else None
    if parts is None:
        parts = _ranked(books, prompt, room, frozenset(already), first=first)
    return _selection(parts, template, total - len(already), problems, first=first)


def prompt_words(prompt: str) -> list[str]:
    """The words of a prompt that may say what it is about, each once, in lower case."""
    ends = (
        prompt
        if len(prompt) <= 2 * _PROMPT_ENDS
        else f"{prompt[:_PROMPT_ENDS]} {prompt[-_PROMPT_ENDS:]}"
    )
    sound = ends.encode("utf-8", "replace").decode("utf-8")
    words = dict.fromkeys(word.lower() for word in searchable_text(sound).split())
    return [word for word in words if len(word) > 1 and word not in _STOP_WORDS][:_LOOKED_UP]


class _Part:
    """The lines of one playbook that go in."""

    __slots__ = ("names", "text", "users_own")

    def __init__(self, book: Indexed, names: tuple[str, ...], text: str) -> None:
        self.users_own = book.users_own
        self.names = names
        self.text = text


def _books(connection: sqlite3.Connection, project: str | None, user: str | None) -> list[Indexed]:
    """The project's playbook, then the user's. One file in both roles is the user's."""
    books = [indexed(connection, user, floor=USER_FLOOR)] if user else []
    if project and not any(book.path == os.path.realpath(project) for book in books):
        books.insert(0, indexed(connection, project))
    return books


def _whole(books: list[Indexed], room: int) -> list[_Part] | None:
    """Both playbooks from end to end, or None where they do not fit or an id stands in both."""
    filled = [book for book in books if book.points]
    if sum(book.units for book in filled) + _GAP * (len(filled) - 1) > room:
        return None
    parts = [_Part(book, _names(book), book.whole) for book in filled]
    if len(parts) == 2 and not set(parts[0].names).isdisjoint(parts[1].names):
        return None
    return parts


def _ranked(
    books: list[Indexed], prompt: str, room: int, already: frozenset[str], *, first: bool
) -> list[_Part]:
    """The best lines of each playbook; what the project's leave over is the user's."""
    words = prompt_words(prompt)
    room -= utf16_units(_note(10**6)) + _GAP if first else 0
    taken, parts, most = already, [], _LATER_POINTS
    for book in books:
        candidates = _by_value(book, words) if first else _newly_relevant(book, words)
        part = _fitting(book, candidates, room, taken, most=None if first else most)
        parts.append(part)
        most -= len(part.names)
        room -= utf16_units(part.text) + _GAP if part.text else 0
        taken = taken.union(part.names)
    return parts


def _selection(
    parts: list[_Part], template: str, available: int, problems: tuple[str, ...], *, first: bool
) -> Selection:
    body = "\n\n".join(part.text for part in parts if part.text)
    left_out = max(available - sum(len(part.names) for part in parts), 0)
    if not body:
        return Selection(left_out=left_out, problems=problems)
    if first and left_out:
        body = f"{body}\n\n{_note(left_out)}"
    return Selection(
        text=fill(template, body),
        project_ids=tuple(name for part in parts if not part.users_own for name in part.names),
        user_ids=tuple(name for part in parts if part.users_own for name in part.names),
        left_out=left_out,
        problems=problems,
    )


def _note(left_out: int) -> str:
    points = "key point was" if left_out == 1 else "key points were"
    return f"({left_out} more {points} left out to save room; `ace-reflect playbook list` shows all of them.)"


def _by_value(book: Indexed, words: list[str]) -> list[Candidate]:
    """Candidates, best first: what the prompt is about and what has proven itself weigh the same."""
    relevance = _relevance(book, [word for word, _ in _informative(book, words, share=5)])
    strongest = max(relevance.values(), default=1.0)
    tracks = dict(
        book.connection.execute(
            "SELECT position, track FROM playbook_points WHERE file = ? ORDER BY track DESC, position LIMIT ?",
            (book.id, _BY_TRACK_RECORD),
        ).fetchall()
    )
    missing = [position for position in relevance if position not in tracks]
    tracks.update(
        (position, track) for position, track in _columns(book, missing, "position, track")
    )
    return sorted(
        ((relevance.get(at, 0.0) / strongest + track, at) for at, track in tracks.items()),
        key=_best_first,
    )


def _newly_relevant(book: Indexed, words: list[str]) -> list[Candidate]:
    """Candidates that share two telling words with the prompt, or one that hardly any other key point has."""
    shared: dict[int, int] = {}
    weight: dict[int, float] = {}
    for _, positions in _informative(book, words, share=20):
        rare = len(positions) <= _RARE and book.points > _RARE
        for position in positions:
            shared[position] = shared.get(position, 0) + (2 if rare else 1)
            weight[position] = weight.get(position, 0.0) + 1 / len(positions)
    return sorted(((weight[at], at) for at, count in shared.items() if count > 1), key=_best_first)


def _informative(book: Indexed, words: list[str], *, share: int) -> list[tuple[str, list[int]]]:
    """(word, positions) for the words that single key points out: in no more than one of `share`, rarest first."""
    most = max(book.points // share, _RARE)
    found = [(word, _positions(book, word, most + 1)) for word in words]
    telling = [(word, positions) for word, positions in found if 0 < len(positions) <= most]
    return sorted(telling, key=lambda pair: len(pair[1]))[:_MAX_WORDS]


def _positions(book: Indexed, word: str, limit: int) -> list[int]:
    if book.searchable:
        sql = f"SELECT rowid FROM {book.words} WHERE {book.words} MATCH ? LIMIT ?"  # noqa: S608 - a table of our own
        rows = book.connection.execute(sql, (_term(word), limit))
    else:
        sql = "SELECT position FROM playbook_lines WHERE file = ? AND instr(lower(line), ?) LIMIT ?"
        rows = book.connection.execute(sql, (book.id, word, limit))
    return [row[0] for row in rows.fetchall()]


def _term(word: str) -> str:
    """A word of a query in FTS5's syntax; a longer one with all that begins so, for stems are known in English only."""
    return f'"{word}"*' if len(word) >= _BEGINS else f'"{word}"'


def _relevance(book: Indexed, words: list[str]) -> dict[int, float]:
    """Position -> how much of the prompt's subject the key point is about; above 0, larger is more."""
    if not words:
        return {}
    if not book.searchable:
        counted: dict[int, float] = {}
        for word in words:
            for position in _positions(book, word, _BY_TRACK_RECORD):
                counted[position] = counted.get(position, 0.0) + 1.0
        return counted
    query = " OR ".join(_term(word) for word in words)
    sql = f"SELECT rowid, -bm25({book.words}) FROM {book.words} WHERE {book.words} MATCH ? ORDER BY 2 DESC, 1 LIMIT ?"  # noqa: S608 - a table of our own
    return dict(book.connection.execute(sql, (query, _BY_RELEVANCE)).fetchall())


def _fitting(
    book: Indexed,
    candidates: list[Candidate],
    room: int,
    taken: frozenset[str],
    *,
    most: int | None,
) -> _Part:
    """As many whole lines as there is room for, best first, put back into canonical order."""
    facts: dict[int, tuple[str, str, int]] = {}
    chosen: dict[int, str] = {}
    open_sections: set[str] = set()
    misfits = 0
    for number, (_, at) in enumerate(candidates):
        if at not in facts:  # a few at a time: most candidates are never looked at
            ahead = [position for _, position in candidates[number : number + _AHEAD]]
            facts.update(
                (row[0], row[1:]) for row in _columns(book, ahead, "position, name, section, units")
            )
        name, section, units = facts[at]
        if name in taken:
            continue
        cost = units + 1 + (0 if section in open_sections else utf16_units(heading(section)) + _GAP)
        if cost > room:
            misfits += 1
        else:
            room -= cost
            open_sections.add(section)
            chosen[at] = name
        if misfits > _MISFITS or len(chosen) == most:
            break
    order = sorted(chosen)
    lines = dict(_columns(book, order, "position, line", "playbook_lines"))
    text = join_sections((facts[at][1], lines[at]) for at in order)
    return _Part(book, tuple(chosen[at] for at in order), text)


def _names(book: Indexed) -> tuple[str, ...]:
    rows = book.connection.execute(
        "SELECT name FROM playbook_points WHERE file = ? ORDER BY position", (book.id,)
    )
    return tuple(row[0] for row in rows.fetchall())


def _columns(
    book: Indexed, positions: Iterable[int], columns: str, table: str = "playbook_points"
) -> list[Any]:
    """Some columns of some key points, in canonical order."""
    wanted = ", ".join(str(int(position)) for position in positions)
    sql = (
        f"SELECT {columns} FROM {table} WHERE file = ? AND position IN ({wanted}) ORDER BY position"  # noqa: S608 - numbers
    )
    return book.connection.execute(sql, (book.id,)).fetchall()


def _best_first(candidate: Candidate) -> tuple[float, int]:
    value, position = candidate
    return -value, position
