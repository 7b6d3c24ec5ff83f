"""The decision on a stop, its scope, and the budget that bounds it."""

from typing import Any

import pytest

from ace_reflect.assess.when import task_type
from ace_reflect.evidence.facts import Background, CommandKind, Ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, History, Severity, StopKind, Verdict
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from support.work import Work, checkout

OPEN = "Done, the parser handles empty lines now."


def judged(work: Work, **options: Any) -> Verdict:
    return work.judge(checkout(), **options).verdict


def how(verdict: Verdict) -> tuple[bool, str, EndState]:
    return verdict.complete, verdict.decision, verdict.end_state


def test_work_that_is_proven_is_complete_and_the_person_gets_one_line() -> None:
    verdict = judged(Work().edit().run().say(OPEN))

    assert how(verdict) == (True, "allow", EndState.COMPLETE)
    assert verdict.system_message == (
        "ace-reflect: proven: passed after the last edit: 3 passed (transcript line 4)"
    )


def test_unproven_work_is_blocked_with_the_command_that_settles_it() -> None:
    judgement = Work().edit().say(OPEN).judge(checkout())
    verdict = judgement.verdict

    assert judgement.gates_ran
    assert how(verdict) == (False, "block", EndState.INCOMPLETE)
    assert (verdict.severity, verdict.next_actions) == (Severity.HIGH, ("pytest",))
    assert verdict.missing == ("no test has been run since the code was edited",)


@pytest.mark.parametrize(("work", "end"), [
    (Work("how does it work?").read().say("It reads lines."), EndState.NOT_APPLICABLE),
    (Work("hello").say("Hi."), EndState.NOT_APPLICABLE),
    (Work("hello").say("Hi. What shall we do?"), EndState.NOT_APPLICABLE),
    (Work("Fix it", interrupted=True).edit(), EndState.NOT_APPLICABLE),
    (Work("Fix it").edit().say("", api_error=True), EndState.ERROR),
    (Work("Fix it").edit().say("Like this.", plan_mode=True), EndState.NOT_APPLICABLE),
    (Work("Fix it").edit().say("Plan.", plan_rejected=True), EndState.NOT_APPLICABLE),
    (Work("Fix it").edit().say("", pending_calls=1), EndState.WORKING),
    (Work("skip gates").edit().say(OPEN), EndState.SKIPPED),
    (Work("Fix it, I'll test it myself").edit().say(OPEN), EndState.NOT_APPLICABLE),
    (Work("ACE-REFLECT JUDGE\n\nAnswer.").edit().say(OPEN), EndState.NOT_APPLICABLE),
    (Work("Fix it").edit().say("Which one: A or B?"), EndState.WAITING_FOR_USER),
    (Work("Fix it").edit().run("pytest", "unknown").say(OPEN), EndState.WAITING_FOR_USER),
    (Work("Fix it").edit("README.md").say(OPEN), EndState.NOT_APPLICABLE),
    # what was proven earlier completes nothing later; a waiver for the session holds later
    (Work().edit().run().say(OPEN).ask("What is it?").say("A parser."), EndState.NOT_APPLICABLE),
    (Work("skip gates for this session").say("Ok.").ask("Fix it").edit().say(OPEN), EndState.SKIPPED),
    # a question silences debt
    (Work().edit().say("Shall I run the tests?"), EndState.WAITING_FOR_USER),
])  # fmt: skip
def test_stops_that_stand(work: Work, end: EndState) -> None:
    verdict = judged(work)

    assert (verdict.decision, verdict.end_state, verdict.feedback) == ("allow", end, "")
    assert not verdict.complete


def test_an_empty_session_and_work_before_the_first_prompt_are_not_judged() -> None:
    assert not judge_stop(Ledger(), Project(), Settings()).gates_ran
    before = Work("Fix it").edit().say(OPEN)
    before.turns[0].update(number=0, prompt="")
    assert judged(before).end_state is EndState.NOT_APPLICABLE


def test_the_payload_knows_the_mode_and_the_answer_best() -> None:
    assert judged(Work().edit().say(OPEN), permission_mode="plan").decision == "allow"
    planned = Work().edit().say(OPEN, plan_mode=True)
    assert judged(planned, permission_mode="default").decision == "block"
    assert judged(Work().edit().say(""), final_text="Should I go on?").decision == "allow"


# -- complete


