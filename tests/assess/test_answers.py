"""What models send is read, whatever form it comes in; what cannot be read claims nothing."""

from contextlib import nullcontext
from typing import Any

import pytest
from pydantic import ValidationError

from ace_reflect.assess.answers import Assessment, JudgeAnswer
from ace_reflect.assess.role import read_answer
from ace_reflect.errors import ModelReplyInvalid
from ace_reflect.llm.port import Reply

URL = "https://github.com/a/b/pull/1"
TESTS = {"ran": True, "results": "pass", "ran_after_changes": True, "commands": ["pytest -q"]}
PARTS = {"tests": TESTS, "build": {"ran": True}, "pr": {"created": True, "url": URL}}
FLAT = {f"{part}.{name}": value for part, rows in PARTS.items() for name, value in rows.items()}
STRINGS = {"build": {"ran": 1}, "pr": {"created": "True", "url": f" {URL} "}}
STRINGS["tests"] = {**TESTS, "ran": "yes", "ran_after_changes": "true", "commands": "- pytest -q"}


@pytest.mark.parametrize(
    "spelled",
    [
        PARTS, FLAT, {key.replace(".", "_"): value for key, value in FLAT.items()}, {"evidence": PARTS},
        STRINGS,
    ],
)  # fmt: skip
def test_every_spelling_of_the_contract_reads_the_same(spelled: dict[str, Any]) -> None:
    read = Assessment.model_validate({"status": "Complete", **spelled})

    assert read == Assessment.model_validate({"status": "complete", **PARTS})
    assert (read.tests.commands, read.pr.url) == (["pytest -q"], URL)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Completed", "complete"),
        ("in progress", "in_progress"),
        ("not complete", "in_progress"),
        ("working", "working"),
        ("BLOCKED", "blocked"),
        ("genuinely_stuck", "stuck"),
        ("awaiting_user_input", "waiting_for_user"),
        ("Waiting on the human", "waiting_for_user"),
        *((none, None) for none in ("banana", "", None, 7, [], "complete with caveats", "started")),
    ],
)
def test_a_status_is_one_of_six_or_there_is_no_assessment(said: object, read: str | None) -> None:
    with nullcontext() if read else pytest.raises(ValidationError):
        assert Assessment.model_validate({"status": said}).status == read


CONFIDENCES = [
    *((0.9, 0.9), ("90%", 0.9), (90, 0.9), ("0,9", 0.9), (100, 1.0)),
    *((none, 0.5) for none in (None, "sure", -1, True, 10**400, "1" + "0" * 400, [], "nan")),
]
SEVERITIES = [("critical", "BLOCKER"), ("None", "NONE"), (None, "MEDIUM"), (7, "MEDIUM"), ("nit", "LOW")]  # fmt: skip


def test_confidence_and_severity_are_read_and_their_absence_is_no_word_on_it() -> None:
    for said, read in CONFIDENCES:
        found = Assessment.model_validate({"status": "complete", "confidence": said})
        assert found.confidence == read
    for said, read in SEVERITIES:
        found = JudgeAnswer.model_validate({"complete": "no", "severity": said})
        assert found.severity == read
    with pytest.raises(ValidationError):
        JudgeAnswer.model_validate({"severity": "LOW"})


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("- run it\n- read it", ["run it", "read it"]),
        ("- [ ] run it\n1. - [x] read it", ["run it", "read it"]),
        ([{"item": "run it"}, {"description": "read it"}, {"x": 1}, 7], ["run it", "read it", "7"]),
        (["No tests cover the parser"], ["No tests cover the parser"]),
        (["All tests need to be completed"], ["All tests need to be completed"]),
        *[(nothing, []) for nothing in ([], None, "None", ["none"], "N/A", {}, 7)],
        (["Nothing left to do.", "No remaining work", "No further work is required."], []),
        (["Everything requested was completed"], []),
    ],
)
def test_items_are_read_from_any_list_and_no_work_is_no_item(said: object, read: list[str]) -> None:
    found = Assessment.model_validate({"status": "in_progress", "remaining_work": said})

    assert found.remaining_work == read


def test_an_assessment_is_found_in_prose_and_prose_is_none() -> None:
    said = '{"note": "x"} and {"status": "complete", "confidence": 0.9, "remaining_work": ["a", "b'
    found = read_answer(Assessment, Reply(said, "m"))

    assert (found.status, found.confidence) == ("complete", 0.9)
    for text in ("It is done.", "", "[1, 2]", '{"answer": 42}', '{"status": "unsure"}'):
        with pytest.raises(ModelReplyInvalid):
            read_answer(Assessment, Reply(text, "m"))
