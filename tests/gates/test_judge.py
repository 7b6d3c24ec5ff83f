"""The decision on a stop, and the budget that bounds it."""

import pytest

from ace_reflect.evidence.facts import Background, CommandKind
from ace_reflect.gates.model import Cause, EndState, History, StopKind
from ace_reflect.gates.stop_case import _with_instructions
from ace_reflect.gates.words import Words
from ace_reflect.project.facts import Project
from support.work import ROOT, Work, checkout, node_scope

OPEN = "Done, the parser handles empty lines now."


def test_work_that_is_proven_is_complete_and_the_person_gets_one_line() -> None:
    verdict = Work().edit().run().say(OPEN).judge(checkout()).verdict

    assert (verdict.complete, verdict.decision, verdict.end_state) == (True, "allow", EndState.COMPLETE)
    assert verdict.system_message.startswith("Done and proven: `pytest -q` passed")


def test_unproven_work_is_blocked_with_the_command_that_settles_it() -> None:
    verdict = Work().edit().say(OPEN).judge(checkout()).verdict

    assert (verdict.complete, verdict.decision, verdict.end_state, verdict.severity.name) == (
        False,
        "block",
        EndState.INCOMPLETE,
        "HIGH",
    )
    assert verdict.next_actions == ("pytest",)
    assert "`pytest`" in verdict.feedback


@pytest.mark.parametrize(
    ("work", "end"),
    [
        (Work("").say if False else Work("how does it work?").read().say("It reads lines."), EndState.NOT_APPLICABLE),
        (Work("Fix it", interrupted=True).edit(), EndState.NOT_APPLICABLE),
        (Work("Fix it").edit().say("", api_error=True), EndState.ERROR),
        (Work("Fix it").edit().say("I will do it like this.", plan_mode=True), EndState.NOT_APPLICABLE),
        (Work("Fix it").edit().say("Plan.", plan_rejected=True), EndState.NOT_APPLICABLE),
        (Work("create a plan for the parser").read(3).say("Here is the plan."), EndState.NOT_APPLICABLE),
        (Work("Fix it").edit().say("", pending_calls=1), EndState.WORKING),
        (Work("skip gates").edit().say(OPEN), EndState.SKIPPED),
        (Work("Fix it, I'll test it myself").edit().say(OPEN), EndState.COMPLETE),
        (Work("ACE-REFLECT JUDGE\n\nAnswer.").edit().say(OPEN), EndState.NOT_APPLICABLE),
        (Work("Fix it").edit().say("Which of the two should win: A or B?"), EndState.WAITING_FOR_USER),
        (Work("Fix it").edit("README.md").say(OPEN), EndState.COMPLETE),
    ],
)
def test_stops_that_stand_in_silence(work: Work, end: EndState) -> None:
    verdict = work.judge(checkout()).verdict

    assert (verdict.decision, verdict.end_state, verdict.feedback) == ("allow", end, "")


def test_an_empty_session_is_not_judged() -> None:
    from ace_reflect.evidence.facts import Ledger
    from ace_reflect.gates.judge import judge_stop
    from ace_reflect.project.facts import Project
    from ace_reflect.settings import Settings

    judgement = judge_stop(Ledger(), Project(), Settings())

    assert (judgement.verdict.decision, judgement.findings) == ("allow", ())


def test_work_before_the_first_prompt_is_not_judged_and_with_the_prompt_it_is() -> None:
    before = Work("Fix it").edit().say(OPEN)
    before.turns[0].update(number=0, prompt="")

    assert before.judge(checkout()).verdict.end_state is EndState.NOT_APPLICABLE
    assert Work("Fix it").edit().say(OPEN).judge(checkout()).verdict.decision == "block"


def test_the_hosts_plan_mode_is_silent_and_its_end_is_not() -> None:
    assert Work().edit().say(OPEN).judge(checkout(), permission_mode="plan").verdict.decision == "allow"
    assert Work().edit().say(OPEN).judge(checkout(), permission_mode="default").verdict.decision == "block"


