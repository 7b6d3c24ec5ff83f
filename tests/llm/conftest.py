"""Each provider behind the same scripted endpoint."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from ace_reflect.llm.port import Model, Reply, Request
from ace_reflect.llm.registry import model_for
from support import stand_in_claude
from support.messages_api import MessagesApi

KEY = "sk-test-0123456789abcdef"
#: Where the real Claude Code is (`.ci/run` puts it there); read before the tests' environment is cleaned.
REAL_CLAUDE = os.environ.get("CLAUDE_BIN") or str(
    Path(__file__).resolve().parents[2] / ".cache/claude-code/node_modules/.bin/claude"
)


class Provider:
    """One provider pointed at a scripted endpoint: how it is configured there, and what it can be held to."""

    def __init__(
        self, spec: str, environ: dict[str, str], *, variable: str, sdk: bool, real: bool = False
    ) -> None:
        self.spec = spec
        self.environ = {"ACE_REFLECT_RETRY_BASE_S": "0.02", "HOME": os.environ["HOME"], **environ}
        self.variable = variable
        self.sdk = sdk  # speaks HTTP in our process, so that every request is ours
        self.real = real
        self.config: object = None

    def model(self, **environ: str) -> Model:
        return model_for(self.spec, self.config, {**self.environ, **environ})

    def ask(self, prompt: str = "What happened?", **options: object) -> Reply:
        environ = options.pop("environ", {})
        assert isinstance(environ, dict)
        limits = {"deadline_s": 30.0, "attempt_s": 20.0, **options}
        return asyncio.run(self.model(**environ).ask(Request(prompt, "You answer.", **limits)))  # type: ignore[arg-type]


def _anthropic(url: str, _: Path) -> Provider:
    return Provider(
        "anthropic/claude-sonnet-4-5",
        {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url},
        variable="ANTHROPIC_API_KEY",
        sdk=True,
    )


def _openai(url: str, _: Path) -> Provider:
    return Provider(
        "openai/gpt-5-mini",
        {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url + "/v1"},
        variable="OPENAI_API_KEY",
        sdk=True,
    )


def _named(url: str, _: Path) -> Provider:
    provider = Provider("house/llama-9", {"HOUSE_KEY": KEY}, variable="HOUSE_KEY", sdk=True)
    provider.config = SimpleNamespace(
        endpoints={"house": SimpleNamespace(base_url=url + "/v1", api_key_env="HOUSE_KEY")}
    )
    return provider


def _claude_code(url: str, folder: Path) -> Provider:
    path = f"{stand_in_claude.install(folder / 'bin')}:{os.environ['PATH']}"
    environ = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url, "PATH": path}
    return Provider("claude-code/sonnet", environ, variable="ANTHROPIC_API_KEY", sdk=False)


def _real_claude_code(url: str, folder: Path) -> Provider:
    assert os.access(REAL_CLAUDE, os.X_OK), (
        f"no Claude Code CLI at {REAL_CLAUDE}: run .ci/run once, or set CLAUDE_BIN"
    )
    environ = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": url,
        "PATH": f"{Path(REAL_CLAUDE).parent}:{os.environ['PATH']}",
        "HOME": str(folder),
    }
    return Provider(
        "claude-code/sonnet", environ, variable="ANTHROPIC_API_KEY", sdk=False, real=True
    )


PROVIDERS: dict[str, Callable[[str, Path], Provider]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "named-endpoint": _named,
    "claude-code": _claude_code,
}


@pytest.fixture(params=[*PROVIDERS, pytest.param("real-claude-code", marks=pytest.mark.e2e)])
def provider(request: pytest.FixtureRequest, api: MessagesApi, tmp_path: Path) -> Provider:
    make = {**PROVIDERS, "real-claude-code": _real_claude_code}[request.param]
    return make(api.url, tmp_path)


@pytest.fixture(params=[name for name in PROVIDERS if name != "claude-code"])
def sdk_provider(request: pytest.FixtureRequest, api: MessagesApi, tmp_path: Path) -> Provider:
    """Those that speak HTTP in our process. What the CLI reads and where it follows is the CLI's own."""
    return PROVIDERS[request.param](api.url, tmp_path)
