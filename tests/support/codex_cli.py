"""
The real Codex CLI in a home of its own, with a scripted model behind loopback HTTP.

    host = Codex(tmp_path)
    host.install()                                   # our hooks, through the real `ace-reflect install --host codex`
    host.api.enqueue([PATCH], "Done.")
    host.run("make slugs fold case")                 # `codex exec`
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.claude_code import ROOT, ClaudeCode, make_project
from support.programs import ran
from support.responses_api import ResponsesApi

#: Read before the fixture that clears the environment.
CODEX = os.environ.get("CODEX_BIN") or str(ROOT / ".cache/codex/node_modules/.bin/codex")
_NEW = "*** Begin Patch\n*** Update File: slugs.py\n@@\n-    return title.lower().replace(' ', '-')\n+    return title.casefold().replace(' ', '-')\n*** End Patch\n"
#: Codex's shell is a login shell, which finds programs in its own way.
_TESTS = f"{sys.executable} -m pytest -q"
#: Calls of a model that has tools, and of one in code mode, which has only a script.
PATCH = {"custom": "apply_patch", "input": _NEW}
RUN_TESTS = {"call": "exec_command", "arguments": {"cmd": _TESTS, "yield_time_ms": 20_000}}


def script(*calls: str) -> dict[str, str]:
    return {"custom": "exec", "input": "\n".join(f"text(JSON.stringify(await tools.{call}));" for call in calls)}  # fmt: skip


PATCH_BY_SCRIPT = script(f"apply_patch({json.dumps(_NEW)})")
#: The same edit, wrong, and put right.
WRONG_BY_SCRIPT = script(f"apply_patch({json.dumps(_NEW.replace('casefold', 'upper'))})")
RIGHT_BY_SCRIPT = script(f"apply_patch({json.dumps(_NEW.replace('lower', 'upper'))})")
RUN_TESTS_BY_SCRIPT = script(f'exec_command({{cmd: "{_TESTS}", yield_time_ms: 20000}})')


class Codex(ClaudeCode):
    """One person's home, one project, one scripted model; what the two hosts share is ClaudeCode's."""

    def __init__(self, folder: Path, model: str) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.codex_home = self.home / ".codex"
        self.codex_home.mkdir(parents=True)
        self.api: Any = ResponsesApi()
        assert os.access(CODEX, os.X_OK), f"no Codex CLI at {CODEX}: run .ci/run once, or set CODEX_BIN"  # fmt: skip
        self.command = CODEX
        make_project(self.project)
        (self.codex_home / "config.toml").write_text(
            f'model = "{model}"\nmodel_provider = "fake"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
            f'[model_providers.fake]\nname = "fake"\nbase_url = "{self.api.url}"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n'
            f'request_max_retries = 0\nstream_max_retries = 0\n[projects."{self.project}"]\ntrust_level = "trusted"\n'
        )

    def environment(self, **extra: str) -> dict[str, str]:
        return super().environment(FAKE_KEY="sk-fake", CODEX_HOME=str(self.codex_home), **extra)

    def install(self, *flags: str) -> None:
        self.ace("install", "--host", "codex", "--yes", *flags)

    def run(self, *words: str, trusted: bool = True) -> "subprocess.CompletedProcess[str]":
        """One run of `codex exec`; `trusted`: as if the person had said yes to the hooks."""
        trust = ["--dangerously-bypass-hook-trust"] * trusted
        place = {"cwd": self.project, "env": self.environment()}
        return ran(self.command, "exec", *words, *trust, timeout=100, **place)

    def rollouts(self) -> list[Path]:
        return sorted((self.codex_home / "sessions").rglob("rollout-*.jsonl"))

    def texts(self, number: int = -1) -> str:
        """All that the model was sent in one request."""
        return json.dumps(self.api.asked[number]["input"], ensure_ascii=False)
