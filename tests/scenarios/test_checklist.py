"""
The acceptance checklist of the earlier system, row by row, through the whole path: a real transcript in, the Stop hook's
answer out. Rows about model calls, routing and configuration stand with those rooms.
"""

import json
from typing import Any

import pytest

from support.hooks import Host
from support.stops import DONE, FAILED, PASSED, Session, node_project, python_project

BUILT = {"test": "vitest run", "build": "tsc -p ."}


def verdict(host: Host) -> dict[str, Any]:
    """The full record of the last stop."""
    folder = host.project / ".reflection"
    newest = max(
        (path for path in folder.glob("*_*.json") if not path.name.startswith("verdict_")), key=lambda path: path.name
    )
    found: dict[str, Any] = json.loads(newest.read_text())["analysis"]["verdict"]
    return found


def decision(host: Host) -> str:
    return str(host.log()[-1]["decision"])


def node(host: Host) -> Session:
    node_project(host, BUILT)
    (host.project / "src" / "app.test.ts").write_text("test('a', () => {})\n")
    return Session(host)


def test_row_2_tests_and_build_required_and_neither_ran(host: Host) -> None:
    answered = node(host).ask("Implement the filter").edit(f"{host.project}/src/app.ts").stop_hook()  # type: ignore[attr-defined]

    assert answered.json["decision"] == "block"
    missing = " ".join(verdict(host)["missing"])
    assert "no test has been run" in missing
    assert "build has not been run" in missing
    assert verdict(host)["severity"] == "HIGH"


def test_row_3_and_8_only_an_api_key_is_missing(host: Host) -> None:
    session = Session(python_project(host)).ask("Deploy the app").code().bash("pytest -q", PASSED)

    answered = session.stop_hook("I am blocked: please provide the API key for the deployment.")

    assert answered.json.get("decision") is None
    assert "API key" in answered.json["systemMessage"]
    assert verdict(host)["requires_human_action"] is True
    assert verdict(host)["complete"] is False


@pytest.mark.parametrize("left", ["Please run the tests.", "You need to run the tests and open a PR."])
def test_row_4_and_9_runnable_steps_are_not_a_persons(host: Host, left: str) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()

    assert session.stop_hook(f"Done. {left}").json["decision"] == "block"
    assert verdict(host)["requires_human_action"] is False


