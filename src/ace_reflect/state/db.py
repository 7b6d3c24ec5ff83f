"""`state.db`: what is remembered between two events. SQLite in WAL mode, opened by every hook.

`open_state` gives a `State`, one connection with a few verbs; what a table means stands in the modules beside this one,
as functions that take the state first.
"""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, Self, TypeVar

from ace_reflect import log, paths
from ace_reflect.errors import StateError
from ace_reflect.values import Value

Row = tuple[Any, ...]
Record = TypeVar("Record", bound=Value)

NAME, VERSION = "state.db", 3  # of the tables
#: Made where they are missing: earlier versions had fewer. Data outlives code: from the first release on a table is changed by a
#: script of its own. Times are seconds since 1970. JSON stands in TEXT columns, so that SQLite's own functions can read it.
_TABLES = """
CREATE TABLE IF NOT EXISTS sessions (
  id TEXT PRIMARY KEY, project TEXT NOT NULL DEFAULT '', transcript TEXT NOT NULL DEFAULT '', process TEXT NOT NULL DEFAULT '',
  started_at REAL NOT NULL, seen_at REAL NOT NULL, ended_at REAL, skipped_at REAL,
  learned_size INTEGER NOT NULL DEFAULT 0    -- bytes of the transcript when it was last learned from to its end
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS prompts (
  id INTEGER PRIMARY KEY, session TEXT NOT NULL, prompt_id TEXT, at REAL NOT NULL, text TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, end_state TEXT NOT NULL DEFAULT ''  -- of its last stop
);
CREATE UNIQUE INDEX IF NOT EXISTS prompts_once ON prompts (session, prompt_id);

CREATE TABLE IF NOT EXISTS injected (
  session TEXT NOT NULL, playbook TEXT NOT NULL, key_point TEXT NOT NULL, at REAL NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0,           -- compacted away: may be injected again, and a citation before still counts
  PRIMARY KEY (session, playbook, key_point)
) WITHOUT ROWID;

-- gates that are only notes in a project: given up in three of its sessions in a row; told: when a session's start said so
CREATE TABLE IF NOT EXISTS notes (project TEXT NOT NULL, gate TEXT NOT NULL, at REAL NOT NULL, told_at REAL, PRIMARY KEY (project, gate)) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS jobs (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, session TEXT NOT NULL, project TEXT NOT NULL, transcript TEXT NOT NULL,
  reason TEXT NOT NULL,                      -- session_end, pre_compact, sweep, person
  final INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'queued',  -- queued, running, done, set-aside
  tries INTEGER NOT NULL DEFAULT 0, created_at REAL NOT NULL, not_before REAL NOT NULL DEFAULT 0,
  finished_at REAL, error TEXT, outcome TEXT
);
-- a second event for the same transcript joins the job that waits
CREATE UNIQUE INDEX IF NOT EXISTS jobs_waiting ON jobs (kind, transcript) WHERE state = 'queued';

-- a turn counts once in a playbook, whatever event, session, fork or retry brings it
CREATE TABLE IF NOT EXISTS turns (
  key TEXT NOT NULL, playbook TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL,
  mode TEXT NOT NULL DEFAULT '', intent INTEGER, undone_at REAL, PRIMARY KEY (key, playbook)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS votes (
  id INTEGER PRIMARY KEY, playbook TEXT NOT NULL, key_point TEXT NOT NULL, tag TEXT NOT NULL,
  counted INTEGER NOT NULL,                  -- whether a counter was moved
  rationale TEXT NOT NULL DEFAULT '', based_on TEXT NOT NULL DEFAULT '',
  grounded INTEGER NOT NULL DEFAULT 0, evidence TEXT NOT NULL DEFAULT '[]',
  session TEXT NOT NULL DEFAULT '', turn TEXT NOT NULL DEFAULT '', mode TEXT NOT NULL DEFAULT '',
  at REAL NOT NULL, intent INTEGER, undone_at REAL
);
CREATE INDEX IF NOT EXISTS votes_by_key_point ON votes (playbook, key_point, id);

CREATE TABLE IF NOT EXISTS changes (
  id INTEGER PRIMARY KEY, playbook TEXT NOT NULL, op TEXT NOT NULL,
  key_point TEXT NOT NULL DEFAULT '', before TEXT, after TEXT,
  actor TEXT NOT NULL DEFAULT '',            -- curator, offline, person, dedup, prune
  reason TEXT NOT NULL DEFAULT '', source TEXT NOT NULL DEFAULT '',  -- user, outcome, read
  evidence TEXT NOT NULL DEFAULT '[]', session TEXT NOT NULL DEFAULT '',
  at REAL NOT NULL, intent INTEGER, undone_at REAL
);
CREATE INDEX IF NOT EXISTS changes_by_key_point ON changes (playbook, key_point, id);

-- a change of a playbook that was begun: committed before the file is replaced, closed after
CREATE TABLE IF NOT EXISTS intents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,      -- never given twice: votes and changes refer to it after it is gone
  playbook TEXT NOT NULL, hash_before TEXT NOT NULL, hash_after TEXT NOT NULL,
  content TEXT NOT NULL,                     -- the file as it is to be: a kill in between is rolled forward
  rows TEXT NOT NULL,                        -- JSON of `record.Rows`: become real when the file is
  session TEXT NOT NULL DEFAULT '', at REAL NOT NULL
);

CREATE TABLE IF NOT EXISTS numbers (playbook TEXT NOT NULL, slug TEXT NOT NULL, highest INTEGER NOT NULL, PRIMARY KEY (playbook, slug)) WITHOUT ROWID;
-- migrated key points without a vote under the new rules
CREATE TABLE IF NOT EXISTS protected (playbook TEXT NOT NULL, key_point TEXT NOT NULL, PRIMARY KEY (playbook, key_point)) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS inbox (
  id INTEGER PRIMARY KEY, playbook TEXT NOT NULL, section TEXT NOT NULL, text TEXT NOT NULL,
  source TEXT NOT NULL, quote TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '', session TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'waiting',     -- waiting, accepted, rejected, dropped
  at REAL NOT NULL, decided_at REAL, key_point TEXT, operation TEXT
);
-- each time that what waits was said; the key's columns stand first, or SQLite 3.40's quick_check finds the table broken
CREATE TABLE IF NOT EXISTS heard (
  item INTEGER NOT NULL, session TEXT NOT NULL, quote TEXT NOT NULL, day TEXT NOT NULL, PRIMARY KEY (item, session, quote)
) WITHOUT ROWID;
INSERT OR IGNORE INTO heard SELECT id, session, quote, date(at, 'unixepoch') FROM inbox WHERE id NOT IN (SELECT item FROM heard);

-- what a session's stops have read and came to, a model's answers, a project's facts, the settings, what the person trusts
CREATE TABLE IF NOT EXISTS cache (
  kind TEXT NOT NULL, key TEXT NOT NULL, identity TEXT NOT NULL, value BLOB NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS usage (
  id INTEGER PRIMARY KEY, at REAL NOT NULL, day TEXT NOT NULL, session TEXT NOT NULL DEFAULT '', role TEXT NOT NULL,
  model TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cost_usd REAL
);
CREATE INDEX IF NOT EXISTS usage_by_day ON usage (day);
"""

