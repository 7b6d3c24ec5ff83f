"""The Curator: operations out of a reflection."""

import asyncio
import json

import pytest

from ace_reflect import load_template, run_curator, update_playbook_data
from ace_reflect.llm.port import fill

EMPTY = {"reasoning": "", "operations": []}
POINT = {"name": "mis-001", "text": "never edit src/{gen}", "helpful": 1, "harmful": 0}
PLAYBOOK = {"version": "1.0", "last_updated": None, "sections": {"MISTAKES TO AVOID": [POINT]}}
TAG = {"name": "mis-001", "tag": "helpful", "rationale": "r"}
REFLECTION = {"analysis": "The build overwrote {hand} edits.", "bullet_tags": [TAG]}
ADD = {"op": "ADD", "section": "OTHERS", "text": "Run `make gen`.", "source": "outcome", "line": 12}
REPLY = {"reasoning": "One lesson.", "operations": [ADD]}

pytestmark = pytest.mark.usefixtures("asked_by_environment")


def curator(reflection=REFLECTION, playbook=PLAYBOOK):
    return asyncio.run(run_curator(reflection, playbook))


def test_it_is_shown_the_reflection_and_the_playbook_and_its_reply_is_returned(api):
    api.enqueue(f"```json\n{json.dumps(REPLY)}\n```")
    assert curator() == REPLY
    prompt = api.asked[0].body["messages"][0]["content"]
    assert "The build overwrote {hand} edits." in prompt
    assert "[mis-001] helpful=1 harmful=0 :: never edit src/{gen}" in prompt
    assert "cite its ID" not in prompt, "the generator's directive is not the curator's business"


@pytest.mark.parametrize(
    "arguments",
    [
        (None, PLAYBOOK), (REFLECTION, None), (7, 7), ("x", "y"), ({"analysis": {1}}, {"sections": []}),
    ],
)  # fmt: skip
def test_garbage_arguments_never_raise(api, arguments):
    api.enqueue(json.dumps(REPLY))
    assert curator(*arguments) in (EMPTY, REPLY)


@pytest.mark.parametrize(
    ("said", "operations"),
    [
        ('{"operations": null, "reasoning": 5}', []),
        ('{"operations": {"op": "ADD"}}', []),
        ('{"operations": [1, null, "ADD", {"op": "DELETE"}]}', [{"op": "DELETE"}]),
        ('{"note": "one"}\n{"type": "DELETE", "target_id": "mis-001"}', [{"type": "DELETE", "target_id": "mis-001"}]),
    ],
)  # fmt: skip
def test_what_is_no_operation_spoils_no_other(api, said, operations):
    api.enqueue(said)
    assert curator() == {"reasoning": "", "operations": operations}


@pytest.mark.parametrize("cut", [0.6, 0.8, 0.95])
def test_a_cut_reply_gives_its_complete_operations(api, cut):
    rows = [{"op": "ADD", "section": "OTHERS", "text": f"Lesson {n}."} for n in range(10)]
    whole = json.dumps({"reasoning": "Many.", "operations": rows})
    api.enqueue({"text": whole[: int(len(whole) * cut)], "stop_reason": "max_tokens"})
    found = curator()
    assert found["reasoning"] == "Many."
    assert 5 <= len(found["operations"]) < 10
    assert rows[: len(found["operations"])] == found["operations"]


def test_the_templates_own_example_is_a_valid_reply_that_can_be_applied():
    text = fill(load_template("curator.txt"), {})
    example = json.loads(text[text.rindex('\n{"reasoning"') :].split("\n\n#")[0])
    point = {**POINT, "name": "pat-004", "text": "run a failing test alone"}
    playbook = {**PLAYBOOK, "sections": {"PATTERNS & APPROACHES": [point]}}
    changed = update_playbook_data(playbook, example)
    assert [found["name"] for found in changed["sections"]["MISTAKES TO AVOID"]] == ["mis-001"]
    assert "pytest -x -q" in changed["sections"]["PATTERNS & APPROACHES"][0]["text"]
