"""Records in, facts out: edits, runs, plans, background, turns. Transcripts are built line by line and read for real."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ace_reflect.evidence.facts import CommandKind, Outcome
from support.ledgers import fed, ledger_of, session
from support.transcripts import TranscriptBuilder

ROOT = "/home/dev/project"
Steps = Callable[[TranscriptBuilder], TranscriptBuilder]
PASSED = "===== 3 passed in 0.10s ====="
FAILED = "FAILED tests/test_a.py::test_b\n===== 1 failed, 2 passed in 0.10s ====="


def started(folder: Path, **options: str) -> TranscriptBuilder:
    return session(folder, **options).prompt("Go")


def test_every_edit_tool_counts_when_it_succeeded(tmp_path: Path) -> None:
    built = started(tmp_path).edit(f"{ROOT}/src/a.py").create(f"{ROOT}/tests/test_a.py")
    built.multi_edit(f"{ROOT}/b.md").notebook_edit(f"{ROOT}/c.ipynb")

    edits = ledger_of(built).edits

    told = "tool path kind created line result_line".split()
    assert [tuple(getattr(edit, name) for name in told) for edit in edits] == [
        ("Edit", f"{ROOT}/src/a.py", "code", False, 2, 3),
        ("Write", f"{ROOT}/tests/test_a.py", "test", True, 4, 5),
        ("MultiEdit", f"{ROOT}/b.md", "docs", False, 6, 7),
        ("NotebookEdit", f"{ROOT}/c.ipynb", "code", False, 8, 9),
    ]


def swapped(built: TranscriptBuilder) -> TranscriptBuilder:
    """A result stands before its call."""
    built.edit("/p/a.py")
    built.lines.reverse()
    return built.prompt("Now b")


FAILED_EDITS = "String to replace not found in file."
#: What follows a prompt, the facts that are looked at with their fields, and what they are.
FACTS: list[tuple[Steps, str, list[tuple[object, ...]]]] = [
    # edits that failed, were refused or never ended; one behind which the line's tests failed
    (lambda b: b.edit("a.py", error=FAILED_EDITS).edit("b.py", answered=False).reject("no").edit("c.py", answered=False).reject(), "edits path", []),
    (lambda b: b.bash("sed -i s/a/b/ b.py", answered=False).reject().edit("d.py", answered=False), "edits path", []),
    (lambda b: b.bash("sed -i s/a/b/ a.py && pytest -q", FAILED, exit_code=1), "edits path", [(f"{ROOT}/a.py",)]),
    (lambda b: b.bash("sed -i s/a/b/ a.py && pytest -q", FAILED, exit_code=1), "runs outcome", [("failed",)]),
    (swapped, "edits line result_line", [(2, 1)]),
    # runs that were refused, are still on, were a hook's, or a server's
    (lambda b: b.bash("pytest", answered=False).reject("don't run the tests"), "runs outcome", [("not-run",)]),
    (lambda b: b.bash("pytest", answered=False).reject("don't run the tests"), "turns limits", [(("don't run the tests",),)]),
    (lambda b: b.bash("pytest", answered=False).reject("don't run the tests"), "questions answer", [("don't run the tests",)]),
    (lambda b: b.bash("pytest", answered=False), "runs outcome running result_line", [("unknown", True, None)]),
    (lambda b: b.bash("pytest", answered=False), "turns pending_calls", [(1,)]),
    (lambda b: b.bash("git commit -m x", f"{FAILED}\nhusky - pre-commit script failed (code 1)", exit_code=1), "runs by outcome", [("git-hook", "failed")]),
    (lambda b: b.bash("git commit -m x", f"{FAILED}\nhusky - pre-commit script failed (code 1)", exit_code=1), "commits outcome", [("failed",)]),
    (lambda b: b.call("mcp__XcodeBuildMCP__test_sim", {"scheme": "App"}).result("Executed 12 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds"), "runs outcome", [("failed",)]),
    (lambda b: b.call("mcp__desktop-commander__start_process", {"command": "pytest"}).result(PASSED), "runs outcome", [("passed",)]),
    (lambda b: b.call("mcp__db__test_connection", {}).result(PASSED).call("mcp__jetbrains__execute_run_configuration", {}).result(PASSED), "runs outcome", [("passed",)]),
    # in the background, over a pipe, nothing is settled until the output is read; a killed push reached nothing
    (lambda b: b.background("pytest | tail -3", "b1").task_notification("b1"), "runs outcome", [("unknown",)]),
    (lambda b: b.background("pytest | tail -3", "b1").task_notification("b1").read("/tmp/tasks/b1.output", FAILED), "runs outcome running", [("failed", False)]),
    (lambda b: b.background("git push", "b1").task_notification("b1", status="killed"), "pushes outcome", []),
    (lambda b: b.background("npm run dev", "b2"), "background kind", [("server",)]),
    (lambda b: b.background("npm run dev", "b2"), "runs kind", []),
    # an answer to a question is the person's word, and the final text the last message behind the last call
    (lambda b: b.ask("Which colour?", "Blue"), "questions text answer", [("Which colour?", "Blue")]),
    (lambda b: b.ask("Which colour?", "Blue"), "turns limits", [(("Blue",),)]),
    (lambda b: b.say("I look.").bash("ls", "a.py").say("Part one.").say("Part two."), "turns final_text final_line", [("Part one.\n\nPart two.", 6)]),
    (lambda b: b.say("Part one.").bash("ls", "x"), "turns final_text", [("",)]),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "fields", "told"), FACTS)
def test_what_a_session_comes_to(tmp_path, steps, fields, told) -> None:
    facts, *names = fields.split()
    found = getattr(ledger_of(steps(started(tmp_path))), facts)
    assert [tuple(getattr(fact, name) for name in names) for fact in found] == told


def test_old_sessions_keep_a_subagents_lines_in_the_same_file(tmp_path: Path) -> None:
    built = started(tmp_path, version="1.0.51").sidechain().edit("/p/a.py").sidechain(on=False)
    ledger = ledger_of(built.say("Done."))
    assert [edit.by for edit in ledger.edits] == ["subagent"]
    assert (ledger.turns[-1].tool_calls, ledger.turns[-1].final_text) == (0, "Done.")


def test_outcome_counts_and_lines_of_a_run(tmp_path: Path) -> None:
    command = "cd app && pytest -q tests/unit -k 'not slow'"

    (run,) = ledger_of(started(tmp_path).bash(command, FAILED, exit_code=1)).runs

    assert (run.runner, run.outcome) == ("pytest", Outcome.FAILED)
    assert (run.line, run.result_line) == (2, 3)
    assert run.counts is not None
    assert (run.counts.failed, run.counts.passed) == (1, 2)
    assert (run.command, run.cwd, run.targets) == (command, f"{ROOT}/app", ("tests/unit",))
    assert (bool(run.deselects), run.by, run.languages) == (True, "agent", ("python",))


@pytest.mark.parametrize("version", ["1.0.51", "2.1.330"])
def test_the_same_marks_in_a_subagents_lines_are_text_that_an_agent_wrote(tmp_path, version):
    words = "<bash-input>pytest -q</bash-input><bash-stdout>3 passed in 0.1s</bash-stdout>"
    built = session(tmp_path, version=version).prompt("Fix it").edit("/p/a.py")
    built.sidechain().user_line(words).sidechain(on=False)
    worker = TranscriptBuilder(tmp_path / "w.jsonl", agent_id="a1").user_line(words).say("Done.")
    worker.write_subagent(built.write())
    assert ledger_of(built).runs == ()


@pytest.mark.parametrize(("command", "output", "found"), [
    # a task or a script that printed a runner's summary
    ("npm run check", "> tsc && vitest run\n Test Files  3 passed (3)\n      Tests  9 passed (9)", [("agent", "vitest", "passed")]),
    ("npm run check", "> tsc --noEmit && prettier -c .\nAll matched files use Prettier code style!", []),
    ("make verify", f"building\n{FAILED}", [("agent", "pytest", "failed")]),
    ("./everything.sh", f"building\n{PASSED}", [("agent", "pytest", "passed")]),
    ("./scripts/ci.sh", "PASS\nok  \texample.com/app\t0.1s", [("agent", "go", "passed")]),
    # a program that nobody knows: its failure counts where the line failed
    ("ddev exec vendor/bin/phpunit", "OK (12 tests, 30 assertions)", [("agent", "phpunit", "passed")]),
    ("heroku logs -a app", FAILED, [("agent", "pytest", "unknown")]),
    ("heroku logs -a app", PASSED, [("agent", "pytest", "unknown")]),
    ("make check", "PASS: a\n# TOTAL: 1\n# PASS:  1\n# FAIL:  0", [("agent", "counts", "unknown")]),
    ("python -c 'print(1)'", PASSED, []), ("pre-commit run -a", "ruff check....Passed", []),
    ("pre-commit run -a", "pytest.......Passed\nruff check....Passed", [("agent", "hooks", "passed")]),
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
def test_a_runners_summary_tells_that_tests_ran(tmp_path, command, output, found):
    runs = ledger_of(started(tmp_path).bash(command, output)).runs
    runs = tuple(run for run in runs if run.kind is CommandKind.TEST)
    assert [(run.by, run.runner.partition(" ")[0], run.outcome) for run in runs] == found


@pytest.mark.parametrize(("command", "output", "code", "outcome"), [
    ("git commit -m x", "[main 1234abc] x\n 1 file changed", 0, "passed"),
    ("git commit -m x", "On branch main\nnothing to commit, working tree clean", 1, "not-run"),
    ("git commit -m x && git push", "[fix 1234abc] x\nfatal: no upstream", 1, "passed"),
    ("git commit -qam x && npm run e2e", "1 failed", 1, "unknown"),
    ("git commit -qm x", "", 0, "passed"),
    ("rtk git commit -m x", "FAILED: git commit\n$ tsc --noEmit\na.ts(572,32): error TS18046", 1, "failed"),
    ("git commit -m x 2>&1 | tail -3", "a.ts:1 error\nhusky - pre-commit script failed (code 2)", 0, "unknown"),
    ("git commit -m x | tail -20", "ruff.....Failed\n- hook id: ruff\n- exit code: 1\n\na.py:1:1: F401", 0, "unknown"),
])  # fmt: skip
def test_a_commit_is_known_by_its_own_line_or_its_hooks(tmp_path, command, output, code, outcome):
    ledger = ledger_of(started(tmp_path).bash(command, output, exit_code=code))
    assert [commit.outcome for commit in ledger.commits] == [outcome]


@pytest.mark.parametrize("how", ["prompt", "queue"])
@pytest.mark.parametrize(("code", "outcome"), [(0, Outcome.PASSED), (1, Outcome.FAILED)])
def test_a_notice_with_an_exit_code_settles_it(how, code, outcome, tmp_path):
    built = started(tmp_path).background("pytest", "b1")
    ledger = ledger_of(built)
    (run,), (task,) = ledger.runs, ledger.background
    assert (run.outcome, run.running) == (Outcome.UNKNOWN, True)
    assert (task.id, task.kind, task.running) == ("b1", CommandKind.TEST, True)
    ledger = ledger_of(built.task_notification("b1", exit_code=code, how=how))
    assert [(run.outcome, run.running) for run in ledger.runs] == [(outcome, False)]
    assert not ledger.background[0].running
    assert len(ledger.turns) == 1


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
def test_what_it_pushed_and_saw_of_ci_is_known_when_its_end_is_told(tell, tmp_path):
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
    assert [look.outcome for look in ledger.ci_looks] == [
        "unknown" if tell == "notice" else "passed"
    ]
    assert ledger.ci_looks[0].sequence > ledger.pushes[0].sequence


def test_a_subagents_own_file_gives_edits_and_runs_in_their_place(tmp_path: Path) -> None:
    main = started(tmp_path).edit(f"{ROOT}/before.py")
    worker = TranscriptBuilder(agent_id="a1b2c3d").prompt("Do")
    worker._count = main._count + 10
    worker.edit(f"{ROOT}/inside.py").bash("pytest -q", PASSED)
    main._count = worker._count + 10
    main.agent("Do", "Done").edit(f"{ROOT}/after.py")
    worker.write_subagent(main.write())

    ledger = ledger_of(main)

    assert [edit.path.rpartition("/")[2] for edit in ledger.edits] == ["before.py", "inside.py", "after.py"]  # fmt: skip
    assert [edit.file for edit in ledger.edits] == [None, "agent-a1b2c3d.jsonl", None]
    assert [edit.by for edit in ledger.edits] == ["agent", "subagent", "agent"]
    assert [(run.by, run.turn, run.outcome) for run in ledger.runs] == [("subagent", 1, Outcome.PASSED)]  # fmt: skip
    assert ledger.edits[1].sequence < ledger.runs[0].sequence < ledger.edits[2].sequence
    assert (ledger.subagents, ledger.turns[0].tool_calls) == (1, 3)


def test_a_subagents_file_may_come_in_between_or_at_the_end(tmp_path: Path) -> None:
    main = session(tmp_path).prompt("One").edit("/p/a.py")
    worker = TranscriptBuilder(tmp_path / "w.jsonl", agent_id="a1")
    worker._count = main._count + 1
    worker.edit("/p/b.py").bash("pytest -q", PASSED)
    main._count = worker._count + 1
    main.agent("x", "y").prompt("Two").edit("/p/c.py")
    mine, theirs = main.records(), worker.records(file="agent-a1.jsonl")
    half = [getattr(record, "name", "") for record in mine].index("Agent") + 1
    between = fed([*mine[:half], *theirs, *mine[half:]])

    assert fed([*mine, *theirs]) == between
    assert [edit.turn for edit in between.edits] == [1, 1, 2]


TASKS = [("1", "a", "completed", 1), ("2", "b", "pending", 1), ("3", "c", "deleted", 1)]


@pytest.mark.parametrize(("version", "steps", "todos"), [
    # the old list is replaced each time, the new one is summed up from its updates
    ("2.0.60", lambda b: b.todos(("a", "in_progress"), ("b", "pending"), ("c", "pending")).prompt("More").todos(("a", "completed"), ("b", "pending")), [("", "a", "completed", 2), ("", "b", "pending", 1)]),
    ("2.1.330", lambda b: b.task_create("a").task_create("b").task_create("c").task_update(1, "in_progress").task_update(1, "completed").task_update(3, "deleted"), TASKS),
])  # fmt: skip
def test_todos_are_those_of_the_newest_list(tmp_path, version, steps, todos) -> None:
    found = ledger_of(steps(started(tmp_path, version=version))).todos
    ids = [todo.id if version == "2.1.330" else "" for todo in found]
    told = [(todo.text, todo.status, todo.turn) for todo in found]
    assert [(name, *rest) for name, rest in zip(ids, told, strict=True)] == todos


def test_an_interrupt_and_an_api_error_end_a_turn_that_does_not_go_on(tmp_path: Path) -> None:
    built = started(tmp_path).say("Working").interrupt()
    assert ledger_of(built.local_command("exit")).turns[-1].interrupted
    built.prompt("Go on").api_retry().api_error()
    assert ledger_of(built).turns[-1].api_error
    (_, turn) = ledger_of(built.say("Again.")).turns
    assert (turn.interrupted, turn.api_error) == (False, False)


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


def test_plan_mode_ends_when_the_plan_is_approved(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Plan it", permission_mode="plan")
    ledger = ledger_of(built.exit_plan_mode(approved=False, words="smaller"))
    assert (ledger.plan_mode, ledger.turns[-1].plan_mode, ledger.turns[-1].plan_rejected) == (True, True, True)  # fmt: skip
    ledger = ledger_of(built.exit_plan_mode())
    assert not ledger.plan_mode
    assert ledger.planned


def test_calls_of_the_current_turn_only(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("One").bash("ls").prompt("Two").read("a.py")
    built.bash("sed -i s/a/b/ a.py").bash("make deploy", exit_code=1)

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
    built.bash("cd api && cat pyproject.toml a_test.go a.go", "[project]")

    seen = [path.removeprefix(f"{ROOT}/") for path in ledger_of(built).files_seen]

    assert {"tests/test_a.py", "a_test.go"} <= set(seen)
    assert any(path.endswith("package.json") for path in seen)
    assert not any(path.endswith((".md", "a.go")) for path in seen)
