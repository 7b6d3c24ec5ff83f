"""The registered Stop hook played through: a bad stop is blocked, a good one stands."""

import json
import subprocess
import tempfile
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ace_reflect import paths
from ace_reflect.install.hook_checks import Check, Command

#: Whether tests ran after the edit, what is proved by it, and what the session was.
_SESSIONS = (
    (False, "a bad stop is blocked", "an edit that no test run proved"),
    (True, "a good stop passes", "an edit and a passing test run"),
)
_ASKED, _DONE = "Make slugs keep their digits.", "Done: slugs keep their digits."

Json = dict[str, Any]


def paths_proved(commands: list[Command], environ: Mapping[str, str]) -> list[Check]:
    """Give the registered Stop command a stop that must be blocked and one that must stand."""
    stops = [command for command in commands if command.script == "stop.py"]
    stop = next((command for command in stops if command.may_be_run), None)
    if stop is None:
        fix = "Look at it; `ace-reflect install` registers this one."
        starts = [f"{c.source} settings start {c.argv[0]} {c.place}" for c in stops[:1]]
        says = "not tried: the {}, which is not this installation"
        return [Check("proof", "note", says.format(each), fix) for each in starts]
    checks = []
    for tested, name, what in _SESSIONS:
        blocked = rehearse(stop, environ, tested=tested).get("decision") == "block"
        says = f"a stop after {what} {'is blocked' if blocked else 'stands'}"
        fix = "Run `ace-reflect install` again; if it stays, please report it."
        right = Check(f"proof: {name}", "ok", says)
        checks.append(right if blocked is not tested else right._replace(state="wrong", fix=fix))
    return checks


def rehearse(command: Command, environ: Mapping[str, str], *, tested: bool) -> Json:
    """The hook's answer to a session of its own, {} where it fails, with a home of its own."""
    with tempfile.TemporaryDirectory(prefix="ace-reflect-doctor-") as folder:
        payload = write_session(Path(folder), tested=tested)
        home = Path(folder) / "home"
        home.mkdir()
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
    """Write a small project and the transcript of an edit, as the newest host does; the stop's payload."""
    project, session_id = folder / "project", str(uuid.uuid4())
    (project / "tests").mkdir(parents=True)
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (project / "slug.py").write_text("def slug(text):\n    return text.casefold()\n")
    (project / "tests" / "test_slug.py").write_text("def test_slug():\n    pass\n")
    transcript, place = folder / f"{session_id}.jsonl", {"cwd": str(project)}
    head = {**place, "sessionId": session_id, "version": "2.1.330", "isSidechain": False}
    lines = [
        {**head, "uuid": str(uuid.uuid4()), "timestamp": f"2026-01-01T00:00:0{number}.000Z", **line}
        for number, line in enumerate(_lines(str(project / "slug.py"), tested=tested))
    ]
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ids = {"session_id": session_id, "transcript_path": str(transcript), "hook_event_name": "Stop"}
    return {**place, **ids, "last_assistant_message": _DONE, "background_tasks": []}


def _lines(path: str, *, tested: bool) -> list[Json]:
    """What the person, the agent and its tools wrote."""
    edit = {"file_path": path, "old_string": "lower()", "new_string": "casefold()"}
    edited = {"filePath": path, "oldString": "lower()", "newString": "casefold()"}
    says = f"The file {path} has been updated successfully."
    lines = [
        _line("user", _ASKED, origin={"kind": "human"}, promptSource="typed"),
        *_call("Edit", edit, says, {**edited, "structuredPatch": []}),
    ]
    if tested:
        ran = {"stdout": "3 passed in 0.02s", "stderr": "", "interrupted": False}
        lines += _call("Bash", {"command": "pytest -q"}, ran["stdout"], ran)
    return [*lines, _line("assistant", [{"type": "text", "text": _DONE}])]


def _line(role: str, content: object, **more: object) -> Json:
    return {"type": role, "message": {"role": role, "content": content}, **more}


def _call(tool: str, given: Json, says: object, details: Json) -> list[Json]:
    use = {"type": "tool_use", "id": f"toolu_{tool}", "name": tool, "input": given}
    result = {"type": "tool_result", "tool_use_id": f"toolu_{tool}", "content": says}
    return [_line("assistant", [use]), _line("user", [result], toolUseResult=details)]
