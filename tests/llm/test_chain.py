"""Models in order until one gives a valid answer."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.chain import Answer, Chain
from ace_reflect.llm.json_reply import extract_json
from ace_reflect.llm.port import Call, Reply, ReplyRefused, Request, Usage
from support.fake_model import FakeModel


class Slow(FakeModel):
    """Takes its time for each answer, and tells the usage that it is given."""

    def __init__(self, *replies: object, takes_s: float = 0.0, usage: Usage | None = None) -> None:
        super().__init__(*replies)  # type: ignore[arg-type]
        self._takes_s, self._usage = takes_s, usage

    async def ask(self, request: Request) -> Reply:
        await asyncio.sleep(self._takes_s)
        reply = await super().ask(request)
        return reply if self._usage is None else replace(reply, usage=self._usage)


def number(reply: Reply) -> int:
    found = extract_json(reply.text)
    if found is None or not isinstance(found.get("n"), int):
        raise ModelReplyInvalid('"n" is no number')
    return int(found["n"])


def answer(chain: Chain, read: Callable[[Reply], int] = number, **request: float) -> Answer[int]:
    return asyncio.run(chain.answer(Request("How many?", role="judge", **request), read))  # type: ignore[arg-type]


def spent(found: Answer[int]) -> Usage:
    return sum((call.usage for call in found.calls), Usage())


def test_the_first_valid_answer_wins_and_after_two_invalid_ones_the_next_model_is_asked() -> None:
    stubborn, first = FakeModel("no", "no", {"n": 9}), FakeModel({"n": 1}, name="a/first")
    last = FakeModel({"n": 2})

    found = answer(Chain((stubborn, first, last)))

    assert (found.value, found.model) == (1, "a/first")
    assert [len(model.requests) for model in (stubborn, first, last)] == [2, 1, 0]
    assert first.requests[0].prompt == "How many?", "it is not told of the others' answers"


def test_an_invalid_answer_is_asked_for_once_more_with_what_is_wrong_with_it() -> None:
    model = FakeModel("I think three.", {"n": 3})

    found = answer(Chain((model,)))

    assert found.value == 3
    again = model.requests[1].prompt
    assert again.startswith("How many?")
    assert '"n" is no number' in again
    assert "I think three." in again
    for length in (2_000, 300_000):
        talkative = FakeModel("x" * length, {"n": 3})
        answer(Chain((talkative,)))
        assert (" […]" in talkative.requests[1].prompt) is (length > 2_000)
        assert talkative.requests[1].prompt.count("x" * 2_000) == 1
    assert spent(found) == Usage(200, 40, 0.002), "both are paid for"


def test_a_model_that_cannot_be_had_or_declines_gives_way_without_a_second_ask() -> None:
    away = FakeModel(ModelUnavailable("a/away: no key"), name="a/away")
    shy = FakeModel(ReplyRefused("b/shy declined to answer", Usage(50, 1)), name="b/shy")
    there = FakeModel({"n": 5}, name="c/there")
    recorded: list[Call] = []

    found = answer(Chain((away, shy, there), record=recorded.append))

    assert found.value == 5
    assert [call.model for call in recorded if call.role == "judge"] == [
        "a/away",
        "b/shy",
        "c/there",
    ]
    assert found.calls == tuple(recorded)
    assert spent(found).input_tokens == 150


@pytest.mark.parametrize("later", [False, True])
def test_when_all_fail_the_message_names_each_reason_and_whether_one_may_be_tried_later(later):
    away = FakeModel(ModelUnavailable("a/x: no key", retry_later=later), name="a/x")
    models = away, FakeModel("?", "?", name="b/y")

    with pytest.raises(ModelUnavailable) as caught:
        answer(Chain(models))

    for said in ("a/x: no key", 'b/y: "n" is no number', "configured: a/x, b/y"):
        assert said in str(caught.value)
    assert caught.value.retry_later is later
    with pytest.raises(ModelReplyInvalid, match="configured"):
        answer(Chain((FakeModel("?", "?"), FakeModel("!", "!"))))
    with pytest.raises(ModelUnavailable, match="configured: none"):
        answer(Chain(()))


def test_the_deadline_holds_for_all_of_them_and_is_shared() -> None:
    class Hanging(FakeModel):
        async def ask(self, request: Request) -> Reply:
            await asyncio.sleep(request.deadline_s)
            raise ModelUnavailable("no answer in time", retry_later=True)

    there = FakeModel({"n": 7})
    started = time.monotonic()

    assert answer(Chain((Hanging(), there)), deadline_s=3.0).value == 7

    assert 1.4 < time.monotonic() - started < 2.9
    assert 0.1 < there.requests[0].deadline_s < 1.6


@pytest.mark.parametrize(("takes_s", "deadline_s"), [(0.0, 0.5), (0.3, 1.2)])
def test_with_little_time_left_nobody_is_asked_again_and_the_next_not_at_all(takes_s, deadline_s):
    slow, second = Slow("no", {"n": 1}, takes_s=takes_s), FakeModel({"n": 2}, name="b/second")

    with pytest.raises(ModelReplyInvalid):
        answer(Chain((slow,) if takes_s else (slow, second)), deadline_s=deadline_s)

    assert (len(slow.requests), second.requests) == (1, [])


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        (Usage(7, 0), Usage(7, 0)),
        (Usage(0, 7), Usage(0, 7)),
        (Usage(), Usage(len("How many?") // 3, len('{"n": 1}') // 3)),
    ],
)
def test_usage_is_estimated_only_where_none_is_told(told: Usage, counted: Usage) -> None:
    assert spent(answer(Chain((Slow({"n": 1}, usage=told),)))) == counted
