"""Turns: from a human prompt to the next."""

from pathlib import Path

import pytest

from ace_reflect.transcript.turns import turn_spans
from support.transcripts import TranscriptBuilder


@pytest.fixture
def session(tmp_path: Path) -> TranscriptBuilder:
    return TranscriptBuilder(tmp_path / "s.jsonl")


def test_a_turn_reaches_to_the_next_prompt_and_the_last_is_open(session: TranscriptBuilder) -> None:
    session.meta("caveat").prompt("one", uuid="u1").bash("ls").say("ok").prompt("two", uuid="u2").say("ok")
    spans = turn_spans(session.records())
    assert [(s.number, s.line, s.last_line, s.key, s.text, s.open) for s in spans] == [
        (1, 2, 5, "u1", "one", False),
        (2, 6, 7, "u2", "two", True),
    ]


def test_what_goes_on_with_a_turn_opens_none(session: TranscriptBuilder) -> None:
    session.prompt("one").queue("also this").background("npm test").task_notification().feedback("Run the tests.")
    session.compact().teammate("hi").local_command("cost").shell("ls").interrupt().stop()
    assert [s.text for s in turn_spans(session.records())] == ["one"]


def test_a_plan_opens_a_turn_of_its_own_kind(session: TranscriptBuilder) -> None:
    assert [s.kind for s in turn_spans(session.prompt("plan it").plan_prompt("1. x").records())] == ["human", "plan"]


def test_a_copied_prompt_is_the_same_turn(session: TranscriptBuilder) -> None:
    session.prompt("one", uuid="u1").say("ok")
    session.lines += session.lines
    assert [s.key for s in turn_spans(session.prompt("two", uuid="u2").records())] == ["u1", "u2"]


def test_a_fork_keeps_the_turns_keys(session: TranscriptBuilder, tmp_path: Path) -> None:
    session.prompt("one", uuid="u1").say("ok").write()
    fork = TranscriptBuilder(tmp_path / "fork.jsonl", session_id="another")
    fork.lines = [line.replace(session.session_id, "another") for line in session.lines if isinstance(line, str)]
    assert [s.key for s in turn_spans(fork.prompt("two", uuid="u2").records())] == ["u1", "u2"]


def test_no_prompt_no_turn(session: TranscriptBuilder) -> None:
    assert turn_spans(session.say("hi").records()) == ()
