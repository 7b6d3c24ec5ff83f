"""Small values kept by what they were made from: answers, facts, settings, what is trusted, who answers an event."""

import json
import os
import time
import zlib
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ace_reflect import paths
from ace_reflect.settings import JUDGING, Settings, setting_variables
from ace_reflect.state import processes
from ace_reflect.state.db import State

if TYPE_CHECKING:
    from ace_reflect.config import Config

#: Kinds. By session: what its stops have read so far, of which transcript; and, of the prompt's row, the category that a
#: model gave the task. By a project's file: the hash of what the person has looked at and trusts.
LEDGER, ROUTE, TRUST = "ledger", "route", "trust"
_WINDOW_S = 60.0  # later than this, an equal payload is a new event
_SLOW_START_S = 0.15  # the most a process can have aged here, if the system does not tell
_ITEMS = 50  # of a list, encoded at once
_TICK_S = 0.02  # the kernel counts a process's start in hundredths of a second


def get(
    state: State, kind: str, key: str, identity: str | None = None, *, fresh_s: float = 1e12
) -> bytes | None:
    """The value stored for exactly this identity, or for any if none is given, in the last `fresh_s` seconds; else None."""
    sql = "SELECT value FROM cache WHERE kind = ?1 AND key = ?2 AND (?3 IS NULL OR identity = ?3) AND ?4 - at < ?5"
    value = state.value(sql, (kind, key, identity, time.time(), fresh_s))
    return None if value is None else bytes(value)


def put(state: State, kind: str, key: str, identity: str, value: bytes) -> None:
    """Keep one value for each (kind, key); an older identity's is replaced."""
    row = {"kind": kind, "key": key, "identity": identity, "value": value, "at": time.time()}
    state.insert("cache", row, "OR REPLACE")


def others(state: State, kind: str, key: str, identity: str, most: int) -> list[bytes]:
    """The last values of a kind and identity that other keys have, the newest first."""
    sql = "SELECT value FROM cache WHERE kind = ? AND key <> ? AND identity = ? ORDER BY at DESC LIMIT ?"
    return state.column(sql, (kind, key, identity, most))


def identity_of(state: State, kind: str, key: str) -> str | None:
    """What the stored value was made from."""
    sql = "SELECT identity FROM cache WHERE kind = ? AND key = ?"
    found: str | None = state.value(sql, (kind, key))
    return found


def packed(data: Mapping[str, Any]) -> bytes:
    """`data` as compressed JSON, records in it as objects.

    A list's items a few at a time: `json.dumps` of the whole would for a moment take ten times the memory of its result.
    Without its check for circular references, a tenth of the time: what came from JSON, or is a record, cannot hold itself.
    """
    encode = json.JSONEncoder(separators=(",", ":"), default=vars, check_circular=False).encode
    out, compressor = bytearray(), zlib.compressobj(1)

    def add(text: str) -> None:
        out.extend(compressor.compress(text.encode()))

    for at, (name, value) in enumerate(data.items()):
        add(f"{',' if at else '{'}{encode(name)}:")
        if isinstance(value, list | tuple):
            for place in range(0, len(value), _ITEMS):
                add(f"{',' if place else '['}{encode(value[place : place + _ITEMS])[1:-1]}")
            add("]" if value else "[]")
        else:
            add(encode(value))
    add("}")
    return bytes(out + compressor.flush())


def unpacked(raw: bytes | None) -> dict[str, Any]:
    """What was packed; nothing where it is damaged or not there, for all of it can be read again."""
    try:
        found: dict[str, Any] = json.loads(zlib.decompress(raw or b""))
    except (ValueError, zlib.error):
        return {}
    return found


