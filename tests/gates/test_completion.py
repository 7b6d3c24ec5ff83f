"""Answers that break off, todos that were never begun, and the two loops."""

import pytest

from ace_reflect.evidence.facts import Background, CommandKind
from ace_reflect.gates.completion import Loops, find_loops
from ace_reflect.gates.model import Mode, State
from support.work import Work, checkout


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("Fixed. Now I'll run the tests:", State.DISPROVEN),
        ("Here is the code:\n```python\nx = 1", State.DISPROVEN),
        ("Here is the code:\n```python\nx = 1\n```", State.NOT_APPLICABLE),
        ("Now I'll list the options:\n1. a\n2. b", State.NOT_APPLICABLE),
        ("1. Keep it\n2. Let me choose manually:", State.NOT_APPLICABLE),
        ("I'll run the tests now.", State.NOT_APPLICABLE),
        ("The following files were changed:", State.NOT_APPLICABLE),
        ("", State.UNKNOWN),
    ],
)
def test_an_answer_that_does_not_come_to_its_end(answer: str, state: State) -> None:
    assert Work().edit().run().say(answer).gate("completion", checkout()).state is state


def test_it_is_sent_on_with_its_own_words() -> None:
    judgement = Work().edit().run().say("Fixed.\n\nLet me update the docs:").judge(checkout())

    assert (judgement.verdict.decision, judgement.verdict.severity.name) == ("block", "LOW")
    assert "The answer announces a step, and nothing follows." in judgement.verdict.feedback
    assert "Let me update the docs: (transcript line" in judgement.verdict.feedback
    assert judgement.verdict.complete is False


# -- todos


@pytest.mark.parametrize(
    ("work", "answer", "state"),
    [
        (Work().todo("Write docs"), "Done.", State.DISPROVEN),
        (Work().todo("Write docs", "in_progress"), "Done.", State.NOT_APPLICABLE),
        (Work().todo("Write docs", "completed"), "Done.", State.NOT_APPLICABLE),
        (Work().todo("Log in to npm"), "Done.", State.NOT_APPLICABLE),  # a person's
        (Work().todo("Write docs").ask("Thanks"), "Sure.", State.NOT_APPLICABLE),
        (Work().todo("Write docs"), "Shall I write the docs?", State.UNKNOWN),
        (Work().todo("Write docs"), "Next I'll write the docs.", State.UNKNOWN),
    ],
)
def test_todos_that_were_never_begun(work: Work, answer: str, state: State) -> None:
    finding = work.say(answer).gate("remaining_work", checkout())

    assert (finding.state, finding.mode) == (state, Mode.WARN)


def test_todos_while_an_agent_runs() -> None:
    work = Work().todo("Write docs").say("It is at work.")
    work.facts["background"] = [
        Background(id="a", line=2, turn=1, command="docs", kind=CommandKind.OTHER, subagent=True)
    ]

    assert work.gate("remaining_work", checkout()).state is State.UNKNOWN


# -- loops


def loops(work: Work, *, asks_for_change: bool = True) -> Loops:
    ledger = work.say("Hm.").ledger()
    return find_loops(ledger, ledger.turns[-1], asks_for_change=asks_for_change)


def test_a_planning_loop_only_reads_though_a_change_was_asked_for() -> None:
    assert loops(Work().read(8)).planning
    assert not loops(Work().read(7)).planning
    assert not loops(Work().read(8), asks_for_change=False).planning
    assert not loops(Work().read(8).edit()).planning
    assert loops(Work().read(10).edit()).planning


@pytest.mark.parametrize(
    ("commands", "action"),
    [
        (["a", "a", "a", "b"], True),
        (["a", "a", "a"], False),
        (["a", "a", "b", "b"], False),
        (["a", "a", "a", "b", "c", "d"], False),
    ],
)
def test_an_action_loop_repeats_a_command(commands: list[str], action: bool) -> None:
    work = Work()
    for command in commands:
        work.call(command)

    assert loops(work).action is action


def test_a_change_in_between_ends_an_action_loop() -> None:
    work = Work().call("a").call("a").edit().call("a").call("b")

    assert not loops(work).action


def test_loops_choose_how_a_message_begins() -> None:
    work = Work().edit()
    for _ in range(4):
        work.run("pytest -q", "failed")
    feedback = work.say("It fails.").judge(checkout()).verdict.feedback

    assert feedback.startswith("`pytest -q` has run 4 times with nothing changed in between.")
    assert "Change something before you run it again." in feedback
