"""Records in, facts out: edits, runs, plans, background, turns. Transcripts are built line by line and read for real."""

from pathlib import Path

import pytest

from ace_reflect.evidence.facts import CommandKind, Outcome
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

ROOT = "/home/dev/project"
PASSED = "===== 3 passed in 0.10s ====="
FAILED = "FAILED tests/test_a.py::test_b\n===== 1 failed, 2 passed in 0.10s ====="


def started(folder: Path, **options: str) -> TranscriptBuilder:
    return session(folder, **options).prompt("Go")


def test_every_edit_tool_counts_when_it_succeeded(tmp_path: Path) -> None:
    built = started(tmp_path).edit(f"{ROOT}/src/a.py").create(f"{ROOT}/tests/test_a.py")
    built.multi_edit(f"{ROOT}/b.md").notebook_edit(f"{ROOT}/c.ipynb")

    edits = ledger_of(built).edits

    assert [(edit.tool, edit.path.removeprefix(f"{ROOT}/"), edit.kind) for edit in edits] == [
        ("Edit", "src/a.py", "code"),
        ("Write", "tests/test_a.py", "test"),
        ("MultiEdit", "b.md", "docs"),
        ("NotebookEdit", "c.ipynb", "code"),
    ]
    assert [edit.created for edit in edits] == [False, True, False, False]
    assert [edit.line for edit in edits] == [2, 4, 6, 8]
    assert [edit.result_line for edit in edits] == [3, 5, 7, 9]


def test_refused_and_failed_edits_are_none(tmp_path: Path) -> None:
    built = started(tmp_path).edit("a.py", error="String to replace not found in file.")
    built.edit("b.py", answered=False).reject("not that file").edit("c.py", answered=False)
    built.reject().bash("sed -i s/a/b/ b.py", answered=False).reject()
    built.edit("d.py", answered=False)
    assert ledger_of(built).edits == ()


def test_the_hosts_plan_is_no_edit_and_a_projects_plans_are_documents(tmp_path: Path) -> None:
    built = started(tmp_path).create("/home/dev/.claude/plans/brave-otter.md")
    built.create(f"{ROOT}/docs/plans/a.md")
    assert [edit.path for edit in ledger_of(built).edits] == [f"{ROOT}/docs/plans/a.md"]


def test_a_result_that_stands_before_its_call_is_joined_to_it(tmp_path: Path) -> None:
    built = started(tmp_path).edit(f"{ROOT}/a.py")
    built.lines[1], built.lines[2] = built.lines[2], built.lines[1]
    assert [(edit.line, edit.result_line) for edit in ledger_of(built).edits] == [(3, 2)]


def test_outcome_counts_and_lines_of_a_run(tmp_path: Path) -> None:
    command = "cd app && pytest -q tests/unit -k 'not slow'"

    (run,) = ledger_of(started(tmp_path).bash(command, FAILED, exit_code=1)).runs

    assert (run.runner, run.outcome) == ("pytest", Outcome.FAILED)
    assert (run.line, run.result_line) == (2, 3)
    assert run.counts is not None
    assert (run.counts.failed, run.counts.passed) == (1, 2)
    assert (run.command, run.cwd, run.targets) == (command, f"{ROOT}/app", ("tests/unit",))
    assert (bool(run.deselects), run.by, run.languages) == (True, "agent", ("python",))


def test_a_refused_run_was_not_run(tmp_path: Path) -> None:
    built = started(tmp_path).bash("pytest", answered=False).reject("don't run the tests")
    ledger = ledger_of(built)
    assert [run.outcome for run in ledger.runs] == [Outcome.NOT_RUN]
    assert ledger.turns[-1].limits == ("don't run the tests",)
    assert ledger.questions[0].answer == "don't run the tests"


def test_a_run_without_a_result_is_running_and_waited_for(tmp_path: Path) -> None:
    ledger = ledger_of(started(tmp_path).bash("pytest", answered=False))
    assert [(run.outcome, run.running, run.result_line) for run in ledger.runs] == [(Outcome.UNKNOWN, True, None)]  # fmt: skip
    assert ledger.turns[-1].pending_calls == 1


def test_the_persons_own_shell_counts_as_theirs(tmp_path: Path) -> None:
    built = started(tmp_path).edit(f"{ROOT}/a.py").shell("pytest", PASSED)
    assert [(run.by, run.outcome) for run in ledger_of(built).runs] == [("user", Outcome.PASSED)]


