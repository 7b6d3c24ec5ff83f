"""`check --every-stop` is the hook: the same function, the same counters."""

import json
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import History, Judgement
from ace_reflect.gates.replay import Stop, replay
from ace_reflect.project.facts import infer_project
from ace_reflect.settings import Settings
from ace_reflect.transcript import records as wire
from support.ledgers import session
from support.transcripts import TranscriptBuilder

HOME = "/home/dev/project"
PASSED, FAILED = "===== 3 passed in 0.10s =====", "===== 1 failed, 2 passed in 0.10s ====="


def stops(built: TranscriptBuilder, **settings: Any) -> list[Stop]:
    return list(replay(built.records(), None, Settings(**settings)))


def ends(built: TranscriptBuilder) -> list[str]:
    return [
        f"{stop.judgement.verdict.decision} {stop.judgement.verdict.end_state}"
        for stop in stops(built)
    ]


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
    history, builder, stepwise = History(), LedgerBuilder(), []
    for stop in replayed:
        for record in [record for record in records if record.line <= stop.line]:
            builder.feed(record)
        records = [record for record in records if record.line > stop.line]
        carried = json.loads(
            json.dumps((builder.ledger().to_json(), builder.state(), history.to_json()))
        )
        builder = LedgerBuilder(type(builder.ledger()).from_json(carried[0]), carried[1])
        ledger = builder.ledger()
        judgement = judge_stop(
            ledger, infer_project(ledger), Settings(), History.from_json(carried[2])
        )
        history = judgement.history
        stepwise.append(judgement)

    def said(judgement: Judgement) -> dict[str, Any]:
        return judgement.to_json()

    assert [said(stop.judgement) for stop in replayed] == [
        said(judgement) for judgement in stepwise
    ]
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


def test_a_turn_that_was_broken_off_had_no_stop(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it").edit(f"{HOME}/src/a.py").interrupt()

    assert ends(built.prompt("Stop that").say("Ok.")) == ["allow not_applicable"]


def test_the_persons_command_comes_behind_a_stop(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it").bash("pytest -q", PASSED).edit(f"{HOME}/src/a.py")
    built.say("Done.").shell("pytest -q", PASSED)

    assert ends(built.prompt("thanks").say("Sure."))[0] == "block incomplete"


def test_a_file_that_ends_in_mid_turn_has_no_last_stop(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it").bash("pytest -q", PASSED).edit(f"{HOME}/src/a.py")
    (stop,) = stops(built)

    assert stop.in_mid_turn
    assert ends(built) == ["allow working"]


@pytest.mark.parametrize("records", [[], [wire.AssistantText(line=1, text="Hi.")]])
def test_a_session_without_a_prompt(records: list[wire.Record]) -> None:
    assert [stop.judgement.verdict.decision for stop in replay(records, None, Settings())] in (
        [],
        ["allow"],
    )
