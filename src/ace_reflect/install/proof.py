"""The registered Stop hook played through: a bad stop is blocked, a good one stands."""

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ace_reflect import paths
from ace_reflect.evals.session import Session
from ace_reflect.install import registration
from ace_reflect.install.hook_checks import Check, Command
from ace_reflect.install.settings_file import replace

#: Whether tests ran after the edit, what is proved by it, and what the session was.
_SESSIONS = (
    (False, "a bad stop is blocked", "an edit that no test run proved"),
    (True, "a good stop passes", "an edit and a passing test run"),
)
_DONE = "Done: slugs keep their digits."

Json = dict[str, Any]


def paths_proved(commands: list[Command], environ: Mapping[str, str]) -> list[Check]:
    """Give the registered Stop command a stop that must be blocked and one that must stand."""
    stops = [command for command in commands if command.script == "stop"]
    stop = next((command for command in stops if command.may_be_run), None)
    if stop is None:
        fix = "Look at it; `ace-reflect install` registers this one."
        starts = [f"{c.source} settings start {' '.join(c.argv)}" for c in stops[:1]]
        says = "not tried: the {}, which is not this installation"
        return [Check("proof", "note", says.format(each), fix) for each in starts]
    checks = []
    for tested, name, what in _SESSIONS:
        blocked = rehearse(stop, environ, tested=tested).get("decision") == "block"
        says = f"a stop after {what} {'is blocked' if blocked else 'stands'}"
        fix = "Run `ace-reflect install` again; if it persists, please report it."
        right = Check(f"proof: {name}", "ok", says)
        checks.append(right if blocked is not tested else right._replace(state="wrong", fix=fix))
    return checks


def rehearse(command: Command, environ: Mapping[str, str], *, tested: bool) -> Json:
    """The hook's answer to a session of its own, {} where it fails, with a home of its own."""
    with tempfile.TemporaryDirectory(prefix="ace-reflect-doctor-") as folder:
        payload = write_session(Path(folder), tested=tested)
        home = Path(folder) / "home"
        text = registration.launcher_text()
        if not command.source.startswith("plugin"):
            installed = Path(registration.launcher(paths.home(environ)))
            text = installed.read_text() if installed.exists() else ""
        replace(registration.launcher(str(home)), text.encode())
        # Reading one needs packages that a hook without it does not touch.
        Path(paths.user_config(str(home))).write_text("enabled: true\n")
        own = {k: v for k, v in environ.items() if not k.startswith(("ACE_REFLECT_", "CLAUDE_"))}
        try:
            done = subprocess.run(
                command.argv,
                input=json.dumps(payload).encode(),
                capture_output=True,
                timeout=60,
                cwd=folder,
                env={**own, "ACE_REFLECT_HOME": str(home)},
                check=False,
            )
            said = json.loads(done.stdout or b"{}")
        except (subprocess.TimeoutExpired, ValueError):
            said = {}
        return said if isinstance(said, dict) else {}


def write_session(folder: Path, *, tested: bool) -> Json:
    """Write a small project and the transcript of an edit in it; the stop's payload."""
    project, transcript = folder / "project", folder / "session.jsonl"
    (project / "tests").mkdir(parents=True)
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (project / "slug.py").write_text("def slug(text):\n    return text.casefold()\n")
    (project / "tests" / "test_slug.py").write_text("def test_slug():\n    pass\n")
    steps = [
        {"user": "Make slugs keep their digits."},
        {"edit": "slug.py", "old": "    text.lower()\n", "new": "    text.casefold()\n"},
        *[{"bash": "pytest -q", "out": "3 passed in 0.02s"}] * tested,
        {"say": _DONE},
    ]
    transcript.write_text("\n".join(Session(steps, str(project)).lines) + "\n")
    ids = {"session_id": "eval", "transcript_path": str(transcript), "hook_event_name": "Stop"}
    return {"cwd": str(project), **ids, "last_assistant_message": _DONE, "background_tasks": []}
