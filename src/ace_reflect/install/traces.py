"""What of ours stands outside of the hooks' registration, and how it is deleted for good."""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import ConfigError, StateError
from ace_reflect.state import sessions
from ace_reflect.state.db import open_state

#: All that is ever written into `<home>`. Nothing else is deleted: ACE_REFLECT_HOME may name a folder that holds more.
_IN_HOME = ("state.db*", "playbook.json*", "reflection.yaml", "log.jsonl*", "crash.log", "*.lock")
_HELD = {
    "playbook.json": "your playbook",
    "reflection.yaml": "your settings",
    "projects": "the key points of projects",
    "log.jsonl": "the log",
    "state.db": "state.db, which holds your prompts",
}
_FOLDERS = ("bin", "diagnostic", "history", "locks", "projects")


def left_behind(
    settings: Mapping[str, Any], path: str, environ: Mapping[str, str]
) -> dict[str, str]:
    """What an uninstall leaves, by path, each with what it is; only what is there. `settings` are those of the file `path`."""
    home = paths.home(environ)
    held = [what for name, what in _HELD.items() if os.path.exists(os.path.join(home, name))]
    found = {home: ", ".join(held)} if held else {}
    with suppress(StateError):
        if os.path.exists(paths.state_db(home)):
            with open_state(home) as state:
                projects = sessions.projects(state)
            for project in projects:
                found[paths.artifacts_dir(project)] = "the verdicts of its stops"
                found[paths.project_playbook(project)] = "its key points"
    left = {place: what for place, what in found.items() if os.path.exists(place)}
    if "ace-reflect" in str(settings.get("statusLine")):
        left[path] = "its `statusLine`, which calls ace-reflect"
    return left


def delete(left: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Delete for good what `left_behind` found, but for the settings file. Raises ConfigError where that cannot be done."""
    home = Path(paths.home(environ))
    try:
        for place in {home, *map(Path, left)}:
            if place == home:
                gone = [item for pattern in (*_IN_HOME, *_FOLDERS) for item in home.glob(pattern)]
            else:
                gone = [place] * (place.name in {".reflection", "playbook.json"})
            for item in gone:
                shutil.rmtree(item) if item.is_dir() else item.unlink()
        with suppress(OSError):
            home.rmdir()  # goes only where nothing else stands in it
    except OSError as error:
        raise ConfigError(f"{error.filename}: could not be deleted ({error.strerror})") from None
