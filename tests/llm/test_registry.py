"""From a configured name to a model, and why one cannot be asked."""

import asyncio
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ace_reflect.config_form import Endpoint
from ace_reflect.errors import ConfigError
from ace_reflect.llm.cost import PRICES, priced
from ace_reflect.llm.endpoints import endpoint
from ace_reflect.llm.fast import FAST, fast_specs
from ace_reflect.llm.keys import ANTHROPIC_KEYS
from ace_reflect.llm.port import Request, Usage
from ace_reflect.llm.registry import chain_for, model_for, why_unusable
from support.messages_api import MessagesApi

HOUSE = SimpleNamespace(
    endpoints={"house": SimpleNamespace(base_url="http://127.0.0.1:1/v1", api_key_env=None)},
    fast_models={"house": ("small",)},
)


@pytest.mark.parametrize(
    "spec",
    [
        "anthropic/claude-sonnet-4-5",
        "claude-code/sonnet",
        "openai/gpt-5",
        "ollama/qwen3:8b",
        "openrouter/meta/llama-9",
        "house/x",
    ],
)
def test_a_model_keeps_the_name_it_is_configured_by(spec: str) -> None:
    assert spec == model_for(spec, HOUSE, {}).name


@pytest.mark.parametrize("spec", ["", "claude-sonnet-4-5", "anthropic/", "/x"])
def test_a_model_without_provider_is_refused_with_an_example(spec: str) -> None:
    with pytest.raises(ConfigError, match='"anthropic/claude-sonnet-5"'):
        model_for(spec, None, {})


def test_an_unknown_provider_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(ConfigError, match="did you mean anthropic"):
        model_for("antropic/claude", None, {})


def test_what_follows_offline_is_not_asked() -> None:
    chain = chain_for(("anthropic/a", "offline", "openai/b"), None, {})

    assert chain.name == "anthropic/a"


@pytest.mark.parametrize("variable", ANTHROPIC_KEYS)
def test_any_of_the_three_variables_holds_the_key(api: MessagesApi, variable: str) -> None:
    environ = {
        variable: "sk-test-abcdef",
        "AGENTIC_CONTEXT_BASE_URL": api.url,
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:1",
    }

    asyncio.run(model_for("anthropic/m", None, environ).ask(Request("?")))

    headers = api.asked[0].headers
    sent = {name: value for name, value in headers.items() if "sk-test-abcdef" in value}
    assert len(sent) == 1
    if variable == "ANTHROPIC_AUTH_TOKEN":
        assert sent == {"authorization": "Bearer sk-test-abcdef"}


def test_the_first_of_the_variables_wins_whatever_the_process_itself_has(
    api: MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-process")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-process")
    environ = {
        "AGENTIC_CONTEXT_API_KEY": "sk-first",
        "ANTHROPIC_AUTH_TOKEN": "second",
        "ANTHROPIC_API_KEY": "third",
        "ANTHROPIC_BASE_URL": api.url,
    }

    asyncio.run(model_for("anthropic/m", None, environ).ask(Request("?")))

    said = str(api.asked[0].headers)
    assert "sk-first" in said
    for other in ("second", "third", "of-the-process"):
        assert other not in said


def test_the_users_own_patterns_are_taken_out_too(api: MessagesApi) -> None:
    config = SimpleNamespace(redaction=SimpleNamespace(patterns=(r"ACME-\d+",)))

    asyncio.run(
        model_for(
            "anthropic/m", config, {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": api.url}
        ).ask(Request("customer ACME-77"))
    )

    assert "ACME-77" not in str(api.asked[0].body)


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
        (
            "claude-code/sonnet",
            {"PATH": "/nowhere", "HOME": "/nowhere"},
            "there is no `claude` on PATH",
        ),
        ("nobody/m", {}, "no provider is called 'nobody'. Name its address"),
    ],
)
def test_why_a_model_cannot_be_asked_is_said_without_asking(
    spec: str, environ: dict[str, str], why: str
) -> None:
    found = why_unusable(spec, HOUSE, environ)

    assert found.startswith(why)
    assert bool(found) is bool(why)


