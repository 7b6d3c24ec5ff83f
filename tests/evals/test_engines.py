"""A model as an engine. Scripted replies: they prove the plumbing, and no accuracy."""

import asyncio
import re
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect.errors import ModelUnavailable
from ace_reflect.evals import engines
from ace_reflect.evals.cases import KINDS, load, stage
from ace_reflect.evals.engines import Answer
from ace_reflect.evals.score import by_model
from ace_reflect.llm.chain import Chain
from support.fake_model import FakeModel

SAID: dict[str, dict[str, Any]] = {
    "assess": {"status": "complete", "confidence": 0.9},
    "judge": {"complete": True, "severity": "NONE", "feedback": "done"},
    "stuck": {"kind": "working", "why": "it runs"},
    "post-compaction": {"action": "continue_task", "current_work": "on it"},
    "agent": {"score": 4, "why": "nearly"},
}
MEANT = {
    "assess": "complete",
    "judge": "complete",
    "stuck": "working",
    "post-compaction": "continue_task",
    "agent": "4",
}


def answer(suite: str, *replies: Any, name: str | None = None) -> tuple[Answer, FakeModel]:
    case = next(one for one in load(suite) if name in {None, one.id})
    model = FakeModel(*replies)
    return asyncio.run(engines.by_model(stage(case), Chain((model,)))), model


@pytest.mark.parametrize("suite", KINDS)
def test_each_suite_asks_its_role_and_reads_its_answer(suite: str) -> None:
    found, model = answer(suite, SAID[suite])

    assert (found.said, found.failed) == (MEANT[suite], "")
    assert (found.usage.input_tokens, found.usage.cost_usd) == (100, 0.001)
    (request,) = model.requests
    assert re.findall(r"\{\w+\}", request.prompt) == []
    assert "ACE-REFLECT" in request.prompt
    assert found.seconds > 0


@pytest.mark.parametrize("suite", KINDS)
@pytest.mark.parametrize("said", ["no idea", '{"score": 7}', ModelUnavailable("no key")])
def test_no_answer_is_none_and_says_why(suite: str, said: Any) -> None:
    found, _ = answer(suite, said, said)

    assert (found.said, found.decided) == ("", False)
    assert found.failed


def test_the_score_prompt_as_a_model_reads_it(snapshot: SnapshotAssertion) -> None:
    _, model = answer("agent", SAID["agent"], name="suite-left-red")

    assert snapshot == model.requests[0].prompt


def test_cases_are_asked_side_by_side_and_stay_in_their_order() -> None:
    cases = load("stuck")
    seen: list[str] = []
    model = FakeModel(*[SAID["stuck"]] * len(cases))

    more = {"concurrency": 5, "seen": lambda one: seen.append(one.id)}
    (score,) = asyncio.run(by_model(["stuck"], Chain((model,)), **more))

    assert [result.case.id for result in score.results] == [one.id for one in cases]
    assert sorted(seen) == sorted(one.id for one in cases)
    assert score.to_json()["rules_first"]["right"] > score.numbers()["right"]
