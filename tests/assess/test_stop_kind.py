"""Stuck, waiting, working or complete: rules first, the fast model for the rest."""

from pathlib import Path

import pytest

from ace_reflect.assess.answers import StopKindAnswer
from ace_reflect.assess.role import Told
from ace_reflect.assess.stop_kind import by_rules, by_rules_of, kind_of
from ace_reflect.gates.model import StopKind
from support.ledgers import ledger_of, session
from support.work import Work

STUCK, WAITING, WORKING, COMPLETE, UNCLEAR = (
    StopKind.GENUINELY_STUCK,
    StopKind.WAITING_FOR_USER,
    StopKind.WORKING,
    StopKind.COMPLETE,
    StopKind.UNCLEAR,
)


def test_an_install_that_runs_for_ninety_seconds_works() -> None:
    assert by_rules("Installing the dependencies.", running=("npm install",)).kind is WORKING


def test_a_question_waits_for_the_person() -> None:
    assert by_rules("PostgreSQL and SQLite would both fit. Which database do you want?").kind is WAITING


def test_an_answer_that_stops_in_mid_sentence_is_stuck() -> None:
    found = by_rules("I have changed the handler, and the next thing is to")

    assert (found.kind, found.nudge) == (STUCK, True)


def test_next_steps_and_then_nothing_is_stuck() -> None:
    found = by_rules("I looked at the parser.\n\nNext steps:\n1. Implement the tokenizer\n2. Add the tests")

    assert (found.kind, found.why) == (STUCK, "the answer lists next steps, and takes none: Implement the tokenizer")


def test_a_long_build_works() -> None:
    assert by_rules("Building.", pending_calls=1).kind is WORKING


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("Let me run the tests now:", STUCK),
        ("Done: the parser handles empty lines.", COMPLETE),
        ("Everything is fixed. Do you want me to also update the docs?", COMPLETE),
        ("", UNCLEAR),
        ("Slugs fold case now.", COMPLETE),
        ("Slugs fold case.", UNCLEAR),
        ("Next steps:\n- You could add caching later", UNCLEAR),
    ],
)
def test_other_answers(answer: str, kind: StopKind) -> None:
    assert by_rules(answer).kind is kind


@pytest.mark.parametrize("tool", ["AskUserQuestion", "ExitPlanMode"])
def test_an_open_dialog_waits_for_the_person(tmp_path: Path, tool: str) -> None:
    built = (
        session(tmp_path).prompt("Move the forms to the new library.").call(tool, {"questions": [{"question": "?"}]})
    )

    assert by_rules_of(ledger_of(built), ()).kind is WAITING


def test_another_call_without_a_result_works(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Move the forms.").call("Bash", {"command": "npm test"})

    assert by_rules_of(ledger_of(built), ()).kind is WORKING


@pytest.mark.parametrize(
    ("work", "kind"),
    [
        (Work("What does --frozen do?").read().say("It refuses to release when the lock file differs."), COMPLETE),
        (Work("Compare zod and valibot, no code.").read().say("Size matters here: I recommend valibot."), COMPLETE),
        (Work("What does --frozen do?").read().say("Let me look into the script:"), STUCK),
        (Work("Disable the button while it exports.").read(), STUCK),
        (Work("Disable the button while it exports.").edit(), UNCLEAR),
        (Work("Disable the button while it exports.").read().say("The button has a handler."), UNCLEAR),
        (Work("What does --frozen do?").read(), UNCLEAR),
    ],
)
def test_what_was_asked_for_tells_where_the_text_does_not(work: Work, kind: StopKind) -> None:
    assert by_rules_of(work.ledger(), ()).kind is kind


def test_a_sessions_current_turn_is_told_by_the_same_rules() -> None:
    assert by_rules_of(Work().edit().say("Done, it is fixed.").ledger(), ()).kind is COMPLETE
    assert by_rules_of(Work("").ledger(), ()).kind is UNCLEAR


@pytest.mark.parametrize(("confidence", "nudge"), [(0.9, True), (0.5, True), (None, True), (0.3, False)])
def test_a_nudge_wants_some_certainty(confidence: float | None, nudge: bool) -> None:
    told = Told(StopKindAnswer(kind="genuinely_stuck", confidence=confidence), "model")

    assert kind_of(told).nudge is nudge


def test_a_check_that_fails_pushes_nobody() -> None:
    found = kind_of(Told(None, "nobody", why="timed out"))

    assert (found.kind, found.nudge) == (UNCLEAR, False)
