"""The message to Claude and the line to the person."""

import pytest

from ace_reflect.assess.message import handed_over
from ace_reflect.gates.answer import Loops
from ace_reflect.gates.message import MAX_CHARS, OFF, feedback, left_open
from ace_reflect.gates.model import Evidence, Finding, Mode, Severity, State
from ace_reflect.gates.words import ordered
from support.work import Work, checkout

PLANNING = Loops(planning=True, calls=12)


def finding(
    gate: str = "tests",
    reason: str = "no test has been run",
    settle: str = "",
    evidence: tuple[Evidence, ...] = (),
) -> Finding:
    told = {"reason": reason, "settle": settle, "evidence": evidence, "severity": Severity.HIGH}
    return Finding(gate=gate, state=State.DISPROVEN, mode=Mode.BLOCK, **told)


def text(*findings: Finding, loops: Loops | None = None, last: bool = False) -> str:
    return feedback(findings, loops or Loops(), (1, 3), last=last, same=False)


def test_it_leads_with_the_one_missing_thing_and_ends_with_the_way_out() -> None:
    work = Work().run("pytest -q").edit().say("Done.")

    assert work.judge(checkout()).verdict.feedback.splitlines() == [
        "The tests have not been run since the last edit.",
        "  edited /home/dev/project/src/app.py (transcript line 3)",
        "  pytest -q → 3 passed (transcript line 3)",
        "Run `pytest` and read its result.",
        "Attempt 1 of 3: if something keeps you from it, say what.",
        OFF,
    ]


def test_the_words_that_it_names_switch_it_off() -> None:
    assert "“skip gates”" in OFF
    assert ordered("skip gates for this session", "gates") == ("skip gates for this session",)


def test_it_stays_short_whatever_stands_in_it() -> None:
    long = text(finding(evidence=tuple(Evidence(line=n, quote="x" * 400) for n in range(9))))

    assert len(long) <= MAX_CHARS
    assert long.endswith(OFF)
    assert handed_over("x" * MAX_CHARS, "ace-backend") == "x" * MAX_CHARS


@pytest.mark.parametrize(("message", "words"), [
    (text(finding()), "Run the tests of what you edited."),
    (text(finding(reason="the last run of the tests failed: 1 failed", settle="pytest")), "Fix what fails and run `pytest` again."),
    (text(finding("claims", "the answer says x")), "Correct the answer"),
    (text(finding("direct_push", "pushed to main")), "Leave the history as it is"),
    (text(finding("pr", "no pull request", "gh pr create --fill")), "Push the branch, run `gh pr"),
    (text(finding("completion", "a step")), "Do it now"),
    (text(finding(), last=True), "this is the last message: finish it, or say in one sentence what blocks you."),
    # a planning loop is told to begin where nothing was done
    (text(finding("completion", "a step"), loops=PLANNING), "12 calls, and hardly a change: stop planning and do it."),
    (text(finding(evidence=(Evidence(line=7, quote="2 failed", file="agent-1.jsonl"),))), "2 failed (line 7 of agent-1.jsonl)"),
    (handed_over(text(finding()), "ace-backend"), f"then look at what it did yourself.\n{OFF}"),
])  # fmt: skip
def test_each_gate_names_its_own_way_out(message: str, words: str) -> None:
    assert words in message
    assert message.endswith(OFF)


def test_a_planning_loop_that_left_debt_is_told_of_the_debt() -> None:
    assert text(finding(), loops=PLANNING).startswith("No test has been run.")


def test_every_line_to_the_person_carries_the_name() -> None:
    assert left_open((finding(),)) == "ace-reflect: left open: no test has been run"
    assert left_open(()) == ""