#: (table, condition on ?1 = the time before which a row is old, days). What is not named here stays: a vote is a reason on
#: record, and a turn that is forgotten would count again.
_OLD = (
    ("cache", "kind IN ('claim', 'decision') AND at < ?1", 2),
    ("cache", "kind = 'ledger' AND at < ?1", 21),  # after that the transcript is read again
    ("cache", "kind NOT IN ('trust', 'lost') AND at < ?1", 90),
    ("jobs", "state = 'done' AND finished_at < ?1", 30),
    ("injected", "at < ?1", 180),
    ("prompts", "at < ?1", 180),
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
        """The first column of the first row; None if there is no row."""
        return (self.one(sql, parameters) or (None,))[0]

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
        return [kind(**row) for row in found]

    def record(self, kind: type[Record], sql: str, parameters: Iterable[Any] = ()) -> Record | None:
        """The first of them, or None."""
        return next(iter(self.records(kind, sql, parameters)), None)

    def run(self, sql: str, parameters: Iterable[Any] = ()) -> int:
        """Run one writing statement; returns the number of rows it touched."""
        return self._do(sql, parameters).rowcount

    def insert(self, table: str, row: Mapping[str, Any], conflict: str = "") -> int:
        """Write a row, by column; its rowid. `conflict`: "OR REPLACE" or "OR IGNORE"."""
        places = ", ".join("?" * len(row))
        sql = f"INSERT {conflict} INTO {table} ({', '.join(row)}) VALUES ({places})"  # noqa: S608 - our own names
        return self._do(sql, row.values()).lastrowid or 0

    def _do(self, sql: str, parameters: Iterable[Any]) -> sqlite3.Cursor:
        return self.connection.execute(sql, tuple(map(_storable, parameters)))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Takes the write lock at once, commits at the end, rolls back on an exception. Nests."""
        if self.connection.in_transaction:
            yield
            return
        self.connection.execute("BEGIN IMMEDIATE")
        with self.connection:
            yield

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_state(
    home_dir: str, *, wait_s: float = 2.0, durable: bool = False, whole: bool = True
) -> State:
    """The state of `<home_dir>/state.db`, made or migrated where needed.

    `wait_s` bounds the wait for another writer. `durable` syncs every commit to the disk: what the learning worker
    needs, for its intents must stand before the playbook changes; a hook's rows may be lost in a power cut. `whole` looks
    at every page first, for which a hook has no time. A corrupt file is set aside as `state.db.corrupt-<time>` and a new
    one is made.
    Raises StateError for a newer version, a folder that cannot be written, or a lock that is not had in time.
    """
    try:
        try:
            return _opened(home_dir, wait_s, durable=durable, whole=whole)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            set_aside(home_dir, wait_s=wait_s)
            return _opened(home_dir, wait_s, durable=durable)
    except (sqlite3.Error, OSError) as error:
        raise StateError(
            f"{os.path.join(home_dir, NAME)} cannot be used: {error}; fix that, or name another folder in ACE_REFLECT_HOME"
        ) from error


def open_for_command() -> State:
    """`state.db` for a person: waits as long as one would, and syncs before a playbook changes. Raises StateError."""
    return open_state(paths.home(os.environ), durable=True, wait_s=10.0)


def set_aside(home_dir: str, *, wait_s: float = 2.0) -> None:
    """Move a corrupt `state.db` out of the way, never over anything; one that is sound stays."""
    path = os.path.join(home_dir, NAME)
    with _making(home_dir, wait_s):
        if not os.path.exists(path) or not _is_corrupt(path):  # another process was faster
            return
        aside = f"{path}.corrupt-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}"
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(path + suffix):
                os.rename(path + suffix, aside + suffix)
    log.write(home_dir, "state-set-aside", corrupt=os.path.basename(aside))


def _opened(home_dir: str, wait_s: float, *, durable: bool, whole: bool = False) -> State:
    path = os.path.join(home_dir, NAME)
    if not os.path.exists(path):
        paths.make_folder(home_dir)
        # SQLite gives its -wal and -shm files the mode of the database: nobody else may read any of them.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    connection = _connect(path, wait_s)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if whole and connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("a page of it is broken")  # noqa: TRY301
        if version < VERSION or (whole and version == VERSION and _lacks_a_table(connection)):
            _make_tables(connection, home_dir, wait_s)
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


def _lacks_a_table(connection: sqlite3.Connection) -> bool:
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    return not found.issuperset(each.split()[0] for each in _TABLES.split(" NOT EXISTS ")[1:])


def _make_tables(connection: sqlite3.Connection, home_dir: str, wait_s: float) -> None:
    """What is missing, one process at a time; what another has made stays."""
    with _making(home_dir, wait_s):
        connection.execute("PRAGMA journal_mode=WAL")
        # Where playbooks were changed, but by nothing that is known here, no turn from before is counted once more.
        known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'turns'").fetchone()
        lost = not known and os.path.isdir(os.path.join(home_dir, "history"))
        note = f"REPLACE INTO cache VALUES ('lost', '', '', x'', {time.time()});" if lost else ""  # noqa: S608
        made = f"{note}\nPRAGMA user_version={VERSION};"
        connection.executescript(f"BEGIN IMMEDIATE;\n{_TABLES}\n{made}\nCOMMIT;")


def _connect(path: str, wait_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=wait_s, isolation_level=None, check_same_thread=False
    )
    # A lone surrogate that came in through a JSON escape is no UTF-8: it must not break every later read of its row.
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def _storable(value: Any) -> Any:
    """SQLite's text is UTF-8; a folder may be named in another encoding."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _is_corrupt(path: str) -> bool:
    try:
        with closing(_connect(path, 1.0)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
    except sqlite3.DatabaseError as error:
        return not isinstance(error, sqlite3.OperationalError)  # locked is not corrupt


def _making(home_dir: str, wait_s: float) -> Any:
    """The lock on making, migrating and setting aside; the kernel releases it when its process dies."""
    from filelock import FileLock

    return FileLock(os.path.join(home_dir, "state.lock"), timeout=wait_s, mode=0o600)


def prune(state: State) -> None:
    """Delete what is old. The worker calls it."""
    now = time.time()
    with state.transaction():
        for table, condition, days in _OLD:
            state.run(f"DELETE FROM {table} WHERE {condition}", (now - days * 86_400.0,))  # noqa: S608 - our own tables