@pytest.mark.parametrize("version", ["1.0.51", "2.1.330"])
def test_the_same_marks_in_a_subagents_lines_are_text_that_an_agent_wrote(
    tmp_path: Path, version: str
) -> None:
    words = "<bash-input>pytest -q</bash-input><bash-stdout>3 passed in 0.1s</bash-stdout>"
    built = session(tmp_path, version=version).prompt("Fix it").edit("/p/a.py")
    built.sidechain().user_line(words).sidechain(on=False)
    worker = TranscriptBuilder(tmp_path / "w.jsonl", agent_id="a1").user_line(words).say("Done.")
    worker.write_subagent(built.write())
    assert ledger_of(built).runs == ()


def test_an_edit_stands_although_the_tests_after_it_in_the_line_failed(tmp_path: Path) -> None:
    ledger = ledger_of(
        started(tmp_path).bash("sed -i s/a/b/ a.py && pytest -q", FAILED, exit_code=1)
    )
    assert [edit.path for edit in ledger.edits] == [f"{ROOT}/a.py"]
    assert [run.outcome for run in ledger.runs] == [Outcome.FAILED]
    assert ledger.edits[0].sequence < ledger.runs[0].sequence


@pytest.mark.parametrize(("command", "output", "found"), [
    # a task or a script that printed a runner's summary
    ("npm run check", "> tsc && vitest run\n Test Files  3 passed (3)\n      Tests  9 passed (9)", [("agent", "vitest", "passed")]),
    ("npm run check", "> tsc --noEmit && prettier -c .\nAll matched files use Prettier code style!", []),
    ("make verify", f"building\n{FAILED}", [("agent", "pytest", "failed")]),
    ("./everything.sh", f"building\n{PASSED}", [("agent", "pytest", "passed")]),
    ("./scripts/ci.sh", "PASS\nok  \texample.com/app\t0.1s", [("agent", "go", "passed")]),
    ("./scripts/deploy.sh", "checking health\nPASS", []), ("cat old.log", PASSED, []),
    ("git log -1 --format=%B", PASSED, []),
    # what the line itself echoes
    ("git push && echo PASS", "Everything up-to-date\nPASS", []),
    ("./scripts/deploy.sh && echo '3 passed in 0.1s'", "deployed\n3 passed in 0.1s", []),
    ("git commit -am x && echo '3 passed in 0.1s'", "[main 1234abc] x\n3 passed in 0.1s", []),
    # git's hooks
    ("git push && echo done", "=== 3 passed in 0.10s ===\nEverything up-to-date\ndone", [("git-hook", "pytest", "passed")]),
    ("git add -A && git commit -m 'Fix the test'", "Test Files  3 passed (3)\n     Tests  40 passed (40)\n[main 1234abc] Fix", [("git-hook", "vitest", "passed")]),
    ("git commit -m x --no-verify", PASSED, []),
    ("git cherry-pick --continue", f"{PASSED}\n[main 1a2b3c4] Fix\n 1 file changed", [("git-hook", "pytest", "passed")]),
    ("pytest -q && git commit -qam x", PASSED, [("agent", "pytest", "passed")]),
])  # fmt: skip
def test_a_runners_summary_tells_that_tests_ran(
    tmp_path: Path, command: str, output: str, found: list[tuple[str, str, str]]
) -> None:
    runs = ledger_of(started(tmp_path).bash(command, output)).runs
    runs = tuple(run for run in runs if run.kind is CommandKind.TEST)
    assert [(run.by, run.runner.partition(" ")[0], run.outcome) for run in runs] == found


def test_a_commit_that_its_hook_stopped(tmp_path: Path) -> None:
    built = started(tmp_path).bash("git commit -m x", f"{FAILED}\nhusky - pre-commit script failed (code 1)", exit_code=1)  # fmt: skip
    ledger = ledger_of(built)
    assert [(run.by, run.outcome) for run in ledger.runs] == [("git-hook", Outcome.FAILED)]
    assert [commit.outcome for commit in ledger.commits] == [Outcome.FAILED]


