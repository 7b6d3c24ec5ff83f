"""The four actions after a compaction: by rule, by a model, and in words; and the work on GitHub that they go by."""

import asyncio

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect.assess import compaction
from ace_reflect.assess.compaction import CLARIFY, COMPLETE, CONTINUE, GITHUB, LOOKED, WROTE
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fix #123", ["#123"]),
        ("see PR #34", ["PR #34"]),
        ("PR34 is open", ["PR #34"]),
        ("closes issue #42 and issue 43", ["issue #42", "issue #43"]),
        *(
            (f"https://github.com/a/b/{x}/7", [f"{what} #7"])
            for x, what in (("pull", "PR"), ("issues", "issue"))
        ),
        ("!12 in https://gitlab.com/a/b/-/merge_requests/12", ["PR #12"]),
        ("it returns 42", []),
        ("color: #123456; background: #fff", []),
        ("a pull request would be good", []),
        ("```\n#99\n```", []),
    ],
)
def test_references(text: str, found: list[str]) -> None:
    assert compaction.references(text) == found


@pytest.mark.parametrize(
    ("work", "signs", "target"),
    [
        (Work().call("gh pr create --fill"), [WROTE], ""),
        (Work().call("gh pr comment 34 --body hi"), [WROTE], "PR #34"),
        (Work().call("gh issue comment 42 -b hi"), [WROTE, LOOKED], "issue #42"),
        (Work().call("echo gh pr create"), [], ""),
        (Work().call("gh issue view 5"), [LOOKED, compaction.UNTOLD], "issue #5"),
        (
            Work().call("gh issue view 5").commit(),
            [compaction.SHIPPED, LOOKED, compaction.UNTOLD],
            "issue #5",
        ),
        (Work("work on issue #42").edit(), [compaction.ASKED, compaction.UNTOLD], "issue #42"),
        (Work().edit().commit().push(branch="fix"), [compaction.SHIPPED, compaction.UNTOLD], ""),
        (Work().edit().pr(url="https://github.com/a/b/pull/8", number=8), [WROTE], "PR #8"),
        (Work().edit().pr("failed"), [], ""),
        (
            Work("work on #9").call("git checkout -b nine"),
            [compaction.SHIPPED, compaction.ASKED, compaction.UNTOLD],
            "#9",
        ),
    ],
)
def test_tools_and_words(work: Work, signs: list[str], target: str) -> None:
    assert compaction.github_work(work.ledger()) == (signs, target)
