"""What a model's word comes to beside the gates': the earlier system's acceptance list, and where it went wrong."""

from typing import Any

import pytest

from ace_reflect.assess.answers import Assessment, JudgeAnswer
from ace_reflect.assess.audit import audit
from ace_reflect.assess.evaluate import (
    Evaluation,
    combined,
    evaluate,
    failed,
    from_assessment,
    from_judge,
)
from ace_reflect.gates.model import EndState, Severity
from ace_reflect.project.facts import Project
from support.work import Work, checkout

UNPROVABLE = Project(root="/home/dev/project", present=True)


def assessed(work: Work, project: Any = UNPROVABLE, **claims: Any) -> Evaluation:
    assessment = Assessment.model_validate({"status": "in_progress", "confidence": 0.9, **claims})
    judgement = work.judge(project)
    return evaluate(
        judgement,
        from_assessment(assessment, audit(assessment, work.ledger(), judgement), judgement),
    )


def judged(work: Work, project: Any = UNPROVABLE, **verdict: Any) -> Evaluation:
    judgement = work.judge(project)
    return evaluate(judgement, from_judge(JudgeAnswer.model_validate(verdict), judgement))


def worked() -> Work:
    return Work().edit().say("Done, the parser is fixed.")


def outcome(found: Evaluation) -> tuple[bool, bool, bool]:
    """(complete, pushed, a person is needed)"""
    return found.verdict.complete, found.push, found.verdict.requires_human_action


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"status": "complete"}, (True, False, False)),
        ({"status": "complete", "confidence": 0.79}, (False, False, False)),
        ({"status": "complete", "confidence": None}, (False, False, False)),
        ({"status": "blocked", "needs_user_action": ["Provide API key"]}, (False, False, True)),
        ({"needs_user_action": ["Run tests", "Open PR and check CI"]}, (False, True, False)),
        ({"next_steps": ["Run `python app.py` on the sample"]}, (False, True, False)),
        (
            {"status": "blocked", "needs_user_action": ["Log in and approve OAuth consent"]},
            (False, False, True),
        ),
        (
            {"remaining_work": ["Rewrite the docs page"], "needs_user_action": ["Provide API key"]},
            (False, True, True),
        ),
        (
            {"status": "waiting_for_user", "needs_user_action": ["Provide API key"]},
            (False, False, True),
        ),
        (
            {"status": "waiting_for_user", "remaining_work": ["Implement the option they choose"]},
            (False, False, False),
        ),
        (
            {"status": "waiting_for_user", "needs_user_action": ["Run `make docs`"]},
            (False, True, False),
        ),
        ({"remaining_work": ["Token refresh logic"]}, (False, True, False)),
        (
            {"status": "complete", "next_steps": ["You could add caching later"]},
            (True, False, False),
        ),
        (
            {"status": "stuck", "stuck": True, "alternate_approach": "Use the other API"},
            (False, True, False),
        ),
        ({}, (False, False, False)),
    ],
)
def test_an_assessment(claims: dict[str, Any], expected: tuple[bool, bool, bool]) -> None:
    assert outcome(assessed(worked(), **claims)) == expected


def test_nothing_missing_and_no_severity_waits_for_the_person() -> None:
    found = assessed(worked())

    assert (found.verdict.end_state, found.verdict.severity) == (
        EndState.WAITING_FOR_USER,
        Severity.NONE,
    )


def test_only_a_persons_items_block_on_them() -> None:
    found = assessed(worked(), status="blocked", needs_user_action=["Plug in the device"])

    assert found.verdict.end_state is EndState.BLOCKED_ON_HUMAN


@pytest.mark.parametrize(
    ("item", "severity"),
    [
        ("Make the failing parser tests pass", Severity.HIGH),
        ("Fix the type check", Severity.HIGH),
        ("Look at the pipeline's checks", Severity.MEDIUM),
        ("Wire it into cli.py", Severity.LOW),
    ],
)
def test_severity_follows_what_is_missing(item: str, severity: Severity) -> None:
    assert assessed(worked(), remaining_work=[item]).verdict.severity is severity


def test_no_opinion_overrides_a_disproven_gate() -> None:
    unproven = Work().edit().run(outcome="failed", failed=2).say("Done.")

    for found in (
        assessed(unproven, checkout(), status="complete", confidence=1.0),
        judged(unproven, checkout(), complete=True, severity="NONE"),
    ):
        assert not found.verdict.complete
        assert found.verdict.end_state is EndState.INCOMPLETE
        assert found.verdict.severity is Severity.HIGH


def test_a_contradiction_on_a_check_that_is_called_for_is_missing() -> None:
    masked = Work().edit().run(outcome="unknown", status_visible=False).say("Done.")
    claims = {"ran": True, "results": "pass", "ran_after_changes": True, "commands": ["npm test"]}

    found = assessed(masked, checkout(), status="complete", tests=claims)

    assert not found.verdict.complete
    assert found.push
    assert [item.shows for item in found.opinion.bearing] == ["this turn never ran it"]
    assert found.verdict.next_actions == ("Run `pytest` and read its result",)


