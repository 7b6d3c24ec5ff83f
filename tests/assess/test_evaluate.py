"""What a model's word comes to beside the gates': the earlier system's acceptance list, and where it went wrong."""

from typing import Any

import pytest

from ace_reflect.assess.answers import Assessment, JudgeAnswer
from ace_reflect.assess.evaluate import Evaluation, evaluate, from_assessment, from_judge
from ace_reflect.assess.message import wake_message
from ace_reflect.gates.model import EndState, Severity
from ace_reflect.project.facts import Project
from support.work import Work, checkout

UNPROVABLE = Project(root="/home/dev/project")
PERSON = {"requires_human_action": True}
BY_A_PERSON = ("Merge PR #7", "Run the job on the production server", "Publish 1.4.0")


COURTESIES = (
    "All done", "Everything is in place.", "The task is complete", "None remaining", "Ready for review",
    "No further changes to app.py are required", "Task completed successfully", "All requirements met",
)  # fmt: skip


def assessed(work: Work, project: Any = UNPROVABLE, **claims: Any) -> Evaluation:
    assessment = Assessment.model_validate({"status": "in_progress", "confidence": 0.9, **claims})
    return evaluate(work.judge(project), from_assessment(assessment, work.ledger()))


def judged(work: Work, project: Any = UNPROVABLE, **verdict: Any) -> Evaluation:
    answer = JudgeAnswer.model_validate(verdict)
    return evaluate(work.judge(project), from_judge(answer, work.ledger()))


def worked() -> Work:
    return Work().edit().say("Done, the parser is fixed.")


def comes_to(found: Evaluation) -> str:
    """ "complete", "pushed" or "stands"; "+ person" where one is needed."""
    said = "complete" if found.verdict.complete else "pushed" if found.push else "stands"
    return said + (" + person" if found.verdict.requires_human_action else "")


@pytest.mark.parametrize(
    ("status", "claims", "expected"),
    [
        ("complete", {}, "complete"),
        ("complete", {"confidence": 0.79}, "stands"),
        ("complete", {"next_steps": ["You could add caching later"]}, "complete"),
        ("complete", {"remaining_work": ["No further work is required"]}, "complete"),
        ("complete", {"remaining_work": ["Wire it in"]}, "pushed"),
        ("blocked", {"needs_user_action": ["Provide API key"]}, "stands + person"),
        ("in_progress", {"needs_user_action": ["Run tests", "Read the build log"]}, "pushed"),
        ("in_progress", {"needs_user_action": ["Run tests", "Open PR"]}, "pushed + person"),
        ("in_progress", {"next_steps": ["Run `python app.py` on the sample"]}, "pushed"),
        ("in_progress", {"remaining_work": ["Token refresh logic"]}, "pushed"),
        ("in_progress", {"remaining_work": ["Log in and approve the consent"]}, "stands + person"),
        ("in_progress", {}, "stands"),
        ("waiting_for_user", {"needs_user_action": ["Provide API key"]}, "stands + person"),
        ("waiting_for_user", {"remaining_work": ["Implement what they choose"]}, "stands"),
        ("waiting_for_user", {"needs_user_action": ["Run `npm run build`"]}, "pushed"),
        # Named once as a person's, it is one's wherever else it stands.
        (
            "in_progress",
            {each: ["Ask legal"] for each in ("needs_user_action", "remaining_work", "next_steps")},
            "stands + person",
        ),
        # A confident "complete" is undone by a concrete open item, and by nothing else.
        ("complete", {"stuck": True, "remaining_work": ["Run `npm run e2e`"]}, "pushed"),
        ("complete", {"stuck": True}, "complete"),
        *[("complete", {"remaining_work": [said]}, "complete") for said in COURTESIES],
        ("working", {"remaining_work": ["Read the result"]}, "stands"),
        ("stuck", {"alternate_approach": "Use the other API"}, "pushed"),
        # What the model says only a person can do is never ordered, whatever it is.
        *[
            (status, {"needs_user_action": [item]}, "stands + person")
            for status in ("complete", "waiting_for_user", "blocked", "in_progress")
            for item in BY_A_PERSON
        ],
    ],
)
def test_an_assessment(status: str, claims: dict[str, Any], expected: str) -> None:
    assert comes_to(assessed(worked(), status=status, **claims)) == expected


@pytest.mark.parametrize(
    ("claims", "end"),
    [
        ({}, EndState.WAITING_FOR_USER),
        ({"status": "waiting_for_user"}, EndState.WAITING_FOR_USER),
        ({"status": "working"}, EndState.WORKING),
        ({"status": "blocked", "needs_user_action": ["Plug it in"]}, EndState.BLOCKED_ON_HUMAN),
        ({"remaining_work": ["Wire it in"]}, EndState.INCOMPLETE),
    ],
)
def test_how_a_stop_ends(claims: dict[str, Any], end: EndState) -> None:
    found = assessed(worked(), **claims)

    assert found.verdict.end_state is end
    assert found.verdict.severity is (Severity.MEDIUM if found.push else Severity.NONE)


