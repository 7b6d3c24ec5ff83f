"""
`state.db`: what is remembered between two events. SQLite in WAL mode, opened by every hook.

`open_state` gives a `State`, one connection with a few verbs; what a table means stands in the modules beside this one,
as functions that take the state first.
"""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self, TypeVar

from ace_reflect import paths
from ace_reflect.errors import StateError
from ace_reflect.values import Value

Row = tuple[Any, ...]
Record = TypeVar("Record", bound=Value)

#: The number of migrations in `schema.MIGRATIONS`; a test holds the two together. Hooks do not import the schema.
VERSION = 2

#: (table, condition on ?1 = the time before which a row is old, days). Votes, changes and turns stay: each is a reason on
#: record, and a turn that is forgotten would count again.
_OLD = (
    ("cache", "kind IN ('claim', 'decision') AND at < ?1", 2),
    ("ledgers", "at < ?1", 21),  # should the session go on after that, its transcript is read again
    ("cache", "at < ?1", 90),
    ("injected", "at < ?1", 180),
    ("prompts", "at < ?1", 180),
    ("jobs", "state = 'done' AND finished_at < ?1", 30),
    ("usage", "at < ?1", 400),
    ("inbox", "state = 'accepted' AND decided_at < ?1", 400),
    ("sessions", "seen_at < ?1", 400),
)


