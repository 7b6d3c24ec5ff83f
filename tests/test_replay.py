"""`check --every-stop` is the hook: the same function, the same counters."""

from pathlib import Path

import pytest

from ace_reflect.report.replay import Stop, replay, stops_of
from ace_reflect.settings import Settings
from support.ledgers import session
from support.transcripts import TranscriptBuilder

HOME = "/home/dev/project"
PASSED = "===== 3 passed in 0.10s ====="


def stops(built: TranscriptBuilder) -> list[Stop]:
    found = list(replay(built.records(), None, Settings()))
    assert list(replay(built.records(), None, Settings(), last_only=True)) == found[-1:]
    return found


def ends(built: TranscriptBuilder) -> list[str]:
    verdicts = [stop.judgement.verdict for stop in stops(built)]
    return [f"{verdict.decision} {verdict.end_state}" for verdict in verdicts]


def test_each_stop_knows_what_the_person_said_next(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it").say("Done.").prompt("No, the other one").say("Ok.")

    assert [stop.next_words for stop in stops(built)] == ["No, the other one", ""]


@pytest.mark.parametrize(("steps", "expected"), [
    # a turn that was broken off had no stop, and a file that ends in mid-turn has no last one
    (lambda b: b.interrupt().prompt("Stop that").say("Ok."), ["allow open_from_earlier"]),
    (lambda b: b, ["allow working"]),
    # what was given up is a note until its proof is seen
    (lambda b: b.say("Done.").feedback("Test it.").say("No.").feedback("Test it.").say("No.").prompt("Test it").bash("pytest -q", PASSED).say("Ok.").prompt("And b").edit(f"{HOME}/src/b.py").say("Done."), ["block incomplete", "block incomplete", "allow gave_up", "allow complete", "block incomplete"]),
    # the person's command comes behind a stop
    (lambda b: b.say("Done.").shell("pytest -q", PASSED).prompt("thanks").say("Sure."), ["block incomplete", "allow not_applicable"]),
])  # fmt: skip
def test_where_a_session_had_stops(tmp_path, steps, expected):
    built = session(tmp_path).prompt("Fix it").bash("pytest -q", PASSED).edit(f"{HOME}/src/a.py")
    steps(built)
    assert ends(built) == expected


def test_what_a_subagent_did_before_a_stop_counts_at_that_stop(tmp_path):
    built = session(tmp_path).prompt("Fix it").bash("pytest -q", PASSED).edit(f"{HOME}/src/a.py")
    for number in range(3):
        built.read(f"{HOME}/src/{number}.py")
    path = built.say("Done.").prompt("thanks").say("Sure.").write()
    agent = TranscriptBuilder(cwd=HOME, agent_id="a1").read("a.md").read("b.md").read("c.md")
    agent.bash("pytest -q", PASSED).write_subagent(path)
    first, *_ = stops_of(str(path), None, Settings())
    assert [run.by for run in first.ledger.runs] == ["agent", "subagent"]
    assert first.judgement.verdict.complete


def test_a_session_without_a_prompt_has_nothing_to_block(tmp_path: Path) -> None:
    assert list(replay([], None, Settings())) == []
    assert set(ends(session(tmp_path).say("Hi."))) <= {"allow not_applicable"}
