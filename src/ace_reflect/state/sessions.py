"""Sessions: where they are, when they were seen, what the Stop hook has read of them, whether they are skipped."""

import time

from ace_reflect.state.db import Row, State
from ace_reflect.values import Value

MAX_ID = 200  # characters of a session id; the host's are 36
AHEAD_S = 3600.0  # a time further ahead was noted before the clock jumped back


class Session(Value):
    id: str
    project: str = ""
    transcript: str = ""
    source: str = ""
    parent: str = ""
    process: str = ""
    seen_at: float
    ended_at: float | None = None
    learned_size: int = 0
    skipped: bool = False


class StoredLedger(Value):
    """
    What a Stop read so far. `device`, `inode`, `size` and `mtime_ns` are the transcript's at that time: when all four
    are the same, there is nothing new, and nothing of the rest need be decoded. `ledger`, `builder` and `extra` are
    the Stop hook's own bytes.
    """

    device: int
    inode: int
    size: int
    mtime_ns: int
    cursor: str
    ledger: bytes
    builder: bytes
    extra: bytes | None = None


def touch(
    state: State,
    session_id: str,
    *,
    project: str = "",
    transcript: str = "",
    source: str = "",
    process: str = "",
) -> None:
    """Note that a session is alive. Empty arguments leave what is known. `process` is the host's, by `processes.name`."""
    now = time.time()
    state.run(
        "INSERT INTO sessions (id, project, transcript, source, process, started_at, seen_at)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6) ON CONFLICT (id) DO UPDATE SET seen_at = ?6, ended_at = NULL,"
        " project = coalesce(nullif(?2, ''), project), transcript = coalesce(nullif(?3, ''), transcript),"
        " source = coalesce(nullif(?4, ''), source), process = coalesce(nullif(?5, ''), process)",
        (session_id[:MAX_ID], project, transcript, source, process, now),
    )


def get(state: State, session_id: str) -> Session | None:
    return _session(state.one(f"{_SELECT} WHERE id = ?", (session_id[:MAX_ID],)))


def newest(state: State, project: str) -> Session | None:
    """The session of a project that was seen last."""
    return _session(
        state.one(f"{_SELECT} WHERE project = ? ORDER BY seen_at DESC LIMIT 1", (project,))
    )


def starting_with(state: State, beginning: str) -> list[str]:
    """Ids that begin so, at most two; the whole id is one match, whatever else begins with it."""
    if get(state, beginning) is not None:
        return [beginning]
    rows = state.all(
        "SELECT id FROM sessions WHERE substr(id, 1, ?) = ? LIMIT 2", (len(beginning), beginning)
    )
    return [row[0] for row in rows] if beginning else []


def end(state: State, session_id: str) -> None:
    state.run("UPDATE sessions SET ended_at = ? WHERE id = ?", (time.time(), session_id[:MAX_ID]))


def skip(state: State, session_id: str, *, on: bool = True) -> bool:
    """`ace-reflect skip`: the gates stay silent in this session. False where the session is not known."""
    at = time.time() if on else None
    return (
        state.run("UPDATE sessions SET skipped_at = ? WHERE id = ?", (at, session_id[:MAX_ID])) > 0
    )


def history(state: State, session_id: str) -> str:
    """What the session's stops came to so far, as the Stop hook wrote it; "" before the first."""
    row = state.one("SELECT history FROM sessions WHERE id = ?", (session_id[:MAX_ID],))
    return str(row[0]) if row is not None else ""


def save_history(state: State, session_id: str, text: str) -> None:
    state.run("UPDATE sessions SET history = ? WHERE id = ?", (text, session_id[:MAX_ID]))


def earlier_histories(state: State, project: str, session_id: str, most: int) -> list[str]:
    """The histories of the project's last sessions before this one that have any, the newest first."""
    rows = state.all(
        "SELECT history FROM sessions WHERE project = ? AND id <> ? AND history <> ''"
        " ORDER BY started_at DESC LIMIT ?",
        (project, session_id[:MAX_ID], most),
    )
    return [str(row[0]) for row in rows]


