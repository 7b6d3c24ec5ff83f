"""What was said in one turn of a conversation, and what it is worth in the next ones."""

from pathlib import Path

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Judgement, State
from ace_reflect.gates.replay import replay
from ace_reflect.gates.words import read_words
from ace_reflect.project.infer import infer_project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

CODE = "/home/dev/project/src/app.py"
TEST = "/home/dev/project/tests/test_app.py"


def last(built: TranscriptBuilder) -> Judgement:
    return list(replay(built.records(), None, Settings()))[-1].judgement


def state(judgement: Judgement) -> State:
    return next(finding.state for finding in judgement.findings if finding.gate == "tests")


# -- a rule that is laid down before any work


@pytest.mark.parametrize(
    "rule",
    [
        "Don't bother with tests, I only want to try out designs",
        "please only write code, i'll execute everything on my machine",
        "our tests need the staging VPN, so you can't run them from this box",
        "The tests only run on the CI machine. Keep that in mind.",
    ],
)
def test_a_rule_laid_down_ahead_of_the_work_holds_for_all_of_it(tmp_path: Path, rule: str) -> None:
    built = session(tmp_path).prompt(rule).say("OK.").prompt("add discount()").create(CODE).create(TEST).say("Done.")
    built.prompt("add tax()").edit(CODE, "a", "b").say("`tax()` is there.")

    assert last(built).verdict.decision == "allow"


@pytest.mark.parametrize(
    "rule", ["Don't run the tests yet. What does app.py do?", "No tests for now. Which file is it in?"]
)
def test_a_waiver_for_now_is_no_rule(tmp_path: Path, rule: str) -> None:
    built = session(tmp_path).prompt(rule).say("It is `app.py`, and it adds up the lines.")
    built.prompt("add tax()").create(CODE).create(TEST).say("`tax()` is there.")

    assert last(built).verdict.decision == "block"


def test_a_waiver_behind_work_is_of_that_work(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("add discount()").create(CODE).create(TEST).say("Shall I test it?")
    built.prompt("don't run the tests, it is fine").say("OK.")
    built.prompt("add tax()").edit(CODE, "a", "b").say("`tax()` is there.")

    assert last(built).verdict.decision == "block"


def test_a_waiver_in_the_prompt_of_its_work_is_of_that_work(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("add discount(), no tests needed").create(CODE).create(TEST).say("Done.")
    built.prompt("add tax()").edit(CODE, "a", "b").say("`tax()` is there.")

    assert last(built).verdict.decision == "block"


# -- an order to ship what was said to be unproven


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("Done. I could not run the tests: Docker is not available here.", "commit and push it"),
        ("`connect()` is lazy now. The tests were not run, as they need the VPN.", "ok, commit"),
    ],
)
def test_who_orders_to_ship_what_could_not_be_tested_knows(tmp_path: Path, answer: str, order: str) -> None:
    built = session(tmp_path).prompt("make connect lazy").create(CODE).create(TEST).say(answer)
    built.prompt(order).bash("git commit -qam lazy").say("Committed.")

    assert state(last(built)) is State.WAIVED


def test_the_same_failure_as_before_the_work_may_be_shipped_once_it_was_told(tmp_path: Path) -> None:
    red = "FAILED tests/test_app.py::test_a - assert 1 == 2\n===== 1 failed, 9 passed in 0.30s ====="
    built = session(tmp_path).prompt("run the tests first").bash("pytest -q", red, exit_code=1).say("`test_a` fails.")
    built.prompt("rename connect").create(CODE).bash("pytest -q", red, exit_code=1)
    built.say("Renamed. Same result: only `test_app.py::test_a` fails, which it did before the change.")
    assert last(built).verdict.decision == "allow"

    built.prompt("push").bash("git commit -qam x && git push", "   1..2  main -> main").say("Pushed.")
    assert last(built).verdict.decision == "allow"


def test_an_order_to_ship_what_was_called_done_waives_nothing(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("make connect lazy").create(CODE).create(TEST).say("`connect()` is lazy now.")
    built.prompt("commit and push it").bash("git commit -qam lazy").say("Committed.")

    assert state(last(built)) is State.DISPROVEN


# -- failures that are known


def test_what_the_person_calls_known_are_the_failures_the_answer_named(tmp_path: Path) -> None:
    red = "E  redis.exceptions.ConnectionError\n===== 1 failed, 9 passed in 0.30s ====="
    built = session(tmp_path).prompt("run the tests").bash("pytest -q", red, exit_code=1)
    built.say("One fails: `test_sync`. It needs Redis.")
    built.prompt("that's known, ignore it. Raise the timeout").create(CODE).bash("pytest -q", red, exit_code=1)
    built.say("Raised. Only the known `test_sync` fails.")

    assert state(last(built)) is State.WAIVED


def test_what_fails_besides_them_is_not_known(tmp_path: Path) -> None:
    built = (
        session(tmp_path)
        .prompt("run the tests")
        .bash("pytest -q", "===== 1 failed, 9 passed in 0.30s =====", exit_code=1)
    )
    built.say("One fails: `test_sync`. It needs Redis.")
    built.prompt("that's known, ignore it. Raise the timeout").create(CODE)
    built.bash("pytest -q", "===== 3 failed, 7 passed in 0.30s =====", exit_code=1).say("Raised.")

    judgement = judge_stop(ledger := ledger_of(built), infer_project(ledger), Settings())

    assert judgement.verdict.decision == "block"


# -- the person found it good


@pytest.mark.parametrize(
    "text",
    [
        "yes it's gone",
        "yep, that did it",
        "ran pytest, everything green",
        "I ran them, they all pass. Commit.",
        "all green. Next: filter by status",
        "also green, commit both",
        "checked it by hand, fine",
        "verified in the browser",
    ],
)
def test_words_that_find_it_good(text: str) -> None:
    assert read_words(text).confirmed


@pytest.mark.parametrize(
    "text",
    [
        "make them all pass",
        "is everything green?",
        "all green except test_sync",
        "all passed arguments are checked",
        "pass it on",
        "green buttons, please",
        "checked in the browser, but it still flickers",
        "that did it again, it crashed",
        "fix it until everything is green",
    ],
)
def test_words_that_only_sound_like_it(text: str) -> None:
    assert not read_words(text).confirmed


@pytest.mark.parametrize(
    ("text", "waives"),
    [
        ("I don't want you to run anything, just write the code", True),
        ("I do not want you to run the tests", True),
        ("I'll execute everything myself", True),
        ("I don't want you to skip the tests", False),
        ("I don't want you to test the API, mock it", False),
        ("I want you to run the tests", False),
        ("I'll run everything past my manager", False),
        ("the tests only run on small inputs, add bigger ones", False),
        ("you can't run it twice, the second call fails", False),
    ],
)
def test_who_runs_them(text: str, waives: bool) -> None:
    assert any(waiver.gate == "tests" for waiver in read_words(text).waivers) is waives