@pytest.mark.parametrize("mode", ["block", "warn"])
def test_complete_is_never_said_while_a_gate_is_disproven(mode: str) -> None:
    work = Work().edit().say(OPEN)
    ends = [judged(work, gates={"tests": mode}) for _ in range(4)]

    assert not any(verdict.complete for verdict in ends)
    assert all(verdict.severity is Severity.HIGH for verdict in ends)


def test_a_gate_in_mode_warn_is_a_line_said_once_and_one_that_is_off_is_not_run() -> None:
    work = Work().edit().say(OPEN)
    first, second = (judged(work, gates={"tests": "warn"}) for _ in range(2))
    off = Work().edit().say(OPEN).judge(checkout(), gates={"tests": "off"})

    assert (first.decision, first.end_state) == ("allow", EndState.INCOMPLETE)
    line = "ace-reflect: left open: no test has been run since the code was edited"
    assert first.system_message == line
    assert second.system_message == ""
    assert "tests" not in {finding.gate for finding in off.findings}


def test_a_later_question_stands_and_what_is_open_from_earlier_is_said() -> None:
    work = Work().edit().say(OPEN)
    judged(work)
    verdict = judged(work.ask("What does it do?").say("It parses."))

    assert (verdict.decision, verdict.end_state) == ("allow", EndState.OPEN_FROM_EARLIER)
    assert verdict.complete is False
    assert verdict.missing == ("no test has been run since the code was edited",)


# -- the person


@pytest.mark.parametrize("work", [
    Work().run("pytest", "failed").say("All tests pass. Go on?"),  # a question silences no claim
    Work("Fix it", print_mode=True).edit().say("Go on?"),  # nobody answers it
    Work("skip gates").edit().say(OPEN).ask("Fix b").edit("src/b.py").say(OPEN),  # waived once
])  # fmt: skip
def test_stops_that_do_not_stand(work: Work) -> None:
    assert judged(work).decision == "block"


def test_what_only_a_person_can_do_stands_with_a_line() -> None:
    verdict = judged(Work().edit().run().say("I can't go on: please log in to npm."))

    assert (verdict.end_state, verdict.requires_human_action) == (EndState.BLOCKED_ON_HUMAN, True)
    line = "ace-reflect: waits for you: I can't go on: please log in to npm."
    assert verdict.system_message == line
    assert verdict.stop_kind is StopKind.WAITING_FOR_USER


@pytest.mark.parametrize("name", ["AskUserQuestion", "ExitPlanMode"])
def test_a_dialog_that_stands_open_is_a_question(name: str) -> None:
    work = Work().edit().read().say("", pending_calls=1)
    work.facts["calls"][-1] = work.facts["calls"][-1].replace(name=name)

    assert judged(work).end_state is EndState.WAITING_FOR_USER


# -- what still runs


TASK = {"id": "b1", "line": 2, "turn": 1, "command": "pytest -q", "kind": CommandKind.TEST}


@pytest.mark.parametrize(("task", "decision"), [
    ({}, "defer"),
    ({"kind": CommandKind.OTHER, "subagent": True}, "defer"),
    ({"kind": CommandKind.SERVER}, "block"),
    ({"kind": CommandKind.OTHER}, "block"),
    ({"running": False}, "block"),
    ({"turn": 0}, "block"),  # it was there before the turn
])  # fmt: skip
def test_what_bears_on_a_gate_and_ends_is_waited_for(task: dict[str, Any], decision: str) -> None:
    work = Work().edit().say("It is running.")
    work.facts["background"] = [Background(**{**TASK, **task})]

    assert judged(work).decision == decision
    assert judged(work, background=()).decision == "block"  # the host knows best


def test_the_hosts_list_wins_and_a_claim_is_not_put_off() -> None:
    verdict = judged(Work().edit().say(OPEN), background=("pytest -q",))
    claim = judged(Work().run("pytest", "failed").say("All tests pass."), background=("pytest",))

    assert (verdict.decision, verdict.end_state) == ("defer", EndState.WORKING)
    assert verdict.why_silent == "still running: pytest -q"
    assert claim.decision == "block"


def test_nothing_is_complete_while_something_runs() -> None:
    verdict = judged(Work().edit().run().say(OPEN), background=("agent: docs",))

    assert how(verdict) == (False, "allow", EndState.WORKING)


# -- budget


