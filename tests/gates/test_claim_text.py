"""Which sentences claim that tests pass, and which last sentences announce a step."""

import pytest

from ace_reflect.gates.claim_text import claims_tests_pass
from ace_reflect.gates.stop_kind import announces_step


@pytest.mark.parametrize(
    "said",
    [
        "All 27 tests pass successfully, ensuring the feature works as expected.",
        "The whole suite passes (as expected).",
        "I ran the tests and they all pass.",
        "Tests: 12/12 passing",
        "Tests   : all passing",
        "All tests pass, but 1 lint issue remains.",
        "I fixed the leak, which was in the pool, and all tests pass.",
        "The parser had two bugs; all tests are green.",
    ],
)
def test_a_plain_claim_is_heard_whatever_stands_around_it(said: str) -> None:
    assert claims_tests_pass(said)


@pytest.mark.parametrize(
    "said",
    [
        "All tests pass, but 3 fail for a reason of their own.",
        "All tests pass, although I have not run the slow suite.",
        "The tests pass except for two that need a network.",
        "If you rebuild it first, all tests pass.",
        "All tests pass once the plugin is there.",
        "All tests were passing before.",
        "All tests pass when they are run one by one.",
        "I expect that all tests pass.",
        "Tests: 10/12 passing",
        "Done. The old tests: 30 passed before.",
        "I wrote tests, and it will pass.",
    ],
)
def test_a_claim_that_is_taken_back_or_depends_on_something_is_none(said: str) -> None:
    assert not claims_tests_pass(said)


@pytest.mark.parametrize(
    "said",
    [
        "`prevent_destroy` is set and the module's tests still hold.",
        "The suite finished without any failure.",
        "The test suite ran through without a single failure.",
        "No test is failing any more.",
        "There are no failing tests left.",
        "Not a single test fails.",
        "The tests came back green.",
        "The suite is back to green.",
        "The tests are happy.",
        "The specs succeed.",
        "The tests went through fine.",
        "The unit tests run successfully now.",
        "42 passed, 0 failed.",
        "Done. Tests: 30 passed.",
        "The suite: 388 examples, 0 failures, 6 pending.",
        "The suite is healthy.",
        "Both test suites are green.",
        "All 42 tests pass after the rebase.",
        "Yes — the whole suite still passes after the rebase (215 tests).",
        "All tests pass after my last changes.",
    ],
)
def test_the_same_in_rarer_words_is_heard(said: str) -> None:
    assert claims_tests_pass(said)


@pytest.mark.parametrize(
    "said",
    [
        "The tests are clean and readable now.",
        "The tests are successfully migrated to vitest.",
        "I renamed it to keep the tests happy.",
        "The tests still hold a reference to the old client.",
        "The suite runs through every shard.",
        "A smoke test ran without errors.",
        "No tests fail when the flag is off.",
        "There are no failing tests for this yet.",
        "No test failures are reported to Slack.",
        "3 specs and no failing hooks.",
        "If 42 tests ran with 0 failures, it exits 0.",
        "The suite should come back green.",
        "All tests pass after the migration is applied.",
        "All tests pass after the fix lands.",
        "All tests pass after you install libfoo.",
        "40 passed, 2 failed.",
        "Everything is green.",  # of whatever was run
    ],
)
def test_what_only_sounds_like_it_is_none(said: str) -> None:
    assert not claims_tests_pass(said)


@pytest.mark.parametrize(
    "last",
    [
        "I will leave it at that.",
        "I'll stop here.",
        "I'll leave the migration to you.",
        "I'll just leave the docs as they are.",
        "I'll pause here.",
        "I'll skip the tests as you asked.",
        "Let me hold off with the rest.",
        "I'm going to treat this as settled.",
    ],
)
def test_a_word_that_nothing_more_is_done_announces_no_step(last: str) -> None:
    assert not announces_step(f"The cause is a lock that two workers take.\n{last}")


@pytest.mark.parametrize(
    "last",
    [
        "Let me run the tests.",
        "I'll now update the docs.",
        "Let me stop the server and start it anew.",
        "Now let me fix both.",
    ],
)
def test_a_next_step_is_still_one(last: str) -> None:
    assert announces_step(f"The cause is a lock that two workers take.\n{last}")
