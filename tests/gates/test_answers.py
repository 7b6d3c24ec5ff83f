"""Answers as they are given: what leaves the work open, and what only looks as if it did."""

import pytest

from ace_reflect.gates.claim_text import claims_tests_pass
from ace_reflect.gates.completion import breaks_off
from ace_reflect.gates.honesty import admits
from ace_reflect.gates.human_action import asked_of_person, classify
from ace_reflect.gates.stop_kind import announces_step
from support.work import Work, checkout


@pytest.mark.parametrize(
    "answer",
    [
        "That's what the flag is for",
        "This is the account you log in with",
        "Here is the branch it was cut from",
        "That's the line it breaks on",
        "See what the option is for, and where the value comes from",
        "You can run it again, but you don't have to",
        "Raise the limit if you need to",
        "Everything works as it used to",
    ],
)
def test_a_preposition_may_end_a_sentence(answer: str) -> None:
    assert not breaks_off(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "The parser handles empty lines and",
        "I changed the callers of",
        "Der Parser ist fertig und",
        "The loader reads the",
        "The old store refreshes it on every read, and with Redis we would have to",
        "It is the queue that they share, so the workers are going to",
    ],
)
def test_a_sentence_that_breaks_off(answer: str) -> None:
    assert breaks_off(answer)


@pytest.mark.parametrize(
    "answer",
    ["I looked at the code. Now I'll implement the fix.", "I have analyzed the code. Next, I'll add the guard."],
)
def test_a_look_is_not_the_work_that_is_announced_behind_it(answer: str) -> None:
    assert announces_step(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "It prints the primes below 50; I will now add a test.",
        "Added the header. I'll now run the suite.",
        "The parser is fixed, and I'm going to now update its callers.",
    ],
)
def test_a_step_that_comes_now_is_announced_behind_finished_work_as_well(answer: str) -> None:
    assert announces_step(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "The header is added; I will not touch the others.",
        "Added the header. I'll now wait for your word.",
        "Fixed: the worker will now check the queue every minute.",
        "The header is added; tell me if I should now add a test, and I will.",
    ],
)
def test_what_is_no_step_of_the_agents_or_comes_later_is_none(answer: str) -> None:
    assert not announces_step(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "I looked at the code and fixed the off-by-one. Next, I'll add the guard.",
        "I reviewed the code. The parser already does this; nothing to change.",
        "I investigated the failure. I'll wait for your decision.",
    ],
)
def test_a_look_with_its_work_or_with_nothing_to_come_announces_none(answer: str) -> None:
    assert not announces_step(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "The tests pass `None` to the constructor.",
        "The tests pass a mock client to the handler.",
        "The tests pass the client into the handler.",
    ],
)
def test_tests_that_pass_something_on_are_no_claim(answer: str) -> None:
    assert not claims_tests_pass(answer)


@pytest.mark.parametrize(
    "answer", ["The tests pass thanks to the new fixture.", "The tests pass now.", "All tests pass."]
)
def test_tests_that_pass_are(answer: str) -> None:
    assert claims_tests_pass(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "I added a test that fails without the fix.",
        "The new test fails on the old code and passes with the fix.",
        "3 passed, 0 failed",
    ],
)
def test_what_fails_without_the_work_admits_nothing(answer: str) -> None:
    assert admits(answer).kind == ""


@pytest.mark.parametrize("answer", ["2 tests still fail.", "3 passed, 10 failed"])
def test_what_fails_with_it_does(answer: str) -> None:
    assert admits(answer).kind == "failing"


def test_not_tested_for_want_of_a_device_is_admitted() -> None:
    assert admits("Not tested: there is no device here.").reason == "environment"


@pytest.mark.parametrize(
    "answer",
    [
        "Please start Postgres and tell me; then I'll rerun.",
        "Could you plug in the device and enable USB debugging?",
        "Bitte melde dich mit `az login` an und gib mir Bescheid.",
        "Veuillez vous connecter avec `gh auth login`.",
    ],
)
def test_what_the_person_is_asked_to_do(answer: str) -> None:
    assert asked_of_person(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Please run the tests and let me know if they pass.",
        "Please run the tests and tell me the result.",
        "Please check the diff and let me know what you think.",
        "Would you like me to enable the API key rotation?",
    ],
)
def test_the_agents_own_work_is_not_handed_over(answer: str) -> None:
    assert not asked_of_person(answer)


def test_a_service_that_only_the_person_can_start_is_waited_for() -> None:
    answer = "The test needs a running Postgres which I can't start here. Please start it and tell me; then I'll rerun."

    assert Work().edit().run(outcome="failed").say(answer).judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize("item", ["Rotate the leaked AWS key", "Sign the Apple developer agreement"])
def test_a_persons_items(item: str) -> None:
    assert classify(item) == "human"


@pytest.mark.parametrize(
    "answer",
    ["I'll summarize: the loop skipped the last row.", "Let me explain: the cache was read before it was filled."],
)
def test_what_follows_at_once_is_not_announced(answer: str) -> None:
    assert not announces_step(answer)


def test_a_summary_that_does_not_follow_is() -> None:
    assert announces_step("Let me explain:")


def test_an_admission_behind_the_done_word() -> None:
    said = admits("Fixed, but untested — no Xcode in this environment.")
    assert (said.kind, said.reason) == ("not-run", "environment")
    assert admits("Fixed the two failing tests, but not the docs.").kind == ""


@pytest.mark.parametrize(
    "answer",
    [
        "I couldn't run the tests: only the command line tools are installed, and xcodebuild is part of Xcode.",
        "There is no Rust toolchain in this environment, so nothing has been compiled or tested.",
        "The unit tests could not run: no Android SDK is installed.",
        "Nothing was compiled or run: there's no JDK here.",
        "There's no Go on this box, so I haven't been able to compile or test anything.",
        "I have not run phpunit: there is no PHP here.",
        "Neither built nor tested: cargo isn't on the PATH.",
    ],
)
def test_a_toolchain_that_is_not_there_is_a_reason(answer: str) -> None:
    said = admits(answer)

    assert (said.kind, said.reason) == ("not-run", "environment")


@pytest.mark.parametrize(
    "answer",
    [
        "I have not run the tests. There are no compiler warnings.",
        "The tests were not run. No Go files were changed.",
        "Nothing has been tested yet.",
        "I have not run rspec. The only change is available on the branch.",
        "Nothing was run twice: the cache is asked first.",
    ],
)
def test_what_is_not_there_in_the_code_is_no_reason(answer: str) -> None:
    assert admits(answer).reason == ""
