"""From a configured name to a model, why one cannot be asked, and what it costs."""

import asyncio
import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ace_reflect.errors import ConfigError
from ace_reflect.llm import registry
from ace_reflect.llm.calls import priced
from ace_reflect.llm.openai_compatible import endpoint
from ace_reflect.llm.port import ANTHROPIC_KEYS, Request, Usage, counted
from ace_reflect.llm.registry import chain_for, model_for, why_unreachable
from ace_reflect.settings import Settings
from support.programs import ran

OWN = SimpleNamespace(base_url="http://127.0.0.1:1/v1", api_key_env=None)
HOUSE = SimpleNamespace(endpoints={"house": OWN}, settings=Settings())


@pytest.mark.parametrize(
    "spec",
    ["anthropic/claude-sonnet-4-5", "claude-code/sonnet", "openai/gpt-5", "ollama/qwen3:8b", "openrouter/meta/llama-9", "house/x"],
)  # fmt: skip
def test_a_model_keeps_the_name_it_is_configured_by(spec: str) -> None:
    assert spec == model_for(spec, HOUSE, {}).name
    chain = chain_for([spec, "offline", "ollama/b"], HOUSE, {})
    assert [model.name for model in chain.models] == [spec], "`offline` ends it"


@pytest.mark.parametrize("spec", ["", "claude-sonnet-4-5", "anthropic/", "/x", "antropic/x"])
def test_a_model_without_provider_is_refused_with_an_example(spec: str) -> None:
    said = "did you mean anthropic" if spec == "antropic/x" else '"anthropic/claude-sonnet-5"'
    with pytest.raises(ConfigError, match=said):
        model_for(spec, None, {})


