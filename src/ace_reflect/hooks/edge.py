"""What every hook shares: payload in, one claim, at most one JSON object out, and exit 0 whatever happens.

A hook module's `main` is a body `(Event) -> fields of the answer, or None for silence` under `@hook(name)`. Fail open: what
goes wrong inside is one line in the log, and the person's work goes on.
"""

import gc
import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, BinaryIO, TextIO

from ace_reflect import log, paths
from ace_reflect.settings import Settings
from ace_reflect.state import cache, jobs, processes, sessions
from ace_reflect.state.db import State, open_state

Json = dict[str, Any]
Body = Callable[["Event"], Json | None]
Environ = Mapping[str, str]
Leave = Callable[[int], object]

WAIT_S = 1.0  # for another process that writes to state.db: a SessionEnd has 1.5 s in all
_HELD = "ace-reflect: the settings have changed while Claude was at work; those from before stay in force until this session ends"
#: These take too long to hold the write lock meanwhile. Of the others, all is committed or nothing.
_LONG = frozenset({"Stop", "SubagentStop", "Assess"})


class Event:
    """One hook event. `state` and `settings` are there when the body is called."""

    state: State
    settings: Settings

    def __init__(self, name: str, raw: bytes, payload: Json, environ: Environ) -> None:
        self.name, self.raw, self.payload, self.environ = name, raw, payload, environ
        self.home = paths.home(environ)
        self.started = time.monotonic()
        self.session_id = self.text("session_id")[: sessions.MAX_ID]
        self.transcript = self.text("transcript_path")
        self.project = os.path.abspath(paths.project_dir(environ, self.text("cwd") or None))
        self.code = 0  # of the process
        self.told: list[str] = []  # lines to the person
        self.wants_worker = False
        self.to_start: list[tuple[str, Json]] = []  # (module, more input), once all is committed

    def text(self, field: str) -> str:
        """A field of the payload, "" if it is not a string."""
        value = self.payload.get(field)
        return value if isinstance(value, str) else ""

    def touch(self, process: str = "") -> None:
        """Note in the state that the session is alive. `process`: the host's, if known."""
        place = {"project": self.project, "transcript": self.transcript}
        sessions.touch(self.state, self.session_id, **place, process=process)

    def playbooks(self) -> tuple[str, str]:
        """The project's and the person's own, there or not."""
        own = paths.user_playbook(self.home)
        return paths.project_playbook(self.project, self.home, self.settings.storage), own

    def queue(self, reason: str, *, final: bool) -> None:
        """Have the worker learn from the session, if the settings say so for this reason."""
        if reason in self.settings.learning_on:
            why = {"project": self.project, "reason": reason}
            jobs.enqueue(self.state, self.session_id, self.transcript, **why, final=final)
            self.wants_worker = True

    def log(self, decision: str, **facts: object) -> None:
        """One line in the log: what this hook decided, and how long it took."""
        ms = round((time.monotonic() - self.started) * 1000)
        log.write(self.home, self.name, session=self.session_id, decision=decision, ms=ms, **facts)


def hook(name: str) -> Callable[[Body], Callable[..., int]]:
    """Makes a body the `main(stdin, stdout, environ)` of an event."""
    return lambda body: partial(answer, name, body)


def answer(
    name: str, body: Body, stdin: BinaryIO, stdout: TextIO, environ: Environ, leave: Leave = int
) -> int:
    """Answer one event: at most one JSON object on `stdout`. Returns the event's exit code, which is 0 but for a wake-up;
    `leave` gets it when all is done and nothing is closed yet.
    """
    if environ.get("ACE_REFLECT_CHILD") == "1" or environ.get("ACE_REFLECT_DISABLE") == "1":
        return 0
    home = ""
    try:
        home = paths.home(environ)
        raw = stdin.read()
        payload = read_object(raw)
        if payload is not None:
            return _answer(Event(name, raw, payload, environ), body, stdout, leave)
        log.write(home, name, decision="unreadable-payload", size_bytes=len(raw))
    except Exception as error:  # noqa: BLE001 - fail open: a bug of ours must not stop a person's work
        if home:  # a relative one leads nowhere if the working directory is gone
            log.failure(home, name, error)
    return 0


def read_object(raw: bytes | None) -> Json | None:
    """A JSON object, or None if `raw` is not one. Invalid UTF-8 becomes U+FFFD."""
    try:
        found = json.loads((raw or b"").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def context(event_name: str, text: str) -> Json | None:
    """The answer that puts a text in front of the model; None for ""."""
    added = {"hookEventName": event_name, "additionalContext": text}
    return {"hookSpecificOutput": added} if text else None


def _answer(event: Event, body: Body, stdout: TextIO, leave: Leave, *, mended: bool = False) -> int:
    try:
        with open_state(event.home, wait_s=WAIT_S, whole=False) as event.state:
            said = _said(event, body)
            if said:  # before any process is started, which may fail
                print(json.dumps(said), file=stdout, flush=True)
            if event.wants_worker:
                from ace_reflect.learning.queue import start_worker

                start_worker(event.environ)
            place = {"session": event.session_id, "project": event.project}
            for module, given in event.to_start:
                processes.start(module, event.environ, json.dumps(place | given).encode())
            leave(event.code)
    except sqlite3.DatabaseError as error:
        # A page of state.db is broken, or a table is not there: this event is answered from a mended or a new one.
        other = isinstance(error, sqlite3.OperationalError) and "no such table" not in str(error)
        if mended or other:
            raise
        open_state(event.home, wait_s=WAIT_S).close()
        return _answer(event, body, stdout, leave, mended=True)
    return event.code


def _said(event: Event, body: Body) -> Json | None:
    state = event.state
    if not event.session_id:
        return None
    now = cache.settings(state, event.project, event.environ)
    stop, prompt = event.name == "Stop", event.name == "UserPromptSubmit"
    over = prompt and sessions.is_over(sessions.prompt(state, event.session_id))
    event.settings, held = cache.in_force(state, event.session_id, now, turn_over=over, stop=stop)
    event.told += [_HELD] if held else []
    if not event.settings.enabled:
        return None
    with state.transaction():
        if not cache.claim(state, event.name, event.raw, event.transcript):
            return None
        if event.name not in _LONG:
            return body(event)
    return body(event)


def run_script(main: Callable[..., int]) -> None:
    """Run a hook as the whole of this process, and leave at once: neither the interpreter's teardown is waited for nor
    SQLite's closing, which would copy its log into the database and sync the disk. The worker does that.
    """
    # For errors that Python cannot raise and would write to stderr, as SQLite's on a full disk.
    sys.unraisablehook = lambda _: None
    gc.set_threshold(100_000, 20, 20)  # what a hook makes lives as long as the hook
    # If the host has closed it there is no stdin, and no event.
    os._exit(main(sys.stdin.buffer, sys.stdout, os.environ, os._exit) if sys.stdin else 0)
