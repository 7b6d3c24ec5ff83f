"""What the prompt hook needs from a playbook, cached in SQLite by the file's identity, so that JSON is parsed only once.
Nothing heavy is imported at the top: every UserPromptSubmit comes through here.
"""

import os
import re
import sqlite3
from collections.abc import Iterable
from typing import Any

from ace_reflect.playbook.model import KeyPoint
from ace_reflect.values import Value

#: Raise it whenever the lines' form or the tables change: an index in another form counts as out of date.
FORM = 4
_FORGET_AFTER_FILES = 64
_BEGINS = 5  # a word this long also matches longer ones: docker Dockerfile, Rechnung Rechnungen

_FILES = """id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, identity TEXT NOT NULL,
  points INTEGER NOT NULL, chars INTEGER NOT NULL, problem TEXT NOT NULL"""
_POINTS = """file INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, section TEXT NOT NULL,
  track REAL NOT NULL, line TEXT NOT NULL, PRIMARY KEY (file, position)"""
#: `runTests` -> run, Tests; `HTTPServer` -> HTTP, Server; the Latin name in `Gradleのビルド`.
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_TO_SPACE = {code: " " for code in range(128) if not chr(code).isalnum()}

Point = tuple[int, str, str, float, str]  # position, name, section, track record, line
Key = tuple[str, str]  # a file's path, and its device, inode, size and mtime
#: The key points with their sections, and why there are none.
Read = tuple[list[tuple[str, KeyPoint]], str]


class Indexed(Value):
    """One playbook. `problem` says why it could not be read."""

    connection: sqlite3.Connection
    id: int
    points: int
    chars: int  # of all lines together
    problem: str

    def every(self) -> list[Point]:
        """All key points, in canonical order."""
        return self._where("TRUE ORDER BY position")

    def preferences(self) -> list[Point]:
        """The person's preferences, the newest first."""
        return self._where("section = 'USER PREFERENCES' ORDER BY position DESC")

    def at(self, positions: Iterable[int]) -> list[Point]:
        """The key points at these positions."""
        return self._where(f"position IN ({', '.join(map(str, positions))})")

    def _where(self, wanted: str) -> list[Point]:
        sql = "SELECT position, name, section, track, line FROM playbook_points WHERE file = ? AND "
        return self.connection.execute(sql + wanted, (self.id,)).fetchall()

    def holding(self, word: str, most: int) -> list[int]:
        """The positions of key points with this word; none where this SQLite has no FTS5."""
        # Stems are known in English only: a long word also calls for those that begin with it.
        table, query = f"playbook_words_{self.id}", f'"{word}"{"*" * (len(word) >= _BEGINS)}'
        sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?"  # noqa: S608 - a table of our own
        try:
            return [row[0] for row in self.connection.execute(sql, (query, most))]
        except sqlite3.OperationalError:
            return []


def indexed(connection: sqlite3.Connection, path: str, *, floor: int = 0) -> Indexed:
    """The index of the playbook at `path`, rebuilt if the file has changed since."""
    key = _key_of(path)
    known = _known(connection, key)
    if known is not None:
        return known
    read = _read(os.path.realpath(path), floor)
    try:
        return _write(connection, key, read)
    except sqlite3.Error:  # it is read-only, full, or locked for too long
        return _write(sqlite3.connect(":memory:", isolation_level=None), key, read)


def searchable_text(text: str) -> str:
    """The words of a text as both sides of a search see them: without punctuation, `camelCase` also in its parts, and scripts
    without spaces as pairs of letters.
    """
    found: list[str] = []
    for word in text.translate(_TO_SPACE).split():
        found.append(word)
        unspaced = any("\u2e80" <= one <= "\ud7ff" or "\uf900" <= one <= "\ufaff" for one in word)
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
    sql = "SELECT id, points, chars, problem FROM playbook_files WHERE path = ? AND identity = ?"
    try:
        row = connection.execute(sql, key).fetchone()
    except sqlite3.Error:  # no such table yet
        return None
    if row is None:
        return None
    fields = zip(("id", "points", "chars", "problem"), row, strict=True)
    return Indexed(connection=connection, **dict(fields))


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
    # Outside a transaction a savepoint is one of its own; inside, part of the caller's.
    connection.execute("SAVEPOINT playbook_index")
    try:
        _make_tables(connection)
        _drop(connection, "path = ?", key[0])
        made = _insert(connection, key, read)
        # Projects come and go: the oldest indexes are dropped; a playbook in use is soon indexed again.
        old = "id IN (SELECT id FROM playbook_files ORDER BY id DESC LIMIT -1 OFFSET ?)"
        _drop(connection, old, _FORGET_AFTER_FILES)
    except BaseException:
        connection.execute("ROLLBACK TO playbook_index")
        raise
    finally:
        connection.execute("RELEASE playbook_index")
    return made


def _make_tables(connection: sqlite3.Connection) -> None:
    """The tables in this form; others are dropped, since the files they were made from are still there."""
    sql = "SELECT sql FROM sqlite_schema WHERE name = 'playbook_files'"
    stored = connection.execute(sql).fetchone()
    if stored is not None and _FILES not in stored[0]:
        for table in ("playbook_files", "playbook_points", "playbook_lines"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    connection.execute(f"CREATE TABLE IF NOT EXISTS playbook_files ({_FILES})")
    connection.execute(f"CREATE TABLE IF NOT EXISTS playbook_points ({_POINTS}) WITHOUT ROWID")


def _insert(connection: sqlite3.Connection, key: Key, read: Read) -> Indexed:
    from ace_reflect.playbook.model import counters, track_record
    from ace_reflect.playbook.neutral import neutral_id
    from ace_reflect.playbook.render import render_line

    shown, problem = read
    lines = [render_line(point) for _, point in shown]
    fields: dict[str, Any] = {"points": len(shown), "chars": sum(map(len, lines))}
    fields["problem"] = problem
    file = connection.execute(
        "INSERT INTO playbook_files (path, identity, points, chars, problem) VALUES (?, ?, ?, ?, ?)",
        (*key, fields["points"], fields["chars"], _storable(problem)),
    ).lastrowid
    rows, words = [], []
    for at, (section, point) in enumerate(shown, start=1):
        name, track = neutral_id(point["name"]), track_record(*counters(point))
        rows.append((file, at, name, _storable(section), track, lines[at - 1]))
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
    return Indexed(connection=connection, id=file or 0, **fields)


def _drop(connection: sqlite3.Connection, condition: str, parameter: object) -> None:
    found = f"SELECT id FROM playbook_files WHERE {condition}"  # noqa: S608 - our own words
    for (file,) in connection.execute(found, (parameter,)).fetchall():
        connection.execute(f"DROP TABLE IF EXISTS playbook_words_{file}")
        connection.execute("DELETE FROM playbook_points WHERE file = ?", (file,))
        connection.execute("DELETE FROM playbook_files WHERE id = ?", (file,))


def _storable(text: str) -> str:
    """SQLite's text is UTF-8, which cannot hold the lone surrogates of an undecodable file name."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
