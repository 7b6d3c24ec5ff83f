"""
The edge every hook shares: payload in, one claim, one answer out, and exit 0 whatever happens.

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
from ace_reflect.errors import StateError
from ace_reflect.settings import Settings, for_hooks
from ace_reflect.state import claims
from ace_reflect.state.db import State, open_state, set_aside
from ace_reflect.state.sessions import MAX_ID

Answer = Mapping[str, Any]
Body = Callable[["Event"], Answer | None]

EVENTS = frozenset({"UserPromptSubmit", "Stop", "PreCompact", "SessionStart", "SessionEnd"})
_script = False  # this process is one hook and nothing else
_left_open: list[State] = []
MAX_PAYLOAD = 32_000_000  # bytes; the largest seen is a Stop's with a long last message, under 1 MB
MAX_TEXT = 1_000_000  # characters of one field; a prompt is kept to less by whoever stores it
#: How seldom garbage is looked for: what a hook makes lives as long as the hook.
_GARBAGE = (100_000, 20, 20)


class Event:
    """One hook event. `state` is None where state.db cannot be used: then little can be known, and less is said."""

    __slots__ = (
        "_settings",
        "environ",
        "home",
        "name",
        "payload",
        "project",
        "raw",
        "session_id",
        "started",
        "state",
        "transcript",
        "wants_worker",
    )

    def __init__(
        self,
        name: str,
        home: str,
        raw: bytes,
        payload: dict[str, Any],
        environ: Mapping[str, str],
    ) -> None:
        self.name = name
        self.home = home
        self.raw = raw
        self.payload = payload
        self.environ = environ
        self.started = time.monotonic()
        self.session_id = self.text("session_id")[:MAX_ID]
        self.transcript = self.text("transcript_path")
        self.project = os.path.abspath(paths.project_dir(environ, self.text("cwd") or None))
        self.state: State | None = None
        self.wants_worker = False  # start the worker when everything is committed
        self._settings: Settings | None = None

    def text(self, name: str) -> str:
        """A string field, or "" where it is missing or something else."""
        value = self.payload.get(name)
        return value[:MAX_TEXT] if isinstance(value, str) else ""

    def word(self, name: str) -> str:
        """
        A field for the log: as it is where it is one plain word, like the host's own ("startup"); else "other", for nothing
        that somebody wrote may get into the log.
        """
        value = self.text(name)
        return (
            value
            if len(value) <= 40 and value.replace("_", "").isalpha()
            else "other"
            if value
            else ""
        )

    @property
    def db(self) -> State:
        """`state`, in code that is only reached where there is one."""
        assert self.state is not None  # noqa: S101 - the hook's body has looked
        return self.state

    @property
    def settings(self) -> Settings:
        if self._settings is None:
            self._settings = (
                Settings()
                if self.state is None
                else for_hooks(self.project, self.home, self.environ, self.state)
            )
        return self._settings

    def log(self, decision: str, **facts: object) -> None:
        """One line in the log: what this hook decided, and how long it took."""
        ms = round((time.monotonic() - self.started) * 1000)
        log.write(self.home, self.name, session=self.session_id, decision=decision, ms=ms, **facts)


def answer(
    name: str,
    stdin: BinaryIO,
    stdout: TextIO,
    environ: Mapping[str, str],
    body: Body,
    *,
    wait_s: float = 2.0,
    brief: bool = False,
) -> int:
    """
    Answer one event: at most one JSON object on stdout; always returns 0.

    `wait_s` bounds the wait for another process that writes to state.db. A `brief` body takes milliseconds: claim and
    body are then one transaction.
    """
    if environ.get("ACE_REFLECT_CHILD") == "1" or environ.get("ACE_REFLECT_DISABLE") == "1":
        return 0
    home = ""
    try:
        home = paths.home(environ)
        event = _read(name, home, stdin, environ)
        if event is not None:
            said = _ask(event, _in_one_transaction(body) if brief else _after_claim(body), wait_s)
            if (
                said
            ):  # before the worker, which may not start where the machine is short of something
                _write(stdout, json.dumps(said, ensure_ascii=False))
            if event.wants_worker:
                from ace_reflect.learning.queue import start_worker

                start_worker(environ)
    except Exception as error:  # noqa: BLE001 - fail open: a bug of ours must not stop a person's work
        if home:  # a relative one has no place where the working directory is gone
            log.failure(home, name, error)
    return 0


def read_object(raw: bytes) -> dict[str, Any] | None:
    """A JSON object, or None where `raw` is none. Invalid UTF-8 becomes U+FFFD."""
    try:
        found = json.loads(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _read(name: str, home: str, stdin: BinaryIO, environ: Mapping[str, str]) -> Event | None:
    raw = stdin.read(MAX_PAYLOAD + 1)
    payload = read_object(raw) if len(raw) <= MAX_PAYLOAD else None
    if payload is None:
        log.write(home, name, decision="unreadable-payload", size_bytes=len(raw))
        return None
    if payload.get("hook_event_name") not in (name, None) and name in EVENTS:
        log.write(home, name, decision="other-event")
        return None
    return Event(name, home, raw, payload, environ)


def _ask(event: Event, body: Body, wait_s: float) -> Answer | None:
    try:
        return _ask_once(event, body, wait_s)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        # A page of state.db is broken: with the file set aside, this event is answered from a fresh one.
        if set_aside(event.home) is None:
            raise
        return _ask_once(event, body, wait_s)


def _ask_once(event: Event, body: Body, wait_s: float) -> Answer | None:
    try:
        state = event.state = open_state(event.home, wait_s=wait_s)
    except StateError as error:
        log.failure(event.home, event.name, error)
        return body(event)
    try:
        return body(event) if event.settings.enabled else None
    finally:
        event.state = None
        if _script:
            _left_open.append(state)
        else:
            state.close()


def _after_claim(body: Body) -> Body:
    def claimed(event: Event) -> Answer | None:
        if event.state is not None and not claims.claim(
            event.state, event.name, event.raw, event.transcript
        ):
            return None
        return body(event)

    return claimed


def _in_one_transaction(body: Body) -> Body:
    claimed = _after_claim(body)

    def whole(event: Event) -> Answer | None:
        if event.state is None:
            return claimed(event)
        with event.state.transaction():
            return claimed(event)

    return whole


def _write(stdout: TextIO, text: str) -> None:
    """In one piece and as UTF-8, whatever the locale says: a half-written object would be shown to the model as text."""
    buffer = getattr(stdout, "buffer", None)
    if buffer is None:
        stdout.write(text)
        return
    buffer.write(text.encode("utf-8", "replace"))
    buffer.flush()  # now: nothing is flushed on the way out (`run_script`)


def _to_nobody(_told: object) -> None:
    """Where Python would write to stderr what it can raise nowhere."""


def run_script(main: Callable[[BinaryIO, TextIO, Mapping[str, str]], int]) -> None:
    """
    Run a hook as the whole of this process, and leave at once.

    Neither the interpreter's teardown nor SQLite's closing is waited for: the last connection to close would copy the
    log into the database and sync the disk, while a person waits. What is committed stands in the log; the worker closes
    properly and tidies up.
    """
    global _script  # noqa: PLW0603 - the process is this one hook
    _script = True
    sys.unraisablehook = (
        _to_nobody  # what SQLite could not undo on a full disk, say: the answer stands without it
    )
    gc.set_threshold(*_GARBAGE)
    os._exit(main(sys.stdin.buffer, sys.stdout, os.environ))
