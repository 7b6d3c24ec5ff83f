"""Prompts as they are typed: lower case, no commas, an order behind the next."""

from pathlib import Path

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.task import asks_for_change
from ace_reflect.gates.words import read_words
from ace_reflect.project.infer import infer_project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session

CART = "/home/dev/project/src/cart.ts"
PASSED = "Test Files  4 passed (4)\n     Tests  31 passed (31)"


def waived(prompt: str) -> set[str]:
    return {waiver.gate for waiver in read_words(prompt).waivers}


@pytest.mark.parametrize(
    "prompt",
    [
        "change the color to blue no need to run tests",
        "add the field dont run the tests",
        "fix the typo skip tests",
        "update the label no tests needed",
        "since it's just css don't run the tests",
        "im in a hurry dont run the tests",
        "the tests take an hour dont run them",
        "to save time do not run the suite",
    ],
)
def test_an_order_without_a_comma_before_it_is_heard(prompt: str) -> None:
    assert "tests" in waived(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the jobs that don't run the tests",
        "make sure the hooks don't run the tests",
        "the agents don't run tests",
        "fix the issue where forks don't run the e2e tests",
        "add a flag to skip tests",
        "add a message if there are no tests",
        "write a page for packages with no tests",
        "fix the crash on no tests",
        "if there is no need to run tests return early",
        "change the readme to say you dont need to run the tests",
    ],
)
def test_what_a_program_or_others_leave_out_is_no_order(prompt: str) -> None:
    assert waived(prompt) == set()


@pytest.mark.parametrize("prompt", ["fix it dont commit", "update the header do not push"])
def test_a_push_is_forbidden_without_a_comma_too(prompt: str) -> None:
    assert read_words(prompt).no_push


@pytest.mark.parametrize(
    "prompt",
    [
        "for the rest of this session don't run tests, i run them in another terminal",
        "from here on dont run tests",
        "going forward no tests please",
        "dont run tests unless i say so",
        "only run tests when i ask",
    ],
)
def test_a_rule_for_all_that_comes_holds_for_the_session(prompt: str) -> None:
    assert [(waiver.gate, waiver.session) for waiver in read_words(prompt).waivers] == [("tests", True)]


@pytest.mark.parametrize(
    "prompt", ["only run tests when the db is up", "only run the suite when the button is clicked"]
)
def test_when_a_program_is_to_run_them_is_no_rule_for_the_agent(prompt: str) -> None:
    assert waived(prompt) == set()


@pytest.mark.parametrize(
    "prompt",
    [
        "tests take too long, skip them",
        "the suite is slow so ignore it",
        "just a prototype, doesnt need to be tested",
        "it does not need to be verified",
        "u dont need to run tests",
        "i'll handle the testing",
        "ill do the tests",
        "i'm testing it myself",
        "ill check it in the browser",
        "i'll check manually",
        "ignore the failing snapshot tests, they're unrelated",
        "dont worry about the broken visual tests",
        "don't run cypress, it's broken locally",
        "dont run e2e",
        "those failures are unrelated",
        "the 3 failing tests in auth are not from you",
        "just edit the files i'll run it",
        "let me run it first",
        "i have the tests running in watch mode",
        "no point in running the tests",
        "its ok to skip tests here",
        "leave the tests red for now",
        "wait i'll test it",
    ],
)
def test_the_common_ways_to_do_without_the_tests(prompt: str) -> None:
    assert "tests" in waived(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "tests are slow, make them faster",
        "those failing tests are unrelated, please fix them",
        "why are those failures unrelated",
        "the form doesn't need to be verified twice, remove one check",
        "i'll check the browser console and send you the error",
        "i'm testing the login and it fails",
        "i test the api with curl and get a 500",
        "we'll run it every night",
        "let me run it by you",
        "i have the tests running and 3 fail",
        "leave the tests as they are and fix the code",
        "make whatever i'll need for the demo",
    ],
)
def test_talk_of_tests_and_checks_waives_nothing(prompt: str) -> None:
    assert waived(prompt) == set()


@pytest.mark.parametrize(
    "prompt",
    [
        "i'll review and push myself",
        "let me check and commit",
        "i will test it and then merge it",
        "ill look it over and push",
    ],
)
def test_what_the_person_does_first_they_also_push(prompt: str) -> None:
    said = read_words(prompt)

    assert said.no_push
    assert not said.asks_push


@pytest.mark.parametrize(
    "prompt",
    ["i'll review it, then you can push", "let me know when its done and push", "i'll be away, finish and push"],
)
def test_what_the_person_does_apart_leaves_the_push_to_the_agent(prompt: str) -> None:
    assert read_words(prompt).asks_push


