"""Whom a role asks, on whose account, and until when: over real HTTP."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.assess.answers import JudgeAnswer
from ace_reflect.assess.asker import Asker, ask_models, asker_for
from ace_reflect.assess.judge import JUDGE
from ace_reflect.assess.role import Told
from ace_reflect.assess.stop_kind import STOP_KIND
from ace_reflect.state import cache, usage
from ace_reflect.state.db import State
from support.assessed import asked, say
from support.messages_api import MessagesApi

Make = Callable[..., Asker]
YES = {"complete": True, "severity": "NONE"}
KIND = {"kind": "complete", "confidence": 0.9, "why": "it says so"}


def judge(asker: Asker, task: str = "Fix it") -> Told[JudgeAnswer | None]:
    return asyncio.run(ask_models(JUDGE, {"task": task}, asker))


def test_an_answer_with_what_it_took(asker: Make, api: MessagesApi, state: State) -> None:
    say(api, YES)

    told = judge(asker())

    assert told.value is not None
    assert told.value.complete
    assert (told.source, told.model) == ("model", "anthropic/claude-sonnet-4-5")
    assert usage.by_model(state) == [
        ("judge", "anthropic/claude-sonnet-4-5", 1, 100, 20, pytest.approx(0.0006))
    ]


def test_the_same_question_is_not_paid_for_twice(asker: Make, api: MessagesApi) -> None:
    say(api, YES)
    one = asker()

    assert judge(one).source == "model"
    assert judge(one).source == "cache"
    assert len(asked(api)) == 1


def test_the_next_model_is_asked_where_one_fails(asker: Make, api: MessagesApi) -> None:
    api.enqueue({"status": 401})
    say(api, YES)

    told = judge(asker("anthropic/claude-opus-4-8,openai/gpt-5-mini"))

    assert told.model == "openai/gpt-5-mini"


def test_an_unknown_provider_names_itself_and_the_chain(asker: Make) -> None:
    told = judge(asker("nobody/at-home"))

    assert told.value is None
    assert "nobody/at-home: no provider is called 'nobody'" in told.why


def test_no_answer_names_the_configured_chain(asker: Make, api: MessagesApi) -> None:
    api.enqueue({"status": 500, "repeat": 6})

    told = judge(asker("anthropic/claude-opus-4-8,openai/gpt-5-mini"))

    assert "(configured: anthropic/claude-opus-4-8, openai/gpt-5-mini)" in told.why
    assert told.asked


def test_offline_asks_nobody(asker: Make, api: MessagesApi) -> None:
    for models in ("", "offline"):
        assert not judge(asker(models)).asked
    assert api.requests == []


def test_time_that_is_up_asks_nobody_and_a_hanging_model_is_left(
    asker: Make, api: MessagesApi
) -> None:
    api.enqueue({"hang": True})

    assert judge(asker(within_s=0.5)).why == "no time was left"
    begun = time.monotonic()
    told = judge(asker(within_s=2.0))

    assert (told.value, told.asked) == (None, True)
    assert time.monotonic() - begun < 6


def test_the_days_budget_counts_these_roles_only(
    asker: Make, api: MessagesApi, state: State
) -> None:
    say(api, YES)
    usage.add(state, "reflector", "m", 1_000_000, 0)
    assert judge(asker()).source == "model"

    usage.add(state, "assess", "m", 200_000, 0)
    told = judge(asker(), "Another")

    assert (told.source, told.asked) == ("nobody", False)
    assert "assess.daily_tokens" in told.why
    assert [row[0] for row in usage.by_model(state)] == [
        "reflector",
        "assess",
        "judge",
    ]  # nothing for the refused one


def test_short_questions_go_to_the_providers_fast_model(asker: Make, api: MessagesApi) -> None:
    say(api, KIND)

    told = asyncio.run(ask_models(STOP_KIND, {"task": "x"}, asker()))

    assert told.model.startswith("anthropic/claude-haiku-")
    assert sum(one.method == "GET" for one in api.requests) == 1


def test_what_is_offered_is_looked_up_once_in_five_minutes(
    asker: Make, api: MessagesApi, state: State
) -> None:
    say(api, KIND, KIND, KIND)

    for task in ("a", "b"):
        asyncio.run(ask_models(STOP_KIND, {"task": task}, asker()))
    cache.put(state, "models-offered", "anthropic", "", b"[0, []]")  # an old answer
    asyncio.run(ask_models(STOP_KIND, {"task": "c"}, asker()))

    assert sum(one.method == "GET" for one in api.requests) == 2


def test_the_persons_own_fast_models_come_first(
    asker: Make, api: MessagesApi, tmp_path: Path
) -> None:
    (tmp_path / "home" / "reflection.yaml").write_text(
        "fast_models: {anthropic: [claude-quick-1]}\n"
    )
    say(api, KIND)

    assert (
        asyncio.run(ask_models(STOP_KIND, {"task": "x"}, asker())).model
        == "anthropic/claude-quick-1"
    )


def test_a_broken_configuration_counts_as_absent(state: State, tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "reflection.yaml").write_text("no_such_key: 1\n")

    assert asker_for(state, str(tmp_path), {}).models == ()


@pytest.mark.parametrize(
    "turn",
    [
        {"status": 400},
        {"text": "I cannot help with that.", "stop_reason": "refusal"},
        {"text": "no json at all"},
        {"raw": "<html>proxy</html>"},
        {"text": '{"complete": "perhaps"', "stop_reason": "max_tokens"},
        {"cut": True, "text": "x"},
        {"redirect": "http://127.0.0.1:9/"},
        {"huge_bytes": 6_000_000},
    ],
)
def test_whatever_comes_back_nothing_is_raised(
    asker: Make, api: MessagesApi, turn: dict[str, Any]
) -> None:
    api.enqueue({**turn, "repeat": 6})

    told = judge(asker())

    assert told.source == "nobody" or told.value is not None
    assert "sk-test-0123456789" not in told.why
