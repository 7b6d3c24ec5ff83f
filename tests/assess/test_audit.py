"""A model's claims against the ledger: both sides are quoted."""

from typing import Any

import pytest

from ace_reflect.assess.answers import Assessment
from ace_reflect.assess.audit import audit, struck_out
from support.work import Work, checkout

TESTED = {"ran": True, "results": "pass", "ran_after_changes": True, "commands": ["pytest -q"]}


def contradictions(work: Work, project: Any = None, **claims: Any) -> list[tuple[str, str]]:
    assessment = Assessment.model_validate({"status": "in_progress", **claims})
    found = audit(assessment, work.ledger(), work.judge(project or checkout()))
    return [(item.claim, item.shows) for item in found]


def test_what_the_ledger_shows_too_is_no_contradiction() -> None:
    work = Work().edit().run("cd app && pytest -q 2>&1 | tail -3").say("Done.")

    assert contradictions(work, tests=TESTED) == []


def test_tests_that_never_ran() -> None:
    assert contradictions(Work().edit().say("Done."), tests=TESTED) == [
        ("tests.ran: true (`pytest -q`)", "no test was run in this session")
    ]


def test_tests_that_failed_are_quoted_with_their_line() -> None:
    work = Work().edit().run(outcome="failed", failed=2).say("Done.")
    found = audit(
        Assessment.model_validate({"status": "complete", "tests": TESTED}),
        work.ledger(),
        work.judge(checkout()),
    )

    assert (found[0].claim, found[0].line) == ("tests.results: pass", 4)
    assert "`pytest -q` failed: 2 failed, 2 passed" in found[0].shows
    assert found[-1].claim == "status: complete"


def test_tests_before_the_last_edit() -> None:
    ((claim, shows),) = contradictions(Work().run().edit().say("Done."), tests=TESTED)

    assert claim == "tests.ran_after_changes: true"
    assert "came after the last run" in shows


@pytest.mark.parametrize(
    ("command", "shows"),
    [
        ("npm test", "this turn never ran it"),
        ("git status", "it ran, and is no test command"),
    ],
)
def test_a_named_command_must_have_run_and_be_a_test(command: str, shows: str) -> None:
    work = Work().edit().run().call("git status").say("Done.")

    assert (f"tests.commands: `{command}`", shows) in contradictions(
        work, tests={**TESTED, "commands": [command]}
    )


@pytest.mark.parametrize(
    "spelled",
    [
        "pytest -q",
        "pytest",
        "`pytest -q`",
        "$ pytest -q",
        "cd app && pytest -q",
        "uv run pytest -q",
    ],
)
def test_a_command_is_known_in_other_words(spelled: str) -> None:
    work = Work().edit().run("cd app && uv run pytest -q | tail -5").say("Done.")

    assert contradictions(work, tests={**TESTED, "commands": [spelled]}) == []


def test_pull_requests_and_ci_that_nobody_made_or_looked_at() -> None:
    pr = {
        "created": True,
        "url": "https://github.com/a/b/pull/1",
        "ci_status": "pass",
        "checked": True,
    }

    assert contradictions(Work().edit().run().say("Done."), pr=pr) == [
        ("pr.created: true", "none was created in this session"),
        ("pr.ci_status: pass", "nobody looked at CI in this session"),
    ]


def test_another_address_and_a_red_ci() -> None:
    work = (
        Work()
        .edit()
        .run()
        .pr(url="https://github.com/a/b/pull/2")
        .ci("failed", quote="build  fail")
        .say("Done.")
    )
    pr = {
        "created": True,
        "url": "https://github.com/a/b/pull/1",
        "ci_status": "pass",
        "checked": True,
    }

    assert contradictions(work, pr=pr) == [
        (
            "pr.url: https://github.com/a/b/pull/1",
            "the session shows https://github.com/a/b/pull/2",
        ),
        ("pr.ci_status: pass", "CI was failed when it was looked at last: build fail"),
    ]


def test_a_build_that_failed() -> None:
    work = Work().edit().run("npm run build", "failed", kind="build").say("Done.")

    assert ("build.results: pass", "`npm run build` failed: 1 failed, 2 passed") in contradictions(
        work, build={"ran": True, "results": "pass"}
    )


@pytest.mark.parametrize(
    ("item", "struck"),
    [
        ("Run the tests after the last change", True),
        ("Execute pytest", True),
        ("Open a pull request with the change", True),
        ("Verify CI on the branch", True),
        ("Push the branch to origin", True),
        ("Wire the parser into cli.py", False),
        ("Write a test for empty lines", False),
    ],
)
def test_work_that_is_done_or_that_nobody_called_for_is_struck_out(item: str, struck: bool) -> None:
    judgement = Work().edit().run().say("Done.").judge(checkout())

    assert bool(struck_out(item, judgement)) is struck


def test_tests_that_are_open_are_not_struck_out() -> None:
    judgement = Work().edit().say("Done.").judge(checkout())

    assert struck_out("Run the tests", judgement) == ""