@pytest.mark.parametrize(
    "prompt",
    [
        "push fails with remote rejected",
        "push to staging still fails with 403",
        "deploy log:",
        "deploy script is broken",
        "release notes look wrong",
        "publish button does nothing",
    ],
)
def test_a_push_or_release_that_is_told_of_is_not_asked_for(prompt: str) -> None:
    assert not read_words(prompt).asks_push


@pytest.mark.parametrize(
    "prompt",
    [
        "push",
        "push again",
        "push to staging",
        "deploy to prod",
        "release 2.3.0",
        "publish the package",
        "push it to my fork",
    ],
)
def test_a_push_or_release_that_is_asked_for_is(prompt: str) -> None:
    assert read_words(prompt).asks_push


@pytest.mark.parametrize(
    "prompt",
    [
        "its working now",
        "ok it's all working, thanks",
        "login works now",
        "the csv export works fine now, thanks",
        "the error is gone",
        "ok the bug is fixed now",
        "its fixed",
        "confirmed working on my end",
        "yay it works!",
        "all tests pass now",
    ],
)
def test_that_it_works_is_said_in_many_ways(prompt: str) -> None:
    assert read_words(prompt).confirmed


@pytest.mark.parametrize(
    "prompt",
    [
        "login works now but logout gives a 500",
        "explain how login works now",
        "make sure login works now",
        "the sync works now by polling",
        "fix the login so it works",
        "make it so everything works offline",
        "when i refresh, it works",
        "it works only after a reload",
        "it works on localhost, not on vercel",
        "the problem is solved by sorting",
        "once the error is gone commit",
        "all tests pass",
    ],
)
def test_what_is_wished_for_explained_or_half_the_truth_confirms_nothing(prompt: str) -> None:
    assert not read_words(prompt).confirmed


@pytest.mark.parametrize(
    "prompt",
    [
        "just do the backend for now",
        "do steps 1-3 then stop so i can review",
        "implement the model and then stop",
        "phase 1 only",
        "start with the first item only",
        "just the api part, ill do the frontend",
        "plan the 0.4 work as tasks and do the first",
        "split it into steps, then implement the first one please",
    ],
)
def test_a_part_of_the_work_is_a_limit(prompt: str) -> None:
    assert read_words(prompt).limits_scope


@pytest.mark.parametrize(
    "prompt",
    [
        "only the button part is wrong",
        "step 2 only works on linux",
        "list the bugs and fix the first two, then the rest",
        "and do the first row in bold",
        "then stop the server",
        "its fine, just not blue",
    ],
)
def test_a_part_of_the_program_is_no_limit(prompt: str) -> None:
    assert not read_words(prompt).limits_scope


@pytest.mark.parametrize(
    ("prompt", "forbidden"), [("fix the header. dont change anything else", False), ("dont change anything", True)]
)
def test_all_else_is_to_stay_and_the_change_is_wanted(prompt: str, forbidden: bool) -> None:
    assert bool(read_words(prompt).no_change) is forbidden


def test_a_file_in_front_of_an_order_is_stepped_over() -> None:
    assert asks_for_change("@src/app.ts add a retry around the fetch call")
    assert not asks_for_change("@src/app.ts why is this rounding twice")


@pytest.mark.parametrize(
    ("prompt", "decision"),
    [
        ("fix the cart", "block"),
        ("fix the cart no need to run tests", "allow"),
        ("fix the cart. the tests take forever dont run them", "allow"),
        ("fix the jobs that don't run the tests", "block"),
    ],
)
def test_a_whole_stop_without_a_run(tmp_path: Path, prompt: str, decision: str) -> None:
    built = session(tmp_path).prompt("are the tests green?").bash("npm test", PASSED).say("Yes.")
    ledger = ledger_of(built.prompt(prompt).edit(CART, "a", "b").say("Done. The cart is fixed."))

    assert judge_stop(ledger, infer_project(ledger), Settings()).verdict.decision == decision


def test_a_person_who_says_that_it_works_is_not_asked_for_earlier_runs(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("are the tests green?").bash("npm test", PASSED).say("Yes.")
    built.prompt("fix the cart").edit(CART, "a", "b").say("Done.")
    ledger = ledger_of(
        built.prompt("the cart works now, commit it")
        .bash("git commit -am cart", "[fix 1a2b3c4] cart")
        .say("Committed.")
    )

    assert judge_stop(ledger, infer_project(ledger), Settings()).verdict.decision == "allow"
