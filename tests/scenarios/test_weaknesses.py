"""
What the earlier system gets wrong, each probe through the whole path, with our answer.
"""

import json
from typing import Any

import pytest

from support.hooks import Host
from support.stops import FAILED, PASSED, Session, node_project, python_project


def record(host: Host) -> dict[str, Any]:
    folder = host.project / ".reflection"
    newest = max(
        (path for path in folder.glob("*_*.json") if not path.name.startswith("verdict_")), key=lambda path: path.name
    )
    found: dict[str, Any] = json.loads(newest.read_text())
    return found


def gate(host: Host, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(gate for gate in record(host)["analysis"]["gates"] if gate["gate"] == name)
    return found


# -- 4.1: what is really checked against the session


def test_everything_failed_and_the_answer_says_that_all_is_well(host: Host) -> None:
    session = (
        Session(python_project(host)).ask("Fix the parser and open a PR").code().bash("pytest -q", FAILED, exit_code=1)
    )
    session.bash("gh pr create --fill", "could not create pull request", exit_code=1)

    answered = session.stop_hook("All tests pass and I've opened a pull request.")

    assert answered.json["decision"] == "block"
    assert "1 failed, 2 passed" in answered.json["reason"]


def test_git_status_is_no_test(host: Host) -> None:
    session = (
        Session(python_project(host))
        .ask("Fix the parser")
        .code()
        .bash("git status", "nothing to commit, working tree clean")
    )

    answered = session.stop_hook("Verified with `git status`; all tests pass.")

    assert answered.json["decision"] == "block"
    assert record(host)["analysis"]["facts"]["tests"] == []


def test_tests_before_the_last_edit_are_stale(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED).code("src/b.py")

    assert "edited after the last run" in session.stop_hook("The tests passed after my changes.").json["reason"]


def test_the_same_command_behind_a_cd_is_accepted(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("cd src && cd .. && pytest -q", PASSED)

    assert session.stop_hook("Fixed. I ran `pytest -q` and it passes.").json.get("decision") is None


def test_work_done_with_edit_tools_only_is_seen(host: Host) -> None:
    session = Session(python_project(host)).ask("Write a parser").create(f"{host.project}/src/parser.py")
    session.code().bash("pytest -q", PASSED)

    session.stop_hook()

    assert [edit["tool"] for edit in record(host)["analysis"]["facts"]["edits"]] == ["Write", "Edit"]


def test_fix_the_react_props_bug_is_coding(host: Host) -> None:
    node_project(host, {"test": "vitest run"})
    (host.project / "src" / "app.test.ts").write_text("test('a', () => {})\n")

    answered = Session(host).ask("Fix the React props bug").edit(f"{host.project}/src/app.ts").stop_hook()  # type: ignore[attr-defined]

    assert answered.json["decision"] == "block"
    assert record(host)["task"]["type"] == "coding"


def test_token_refresh_logic_is_the_agents_work(host: Host) -> None:
    session = Session(python_project(host)).ask("Build the login", print_mode=True).code().bash("pytest -q", PASSED)

    answered = session.stop_hook(
        "The login works.\n\nRemaining work:\n- Token refresh logic\n- Upload endpoint error handling"
    )

    assert answered.json["decision"] == "block"
    assert record(host)["analysis"]["verdict"]["requires_human_action"] is False


def test_four_stops_in_a_row_are_bounded_and_each_says_something_new(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    answers = []
    for number in range(4):
        answers.append(session.stop_hook(f"Done {number}.").json)
        session.bash("pytest -q", FAILED, exit_code=1) if number == 0 else session.code(f"src/{number}.py")

    assert [answer.get("decision") for answer in answers] == ["block", "block", "block", None]
    assert len({answer.get("reason") for answer in answers}) == 4


# -- 4.2: its bugs


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a parser",
        "Make the tests green",
        "Rename x to y",
        "Fix the Dockerfile parser",
        "Add email validation",
        "add a filter",
    ],
)
def test_prompts_that_were_typed_wrong_are_judged_as_coding(host: Host, prompt: str) -> None:
    assert Session(python_project(host)).ask(prompt).code().stop_hook().json["decision"] == "block"


@pytest.mark.parametrize("word", ["the latest version", "a special case"])
def test_latest_is_no_test_and_special_no_ci(host: Host, word: str) -> None:
    python_project(host, tests=False)
    session = Session(host).ask(f"Use {word} of the API").code()

    assert session.stop_hook().json.get("decision") is None


def test_feature_main_menu_is_not_main(host: Host) -> None:
    (host.project / ".claude" / "reflection.yaml").write_text("workflow: pull-request\n")
    session = (
        Session(python_project(host), branch="feature/main-menu")
        .ask("Fix it and open a PR")
        .code()
        .bash("pytest -q", PASSED)
    )
    session.bash(
        "git push -u origin feature/main-menu",
        "To github.com:acme/app.git\n * [new branch]      feature/main-menu -> feature/main-menu",
    )
    session.bash("gh pr create --fill", "https://github.com/acme/app/pull/7")

    assert session.stop_hook().json.get("decision") is None
    assert gate(host, "direct_push")["state"] == "not_applicable"


def test_a_bare_push_on_main_is_a_push_to_main(host: Host) -> None:
    (host.project / ".claude" / "reflection.yaml").write_text("workflow: pull-request\n")
    session = Session(python_project(host), branch="main").ask("Fix the parser").code().bash("pytest -q", PASSED)
    session.bash("git push", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")

    assert session.stop_hook().json["decision"] == "block"
    assert gate(host, "direct_push")["state"] == "disproven"


def test_a_direct_push_once_spoken_of_can_be_left_behind(host: Host) -> None:
    (host.project / ".claude" / "reflection.yaml").write_text("workflow: pull-request\n")
    session = Session(python_project(host), branch="main").ask("Fix the parser").code().bash("pytest -q", PASSED)
    session.bash("git push", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")
    session.stop_hook()
    session.ask("now the docs").edit(f"{host.project}/README.md")  # type: ignore[attr-defined]

    assert session.stop_hook("Updated.").json.get("decision") is None


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("npx vitest run", " Test Files  1 passed (1)\n      Tests  3 passed (3)\n"),
        ("bun test", " 3 pass\n 0 fail\nRan 3 tests across 1 files. [8.00ms]"),
        ("deno test", "ok | 3 passed | 0 failed (12ms)"),
        ("make test", " 3 passing (12ms)\n"),
    ],
)
def test_runners_that_it_did_not_know(host: Host, command: str, output: str) -> None:
    node_project(host, {"test": "vitest run"})
    (host.project / "src" / "app.test.ts").write_text("test('a', () => {})\n")
    session = Session(host).ask("Fix it").edit(f"{host.project}/src/app.ts").bash(command, output)

    assert session.stop_hook().json.get("decision") is None  # type: ignore[attr-defined]
    assert gate(host, "tests")["state"] == "proven"


def test_installing_pytest_is_no_test(host: Host) -> None:
    session = (
        Session(python_project(host))
        .ask("Fix it")
        .code()
        .bash("pip install pytest", "Successfully installed pytest-9.0")
    )

    assert session.stop_hook().json["decision"] == "block"


def test_a_nice_to_have_does_not_block(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it", print_mode=True).code().bash("pytest -q", PASSED)

    answered = session.stop_hook(
        "Fixed.\n\nNext steps (optional):\n- Consider a cache some day\n- Nice to have: metrics"
    )

    assert answered.json.get("decision") is None


@pytest.mark.parametrize("prompt", ["Fix the parser", "Fix the parser, no PR please"])
def test_no_pull_request_is_asked_for_where_nobody_wants_one(host: Host, prompt: str) -> None:
    session = Session(python_project(host)).ask(prompt).code().bash("pytest -q", PASSED)

    assert session.stop_hook().json.get("decision") is None
    assert gate(host, "pr")["state"] in {"not_applicable", "waived"}


def test_full_session_ids_keep_artifacts_apart(host: Host) -> None:
    for number in (1, 2):
        host.session_id = f"5e55105e-0000-4000-8000-00000000000{number}"
        Session(python_project(host)).ask("Fix it").code().stop_hook()

    assert len(list((host.project / ".reflection").glob("verdict_*.json"))) == 2


# -- 4.3 and the peers' complaints


def test_investigate_and_fix_that_only_read_is_told_to_the_person(host: Host) -> None:
    session = Session(python_project(host)).ask("Investigate and fix the login bug")
    for number in range(9):
        session.read(f"src/{number}.py")

    answered = session.stop_hook("The bug is in the session handling.")

    assert answered.json.get("decision") is None
    assert "only read" in answered.json["systemMessage"]


def test_runnable_steps_given_to_the_person_come_back(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code()

    assert session.stop_hook("Done. To verify, run `pytest -q`.").json["decision"] == "block"


def test_a_mention_is_no_run(host: Host) -> None:
    session = (
        Session(python_project(host)).ask("Fix it").code().bash("echo 'pytest -q: 3 passed'", "pytest -q: 3 passed")
    )

    assert session.stop_hook().json["decision"] == "block"


def test_green_by_or_true_is_no_proof(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code().bash("pytest -q > /dev/null || true", "")

    assert "hidden by" in session.stop_hook().json["reason"]


def test_collecting_is_not_running(host: Host) -> None:
    session = (
        Session(python_project(host))
        .ask("Fix it")
        .code()
        .bash("pytest --collect-only -q", "tests/test_a.py::test_b\n\n1 test collected in 0.01s")
    )

    assert session.stop_hook().json["decision"] == "block"


def test_waiting_for_background_work_is_no_stop(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code()
    tasks = [
        {
            "id": "a1",
            "type": "subagent",
            "status": "running",
            "description": "run the tests",
            "agent_type": "general-purpose",
        }
    ]

    assert session.stop_hook("I'll wait for it.", background_tasks=tasks).json.get("decision") is None


def test_a_new_prompt_resets_what_a_finished_budget_closed(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code()
    for number in range(4):
        session.stop_hook(f"Done {number}.")
    session.ask("now the lexer").code("src/lexer.py")

    assert session.stop_hook().json["decision"] == "block"


def test_compaction_loses_neither_evidence_nor_budget(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code().bash("pytest -q", PASSED).compact()

    assert session.stop_hook("All verified.").json.get("decision") is None
    assert gate(host, "tests")["state"] == "proven"
