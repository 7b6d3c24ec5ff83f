"""`check --every-stop` is the hook: the same function, the same counters."""

import json
from pathlib import Path

import pytest

from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import History
from ace_reflect.project.facts import Project
from ace_reflect.report.replay import Stop, replay
from ace_reflect.settings import Settings
from support.ledgers import put_away_and_taken_up, session
from support.transcripts import TranscriptBuilder

HOME = "/home/dev/project"
PASSED, FAILED = "===== 3 passed in 0.10s =====", "===== 1 failed, 2 passed in 0.10s ====="


def stops(built: TranscriptBuilder) -> list[Stop]:
    return list(replay(built.records(), None, Settings()))


def ends(built: TranscriptBuilder) -> list[str]:
    verdicts = [stop.judgement.verdict for stop in stops(built)]
    return [f"{verdict.decision} {verdict.end_state}" for verdict in verdicts]


def long_session(folder: Path) -> TranscriptBuilder:
    """Every kind of stop, as a session under the product's own hooks would have them."""
    built = session(folder).prompt("Fix the parser").bash("pytest -q", PASSED)
    built.edit(f"{HOME}/src/a.py").say("Done.").feedback("Run the tests.")
    built.edit(f"{HOME}/src/b.py").say("Done, really.").feedback("Run the tests.")
    built.say("I have nothing to add.").feedback("Run the tests.").say("Nothing.")
    built.prompt("What does it do?").say("It parses.")
    built.prompt("Fix c too").edit(f"{HOME}/src/c.py").say("Done.")
    built.prompt("Run the tests").bash("pytest -q", FAILED, exit_code=1).say("All tests pass.")
    built.feedback("One fails.").edit(f"{HOME}/src/c.py").bash("pytest -q", PASSED).say("3 passed.")
    built.prompt("Fix d").edit(f"{HOME}/src/d.py").say("Shall I run the tests?")
    return built.prompt("no, skip gates for this session").edit(f"{HOME}/src/e.py").say("Done.")


def test_a_recorded_session_and_the_hook_step_by_step_say_the_same(tmp_path: Path) -> None:
    built = long_session(tmp_path)
    records = built.records()
    replayed = list(replay(records, None, Settings()))
    history, builder, stepwise, begins = History(), LedgerBuilder(), [], 0
    for stop in replayed:
        for record in records:
            if begins < record.line <= stop.line:
                builder.feed(record)
        begins = stop.line
        builder = put_away_and_taken_up(builder)
        ledger = builder.ledger()
        stored = History.from_json(json.loads(json.dumps(history.to_json())))
        stepwise.append(judge_stop(ledger, Project(), Settings(), stored))
        history = stepwise[-1].history

    assert [stop.judgement.to_json() for stop in replayed] == [one.to_json() for one in stepwise]
    assert [f"{each.verdict.decision} {each.verdict.end_state}" for each in stepwise] == [
        "block incomplete",
        "block incomplete",
        "block incomplete",
        "allow gave_up",
        "allow open_from_earlier",
        "allow gave_up",
        "block incomplete",
        "allow complete",
        "allow waiting_for_user",
        "allow skipped",
    ]


def test_each_stop_knows_what_the_person_said_next(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it").say("Done.").prompt("No, the other one").say("Ok.")

    assert [stop.next_words for stop in stops(built)] == ["No, the other one", ""]


@pytest.mark.parametrize(("steps", "expected"), [
    # a turn that was broken off had no stop, and a file that ends in mid-turn has no last one
    (lambda b: b.interrupt().prompt("Stop that").say("Ok."), ["allow open_from_earlier"]),
    (lambda b: b, ["allow working"]),
    # the person's command comes behind a stop
    (lambda b: b.say("Done.").shell("pytest -q", PASSED).prompt("thanks").say("Sure."), ["block incomplete", "allow not_applicable"]),
])  # fmt: skip
def test_where_a_session_had_stops(tmp_path, steps, expected):
    built = session(tmp_path).prompt("Fix it").bash("pytest -q", PASSED).edit(f"{HOME}/src/a.py")
    steps(built)
    assert ends(built) == expected


def test_a_session_without_a_prompt_has_nothing_to_block(tmp_path: Path) -> None:
    assert list(replay([], None, Settings())) == []
    assert set(ends(session(tmp_path).say("Hi."))) <= {"allow not_applicable"}
