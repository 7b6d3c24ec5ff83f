"""The four actions after a compaction: by rule, by a model, and in words."""

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect.assess.answers import CompactionAnswer
from ace_reflect.assess.compaction import (
    CLARIFY,
    COMPLETE,
    CONTINUE,
    GITHUB,
    Action,
    by_rules,
    chosen,
    line_for_person,
    message,
    values_of,
)
from ace_reflect.assess.role import Told
from support.work import Work, checkout


def middle() -> Work:
    return Work("Fix the parser so that empty lines are kept").edit()


def on_pr() -> Work:
    return Work("Fix the parser").edit().run().call("gh pr comment 34 --body hi").edit()


def finished() -> Work:
    return Work().edit().run().say("Done, the parser is fixed; 3 passed.")


@pytest.mark.parametrize(
    ("work", "action"),
    [
        (middle(), CONTINUE),
        (on_pr(), GITHUB),
        (finished(), COMPLETE),
        (Work("yes"), CLARIFY),
        (Work(""), CLARIFY),
        (Work("yes").edit(), CONTINUE),
        (Work("yes").todo("Write the lexer"), CONTINUE),
        (Work().edit().say("Done."), CONTINUE),
        (Work().edit().run().todo("Write the docs").say("Done with the first part."), CONTINUE),
        (Work("Look at PR #5").read(), CONTINUE),
        (Work("Fix issue #5").edit().commit(), GITHUB),
    ],
)
def test_by_rule(work: Work, action: str) -> None:
    assert by_rules(work.ledger(), work.judge(checkout())).action == action


@pytest.mark.parametrize("trigger", ["auto", "manual"])
@pytest.mark.parametrize(
    "work", [middle(), on_pr(), Work("yes")], ids=["continue", "github", "clarify"]
)
def test_the_messages(work: Work, trigger: str, snapshot: SnapshotAssertion) -> None:
    judgement = work.judge(checkout())
    action = by_rules(work.ledger(), judgement)

    assert snapshot == message(action, work.ledger(), judgement, trigger=trigger)


def test_a_finished_task_is_told_nothing_and_the_person_one_line() -> None:
    work = finished()
    judgement = work.judge(checkout())
    action = by_rules(work.ledger(), judgement)

    assert message(action, work.ledger(), judgement) == ""
    assert line_for_person(action) == "The task was finished before the compaction."
    assert line_for_person(Action(CONTINUE, "")) == ""


def test_the_message_names_what_is_open_and_what_a_model_saw() -> None:
    work = Work("Fix the parser").edit().todo("Write the lexer")
    action = Action(
        CONTINUE, "by a model", "src/app.py is edited <now>; the lexer comes next", rule=False
    )

    text = message(action, work.ledger(), work.judge(checkout()))

    assert "Where it stood: “src/app.py is edited ‹now>; the lexer comes next”." in text
    assert "Open on the todo list: Write the lexer." in text
    assert "Still open: no test has been run since the code was edited (`pytest`)." in text
    assert len(text) <= 1200


def test_a_message_is_never_long() -> None:
    work = Work("x" * 5000).edit()
    for number in range(30):
        work.todo(f"{number} " + "y" * 300)

    assert len(message(Action(CONTINUE, ""), work.ledger(), work.judge(checkout()))) <= 1200


@pytest.mark.parametrize(
    ("said", "work", "action"),
    [
        ("continue_task", middle(), CONTINUE),
        ("needs_clarification", middle(), CLARIFY),
        ("task_complete", middle(), CONTINUE),  # the tests are still to be run
        ("task_complete", finished(), COMPLETE),
        ("needs_github_update", middle(), CONTINUE),  # nothing on GitHub is on record
        ("needs_github_update", on_pr(), GITHUB),
    ],
)
def test_a_models_choice_beside_the_record(said: str, work: Work, action: str) -> None:
    judgement = work.judge(checkout())
    told = Told(CompactionAnswer(action=said, current_work="x"), "model", model="fake/model")  # type: ignore[arg-type]

    assert (
        chosen(told, by_rules(work.ledger(), judgement), work.ledger(), judgement).action == action
    )


def test_without_an_answer_the_rules_speak() -> None:
    work = middle()
    judgement = work.judge(checkout())
    ruled = by_rules(work.ledger(), judgement)

    assert chosen(Told(None, "nobody", why="no network"), ruled, work.ledger(), judgement) is ruled


def test_what_the_model_is_shown() -> None:
    values = values_of(on_pr().ledger(), "I will tell them on the PR.", "auto")

    assert values["answer"] == "I will tell them on the PR."
    assert "gh pr comment 34" in values["tools"]
    assert "a pull request or issue was made or commented on; it is about PR #34" in values[
        "facts"
    ].replace("; commits, pushes or branches were made", "")
    assert values["trigger"].startswith("the context was full")
