"""
Runs the hooks as Claude Code does: a process each, one JSON object on stdin, a clean environment.

`Host` is a machine of its own: a home, a project, transcripts. It knows which processes were started with its home, so
that a test leaves none behind.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.install.registration import MARK
from ace_reflect.state.db import State, open_state
from support.nursery import Nursery
from support.programs import ran

HOOKS = Path(__file__).resolve().parents[2] / "hooks"
SCRIPTS = {
    "UserPromptSubmit": "user_prompt_submit.py", "Stop": "stop.py", "PreCompact": "pre_compact.py",
    "SubagentStop": "subagent_stop.py",    "SessionStart": "session_start.py", "SessionEnd": "session_end.py",
}  # fmt: skip
#: The same, to be called in the test's own process.
MAINS = {event: import_module(f"ace_reflect.hooks.{script[:-3]}").main for event, script in SCRIPTS.items()}  # fmt: skip


@dataclass(frozen=True)
class Answered:
    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on stdout; {} for silence. Fails where stdout holds anything else."""
        if not self.stdout:
            return {}
        value = json.loads(self.stdout)
        assert isinstance(value, dict)
        return value

    @property
    def context(self) -> str:
        return str(self.json.get("hookSpecificOutput", {}).get("additionalContext", ""))


@dataclass
class Host:
    root: Path
    session_id: str = "5e55105e-0000-4000-8000-000000000001"
    environ: dict[str, str] = field(default_factory=dict)
    _prompts: int = 0

    def __post_init__(self) -> None:
        for folder in (self.home.parent, self.project / ".claude", self.transcripts):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def home(self) -> Path:
        return self.root / "claude" / "ace-reflect"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def transcripts(self) -> Path:
        return self.root / "claude" / "projects" / "-project"

    @property
    def playbook(self) -> Path:
        return self.project / ".claude" / "playbook.json"

    def transcript(self, session_id: str | None = None) -> Path:
        return self.transcripts / f"{session_id or self.session_id}.jsonl"

    def state(self) -> State:
        return open_state(str(self.home))

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root),
            "LANG": "C.UTF-8",
            "ACE_REFLECT_HOME": str(self.home),
            "CLAUDE_PROJECT_DIR": str(self.project),
            **self.environ,
            **more,
        }

    def payload(self, event: str, **fields: Any) -> dict[str, Any]:
        session_id = fields.pop("session_id", self.session_id)
        return {
            "session_id": session_id,
            "transcript_path": str(self.transcript(session_id)),
            "cwd": str(self.project),
            "hook_event_name": event,
            **fields,
        }

    def hook(
        self, event: str, *, raw=None, env=None, script=False, starts=True, **fields: Any
    ) -> Answered:
        """
        Run one hook to its end, in a process that has all imported. `script`: as Claude Code starts it; without `starts`
        what it starts in the background ends at once.
        """
        data = json.dumps(self.payload(event, **fields)).encode() if raw is None else raw
        environ = self.environment(**(env or {}))
        if script:
            return self.script(SCRIPTS[event], data, environ)
        child = self._nursery.hook(event, data, env=environ, starts=starts)
        return Answered(child.code, child.out, child.err)

    def script(self, name: str, data: bytes, environ: dict[str, str], *arguments: str) -> Answered:
        command = [sys.executable, "-I", HOOKS / name, *arguments, MARK]
        options = {"input": data, "env": environ, "cwd": self.project, "timeout": 100}
        done = ran(*command, text=False, **options)
        return Answered(done.returncode, done.stdout.decode(), done.stderr.decode())

    @cached_property
    def _nursery(self) -> Nursery:
        return Nursery({}, self.project)

    def prompt(self, text: str, **fields: Any) -> Answered:
        """A new human prompt, with an id of its own."""
        self._prompts += 1
        given = {"prompt": text, "prompt_id": f"prompt-{self._prompts}", **fields}
        return self.hook("UserPromptSubmit", **given)

    def write_playbook(self, sections: dict[str, Any], path: Path | None = None) -> Path:
        target = path or self.playbook
        target.parent.mkdir(parents=True, exist_ok=True)
        book = {"version": "1.0", "last_updated": None, "sections": sections}
        target.write_text(json.dumps(book, indent=2) + "\n")
        return target

    def log(self) -> list[dict[str, Any]]:
        path = self.home / "log.jsonl"
        text = path.read_text() if path.exists() else ""
        return [json.loads(line) for line in text.split("\n") if line]

    def counters(self, name: str, path: Path | None = None) -> tuple[int, int]:
        """(helpful, harmful) of a key point in the playbook file."""
        data = json.loads((path or self.playbook).read_text())
        every = (point for rows in data["sections"].values() for point in rows)
        points = [point for point in every if point["name"] == name]
        assert len(points) == 1, f"{name} stands {len(points)} times in the playbook"
        return points[0]["helpful"], points[0]["harmful"]

    def processes(self) -> list[int]:
        """Every process that runs with this host's home."""
        wanted = os.fsencode(f"ACE_REFLECT_HOME={self.home}")
        found = []
        for pid in {int(name) for name in os.listdir("/proc") if name.isdecimal()} - {os.getpid()}:
            with suppress(OSError):
                if wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    found.append(pid)
        return found

    def wait_for_workers(self, timeout_s: float = 60.0) -> None:
        """Wait until nothing that the hooks started runs any more."""
        give_up = time.monotonic() + timeout_s
        while self.processes() or _being_born():
            assert time.monotonic() < give_up, "a worker is still running"
            time.sleep(0.02)

    def close(self) -> None:
        """End what is left; nothing should be."""
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _being_born(younger_than_s: float = 3.0) -> bool:
    """Whether any process is in the moment of its exec, in which it has no environment to be known by."""
    now = time.clock_gettime(time.CLOCK_BOOTTIME)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            if (entry / "environ").read_bytes():
                continue
            state, parent, *_rest = fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        born = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        if state != "Z" and parent not in {"0", "2"} and now - born < younger_than_s:
            return True
    return False


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A machine of its own; what its hooks started is ended with the test."""
    made = Host(tmp_path)
    yield made
    made.close()
