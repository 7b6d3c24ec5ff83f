"""Answers that say CI is green or the hooks of a commit passed, against the looks at CI and the commits of the session."""

import pytest

from ace_reflect.gates.claim_text import claims_in
from ace_reflect.gates.model import State
from support.work import Work, checkout


def kinds(answer: str) -> list[str]:
    return [claim.kind for claim in claims_in(answer)]


@pytest.mark.parametrize(
    "answer",
    [
        "CI is green.",
        "CI is green and PR #88 is ready for review.",
        "All CI checks pass.",
        "CI passes now.",
        "The GitHub Actions run has passed.",
        "- **CI**: all 12 checks pass",
        "All tests pass on CI.",
        "The pipeline is green.",
        "Our GitLab pipeline now passes.",
        "CI is happy.",
        "GitHub Actions turned green.",
        "The workflow run on `main` succeeded this time.",
        "All three checks on the PR came back green.",
        "The PR's checks (lint, 3.12, 3.13) have succeeded.",
    ],
)
def test_that_ci_is_green_is_a_claim(answer: str) -> None:
    assert kinds(answer) == ["ci"]


@pytest.mark.parametrize(
    "answer",
    [
        "CI should pass.",
        "I'll merge once CI is green.",
        "CI will run on the push.",
        "CI is not green yet.",
        "CI was green before.",
        "GitHub Actions passes the token to the job.",
        "The decision is green.",
        "The checks on the PR form pass its id along.",
        "The checks on the PR should pass.",
        "This makes CI users happy.",
        "A workflow run passes its id to the next.",
        "The data pipeline is passing rows again.",
        "The ETL pipeline now passes the schema check.",
    ],
)
def test_a_wish_a_condition_and_another_thing_are_none(answer: str) -> None:
    assert kinds(answer) == []


def shown(*steps: str, answer: str = "Fixed and pushed. CI is green.", prompt: str = "Fix the red CI") -> State:
    work = Work(prompt).edit()
    for step in steps:
        if step == "push":
            work.push()
        elif step in ("passed", "failed", "pending", "unknown"):
            work.ci(step, quote=f"build {step}")
        else:
            work.call(step)
    return work.say(answer).gate("claims", checkout()).state


def test_it_is_shown_by_the_last_look_since_the_last_push_only() -> None:
    assert shown("push", "failed", "push", "passed") is State.PROVEN
    assert shown("push", "passed", "push") is State.UNKNOWN
    assert shown("push") is State.UNKNOWN
    assert shown("push", "passed", answer="All tests pass and CI is green on main.") is not State.PROVEN


@pytest.mark.parametrize("steps", [("push", "failed"), ("failed", "push"), ("passed", "push", "failed")])
@pytest.mark.parametrize("answer", ["CI is green.", "Pushed. All CI checks pass."])
def test_it_is_contradicted_by_a_last_look_that_was_red(steps: tuple[str, ...], answer: str) -> None:
    assert shown(*steps, answer=answer) is State.DISPROVEN


@pytest.mark.parametrize(
    "steps",
    [
        ("push", "passed", "failed"),  # the second may be of another run
        ("push", "failed", "pending"),
        ("push", "failed", "unknown"),
        ("push", "failed", "curl -s https://api.github.com/repos/o/r/actions/runs"),
    ],
)
def test_where_something_else_may_have_shown_it_nothing_is_contradicted(steps: tuple[str, ...]) -> None:
    assert shown(*steps) is State.UNKNOWN


def test_nor_where_the_answer_sets_a_check_aside_or_the_person_has_seen_it() -> None:
    aside = "CI is green; the codecov check is optional."
    assert shown("push", "failed", answer=aside) is State.UNKNOWN
    work = Work("Fix the red CI").edit().push().ci("failed").say("Pushed.").ask("CI passed, now tidy up").edit()
    assert work.say("Tidied. CI is green.").gate("claims", checkout()).state is State.UNKNOWN


def test_a_green_ci_does_not_ride_on_tests_that_pass_here() -> None:
    work = Work().edit().run("pytest -q")
    assert work.say("All tests pass and CI is green.").gate("claims", checkout()).state is State.UNKNOWN


def hooks(*outcomes: str, quote: str = "husky - pre-commit hook exited with code 1", no_verify: bool = False) -> State:
    work = Work("Fix it and commit").edit()
    for outcome in outcomes:
        work.commit(outcome, quote="" if outcome == "passed" else quote, no_verify=no_verify)
    return work.say("Fixed. Pre-commit hooks (tests, lint, typecheck) all passed.").gate("claims", checkout()).state


def test_hooks_said_to_pass_are_compared_with_the_commit() -> None:
    assert hooks("failed") is State.DISPROVEN
    assert hooks("failed", "passed") is State.PROVEN
    assert hooks("failed", quote="nothing to commit, working tree clean") is State.UNKNOWN
    assert hooks("passed", no_verify=True) is State.UNKNOWN
    assert hooks() is State.UNKNOWN


@pytest.mark.parametrize(
    "answer", ["The commit hooks passed.", "All hooks passed.", "The lint-staged pre-commit hook passed cleanly."]
)
def test_hooks_are_heard_in_other_words(answer: str) -> None:
    assert kinds(answer) == ["hooks"]


@pytest.mark.parametrize(
    "answer", ["The hook passes a ref to the input.", "The pre-commit hook must pass.", "Hooks that pass are skipped."]
)
def test_hooks_of_a_program_and_what_must_pass_are_not(answer: str) -> None:
    assert kinds(answer) == []