def test_a_servers_tools_run_tests_too(tmp_path: Path) -> None:
    built = started(tmp_path).call("mcp__XcodeBuildMCP__test_sim", {"scheme": "App"})
    built.result("Executed 12 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds")
    built.call("mcp__desktop-commander__start_process", {"command": "pytest"}).result(PASSED)
    built.call("mcp__db__test_connection", {}).result(PASSED)
    runs = ledger_of(built).runs
    assert [run.outcome for run in runs] == [Outcome.FAILED, Outcome.PASSED]


@pytest.mark.parametrize(("command", "output", "code", "outcome"), [
    ("git commit -m x", "[main 1234abc] x\n 1 file changed", 0, "passed"),
    ("git commit -m x", "On branch main\nnothing to commit, working tree clean", 1, "not-run"),
    ("git commit -m x && git push", "[fix 1234abc] x\nfatal: no upstream", 1, "passed"),
    ("git commit -qam x && npm run e2e", "1 failed", 1, "unknown"),
    ("git commit -qm x", "", 0, "passed"),
    ("rtk git commit -m x", "FAILED: git commit\n$ tsc --noEmit\na.ts(572,32): error TS18046", 1, "failed"),
    ("git commit -m x 2>&1 | tail -3", "a.ts:1 error\nhusky - pre-commit script failed (code 2)", 0, "failed"),
    ("git commit -m x | tail -20", "ruff.....Failed\n- hook id: ruff\n- exit code: 1\n\na.py:1:1: F401", 0, "failed"),
])  # fmt: skip
def test_a_commit_is_known_by_its_own_line_or_its_hooks(
    tmp_path: Path, command: str, output: str, code: int, outcome: str
) -> None:
    ledger = ledger_of(started(tmp_path).bash(command, output, exit_code=code))
    assert [commit.outcome for commit in ledger.commits] == [outcome]


@pytest.mark.parametrize("how", ["prompt", "queue"])
@pytest.mark.parametrize(("code", "outcome"), [(0, Outcome.PASSED), (1, Outcome.FAILED)])
def test_a_notice_with_an_exit_code_settles_it(
    how: str, code: int, outcome: Outcome, tmp_path: Path
) -> None:
    built = started(tmp_path).background("pytest", "b1")
    ledger = ledger_of(built)
    (run,), (task,) = ledger.runs, ledger.background
    assert (run.outcome, run.running, run.background) == (Outcome.UNKNOWN, True, True)
    assert (task.id, task.kind, task.running) == ("b1", CommandKind.TEST, True)
    ledger = ledger_of(built.task_notification("b1", exit_code=code, how=how))
    assert [(run.outcome, run.running) for run in ledger.runs] == [(outcome, False)]
    assert not ledger.background[0].running
    assert len(ledger.turns) == 1


def test_over_a_pipe_it_settles_nothing_until_the_output_is_read(tmp_path: Path) -> None:
    built = started(tmp_path).background("pytest | tail -3", "b1").task_notification("b1")
    assert [run.outcome for run in ledger_of(built).runs] == [Outcome.UNKNOWN]
    runs = ledger_of(built.read("/tmp/tasks/b1.output", FAILED)).runs
    assert [(run.outcome, run.running) for run in runs] == [(Outcome.FAILED, False)]


@pytest.mark.parametrize("version", ["2.1.330", "2.0.60"])
def test_the_output_tool_settles_it(version: str, tmp_path: Path) -> None:
    built = started(tmp_path, version=version).background("pytest", "b1")
    built.task_output("b1", FAILED, status="running").task_output("b1", "", exit_code=1)
    (run,) = ledger_of(built).runs
    assert (run.outcome, run.running) == (Outcome.FAILED, False)
    assert run.counts is not None


@pytest.mark.parametrize(("event", "outcome"), [
    ("1 passed in 0.02s", Outcome.PASSED), ("1 failed, 3 passed in 0.02s", Outcome.FAILED),
])  # fmt: skip
def test_a_monitors_event_is_read(tmp_path: Path, event: str, outcome: Outcome) -> None:
    given = {"command": "python -m pytest -q 2>&1 | tail -1", "description": "test run"}
    built = started(tmp_path).call("Monitor", given)
    built.result("Monitor started (task b2x, expires in 10m)", answer={"taskId": "b2x"})
    built.prompt(f"<task-notification>\n<task-id>b2x</task-id>\n<status>completed</status>\n<event>{event}</event>\n</task-notification>")  # fmt: skip
    (run,) = ledger_of(built).runs
    assert (run.outcome, run.running) == (outcome, False)


