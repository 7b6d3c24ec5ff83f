"""What models send is read, whatever form it comes in; what cannot be read claims nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ace_reflect.assess.answers import Assessment, CompactionAnswer, JudgeAnswer, StopKindAnswer
from ace_reflect.assess.role import read_answer
from ace_reflect.errors import ModelReplyInvalid
from ace_reflect.llm.port import Reply

FLAT: dict[str, Any] = {
    "status": "complete",
    "tests.ran": True,
    "tests.results": "pass",
    "tests.ran_after_changes": True,
    "tests.commands": ["pytest -q"],
    "build.ran": True,
    "build.results": "pass",
    "pr.created": True,
    "pr.url": "https://github.com/a/b/pull/1",
    "pr.ci_status": "pass",
    "pr.checked": True,
}
TOP = {
    "status": "complete",
    "tests": {"ran": True, "results": "pass", "ran_after_changes": True, "commands": ["pytest -q"]},
    "build": {"ran": True, "results": "pass"},
    "pr": {
        "created": True,
        "url": "https://github.com/a/b/pull/1",
        "ci_status": "pass",
        "checked": True,
    },
}
UNDER_EVIDENCE = {
    "status": "complete",
    "evidence": {name: TOP[name] for name in ("tests", "build", "pr")},
}
UNDERSCORED = {key.replace(".", "_"): value for key, value in FLAT.items()}
CAMEL = {
    "status": "Complete",
    "evidence": {
        "tests": {
            "ran": "yes",
            "results": "passed",
            "ranAfterChanges": "true",
            "commands": "pytest -q",
        },
        "build": {"ran": 1, "results": "Success"},
        "pr": {
            "created": "true",
            "url": "https://github.com/a/b/pull/1",
            "ciStatus": "green",
            "checked": "yes",
        },
    },
}


@pytest.mark.parametrize("spelled", [FLAT, TOP, UNDER_EVIDENCE, UNDERSCORED, CAMEL])
def test_every_spelling_of_the_contract_reads_the_same(spelled: dict[str, Any]) -> None:
    assert Assessment.model_validate(spelled) == Assessment.model_validate(FLAT)
    assert Assessment.model_validate(spelled).tests.commands == ["pytest -q"]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("complete", "complete"),
        ("Completed", "complete"),
        ("in progress", "in_progress"),
        ("not complete", "in_progress"),
        ("waiting-for-user", "waiting_for_user"),
        ("BLOCKED", "blocked"),
        ("genuinely_stuck", "stuck"),
        ("Not started", "in_progress"),
        ("mostly complete", "in_progress"),
        ("unfinished", "in_progress"),
        ("awaiting_user_input", "waiting_for_user"),
        ("Waiting on the human", "waiting_for_user"),
    ],
)
def test_a_status_is_one_of_five(said: str, read: str) -> None:
    assert Assessment.model_validate({"status": said}).status == read


@pytest.mark.parametrize(
    "said", ["banana", "", None, 7, [], {}, "complete with caveats", "started"]
)
def test_a_status_that_is_none_of_the_five_makes_no_assessment(said: object) -> None:
    with pytest.raises(ValidationError):
        Assessment.model_validate({"status": said})


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (0.9, 0.9),
        ("90%", 0.9),
        (90, 0.9),
        ("9/10", 0.9),
        ("90 / 100", 0.9),
        ("0,9", 0.9),
        ("90 percent", 0.9),
        ("9 of my 10 checks", 0.5),
        ("high", 0.9),
        ("0.4", 0.4),
        (None, 0.5),
        ("sure", 0.5),
        (-1, 0.5),
        (True, 0.5),
        (100, 1.0),
        (99, 0.99),
        (10**400, 1.0),
        ("1" + "0" * 400, 1.0),
        ("1e999%", 1.0),
        (-(10**400), 0.5),
    ],
)
def test_confidence_is_read_and_its_absence_is_half(said: object, read: float) -> None:
    assert Assessment.model_validate({"status": "complete", "confidence": said}).certainty == read


@pytest.mark.parametrize(
    "nothing",
    [[], None, "None", ["none"], ["Nothing left to do."], "N/A", ["No remaining work"], {}],
)
def test_no_work_is_no_item(nothing: object) -> None:
    assert (
        Assessment.model_validate({"status": "complete", "remaining_work": nothing}).remaining_work
        == []
    )


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("- run it\n- read it", ["run it", "read it"]),
        (["1. run it", "[ ] read it"], ["run it", "read it"]),
        ("- [ ] run it\n1. - [x] read it", ["run it", "read it"]),
        (
            [{"item": "run it"}, {"description": "read it"}, {"x": 1}, 7, None],
            ["run it", "read it", "7"],
        ),
        (["No tests cover the parser"], ["No tests cover the parser"]),
    ],
)
def test_items_are_read_from_any_list(said: object, read: list[str]) -> None:
    assert (
        Assessment.model_validate({"status": "in_progress", "remaining_work": said}).remaining_work
        == read
    )


def test_the_judge_says_complete_or_gives_no_verdict() -> None:
    assert (
        JudgeAnswer.model_validate({"complete": "true", "severity": "critical"}).severity
        == "BLOCKER"
    )
    assert JudgeAnswer.model_validate({"complete": False}).severity == "MEDIUM"
    assert JudgeAnswer.model_validate({"complete": False, "severity": None}).severity == "MEDIUM"
    assert JudgeAnswer.model_validate({"complete": False, "severity": "None"}).severity == "NONE"
    with pytest.raises(ValidationError):
        JudgeAnswer.model_validate({"severity": "LOW"})


@pytest.mark.parametrize(
    "older",
    [
        {"stuck": True, "reason": "genuinely_stuck", "confidence": 0.8, "shouldNudge": True},
        {"stuck": True, "reason": "genuinely_stuck", "shouldNudge": True},
        {"classification": "Genuinely stuck"},
    ],
)
def test_a_stop_kind_in_the_older_form_is_read(older: dict[str, Any]) -> None:
    assert (
        read_answer(StopKindAnswer, Reply(f"So: {json.dumps(older)}", "m")).kind
        == "genuinely_stuck"
    )


@pytest.mark.parametrize("other", [{"stuck": True}, {"mood": "sunny"}, {"reason": "it looks fine"}])
def test_an_object_that_names_no_kind_is_no_stop_kind(other: dict[str, Any]) -> None:
    with pytest.raises(ModelReplyInvalid):
        read_answer(StopKindAnswer, Reply(json.dumps(other), "m"))


@pytest.mark.parametrize("kind", [Assessment, JudgeAnswer, StopKindAnswer, CompactionAnswer])
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.just(10**400) | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        max_leaves=8,
    )
)
def test_anything_is_read_or_refused_and_never_breaks(kind: Any, value: object) -> None:
    for data in (
        value,
        {
            "status": value,
            "complete": value,
            "kind": value,
            "action": value,
            "tests": value,
            "remaining_work": value,
            "confidence": value,
        },
    ):
        try:
            kind.model_validate(data)
        except ValidationError:
            continue


@pytest.mark.parametrize(
    "text",
    [
        'Here it is:\n```json\n{"status": "complete", "confidence": 0.9}\n```\nGood luck!',
        'I think {maybe} so: {"status": "complete", "confidence": 0.9,}',
        '{"status": "complete", "confidence": 0.9, "remaining_work": ["a", "b',
        '{"note": "x"} and {"status": "complete", "confidence": 0.9}',
    ],
)
def test_an_assessment_is_found_in_prose(text: str) -> None:
    found = read_answer(Assessment, Reply(text, "m"))

    assert (found.status, found.confidence) == ("complete", 0.9)


@pytest.mark.parametrize(
    "text", ["It is done.", "", "[1, 2]", json.dumps({"answer": 42}), '{"status": "unsure"}']
)
def test_prose_is_no_assessment(text: str) -> None:
    with pytest.raises(ModelReplyInvalid):
        read_answer(Assessment, Reply(text, "m"))