@pytest.mark.parametrize(
    ("task", "background", "end_state"),
    [
        ({"subagent": True}, None, EndState.WORKING),
        ({"subagent": True}, ("agent: find stale docs",), EndState.WORKING),
        ({"subagent": True}, (), EndState.COMPLETE),  # the host knows of none
        ({"subagent": True, "running": False}, None, EndState.COMPLETE),
        ({"subagent": True, "turn": 0}, None, EndState.COMPLETE),  # of an earlier prompt
        ({"kind": CommandKind.SERVER}, None, EndState.COMPLETE),
    ],
)
def test_nothing_is_complete_while_a_subagent_of_this_prompt_is_at_work(
    task: dict, background: tuple[str, ...] | None, end_state: EndState
) -> None:
    work = Work().edit().run().say("Renamed; 3 passed.")
    work.facts["background"] = [
        Background(
            **{"id": "a1", "line": 2, "turn": 1, "command": "Find stale docs", "kind": CommandKind.OTHER, **task}
        )
    ]

    verdict = work.judge(checkout(), background=background).verdict

    assert (verdict.end_state, verdict.decision) == (end_state, "allow")


def test_a_running_test_in_the_background_defers() -> None:
    verdict = Work().edit().say("The tests are running.").judge(checkout(), background=("pytest -q",)).verdict

    assert (verdict.decision, verdict.end_state) == ("defer", EndState.WORKING)


@pytest.mark.parametrize(
    ("task", "decision"),
    [
        ({"command": "pytest -q", "kind": CommandKind.TEST}, "defer"),
        ({"command": "", "kind": CommandKind.OTHER, "subagent": True}, "defer"),
        ({"command": "npm run dev", "kind": CommandKind.SERVER}, "block"),
        ({"command": "pytest -q", "kind": CommandKind.TEST, "running": False}, "block"),
    ],
)
def test_where_the_host_tells_nothing_the_transcript_says_what_still_runs(task: dict, decision: str) -> None:
    work = Work().edit()
    work.facts["background"] = [Background(id="b1", line=2, turn=1, **task)]
    verdict = work.say("It is running.").judge(checkout()).verdict

    assert verdict.decision == decision
    assert decision == "block" or (task["command"] or "b1") in verdict.why_silent


def test_nothing_that_runs_defers_nothing() -> None:
    assert Work().edit().say(OPEN).judge(checkout(), background=()).verdict.decision == "block"


def test_a_waiver_for_the_session_holds_in_later_prompts_and_one_for_a_prompt_does_not() -> None:
    whole = Work("skip gates for this session").say("Ok.").ask("Fix it").edit().say(OPEN)
    once = Work("skip gates").edit().say(OPEN).ask("Fix b").edit("src/b.py").say(OPEN)

    assert whole.judge(checkout()).verdict.end_state is EndState.SKIPPED
    assert once.judge(checkout()).verdict.decision == "block"


def test_words_said_in_mid_turn_count() -> None:
    work = Work("Fix it", limits=("no need to run the tests",)).edit().say(OPEN)

    assert work.judge(checkout()).verdict.decision == "allow"


def test_a_plan_that_claude_code_typed_waives_nothing() -> None:
    work = Work("Implement the following plan:\n\nSkip gates. Don't run the tests.", kind="plan").edit().say(OPEN)

    assert work.judge(checkout()).verdict.decision == "block"


def test_instruction_files_can_waive_the_tests() -> None:
    project = checkout(
        instructions="# Notes\n- Never run the tests yourself, ask me.\n", instruction_files=("/x/CLAUDE.md",)
    )

    finding = Work().edit().say(OPEN).gate("tests", project)

    assert finding.state == "waived"
    assert "CLAUDE.md" in finding.reason


@pytest.mark.parametrize(("modes", "decision"), [(("tests=off",), "allow"), (("tests=warn",), "allow"), ((), "block")])
def test_modes(modes: tuple[str, ...], decision: str) -> None:
    judgement = Work().edit().say(OPEN).judge(checkout(), gates=modes)

    assert judgement.verdict.decision == decision
    assert any(finding.gate == "tests" for finding in judgement.findings) is (modes != ("tests=off",))
    assert ("no test has been run" in judgement.verdict.system_message) is (modes == ("tests=warn",))


# -- only a person can go on


def test_what_only_a_person_can_do_stands_with_a_line() -> None:
    work = (
        Work("Fix it and commit")
        .edit()
        .run()
        .commit("failed")
        .say("The commit is blocked. Please unlock the 1Password SSH agent.")
    )

    verdict = work.judge(checkout()).verdict

    assert (verdict.decision, verdict.end_state, verdict.requires_human_action) == (
        "allow",
        EndState.BLOCKED_ON_HUMAN,
        True,
    )
    assert "1Password" in verdict.system_message


