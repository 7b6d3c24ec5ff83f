"""`ace-reflect eval`: the table and every miss."""

import json
from typing import Any

import pytest

from support.cli import Ace
from support.messages_api import MessagesApi

SAID = {"text": json.dumps({"kind": "working", "why": "it runs"})}
MODEL = "anthropic/claude-haiku-4-5"


def test_the_rules_alone_ask_nobody_and_need_no_setting(ace: Ace) -> None:
    said = ace("eval", "all")

    assert said.code == 0
    assert said.out.startswith("### Evaluation suites: rules\n")
    rows = [line for line in said.out.splitlines() if line.startswith("|")]
    suites = [row.split("|")[1].strip() for row in rows[2:]]
    assert suites == ["judge", "stuck", "post-compaction", "agent"]


def test_json_has_the_form_that_other_tools_build_on_and_every_miss_is_on_the_page(
    ace: Ace,
) -> None:
    body, page = ace("eval", "stuck", "--json").json, ace("eval", "stuck").out

    assert (body["schema"], body["engine"]) == ("ace-reflect/eval/1", "rules")
    (suite,) = body["suites"]
    assert suite.keys() == {
        "suite", "cases", "positive", "right", "undecided", "failed", "false_alarms", "accuracy", "sensitivity",
        "specificity", "usage", "misses",
    }  # fmt: skip
    assert suite["right"] + len(suite["misses"]) == suite["cases"]
    assert suite["usage"] == {"input_tokens": 0, "output_tokens": 0, "cost_usd": None}
    assert suite["misses"]
    assert all(
        f"- {miss['id']}: {miss['expected'][0]}, said {miss['said']}" in page
        for miss in suite["misses"]
    )


@pytest.fixture
def asked(ace: Ace, monkeypatch: pytest.MonkeyPatch) -> Any:
    with MessagesApi({"default": SAID}) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ACE_REFLECT_RETRY_BASE_S", "0.01")
        yield api


def test_a_model_is_asked_once_a_case_and_its_cost_is_shown(ace: Ace, asked: MessagesApi) -> None:
    said = ace("eval", "stuck", "--model", MODEL)

    assert said.code == 0
    assert len(asked.requests) == 20
    assert f"### Evaluation suites: {MODEL}" in said.out
    assert "25%" in said.out  # the five that really were at work
    assert "$0.004" in said.out
    assert "rules first" in said.out


def test_a_case_without_an_answer_is_told_and_fails_the_run(ace: Ace, asked: MessagesApi) -> None:
    asked.enqueue({"status": 400})

    said = ace("eval", "stuck", "--model", MODEL)

    assert (said.code, "1 cases have no answer" in said.err) == (1, True)


@pytest.mark.parametrize(
    ("model", "said"),
    [(MODEL, "no key"), ("nobody/x", "no provider is called"), ("sonnet", "provider/model")],
)
def test_a_model_that_cannot_be_asked_is_said_at_once(model: str, said: str, ace: Ace) -> None:
    found = ace("eval", "stuck", "--model", model)

    assert found.code == 2
    assert said in found.err
