"""
What every hook shares: payload in, one claim, at most one JSON object out, and exit 0 whatever happens.

A hook module gives `answer` a body `(Event) -> fields of the answer, or None for silence`. Fail open: what goes wrong
inside is one line in the log, and the person's work goes on.
"""

import gc
import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, TextIO

from ace_reflect import log, paths
from ace_reflect.settings import Settings
from ace_reflect.state import cache, claims, jobs, processes, sessions
from ace_reflect.state.db import State, open_state, set_aside
from ace_reflect.values import Value

Json = dict[str, Any]
Body = Callable[["Event"], Json | None]

WAIT_S = 1.0  # for another process that writes to state.db: a SessionEnd has 1.5 s in all
#: These take too long to hold the write lock meanwhile. Of the others, all is committed or nothing.
_LONG = frozenset({"Stop", "Assess"})
_left_open: list[State] | None = None  # a list where the hook is the whole process (`run_script`)


class Event:
    """
    One hook event. `state` and `settings` are there when the body is called, and `first_settings`, which the session began
    with: it cannot weaken its own gates.
    """

    state: State
    settings: Settings
    first_settings: Settings

    def __init__(self, name: str, raw: bytes, payload: Json, environ: Mapping[str, str]) -> None:
        self.name, self.raw, self.payload, self.environ = name, raw, payload, environ
        self.home = paths.home(environ)
        self.started = time.monotonic()
        self.session_id = self.text("session_id")[: sessions.MAX_ID]
        self.transcript = self.text("transcript_path")
        self.project = os.path.abspath(paths.project_dir(environ, self.text("cwd") or None))
        self.wants_worker = False
        self.to_start: list[tuple[str, Json]] = []  # (module, its input), when all is committed

    def text(self, field: str) -> str:
        """A field of the payload, "" where it is no string."""
        value = self.payload.get(field)
        return value if isinstance(value, str) else ""

    def touch(self, process: str = "") -> None:
        """Note in the state that the session is alive. `process`: the host's, where it is known."""
        place = {"project": self.project, "transcript": self.transcript}
        sessions.touch(self.state, self.session_id, **place, process=process)

    def queue(self, reason: str, *, final: bool) -> None:
        """Have the worker learn from the session, where the settings say so for this reason."""
        if reason in self.settings.learning_on:
            why = {"project": self.project, "reason": reason}
            jobs.enqueue(self.state, self.session_id, self.transcript, **why, final=final)
            self.wants_worker = True

    def decided(self, *, needs_model: bool = False) -> None:
        """Tell the second Stop entry, which has the same payload, that the first has decided."""
        key = claims.stop_key("Stop", self.raw)
        claims.put_decision(self.state, key, needs_model=needs_model)

    def log(self, decision: str, **facts: object) -> None:
        """One line in the log: what this hook decided, and how long it took."""
        ms = round((time.monotonic() - self.started) * 1000)
        log.write(self.home, self.name, session=self.session_id, decision=decision, ms=ms, **facts)


class Pace(Value):
    """How long the second Stop entry waits for what, in seconds; the tests hurry."""

    decision_s: float = 10.0  # for the first entry's decision
    poll_s: float = 1.0  # between two looks whether the person has gone on
    age_s: float | None = None  # how old the stop is when this begins; None: as old as this process
    waits: bool = False  # the host waits for the answer, in the terminal UI too (`--wait`)


def answer(
    name: str, body: Body, stdin: BinaryIO, stdout: TextIO, environ: Mapping[str, str]
) -> int:
    """Answer one event: at most one JSON object on `stdout`. Returns 0."""
    if environ.get("ACE_REFLECT_CHILD") == "1" or environ.get("ACE_REFLECT_DISABLE") == "1":
        return 0
    home = ""
    try:
        home = paths.home(environ)
        raw = stdin.read()
        payload = read_object(raw)
        if payload is None:
            log.write(home, name, decision="unreadable-payload", size_bytes=len(raw))
        else:
            _answer(Event(name, raw, payload, environ), body, stdout)
    except Exception as error:  # noqa: BLE001 - fail open: a bug of ours must not stop a person's work
        if home:  # a relative one has no place where the working directory is gone
            log.failure(home, name, error)
    return 0


def read_object(raw: bytes | None) -> Json | None:
    """A JSON object, or None where `raw` is none. Invalid UTF-8 becomes U+FFFD."""
    try:
        found = json.loads((raw or b"").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _answer(event: Event, body: Body, stdout: TextIO) -> None:
    try:
        said = _said(event, body)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        # A page of state.db is broken: with the file set aside, this event is answered from a fresh one.
        if set_aside(event.home) is None:
            raise
        said = _said(event, body)
    if said:  # before any process is started, which may fail
        print(json.dumps(said), file=stdout, flush=True)
    if event.wants_worker:
        from ace_reflect.learning.queue import start_worker

        start_worker(event.environ)
    for module, given in event.to_start:
        processes.start(module, event.environ, json.dumps(given).encode())


def _said(event: Event, body: Body) -> Json | None:
    state = event.state = open_state(event.home, wait_s=WAIT_S)
    try:
        if not event.session_id:
            return None
        event.settings = cache.settings(state, event.project, event.environ)
        event.first_settings = cache.first_settings(state, event.session_id, event.settings)
        may_hold = event.name == "Stop" and event.first_settings.enabled
        if not (event.settings.enabled or may_hold):
            return None
        with state.transaction():
            if not claims.claim(state, event.name, event.raw, event.transcript):
                return None
            if event.name not in _LONG:
                return body(event)
        return body(event)
    finally:
        if _left_open is None:
            state.close()
        else:
            _left_open.append(state)


def _to_nobody(_told: object) -> None:
    """For what Python can raise nowhere and would write to stderr: SQLite on a full disk, say."""


def run_script(main: Callable[[BinaryIO, TextIO, Mapping[str, str]], int]) -> None:
    """
    Run a hook as the whole of this process, and leave at once: neither the interpreter's teardown is waited for nor
    SQLite's closing, which would copy its log into the database and sync the disk. The worker does that.
    """
    global _left_open  # noqa: PLW0603 - the process is this one hook
    _left_open = []
    sys.unraisablehook = _to_nobody
    gc.set_threshold(100_000, 20, 20)  # what a hook makes lives as long as the hook
    os._exit(main(sys.stdin.buffer, sys.stdout, os.environ))