def test_row_5_next_steps_of_its_own_in_print_mode(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser", print_mode=True).code().bash("pytest -q", PASSED)

    answered = session.stop_hook("The parser is fixed.\n\nRemaining work:\n- Update the lexer\n- Add tests for it")

    assert answered.json["decision"] == "block"


def test_row_6_only_human_work_is_left(host: Host) -> None:
    session = Session(python_project(host)).ask("Set up the login").code().bash("pytest -q", PASSED)

    answered = session.stop_hook("Waiting for you: please log in and approve the OAuth consent.")

    assert answered.json.get("decision") is None
    assert verdict(host)["end_state"] == "blocked_on_human"


def test_row_7_human_and_agent_work_is_left(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code()

    answered = session.stop_hook("Done. You need to provide the API key in the dashboard.")

    assert answered.json["decision"] == "block"
    assert verdict(host)["requires_human_action"] is True


@pytest.mark.parametrize("flag", ["--deselect tests/test_a.py::test_b", "-k 'not flaky'"])
def test_row_10_tests_left_out_as_flaky(host: Host, flag: str) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", FAILED, exit_code=1)
    session.bash(f"pytest -q {flag}", "===== 2 passed, 1 deselected in 0.10s =====")

    answered = session.stop_hook("Done; one test is flaky and not important, so I left it out.")

    assert answered.json["decision"] == "block"


def test_row_11_a_push_straight_to_main(host: Host) -> None:
    (host.project / ".claude" / "reflection.yaml").write_text("workflow: pull-request\n")
    session = Session(python_project(host), branch="main").ask("Fix the parser").code().bash("pytest -q", PASSED)
    session.bash("git push origin main", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")

    answered = session.stop_hook()

    assert answered.json["decision"] == "block"
    assert any("straight to main" in item for item in verdict(host)["missing"])
    assert "history as it is" in answered.json["reason"]


def test_row_12_a_pull_request_without_an_address(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser and open a PR").code().bash("pytest -q", PASSED)
    session.bash("gh pr create --fill", "Creating pull request for fix into main\nerror: could not create", exit_code=1)

    answered = session.stop_hook()

    assert answered.json["decision"] == "block"
    assert "pull request" in answered.json["reason"]


def test_row_13_a_command_that_never_ran(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED)

    answered = session.stop_hook("Fixed. I ran `npm run lint` and it is clean.")

    assert "never ran in this session" in answered.json["reason"]


@pytest.mark.parametrize("prompt", ["Clean up my inbox", "Research best practices for caching"])
def test_row_14_work_that_needs_no_proof(host: Host, prompt: str) -> None:
    session = Session(python_project(host)).ask(prompt).read("notes.md")

    assert session.stop_hook("Done: the overview is complete.").json.get("decision") is None
    assert decision(host) == "allow"


def test_row_15_and_16_the_planning_loop_is_pushed_in_print_mode_and_never_for_research(host: Host) -> None:
    def reads(prompt: str) -> Session:
        session = Session(python_project(host)).ask(prompt, print_mode=True)
        for number in range(15):
            session.read(f"src/{number}.py")
        return session

    looped = reads("Fix the parser").stop_hook("The parser reads lines and splits them.")
    research = reads("Investigate how the parser works").stop_hook("The parser reads lines and splits them.")

    assert "Stop reading and start writing" in looped.json["reason"]
    assert research.json.get("decision") is None


def test_row_17_and_18_the_action_loop_chooses_the_message(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    for _ in range(4):
        session.bash("pytest -q", FAILED, exit_code=1)

    assert "4 times with nothing changed" in session.stop_hook("It still fails.").json["reason"]


def test_row_21_to_23_the_messages_escalate_to_the_last(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    reasons = []
    for number in range(3):
        reasons.append(session.stop_hook(f"Done {number}.").json["reason"])
        session.code(f"src/{number}.py")

    assert "Attempt" not in reasons[0]
    assert "Attempt 2 of 3" in reasons[1]
    assert "last one (3/3)" in reasons[2]
    assert all(len(reason) <= 1200 for reason in reasons)


@pytest.mark.parametrize(
    "prompt", ["Switch to Plan Mode", "plan the migration", "create a plan", "write a detailed plan for it"]
)
def test_row_26_a_plan_was_asked_for(host: Host, prompt: str) -> None:
    session = Session(python_project(host)).ask(prompt)
    for number in range(9):
        session.read(f"src/{number}.py")

    assert session.stop_hook("Here is the plan: first the parser.").stdout == ""


def test_row_26_the_hosts_plan_mode(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it", permission_mode="plan").code()

    assert session.stop_hook(permission_mode="plan").stdout == ""


@pytest.mark.parametrize(
    "prompt", ["Build the airplane form", "Fix the parser", "Implement the following plan: fix the parser"]
)
def test_row_27_no_plan_was_asked_for(host: Host, prompt: str) -> None:
    assert Session(python_project(host)).ask(prompt).code().stop_hook().json["decision"] == "block"


def test_row_31_to_34_an_interrupt_silences_its_own_session_only(host: Host) -> None:
    stopped = Session(python_project(host)).ask("Fix the parser").code().interrupt()
    quiet = stopped.stop_hook(text=None)
    host.session_id = "5e55105e-0000-4000-8000-000000000002"
    other = Session(host).ask("Fix the parser").code().stop_hook()

    assert quiet.stdout == ""
    assert other.json["decision"] == "block"


def test_row_35_an_answer_without_more_is_still_judged(host: Host) -> None:
    assert Session(python_project(host)).ask("Fix the parser").code().stop_hook("ok").json["decision"] == "block"


def test_row_37_the_same_stop_is_not_judged_twice_and_a_new_prompt_is(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED)
    session.stop_hook()
    again = host.hook("Stop", last_assistant_message=DONE, stop_hook_active=False)
    session.ask("and the lexer").code("src/lexer.py")

    assert again.stdout == ""
    assert session.stop_hook().json["decision"] == "block"


def test_row_39_our_own_feedback_is_no_words_of_the_person(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    first = session.stop_hook().json["reason"]

    assert "skip gates" in first
    assert session.stop_hook("Still done.").json["decision"] == "block"


def test_row_41_incomplete_with_nothing_missing_waits_for_the_person(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED)

    answered = session.stop_hook("It works. Which name do you prefer: parse or read?")

    assert answered.json.get("decision") is None
    assert verdict(host)["end_state"] == "waiting_for_user"
    assert verdict(host)["severity"] == "NONE"


def test_row_49_the_hook_as_a_pipe(host: Host) -> None:
    blocked = Session(python_project(host)).ask("Fix the parser").code().stop_hook()
    host.session_id = "5e55105e-0000-4000-8000-000000000002"
    silent = Session(host).ask("hi").stop_hook("Hello!")

    assert json.loads(blocked.stdout)["decision"] == "block"
    assert silent.stdout == ""


@pytest.mark.parametrize(
    ("prompt", "answer"), [("wait for me before you go on", "I will wait for you."), ("what is 2 + 2?", "4")]
)
def test_row_50_trivial_exchanges_are_left_alone(host: Host, prompt: str, answer: str) -> None:
    assert Session(python_project(host)).ask(prompt).stop_hook(answer).stdout == ""