def test_open_work_of_the_agents_own_is_still_pushed() -> None:
    work = Work("Fix it").edit().say("Done. You need to provide the API key in the dashboard before deploying.")

    verdict = work.judge(checkout()).verdict

    assert (verdict.decision, verdict.requires_human_action) == ("block", True)


def test_in_print_mode_a_question_is_pushed_back_once() -> None:
    work = (
        Work("Fix the parser", print_mode=True)
        .edit()
        .run()
        .say("I could rename it to parse or to read. Which one do you want?")
    )

    first, second = work.judge(checkout()).verdict, work.judge(checkout()).verdict

    assert (first.decision, second.decision) == ("block", "allow")
    assert "Decide it yourself" in first.feedback


def test_in_print_mode_a_need_for_a_person_stands() -> None:
    work = (
        Work("Deploy it", print_mode=True)
        .edit()
        .run()
        .say("I cannot go on: please provide the API key. Can you give me the API key?")
    )

    assert work.judge(checkout()).verdict.decision == "allow"


# -- budget


def test_at_most_three_messages_for_a_prompt_then_it_gives_up() -> None:
    work = Work().edit().say(OPEN)
    decisions = []
    for number in range(4):
        decisions.append(work.judge(checkout()).verdict)
        work.edit(f"src/{number}.py").say(OPEN)

    assert [verdict.decision for verdict in decisions] == ["block", "block", "block", "allow"]
    assert decisions[3].end_state is EndState.GAVE_UP
    assert "(3/3)" in decisions[2].feedback
    assert decisions[3].system_message.startswith("Not done after 3 messages")


def test_when_nothing_changed_the_last_message_comes_at_once_and_then_it_gives_up() -> None:
    work = Work().edit().say(OPEN)

    first, second, third = (work.judge(checkout()).verdict for _ in range(3))

    assert [first.decision, second.decision, third.decision] == ["block", "block", "allow"]
    assert "Nothing has changed since the last message" in second.feedback
    assert third.end_state is EndState.GAVE_UP


def test_what_was_given_up_never_blocks_again() -> None:
    work = Work().edit().say(OPEN)
    for _ in range(3):
        work.judge(checkout())
    work.ask("commit it").commit().say("Committed.")

    assert work.judge(checkout()).verdict.decision == "allow"


def test_a_gate_that_was_switched_to_block_gives_up_but_once() -> None:
    work = Work("Open a PR").edit().run().pr(url="u").ci("failed").say("Done.")
    ends = [work.judge(checkout(), gates=("ci=block",)).verdict for _ in range(5)]

    assert [verdict.decision for verdict in ends] == ["block", "block", "allow", "allow", "allow"]
    assert [verdict.system_message[:8] for verdict in ends[2:]] == ["Not done", "Left ope", ""]


def test_a_new_prompt_has_a_new_budget() -> None:
    work = Work().edit().say(OPEN)
    work.judge(checkout())
    work.judge(checkout())
    work.ask("now b").edit("src/b.py").say(OPEN)

    assert work.judge(checkout()).history.attempts == 1


@pytest.mark.parametrize("most", [1, 2, 7])
def test_the_budget_is_the_persons_to_set(most: int) -> None:
    work = Work().edit().say(OPEN)
    blocks = 0
    for number in range(10):
        blocks += work.judge(checkout(), max_attempts=most).verdict.decision == "block"
        work.edit(f"src/{number}.py").say(OPEN)

    assert blocks == most


def test_a_masked_result_gets_one_message_then_it_stands() -> None:
    work = Work().edit().run("pytest | tail -3", "unknown", masked="| tail -3").say(OPEN)

    first, second = work.judge(checkout()).verdict, work.judge(checkout()).verdict

    assert (first.decision, second.decision) == ("block", "allow")
    assert "hidden by `| tail -3`" in first.feedback
    assert not second.complete


def test_progress_earns_a_fresh_message_and_not_the_last() -> None:
    work = Work().edit().say(OPEN)
    work.judge(checkout())
    work.run("pytest", "failed").say(OPEN)

    second = work.judge(checkout()).verdict

    assert "Attempt 2 of 3" in second.feedback


