"""When a model is asked, and when rules decide."""

from typing import Any

import pytest

from ace_reflect.assess.when import asks, progress, still_running
from ace_reflect.evidence.facts import Background, CommandKind
from ace_reflect.gates.model import History
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from support.work import ROOT, Work, checkout

UNPROVABLE = Project(root=ROOT, present=True)
DONE = "Done, the parser is fixed."


def asked(work: Work, project: Any = None, running: tuple[str, ...] = (), **settings: Any) -> list[tuple[str, str]]:
    chosen = Settings(**{"models": ("anthropic/claude-sonnet-4-5",), **settings})
    ledger = work.ledger()
    judgement = work.judge(project or UNPROVABLE, **settings)
    final = ledger.turns[-1].final_text if ledger.turns else ""
    return [(ask.role, ask.why) for ask in asks(judgement, chosen, final, running)]


def test_work_with_nothing_to_prove_it_by() -> None:
    assert asked(Work().edit().say(DONE)) == [("assess", "work was done, and there is nothing to prove it by")]


def test_an_unclear_stop_asks_for_its_kind_first() -> None:
    assert [role for role, _ in asked(Work().edit().say("The slugs, then."))] == ["stop_kind", "assess"]


def test_an_unknown_gate() -> None:
    work = Work().edit().run(outcome="passed").say(DONE)
    work.facts["edits"] = [edit.replace(weakened="assert x") for edit in work.facts["edits"]]

    ((role, why),) = asked(work, checkout())

    assert (role, why.partition(":")[0]) == ("assess", "tests")


def test_a_turn_that_only_read_though_a_change_was_asked_for() -> None:
    ((role, why),) = asked(Work("Fix the parser").read(9).say("Done: I looked at the parser."), checkout())

    assert (role, why.partition(":")[0]) == ("assess", "completion")


def test_an_answer_that_lists_what_is_left() -> None:
    work = (
        Work().edit().run().say("Done with the parser.\n\nRemaining work:\n- Wire it into cli.py\n- Update the lexer")
    )

    assert asked(work, checkout()) == [("assess", "the answer lists work that is left: Wire it into cli.py")]


@pytest.mark.parametrize(
    "work",
    [
        Work().edit().run().say("Done, 3 passed."),
        Work().edit().say("Which database do you want: A or B?"),
        Work().edit().say("The build is still running in the background; I'll report back when it is done."),
        Work("what does it do?").read().say("It parses."),
        Work("skip gates").edit().say(DONE),
        Work("Fix it", interrupted=True).edit(),
        Work("Fix it").edit().say("", api_error=True),
        Work().edit().say("Please approve the OAuth consent screen, then I can go on."),
        Work().edit().say("And now the"),
    ],
)
def test_rules_that_decide_ask_nobody(work: Work) -> None:
    project = checkout() if work.facts.get("runs") else UNPROVABLE

    assert asked(work, project) == []


@pytest.mark.parametrize("settings", [{"models": ()}, {"models": ("offline",)}, {"assess_when": "never"}])
def test_who_is_not_to_be_asked_is_not(settings: dict[str, Any]) -> None:
    judgement = Work().edit().say(DONE).judge(UNPROVABLE)
    chosen = Settings(**{"models": ("a/b",), **settings})

    assert asks(judgement, chosen, DONE) == ()


def test_always_asks_where_something_was_done_and_not_over_a_block() -> None:
    proven = asked(Work().edit().run().say("Done, 3 passed."), checkout(), assess_when="always")

    assert proven == [("assess", "assess.when is always")]
    assert asked(Work().edit().say(DONE), checkout(), assess_when="always") == []


def test_background_work_is_waited_for() -> None:
    assert asked(Work().edit().say("The slugs, then."), running=("npm install",)) == []


def test_a_spent_budget_asks_nobody() -> None:
    work = Work().edit().say(DONE)
    work.history = History(attempts=3)

    assert asked(work) == []


def test_a_server_does_not_end_and_everything_else_does() -> None:
    def task(kind: CommandKind, **more: Any) -> Background:
        return Background(id="b", line=1, turn=1, command=kind.value, kind=kind, **more)

    work = Work().edit()
    work.top["background"] = (
        task(CommandKind.SERVER), task(CommandKind.INSTALL), task(CommandKind.OTHER, running=False),
        task(CommandKind.OTHER, subagent=True),
    )  # fmt: skip

    assert still_running(work.ledger()) == ("install", "other")


def test_progress_is_what_was_done() -> None:
    work = Work().edit()
    before = progress(work.ledger())

    assert progress(work.say("It is done.").ledger()) == before
    assert progress(work.read().ledger()) != before