def settings(state: State, project: str, environ: Mapping[str, str]) -> Settings:
    """The settings in force for a hook: the copy kept here where it is fresh, else read anew. Of a file or variable with an
    error only what can be used counts; `status` and `doctor` say what is wrong with it.
    """
    project_file, user_file = paths.project_config(project), paths.user_config(state.home_dir)
    files = [file_identity(path) for path in (project_file, user_file)]
    variables = [f"{name}={environ[name]}" for name in setting_variables(environ)]
    if not any(files) and not variables:
        return Settings()
    trusted = identity_of(state, TRUST, project_file) or "-"
    # An upgrade may know other settings, and read other values from the same files.
    identity = "\x1e".join((paths.__file__, *Settings._fields, *files, trusted, *variables))
    kept = get(state, "settings", project_file, identity)
    try:
        return Settings.from_json(json.loads(kept or b""))
    except ValueError:
        pass  # there is none, or it is damaged
    found = configuration(state, project, environ).settings
    put(state, "settings", project_file, identity, json.dumps(found.to_json()).encode())
    return found


def in_force(
    state: State, session_id: str, now: Settings, *, turn_over: bool, stop: bool
) -> tuple[Settings, bool]:
    """The settings that judge a session, and whether a stop is the first to find others. What changes while Claude is at work
    may be its own doing and waits for the next session; what changes when a turn is over is the person's and counts at once.
    """
    sql = "SELECT value, identity FROM cache WHERE kind = 'in force' AND key = ?"
    kept, refused = state.one(sql, (session_id,)) or (b"", "")
    found = json.dumps({name: getattr(now, name) for name in JUDGING}, default=dict)
    try:
        held = Settings.from_json(now.to_json() | json.loads(kept))
    except ValueError:  # the session begins, or the copy is damaged
        turn_over, held = True, now
    if turn_over and found != refused:
        if (kept, refused) != (found.encode(), ""):
            put(state, "in force", session_id, "", found.encode())
        return now, False
    news = stop and held != now and found != refused
    if news:
        put(state, "in force", session_id, found, kept)
    return held, news


def configuration(
    state: State, project: str, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None
) -> "Config":
    """A project's configuration, with its own file as far as the person trusts it."""
    from ace_reflect import config  # pydantic and YAML: for a hook only where something changed

    trusted = partial(identity_of, state, TRUST)
    return config.load(project, state.home_dir, environ, flags=flags, trusted=trusted)


def file_identity(path: str) -> str:
    """Device, inode, size and mtime; "" for a file that is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def claim(state: State, event: str, payload: bytes, transcript: str) -> bool:
    """Whether this process is the one that answers the event: it may be registered twice, as a plugin and in settings.json."""
    now, key, file = time.time(), _key(event, payload), file_identity(transcript)
    with state.transaction():
        sql = "SELECT at, identity FROM cache WHERE kind = 'claim' AND key = ?"
        at, file_then = state.one(sql, (key,)) or (0.0, "-")
        recent = abs(now - at) < _WINDOW_S  # a clock may jump back
        # The host starts all entries of an event at once and calls again only when they have answered: what was claimed
        # after this process began was claimed by its twin. The transcript does not matter there: the host may still be
        # writing to it while one entry looks and then the other.
        if recent and (file == file_then or processes.began(_SLOW_START_S) < at):
            return False
        put(state, "claim", key, file, b"")
    return True


def blocked(state: State, payload: bytes) -> None:
    """A stop is answered with a block now: an equal payload in a process that starts later is a new event."""
    sql = "UPDATE cache SET at = ?, identity = '-' WHERE kind = 'claim' AND key = ?"
    state.run(sql, (time.time() - _TICK_S, _key("Stop", payload)))


def _key(event: str, payload: bytes) -> str:
    return f"{event}:{len(payload)}:{zlib.crc32(payload):08x}"


def decided(state: State, payload: bytes, *, needs_model: bool) -> None:
    """The first entry has decided on a stop."""
    put(state, "decision", _key("Stop", payload), "", b"model" if needs_model else b"")


def needs_model(state: State, payload: bytes, *, since: float) -> bool | None:
    """Whether the first entry left a stop to a model; None while it has decided nothing from `since` (1970) on."""
    sql = "SELECT value <> x'' FROM cache WHERE kind = 'decision' AND key = ? AND at >= ?"
    found: int | None = state.value(sql, (_key("Stop", payload), since))
    return None if found is None else bool(found)