def note_gate(state: State, project: str, gate: str) -> None:
    """From now on the gate is only a note in this project."""
    state.run(
        "INSERT OR IGNORE INTO notes (project, gate, at) VALUES (?, ?, ?)",
        (project, gate, time.time()),
    )


def noted_gates(state: State, project: str) -> tuple[str, ...]:
    rows = state.all("SELECT gate FROM notes WHERE project = ? ORDER BY gate", (project,))
    return tuple(str(row[0]) for row in rows)


def untold_notes(state: State, project: str) -> tuple[str, ...]:
    """The gates that are notes here and that nobody was told of; they count as told from now on."""
    rows = state.all(
        "SELECT gate FROM notes WHERE project = ? AND told_at IS NULL ORDER BY gate", (project,)
    )
    if rows:
        state.run("UPDATE notes SET told_at = ? WHERE project = ?", (time.time(), project))
    return tuple(str(row[0]) for row in rows)


def load_ledger(state: State, session_id: str) -> StoredLedger | None:
    row = state.one(
        "SELECT device, inode, size, mtime_ns, cursor, ledger, builder, extra FROM ledgers WHERE session = ?",
        (session_id[:MAX_ID],),
    )
    if row is None:
        return None
    return StoredLedger(**dict(zip(StoredLedger._fields, row, strict=True)))


def save_ledger(state: State, session_id: str, stored: StoredLedger) -> None:
    state.run(
        "INSERT OR REPLACE INTO ledgers (session, device, inode, size, mtime_ns, cursor, ledger, builder, extra, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session_id[:MAX_ID],
            *(getattr(stored, name) for name in StoredLedger._fields),
            time.time(),
        ),
    )


def unchanged(state: State, session_id: str, identity: tuple[int, int, int, int]) -> bool:
    """Whether the transcript is byte for byte what the last Stop read: (device, inode, size, mtime_ns)."""
    row = state.one(
        "SELECT device, inode, size, mtime_ns FROM ledgers WHERE session = ?",
        (session_id[:MAX_ID],),
    )
    return row == identity


def maybe_dead(state: State, before: float, most: int = 500) -> list[Session]:
    """
    Sessions that may have died without a SessionEnd, newest first: not seen since `before`, or with a process that can be
    asked whether it lives. One that a job stands for is none, also where that was set aside: it is left to the person.
    """
    ahead = time.time() + AHEAD_S
    rows = state.all(
        f"{_SELECT} WHERE (seen_at < ? OR seen_at > ? OR process <> '') AND ended_at IS NULL AND transcript <> ''"  # noqa: S608 - our own words
        " AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.transcript = sessions.transcript AND jobs.state <> 'done')"
        " ORDER BY seen_at DESC LIMIT ?",
        (before, ahead, most),
    )
    return [session for session in map(_session, rows) if session is not None]


def learned(state: State, transcript: str, size: int) -> None:
    """Note that a transcript was learned from to byte `size`."""
    state.run(
        "UPDATE sessions SET learned_size = max(learned_size, ?) WHERE transcript = ?",
        (size, transcript),
    )


def likely_parent(state: State, session_id: str, project: str, responded_at: float) -> str | None:
    """
    The session that a fork was made from. Its payload does not name it, but says when the parent answered last.

    Only a project's single session that fits within a few seconds counts; in doubt there is none.
    """
    rows = state.all(
        "SELECT id FROM sessions WHERE project = ? AND id <> ? AND abs(seen_at - ?) < 6 LIMIT 2",
        (project, session_id[:MAX_ID], responded_at),
    )
    return str(rows[0][0]) if len(rows) == 1 else None


def set_parent(state: State, session_id: str, parent: str) -> None:
    state.run("UPDATE sessions SET parent = ? WHERE id = ?", (parent, session_id[:MAX_ID]))


_SELECT = (
    "SELECT id, project, transcript, source, parent, process, seen_at, ended_at, learned_size,"
    " skipped_at IS NOT NULL FROM sessions"
)


def _session(row: Row | None) -> Session | None:
    if row is None:
        return None
    fields = dict(zip(Session._fields, row, strict=True))
    return Session(**{**fields, "skipped": bool(fields["skipped"])})
