"""
What a prompt's hook needs to know of a playbook, kept in SQLite by the file's identity.

The hook that finds a playbook changed makes its index anew, once; that is the one time it parses JSON. Every later
prompt reads ready lines. Nothing heavy is imported at the top: every UserPromptSubmit comes by here.
"""

import os
import sqlite3

from ace_reflect.playbook.model import Playbook

Row = tuple[int, str, int, str, int, int, str]

#: Raised whenever the lines' form or the tables change: an index of another form counts as out of date.
FORM = 2
#: Above this many UTF-16 units no budget takes a playbook whole, and its text is not kept in one piece.
MAX_WHOLE = 65_536
_FORGET_AFTER_FILES = 64

_POINTS = """file INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, section TEXT NOT NULL,
  units INTEGER NOT NULL, track REAL NOT NULL, PRIMARY KEY (file, position)"""
_TABLES = f"""
CREATE TABLE IF NOT EXISTS playbook_files (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, identity TEXT NOT NULL, points INTEGER NOT NULL,
  whole TEXT NOT NULL, units INTEGER NOT NULL, searchable INTEGER NOT NULL, problem TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS playbook_points (
  {_POINTS}
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS playbook_lines (
  file INTEGER NOT NULL, position INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (file, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS playbook_points_by_track ON playbook_points (file, track DESC, position);
"""
_COLUMNS = "id, identity, points, whole, units, searchable, problem"
_TO_SPACE = {code: " " for code in range(128) if not chr(code).isalnum()}


class Indexed:
    """One playbook's row: `whole` is its text where that is small enough, `problem` why it could not be read."""

    __slots__ = (
        "connection",
        "id",
        "path",
        "points",
        "problem",
        "searchable",
        "units",
        "users_own",
        "whole",
    )

    def __init__(self, connection: sqlite3.Connection, path: str, floor: int, row: Row) -> None:
        self.connection = connection
        self.path = path
        self.users_own = floor > 0
        self.id, _, self.points, self.whole, self.units, searchable, self.problem = row
        self.searchable = bool(searchable)

    @property
    def words(self) -> str:
        """The name of its full-text table."""
        return f"playbook_words_{self.id}"


def indexed(connection: sqlite3.Connection, path: str, *, floor: int = 0) -> Indexed:
    """
    The index of the playbook at `path`, made anew where the file is another than the one it was made from.

    Where `connection` cannot be written (read-only, full, locked for too long) the index is made in memory.
    """
    path = os.path.realpath(path)
    identity = identity_of(path)
    row = _row(connection, path)
    if row is not None and row[1] == identity:
        return Indexed(connection, path, floor, row)
    playbook, problem = _read(path, floor)
    for place in (connection, None):
        try:
            target = place or sqlite3.connect(":memory:", isolation_level=None)
            _write(target, path, identity, playbook, problem)
            made = _row(target, path)
            if made is not None:
                return Indexed(target, path, floor, made)
        except sqlite3.Error:
            if place is None:
                raise
    raise AssertionError("an index in memory can always be made")


def known_problem(connection: sqlite3.Connection, path: str) -> str:
    """Why the playbook at `path` cannot be read, as its index says; "" where it can be, or has changed since."""
    path = os.path.realpath(path)
    row = _row(connection, path)
    return row[6] if row is not None and row[6] and row[1] == identity_of(path) else ""


def identity_of(path: str) -> str:
    """Device, inode, size and time of change; "" where there is no file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return f"{FORM}:"
    return f"{FORM}:{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}"


def searchable_text(text: str) -> str:
    """
    The words of a text as both sides of a search see them: punctuation apart, `camelCase` also in its parts, and
    scripts without spaces as pairs of letters.
    """
    found: list[str] = []
    for word in text.translate(_TO_SPACE).split():
        found.append(word)
        if word.isascii():
            if not (word.islower() or word.isupper() or word[1:].islower()):
                found += _humps(word)
        elif any(
            "\u2e80" <= character <= "\ud7ff" or "\uf900" <= character <= "\ufaff"
            for character in word
        ):
            found += [word[at : at + 2] for at in range(len(word) - 1)]
            latin = "".join(character if character.isascii() else " " for character in word)
            if (
                not latin.isspace()
            ):  # a name stands without a space before what these scripts put behind it
                found.append(searchable_text(latin))
    return " ".join(found)


def _humps(word: str) -> list[str]:
    """`runTests` -> run, Tests; `HTTPServer` -> HTTP, Server."""
    parts: list[str] = []
    start = 0
    for at in range(1, len(word)):
        after_small = word[at].isupper() and not word[at - 1].isupper()
        before_small = word[at].isupper() and word[at + 1 : at + 2].islower()
        if after_small or before_small:
            parts.append(word[start:at])
            start = at
    return [*parts, word[start:]] if parts else []


def _row(connection: sqlite3.Connection, path: str) -> Row | None:

    try:
        row: Row | None = connection.execute(
            f"SELECT {_COLUMNS} FROM playbook_files WHERE path = ?",  # noqa: S608 - column names of our own
            (_storable(path),),
        ).fetchone()
    except sqlite3.Error:  # no such table yet
        return None
    return row


def _read(path: str, floor: int) -> tuple[Playbook | None, str]:
    """The playbook, or None with the problem. A reader changes nothing: setting aside is the writers' business."""
    from ace_reflect.errors import PlaybookError
    from ace_reflect.playbook.plain_file import read_bytes
    from ace_reflect.playbook.read import parse_playbook

    try:
        data = read_bytes(path)
        return (parse_playbook(data, floor=floor).playbook if data is not None else None), ""
    except PlaybookError as fault:
        problem = str(fault)
        return None, problem if path in problem else f"{path} is no playbook: {problem}"