@pytest.mark.parametrize("most", [1, 3, 7])
def test_at_most_so_many_messages_to_a_prompt_then_it_gives_up(most: int) -> None:
    work = Work().edit().say(OPEN)
    given = [judged(work.edit(f"src/{n}.py").say(OPEN), max_attempts=most) for n in range(most + 1)]
    last = given[-1]

    assert [verdict.decision for verdict in given] == ["block"] * most + ["allow"]
    assert last.end_state is EndState.GAVE_UP
    assert f"Attempt 1 of {most}" in given[0].feedback
    assert f"Attempt {most} of {most}: this is the last message" in given[-2].feedback
    assert last.system_message.startswith(f"ace-reflect: not done after {most} message")


def test_where_nothing_changed_the_last_message_comes_at_once() -> None:
    work = Work().edit().say(OPEN)
    first, second, third = (judged(work.say(f"{OPEN} {number}")) for number in range(3))

    assert [first.decision, second.decision, third.decision] == ["block", "block", "allow"]
    told = "nothing has changed since the one before, so this is the last message"
    assert told in second.feedback
    assert third.end_state is EndState.GAVE_UP


def test_work_after_the_last_message_and_a_new_prompt_are_within_a_budget() -> None:
    work = Work().edit().say(OPEN)
    judged(work), judged(work)

    assert judged(work.run("pytest", "failed").say(OPEN)).decision == "block"
    judged(work.ask("Fix b").edit("src/b.py").say(OPEN))
    assert work.history.attempts == 1


def gave_up() -> Work:
    work = Work().edit().say(OPEN)
    for _ in range(3):
        judged(work)
    return work


def test_what_was_given_up_is_a_note_for_the_rest_of_the_session() -> None:
    work = gave_up().ask("Fix b").edit("src/b.py").say(OPEN)
    verdict = judged(work)

    assert how(verdict) == (False, "allow", EndState.GAVE_UP)
    assert verdict.system_message.endswith("since the code was edited (given up before)")
    assert judged(work.ask("And?").say("So.")).end_state is EndState.OPEN_FROM_EARLIER


def test_until_its_proof_is_seen() -> None:
    work = gave_up().ask("run the tests").run().say("3 passed.")

    assert judged(work).end_state is EndState.COMPLETE
    assert work.history.given_up == ()
    assert judged(work.ask("Fix b").edit("src/b.py").say(OPEN)).decision == "block"


@pytest.mark.parametrize(("history", "end"), [
    (History(notes=("tests",)), EndState.INCOMPLETE), (History(skipped=True), EndState.SKIPPED),
])  # fmt: skip
def test_what_is_a_note_in_the_project_and_a_session_that_is_switched_off_never_block(history, end):
    work = Work().edit().say(OPEN)
    work.history = history

    assert judged(work).end_state is end
    assert judged(work.ask("Fix b").edit("src/b.py").say(OPEN)).decision == "allow"
    assert (work.history.notes, work.history.skipped) == (history.notes, history.skipped)


# -- which comes first


def test_the_gravest_leads_and_a_claim_before_the_debt() -> None:
    work = (
        Work("Fix it and open a PR").edit().run("pytest", "failed").commit().say("All tests pass.")
    )
    verdict = judged(work)

    assert [reason.split()[0:3] for reason in verdict.missing] == [
        ["the", "answer", "says"],
        ["the", "last", "run"],
        ["no", "pull", "request"],
    ]
    assert "Also open: the last run of the tests failed" in verdict.feedback


# -- the task: a hint, no gate


@pytest.mark.parametrize(("work", "kind", "source"), [
    (Work("Write the changelog").edit(), "coding", "edits"),
    (Work("Write it up").edit("README.md"), "docs", "edits"),
    (Work("Set it up").edit("ci.yml"), "ops", "edits"),
    (Work("Fix the parser").edit().ask("commit and push").commit(), "coding", "edits"),
    (Work("Fix the parser"), "coding", "words"),
    (Work("Why does the cache miss?").read(), "research", "words"),
    (Work("Fix the parser").ask("go on"), "coding", "words"),
    (Work("hello"), "other", "words"),
    (Work("save it").commit(), "ops", "commands"),
])  # fmt: skip
def test_its_type(work: Work, kind: str, source: str) -> None:
    assert task_type(work.ledger()) == (kind, source)
