"""Models in order until one gives a valid answer."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.chain import Answer, Chain, chain_of
from ace_reflect.llm.json_reply import extract_json
from ace_reflect.llm.port import Call, Reply, ReplyRefused, Request, Usage
from support.fake_model import FakeModel


def number(reply: Reply) -> int:
    found = extract_json(reply.text)
    if found is None or not isinstance(found.get("n"), int):
        raise ModelReplyInvalid('"n" is no number')
    return int(found["n"])


def answer(chain: Chain, read: Callable[[Reply], int] = number, **request: float) -> Answer[int]:
    return asyncio.run(chain.answer(Request("How many?", role="judge", **request), read))  # type: ignore[arg-type]


def test_the_first_valid_answer_wins_and_nobody_else_is_asked() -> None:
    first, second = FakeModel({"n": 1}, name="a/first"), FakeModel({"n": 2}, name="b/second")

    found = answer(Chain((first, second)))

    assert (found.value, found.model) == (1, "a/first")
    assert second.requests == []
    assert found.usage == Usage(100, 20, 0.001)


def test_an_invalid_answer_is_asked_for_once_more_with_what_is_wrong_with_it() -> None:
    model = FakeModel("I think three.", {"n": 3})

    found = answer(chain_of(model))

    assert found.value == 3
    again = model.requests[1].prompt
    assert again.startswith("How many?")
    assert '"n" is no number' in again
    assert "I think three." in again
    assert [(call.outcome, call.why) for call in found.calls] == [
        ("invalid", '"n" is no number'),
        ("answered", ""),
    ]
    assert found.usage == Usage(200, 40, 0.002), "both are paid for"


def test_after_two_invalid_answers_the_next_model_is_asked() -> None:
    stubborn, other = (
        FakeModel("no", "no", {"n": 9}, name="a/stubborn"),
        FakeModel({"n": 2}, name="b/other"),
    )

    found = answer(Chain((stubborn, other)))

    assert found.value == 2
    assert len(stubborn.requests) == 2
    assert other.requests[0].prompt == "How many?", (
        "the next model is not told of the first one's answer"
    )


def test_a_model_that_cannot_be_had_or_declines_gives_way_without_a_second_ask() -> None:
    away = FakeModel(ModelUnavailable("a/away: no key"), name="a/away")
    shy = FakeModel(ReplyRefused("b/shy declined to answer", Usage(50, 1)), name="b/shy")
    there = FakeModel({"n": 5}, name="c/there")

    found = answer(Chain((away, shy, there)))

    assert found.value == 5
    assert [call.outcome for call in found.calls] == ["unavailable", "invalid", "answered"]
    assert found.usage.input_tokens == 150


def test_when_all_fail_the_message_names_each_reason_and_the_configured_chain() -> None:
    models = FakeModel(ModelUnavailable("a/x: no key"), name="a/x"), FakeModel("?", "?", name="b/y")

    with pytest.raises(ModelUnavailable) as caught:
        answer(Chain(models))

    said = str(caught.value)
    assert "a/x: no key" in said
    assert 'b/y: "n" is no number' in said
    assert "configured: a/x, b/y" in said
    assert not caught.value.retry_later


def test_it_may_be_tried_later_if_one_of_them_may() -> None:
    models = (
        FakeModel(ModelUnavailable("down", retry_later=True)),
        FakeModel(ModelUnavailable("no key")),
    )

    with pytest.raises(ModelUnavailable) as caught:
        answer(Chain(models))

    assert caught.value.retry_later


def test_only_bad_answers_are_a_bad_answer() -> None:
    with pytest.raises(ModelReplyInvalid, match="configured"):
        answer(Chain((FakeModel("?", "?"), FakeModel("!", "!"))))


def test_an_empty_chain_says_that_nothing_is_configured() -> None:
    with pytest.raises(ModelUnavailable, match="configured: none"):
        answer(Chain(()))


def test_the_deadline_holds_for_all_of_them_and_is_shared() -> None:
    class Hanging:
        name = "a/hanging"

        async def ask(self, request: Request) -> Reply:
            await asyncio.sleep(request.deadline_s)
            raise ModelUnavailable("no answer in time", retry_later=True)

    there = FakeModel({"n": 7})
    started = time.monotonic()

    found = answer(Chain((Hanging(), there)), deadline_s=3.0)

    assert found.value == 7
    assert 1.4 < time.monotonic() - started < 2.9
    assert 0.1 < there.requests[0].deadline_s < 1.6


def test_each_call_is_recorded_when_it_is_over() -> None:
    recorded: list[Call] = []
    chain = Chain(
        (FakeModel(ModelUnavailable("down"), name="a/x"), FakeModel({"n": 1}, name="b/y")),
        record=recorded.append,
    )

    answer(chain)

    assert [(c.role, c.model, c.outcome) for c in recorded] == [
        ("judge", "a/x", "unavailable"),
        ("judge", "b/y", "answered"),
    ]


def test_a_spent_budget_stops_the_call_before_it_is_made() -> None:
    def spent(request: Request, model: str) -> None:
        raise ModelUnavailable(f"{model}: today's 200,000 tokens are spent", retry_later=True)

    model = FakeModel({"n": 1})

    with pytest.raises(ModelUnavailable, match="tokens are spent"):
        answer(Chain((model,), allow=spent))

    assert model.requests == []


def test_an_answer_whose_endpoint_tells_no_usage_is_counted_all_the_same() -> None:
    class Silent(FakeModel):
        async def ask(self, request: Request) -> Reply:
            return replace(await super().ask(request), usage=Usage())

    given = answer(Chain((Silent({"n": 1}),)))

    assert (given.usage.input_tokens > 0, given.usage.output_tokens, given.usage.cost_usd) == (
        True,
        2,
        None,
    )


def test_a_chain_is_a_model_and_is_not_wrapped_twice() -> None:
    chain = Chain((FakeModel(ModelUnavailable("down")), FakeModel("hello")))

    assert chain_of(chain) is chain
    assert asyncio.run(chain.ask(Request("?"))).text == "hello"


def test_a_long_invalid_answer_is_shown_in_part() -> None:
    model = FakeModel("no " * 100_000, {"n": 3})

    answer(chain_of(model))

    assert len(model.requests[1].prompt) < 4_000


class Slow(FakeModel):
    """Takes its time for each answer, and tells the usage that it is given."""

    def __init__(self, *replies: object, takes_s: float = 0.0, usage: Usage | None = None) -> None:
        super().__init__(*replies)  # type: ignore[arg-type]
        self._takes_s, self._usage = takes_s, usage

    async def ask(self, request: Request) -> Reply:
        await asyncio.sleep(self._takes_s)
        reply = await super().ask(request)
        return reply if self._usage is None else replace(reply, usage=self._usage)


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        (Usage(7, 0), Usage(7, 0)),
        (Usage(0, 7), Usage(0, 7)),
        (Usage(), Usage(len("How many?") // 3, len('{"n": 1}') // 3)),
    ],
)
def test_usage_is_estimated_only_where_none_is_told(told: Usage, counted: Usage) -> None:
    assert answer(chain_of(Slow({"n": 1}, usage=told))).usage == counted


def test_the_first_model_is_asked_however_little_time_there_is_and_the_second_is_not() -> None:
    first, second = Slow("no"), FakeModel({"n": 2}, name="b/second")

    with pytest.raises(ModelReplyInvalid):
        answer(Chain((first, second)), deadline_s=0.5)

    assert len(first.requests) == 1, "and with so little left not once more"
    assert second.requests == []


def test_who_took_all_the_time_for_an_invalid_answer_is_not_asked_again() -> None:
    slow, patient = Slow("no", {"n": 1}, takes_s=0.3), FakeModel("no", {"n": 1})

    with pytest.raises(ModelReplyInvalid):
        answer(chain_of(slow), deadline_s=1.2)

    assert len(slow.requests) == 1
    assert answer(chain_of(patient), deadline_s=60.0).value == 1


@pytest.mark.parametrize(("length", "cut"), [(2_000, False), (2_001, True)])
def test_an_invalid_answer_is_quoted_whole_up_to_two_thousand_characters(
    length: int, cut: bool
) -> None:
    model = FakeModel("x" * length, {"n": 3})

    answer(chain_of(model))

    assert (" […]" in model.requests[1].prompt) is cut
    assert model.requests[1].prompt.count("x" * 2_000) == 1


def test_a_model_that_declined_and_told_no_usage_costs_nothing_on_record() -> None:
    found = answer(
        Chain(
            (
                FakeModel(ReplyRefused("a/shy declined to answer")),
                FakeModel({"n": 5}, name="b/there"),
            )
        )
    )

    assert found.value == 5
    assert found.usage == Usage(100, 20, 0.001)
