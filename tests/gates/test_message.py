"""The message to Claude and the line to the person."""

import pytest

from ace_reflect.gates.answer import Loops
from ace_reflect.gates.message import MAX_CHARS, OFF, feedback, handed_over, left_open
from ace_reflect.gates.model import Evidence, Finding, Mode, Severity, State
from ace_reflect.gates.words import ordered
from support.work import Work, checkout


def finding(gate: str = "tests", **more: object) -> Finding:
    fields = {
        "severity": Severity.HIGH,
        "reason": "no test has been run",
        "settle": "pytest",
        **more,
    }
    return Finding(gate=gate, state=State.DISPROVEN, mode=Mode.BLOCK, **fields)


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
    long = finding(evidence=tuple(Evidence(line=n, quote="x" * 400) for n in range(9)))

    assert len(text(long)) <= MAX_CHARS
    assert text(long).endswith(OFF)


def test_a_subagents_line_names_its_file() -> None:
    shown = text(finding(evidence=(Evidence(line=7, quote="2 failed", file="agent-1.jsonl"),)))

    assert "2 failed (line 7 of agent-1.jsonl)" in shown


@pytest.mark.parametrize(("open_", "words"), [
    (finding(), "Run `pytest` and read its result."),
    (finding(settle=""), "Run the tests of what you edited."),
    (finding(reason="the last run of the tests failed: 1 failed"), "Fix what fails and run `pytest` again."),
    (finding("claims", reason="the answer says x", settle=""), "Correct the answer"),
    (finding("direct_push", reason="pushed to main", settle=""), "Leave the history as it is"),
    (finding("pr", reason="no pull request", settle="gh pr create --fill"), "Push the branch, run `gh pr"),
    (finding("completion", reason="a step", settle=""), "Do it now"),
])  # fmt: skip
def test_each_gate_names_its_own_way_out(open_: Finding, words: str) -> None:
    assert words in text(open_)


def test_the_last_message_says_that_it_is_the_last() -> None:
    assert "this is the last message: finish it, or say in one sentence what blocks you." in text(
        finding(), last=True
    )


def test_a_planning_loop_is_told_to_begin_where_nothing_was_done() -> None:
    planning = Loops(planning=True, calls=12)
    idle = finding("completion", reason="the answer announces a step", settle="")

    assert text(idle, loops=planning).startswith(
        "12 calls, and hardly a change: stop planning and do it."
    )
    assert text(finding(), loops=planning).startswith("No test has been run.")


def test_the_fix_is_handed_to_an_agent_before_the_last_line() -> None:
    message = text(finding())
    handed = handed_over(message, "ace-backend")

    assert handed.splitlines()[-2].startswith("Hand this fix to the agent `ace-backend`")
    assert handed.endswith(OFF)
    assert handed_over("x" * MAX_CHARS, "ace-backend") == "x" * MAX_CHARS


def test_every_line_to_the_person_carries_the_name() -> None:
    assert left_open((finding(),)) == "ace-reflect: left open: no test has been run"
    assert left_open(()) == ""
