"""Whole sessions from transcript to verdict: red on purpose, CI as proof, working copies, packages beside each other."""

from pathlib import Path

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, Finding, Judgement, State
from ace_reflect.gates.replay import Stop, replay
from ace_reflect.project.infer import infer_project
from ace_reflect.project.read import read_project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

HOME = "/home/dev/project"
PASSED = "===== 3 passed in 0.10s ====="
RED = "===== 6 failed in 0.10s ====="
TEST = f"{HOME}/tests/test_coupons.py"
PUSHED = "To github.com:acme/app.git\n   1a2b3c4..5d6e7f8  fix/x -> fix/x"


def judged(built: TranscriptBuilder) -> Judgement:
    ledger = ledger_of(built)
    return judge_stop(ledger, infer_project(ledger), Settings())


def gate_of(judgement: Judgement) -> Finding:
    return next(finding for finding in judgement.findings if finding.gate == "tests")


def stops(built: TranscriptBuilder) -> list[Stop]:
    return list(replay(built.records(), None, Settings()))


# -- red on purpose


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("TDD: write the tests for the coupons, do not implement anything yet", "The six tests fail."),
        ("Write failing tests for docs/coupons.md", "There are six tests now."),
        ("Add a test that reproduces issue 40, don't fix it", "It reproduces it."),
        ("Write tests for the coupons", "All six fail, as expected: `coupon()` is not there yet."),
        ("Write tests for the coupons", "Six tests. They fail because `coupon()` is not implemented yet."),
    ],
)
def test_tests_that_are_to_fail_are_asked_for_no_more(tmp_path: Path, asked: str, answer: str) -> None:
    built = session(tmp_path).prompt(asked).create(TEST).bash("pytest -q", RED, exit_code=1).say(answer)

    verdict = judged(built).verdict

    assert (verdict.decision, verdict.complete) == ("allow", False)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Write tests for the coupons", "Six tests cover the coupons."),
        ("Fix the failing tests", "Five are fixed. The last one fails as expected."),
        ("Write tests for the coupons", "Some tests fail because of the mocks."),
    ],
)
def test_tests_that_fail_without_being_meant_to_are_pressed(tmp_path: Path, asked: str, answer: str) -> None:
    built = session(tmp_path).prompt(asked).create(TEST).bash("pytest -q", RED, exit_code=1).say(answer)

    assert judged(built).verdict.decision == "block"