def _write(
    connection: sqlite3.Connection,
    path: str,
    identity: str,
    playbook: Playbook | None,
    problem: str,
) -> None:
    """Replace a playbook's index, whole or not at all."""
    # A savepoint is a transaction of its own outside of one, and part of the caller's inside.
    connection.execute("SAVEPOINT playbook_index")
    try:
        _make_tables(connection)
        _drop(connection, "path = ?", (_storable(path),))
        _insert(connection, _storable(path), identity, playbook, problem)
        _forget_old(connection)
    except BaseException:
        connection.execute("ROLLBACK TO playbook_index")
        connection.execute("RELEASE playbook_index")
        raise
    connection.execute("RELEASE playbook_index")


def _make_tables(connection: sqlite3.Connection) -> None:
    """The tables of this form; those of another are dropped, for an index is made of files that are still there."""
    stored = connection.execute(
        "SELECT sql FROM sqlite_schema WHERE name = 'playbook_points'"
    ).fetchone()
    if stored is not None and _POINTS not in stored[0]:
        for table in ("playbook_files", "playbook_points", "playbook_lines"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _TABLES.split(";\n"):
        connection.execute(statement)


def _insert(
    connection: sqlite3.Connection,
    path: str,
    identity: str,
    playbook: Playbook | None,
    problem: str,
) -> None:
    from ace_reflect.playbook.model import counters, key_points, track_record
    from ace_reflect.playbook.neutral import neutral_id
    from ace_reflect.playbook.render import has_text, join_sections, render_line, utf16_units

    shown = [(section, point) for section, point in key_points(playbook) if has_text(point)]
    lines = [(section, render_line(point)) for section, point in shown]
    whole = join_sections(lines)
    units = utf16_units(whole)
    file = connection.execute(
        "INSERT INTO playbook_files (path, identity, points, whole, units, searchable, problem) VALUES (?, ?, ?, ?, ?, 0, ?)",
        (
            path,
            identity,
            len(lines),
            whole if units <= MAX_WHOLE else "",
            units,
            _storable(problem),
        ),
    ).lastrowid
    rows = list(enumerate(zip(lines, shown, strict=True), start=1))
    connection.executemany(
        "INSERT INTO playbook_points VALUES (?, ?, ?, ?, ?, ?)",
        (
            (
                file,
                at,
                neutral_id(point["name"]),
                _storable(section),
                utf16_units(line),
                track_record(*counters(point)),
            )
            for at, ((section, line), (_, point)) in rows
        ),
    )
    connection.executemany(
        "INSERT INTO playbook_lines VALUES (?, ?, ?)",
        ((file, at, line) for at, ((_, line), _) in rows),
    )
    texts = ((at, searchable_text(_storable(point["text"]))) for at, (_, (_, point)) in rows)
    _insert_words(connection, file, texts)


def _insert_words(connection: sqlite3.Connection, file: int | None, texts: object) -> None:
    """The full-text table, where this SQLite has FTS5; without it key points are found by plain comparison."""
    connection.execute(f"DROP TABLE IF EXISTS playbook_words_{file}")
    try:
        connection.execute(
            f"CREATE VIRTUAL TABLE playbook_words_{file} USING fts5(words, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
    except sqlite3.OperationalError as fault:
        if "fts5" in str(fault):
            return
        raise
    connection.executemany(f"INSERT INTO playbook_words_{file} (rowid, words) VALUES (?, ?)", texts)  # type: ignore[arg-type] # noqa: S608 - a number
    connection.execute("UPDATE playbook_files SET searchable = 1 WHERE id = ?", (file,))


def _drop(connection: sqlite3.Connection, condition: str, parameters: tuple[object, ...]) -> None:
    for (file,) in connection.execute(
        f"SELECT id FROM playbook_files WHERE {condition}",  # noqa: S608 - our own words
        parameters,
    ).fetchall():
        connection.execute(f"DROP TABLE IF EXISTS playbook_words_{file}")
        connection.execute("DELETE FROM playbook_points WHERE file = ?", (file,))
        connection.execute("DELETE FROM playbook_lines WHERE file = ?", (file,))
        connection.execute("DELETE FROM playbook_files WHERE id = ?", (file,))


def _forget_old(connection: sqlite3.Connection) -> None:
    """Projects come and go: the indexes made longest ago are dropped; a playbook in use is soon indexed again."""
    _drop(
        connection,
        "id IN (SELECT id FROM playbook_files ORDER BY id DESC LIMIT -1 OFFSET ?)",
        (_FORGET_AFTER_FILES,),
    )


def _storable(text: str) -> str:
    """SQLite's text is UTF-8, which has no place for the lone surrogates of an undecodable file name."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
