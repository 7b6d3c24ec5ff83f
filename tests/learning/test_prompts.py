"""The prompts as a model reads them, for review."""

import asyncio

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect import load_template
from ace_reflect.learning.curator import curator_request
from ace_reflect.learning.messages import transcript_text
from ace_reflect.learning.reflector import reflector_request
from ace_reflect.llm.chain import chain_of
from ace_reflect.llm.port import ModelReplyInvalid, Reply, Request
from support.fake_model import FakeModel

MESSAGES = [
    {"role": "user", "content": "Add pagination to {orders}.", "line": 3},
    {"role": "assistant", "content": "I run the failing test alone first [pat-004].", "line": 9},
    {"role": "user", "content": "(result) 1 failed, 11 passed", "line": 12},
]
PLAYBOOK = (
    "## PATTERNS & APPROACHES\n[pat-004] helpful=2 harmful=0 :: Run a failing test alone first."
)
FACTS = "line 12: `pytest -q tests/orders` failed: 1 failed, 11 passed\nline 31: `pytest -q` passed: 64 passed"


def test_the_reflector_with_citations(snapshot: SnapshotAssertion) -> None:
    assert (
        snapshot
        == reflector_request(transcript_text(MESSAGES), PLAYBOOK, ["pat-004"], facts=FACTS).prompt
    )


def test_the_reflector_without_citations_facts_or_playbook() -> None:
    prompt = reflector_request(transcript_text(MESSAGES), "", []).prompt

    assert "<cited_ids>\n(none)\n</cited_ids>" in prompt
    assert "<facts>\n" not in prompt
    assert "(empty: there are no key points yet)" in prompt


def test_the_curator(snapshot: SnapshotAssertion) -> None:
    reflection = {
        "analysis": "The full run cut the first error off (line 12, outcome).",
        "bullet_tags": [],
    }

    assert snapshot == curator_request(reflection, PLAYBOOK, facts=FACTS).prompt


def test_the_second_ask(snapshot: SnapshotAssertion) -> None:
    def never(_: Reply) -> None:
        raise ModelReplyInvalid("the answer holds no JSON object")

    model = FakeModel("Well, {it} depends.", "Well.")
    with pytest.raises(ModelReplyInvalid):
        asyncio.run(chain_of(model).answer(Request("Is it done?"), never))

    assert snapshot == model.requests[1].prompt


def test_all_roles_are_told_that_a_session_is_material(snapshot: SnapshotAssertion) -> None:
    assert snapshot == load_template("system.txt")


@pytest.mark.parametrize("name", ["reflector.txt", "curator.txt"])
def test_an_instruction_costs_less_than_three_thousand_tokens(name: str) -> None:
    assert len(load_template(name)) / 3 < 3_000