def test_red_with_code_beside_the_tests_is_no_red_on_purpose(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("TDD: write the tests first, then the coupons").create(TEST)
    built.create(f"{HOME}/shop/coupons.py").bash("pytest -q", RED, exit_code=1).say("The coupons are in.")

    assert judged(built).verdict.decision == "block"


# -- failures from before, shown by a run without the work


def test_the_same_failures_without_the_work_need_no_set_phrase(tmp_path: Path) -> None:
    one = "===== 1 failed, 9 passed in 0.10s ====="
    built = session(tmp_path).prompt("Rename getUser").edit(f"{HOME}/src/a.py").bash("pytest -q", one, exit_code=1)
    built.bash("git stash && pytest -q; git stash pop", one).say("Renamed. `test_tz` is not from this change.")

    assert judged(built).verdict.decision == "allow"


def test_more_failures_than_without_the_work_are_its_own(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Rename getUser").edit(f"{HOME}/src/a.py")
    built.bash("pytest -q", "===== 2 failed, 8 passed in 0.10s =====", exit_code=1)
    built.bash("git stash && pytest -q; git stash pop", "===== 1 failed, 9 passed in 0.10s =====")

    assert judged(built.say("Renamed. `test_tz` is not from this change.")).verdict.decision == "block"


# -- CI


def pushed(tmp_path: Path) -> TranscriptBuilder:
    built = session(tmp_path, branch="fix/x").prompt("Fix the parser and push").bash("pytest -q", PASSED)
    return built.edit(f"{HOME}/src/parser.py").bash("git commit -qam Fix && git push", PUSHED)


@pytest.mark.parametrize(
    ("command", "shown", "state"),
    [
        ("gh pr checks 12", "test (3.12)\tpass\t1m2s\thttps://github.com/acme/app/actions/runs/1", State.PROVEN),
        ("gh run watch 9", "✓ Run CI (9) completed with 'success'", State.UNKNOWN),
        ("gh pr checks 12", "test (3.12)\tpending\t0\thttps://github.com/acme/app/actions/runs/1", State.DISPROVEN),
        ("gh pr checks 12", "test (3.12)\tfail\t1m\thttps://github.com/acme/app/actions/runs/1", State.DISPROVEN),
    ],
)
def test_green_ci_on_what_was_pushed_shows_that_it_works(
    tmp_path: Path, command: str, shown: str, state: State
) -> None:
    found = gate_of(judged(pushed(tmp_path).bash(command, shown).say("Pushed.")))

    assert found.state is state


def test_green_ci_stands_against_a_run_that_cannot_work_here(tmp_path: Path) -> None:
    built = session(tmp_path, branch="fix/x").prompt("Fix the launch and push").edit(f"{HOME}/src/launch.py")
    built.bash("pytest -q", "E   RuntimeError: No CUDA GPUs are available\n12 errors in 0.9s", exit_code=1)
    built.bash("git commit -qam Fix && git push", PUSHED)
    built.bash("gh run watch 9 --exit-status", "✓ Run CI (9) completed with 'success'")

    assert judged(built.say("Pushed; CI passed.")).verdict.decision == "allow"


def test_ci_says_nothing_of_what_was_edited_after_the_push(tmp_path: Path) -> None:
    built = pushed(tmp_path).bash("gh pr checks", "test\tpass\t1m\thttps://github.com/acme/app/actions/runs/1")

    assert gate_of(judged(built.edit(f"{HOME}/src/b.py").say("Pushed."))).state is State.DISPROVEN


def test_a_look_at_ci_before_the_push_says_nothing(tmp_path: Path) -> None:
    built = session(tmp_path, branch="fix/x").prompt("Fix the parser and push").bash("pytest -q", PASSED)
    built.edit(f"{HOME}/src/parser.py")
    built.bash("gh pr checks", "test\tpass\t1m\thttps://github.com/acme/app/actions/runs/1")

    assert gate_of(judged(built.bash("git push", PUSHED).say("Pushed."))).state is State.DISPROVEN


# -- working copies and packages


def test_an_edit_in_the_hosts_own_worktree_is_an_edit_of_the_work(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Add a retry").bash("go test ./...", "ok  \tx\t0.1s")
    built.edit(f"{HOME}/.claude/worktrees/retry/upload.go").say("Uploads are retried.")

    assert gate_of(judged(built)).state is State.DISPROVEN


def test_a_run_in_the_worktree_covers_its_packages(tmp_path: Path) -> None:
    tree = f"{HOME}/.claude/worktrees/retry"
    built = session(tmp_path).prompt("Add a retry").edit(f"{tree}/apps/api/upload.ts").edit(f"{tree}/apps/web/a.ts")
    built.cwd = tree
    built.bash("npm test", "Tests:       9 passed, 9 total").say("Done.")

    assert gate_of(judged(built)).state is State.PROVEN


def test_what_a_subagent_tries_in_a_working_copy_of_its_own_is_no_debt(tmp_path: Path) -> None:
    built = session(tmp_path, version="1.0.80").prompt("Try two ways").bash("go test ./...", "ok  \tx\t0.1s")
    built.sidechain().edit(f"{HOME}/.claude/worktrees/agent-a1/cache.go").sidechain(on=False)

    assert gate_of(judged(built.say("The first way is shorter."))).state is State.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("src/Icon.stories.tsx", State.PROVEN),
        ("src/globals.d.ts", State.PROVEN),
        ("notebooks/eda.ipynb", State.PROVEN),
        ("src/stories.ts", State.DISPROVEN),
        ("src/Icon.tsx", State.DISPROVEN),
    ],
)
def test_files_that_no_tests_run_leave_what_was_proven(tmp_path: Path, name: str, state: State) -> None:
    built = session(tmp_path).prompt("Align the icons").edit(f"{HOME}/src/a.ts").edit(f"{HOME}/src/a.py")
    built.bash("make test", "Tests:       9 passed, 9 total").edit(f"{HOME}/{name}").say("Aligned.")

    assert gate_of(judged(built)).state is state


MANIFEST = '{\n  "name": "@shop/api",\n  "scripts": {\n    "test": "vitest run"\n  }\n}\n'


def test_who_tests_one_package_can_test_the_one_that_was_edited(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Reject negatives").read(f"{HOME}/packages/api/package.json", MANIFEST)
    built.edit(f"{HOME}/packages/api/src/orders.ts")
    built.bash("pnpm --filter @shop/web test", "      Tests  12 passed (12)").say("Rejected.")

    found = gate_of(judged(built))

    assert (found.state, found.settle) == (State.DISPROVEN, "cd packages/api && pnpm test")


def test_a_manifest_alone_calls_for_no_tests(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Reject negatives").read(f"{HOME}/packages/api/package.json", MANIFEST)

    found = gate_of(judged(built.edit(f"{HOME}/packages/api/src/orders.ts").say("Rejected.")))

    assert found.state is State.NOT_APPLICABLE


SCRIPT = {"package.json": '{"scripts": {"test": "vitest run"}}', "src/a.ts": ""}
NONE_FOUND = "\n RUN  v3.0.0\n\nNo test files found, exiting with code 1"


def in_checkout(root: Path, files: dict[str, str], built: TranscriptBuilder) -> Judgement:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return judge_stop(ledger_of(built), read_project(str(root)), Settings())


def test_a_script_in_the_manifest_calls_for_tests_where_the_checkout_is_at_hand(tmp_path: Path) -> None:
    root = tmp_path / "app"
    built = session(tmp_path, cwd=str(root)).prompt("Reject negatives").edit(f"{root}/src/a.ts").say("Rejected.")

    judgement = in_checkout(root, SCRIPT, built)

    assert (gate_of(judgement).state, gate_of(judgement).settle) == (State.DISPROVEN, "npm test")
    assert judgement.verdict.decision == "block"


def test_who_ran_that_script_and_was_told_that_there_are_none_is_not_asked_again(tmp_path: Path) -> None:
    root = tmp_path / "app"
    built = session(tmp_path, cwd=str(root)).prompt("Reject negatives").edit(f"{root}/src/a.ts")
    built.bash("npm test", NONE_FOUND, exit_code=1).say("Rejected.")

    alone, beside = in_checkout(root, SCRIPT, built), in_checkout(root, {"src/a.test.ts": ""}, built)

    assert (gate_of(alone).state, alone.verdict.decision) == (State.DISPROVEN, "allow")
    assert (gate_of(beside).state, beside.verdict.decision) == (
        State.DISPROVEN,
        "block",
    )  # there is one: it was not found


def test_nor_after_the_next_edit_while_there_still_are_none(tmp_path: Path) -> None:
    root = tmp_path / "app"
    built = session(tmp_path, cwd=str(root)).prompt("Reject negatives").edit(f"{root}/src/a.ts")
    built.bash("npm test", NONE_FOUND, exit_code=1).say("Rejected.")
    built.prompt("Reject zero too").edit(f"{root}/src/a.ts").say("Rejected too.")

    assert in_checkout(root, SCRIPT, built).verdict.decision == "allow"
    assert in_checkout(root, {"src/a.test.ts": ""}, built).verdict.decision == "block"


def test_a_folder_of_tests_needs_no_manifest(tmp_path: Path) -> None:
    root = tmp_path / "app"
    files = {"a.py": "", "tests/test_a.py": "def test_a(): ..."}
    built = session(tmp_path, cwd=str(root)).prompt("Reject negatives").edit(f"{root}/a.py").say("Rejected.")

    assert (found := gate_of(in_checkout(root, files, built))).state is State.DISPROVEN
    assert found.settle == "pytest"


def test_a_package_with_a_script_and_no_tests_of_its_own_is_proven_by_those_above_it(tmp_path: Path) -> None:
    root = tmp_path / "app"
    files = {
        "package.json": '{"workspaces": ["packages/*"], "scripts": {"test": "vitest run"}}',
        "src/a.test.ts": "",
        "packages/b/package.json": '{"scripts": {"test": "vitest run"}}',
        "packages/b/b.ts": "",
    }
    built = session(tmp_path, cwd=str(root)).prompt("Reject negatives").edit(f"{root}/packages/b/b.ts").say("Rejected.")

    assert gate_of(in_checkout(root, files, built)).settle == "npm test"


# -- nothing changed, and it still fails


def test_a_change_was_asked_for_none_was_made_and_the_check_still_fails(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Make the build work")
    for _ in range(3):
        built.bash("npm run build", "src/main.ts(3,10): error TS2305: x", exit_code=2)

    verdict = judged(built.say("The build still fails with TS2305.")).verdict

    assert (verdict.complete, verdict.end_state) == (False, EndState.INCOMPLETE)


@pytest.mark.parametrize("asked", ["Run the tests and tell me what fails", "Does the build still work?"])
def test_a_report_that_was_asked_for_is_complete(tmp_path: Path, asked: str) -> None:
    built = session(tmp_path).prompt(asked).bash("pytest -q", RED, exit_code=1).say("Six of nine fail: `test_a` …")

    assert judged(built).verdict.complete


# -- where the stops were


def test_a_stop_knows_nothing_of_the_notice_that_woke_the_session_after_it(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Speed it up").edit(f"{HOME}/src/a.py").background("pytest -x", "b1")
    built.say("The suite runs in the background.")
    notice = "<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n<summary>Background command failed with exit code 1</summary>\n</task-notification>"
    built.queue_operation("enqueue", notice).task_notification("b1", status="failed", exit_code=1)

    first = stops(built.say("It fails."))[0]

    assert first.judgement.verdict.decision != "block"


def test_the_persons_own_command_is_typed_behind_a_stop(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Raise the timeout").bash("pytest -q", PASSED).edit(f"{HOME}/src/a.py")
    built.say("Raised.").shell("pytest -q", PASSED).say("All pass.")

    assert [stop.judgement.verdict.decision for stop in stops(built)] == ["block", "allow"]


def test_a_session_that_ends_in_an_error_of_the_api_says_so(tmp_path: Path) -> None:
    last = stops(session(tmp_path).prompt("Fix it").edit(f"{HOME}/src/a.py").api_error())[-1]

    assert (last.in_mid_turn, last.judgement.verdict.end_state) == (True, EndState.ERROR)


# -- what kind of edit it is


@pytest.mark.parametrize("name", ["e2e-tests", "my-app-tests", "spec", "tests"])
def test_a_checkout_called_after_tests_is_no_folder_of_tests(tmp_path: Path, name: str) -> None:
    root = f"/home/dev/{name}"
    built = session(tmp_path, cwd=root).prompt("Add a flag").edit(f"{root}/main.go").bash("sed -i s/a/b/ cmd/x.go")
    built.edit(f"{root}/main_test.go").edit(f"{root}/tests/helper.go")

    assert [edit.kind for edit in ledger_of(built).edits] == ["code", "code", "test", "test"]


def test_a_folder_of_tests_beside_the_project_still_is_one(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Add a flag").edit("/home/dev/other/tests/helper.go")

    assert [edit.kind for edit in ledger_of(built).edits] == ["test"]


@pytest.mark.parametrize(
    ("old", "new", "state"),
    [
        ('__version__ = "1.3.0"\n', '__version__ = "1.4.0"\n', State.PROVEN),
        ('export const VERSION = "2.0.0-rc.1";\n', 'export const VERSION = "2.0.0";\n', State.PROVEN),
        ('__version__ = "1.3.0"\n', '__version__ = read("1.4.0")\n', State.DISPROVEN),
        ("TIMEOUT = 1.5\n", "TIMEOUT = 2.5\n", State.DISPROVEN),
    ],
)
def test_the_number_of_a_version_alone_leaves_what_was_proven(tmp_path: Path, old: str, new: str, state: State) -> None:
    built = session(tmp_path).prompt("Release").edit(f"{HOME}/src/a.py").bash("pytest -q", PASSED)

    assert gate_of(judged(built.edit(f"{HOME}/src/app/__init__.py", old, new).say("Done."))).state is state


DOCSTRING = '    """\n    Give one.\n\n    Never two.\n    """\n'


@pytest.mark.parametrize(
    ("old", "new", "state"),
    [
        ("def a():\n    return 1\n", f"def a():\n{DOCSTRING}    return 1\n", State.PROVEN),
        (
            'def a():\n    """One."""\n    return 1\n',
            'def a():\n    """One.\n\n    Never two."""\n    return 1\n',
            State.PROVEN,
        ),
        ("def a():\n    return 1\n", f"def a():\n{DOCSTRING}    return 2\n", State.DISPROVEN),
        (
            "def a():\n    return 1\n",
            'def a():\n    """One.\n\n    >>> a()\n    2\n    """\n    return 1\n',
            State.DISPROVEN,
        ),
        ("run(\n    1,\n)\n", 'run(\n    1,\n    """a\n    b""",\n)\n', State.DISPROVEN),
    ],
)
def test_docstrings_alone_leave_what_was_proven(tmp_path: Path, old: str, new: str, state: State) -> None:
    built = session(tmp_path).prompt("Document it").edit(f"{HOME}/src/a.py").bash("pytest -q", PASSED)

    assert gate_of(judged(built.edit(f"{HOME}/src/b.py", old, new).say("Documented."))).state is state


# -- tests that something else than the shell ran


@pytest.mark.parametrize(
    ("tool", "shown", "state"),
    [
        (
            "mcp__XcodeBuildMCP__test_sim",
            "Executed 14 tests, with 0 failures (0 unexpected) in 0.5 seconds",
            State.PROVEN,
        ),
        ("mcp__runner__runTests", "Tests:       12 passed, 12 total", State.PROVEN),
        ("mcp__runner__run_tests", "Tests:       1 failed, 11 passed, 12 total", State.DISPROVEN),
        ("mcp__runner__run_tests", "See the report.", State.UNKNOWN),
        ("mcp__db__test_connection", "ok", State.DISPROVEN),
        ("mcp__runner__list_tests", "12 tests", State.DISPROVEN),
    ],
)
def test_an_mcp_servers_tool_may_run_the_tests(tmp_path: Path, tool: str, shown: str, state: State) -> None:
    built = session(tmp_path).prompt("Fix it").bash("make test", "Tests:       12 passed, 12 total")
    built.edit(f"{HOME}/App/A.swift" if "Xcode" in tool else f"{HOME}/src/a.ts").call(tool, {"scheme": "App"}).result(
        shown
    )

    assert gate_of(judged(built.say("Fixed."))).state is state


@pytest.mark.parametrize(
    ("tool", "command", "shown", "state"),
    [
        (
            "mcp__desktop-commander__start_process",
            "pytest -q",
            "Process started with PID 7\n3 passed in 0.1s",
            State.PROVEN,
        ),
        (
            "mcp__jetbrains__execute_terminal_command",
            "cd /home/dev/project && pytest -q  # all of them",
            '{"command_exit_code":0,"command_output":"...\\n3 passed in 0.10s\\n"}',
            State.PROVEN,
        ),
        ("mcp__shell__run", "pytest -q", "1 failed, 2 passed in 0.1s", State.DISPROVEN),
        ("mcp__shell__run", "pytest -q", "Process started with PID 7", State.UNKNOWN),
        ("mcp__shell__run", "ls tests", "test_coupons.py", State.DISPROVEN),
        ("mcp__browser__act", "click", "ok", State.DISPROVEN),
    ],
)
def test_a_servers_shell_may_run_the_tests(tmp_path: Path, tool: str, command: str, shown: str, state: State) -> None:
    built = session(tmp_path).prompt("Fix it").bash("pytest -q", PASSED).edit(f"{HOME}/src/a.py")
    built.call(tool, {"command": command}).result(shown)

    assert gate_of(judged(built.say("Fixed."))).state is state


def test_a_pull_request_that_is_there_already_is_made_no_second_time(tmp_path: Path) -> None:
    built = session(tmp_path, branch="fix/x").prompt("Fix it, push, and open a PR if there is none")
    built.edit(f"{HOME}/src/a.py").bash("pytest -q", PASSED).bash("git commit -qam x && git push", PUSHED)
    built.bash(
        "gh pr create --fill",
        'a pull request for branch "fix/x" into branch "main" already exists:\nhttps://github.com/o/r/pull/9',
        exit_code=1,
    )

    verdict = judged(built.say("Fixed and pushed. The PR is https://github.com/o/r/pull/9")).verdict

    assert (verdict.decision, verdict.complete) == ("allow", True)


def test_what_a_terminals_pane_shows_was_run(tmp_path: Path) -> None:
    command = "tmux send-keys -t t 'npm test' Enter; sleep 8; tmux capture-pane -pt t | tail -5"
    built = session(tmp_path).prompt("Fix it").edit(f"{HOME}/src/a.ts")
    built.bash(command, "Test Suites: 3 passed, 3 total\nTests:       12 passed, 12 total").say(
        "Fixed; the tests pass."
    )

    assert judged(built).verdict.decision == "allow"


# -- a notice behind an answer, and where the session was by then


@pytest.mark.parametrize("changed", [{}, {"cwd": f"{HOME}/src"}, {"branch": "fix/y"}, {"cwd": "/tmp", "branch": "x"}])
def test_what_ended_behind_an_answer_still_ran_at_that_stop_wherever_the_session_went(
    tmp_path: Path, changed: dict[str, str]
) -> None:
    built = session(tmp_path).prompt("Speed it up").edit(f"{HOME}/src/a.py").background("pytest -x", "b1")
    built.say("The suite runs in the background.")
    built.cwd, built.branch = changed.get("cwd", built.cwd), changed.get("branch", built.branch)
    built.task_notification("b1").say("It is through.")

    assert stops(built)[0].judgement.verdict.end_state is EndState.WORKING


def test_what_ended_before_an_answer_does_not_run_at_that_stop(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Speed it up").edit(f"{HOME}/src/a.py").background("pytest -x", "b1")
    built.say("The suite runs in the background.")
    built.cwd = f"{HOME}/src"
    built.task_notification("b1", how="queue").say("The suite is through.")

    assert [stop.judgement.verdict.end_state is EndState.WORKING for stop in stops(built)] == [False]


def test_the_mode_in_which_the_next_prompt_is_typed_is_none_of_the_stop_before(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix the coupons", permission_mode="default")
    built.edit(f"{HOME}/src/coupons.py", "a = 1\n", "a = 2\n").bash("pytest -q", RED, exit_code=1).say(
        "All tests pass."
    )
    built.prompt("Now plan the next part", permission_mode="plan").say("Here is the plan.")

    assert [stop.judgement.verdict.decision for stop in stops(built)] == ["block", "allow"]


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ("I've created a basic CLAUDE.md file for this repository.", "block"),
        ("I wrote `CLAUDE.md` with the commands.", "block"),
        ("I could not write CLAUDE.md: the permission is missing.", "allow"),
    ],
)
def test_a_file_that_only_failed_to_be_written_was_not_made(tmp_path: Path, answer: str, decision: str) -> None:
    built = session(tmp_path).prompt("Write a CLAUDE.md with what an agent should know")
    built.call("Write", {"file_path": f"{HOME}/CLAUDE.md", "content": "# Commands\n"})
    built.result(
        f"Claude requested permissions to write to {HOME}/CLAUDE.md, but you haven't granted it yet.", is_error=True
    )

    assert judged(built.say(answer)).verdict.decision == decision
    built.create(f"{HOME}/CLAUDE.md", "# Commands\n").say(answer)
    assert judged(built).verdict.decision == "allow"


# -- tools that name their branches themselves


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("gt create -am Fix && gt submit", "fix: https://app.graphite.dev/github/pr/acme/app/88 (created)"),
        ("gt modify -a && gt submit --stack", "fix: https://app.graphite.com/github/pr/acme/app/88 (updated)"),
        ("jj commit -m Fix && jj git push -c @- && gh pr create -f", "https://github.com/acme/app/pull/88"),
        ("git town hack fix && git push -q -u origin HEAD && gh pr create -f", "https://github.com/acme/app/pull/88"),
    ],
)
def test_a_branch_that_a_tool_made_is_not_the_one_the_session_stood_on(
    tmp_path: Path, command: str, shown: str
) -> None:
    built = session(tmp_path).prompt("Fix the parser and open a PR").edit(f"{HOME}/src/parser.py")

    assert judged(built.bash("pytest -q", PASSED).bash(command, shown).say("It is up.")).verdict.decision == "allow"


def test_a_push_of_the_branch_the_session_stands_on_is_told(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix the parser and open a PR").edit(f"{HOME}/src/parser.py")
    built.bash("pytest -q", PASSED).bash("git commit -qam Fix && git push -q", "").say("It is up.")

    assert judged(built).verdict.decision == "block"


# -- what an answer reports of its checks


def test_a_red_run_on_the_old_code_takes_nothing_back(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it and show that the test catches it").edit(f"{HOME}/src/a.py")
    built.edit(f"{HOME}/tests/test_a.py").bash("pytest -q", PASSED)
    without = "git stash push src/a.py && pytest -q tests/test_a.py; git stash pop"
    built.bash(without, "===== 1 failed, 2 passed in 0.10s =====")

    assert judged(built.say("All 3 tests pass; without the fix one fails.")).verdict.decision == "allow"


def test_a_red_run_on_the_work_does(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it").edit(f"{HOME}/src/a.py").bash("pytest -q", PASSED)
    built.bash("git fetch && pytest -q", "===== 1 failed, 2 passed in 0.10s =====", exit_code=1)

    assert judged(built.say("All 3 tests pass.")).verdict.decision == "block"


@pytest.mark.parametrize(
    ("command", "shown", "answer", "decision"),
    [
        ("just check", "gofmt -l .\ngo vet ./...", "I ran `go vet ./...`: nothing found.", "allow"),
        ("./scripts/ci.sh", "+ go vet ./...", "I ran `go vet ./...` through the script.", "allow"),
        ("ls", "a.go", "I ran `go vet ./...`: nothing found.", "block"),
        ("cd web && npx eslint .", "✖ 3 problems (3 errors, 0 warnings)", "In api eslint is clean.", "allow"),
        ("cd api && npx eslint .", "✖ 3 problems (3 errors, 0 warnings)", "Fixed, eslint is clean.", "block"),
    ],
)
def test_what_ran_within_a_script_or_in_another_folder(
    tmp_path: Path, command: str, shown: str, answer: str, decision: str
) -> None:
    built = session(tmp_path).prompt("Fix the api").edit(f"{HOME}/api/a.ts").bash("cd api && npx eslint .")
    red = "problems" in shown
    built.bash(command, shown, exit_code=int(red))
    built.bash("cd api && npx jest", "Tests:       14 passed, 14 total")

    assert judged(built.say(f"{answer} 14 tests pass.")).verdict.decision == decision


def test_what_a_servers_tool_may_have_run_is_not_called_untrue(tmp_path: Path) -> None:
    built = (
        session(tmp_path).prompt("Fix it").edit(f"{HOME}/src/a.ts").bash("npx jest", "Tests:       3 passed, 3 total")
    )
    built.call("mcp__terminal__execute", {"input": "npm run build"}).result("built in 2s")

    assert judged(built.say("I ran `npm run build`. 3 tests pass.")).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ("Ran it 20 times, no flake: 60 tests passed.", "allow"),
        ("All 9 tests pass, 3 on each of three Pythons.", "allow"),
        ("Ran it under 4 seeds: 12 tests pass.", "allow"),
        ("Fixed: 60 tests passed.", "block"),
    ],
)
def test_a_suite_that_ran_more_than_once(tmp_path: Path, answer: str, decision: str) -> None:
    built = session(tmp_path).prompt("Fix the flake").edit(f"{HOME}/src/a.py").bash("pytest -q", PASSED)

    assert judged(built.say(answer)).verdict.decision == decision


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("ssh pi 'cd /srv/app && pytest -q'", State.PROVEN),
        ("docker compose exec -T web sh -c 'cd /app && pytest -q'", State.PROVEN),
        ("kubectl exec deploy/web -- bash -lc 'cd ~/app; pytest -q'", State.PROVEN),
        # here, in another project
        ("cd /srv/app && pytest -q", State.DISPROVEN),
        ("bash -lc 'cd /srv/app && pytest -q'", State.DISPROVEN),
        ("cd /srv/app && docker compose exec -T web pytest -q", State.DISPROVEN),
    ],
)
def test_a_folder_of_another_machine_is_not_held_against_ours(tmp_path: Path, command: str, state: State) -> None:
    """The code is called `/app` in the container: that names no other project of this machine."""
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_cart.py").write_text("def test_total():\n    assert True\n")
    built = TranscriptBuilder(tmp_path / "s.jsonl", cwd=str(tmp_path)).prompt("Fix the cart")
    built.edit(f"{tmp_path}/cart.py").bash(command, "===== 3 passed in 0.10s =====").say("Fixed.")

    found = judge_stop(ledger_of(built), read_project(str(tmp_path)), Settings()).findings

    assert next(finding for finding in found if finding.gate == "tests").state is state


# -- what the person answers in a dialog


def _asked(
    tmp_path: Path, question: str, answer: str, *, prompt: str = "Add the discount and the admin page"
) -> Judgement:
    built = session(tmp_path).prompt(prompt).task_create("Add the discount").task_create("Add the admin page")
    built.edit(f"{HOME}/src/app.py").bash("pytest -q", PASSED).task_update(1, "completed")
    return judged(built.ask(question, answer).say("The discount is in and tested; the admin page stays open."))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("The admin page now?", "Later, stop here"),
        ("What next?", "only the first task for now please, I look at it tonight"),
        ("What next?", "leave the rest"),
    ],
)
def test_a_limit_that_is_picked_or_typed_in_a_dialog_is_the_persons(tmp_path: Path, question: str, answer: str) -> None:
    assert _asked(tmp_path, question, answer).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("One page or two?", "Two"),
        ("Should I stop here?", "No, go on"),
        ("Stop after the first one?", "Looks good, proceed"),
    ],
)
def test_an_answer_that_sets_no_limit_leaves_the_list_open(tmp_path: Path, question: str, answer: str) -> None:
    assert _asked(tmp_path, question, answer).verdict.decision == "block"


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ("Skip the tests", "allow"),
        ("no need to run them, the tests take an hour", "allow"),
        ("Run the tests", "block"),
        ("Looks good, proceed", "block"),  # of what was asked, and not of the work
        ("No", "block"),  # "Skip the tests?" is the agent's own wording
    ],
)
@pytest.mark.parametrize("told_apart", [True, False])
def test_tests_are_waived_by_the_answer_and_not_by_the_question(
    tmp_path: Path, answer: str, decision: str, told_apart: bool
) -> None:
    built = session(tmp_path).prompt("Make it faster").edit(f"{HOME}/tests/test_app.py").edit(f"{HOME}/src/app.py")
    if told_apart:
        built.ask("Skip the tests?", answer)
    else:
        built.call("AskUserQuestion", {"questions": [{"question": "Skip the tests?"}]})
        built.result(f'User has answered your questions: "Skip the tests?"="{answer}". You can now continue.')

    assert judged(built.say("It is faster now.")).verdict.decision == decision


def test_an_answer_holds_for_its_prompt_and_confirms_no_earlier_work(tmp_path: Path) -> None:
    built = (
        session(tmp_path).prompt("Make it faster").edit(f"{HOME}/src/app.py").ask("Run the tests?", "Skip the tests")
    )
    built.say("It is faster now.").prompt("And smaller").edit(f"{HOME}/src/app.py").ask("Like so?", "Yes, works for me")

    assert (
        judged(built.say("It is smaller now.").edit(f"{HOME}/tests/test_app.py").say("Done.")).verdict.decision
        == "block"
    )


def test_a_folder_of_tests_says_nothing_of_code_in_another_language(tmp_path: Path) -> None:
    root = tmp_path / "app"
    files = {"go.mod": "module x", "main.go": "", "tests/test_cli.py": "import pytest\n"}
    built = session(tmp_path, cwd=str(root)).prompt("Reject negatives").edit(f"{root}/main.go").say("Rejected.")

    assert gate_of(in_checkout(root, files, built)).state is State.NOT_APPLICABLE