@pytest.mark.parametrize("variable", ANTHROPIC_KEYS)
def test_the_first_variable_with_a_key_is_sent_and_no_other(api, monkeypatch, variable):
    for name in ANTHROPIC_KEYS:
        monkeypatch.setenv(name, "sk-of-the-process")
    later = dict.fromkeys(ANTHROPIC_KEYS[ANTHROPIC_KEYS.index(variable) :], "another-key")
    environ = {**later, variable: "sk-test-abcdef", "AGENTIC_CONTEXT_BASE_URL": api.url, "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}  # fmt: skip
    config = SimpleNamespace(settings=SimpleNamespace(redaction_patterns=[r"ACME-\d+"]))

    asyncio.run(model_for("anthropic/m", config, environ).ask(Request("customer ACME-77")))

    headers = api.asked[0].headers
    sent = {name: value for name, value in headers.items() if "sk-test-abcdef" in value}
    assert len(sent) == 1
    assert "another-key" not in str(headers)
    assert "of-the-process" not in str(headers)
    if variable == "ANTHROPIC_AUTH_TOKEN":
        assert sent == {"authorization": "Bearer sk-test-abcdef"}
    assert "ACME-77" not in str(api.asked[0].body), "the person's own patterns are taken out too"


@pytest.mark.parametrize(
    ("spec", "environ", "why"),
    [
        ("anthropic/m", {}, "no key; set one of AGENTIC_CONTEXT_API_KEY"),
        ("anthropic/m", {"ANTHROPIC_API_KEY": "x"}, ""),
        ("openai/m", {}, "no key; set OPENAI_API_KEY"),
        ("google/m", {}, "no key; set GEMINI_API_KEY or GOOGLE_API_KEY"),
        ("google/m", {"GOOGLE_API_KEY": "x"}, ""),
        ("ollama/m", {}, ""),
        ("house/m", {}, ""),
        ("claude-code/m", {"PATH": "/nowhere", "HOME": "/nowhere"}, "there is no `claude` on PATH"),
        ("nobody/m", {}, "no provider is called 'nobody'. Name its address"),
    ],
)
def test_why_a_model_cannot_be_asked_is_said_without_asking(spec, environ, why):
    found = registry.why_unusable(spec, HOUSE, environ)

    assert found.startswith(why)
    assert bool(found) is bool(why)


@pytest.mark.parametrize(
    ("name", "own", "environ", "found"),
    [
        ("openai", None, {}, ("https://api.openai.com/v1", ("OPENAI_API_KEY",), False)),
        ("openai", None, {"OPENAI_BASE_URL": "http://x/v1"}, ("http://x/v1", ("OPENAI_API_KEY",), False)),
        ("my-box", "SECRET", {"MY_BOX_BASE_URL": "http://y"}, ("http://own/v1", ("SECRET",), False)),
        ("my-box", "", {}, ("http://own/v1", ("MY_BOX_API_KEY",), True)),
    ],
)  # fmt: skip
def test_an_endpoint_is_ones_own_or_a_known_one_that_a_variable_moves(name, own, environ, found):
    configured = {"my-box": SimpleNamespace(base_url="http://own/v1", api_key_env=own)}

    where = endpoint(name, {} if own is None else configured, environ)

    assert where is not None
    assert (where.base_url, where.key_variables, where.keyless) == found


def test_without_the_openai_sdk_the_message_says_how_to_get_it(tmp_path: Path) -> None:
    program = (
        "import sys, asyncio; sys.path[:] = [one for one in sys.path if 'site-packages' not in one]\n"
        "from ace_reflect.llm.openai_compatible import OpenAIModel, endpoint\n"
        "print(OpenAIModel(endpoint('openai', {}, {}), 'm', {'OPENAI_API_KEY': 'x'}).why_unusable())"
    )
    source = str(Path(__file__).resolve().parents[2] / "src")

    said = ran(sys.executable, "-c", program, cwd=tmp_path, env={"PYTHONPATH": source}).stdout

    assert "pip install 'ace-reflect[openai]'" in said


@pytest.mark.parametrize("provider", registry.PROVIDERS)
def test_every_provider_is_held_to_the_conformance_suite(provider: str) -> None:
    suite = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")

    assert f'"{provider}/' in suite, "tests/llm/conftest.py: PROVIDERS"


def test_the_fast_models_stand_before_each_configured_one() -> None:
    specs = ("anthropic/claude-opus-5-5", "claude-code/opus", "house/big", "offline")

    assert registry.fast_specs(specs) == (
        *(f"anthropic/{name}" for name in registry.FAST["anthropic"]), "anthropic/claude-opus-5-5", "claude-code/haiku",
        "claude-code/opus", "house/big", "offline",
    )  # fmt: skip


# ------------------------------------------------------------------ what it costs


@pytest.mark.parametrize(
    ("provider", "model", "dollars"),
    [
        ("anthropic", "claude-sonnet-4-5", 3.0 + 1.5),
        ("anthropic", "claude-sonnet-4-5-20250929", 3.0 + 1.5),
        ("openai", "gpt-4o-mini-2024-07-18", 0.15 + 0.06),
        ("anthropic", "claude-of-the-future", None),
        ("house", "gpt-4o-mini", None),
    ],
)
def test_a_price_that_is_not_known_is_not_guessed(provider, model, dollars):
    cost = priced(Usage(1_000_000, 100_000), f"{provider}/{model}").cost_usd

    assert cost == (None if dollars is None else pytest.approx(dollars))


@pytest.mark.parametrize(("told", "taken"), [(12, 12), (-5, 0), ("12", 0), (None, 0), (1.5, 0)])
def test_a_count_never_lowers_the_days_sum(told: object, taken: int) -> None:
    for usage in ({"input_tokens": told}, SimpleNamespace(input_tokens=told)):
        assert counted(usage) == Usage(taken, 0)


# ------------------------------------------------------------------ doctor's question: is it there?


def environ_at(url: str) -> dict[str, str]:
    keys = {"ANTHROPIC_API_KEY": "sk-fake", "OPENAI_API_KEY": "sk-fake"}
    return {**keys, "ANTHROPIC_BASE_URL": url, "OPENAI_BASE_URL": url}


@pytest.mark.parametrize(
    ("spec", "path", "status", "says"),
    [
        ("anthropic/x", "/v1/models", 200, ""),
        ("openai/x", "/models", 200, ""),
        ("anthropic/x", "/v1/models", 401, "the key in ANTHROPIC_API_KEY was refused (401"),
        ("anthropic/x", "/v1/models", 503, "failed (503"),
        ("openai/x", "/models", 404, ""),
        ("anthropic/x", "/v1/models", 302, ""),
    ],
)
def test_what_an_endpoint_says_is_told(httpserver, spec, path, status, says):
    answer = httpserver.expect_request(path)
    answer.respond_with_data("{}", status=status, headers={"location": "/elsewhere"})

    why = why_unreachable(spec, None, environ_at(httpserver.url_for("").rstrip("/")))

    assert says in why
    assert bool(says) == bool(why)
    asked = [request.path for request, _ in httpserver.log]
    assert asked == [path], "a redirect does not take the key along"


def test_nobody_there_and_no_key_are_told_apart() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        environ = environ_at(f"http://127.0.0.1:{free.getsockname()[1]}")

    assert "could not be reached at http://127.0.0.1" in why_unreachable(
        "anthropic/x", None, environ, timeout_s=1
    )
    assert "no key" in why_unreachable("anthropic/x", None, {})