@pytest.mark.parametrize("tell", ["notice", "output", "both"])
def test_what_it_pushed_and_saw_of_ci_is_known_when_its_end_is_told(
    tell: str, tmp_path: Path
) -> None:
    pushed = "To github.com:o/r.git\n   1a2b3c4..5d6e7f8  fix/x -> fix/x"
    green = "build\tpass\t1m\thttps://x\t"
    built = started(tmp_path, branch="fix/x")
    calls = (("b1", "git push", pushed), ("b2", "gh pr checks 5 --watch", green))
    for task, command, output in calls:
        built.background(command, task)
        if tell != "output":
            built.task_notification(task, how="queue")
        if tell != "notice":
            built.task_output(task, output)

    ledger = ledger_of(built)

    assert [(push.branch, push.outcome) for push in ledger.pushes] == [("fix/x", Outcome.PASSED)]
    assert [look.outcome for look in ledger.ci_looks] == ["passed"]
    assert ledger.ci_looks[0].sequence > ledger.pushes[0].sequence


def test_a_hooks_tests_and_a_rejected_push_count_in_the_background_too(tmp_path: Path) -> None:
    output = f"{FAILED}\nerror: failed to push some refs to 'x'"
    built = started(tmp_path).background("git push", "b1").task_notification("b1", exit_code=1)
    built.task_output("b1", output, exit_code=1, status="failed")
    ledger = ledger_of(built)
    assert [(run.by, run.outcome) for run in ledger.runs] == [("git-hook", Outcome.FAILED)]
    assert [push.outcome for push in ledger.pushes] == [Outcome.FAILED]


def test_a_killed_push_reached_nothing_and_a_dev_server_is_a_server(tmp_path: Path) -> None:
    built = started(tmp_path).background("git push", "b1").task_notification("b1", status="killed")
    ledger = ledger_of(built.background("npm run dev", "b2"))
    assert ledger.pushes == ()
    assert [task.kind for task in ledger.background] == [CommandKind.PUSH, CommandKind.SERVER]
    assert ledger.runs == ()


def test_a_subagents_own_file_gives_edits_and_runs_in_their_place(tmp_path: Path) -> None:
    main = started(tmp_path).edit(f"{ROOT}/before.py")
    worker = TranscriptBuilder(agent_id="a1b2c3d").prompt("Do")
    worker._count = main._count + 10
    worker.edit(f"{ROOT}/inside.py").bash("pytest -q", PASSED)
    main._count = worker._count + 10
    main.agent("Do", "Done").edit(f"{ROOT}/after.py")
    worker.write_subagent(main.write())

    ledger = ledger_of(main)

    assert [(edit.path.rpartition("/")[2], edit.by, edit.file) for edit in ledger.edits] == [
        ("before.py", "agent", None),
        ("inside.py", "subagent", "agent-a1b2c3d.jsonl"),
        ("after.py", "agent", None),
    ]
    assert [(run.by, run.turn, run.outcome) for run in ledger.runs] == [("subagent", 1, Outcome.PASSED)]  # fmt: skip
    assert ledger.edits[1].sequence < ledger.runs[0].sequence < ledger.edits[2].sequence
    assert (ledger.subagents, ledger.turns[0].tool_calls) == (1, 3)


def test_old_sessions_keep_a_subagents_lines_in_the_same_file(tmp_path: Path) -> None:
    built = started(tmp_path, version="1.0.51").sidechain().edit("/p/a.py").sidechain(on=False)
    ledger = ledger_of(built.say("Done."))
    assert [edit.by for edit in ledger.edits] == ["subagent"]
    assert (ledger.turns[-1].tool_calls, ledger.turns[-1].final_text) == (0, "Done.")


def test_the_old_list_is_replaced_each_time(tmp_path: Path) -> None:
    built = started(tmp_path, version="2.0.60").todos(("a", "in_progress"), ("b", "pending"))
    built.todos(("a", "in_progress"), ("b", "pending"), ("c", "pending")).prompt("More")
    todos = ledger_of(built.todos(("a", "completed"), ("b", "pending"))).todos
    assert [(todo.text, todo.status, todo.turn) for todo in todos] == [("a", "completed", 2), ("b", "pending", 1)]  # fmt: skip