NEVER = (
    *BY_A_PERSON, "Make a payment", "npm publish", "Run `npm publish`", "Run the build and deploy it", "make deploy",
    "Go ahead and merge it", "Review the code and approve it", "Run the tests, then deploy", "You need to delete the old branch",
    "Run `gh pr merge 7 --squash`", "Run `kubectl delete pod x`", "`terraform apply`", "`rm -rf data`", "Create an npm account",
    "Upload the package to PyPI", "Cut the release", "Drop the users table", "Rotate the API key", "Deploy to staging",
    "Run the migration against prod", "`git push --force origin main`", "Pay the invoice", "Ship it", "Roll out 2.0",
)  # fmt: skip
ELSEWHERE = (
    "Check the logs in the AWS console", "Run the tests on the production server", "Run the migration and the tests", "Review the diff",
    "make test accounts", "Look at the file on your phone", "Confirm the wording", "Run the payment tests", "`make docs`",
)  # fmt: skip
ORDINARY = (
    "Fix the merge conflict in parser.py", "Add a DELETE endpoint", "Write a deploy script", "Release the lock in pool.py",
    "Create the account model", "Run `pytest -q`", "Delete button does nothing", "Read the build log", "Handle `publish` in events.py",
)  # fmt: skip


@pytest.mark.parametrize("item", [*NEVER, *ELSEWHERE, *ORDINARY])
def test_what_a_person_alone_may_do_is_never_ordered(item: str) -> None:
    """Whatever field of whatever answer names it; and what only sounds like it is the agent's."""
    work = worked()
    found = [
        assessed(work, status=status, **{field: [item]})
        for status in ("in_progress", "waiting_for_user", "blocked", "complete")
        for field in ("remaining_work", "next_steps")
    ]
    given = ({"missing": [item]}, {"next_actions": [item]}, {"feedback": item})
    found += [judged(work, complete=False, severity="HIGH", **field) for field in given]
    found += [judged(work, complete=False, severity="BLOCKER", feedback=item)]
    found += [assessed(work, status="stuck", alternate_approach=item)]
    orders = [wake_message(each, attempt=1, most=3) for each in found if each.push]
    named = [item in text.partition("For the person, not for you")[0] for text in orders]
    theirs = assessed(work, status="waiting_for_user", needs_user_action=[item])

    if item not in ORDINARY:
        assert comes_to(theirs) == "stands + person"
    if item in ORDINARY:
        assert any(named)
    elif item in NEVER:
        assert not any(named)


def test_no_opinion_overrides_a_disproven_gate() -> None:
    unproven = Work().edit().run(outcome="failed", failed=2).say("Done.")

    for found in (
        assessed(unproven, checkout(), status="complete", confidence=1.0),
        judged(unproven, checkout(), complete=True, severity="NONE"),
    ):
        assert (comes_to(found), found.verdict.severity) == ("pushed", Severity.HIGH)
        assert found.verdict.end_state is EndState.INCOMPLETE


@pytest.mark.parametrize(
    ("item", "prompt", "struck"),
    [
        ("Run `pytest -q` and read its result", "Fix the parser", True),
        ("Run `pytest -q` and `ruff check .`", "Fix the parser", True),
        ("Run `pytest -q`", "Fix the parser, then run pytest -q", False),  # the person asked for it
        ("Run `pytest packages/cli`", "Fix the parser", False),
        ("Run `pytest -q` in packages/cli", "Fix the parser", False),
        ("Run `npm test`", "Fix the parser", False),  # that was in another folder
        ("Run `docker build .`, for `npm run build` says nothing", "Fix the parser", False),
        ("Push the branch with `git push`", "Fix the parser", False),
        ("Open a pull request", "Fix the parser", False),
    ],
)
def test_an_item_is_struck_out_only_where_its_own_command_passed(item, prompt, struck):
    work = Work(prompt).edit().run("pytest -q").run("npm run build", kind="build")
    work = work.run("ruff check .", kind="lint").say("Done.")
    work = work.run(
        "cd packages/parser && npm test", own="npm test", cwd="/home/dev/project/packages/parser"
    )

    found = assessed(work, checkout(), remaining_work=[item])

    assert found.opinion.struck_out == ((item,) if struck else ())
    assert found.verdict.missing == (() if struck else (item,))


def test_what_passed_before_an_edit_or_failed_since_is_not_done() -> None:
    failed = Work().edit().run("make docs").run("make docs", "failed")
    for work in (Work().run("make docs").edit(), failed):
        found = assessed(work.say("Done."), remaining_work=["Run `make docs`"])
        assert found.opinion.struck_out == ()


@pytest.mark.parametrize(
    ("complete", "severity", "more", "expected"),
    [
        (True, "NONE", {}, "complete"),
        (True, "LOW", {"missing": ["a comment"]}, "complete"),
        (True, "BLOCKER", {"feedback": "a key is published"}, "pushed"),
        (False, "NONE", {"missing": ["Wire it in"]}, "pushed"),
        (False, "LOW", PERSON, "stands + person"),
        (False, "HIGH", {"missing": ["Approve the consent screen"]}, "stands + person"),
        # A fault that the feedback alone tells of.
        (False, "HIGH", {"feedback": "The retry is never reached"}, "pushed"),
        (False, "HIGH", {"feedback": "Enter the code from the phone"}, "stands + person"),
        # Nothing wrong, nothing missing: the steps named are for later.
        (False, "NONE", {}, "stands"),
        (False, "NONE", {"next_actions": ["Run it when told to"]}, "stands"),
        # Only a person can go on: nothing is ordered but running tests and builds and reading.
        (False, "LOW", {"missing": ["2FA"], **PERSON}, "stands + person"),
        (False, "LOW", {"missing": ["The map"], **PERSON}, "stands + person"),
        (False, "LOW", {"missing": ["2FA", "Run tests"], **PERSON}, "pushed + person"),
    ],
)
def test_the_judge(complete: bool, severity: str, more: dict[str, Any], expected: str) -> None:
    found = judged(worked(), complete=complete, severity=severity, **more)

    assert comes_to(found) == expected
    assert found.verdict.severity.name == ("NONE" if expected == "complete" else severity)
