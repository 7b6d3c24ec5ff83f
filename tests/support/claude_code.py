"""
The real Claude Code CLI in a home of its own, with a scripted model behind loopback HTTP.

    host = ClaudeCode(tmp_path)
    host.install()                                   # our hooks, through the real `ace-reflect install`
    host.api.enqueue({"tool": "Bash", "input": {"command": "ls"}}, "Done.")
    host.prompt("look around")                       # print mode
    with host.terminal() as screen:                  # the terminal UI, under tmux
        screen.say("look around"); screen.wait_for("Done.")
"""

import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.api_script import _Turns
from support.messages_api import MessagesApi
from support.programs import commit_all, ran

ROOT = Path(__file__).resolve().parent.parent.parent
BIN = Path(sys.executable).parent
#: How this machine reaches its package index; the plugin makes its environment with them.
_PACKAGES = {
    k: v
    for k, v in os.environ.items()
    if k.upper().startswith(("PIP_", "UV_", "SSL_CERT", "REQUESTS_CA", "HTTPS_PROXY", "NO_PROXY"))
}
POINT = {"name": "pat-001", "text": "Reproduce a bug with a failing test first.", "helpful": 1, "harmful": 0}  # fmt: skip
#: Read before the fixture that clears the environment.
CLAUDE = os.environ.get("CLAUDE_BIN") or str(ROOT / ".cache/claude-code/node_modules/.bin/claude")


def claude_command() -> str:
    """The CLI's path: `$CLAUDE_BIN`, else where `.ci/run` puts it. A missing CLI is a failure, never a skip."""
    assert os.access(CLAUDE, os.X_OK), (
        f"no Claude Code CLI at {CLAUDE}: run .ci/run once, or set CLAUDE_BIN"
    )
    return CLAUDE


def eventually(claim: Callable[[], Any], *, within_s: float = 20.0, says: str = "") -> Any:
    """Wait until `claim()` is true; returns its value."""
    end = time.monotonic() + within_s
    while True:
        value = claim()
        if value:
            return value
        assert time.monotonic() < end, f"not within {within_s} s: {says or claim}"
        time.sleep(0.05)


