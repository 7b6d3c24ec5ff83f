"""
What a prompt's hook needs to know of a playbook, kept in SQLite by the file's identity: ready lines, JSON is parsed once.
Nothing heavy is imported at the top: every UserPromptSubmit comes by here.
"""

import os
import re
import sqlite3
from collections.abc import Iterable
from typing import Any

from ace_reflect.playbook.model import KeyPoint
from ace_reflect.values import Value

#: Raised whenever the lines' form or the tables change: an index of another form counts as out of date.
FORM = 3
_FORGET_AFTER_FILES = 64
_BEGINS = 5  # letters of a word that also calls for longer ones: docker for Dockerfile, Rechnung for Rechnungen

_FILES = """id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, identity TEXT NOT NULL,
  points INTEGER NOT NULL, problem TEXT NOT NULL"""
_POINTS = """file INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, section TEXT NOT NULL,
  track REAL NOT NULL, line TEXT NOT NULL, PRIMARY KEY (file, position)"""
_BY_TRACK = "playbook_points_by_track ON playbook_points (file, track DESC, position)"
#: `runTests` -> run, Tests; `HTTPServer` -> HTTP, Server; the Latin name in `Gradleのビルド`.
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_TO_SPACE = {code: " " for code in range(128) if not chr(code).isalnum()}

Point = tuple[int, str, str, float, str]  # position, name, section, track record, line
Key = tuple[str, str]  # of a file: its path, and its device, inode, size and time of change
Read = tuple[
    list[tuple[str, KeyPoint]], str
]  # the key points with their sections, and why there are none


class Indexed(Value):
    """One playbook. `problem` says why it could not be read."""

    connection: sqlite3.Connection
    id: int
    points: int
    problem: str

    def proven(self, most: int) -> list[int]:
        """The positions of the key points with the best track record."""
        order = "ORDER BY track DESC, position LIMIT ?"
        sql = f"SELECT position FROM playbook_points WHERE file = ? {order}"  # noqa: S608 - our own words
        return [row[0] for row in self.connection.execute(sql, (self.id, most))]

    def at(self, positions: Iterable[int]) -> list[Point]:
        """The key points at these positions, in canonical order."""
        wanted = f"file = ? AND position IN ({', '.join(map(str, positions))}) ORDER BY position"
        sql = f"SELECT position, name, section, track, line FROM playbook_points WHERE {wanted}"  # noqa: S608 - numbers
        return self.connection.execute(sql, (self.id,)).fetchall()

    def holding(self, word: str, most: int) -> list[int]:
        """The positions of key points with this word."""
        return [row[0] for row in self._matching("rowid", [word], "LIMIT ?", most)]

    def relevance(self, words: list[str], most: int) -> dict[int, float]:
        """Position -> how much of the prompt's subject the key point is about (BM25); above 0, larger is more."""
        columns = f"rowid, -bm25(playbook_words_{self.id})"
        return dict(self._matching(columns, words, "ORDER BY 2 DESC, 1 LIMIT ?", most))

    def _matching(self, columns: str, words: list[str], order: str, most: int) -> list[Any]:
        """Rows of the full-text table that hold one of the words; none where this SQLite has no FTS5."""
        if not words:
            return []
        # Stems are known in English only: a long word also calls for those that begin with it.
        table = f"playbook_words_{self.id}"
        query = " OR ".join(f'"{word}"*' if len(word) >= _BEGINS else f'"{word}"' for word in words)
        sql = f"SELECT {columns} FROM {table} WHERE {table} MATCH ? {order}"  # noqa: S608 - a table of our own
        try:
            return self.connection.execute(sql, (query, most)).fetchall()
        except sqlite3.OperationalError:
            return []


def indexed(connection: sqlite3.Connection, path: str, *, floor: int = 0) -> Indexed:
    """The index of the playbook at `path`, made anew where the file has changed since."""
    key = _key_of(path)
    known = _known(connection, key)
    if known is not None:
        return known
    read = _read(os.path.realpath(path), floor)
    try:
        return _write(connection, key, read)
    except sqlite3.Error:  # it is read-only, full, or locked for too long
        return _write(sqlite3.connect(":memory:", isolation_level=None), key, read)


def known_problem(connection: sqlite3.Connection, path: str) -> str:
    """Why the playbook at `path` cannot be read, as its index says; "" where it can be, or has changed since."""
    known = _known(connection, _key_of(path))
    return known.problem if known is not None else ""


def searchable_text(text: str) -> str:
    """
    The words of a text as both sides of a search see them: punctuation apart, `camelCase` also in its parts, and
    scripts without spaces as pairs of letters.
    """
    found: list[str] = []
    for word in text.translate(_TO_SPACE).split():
        found.append(word)
        unspaced = any(
            "\u2e80" <= letter <= "\ud7ff" or "\uf900" <= letter <= "\ufaff" for letter in word
        )
        parts = _PARTS.findall(word) if word.isascii() or unspaced else []
        if len(parts) > 1 or unspaced:
            found += parts
        if unspaced:
            found += [word[at : at + 2] for at in range(len(word) - 1)]
    return " ".join(found)


