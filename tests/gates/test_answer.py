"""What an answer says against the ledger, answers that break off, todos that were never begun, and the two loops."""

from typing import Any

import pytest

from ace_reflect.evidence.facts import Background, CommandKind, Counts
from ace_reflect.gates.model import Mode, State
from ace_reflect.report.session import report
from support.work import Work, checkout

PART = {"targets": ("tests/test_app.py",)}


def claims(work: Work, answer: str) -> State:
    return work.say(answer).gate("claims", checkout()).state


def red(work: Work, **more: Any) -> Work:
    return work.run("pytest -q", "failed", **more)


@pytest.mark.parametrize(("work", "state"), [
    (red(Work()), State.DISPROVEN),
    (red(Work(), **PART), State.DISPROVEN),
    (red(Work()).run(**PART), State.DISPROVEN),  # only a part passed since
    (red(Work()).run(**PART).run(**PART), State.DISPROVEN), (red(Work(), failed=2).run(failed=0, **PART), State.DISPROVEN),
    (red(Work(), counts=Counts(failed=1, passed=1)).run("pytest tests/", failed=0, **PART), State.UNKNOWN),  # of as many
    (red(Work()).run(), State.UNKNOWN),
    (red(Work(), **PART).run(**PART), State.UNKNOWN),
    (red(Work()).run("pytest", "unknown"), State.UNKNOWN),
    (red(Work()).run("npm test"), State.UNKNOWN),  # another runner's
    (red(Work()).run("npm test", "unknown"), State.UNKNOWN),
    (red(Work(), of_scratch=True), State.UNKNOWN),
    (red(Work(), baseline=True), State.UNKNOWN),
    (Work(), State.UNKNOWN),  # nobody ran any: the tests' gate speaks of that
    (Work().run(), State.UNKNOWN),
    (Work().script(outcome="failed"), State.UNKNOWN),
    (red(Work()).say("2 fail.").ask("Commit it").commit(), State.UNKNOWN),  # of another turn
    (red(Work().edit()).edit(), State.DISPROVEN), (red(Work().edit()).tree(), State.UNKNOWN),
])  # fmt: skip
def test_all_tests_pass(work: Work, state: State) -> None:
    assert claims(work, "Fixed it. All tests pass.") is state


@pytest.mark.parametrize(("answer", "state"), [
    ("All 33 tests pass.", State.DISPROVEN),
    ("31 tests pass; the two in test_net.py need network access, which the sandbox does not have.", State.NOT_APPLICABLE),
    ("31 tests pass. The remaining two (test_net.py) cannot reach the network from here.", State.NOT_APPLICABLE),
    ("The relevant tests pass. test_net.py has two failures.", State.NOT_APPLICABLE),
    ("31 Tests laufen durch, die zwei in test_net.py brauchen Netz.", State.NOT_APPLICABLE),
    ("31 tests pass. See the log for the rest of it:", State.UNKNOWN),
    ("All tests pass. The 2 failures are in test_net.py.", State.NOT_APPLICABLE),
    ("I could not make all tests pass.", State.NOT_APPLICABLE),
    ("Run `pytest` until all tests pass.", State.NOT_APPLICABLE),
    ("None known fail.", State.NOT_APPLICABLE),
])  # fmt: skip
def test_true_numbers_parts_and_admissions_accuse_nobody(answer: str, state: State) -> None:
    work = Work().edit().run("pytest -q", "failed", counts=Counts(failed=2, passed=31))

    assert claims(work, answer) is state


@pytest.mark.parametrize(("work", "answer", "state"), [
    (Work().run("npm run build", "failed", kind="build"), "The build passes.", State.DISPROVEN),
    (Work().run("npm run build", kind="build"), "The build passes.", State.UNKNOWN),
    (Work().run("make", "failed", kind="build").run("tsc", kind="typecheck"), "The build passes.", State.UNKNOWN),
    (Work().push("failed"), "Pushed to main.", State.DISPROVEN),
    (Work().push("failed").push(), "Pushed to main.", State.UNKNOWN),
    (Work(), "Pushed to main.", State.UNKNOWN),
    (Work().pr("failed"), "I opened a pull request.", State.DISPROVEN),
    (Work().pr(), "I opened a pull request.", State.UNKNOWN),
    (Work().push("failed"), "I have not pushed it.", State.NOT_APPLICABLE),
    (Work().push("failed"), "The push was rejected.", State.NOT_APPLICABLE),
])  # fmt: skip
def test_builds_and_what_was_shipped(work: Work, answer: str, state: State) -> None:
    assert claims(work, answer) is state