class ClaudeCode:
    """One person's home, one project, one scripted model."""

    def __init__(self, folder: Path, *, with_tests: bool = True) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        (self.home / ".claude").mkdir(parents=True)
        self.api = MessagesApi()
        self.command = claude_command()
        make_project(self.project, with_tests=with_tests)
        self._trust()

    # -- what stands there

    @property
    def ace_home(self) -> Path:
        return self.home / ".claude" / "ace-reflect"

    @property
    def settings(self) -> Path:
        return self.home / ".claude" / "settings.json"

    def environment(self, **extra: str) -> dict[str, str]:
        """A clean one: no login, no setting and no key of the person who runs the tests."""
        return {
            **_PACKAGES,
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/bash",
            "TERM": "xterm-256color",
            "ANTHROPIC_API_KEY": "sk-fake",
            "ANTHROPIC_BASE_URL": self.api.url,
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "ACE_REFLECT_RETRY_BASE_S": "0.05",
            "IS_SANDBOX": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            **extra,
        }

    def _trust(self) -> None:
        known = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": ["sk-fake"], "rejected": []},
            "projects": {str(self.project): {"hasTrustDialogAccepted": True}},
        }
        (self.home / ".claude.json").write_text(json.dumps(known))

    # -- what is done

    def ace(
        self, *arguments: str, check: bool = True, **extra: str
    ) -> subprocess.CompletedProcess[str]:
        """Run our own command in this home."""
        place = {"cwd": self.project, "env": self.environment(**extra)}
        done = ran(BIN / "ace-reflect", *arguments, timeout=120, **place)
        assert not check or done.returncode == 0, done.stderr
        return done

    def with_playbook(self) -> None:
        path = self.project / ".claude" / "playbook.json"
        path.parent.mkdir(exist_ok=True)
        sections = {"PATTERNS & APPROACHES": [POINT]}
        path.write_text(json.dumps({"version": "1.0", "last_updated": None, "sections": sections}))

    def answers(self, match: dict[str, str], *turns: Any) -> None:
        """What requests of another kind than the session's own are answered with."""
        self.api.script._rules.append((match, _Turns({"turns": list(turns)})))

    def install(self, *flags: str) -> None:
        self.ace("install", "--yes", *flags)

    def prompt(
        self, text: str, *flags: str, check: bool = True, **extra: str
    ) -> subprocess.CompletedProcess[str]:
        """One run of `claude -p`."""
        done = self.start(text, *flags, **extra)
        out, err = done.communicate(timeout=150)
        assert not check or done.returncode == 0, (done.returncode, out, err)
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    def start(self, text: str, *flags: str, **extra: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [self.command, "-p", text, "--dangerously-skip-permissions", *flags],
            cwd=self.project,
            env=self.environment(**extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @contextmanager
    def terminal(self, *flags: str, **extra: str) -> Iterator["Terminal"]:
        terminal = Terminal(
            self, ["--dangerously-skip-permissions", *flags], self.environment(**extra)
        )
        try:
            yield terminal
        finally:
            terminal.close()

    def close(self) -> None:
        self.api.close()

    # -- what came of it

    def transcripts(self) -> list[Path]:
        found = (self.home / ".claude" / "projects").glob("*/*.jsonl")
        return sorted(found, key=lambda path: path.stat().st_mtime)

    def lines(self, transcript: Path | None = None) -> list[dict[str, Any]]:
        path = transcript or self.transcripts()[-1]
        return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]

    def log(self) -> list[dict[str, Any]]:
        path = self.ace_home / "log.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def playbook(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads((self.project / ".claude" / "playbook.json").read_text())
        return data

    def point(self, name: str) -> dict[str, Any]:
        points = (point for section in self.playbook()["sections"].values() for point in section)
        return next(point for point in points if point["name"] == name)

    def verdict(self) -> tuple[bool, str]:
        """`complete` and the end state, as other tools read them."""
        (path,) = (self.project / ".reflection").glob("verdict_*.json")
        found = json.loads(path.read_text())
        return found["complete"], found["endState"]

    def asked(self) -> list[str]:
        """Each main request's messages as one text."""
        return [json.dumps(one.body["messages"], ensure_ascii=False) for one in self.api.asked]

    def blocks(self) -> list[str]:
        """The feedback that the last session was given at its stops."""
        found = []
        for line in self.lines():
            content = line.get("message", {}).get("content") if line.get("type") == "user" else None
            if isinstance(content, str) and content.startswith("Stop hook feedback:\n"):
                found.append(content.removeprefix("Stop hook feedback:\n"))
        return found

    def learned(self, jobs: int = 1) -> None:
        """Wait until at least so many jobs are done and none waits or runs."""

        def done() -> bool:
            found = json.loads(self.ace("queue", "list", "--json").stdout)["jobs"]
            return len(found) >= jobs and all(
                job["state"] not in {"queued", "running"} for job in found
            )

        eventually(done, within_s=40, says="the queue is empty")


class Terminal:
    """The host's terminal UI under a tmux server of its own."""

    def __init__(
        self, host: ClaudeCode, flags: list[str], environ: dict[str, str], prompt: str = "❯"
    ) -> None:
        self._server = f"ace-{uuid.uuid4().hex[:8]}"
        assert shutil.which("tmux"), "tmux is needed: .ci/run installs it"
        command = ["env", "-i", *(f"{k}={v}" for k, v in environ.items()), host.command, *flags]
        begin = "-f /dev/null new-session -d -s m -x 120 -y 60 -c".split()
        self._tmux(*begin, str(host.project), *command)
        self.wait_for(prompt, within_s=30)
        time.sleep(1.0)  # the host takes no typing for a moment after its first screen

    def _tmux(self, *arguments: str) -> str:
        return str(ran("tmux", "-L", self._server, *arguments, timeout=20).stdout)

    def keys(self, *names: str) -> None:
        self._tmux("send-keys", "-t", "m", *names)

    def say(self, text: str) -> None:
        self._tmux("send-keys", "-t", "m", "-l", text)
        time.sleep(0.4)
        self.keys("Enter")

    def screen(self, *flags: str) -> str:
        return self._tmux("capture-pane", "-p", "-J", "-S", "-300", *flags, "-t", "m")

    def wait_for(self, text: str, *, within_s: float = 30.0) -> None:
        end = time.monotonic() + within_s
        while text not in self.screen():
            assert time.monotonic() < end, (
                f"{text!r} did not appear within {within_s} s:\n{self.screen()}"
            )
            time.sleep(0.1)

    def leave(self) -> None:
        """`/exit`, and wait until the host is gone."""
        self.say("/exit")
        eventually(lambda: not self._tmux("list-sessions"), within_s=15, says="the host has left")

    def close(self) -> None:
        self._tmux("kill-server")


def make_project(folder: Path, *, with_tests: bool = True) -> None:
    """A small git repository whose tests run in a moment with `python -m pytest -q`."""
    folder.mkdir(parents=True)
    (folder / "slugs.py").write_text(
        "def slug(title):\n    return title.lower().replace(' ', '-')\n"
    )
    (folder / ".gitignore").write_text("__pycache__/\n.pytest_cache/\n")
    if with_tests:
        (folder / "tests").mkdir()
        (folder / "tests" / "test_slugs.py").write_text(
            "from slugs import slug\n\n\ndef test_slug():\n    assert slug('A b') == 'a-b'\n"
        )
        (folder / "pyproject.toml").write_text(
            '[project]\nname = "slugs"\nversion = "1"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\naddopts = "-p no:cacheprovider"\n'
        )
    commit_all(folder)


def edit(
    host: ClaudeCode, old: str = "title.lower()", new: str = "title.casefold()"
) -> list[dict[str, Any]]:
    """The turns of a scripted model that reads and edits the project's module."""
    path = str(host.project / "slugs.py")
    return [
        {"tool": "Read", "input": {"file_path": path}},
        {"tool": "Edit", "input": {"file_path": path, "old_string": old, "new_string": new}},
    ]


def bash(command: str, **more: Any) -> dict[str, Any]:
    return {"tool": "Bash", "input": {"command": command, "description": "Run it", **more}}


RUN_TESTS = bash("python -m pytest -q")
