"""Each provider behind the same scripted endpoint."""

import asyncio
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ace_reflect.llm.port import Model, Reply, Request
from ace_reflect.llm.registry import model_for
from ace_reflect.settings import Settings
from conftest import ROOT
from support import stand_in_claude
from support.messages_api import MessagesApi

KEY = "sk-test-0123456789abcdef"
#: Where the real Claude Code is (`.ci/run` puts it there); read before the tests' environment is cleaned.
REAL_CLAUDE = os.environ.get("CLAUDE_BIN") or str(
    ROOT / ".cache/claude-code/node_modules/.bin/claude"
)

#: What it is configured by, and the variable of its key.
PROVIDERS = {
    "anthropic": ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
    "openai": ("openai/gpt-5-mini", "OPENAI_API_KEY"),
    "named-endpoint": ("house/llama-9", "HOUSE_KEY"),
    "claude-code": ("claude-code/sonnet", "ANTHROPIC_API_KEY"),
    "real-claude-code": ("claude-code/sonnet", "ANTHROPIC_API_KEY"),
}
SDKS = [name for name in PROVIDERS if "claude-code" not in name]


class Provider:
    """One provider pointed at a scripted endpoint: how it is configured there, and what it can be held to."""

    def __init__(self, name: str, url: str, folder: Path) -> None:
        self.spec, self.variable = PROVIDERS[name]
        self.sdk = name in SDKS  # speaks HTTP in our process, so that every request is ours
        self.real = name == "real-claude-code"
        program = folder / "bin"  # outside this checkout: no program in it is ever started
        self.environ = {
            "ANTHROPIC_BASE_URL": url,
            "OPENAI_BASE_URL": url + "/v1",
            self.variable: KEY,
        }
        self.environ |= {"HOME": str(folder), "PATH": f"{program}:{os.environ['PATH']}"}
        self.environ["ACE_REFLECT_RETRY_BASE_S"] = "0.02"
        house = SimpleNamespace(base_url=url + "/v1", api_key_env="HOUSE_KEY")
        self.config = SimpleNamespace(endpoints={"house": house}, settings=Settings())
        if self.real:
            assert os.access(REAL_CLAUDE, os.X_OK), f"no CLI at {REAL_CLAUDE}: run .ci/run once"
            program.mkdir(exist_ok=True)
            (program / "claude").symlink_to(os.path.realpath(REAL_CLAUDE))
        elif not self.sdk:
            stand_in_claude.install(program)

    def model(self, **environ: str) -> Model:
        return model_for(self.spec, self.config, {**self.environ, **environ})

    def ask(self, prompt: str = "What happened?", **options: Any) -> Reply:
        environ = options.pop("environ", {})
        limits = {"deadline_s": 30.0, "attempt_s": 20.0, **options}
        return asyncio.run(self.model(**environ).ask(Request(prompt, "You answer.", **limits)))


REAL = pytest.param("real-claude-code", marks=pytest.mark.e2e)


@pytest.fixture(params=[*SDKS, "claude-code", REAL])
def provider(request: pytest.FixtureRequest, api: MessagesApi, tmp_path: Path) -> Provider:
    return Provider(request.param, api.url, tmp_path)


@pytest.fixture(params=SDKS)
def sdk_provider(request: pytest.FixtureRequest, api: MessagesApi, tmp_path: Path) -> Provider:
    """Those that speak HTTP in our process. What the CLI reads and where it follows is the CLI's own."""
    return Provider(request.param, api.url, tmp_path)
