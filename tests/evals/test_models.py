"""A model as an engine. Scripted replies: they prove the plumbing, and no accuracy."""

import asyncio
import os
import re
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect import load_template
from ace_reflect.assess import compaction, judge, stop_kind
from ace_reflect.assess.asker import asker_for
from ace_reflect.errors import ModelUnavailable
from ace_reflect.evals import models
from ace_reflect.evals.cases import KINDS, Case, load
from ace_reflect.evals.run import by_model
from ace_reflect.evals.score import Answer
from ace_reflect.evals.stage import Staged, stage
from ace_reflect.llm.chain import Chain
from ace_reflect.state.db import open_state
from support.api_script import last_user_text
from support.fake_model import FakeModel
from support.messages_api import MessagesApi

SAID: dict[str, dict[str, Any]] = {
    "judge": {"complete": True, "severity": "NONE", "feedback": "done"},
    "stuck": {"kind": "working", "why": "it runs"},
    "post-compaction": {"action": "continue_task", "current_work": "on it"},
    "agent": {"score": 4, "why": "nearly"},
}
MEANT = {"judge": "complete", "stuck": "working", "post-compaction": "continue_task", "agent": "4"}


def case(suite: str, name: str | None = None) -> Case:
    return next(one for one in load(suite) if name in {None, one.id})


def answer(suite: str, *replies: Any, name: str | None = None) -> tuple[Answer, FakeModel]:
    model = FakeModel(*replies)
    return asyncio.run(models.answer(stage(case(suite, name)), Chain((model,)))), model


@pytest.mark.parametrize("suite", KINDS)
def test_each_suite_asks_its_role_and_reads_its_answer(suite: str) -> None:
    found, model = answer(suite, SAID[suite])

    assert (found.said, found.failed) == (MEANT[suite], "")
    assert (found.usage.input_tokens, found.usage.cost_usd, found.ms) == (100, 0.001, 5)
    (request,) = model.requests
    assert re.findall(r"\{\w+\}", request.prompt) == []
    assert "ACE-REFLECT" in request.prompt


@pytest.mark.parametrize("suite", KINDS)
@pytest.mark.parametrize("said", ["no idea", "[]", '{"mood": 1}', ModelUnavailable("no key")])
def test_no_answer_is_none_and_says_why(suite: str, said: Any) -> None:
    found, _ = answer(suite, said, said)

    assert (found.said, found.decided) == ("", False)
    assert found.failed


def test_calls_that_gave_no_answer_are_paid_for_too() -> None:
    found, model = answer("stuck", "no idea", SAID["stuck"])

    assert len(model.requests) == 2
    assert found.usage.input_tokens == 200


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (
            {"complete": True, "severity": "BLOCKER", "feedback": "a key was published"},
            "incomplete",
        ),
        ({"complete": False, "severity": "HIGH", "missing": ["Write the test"]}, "incomplete"),
        ({"complete": False, "severity": "NONE", "missing": []}, "waiting"),
        (
            {
                "complete": False,
                "severity": "LOW",
                "requires_human_action": True,
                "feedback": "approve the consent screen",
            },
            "waiting",
        ),
    ],
)
def test_a_verdict_is_weighed_as_in_the_product(verdict: dict[str, Any], said: str) -> None:
    found, _ = answer("judge", verdict, name="asked-for-test-not-written")

    assert found.said == said


@pytest.mark.parametrize(
    ("value", "said"), [(3, "3"), ("4", "4"), ("2/5", "2"), (4.0, "4"), (7, ""), ("high", "")]
)
def test_a_score_is_read_as_models_write_it(value: Any, said: str) -> None:
    found, _ = answer("agent", {"score": value}, {"score": value})

    assert found.said == said


def test_the_score_prompt_as_a_model_reads_it(snapshot: SnapshotAssertion) -> None:
    _, model = answer("agent", SAID["agent"], name="suite-left-red")

    assert snapshot == model.requests[0].prompt


# ------------------------------------------------------------------ the same question as the product's


async def product_asks(suite: str, staged: Staged, asker: Any) -> None:
    if suite == "judge":
        await judge.judge(asker, staged.subject)
    elif suite == "stuck":
        await stop_kind.ask_kind(asker, staged.subject)
    else:
        await compaction.ask_action(
            asker, staged.ledger, staged.judgement, last_words=staged.last_words
        )


@pytest.mark.parametrize("suite", ["judge", "stuck", "post-compaction"])
def test_the_question_is_the_products_own_to_the_letter(suite: str, tmp_path: Path) -> None:
    staged = stage(case(suite))
    _, model = answer(suite, SAID[suite])
    with MessagesApi({"default": {"text": "no"}}) as api, open_state(str(tmp_path)) as state:
        environ = {
            **os.environ,
            "ANTHROPIC_API_KEY": "sk-test",
            "ANTHROPIC_BASE_URL": api.url,
            "ACE_REFLECT_MODELS": "anthropic/claude-haiku-4-5",
        }
        asker = asker_for(state, str(tmp_path), environ)
        asyncio.run(product_asks(suite, staged, asker))
        sent = next(one for one in api.requests if one.method == "POST")

    assert model.requests[0].prompt == last_user_text(sent.body)


@pytest.mark.parametrize(
    "role", [models.AGENT, judge.JUDGE, stop_kind.STOP_KIND, compaction.COMPACTION]
)
def test_every_place_of_a_prompt_has_a_value(role: Any) -> None:
    suite = {"judge": "judge", "stop_kind": "stuck", "compaction": "post-compaction"}.get(
        role.name, "agent"
    )
    places = set(re.findall(r"(?<!\{)\{(\w+)\}(?!\})", load_template(role.prompt_file)))
    _, model = answer(suite, SAID[suite])

    assert places
    assert not [place for place in places if "{" + place + "}" in model.requests[0].prompt]


# ------------------------------------------------------------------ side by side


def test_cases_are_asked_side_by_side_and_stay_in_their_order() -> None:
    cases = load("stuck")
    seen: list[str] = []
    model = FakeModel(*[SAID["stuck"]] * len(cases))

    (score,) = asyncio.run(
        by_model(["stuck"], Chain((model,)), concurrency=5, seen=lambda one: seen.append(one.id))
    )

    assert [result.case.id for result in score.results] == [one.id for one in cases]
    assert sorted(seen) == sorted(one.id for one in cases)
    assert score.combined is not None
    assert score.combined.right > score.right