def test_a_contradiction_on_a_waived_check_goes_on_record_only() -> None:
    work = Work("Fix the parser, and don't run the tests").edit().say("Done.")

    found = assessed(work, checkout(), status="complete", tests={"ran": True, "results": "pass"})

    assert outcome(found) == (True, False, False)
    assert len(found.opinion.contradictions) == 1


def test_skipped_tests_are_missing_only_where_tests_are_called_for() -> None:
    skipped = {
        "ran": True,
        "results": "pass",
        "ran_after_changes": True,
        "skipped": True,
        "skip_reason": "flaky",
    }

    required = assessed(
        Work().edit().run().say("Done."), checkout(), status="complete", tests=skipped
    )
    waived = assessed(
        worked(), status="complete", tests={"skipped": True, "skip_reason": "none here"}
    )

    assert required.verdict.missing == ("required tests were skipped (flaky)",)
    assert waived.verdict.complete


def test_work_that_nobody_called_for_is_struck_out_and_on_record() -> None:
    found = assessed(
        Work().edit().run().say("Done."), checkout(), remaining_work=["Open a pull request"]
    )

    assert found.verdict.missing == ()
    assert found.opinion.struck_out[0][0] == "Open a pull request"


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ({"complete": True, "severity": "NONE"}, (True, False, False)),
        ({"complete": True, "severity": "LOW", "missing": ["a comment"]}, (True, False, False)),
        (
            {"complete": True, "severity": "BLOCKER", "feedback": "a key is published"},
            (False, True, False),
        ),
        ({"complete": False, "severity": "NONE"}, (False, False, False)),
        ({"complete": False, "severity": "NONE", "missing": ["Wire it in"]}, (False, True, False)),
        (
            {"complete": False, "severity": "LOW", "next_actions": ["Edit cli.py"]},
            (False, True, False),
        ),
        (
            {"complete": False, "severity": "LOW", "requires_human_action": True},
            (False, False, True),
        ),
        (
            {
                "complete": False,
                "severity": "HIGH",
                "missing": ["Approve the OAuth consent screen"],
            },
            (False, False, True),
        ),
        # A fault that the feedback alone tells of.
        (
            {"complete": False, "severity": "LOW", "feedback": "The help text has a typo"},
            (False, True, False),
        ),
        (
            {"complete": False, "severity": "HIGH", "feedback": "The retry is never reached"},
            (False, True, False),
        ),
        ({"complete": False, "feedback": "The retry is never reached"}, (False, False, False)),
        (
            {"complete": False, "severity": "HIGH", "feedback": "Enter the code from the phone"},
            (False, False, True),
        ),
        # Nothing wrong, nothing missing: the steps named are for later.
        (
            {"complete": False, "severity": "NONE", "next_actions": ["Use the engine chosen"]},
            (False, False, False),
        ),
        (
            {"complete": False, "severity": "NONE", "next_actions": ["Run it when told to"]},
            (False, False, False),
        ),
        # Only a person can go on: what could be anybody's is the person's, what is the agent's stays its own.
        (
            {
                "complete": False,
                "severity": "LOW",
                "missing": ["2FA"],
                "requires_human_action": True,
            },
            (False, False, True),
        ),
        (
            {
                "complete": False,
                "severity": "LOW",
                "missing": ["The seat map"],
                "requires_human_action": True,
            },
            (False, False, True),
        ),
        (
            {
                "complete": False,
                "severity": "LOW",
                "missing": ["2FA", "Write the test"],
                "requires_human_action": True,
            },
            (False, True, True),
        ),
        ({"complete": False, "severity": "LOW", "missing": ["The seat map"]}, (False, True, False)),
    ],
)
def test_the_judge(verdict: dict[str, Any], expected: tuple[bool, bool, bool]) -> None:
    assert outcome(judged(worked(), **verdict)) == expected


def test_severity_is_ordered_and_blocker_comes_from_the_judge_only() -> None:
    assert (
        judged(worked(), complete=False, severity="BLOCKER", missing=["x"]).verdict.severity
        is Severity.BLOCKER
    )
    assert (
        assessed(worked(), remaining_work=["BLOCKER: the tests"]).verdict.severity is Severity.HIGH
    )


def test_opinions_together_are_as_strict_as_the_strictest() -> None:
    judgement = worked().judge(UNPROVABLE)
    good = from_judge(JudgeAnswer.model_validate({"complete": True, "severity": "NONE"}), judgement)
    bad = from_judge(
        JudgeAnswer.model_validate({"complete": False, "severity": "HIGH", "missing": ["Fix x"]}),
        judgement,
    )

    both = combined(good, bad)

    assert (both.complete, both.severity, both.missing) == (False, Severity.HIGH, ("Fix x",))


def test_where_every_model_failed_the_stop_stands_as_an_error() -> None:
    verdict = failed(worked().judge(UNPROVABLE))

    assert (verdict.complete, verdict.decision, verdict.end_state) == (
        False,
        "allow",
        EndState.ERROR,
    )
