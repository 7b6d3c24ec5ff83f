"""
`state.db`: what is remembered between two events. SQLite in WAL mode, opened by every hook.

`open_state` gives a `State`, a thin hand on one connection; the tables' own verbs stand in the modules beside this one
(`claims`, `sessions`, `prompts`, `jobs`, `record` …), each a handful of functions that take the state first. Hooks
import only what they use: SQLite is the one heavy import here.
"""

import os
import sqlite3
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from ace_reflect import paths
from ace_reflect.errors import StateError

Row = tuple[Any, ...]

#: The number of migrations in `schema.MIGRATIONS`; a test holds the two together. Hooks do not import the schema.
VERSION = 2


class State:
    """One connection to `state.db`. Not for use across threads or a fork."""

    __slots__ = ("_depth", "connection", "home_dir")

    def __init__(self, home_dir: str, connection: sqlite3.Connection) -> None:
        self.home_dir = home_dir
        self.connection = connection
        self._depth = 0

    def one(self, sql: str, parameters: Iterable[Any] = ()) -> Row | None:
        """The first row, or None."""
        row: Row | None = self._do(sql, parameters).fetchone()
        return row

    def all(self, sql: str, parameters: Iterable[Any] = ()) -> list[Row]:
        return self._do(sql, parameters).fetchall()

    def run(self, sql: str, parameters: Iterable[Any] = ()) -> int:
        """Write one statement; the number of rows it touched."""
        return self._do(sql, parameters).rowcount

    def insert(self, sql: str, parameters: Iterable[Any]) -> int:
        """Write one row; its rowid."""
        return self._do(sql, parameters).lastrowid or 0

    def _do(self, sql: str, parameters: Iterable[Any]) -> sqlite3.Cursor:
        try:
            return self.connection.execute(sql, tuple(parameters))
        except UnicodeEncodeError:  # a folder named in another encoding: no text of SQLite's
            return self.connection.execute(sql, tuple(map(storable, parameters)))

    def transaction(self) -> "_Transaction":
        """`with state.transaction():` takes the write lock at once, commits at the end, rolls back on an exception. Nests."""
        return _Transaction(self)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Transaction:
    """Written out because `contextlib` costs a hook more than the transaction does."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def __enter__(self) -> None:
        if self._state._depth == 0:  # noqa: SLF001 - the other half of the same class
            self._state.connection.execute("BEGIN IMMEDIATE")
        self._state._depth += 1  # noqa: SLF001

    def __exit__(
        self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        self._state._depth -= 1  # noqa: SLF001
        if self._state._depth == 0 and self._state.connection.in_transaction:  # noqa: SLF001
            self._state.connection.execute("COMMIT" if kind is None else "ROLLBACK")


_WAY_OUT = "mend that, or name another folder in ACE_REFLECT_HOME"


def open_state(home_dir: str, *, wait_s: float = 2.0, durable: bool = False) -> State:
    """
    The state of `<home_dir>/state.db`, made or migrated where needed.

    `wait_s` bounds the wait for another writer. `durable` syncs every commit to the disk: what the learning worker
    needs, for its intents must stand before the playbook changes; a hook's rows may be lost in a power cut.

    A corrupt file is set aside as `state.db.corrupt-<time>` and a new one is made.
    Raises StateError for a newer version, a folder that cannot be written, or a lock that is not had in time.
    """
    path = paths.state_db(home_dir)
    try:
        if not os.path.exists(path) or os.path.getsize(path) == 0:
            _prepare(home_dir, path, wait_s)
        return _opened(home_dir, path, wait_s, durable=durable)
    except sqlite3.OperationalError as error:
        raise StateError(f"{path} cannot be used: {error}; {_WAY_OUT}") from error
    except sqlite3.DatabaseError:
        set_aside(home_dir, wait_s=wait_s)
    except OSError as error:
        raise StateError(f"{path} cannot be made: {error.strerror or error}; {_WAY_OUT}") from error
    try:
        _prepare(home_dir, path, wait_s)
        return _opened(home_dir, path, wait_s, durable=durable)
    except (sqlite3.Error, OSError) as error:
        raise StateError(f"{path} cannot be used: {error}; {_WAY_OUT}") from error


def set_aside(home_dir: str, *, wait_s: float = 2.0) -> str | None:
    """Move a corrupt `state.db` out of the way, never over anything; the new name, or None where the file is sound."""
    path = paths.state_db(home_dir)
    with _MakingLock(home_dir, wait_s):
        if not _is_corrupt(path):  # another process was quicker
            return None
        aside = f"{path}.corrupt-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}"
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(path + suffix):
                os.rename(path + suffix, aside + suffix)
    from ace_reflect import log

    log.write(home_dir, "state-set-aside", corrupt=os.path.basename(aside))
    return aside


def _opened(home_dir: str, path: str, wait_s: float, *, durable: bool) -> State:
    connection = _connect(path, wait_s)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version < VERSION:
            connection.close()
            _prepare(home_dir, path, wait_s)
            connection = _connect(path, wait_s)
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


def storable(value: Any) -> Any:
    """A text without the lone surrogates of an undecodable file name, which SQLite's UTF-8 has no place for."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _prepare(home_dir: str, path: str, wait_s: float) -> None:
    """Make the folder, the file and its tables, or run the migrations that are missing; one process at a time."""
    from ace_reflect.state.schema import MIGRATIONS

    paths.make_folder(home_dir)
    with _MakingLock(home_dir, wait_s):
        # SQLite gives its -wal and -shm files the mode of the database: nobody else may read any of them.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = _connect(path, wait_s)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
                connection.executescript(
                    f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version={number};\nCOMMIT;"
                )
        finally:
            connection.close()


def _is_corrupt(path: str) -> bool:
    if not os.path.exists(path):
        return False
    connection = _connect(path, 1.0)
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
    except sqlite3.OperationalError:
        return False  # locked or unreadable is not corrupt
    except sqlite3.DatabaseError:
        return True
    finally:
        connection.close()


class _MakingLock:
    """Held while the file is made, migrated or set aside. The kernel lets go of it when the process dies."""

    def __init__(self, home_dir: str, wait_s: float) -> None:
        self._path = os.path.join(home_dir, "state.lock")
        self._wait_s = wait_s
        self._descriptor = -1

    def __enter__(self) -> None:
        import fcntl

        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        give_up_at = time.monotonic() + self._wait_s
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if time.monotonic() > give_up_at:
                    os.close(self._descriptor)
                    raise StateError(
                        f"{self._path} was held by another process for {self._wait_s:g} s"
                    ) from error
                time.sleep(0.005)
            else:
                return

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
