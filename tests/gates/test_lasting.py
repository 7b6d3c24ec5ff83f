"""Waivers of the tests whose reason outlasts the prompt, and those whose reason does not."""

import pytest

from ace_reflect.gates.model import State
from ace_reflect.gates.words import read_words
from support.work import Work, checkout


@pytest.mark.parametrize(
    "text",
    [
        "never run the tests",
        "Fix the parser, but don't ever run the specs",
        "don't run the tests, they hit production",
        "Fix the total. Don't run the tests. They write to the production database!",
        "please don't run the test suite - it talks to the live Stripe account",
        "don't run the e2e tests: each run costs real money",
        "no tests, they send real emails to customers",
        "no tests please, they would wipe my local db",
        "the tests go against prod, so don't run them",
    ],
)
def test_never_and_a_danger_hold_for_the_session(text: str) -> None:
    assert {waiver.session for waiver in read_words(text).waivers if waiver.gate == "tests"} == {True}


@pytest.mark.parametrize(
    "text",
    [
        "never mind the tests",
        "skip the tests, they take an hour",
        "don't run the tests, the production build is on fire",
        "skip the tests, I will test it live on staging",
        "No tests. The button should send messages to users.",
        "just fix the page with the real prices, no tests",
    ],
)
def test_time_comfort_and_what_the_work_is_about_hold_for_the_prompt(text: str) -> None:
    assert {waiver.session for waiver in read_words(text).waivers if waiver.gate == "tests"} == {False}


def test_nobody_is_told_at_the_next_prompt_to_run_what_hits_production() -> None:
    work = Work("Fix the total. Don't run the tests, they hit production.").edit().say("Done.")
    work.ask("Now round it to cents").edit().say("Done, it is rounded.")

    assert work.gate("tests", checkout()).state is State.WAIVED

    work.ask("Ok, run the tests now, I gave you a sandbox").edit().say("Done.")
    assert work.gate("tests", checkout()).state is State.DISPROVEN
