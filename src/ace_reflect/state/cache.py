"""
Small values kept by what they were made from (a model's answer, a project's facts, the settings in force for a hook); and
which project configurations the person has looked at and trusts, by the hash of what they saw.
"""

import json
import os
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ace_reflect import paths
from ace_reflect.settings import Settings, setting_variables
from ace_reflect.state.db import State

if TYPE_CHECKING:
    from ace_reflect.config import Config

#: Kind, by session and the prompt's row: the category that a model gave the task. `assess.routing` writes it.
ROUTE = "route"


def get(state: State, kind: str, key: str, identity: str) -> bytes | None:
    """The value stored for exactly this identity, else None."""
    sql = "SELECT value FROM cache WHERE kind = ? AND key = ? AND identity = ?"
    value = state.value(sql, (kind, key, identity))
    return None if value is None else bytes(value)


def put(state: State, kind: str, key: str, identity: str, value: bytes) -> None:
    """Keep one value for each (kind, key); an older identity's is replaced."""
    row = {"kind": kind, "key": key, "identity": identity, "value": value, "at": time.time()}
    state.insert("cache", row, "OR REPLACE")


def settings(state: State, project: str, environ: Mapping[str, str]) -> Settings:
    """
    The settings in force for a hook: the copy kept here where it is fresh, else read anew. Of a file or variable with an
    error only what can be used counts; `status` and `doctor` say what is wrong with it.
    """
    project_file, user_file = paths.project_config(project), paths.user_config(state.home_dir)
    files = [file_identity(path) for path in (project_file, user_file)]
    variables = [f"{name}={environ[name]}" for name in setting_variables(environ)]
    if not any(files) and not variables:
        return Settings()
    trusted = trusted_hash(state, project_file) or "-"
    # An upgrade may know other settings: what it reads from the same files is not what was kept.
    identity = "\x1e".join((paths.__file__, *Settings._fields, *files, trusted, *variables))
    kept = get(state, "settings", project_file, identity)
    try:
        return Settings.from_json(json.loads(kept or b""))
    except ValueError:
        pass  # there is none, or it is damaged
    found = configuration(state, project, environ).settings
    put(state, "settings", project_file, identity, json.dumps(found.to_json()).encode())
    return found


def first_settings(state: State, session_id: str, now: Settings) -> Settings:
    """Those that a session began with: `now` where it begins with this event, kept unless all is switched off."""
    try:
        return Settings.from_json(json.loads(get(state, "first", session_id, "") or b""))
    except ValueError:
        if now.enabled:
            put(state, "first", session_id, "", json.dumps(now.to_json()).encode())
        return now


def configuration(
    state: State, project: str, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None
) -> "Config":
    """A project's configuration, with its own file as far as the person trusts it."""
    from ace_reflect import config  # pydantic and YAML: for a hook only where something changed

    trusted = partial(trusted_hash, state)
    return config.load(project, state.home_dir, environ, flags=flags, trusted=trusted)


def file_identity(path: str) -> str:
    """Device, inode, size and time of change; "" for a file that is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def trusted_hash(state: State, path: str) -> str | None:
    found: str | None = state.value("SELECT hash FROM trust WHERE path = ?", (path,))
    return found


def trust(state: State, path: str, digest: str) -> None:
    state.insert("trust", {"path": path, "hash": digest, "at": time.time()}, "OR REPLACE")


def revoke_trust(state: State, path: str) -> bool:
    return state.run("DELETE FROM trust WHERE path = ?", (path,)) > 0