def _key_of(path: str) -> Key:
    path = os.path.realpath(path)
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return _storable(path), f"{FORM}:"
    parts = (FORM, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
    return _storable(path), ":".join(map(str, parts))


def _known(connection: sqlite3.Connection, key: Key) -> Indexed | None:
    sql = "SELECT id, points, problem FROM playbook_files WHERE path = ? AND identity = ?"
    try:
        row = connection.execute(sql, key).fetchone()
    except sqlite3.Error:  # no such table yet
        return None
    if row is None:
        return None
    return Indexed(connection=connection, id=row[0], points=row[1], problem=row[2])


def _read(path: str, floor: int) -> Read:
    from ace_reflect.errors import PlaybookError
    from ace_reflect.playbook.model import key_points
    from ace_reflect.playbook.read import parse_playbook, read_bytes

    try:
        data = read_bytes(path)
        if data is None:
            return [], ""
        return list(key_points(parse_playbook(data, floor=floor).playbook)), ""
    except PlaybookError as fault:
        problem = str(fault)
        return [], problem if path in problem else f"{path} is no playbook: {problem}"


def _write(connection: sqlite3.Connection, key: Key, read: Read) -> Indexed:
    """Replace a playbook's index, whole or not at all. Raises sqlite3.Error."""
    # A savepoint is a transaction of its own outside of one, and part of the caller's inside.
    connection.execute("SAVEPOINT playbook_index")
    try:
        _make_tables(connection)
        _drop(connection, "path = ?", key[0])
        made = _insert(connection, key, read)
        # Projects come and go: the indexes made longest ago are dropped; a playbook in use is soon indexed again.
        old = "id IN (SELECT id FROM playbook_files ORDER BY id DESC LIMIT -1 OFFSET ?)"
        _drop(connection, old, _FORGET_AFTER_FILES)
    except BaseException:
        connection.execute("ROLLBACK TO playbook_index")
        raise
    finally:
        connection.execute("RELEASE playbook_index")
    return made


def _make_tables(connection: sqlite3.Connection) -> None:
    """The tables of this form; those of another are dropped, for an index is made of files that are still there."""
    sql = "SELECT sql FROM sqlite_schema WHERE name = 'playbook_points'"
    stored = connection.execute(sql).fetchone()
    if stored is not None and _POINTS not in stored[0]:
        for table in ("playbook_files", "playbook_points", "playbook_lines"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    connection.execute(f"CREATE TABLE IF NOT EXISTS playbook_files ({_FILES})")
    connection.execute(f"CREATE TABLE IF NOT EXISTS playbook_points ({_POINTS}) WITHOUT ROWID")
    connection.execute(f"CREATE INDEX IF NOT EXISTS {_BY_TRACK}")


def _insert(connection: sqlite3.Connection, key: Key, read: Read) -> Indexed:
    from ace_reflect.playbook.model import counters, track_record
    from ace_reflect.playbook.neutral import neutral_id
    from ace_reflect.playbook.render import render_line

    shown, problem = read
    file = connection.execute(
        "INSERT INTO playbook_files (path, identity, points, problem) VALUES (?, ?, ?, ?)",
        (*key, len(shown), _storable(problem)),
    ).lastrowid
    rows, words = [], []
    for at, (section, point) in enumerate(shown, start=1):
        name, track = neutral_id(point["name"]), track_record(*counters(point))
        rows.append((file, at, name, _storable(section), track, render_line(point)))
        words.append((at, searchable_text(_storable(point["text"]))))
    connection.executemany("INSERT INTO playbook_points VALUES (?, ?, ?, ?, ?, ?)", rows)
    table = f"playbook_words_{file}"
    form = "words, tokenize = 'porter unicode61 remove_diacritics 2'"
    connection.execute(f"DROP TABLE IF EXISTS {table}")
    try:
        connection.execute(f"CREATE VIRTUAL TABLE {table} USING fts5({form})")
        connection.executemany(f"INSERT INTO {table} (rowid, words) VALUES (?, ?)", words)  # noqa: S608 - a number
    except sqlite3.OperationalError as fault:
        if "no such module" not in str(fault):  # without FTS5 the track record decides alone
            raise
    return Indexed(connection=connection, id=file or 0, points=len(shown), problem=problem)


def _drop(connection: sqlite3.Connection, condition: str, parameter: object) -> None:
    found = f"SELECT id FROM playbook_files WHERE {condition}"  # noqa: S608 - our own words
    for (file,) in connection.execute(found, (parameter,)).fetchall():
        connection.execute(f"DROP TABLE IF EXISTS playbook_words_{file}")
        connection.execute("DELETE FROM playbook_points WHERE file = ?", (file,))
        connection.execute("DELETE FROM playbook_files WHERE id = ?", (file,))


def _storable(text: str) -> str:
    """SQLite's text is UTF-8, which has no place for the lone surrogates of an undecodable file name."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
