"""The Curator: operations out of a reflection."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ace_reflect import load_template, run_curator, update_playbook_data
from ace_reflect.errors import ModelReplyInvalid
from ace_reflect.learning.curator import curate
from ace_reflect.llm.template import fill
from support.fake_model import FakeModel
from support.messages_api import MessagesApi

EMPTY = {"reasoning": "", "operations": []}
PLAYBOOK = {
    "version": "1.0",
    "last_updated": None,
    "sections": {
        "MISTAKES TO AVOID": [
            {"name": "mis-001", "text": "never edit src/{gen}", "helpful": 1, "harmful": 0}
        ]
    },
}
REFLECTION = {
    "analysis": "The build overwrote {hand} edits.",
    "bullet_tags": [{"name": "mis-001", "tag": "helpful", "rationale": "r"}],
}
REPLY = {
    "reasoning": "One lesson.",
    "operations": [
        {
            "op": "ADD",
            "section": "OTHERS",
            "text": "Run `make gen`.",
            "source": "outcome",
            "line": 12,
        }
    ],
}

pytestmark = pytest.mark.usefixtures("asked_by_environment")


def curator(reflection: Any = REFLECTION, playbook: Any = PLAYBOOK) -> dict[str, Any]:
    return asyncio.run(run_curator(reflection, playbook))


def test_reasoning_and_operations_are_returned_as_the_model_gave_them(api: MessagesApi) -> None:
    api.enqueue(f"```json\n{json.dumps(REPLY)}\n```")

    assert curator() == REPLY


def test_it_is_shown_the_reflection_and_the_playbook_and_never_the_session(
    api: MessagesApi,
) -> None:
    curator()

    prompt = api.asked[0].body["messages"][0]["content"]
    assert "The build overwrote {hand} edits." in prompt
    assert "[mis-001] helpful=1 harmful=0 :: never edit src/{gen}" in prompt
    assert "cite its ID" not in prompt, "the generator's directive is not the curator's business"


@pytest.mark.parametrize(
    "turn",
    [
        {"status": 500, "repeat": 3},
        {"status": 400},
        "no JSON",
        {"text": "no", "stop_reason": "refusal"},
        {"raw": "null"},
    ],
)
def test_any_failure_gives_the_empty_result(api: MessagesApi, turn: Any) -> None:
    api.enqueue(turn)

    assert curator() == EMPTY


@pytest.mark.parametrize(
    "arguments",
    [
        (None, PLAYBOOK),
        (REFLECTION, None),
        (7, 7),
        ("x", "y"),
        ({"analysis": {1, 2}}, {"sections": []}),
    ],
)
def test_garbage_arguments_never_raise(api: MessagesApi, arguments: tuple[Any, Any]) -> None:
    api.enqueue(json.dumps(REPLY))

    assert curator(*arguments) in (EMPTY, REPLY)


def test_without_a_key_nobody_is_asked(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")

    assert curator() == EMPTY
    assert api.requests == []


def test_in_diagnostic_mode_the_error_is_kept(
    api: MessagesApi, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ACE_REFLECT_DIAGNOSTIC", "1")
    monkeypatch.setenv("ACE_REFLECT_HOME", str(tmp_path))
    api.enqueue({"status": 404, "message": "model: nope"})

    curator()

    assert len(list((tmp_path / "diagnostic").glob("*curator_error*"))) == 1


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ('{"operations": null, "reasoning": 5}', EMPTY),
        ('{"operations": {"op": "ADD"}}', EMPTY),
        (
            '{"operations": [1, null, "ADD", {"op": "DELETE", "target_id": "mis-001"}]}',
            {"reasoning": "", "operations": [{"op": "DELETE", "target_id": "mis-001"}]},
        ),
        (
            '{"reasoning": "nothing to do", "operations": []}',
            {"reasoning": "nothing to do", "operations": []},
        ),
    ],
)
def test_what_is_no_operation_spoils_no_other(
    api: MessagesApi, said: str, wanted: dict[str, Any]
) -> None:
    api.enqueue(said)

    assert wanted == curator()


@pytest.mark.parametrize("cut", [0.6, 0.8, 0.95])
def test_a_cut_reply_gives_its_complete_operations(api: MessagesApi, cut: float) -> None:
    rows = [{"op": "ADD", "section": "OTHERS", "text": f"Lesson {n}."} for n in range(10)]
    whole = json.dumps({"reasoning": "Many.", "operations": rows})
    api.enqueue({"text": whole[: int(len(whole) * cut)], "stop_reason": "max_tokens"})

    found = curator()

    assert found["reasoning"] == "Many."
    assert 5 <= len(found["operations"]) < 10
    assert rows[: len(found["operations"])] == found["operations"]


def test_the_templates_own_example_is_a_valid_reply_that_can_be_applied() -> None:
    text = fill(load_template("curator.txt"), {})
    example = json.loads(text[text.rindex('\n{"reasoning"') :])
    playbook = {
        "version": "1.0",
        "last_updated": None,
        "sections": {
            "PATTERNS & APPROACHES": [
                {"name": "pat-004", "text": "run a failing test alone", "helpful": 1, "harmful": 0}
            ]
        },
    }

    changed = update_playbook_data(playbook, example)

    assert [point["name"] for point in changed["sections"]["MISTAKES TO AVOID"]] == ["mis-001"]
    assert "pytest -x -q" in changed["sections"]["PATTERNS & APPROACHES"][0]["text"]


def test_the_template_names_the_operations_their_fields_and_the_sources() -> None:
    template = load_template("curator.txt")

    for words in (
        "{reflector_output}",
        "{playbook}",
        '"ADD"',
        '"UPDATE"',
        '"DELETE"',
        '"MERGE"',
        '"target_id"',
        '"source_ids"',
        '"merged_text"',
        '"quote"',
        '"line"',
        '"user" | "outcome" | "read"',
        "ten are the limit",
    ):
        assert words in template
    for section in (
        "PATTERNS & APPROACHES",
        "MISTAKES TO AVOID",
        "USER PREFERENCES",
        "PROJECT CONTEXT",
        "OTHERS",
    ):
        assert section in template
    assert template.format(reflector_output="R", playbook="P")


# ------------------------------------------------------------------ the pipeline's layer


def curated(model: FakeModel, facts: str = "") -> Any:
    return asyncio.run(curate(model, REFLECTION, "## MISTAKES TO AVOID\n[mis-001] …", facts=facts))


def test_any_model_can_curate_with_the_evidence_before_it() -> None:
    model = FakeModel(REPLY)

    found = curated(model, facts="line 12: gate tests proven")

    assert found.value.as_result() == REPLY
    assert "<facts>\nline 12: gate tests proven\n</facts>" in model.requests[0].prompt
    assert model.requests[0].role == "curator"


def test_a_reply_without_operations_is_asked_for_once_more() -> None:
    model = FakeModel('{"thoughts": "none"}', REPLY)

    assert curated(model).value.as_result() == REPLY
    with pytest.raises(ModelReplyInvalid, match="operations"):
        curated(FakeModel('{"thoughts": "none"}', '{"thoughts": "none"}'))


def test_no_operations_is_an_answer() -> None:
    assert curated(FakeModel({"reasoning": "nothing", "operations": []})).value.operations == ()


def test_structured_operations_are_taken_as_they_are() -> None:
    assert curated(FakeModel(REPLY, structured=True)).value.as_result() == REPLY


@pytest.mark.parametrize("word", ["op", "type"])
def test_operations_without_the_object_around_them_are_operations(word: str) -> None:
    bare = {word: "DELETE", "target_id": "mis-001"}

    found = curated(
        FakeModel(f"{json.dumps({'note': 'one'})}\n{json.dumps(bare)}", "No more to say.")
    )

    assert found.value.operations == (bare,)
