"""Sessions: where they are, when they were seen, whether they are skipped; and gates that are notes in a project."""

import time

from ace_reflect.state.db import State
from ace_reflect.values import Value

MAX_ID = 200  # characters of a session id, cut by whoever reads one; the host's are 36
AHEAD_S = 3600.0  # a time further in the future was noted before the clock jumped back


class Session(Value):
    id: str
    project: str = ""
    transcript: str = ""
    process: str = ""
    seen_at: float
    ended_at: float | None = None
    learned_size: int = 0
    skipped_at: float | None = None


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


def projects(state: State) -> list[str]:
    """Every project that a session was in."""
    sql = "SELECT DISTINCT project FROM sessions WHERE project <> '' ORDER BY project"
    return state.column(sql)


def began_before(state: State, project: str, session_id: str) -> float:
    """When the project's last session but this one began; 0.0 for none."""
    sql = "SELECT coalesce(max(started_at), 0.0) FROM sessions WHERE project = ? AND id <> ?"
    return float(state.value(sql, (project, session_id)))


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


def note_gate(state: State, project: str, gate: str) -> None:
    """From now on the gate is only a note in this project."""
    state.insert("notes", {"project": project, "gate": gate, "at": time.time()}, "OR IGNORE")


def noted_gates(state: State, project: str) -> tuple[str, ...]:
    return tuple(state.column("SELECT gate FROM notes WHERE project = ? ORDER BY gate", (project,)))


def untold_notes(state: State, project: str) -> list[str]:
    """The gates that are notes here and nobody was told about; they count as told from now on."""
    sql = "UPDATE notes SET told_at = ? WHERE project = ? AND told_at IS NULL RETURNING gate"
    return sorted(state.column(sql, (time.time(), project)))


def maybe_dead(state: State, before: float, most: int = 500) -> list[Session]:
    """Sessions that may have died without a SessionEnd, newest first: not seen since `before`, or with a process that can be
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