def test_a_contradiction_shows_both_and_no_question_silences_it() -> None:
    work = red(Work("Look at it")).say("All tests pass. Shall I commit?")
    feedback = work.judge(checkout()).verdict.feedback

    told = "The answer says “All tests pass.”, and the last run shows: 1 failed"
    assert told in feedback
    assert "`pytest -q`" in feedback


# -- its end


@pytest.mark.parametrize(("answer", "state"), [
    ("Fixed. Now I'll run the tests:", State.DISPROVEN),
    ("Here is the code:\n```python\nx = 1", State.DISPROVEN),
    ("Here is the code:\n```python\nx = 1\n```", State.NOT_APPLICABLE),
    ("A line of three ``` opens a block.", State.NOT_APPLICABLE), ("```\n" + "x = 1\n" * 900 + "```\n" + "It is so. " * 500, State.NOT_APPLICABLE),
    ("````md\n```sh\nls\n````", State.NOT_APPLICABLE), ("```sh\nls\n```bash", State.DISPROVEN), ("```md\n```sh\nls\n```\n```\nDone.", State.NOT_APPLICABLE),
    ("Now I'll list the options:\n1. a\n2. b", State.NOT_APPLICABLE),
    ("Running the tests:", State.DISPROVEN),
    ("1. Keep it\n2. Let me choose manually:", State.NOT_APPLICABLE),
    ("Let me know which:", State.NOT_APPLICABLE), ("I'll run the tests now.", State.NOT_APPLICABLE),
    ("The following files were changed:", State.NOT_APPLICABLE), ("", State.UNKNOWN),
])  # fmt: skip
def test_an_answer_that_does_not_come_to_its_end(answer: str, state: State) -> None:
    assert Work().edit().run().say(answer).gate("completion", checkout()).state is state


def test_it_is_sent_on_with_its_own_words() -> None:
    work = Work().edit().run().say("Fixed.\n\nLet me update the docs:")
    verdict = work.judge(checkout()).verdict

    assert (verdict.decision, verdict.severity.name) == ("block", "LOW")
    assert "The answer announces a step, and nothing follows." in verdict.feedback
    assert "Let me update the docs: (transcript line" in verdict.feedback


# -- todos


@pytest.mark.parametrize(("work", "answer", "state"), [
    (Work().todo("Write docs"), "Done.", State.DISPROVEN),
    (Work().todo("Write docs", "in_progress"), "Done.", State.NOT_APPLICABLE),
    (Work().todo("Write docs", "completed"), "Done.", State.NOT_APPLICABLE),
    (Work().todo("Log in to npm"), "Done.", State.NOT_APPLICABLE),  # a person's
    (Work().todo("Write docs").ask("Thanks"), "Sure.", State.NOT_APPLICABLE),
    (Work().todo("Write docs"), "Shall I write the docs?", State.UNKNOWN),
    (Work().todo("Write docs"), "Next I'll write the docs.", State.UNKNOWN),
])  # fmt: skip
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


def calls(commands: str) -> Work:
    """Calls of commands of one letter; at "+" a file is edited."""
    work = Work()
    for command in commands:
        work = work.edit() if command == "+" else work.call(command)
    return work


@pytest.mark.parametrize(("work", "planning", "action"), [
    (Work().read(8), True, False),  # though a change was asked for
    (Work("What is it?").read(8), False, False),
    (Work().read(7), False, False),
    (Work().read(8).edit(), False, False),
    (Work().read(10).edit(), True, False),
    (calls("aaab"), False, True),
    (calls("aaa"), False, False),
    (calls("aabb"), False, False),
    (calls("aaabcd"), False, False),
    (calls("aa+ab"), False, False),
])  # fmt: skip
def test_a_planning_loop_only_reads_and_an_action_loop_repeats_a_command(work, planning, action):
    facts = report(work.ledger(), work.say("Hm.").judge(checkout()))["facts"]
    assert facts["loops"] == {"planning": planning, "action": action}


def test_loops_choose_how_a_message_begins() -> None:
    work = Work().edit()
    for _ in range(4):
        work.run("pytest -q", "failed")
    feedback = work.say("It fails.").judge(checkout()).verdict.feedback

    assert feedback.startswith("`pytest -q` has run 4 times with nothing changed in between.")
    assert "Change something before you run it again." in feedback