def test_a_known_endpoint_can_be_moved_and_an_unknown_one_made_known_by_a_variable() -> None:
    moved = endpoint("openai", {}, {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    made = endpoint("my-box", {}, {"MY_BOX_BASE_URL": "http://127.0.0.1:9/v1"})

    assert moved is not None
    assert moved.base_url == "http://127.0.0.1:9/v1"
    assert made is not None
    assert made.key_variables == ("MY_BOX_API_KEY",)
    assert endpoint("my-box", {}, {}) is None


def test_without_the_openai_sdk_the_message_says_how_to_get_it(tmp_path: Path) -> None:
    program = (
        "import sys, asyncio; sys.modules['openai'] = None\n"
        "from ace_reflect.llm.registry import model_for\n"
        "from ace_reflect.llm.port import Request, ModelUnavailable\n"
        "try: asyncio.run(model_for('openai/m', None, {'OPENAI_API_KEY': 'x'}).ask(Request('?')))\n"
        "except ModelUnavailable as error: print(error)\n"
    )

    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    ).stdout

    assert "pip install 'ace-reflect[openai]'" in said


# ------------------------------------------------------------------ fast models and prices


def test_a_fast_model_stands_before_each_configured_one(api: MessagesApi) -> None:
    environ = {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": api.url}

    found = asyncio.run(
        fast_specs(
            ("anthropic/claude-opus-5-5", "claude-code/opus", "house/big", "offline"),
            HOUSE,
            environ,
            seen={},
        )
    )

    fast = FAST["anthropic"][0]
    assert (
        f"anthropic/{fast}",
        "anthropic/claude-opus-5-5",
        "claude-code/haiku",
        "claude-code/opus",
        "house/small",
        "house/big",
        "offline",
    ) == found


def test_a_fast_model_is_one_that_the_endpoint_offers() -> None:
    config = SimpleNamespace(fast_models={"anthropic": ("not-there", "scripted-model")})
    with MessagesApi() as api:
        found = asyncio.run(
            fast_specs(
                ("anthropic/m",),
                config,
                {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": api.url},
                seen={},
            )
        )

    assert found == ("anthropic/scripted-model", "anthropic/m")


def test_what_is_offered_is_looked_up_at_most_every_five_minutes(api: MessagesApi) -> None:
    environ = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": api.url}
    seen: dict[str, tuple[float, tuple[str, ...]]] = {}
    for now in (1000.0, 1299.0, 1301.0):
        asyncio.run(
            fast_specs(("anthropic/m",), None, environ, seen=seen, clock=lambda now=now: now)
        )

    assert len(api.requests) == 2


def test_an_endpoint_that_lists_nothing_is_not_asked_again_before_every_question() -> None:
    environ = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    seen: dict[str, tuple[float, tuple[str, ...]]] = {}

    found = asyncio.run(fast_specs(("anthropic/m",), None, environ, seen=seen))

    assert f"anthropic/{FAST['anthropic'][0]}" == found[0]
    assert seen["anthropic"][1] == ()


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
def test_a_price_that_is_not_known_is_not_guessed(
    provider: str, model: str, dollars: float | None
) -> None:
    cost = priced(Usage(1_000_000, 100_000), provider, model).cost_usd

    assert cost == (None if dollars is None else pytest.approx(dollars))


def test_the_fast_anthropic_models_have_a_price() -> None:
    assert set(FAST["anthropic"]) <= PRICES.keys()


@pytest.mark.parametrize(
    ("api_key_env", "variables", "keyless"),
    [("BOX_SECRET", ("BOX_SECRET",), False), (None, ("MY_BOX_API_KEY",), True)],
)
def test_an_endpoint_of_the_persons_own_takes_the_key_that_they_name_and_else_one_by_its_own_name(
    api_key_env: str | None, variables: tuple[str, ...], keyless: bool
) -> None:
    own = Endpoint(base_url="http://127.0.0.1:9/v1", api_key_env=api_key_env)

    found = endpoint("my-box", {"my-box": own}, {"MY_BOX_BASE_URL": "http://127.0.0.1:1"})

    assert found is not None
    assert (found.base_url, found.key_variables, found.keyless) == (
        "http://127.0.0.1:9/v1",
        variables,
        keyless,
    )


def test_a_known_endpoint_stands_where_nothing_moves_it() -> None:
    found = endpoint("ollama", {}, {})

    assert found is not None
    assert found.base_url == "http://127.0.0.1:11434/v1"
    assert endpoint("nobody", {}, {}) is None
