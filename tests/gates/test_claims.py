"""What an answer says against what the ledger shows."""

from typing import Any

import pytest

from ace_reflect.evidence.facts import Counts
from ace_reflect.gates.model import State
from support.work import Work, checkout

PART = {"targets": ("tests/test_app.py",)}


def claims(work: Work, answer: str) -> State:
    return work.say(answer).gate("claims", checkout()).state


def red(work: Work, **more: Any) -> Work:
    return work.run("pytest -q", "failed", **more)


@pytest.mark.parametrize(
    ("work", "state"),
    [
        (red(Work()), State.DISPROVEN),
        (red(Work(), **PART), State.DISPROVEN),
        (red(Work()).run(**PART), State.DISPROVEN),  # only a part passed since
        (red(Work()).run(**PART).run(**PART), State.DISPROVEN),
        (red(Work()).run(), State.UNKNOWN),
        (red(Work(), **PART).run(**PART), State.UNKNOWN),
        (red(Work()).run("pytest", "unknown"), State.UNKNOWN),
        (red(Work()).run("npm test"), State.UNKNOWN),  # another runner's
        (red(Work()).run("npm test", "unknown"), State.UNKNOWN),
        (red(Work(), of_scratch=True), State.UNKNOWN),
        (red(Work(), baseline=True), State.UNKNOWN),
        (
            red(Work()).run("pytest", "failed", baseline=True),
            State.UNKNOWN,
        ),  # it fails without the work too
        (Work(), State.UNKNOWN),  # nobody ran any: the tests' gate speaks of that
        (Work().run(), State.UNKNOWN),
        (Work().script(outcome="failed"), State.UNKNOWN),
        (red(Work()).say("2 fail.").ask("Commit it").commit(), State.DISPROVEN),
        (red(Work()).say("2 fail.").ask("Go on").edit(), State.UNKNOWN),
        (red(Work().edit()).edit(), State.DISPROVEN),
    ],
)
def test_all_tests_pass(work: Work, state: State) -> None:
    assert claims(work, "Fixed it. All tests pass.") is state


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("All 33 tests pass.", State.DISPROVEN),
        (
            "31 tests pass; the two in test_net.py need network access, which the sandbox does not have.",
            State.NOT_APPLICABLE,
        ),
        (
            "31 tests pass. The remaining two (test_net.py) cannot reach the network from here.",
            State.NOT_APPLICABLE,
        ),
        ("The relevant tests pass. test_net.py has two failures.", State.NOT_APPLICABLE),
        ("31 Tests laufen durch, die zwei in test_net.py brauchen Netz.", State.NOT_APPLICABLE),
        ("31 tests pass. See the log for the rest of it:", State.UNKNOWN),
        ("All tests pass. The 2 failures are in test_net.py.", State.NOT_APPLICABLE),
        ("I could not make all tests pass.", State.NOT_APPLICABLE),
        ("Run `pytest` until all tests pass.", State.NOT_APPLICABLE),
        ("None known fail.", State.NOT_APPLICABLE),
    ],
)
def test_true_numbers_parts_and_admissions_accuse_nobody(answer: str, state: State) -> None:
    work = Work().edit().run("pytest -q", "failed", counts=Counts(failed=2, passed=31))

    assert claims(work, answer) is state


@pytest.mark.parametrize(
    ("work", "answer", "state"),
    [
        (Work().run("npm run build", "failed", kind="build"), "The build passes.", State.DISPROVEN),
        (Work().run("npm run build", kind="build"), "The build passes.", State.UNKNOWN),
        (
            Work().run("make", "failed", kind="build").run("tsc", kind="typecheck"),
            "The build passes.",
            State.UNKNOWN,
        ),
        (Work().push("failed"), "Pushed to main.", State.DISPROVEN),
        (Work().push("failed").push(), "Pushed to main.", State.UNKNOWN),
        (Work(), "Pushed to main.", State.UNKNOWN),
        (Work().pr("failed"), "I opened a pull request.", State.DISPROVEN),
        (Work().pr(), "I opened a pull request.", State.UNKNOWN),
        (Work().push("failed"), "I have not pushed it.", State.NOT_APPLICABLE),
        (Work().push("failed"), "The push was rejected.", State.NOT_APPLICABLE),
    ],
)
def test_builds_and_what_was_shipped(work: Work, answer: str, state: State) -> None:
    assert claims(work, answer) is state


def test_a_contradiction_shows_both_and_no_question_silences_it() -> None:
    work = red(Work("Look at it")).say("All tests pass. Shall I commit?")
    judgement = work.judge(checkout())

    assert judgement.verdict.decision == "block"
    assert (
        "The answer says “All tests pass.”, and the last run shows: 1 failed"
        in judgement.verdict.feedback
    )
    assert "`pytest -q`" in judgement.verdict.feedback
