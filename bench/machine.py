"""A machine of its own for the hooks: a home, a project, a playbook, a transcript; and its state, to go back to."""

import json
import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from corpus import ROOT
from processes import Sample, run

from ace_reflect.install.registration import MARK

SESSION = "5e55105e-0000-4000-8000-000000000001"
SCRIPTS = {
    "UserPromptSubmit": "user_prompt_submit.py",
    "Stop": "stop.py",
    "PreCompact": "pre_compact.py",
    "SessionStart": "session_start.py",
    "SessionEnd": "session_end.py",
}
SECTIONS = (
    "PATTERNS & APPROACHES",
    "MISTAKES TO AVOID",
    "USER PREFERENCES",
    "PROJECT CONTEXT",
    "OTHERS",
)
SLUGS = ("pat", "mis", "pref", "ctx", "oth")
_WORDS = [
    "run",
    "make",
    "test",
    "before",
    "commit",
    "use",
    "pnpm",
    "instead",
    "of",
    "npm",
    "keep",
    "migrations",
    "small",
    "never",
    "edit",
    "generated",
    "files",
    "parser",
    "config",
    "timeout",
    "retry",
    "cache",
    "lock",
    "worker",
    "schema",
    "endpoint",
    "fixture",
    "snapshot",
    "typing",
    "branch",
    "release",
    "docker",
    "compose",
    "postgres",
    "redis",
    "queue",
    "handler",
    "router",
    "component",
    "hook",
    "store",
    "reducer",
    "token",
    "session",
    "cookie",
    "header",
    "proxy",
    "gateway",
    "deploy",
    "rollback",
    "flag",
]


@dataclass
class Machine:
    root: Path
    python: str = sys.executable
    hooks: Path = ROOT / "hooks"
    more: dict[str, str] = field(default_factory=dict)  # variables

    def __post_init__(self) -> None:
        for folder in (self.home, self.project / ".claude", self.transcripts):
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

    def transcript(self, session: str = SESSION) -> Path:
        return self.transcripts / f"{session}.jsonl"

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root),
            "LANG": "C.UTF-8",
            "ACE_REFLECT_HOME": str(self.home),
            "CLAUDE_PROJECT_DIR": str(self.project),
            **self.more,
        }

    def payload(self, event: str, session: str = SESSION, **fields: Any) -> bytes:
        return json.dumps(
            {
                "session_id": session,
                "transcript_path": str(self.transcript(session)),
                "cwd": str(self.project),
                "permission_mode": "acceptEdits",
                "hook_event_name": event,
                **fields,
            }
        ).encode()

    def hook(self, event: str, session: str = SESSION, **fields: Any) -> Sample:
        """One hook as the host starts it."""
        return run(
            self.command(event),
            self.environ,
            self.payload(event, session, **fields),
            str(self.project),
        )

    def command(self, event: str) -> tuple[str, ...]:
        return (self.python, "-I", str(self.hooks / SCRIPTS[event]), MARK)

    def playbook(self, points: int) -> None:
        """A playbook of so many key points, of 8 to 25 words."""
        draw = Random(points)
        sections: dict[str, list[dict[str, Any]]] = {name: [] for name in SECTIONS}
        for number in range(points):
            at = number % len(SECTIONS)
            text = (
                " ".join(draw.choice(_WORDS) for _ in range(draw.randint(8, 25)))
                + f" in module{number % 97}"
            )
            point = {
                "name": f"{SLUGS[at]}-{number:03d}",
                "text": text,
                "helpful": draw.randint(0, 9),
                "harmful": draw.randint(0, 2),
            }
            sections[SECTIONS[at]].append(point)
        book = {"version": "1.0", "last_updated": None, "sections": sections}
        (self.project / ".claude" / "playbook.json").write_text(json.dumps(book, indent=2) + "\n")

    def checkout(self) -> None:
        """Some files, so that there is a project to read."""
        (self.project / "src").mkdir(exist_ok=True)
        (self.project / "tests").mkdir(exist_ok=True)
        (self.project / "pyproject.toml").write_text(
            '[project]\nname = "demo"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
        )
        (self.project / "tests" / "test_demo.py").write_text("def test_demo():\n    assert True\n")
        (self.project / "CLAUDE.md").write_text("# Demo\n\nRun `pytest -q` before you are done.\n")
        (self.project / ".git").mkdir(exist_ok=True)
        (self.project / ".reflection").mkdir(
            exist_ok=True
        )  # the first stop ever makes it; this is about all others
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    # The state to go back to between two samples.

    def keep(self) -> None:
        kept = self.root / "kept"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.home, kept)

    def go_back(self) -> None:
        for name in os.listdir(self.home):
            place = self.home / name
            if place.is_file():
                place.unlink()
        for place in (self.root / "kept").iterdir():
            if place.is_file():
                shutil.copyfile(place, self.home / place.name)

    def wait_for_workers(self) -> None:
        """What the hooks started is not part of the next sample."""
        import time

        wanted = f"ACE_REFLECT_HOME={self.home}".encode()
        while any(
            _has(entry, wanted) for entry in Path("/proc").iterdir() if entry.name.isdecimal()
        ):
            time.sleep(0.02)


def _has(entry: Path, wanted: bytes) -> bool:
    if entry.name == str(os.getpid()):
        return False
    try:
        return wanted in (entry / "environ").read_bytes().split(b"\0")
    except OSError:
        return False
