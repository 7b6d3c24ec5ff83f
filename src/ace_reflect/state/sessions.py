"""Sessions: where they are, when they were seen, what the Stop hook has read of them, whether they are skipped."""

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from ace_reflect.state.db import State
from ace_reflect.values import Value

MAX_ID = 200  # characters of a session id, cut by whoever reads one; the host's are 36
AHEAD_S = 3600.0  # a time further ahead was noted before the clock jumped back
_MUCH = 1_000_000  # bytes of JSON


class Session(Value):
    id: str
    project: str = ""
    transcript: str = ""
    process: str = ""
    seen_at: float
    ended_at: float | None = None
    learned_size: int = 0
    skipped_at: float | None = None

    @property
    def skipped(self) -> bool:
        return self.skipped_at is not None


class StoredLedger(Value):
    """
    What a Stop has read so far. `device`, `inode`, `size` and `mtime_ns` are the transcript's at that time: when all
    four are the same, there is nothing new, and nothing of the rest need be decoded.
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
    state: State, session_id: str, *, project: str = "", transcript: str = "", process: str = ""
) -> None:
    """Note that a session is alive. Empty arguments leave what is known. `process` is the host's, by `processes.name`."""
    state.run(
        "INSERT INTO sessions (id, project, transcript, process, started_at, seen_at)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT (id) DO UPDATE SET seen_at = ?5, ended_at = NULL,"
        " project = coalesce(nullif(?2, ''), project), transcript = coalesce(nullif(?3, ''), transcript),"
        " process = coalesce(nullif(?4, ''), process)",
        (session_id, project, transcript, process, time.time()),
    )


def get(state: State, session_id: str) -> Session | None:
    found = state.records(Session, "FROM sessions WHERE id = ?", (session_id,))
    return found[0] if found else None


def newest(state: State, project: str) -> Session | None:
    """The session of a project that was seen last."""
    sql = "FROM sessions WHERE project = ? ORDER BY seen_at DESC LIMIT 1"
    found = state.records(Session, sql, (project,))
    return found[0] if found else None


def starting_with(state: State, beginning: str) -> list[str]:
    """Ids that begin so, at most two; the whole id is one match, whatever else begins with it."""
    sql = "SELECT id FROM sessions WHERE ?1 <> '' AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2"
    found = [row[0] for row in state.all(sql, (beginning,))]
    return found[:1] if beginning in found else found


def end(state: State, session_id: str) -> None:
    state.run("UPDATE sessions SET ended_at = ? WHERE id = ?", (time.time(), session_id))


def skip(state: State, session_id: str, *, on: bool = True) -> bool:
    """`ace-reflect skip`: the gates stay silent in this session. False where the session is not known."""
    at = time.time() if on else None
    return state.run("UPDATE sessions SET skipped_at = ? WHERE id = ?", (at, session_id)) > 0


def history(state: State, session_id: str) -> str:
    """What the session's stops came to so far, as the Stop hook wrote it; "" before the first."""
    return state.value("SELECT history FROM sessions WHERE id = ?", (session_id,)) or ""


def save_history(state: State, session_id: str, text: str) -> None:
    state.run("UPDATE sessions SET history = ? WHERE id = ?", (text, session_id))


def earlier_histories(state: State, project: str, session_id: str, most: int) -> list[str]:
    """The histories of the project's last sessions before this one that have any, the newest first."""
    rows = state.all(
        "SELECT history FROM sessions WHERE project = ? AND id <> ? AND history <> ''"
        " ORDER BY started_at DESC LIMIT ?",
        (project, session_id, most),
    )
    return [row[0] for row in rows]


def note_gate(state: State, project: str, gate: str) -> None:
    """From now on the gate is only a note in this project."""
    state.insert("notes", {"project": project, "gate": gate, "at": time.time()}, "OR IGNORE")


def noted_gates(state: State, project: str) -> tuple[str, ...]:
    rows = state.all("SELECT gate FROM notes WHERE project = ? ORDER BY gate", (project,))
    return tuple(row[0] for row in rows)


def untold_notes(state: State, project: str) -> tuple[str, ...]:
    """The gates that are notes here and that nobody was told of; they count as told from now on."""
    sql = "SELECT gate FROM notes WHERE project = ? AND told_at IS NULL ORDER BY gate"
    rows = state.all(sql, (project,))
    if rows:
        state.run("UPDATE notes SET told_at = ? WHERE project = ?", (time.time(), project))
    return tuple(row[0] for row in rows)


def maybe_dead(state: State, before: float, most: int = 500) -> list[Session]:
    """
    Sessions that may have died without a SessionEnd, newest first: not seen since `before`, or with a process that can be
    asked whether it lives. One that a job stands for is none, also where that was set aside: it is left to the person.
    """
    return state.records(
        Session,
        "FROM sessions WHERE (seen_at < ? OR seen_at > ? OR process <> '') AND ended_at IS NULL AND transcript <> ''"
        " AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.transcript = sessions.transcript AND jobs.state <> 'done')"
        " ORDER BY seen_at DESC LIMIT ?",
        (before, time.time() + AHEAD_S, most),
    )


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
        (project, session_id, responded_at),
    )
    return rows[0][0] if len(rows) == 1 else None


def load_ledger(state: State, session_id: str) -> StoredLedger | None:
    found = state.records(StoredLedger, "FROM ledgers WHERE session = ?", (session_id,))
    return found[0] if found else None


def save_ledger(state: State, session_id: str, stored: StoredLedger) -> None:
    columns = {name: getattr(stored, name) for name in StoredLedger._fields}
    row = {"session": session_id, **columns, "at": time.time()}
    state.insert("ledgers", row, "OR REPLACE")


def unchanged(state: State, session_id: str, identity: tuple[int, int, int, int]) -> bool:
    """Whether the transcript is byte for byte what the last Stop read: (device, inode, size, mtime_ns)."""
    sql = "SELECT device, inode, size, mtime_ns FROM ledgers WHERE session = ?"
    return state.one(sql, (session_id,)) == identity


def packed(data: Mapping[str, Any]) -> bytes:
    """`data` as JSON, records in it as objects; compressed where it is much."""
    out = bytearray()
    for piece in _pieces(data):
        out += piece.encode("ascii")
    if len(out) <= _MUCH:
        return bytes(out)
    import zlib

    return zlib.compress(out, 1)


def unpacked(raw: bytes) -> dict[str, Any]:
    """What was packed. Raises ValueError for what was not."""
    if not raw.startswith(b"{"):
        import zlib

        try:
            raw = zlib.decompress(raw)
        except zlib.error as error:
            raise ValueError(str(error)) from error
    found: dict[str, Any] = json.loads(raw.decode("utf-8", "surrogatepass"))
    return found


def _pieces(data: Mapping[str, Any]) -> Iterator[str]:
    """
    JSON, a list's items one by one: `json.dumps` of the whole would for a moment take ten times the memory of its result.
    Without its check for circular references, a tenth of the time: what came from JSON, or is a record, cannot hold itself.
    """
    encode = json.JSONEncoder(separators=(",", ":"), default=vars, check_circular=False).encode
    yield "{"
    for at, (name, value) in enumerate(data.items()):
        yield f"{',' if at else ''}{encode(name)}:"
        if isinstance(value, (list, tuple)):
            yield "["
            yield from (f"{',' if n else ''}{encode(item)}" for n, item in enumerate(value))
            yield "]"
        else:
            yield encode(value)
    yield "}"
