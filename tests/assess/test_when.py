"""When a model is asked, and when rules decide."""

from typing import Any

import pytest

from ace_reflect.assess.when import asks
from ace_reflect.evidence.facts import Background, CommandKind
from ace_reflect.gates.case import still_running
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from support.work import ROOT, Work, checkout

UNPROVABLE = Project(root=ROOT)
DONE = "Done, the parser is fixed."


def asked(work: Work, project: Any = None, running=(), **settings: Any) -> list[tuple[str, str]]:
    chosen = Settings(**{"models": ("anthropic/claude-sonnet-4-5",), **settings})
    judgement = work.judge(project or UNPROVABLE, **settings)
    return [(ask.role, ask.why) for ask in asks(judgement, chosen, work.ledger(), running)]


NO_PROOF = "work was done, and there is nothing to prove it by"
NO_CHANGE = "a change was asked for, and none was made"
HIDDEN = Work().edit().run(outcome="unknown", status_visible=False)


@pytest.mark.parametrize(
    ("work", "project", "settings", "expected"),
    [
        (Work().edit(), UNPROVABLE, {}, {"assess": "tests: no tests of this code are known"}),
        (Work().edit(), UNPROVABLE, {"gates": {"tests": "off"}}, {"assess": NO_PROOF}),
        (Work().read(9), checkout(), {}, {"stop_kind": NO_CHANGE, "assess": NO_CHANGE}),
        (HIDDEN, checkout(), {}, {"assess": "tests:"}),
        (Work().edit().run(), checkout(), {"assess_when": "always"}, {"assess": "assess.when is always"}),
        (Work().edit(), checkout(), {"assess_when": "always"}, {}),  # not over a block
    ],
)  # fmt: skip
def test_what_only_a_model_can_tell(work, project, settings, expected):
    said = "The slugs, then." if "stop_kind" in expected else DONE
    found = asked(work.say(said), project, **settings)

    assert [role for role, _ in found] == list(expected)
    assert all(why.startswith(expected[role]) for role, why in found)


@pytest.mark.parametrize(
    "work",
    [
        Work().edit().run().say("Done, 3 passed."),
        Work().edit().say("Which database do you want: A or B?"),
        Work("what does it do?").read().say("It parses."),
        Work("skip gates").edit().say(DONE),
        Work("Fix it", interrupted=True).edit(),
        Work().edit().say("Please approve the OAuth consent screen, then I can go on."),
    ],
)
def test_rules_that_decide_ask_nobody(work: Work) -> None:
    assert asked(work, checkout() if work.facts.get("runs") else UNPROVABLE) == []


@pytest.mark.parametrize(
    "more",
    [{"models": ()}, {"models": ("offline",)}, {"assess_when": "never"}, {"running": ("npm i",)}],
)
def test_who_is_not_to_be_asked_is_not(more: dict[str, Any]) -> None:
    assert asked(Work().edit().say(DONE), **more) == []


def test_only_what_ends_and_bears_on_a_gate_is_waited_for() -> None:
    rows = [("server", {}), ("install", {}), ("test", {}), ("lint", {"running": False}), ("other", {"subagent": True}), ("build", {"turn": 0})]  # fmt: skip
    work = Work().edit()
    work.top["background"] = tuple(
        Background(
            command=kind, kind=CommandKind(kind), **{"id": "b", "line": 1, "turn": 1, **more}
        )
        for kind, more in rows
    )

    assert still_running(work.ledger()) == ("test", "other")