def test_the_skip_command_silences_the_session() -> None:
    work = Work().edit().say(OPEN)
    work.history = History(skipped=True)

    assert work.judge(checkout()).verdict.end_state is EndState.SKIPPED


def test_the_rules_say_whether_there_is_anything_to_prove_the_work_by() -> None:
    assert Work().edit().say("Done.").judge().unproven
    assert not Work().edit().run().say("Done.").judge(checkout()).unproven


# -- debt that the person took on


@pytest.mark.parametrize("words", ["skip gates", "Fix it, don't run the tests", "skip the tests this time"])
def test_debt_of_a_prompt_that_waived_it_is_not_brought_up_when_it_is_shipped(words: str) -> None:
    work = Work(words).edit().say(OPEN).ask("commit it").commit().say("Committed.")

    assert work.judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    "words", ["I tested it, commit", "it works now, commit it", "tests pass for me, please commit", "LGTM, commit"]
)
def test_debt_that_the_person_found_good_is_not_brought_up(words: str) -> None:
    work = Work("Fix it").edit().say(OPEN).ask(words).commit().say("Committed.")

    assert work.judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    "words", ["it works but the header is broken, fix that", "I tested it and it fails", "it works, now do b"]
)
def test_finding_good_what_was_covers_nothing_that_comes_after(words: str) -> None:
    work = Work("Fix it").edit().say(OPEN).ask(words).edit("src/b.py").say(OPEN)

    assert work.judge(checkout()).verdict.decision == "block"


WHICH = "They differ in speed only. Which one do you want?"


@pytest.mark.parametrize(
    ("work", "decision"),
    [
        (Work("Use the faster parser", print_mode=True).edit().run().say(WHICH), "block"),
        (Work("Use the faster parser").edit().run().say(WHICH), "allow"),
        (Work("Which parser is faster?", print_mode=True).read().say(WHICH), "allow"),
    ],
)
def test_only_a_task_in_print_mode_has_its_question_pushed_back(work: Work, decision: str) -> None:
    judgement = work.judge(checkout())
    asks = [finding.cause is Cause.ASKS_NOBODY for finding in judgement.findings if finding.gate == "completion"]

    assert (judgement.verdict.decision, asks) == (decision, [decision == "block"])


def test_with_the_gate_off_a_question_in_print_mode_stands() -> None:
    work = Work("Use the faster parser", print_mode=True).edit().run().say(WHICH)

    assert work.judge(checkout(), gates=("completion=off",)).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("question", "pushed"),
    [
        ("Can you give me the API key?", False),
        ("Please provide the API key. Which one do you want?", False),
        ("Should I log in with your account or a new one?", False),
        ("Can you give me a hint which one?", True),
    ],
)
def test_in_print_mode_nobody_is_told_to_decide_what_a_person_must_give(question: str, pushed: bool) -> None:
    judgement = Work("Deploy it", print_mode=True).edit().run().say(f"It wants one. {question}").judge(checkout())

    assert any(finding.cause is Cause.ASKS_NOBODY for finding in judgement.findings) is pushed


def test_work_without_a_last_word_is_judged_as_any_other() -> None:
    assert Work("Fix it").edit().judge(checkout()).verdict.decision == "block"
    assert Work("Fix it").judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("told", "waived"),
    [
        ("Never run the tests yourself, ask me.", True),
        ("Run the tests before each commit.", False),
        ("No tests. They are run in CI.", False),  # a fact of the project, no rule
        ("Don't run npm run build, CI does that.", True),
        ("Never open a pull request. Every test must pass.", True),
        ("Skip all gates of the test bench.", False),
        ("Do not " + "explain at length " * 20 + "and never run the tests.", False),
        ("Never open a pull request.", True),
        ("Do not run the tests.", True),
        ("No need to run the tests here.", True),
        ("Skip the tests.", True),
        ("Never commit.", True),
        ("Skip gates.", False),
        ("Don't use mocks.", False),
    ],
)
def test_a_rule_of_the_instructions_waives_what_it_names(told: str, waived: bool) -> None:
    project = Project(root=ROOT, present=True, instructions=f"{told}\n", instruction_files=("/x/A.md",))
    case_words = _with_instructions(Words(), project)

    assert bool(case_words.waivers) is waived
    assert {waiver.by for waiver in case_words.waivers} <= {"A.md"}


