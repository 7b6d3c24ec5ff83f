"""What of ours stands outside of the hooks' registration, and how it is deleted for good."""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ace_reflect import paths
from ace_reflect.errors import StateError
from ace_reflect.install.settings_file import SettingsFile
from ace_reflect.state import sessions
from ace_reflect.state.db import open_state

#: All that is ever written into `<home>`. Nothing else is deleted: ACE_REFLECT_HOME may name a folder that holds more.
_IN_HOME = (
    *("state.db*", "playbook.json*", "reflection.yaml", "log.jsonl*", "crash.log", "*.lock"),
    *("report.db*", "report.html", "bin", "diagnostic", "history", "locks", "projects"),
)
_HELD = ("playbook.json", "reflection.yaml", "projects", "log.jsonl", "report.db", "report.html", "state.db")  # fmt: skip


def left_behind(of: SettingsFile, environ: Mapping[str, str]) -> dict[str, str]:
    """What an uninstall leaves, by path, each with what it is; only what is there."""
    home = paths.home(environ)
    held = [name for name in _HELD if os.path.exists(os.path.join(home, name))]
    prompts = ", which holds your prompts" * (held[-1:] == ["state.db"])
    found = {home: f"{', '.join(held)}{prompts}"} if held else {}
    with suppress(StateError):
        if os.path.exists(os.path.join(home, "state.db")):
            with open_state(home) as state:
                projects = sessions.projects(state)
                books = state.column("SELECT DISTINCT playbook FROM changes")
            # Of a project that only `learn` knows.
            found |= {it: "its key points" for it in books if it.endswith("/.claude/playbook.json")}
            for project in projects:
                found[paths.artifacts_dir(project)] = "the verdicts of its stops"
                found[paths.project_playbook(project)] = "its key points"
    left = {place: what for place, what in found.items() if os.path.exists(place)}
    if "ace-reflect" in str(of.data.get("statusLine")):
        left[of.path] = "its `statusLine`, which calls ace-reflect"
    return left


def delete(left: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Delete for good what `left_behind` found, but for the settings file. Raises OSError."""
    home = Path(paths.home(environ))
    gone = {item for pattern in _IN_HOME for item in home.glob(pattern)}
    gone |= {place for place in map(Path, left) if place.name in {".reflection", "playbook.json"}}
    for item in gone:
        shutil.rmtree(item) if item.is_dir() else item.unlink(missing_ok=True)
    with suppress(OSError):
        home.rmdir()  # goes only where nothing else stands in it
