"""Sessions: their places and times, human prompts, and the key points they were given; gates that are notes in a project."""

import time
from collections.abc import Iterable

from ace_reflect.state.db import State
from ace_reflect.values import Value

MAX_ID = 200  # characters of a session id, cut by whoever reads one; the host's are 36
MAX_TEXT = 4_000  # characters kept of a prompt
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


class PromptRow(Value):
    id: int
    text: str = ""
    attempts: int = 0
    end_state: str = ""


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


def starting_with(state: State, beginning: str) -> list[str]:
    """Ids that begin so, at most two; the whole id is one match, whatever else begins with it."""
    sql = "SELECT id FROM sessions WHERE ?1 <> '' AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2"
    found = state.column(sql, (beginning,))
    return found[:1] if beginning in found else found


def end(state: State, session_id: str) -> None:
    state.run("UPDATE sessions SET ended_at = ? WHERE id = ?", (time.time(), session_id))


def skip(state: State, session_id: str, *, on: bool = True) -> None:
    """`ace-reflect skip`: the gates stay silent in this session."""
    at = time.time() if on else None
    state.run("UPDATE sessions SET skipped_at = ? WHERE id = ?", (at, session_id))


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
    sql = "UPDATE sessions SET learned_size = max(learned_size, ?) WHERE transcript = ?"
    state.run(sql, (size, transcript))


def note_prompt(state: State, session_id: str, prompt_id: str | None, text: str) -> int:
    """Record a human prompt (its text redacted by the caller); its row's id. Once for each `prompt_id`."""
    row = {"session": session_id, "prompt_id": prompt_id, "at": time.time()}
    state.insert("prompts", {**row, "text": text[:MAX_TEXT]}, "OR IGNORE")
    sql = "SELECT max(id) FROM prompts WHERE session = ? AND prompt_id IS ?"
    return state.value(sql, (session_id, prompt_id)) or 0


def prompt(state: State, session_id: str) -> PromptRow | None:
    """The session's last human prompt. A Stop's `prompt_id` may be a notification's, so the session decides."""
    sql = "FROM prompts WHERE session = ? ORDER BY id DESC LIMIT 1"
    return state.record(PromptRow, sql, (session_id,))


def is_over(row: PromptRow | None) -> bool:
    """Whether the prompt's turn has ended in a stop that stands, as far as is known; so too before the first prompt."""
    return row is None or row.end_state not in {"", "incomplete"}


def prompt_or_new(state: State, session_id: str) -> PromptRow:
    """The current prompt, or an empty one made for a Stop that no prompt came before (`!command`, a lost hook)."""
    return prompt(state, session_id) or PromptRow(id=note_prompt(state, session_id, None, ""))


def note_stop(state: State, row_id: int, *, attempts: int, end_state: str) -> None:
    """Record what a Stop decided."""
    sql = "UPDATE prompts SET attempts = ?, end_state = ? WHERE id = ?"
    state.run(sql, (attempts, end_state, row_id))


def injected(state: State, session_id: str, *, ever: bool = False) -> frozenset[tuple[str, str]]:
    """(playbook's path, key point's id) of what the session has in its context; `ever`: of what was compacted away too."""
    sql = "SELECT playbook, key_point FROM injected WHERE session = ? AND (? OR NOT gone)"
    return frozenset(state.all(sql, (session_id, ever)))


def add_injected(state: State, session_id: str, playbook: str, key_points: Iterable[str]) -> None:
    row = {"session": session_id, "playbook": playbook, "at": time.time()}
    for key_point in key_points:
        state.insert("injected", {**row, "key_point": key_point}, "OR REPLACE")


def forget_injected(state: State, session_id: str) -> None:
    """After a compaction nothing of what was injected is sure to be left."""
    state.run("UPDATE injected SET gone = 1 WHERE session = ?", (session_id,))


def inherit(state: State, fork: str, project: str, answered_at: float) -> None:
    """A fork has in its context what its parent had: the project's one session seen within seconds of `answered_at`."""
    state.run(
        "INSERT OR IGNORE INTO injected SELECT ?1, playbook, key_point, at, gone FROM injected WHERE session ="
        " (SELECT min(id) FROM sessions WHERE project = ?2 AND id <> ?1 AND abs(seen_at - ?3) < 6 HAVING count(*) = 1)",
        (fork, project, answered_at),
    )