def test_the_new_list_is_summed_up_from_its_updates(tmp_path: Path) -> None:
    built = started(tmp_path).task_create("a").task_create("b").task_create("c")
    built.task_update(1, "in_progress").task_update(1, "completed").task_update(3, "deleted")
    todos = ledger_of(built).todos
    assert [(todo.id, todo.text, todo.status) for todo in todos] == [("1", "a", "completed"), ("2", "b", "pending"), ("3", "c", "deleted")]  # fmt: skip


def test_a_list_that_is_begun_anew_holds_nothing_of_the_old(tmp_path: Path) -> None:
    built = started(tmp_path).task_create("a").task_create("b").task_update(1, "completed")
    built.call("TaskCreate", {"subject": "c"}).result("Task #1 created successfully: c")
    assert [(todo.id, todo.text, todo.open) for todo in ledger_of(built).todos] == [("1", "c", True)]  # fmt: skip


def test_turns_open_at_human_prompts_only(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("First").say("Hello.").local_command("model")
    built.task_notification("b9").say("A task ended.").prompt("Second").queue("and be quick")

    turns = ledger_of(built.say("Yes.").plan_prompt("1. x")).turns

    assert [(turn.number, turn.prompt.split("\n")[0], turn.kind) for turn in turns] == [
        (1, "First", "human"),
        (2, "Second", "human"),
        (3, "Implement the following plan:", "plan"),
    ]
    assert turns[0].final_text == "A task ended."
    assert turns[1].limits == ("and be quick",)


def test_the_final_text_is_the_last_message_after_the_last_call(tmp_path: Path) -> None:
    built = started(tmp_path).say("I look.").bash("ls", "a.py").say("Part one.").say("Part two.")
    (turn,) = ledger_of(built).turns
    assert (turn.final_text, turn.final_line) == ("Part one.\n\nPart two.", built.line)
    assert ledger_of(built.bash("ls", "x")).turns[0].final_text == ""


def test_an_interrupt_counts_until_something_follows(tmp_path: Path) -> None:
    built = started(tmp_path).say("Working").interrupt()
    assert ledger_of(built.local_command("exit")).turns[-1].interrupted
    assert not ledger_of(built.prompt("Go on").say("Yes")).turns[-1].interrupted


def test_an_api_error_ends_the_turn_unless_it_goes_on(tmp_path: Path) -> None:
    built = started(tmp_path).api_retry().api_error()
    assert ledger_of(built).turns[-1].api_error
    assert not ledger_of(built.say("Again.")).turns[-1].api_error


def test_plan_mode_ends_when_the_plan_is_approved(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Plan it", permission_mode="plan")
    ledger = ledger_of(built.exit_plan_mode(approved=False, words="smaller"))
    assert (ledger.plan_mode, ledger.turns[-1].plan_mode, ledger.turns[-1].plan_rejected) == (True, True, True)  # fmt: skip
    ledger = ledger_of(built.exit_plan_mode())
    assert not ledger.plan_mode
    assert ledger.planned


def test_answers_to_a_question_are_the_persons_words(tmp_path: Path) -> None:
    ledger = ledger_of(started(tmp_path).ask("Which colour?", "Blue"))
    assert [(row.text, row.answer) for row in ledger.questions] == [("Which colour?", "Blue")]
    assert ledger.turns[-1].limits == ("Blue",)


def test_calls_of_the_current_turn_only(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("One").bash("ls").prompt("Two").read("a.py")
    built.bash("cd app && sed -i s/a/b/ a.py").bash("make deploy", exit_code=1)

    calls = ledger_of(built).calls

    assert [(call.name, call.key, call.write) for call in calls] == [
        ("Read", "Read a.py", False),
        ("Bash", "sed -i s/a/b/ a.py", True),
        ("Bash", "make deploy", False),
    ]


def test_manifests_and_test_files_are_noted_where_they_are_met(tmp_path: Path) -> None:
    built = (
        started(tmp_path).bash("ls web", "package.json\nREADME.md").read(f"{ROOT}/tests/test_a.py")
    )
    built.bash("cd api && cat pyproject.toml", "[project]").glob("**/*.go", f"{ROOT}/a_test.go", f"{ROOT}/a.go")  # fmt: skip

    seen = [path.removeprefix(f"{ROOT}/") for path in ledger_of(built).files_seen]

    assert {"tests/test_a.py", "a_test.go"} <= set(seen)
    assert any(path.endswith("package.json") for path in seen)
    assert not any(path.endswith((".md", "a.go")) for path in seen)
