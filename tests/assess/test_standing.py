"""Where a task stands at a compaction: over, owed a word on GitHub, or lost."""

import pytest

from ace_reflect.assess.standing import finished, lost, owes_word
from support.work import Work, checkout


def is_finished(work: Work) -> bool:
    ledger = work.ledger()
    return finished(ledger, ledger.turns[-1], work.judge(checkout()))


@pytest.mark.parametrize(
    "work",
    [
        Work("Which packages still support Node 18?")
        .read()
        .say("Only core does; the others ask for 20."),
        Work("Write a page on backups")
        .edit("docs/backups.md")
        .say("The page stands in `docs/backups.md`."),
        Work("Fix the pager").edit().run().say("Offsets are clamped to 0."),
        Work("Undo all of it").call("git restore .").commit().say("Everything is as it was."),
    ],
)
def test_over(work: Work) -> None:
    assert is_finished(work)


@pytest.mark.parametrize(
    "work",
    [
        Work("Fix the pager").edit().say("Offsets are clamped."),
        Work("Fix the pager")
        .read()
        .say("It is not the pool. The log rotation is the next suspect."),
        Work("Port five scripts").edit("a.md").say("Two are ported. Should I go on?"),
        Work("Convert 22 handlers").edit("a.md").say("14 are done. Now I'll convert the rest:"),
        Work("Fix the pager").edit().run().todo("Write the docs").say("Done with the first part."),
        Work("Fix the pager").edit().run(),
    ],
)
def test_not_over(work: Work) -> None:
    assert not is_finished(work)


@pytest.mark.parametrize(
    ("prompt", "commands", "owed"),
    [
        ("Reply to every remark of PR 5.", (), True),
        ("Reply to every remark of PR 5.", ("gh pr comment 5 --body done",), False),
        ("Reply to every remark of PR 5.", ("gh pr comment 5 --body begun", "git push"), True),
        ("Look into issue #7 and post what you find there.", ("gh issue view 7",), True),
        (
            "Open a PR and keep its description current.",
            ("gh pr create --fill", "git commit -qm x"),
            True,
        ),
        ("Fix #12.", ("git push",), False),
        ("Answer my question about PR 5: is it merged?", (), False),
        ("Add a comment in the code that names issue #4.", (), False),
    ],
)
def test_a_word_that_is_owed(prompt: str, commands: tuple[str, ...], owed: bool) -> None:
    work = Work(prompt)
    for command in commands:
        work.call(command)

    assert owes_word(work.ledger()) is owed


@pytest.mark.parametrize(
    ("prompts", "gone"),
    [
        (("2",), True),
        (("Rebuild it like in this screenshot.",), True),
        (("[Image #1] move the boxes",), True),
        (("Build it as drawn in design/home.png.",), False),
        (("Resize images on upload.",), False),
        (("Use Redis.", "no, use the database"), False),
        (("Use Redis.", "wait, maybe the database, or both"), True),
        (("Use Redis.", "no, the database", "actually no, Redis"), True),
        (("Fix the parser.",), False),
    ],
)
def test_what_is_lost_with_the_conversation(prompts: tuple[str, ...], gone: bool) -> None:
    work = Work(prompts[0])
    for prompt in prompts[1:]:
        work.say("Changed.").ask(prompt)
    ledger = work.ledger()

    assert lost(ledger, ledger.turns[-1]) is gone


def test_nothing_is_lost_where_the_list_tells_how_it_goes_on() -> None:
    ledger = Work("yes").todo("Port the loader").ledger()

    assert not lost(ledger, ledger.turns[-1])
