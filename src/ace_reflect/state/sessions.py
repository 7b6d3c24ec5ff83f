"""Sessions: where they are, when they were seen, what the Stop hook has read of them, whether they are skipped."""

import json
import time
from collections.abc import Mapping
from typing import Any

from ace_reflect.state.db import State
from ace_reflect.values import Value

MAX_ID = 200  # characters of a session id, cut by whoever reads one; the host's are 36
AHEAD_S = 3600.0  # a time further ahead was noted before the clock jumped back
_MUCH = 1_000_000  # bytes of JSON

#: A file as it is: device, inode, size and time of change in nanoseconds.
Identity = tuple[int, ...]


class Session(Value):
    id: str
    project: str = ""
    transcript: str = ""
    process: str = ""
    seen_at: float
    ended_at: float | None = None
    learned_size: int = 0
    skipped_at: float | None = None
    history: str = ""  # what its stops came to so far, as the Stop hook wrote it

    @property
    def skipped(self) -> bool:
        return self.skipped_at is not None


class StoredLedger(Value):
    """What a Stop has read so far."""

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
    return state.record(Session, "FROM sessions WHERE id = ?", (session_id,))


def newest(state: State, project: str) -> Session | None:
    """The session of a project that was seen last."""
    sql = "FROM sessions WHERE project = ? ORDER BY seen_at DESC LIMIT 1"
    return state.record(Session, sql, (project,))


def starting_with(state: State, beginning: str) -> list[str]:
    """Ids that begin so, at most two; the whole id is one match, whatever else begins with it."""
    sql = "SELECT id FROM sessions WHERE ?1 <> '' AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2"
    found = state.column(sql, (beginning,))
    return found[:1] if beginning in found else found


def end(state: State, session_id: str) -> None:
    state.run("UPDATE sessions SET ended_at = ? WHERE id = ?", (time.time(), session_id))


def skip(state: State, session_id: str, *, on: bool = True) -> bool:
    """`ace-reflect skip`: the gates stay silent in this session. False where the session is not known."""
    at = time.time() if on else None
    return state.run("UPDATE sessions SET skipped_at = ? WHERE id = ?", (at, session_id)) > 0


def save_history(state: State, session_id: str, text: str) -> None:
    state.run("UPDATE sessions SET history = ? WHERE id = ?", (text, session_id))


def earlier_histories(state: State, project: str, session_id: str, most: int) -> list[str]:
    """The histories of the project's last sessions before this one that have any, the newest first."""
    sql = (
        "SELECT history FROM sessions WHERE project = ? AND id <> ? AND history <> ''"
        " ORDER BY started_at DESC LIMIT ?"
    )
    return state.column(sql, (project, session_id, most))


def note_gate(state: State, project: str, gate: str) -> None:
    """From now on the gate is only a note in this project."""
    state.insert("notes", {"project": project, "gate": gate, "at": time.time()}, "OR IGNORE")


def noted_gates(state: State, project: str) -> tuple[str, ...]:
    return tuple(state.column("SELECT gate FROM notes WHERE project = ? ORDER BY gate", (project,)))


def untold_notes(state: State, project: str) -> tuple[str, ...]:
    """The gates that are notes here and that nobody was told of; they count as told from now on."""
    sql = "SELECT gate FROM notes WHERE project = ? AND told_at IS NULL ORDER BY gate"
    untold = tuple(state.column(sql, (project,)))
    if untold:
        state.run("UPDATE notes SET told_at = ? WHERE project = ?", (time.time(), project))
    return untold


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
    sql = "SELECT id FROM sessions WHERE project = ? AND id <> ? AND abs(seen_at - ?) < 6 LIMIT 2"
    fitting = state.column(sql, (project, session_id, responded_at))
    return fitting[0] if len(fitting) == 1 else None


def load_ledger(state: State, session_id: str) -> StoredLedger | None:
    return state.record(StoredLedger, "FROM ledgers WHERE session = ?", (session_id,))


def save_ledger(state: State, session_id: str, identity: Identity, stored: StoredLedger) -> None:
    place = dict(zip(("device", "inode", "size", "mtime_ns"), identity, strict=True))
    row = {"session": session_id, **place, **stored.to_json(), "at": time.time()}
    state.insert("ledgers", row, "OR REPLACE")


def last_read(state: State, session_id: str) -> Identity | None:
    """The transcript as it was when the last Stop read it: where it is the same, there is nothing new."""
    sql = "SELECT device, inode, size, mtime_ns FROM ledgers WHERE session = ?"
    return state.one(sql, (session_id,))


def packed(data: Mapping[str, Any]) -> bytes:
    """
    `data` as JSON, records in it as objects; compressed where it is much.

    A list's items one by one: `json.dumps` of the whole would for a moment take ten times the memory of its result.
    Without its check for circular references, a tenth of the time: what came from JSON, or is a record, cannot hold itself.
    """
    encode = json.JSONEncoder(separators=(",", ":"), default=vars, check_circular=False).encode
    out = bytearray(b"{")
    for at, (name, value) in enumerate(data.items()):
        out += f"{',' if at else ''}{encode(name)}:".encode()
        if isinstance(value, (list, tuple)):
            out += b"["
            for number, item in enumerate(value):
                out += f"{',' if number else ''}{encode(item)}".encode()
            out += b"]"
        else:
            out += encode(value).encode()
    out += b"}"
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