class State:
    """One connection to `state.db`. Not for use across threads or a fork."""

    def __init__(self, home_dir: str, connection: sqlite3.Connection) -> None:
        self.home_dir = home_dir
        self.connection = connection

    def one(self, sql: str, parameters: Iterable[Any] = ()) -> Row | None:
        """The first row, or None."""
        row: Row | None = self._do(sql, parameters).fetchone()
        return row

    def value(self, sql: str, parameters: Iterable[Any] = ()) -> Any:
        """The first column of the first row; None where there is no row."""
        row = self.one(sql, parameters)
        return None if row is None else row[0]

    def all(self, sql: str, parameters: Iterable[Any] = ()) -> list[Row]:
        return self._do(sql, parameters).fetchall()

    def column(self, sql: str, parameters: Iterable[Any] = ()) -> list[Any]:
        """The first column of all rows."""
        return [row[0] for row in self._do(sql, parameters)]

    def rows(self, sql: str, parameters: Iterable[Any] = ()) -> list[dict[str, Any]]:
        """All rows, each by the names of its columns."""
        cursor = self._do(sql, parameters)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def records(self, kind: type[Record], sql: str, parameters: Iterable[Any] = ()) -> list[Record]:
        """Rows as records; `sql` begins at FROM, and the columns are named as the record's fields."""
        found = self.rows(f"SELECT {', '.join(kind._fields)} {sql}", parameters)
        flags = [name for name, hint in kind._fields.items() if hint is bool]
        return [kind(**row | {name: bool(row[name]) for name in flags}) for row in found]

    def record(self, kind: type[Record], sql: str, parameters: Iterable[Any] = ()) -> Record | None:
        """The first of them, or None."""
        return next(iter(self.records(kind, sql, parameters)), None)

    def run(self, sql: str, parameters: Iterable[Any] = ()) -> int:
        """Write one statement; the number of rows it touched."""
        return self._do(sql, parameters).rowcount

    def insert(self, table: str, row: Mapping[str, Any], conflict: str = "") -> int:
        """Write a row, by column; its rowid. `conflict`: "OR REPLACE" or "OR IGNORE"."""
        places = ", ".join("?" * len(row))
        sql = f"INSERT {conflict} INTO {table} ({', '.join(row)}) VALUES ({places})"  # noqa: S608 - our own names
        return self._do(sql, row.values()).lastrowid or 0

    def _do(self, sql: str, parameters: Iterable[Any]) -> sqlite3.Cursor:
        given = tuple(parameters)
        try:
            return self.connection.execute(sql, given)
        except UnicodeEncodeError:  # a folder named in another encoding: SQLite's text is UTF-8
            return self.connection.execute(sql, tuple(map(_storable, given)))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Takes the write lock at once, commits at the end, rolls back on an exception. Nests."""
        if self.connection.in_transaction:
            yield
            return
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_state(home_dir: str, *, wait_s: float = 2.0, durable: bool = False) -> State:
    """
    The state of `<home_dir>/state.db`, made or migrated where needed.

    `wait_s` bounds the wait for another writer. `durable` syncs every commit to the disk: what the learning worker
    needs, for its intents must stand before the playbook changes; a hook's rows may be lost in a power cut.

    A corrupt file is set aside as `state.db.corrupt-<time>` and a new one is made.
    Raises StateError for a newer version, a folder that cannot be written, or a lock that is not had in time.
    """
    try:
        try:
            return _opened(home_dir, wait_s, durable=durable)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            set_aside(home_dir, wait_s=wait_s)
            return _opened(home_dir, wait_s, durable=durable)
    except (sqlite3.Error, OSError) as error:
        raise StateError(
            f"{paths.state_db(home_dir)} cannot be used: {error}; mend that, or name another folder in ACE_REFLECT_HOME"
        ) from error


def set_aside(home_dir: str, *, wait_s: float = 2.0) -> str | None:
    """Move a corrupt `state.db` out of the way, never over anything; the new name, or None where the file is sound."""
    path = paths.state_db(home_dir)
    with _making(home_dir, wait_s):
        if not os.path.exists(path) or not _is_corrupt(path):  # another process was quicker
            return None
        aside = f"{path}.corrupt-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}"
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(path + suffix):
                os.rename(path + suffix, aside + suffix)
    from ace_reflect import log

    log.write(home_dir, "state-set-aside", corrupt=os.path.basename(aside))
    return aside


def _opened(home_dir: str, wait_s: float, *, durable: bool) -> State:
    path = paths.state_db(home_dir)
    if not os.path.exists(path):
        paths.make_folder(home_dir)
        # SQLite gives its -wal and -shm files the mode of the database: nobody else may read any of them.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    connection = _connect(path, wait_s)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version < VERSION:
            _migrate(connection, home_dir, wait_s)
        elif version > VERSION:
            raise StateError(  # noqa: TRY301 - the connection is closed on the way out
                f"{path} was written by a newer ace-reflect (version {version}, this one knows {VERSION}): update ace-reflect"
            )
        connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        if durable:
            connection.execute("PRAGMA fullfsync=1")  # else macOS leaves it in the disk's own cache
        # Hooks leave the log behind, and whoever opens next reads all of it: a quarter of SQLite's default.
        connection.execute("PRAGMA wal_autocheckpoint=256")
    except BaseException:
        connection.close()
        raise
    return State(home_dir, connection)


def _connect(path: str, wait_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=wait_s, isolation_level=None, check_same_thread=False
    )
    # A lone surrogate that came in through a JSON escape is no UTF-8: it must not break every later read of its row.
    connection.text_factory = _text
    return connection


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _storable(value: Any) -> Any:
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _migrate(connection: sqlite3.Connection, home_dir: str, wait_s: float) -> None:
    """Run the migrations that are missing, one process at a time."""
    from ace_reflect.state.schema import MIGRATIONS

    with _making(home_dir, wait_s):
        connection.execute("PRAGMA journal_mode=WAL")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version={number};\nCOMMIT;"
            )


def _is_corrupt(path: str) -> bool:
    connection = _connect(path, 1.0)
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
    except sqlite3.OperationalError:
        return False  # locked or unreadable is not corrupt
    except sqlite3.DatabaseError:
        return True
    finally:
        connection.close()


def _making(home_dir: str, wait_s: float) -> Any:
    """The lock on making, migrating and setting aside; the kernel lets go of it when its process dies."""
    from filelock import FileLock

    return FileLock(os.path.join(home_dir, "state.lock"), timeout=wait_s, mode=0o600)


def prune(state: State, *, now: float | None = None) -> None:
    """Delete what is old. The worker calls it."""
    now = time.time() if now is None else now
    with state.transaction():
        for table, condition, days in _OLD:
            state.run(f"DELETE FROM {table} WHERE {condition}", (now - days * 86_400.0,))  # noqa: S608 - our own tables