def test_a_forge_that_wants_a_pull_request_is_not_overruled_by_its_instructions() -> None:
    project = Project(
        root=ROOT, present=True, instructions="Never open a pull request, the bot tests it.", wants_pr="x"
    )

    assert not _with_instructions(Words(), project).waivers
    assert _with_instructions(Words(), project.replace(instructions="Never run the tests yourself.")).waivers


@pytest.mark.parametrize("kind", ["test", "build"])
@pytest.mark.parametrize("said", ["The parser is fixed.", "The run is on; I report when it ends."])
def test_a_stop_whose_own_proof_still_runs_is_not_complete(kind: str, said: str) -> None:
    work = Work().edit("src/a.ts").run("npm test", kind="test")
    work.run("npm run build" if kind == "build" else "npm test", "unknown", kind=kind, running=True, background=True)
    verdict = work.say(said).judge(checkout(node_scope(build=True)), background=("npm",)).verdict

    assert verdict.decision != "block"
    assert (verdict.end_state, verdict.complete) == (EndState.WORKING, False)


def test_a_run_that_an_earlier_turn_left_running_keeps_no_document_from_being_done() -> None:
    work = Work().edit().run("pytest", "unknown", running=True, background=True).say("It runs.")
    work.ask("Write that down").edit("notes.md").say("Done. It is in notes.md.")
    verdict = work.judge(checkout(), background=("pytest",)).verdict

    assert (verdict.end_state, verdict.complete) == (EndState.COMPLETE, True)


def test_a_text_that_breaks_off_is_stuck_whatever_stands_before_the_break() -> None:
    for said in ("The parser is fixed and I also changed the", "Done: the cache is cleared, because"):
        assert Work().edit().run().say(said).judge(checkout()).verdict.stop_kind is StopKind.GENUINELY_STUCK
    assert Work().edit().run().say("The parser is fixed.").judge(checkout()).verdict.stop_kind is StopKind.COMPLETE


@pytest.mark.parametrize(
    "said",
    [
        "You need to approve the OAuth consent screen, and the tests still have to be run.",
        "Two things are left:\n- You need to enter the 2FA code\n- Run the tests",
        "Please plug in the device. The test suite has yet to be run, too.",
    ],
)
def test_what_the_agent_could_run_itself_is_asked_for_beside_a_persons_part(said: str) -> None:
    verdict = Work("Fix it").edit().say(said).judge(checkout()).verdict

    assert (verdict.decision, verdict.requires_human_action) == ("block", True)


@pytest.mark.parametrize(
    "said",
    [
        "You need to approve the OAuth consent screen in the console, I can't go on without it.",
        "You need to plug in the device. Once it is there the tests have to be run.",
        "Could you please do these:\n- plug in the device\n- run the tests on it",
    ],
)
def test_where_all_waits_for_the_person_the_person_is_told_so(said: str) -> None:
    verdict = Work("Fix it").edit().say(said).judge(checkout()).verdict

    assert (verdict.decision, verdict.end_state) == ("allow", EndState.BLOCKED_ON_HUMAN)
    assert verdict.requires_human_action
    assert verdict.system_message


def test_a_run_of_the_tests_that_was_stopped_leaves_the_stop_open_and_blocks_nothing() -> None:
    """As one in watch mode, which the host's time limit ended."""
    killed = {"why": "stopped before its end (exit 143)"}
    verdict = Work().edit().run("pytest -f", "unknown", **killed).say("The parser is fixed.").judge(checkout()).verdict
    assert (verdict.decision, verdict.complete, verdict.end_state) == ("allow", False, EndState.INCOMPLETE)


def test_a_run_whose_counts_were_cut_off_leaves_it_open_too() -> None:
    work = Work().edit().run("pytest", "unknown", cut_off=True, why="the output is cut off").say("The parser is fixed.")
    assert not work.judge(checkout()).verdict.complete


def test_beside_tests_that_passed_a_stopped_run_keeps_nothing_open() -> None:
    work = Work().edit().run("pytest tests/unit").run("tox", "unknown", why="stopped before its end (exit 143)")
    assert work.say("The parser is fixed; the unit tests pass.").judge(checkout()).verdict.complete
