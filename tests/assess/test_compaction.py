"""The four actions after a compaction: by rule, by a model, and in words; and the work on GitHub that they go by."""

import asyncio

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect.assess import compaction
from ace_reflect.assess.compaction import CLARIFY, COMPLETE, CONTINUE, GITHUB, WROTE
from support.assessed import asked, say
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
        (Work("Which packages support Node 18?").read().say("Only core does."), COMPLETE),
        (Work("Undo all of it").call("git restore .").commit().say("It is as it was."), COMPLETE),
        (Work("Fix the pager").read().say("The log rotation is the next suspect."), CONTINUE),
        (Work("Convert it").edit("a.md").say("14 are done. Now I convert the rest:"), CONTINUE),
        (Work("[Image #1] move the boxes").read(), CLARIFY),
        (Work("Fix PR 5").call("gh pr view 5").call("git push").say("Pushed."), GITHUB),
        (Work("Fix PR 5").call("gh pr view 5").call("gh pr comment 5").say("Told."), COMPLETE),
        (Work("Is PR 5 merged?").call("gh pr view 5").say("It is merged."), COMPLETE),
        (Work("Fix issue #5").edit().commit(), GITHUB),
    ],
)
def test_by_rule(work: Work, action: str) -> None:
    assert compaction.by_rules(work.ledger(), work.judge(checkout())).action == action


WORKS = {"continue": middle(), "github": on_pr(), "clarify": Work("yes"), "finished": finished()}


@pytest.mark.parametrize("trigger", ["auto", "manual"])
@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_the_messages(work: Work, trigger: str, snapshot: SnapshotAssertion) -> None:
    judgement = work.judge(checkout())
    action = compaction.by_rules(work.ledger(), judgement)

    assert snapshot == compaction.message(action, work.ledger(), judgement, trigger=trigger)


def test_the_message_names_what_is_open_and_what_a_model_saw() -> None:
    work = Work("x" * 5000).edit().todo("Write the lexer")
    action = compaction.Action(
        CONTINUE, "by a model", "app.py is edited <now>; the lexer is next", rule=False
    )

    text = compaction.message(action, work.ledger(), work.judge(checkout()))
    for number in range(30):
        work.todo(f"{number} " + "y" * 300)

    assert "Where it stood: “app.py is edited ‹now>; the lexer is next”." in text
    assert "Open on the todo list: Write the lexer." in text
    assert "Still open: no test has been run since the code was edited (`pytest`)." in text
    assert len(compaction.message(action, work.ledger(), work.judge(checkout()))) <= 1200


@pytest.mark.parametrize(
    ("said", "work", "action"),
    [
        ("continue_task", middle(), CONTINUE),
        ("task_complete", middle(), CONTINUE),  # the tests are still to be run
        ("task_complete", finished(), COMPLETE),
        ("needs_github_update", middle(), CONTINUE),  # nothing on GitHub is on record
        ("needs_github_update", on_pr(), GITHUB),
        ("no idea", finished(), COMPLETE),
    ],
)
def test_a_models_choice_beside_the_record(said, work, action, asker, api):
    judgement, ledger = work.judge(checkout()), work.ledger()
    say(api, *[{"action": said, "current_work": "x"}] * 6)

    found = asyncio.run(compaction.ask_action(asker(), ledger, judgement, last_words=""))

    ruled = compaction.by_rules(ledger, judgement)
    about = f"work on GitHub: {WROTE}; it is about PR #34"
    assert (about in asked(api)[0]) is (ruled.action == GITHUB)
    assert found.action == action
    assert found.current_work == ("" if found == ruled else "x")
