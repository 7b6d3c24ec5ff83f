"""That what a gate says is so, and is said once."""

import pytest

from ace_reflect.gates.model import EndState, Finding, State
from ace_reflect.gates.task import asks_for_edits
from support.work import ROOT, Work, checkout, node_scope, python_scope

# -- "only read"


@pytest.mark.parametrize(
    "prompt",
    [
        "can you use the deploy skill with the canary strategy",
        "Try the new export command on the sample data",
        "run the benchmark script",
        "Let me know what the parser does",
    ],
)
def test_to_run_something_asks_for_no_change_of_files(prompt: str) -> None:
    assert not asks_for_edits(prompt)
    assert Work(prompt).read(12).say("It took 4 s.").gate("completion", checkout()).cause is None


@pytest.mark.parametrize(
    "prompt", ["Run the tests and fix what fails", "Use the old API, and rename parse to read", "Fix the parser"]
)
def test_to_change_something_does(prompt: str) -> None:
    assert asks_for_edits(prompt)
    assert "only read (12 calls" in Work(prompt).read(12).say("It took 4 s.").gate("completion", checkout()).reason


def _looked_and_ran(runs: int, *, print_mode: bool = False) -> Work:
    work = Work("Fix the deployment", print_mode=print_mode).read(9)
    for number in range(runs):
        work.call(f"./deploy.sh step-{number}")
    return work.say("It is deployed as it should be.")


@pytest.mark.parametrize("print_mode", [False, True])
def test_a_turn_that_ran_programs_did_not_only_read(print_mode: bool) -> None:
    judgement = _looked_and_ran(6, print_mode=print_mode).judge(checkout())

    assert "only" not in judgement.verdict.system_message + judgement.verdict.feedback


def test_where_nearly_all_only_looked_it_says_how_many() -> None:
    reason = _looked_and_ran(1).gate("completion", checkout()).reason

    assert reason == "a change was asked for, and no file was seen to change (9 of 10 calls only looked)"


# -- what was left out of the todo list


def _cut_short(*left_out: str, **turn: object) -> Work:
    work = Work("Implement the task hooks").todo("Add the hook", "completed")
    for text in left_out:
        work.todo(text, "left-out")
    return work.edit().run().say("The implementation is complete.", **turn)


def test_what_was_left_out_of_the_list_is_told_to_the_person_and_not_pushed() -> None:
    judgement = _cut_short("Write unit tests for task-start", "Update the docs").judge(checkout())

    assert (judgement.verdict.decision, judgement.verdict.end_state) == ("allow", EndState.COMPLETE)
    assert judgement.verdict.system_message == (
        "Left open: left out of the todo list: Write unit tests for task-start; Update the docs"
    )


@pytest.mark.parametrize(
    "work",
    [
        _cut_short(),
        _cut_short("Optional: nicer colours"),
        _cut_short("Wait for the user's approval"),
        _cut_short("Write unit tests", limits=("leave the tests out",)),
    ],
    ids=["nothing", "an idea", "the person's", "after a word of the person's"],
)
def test_what_is_not_the_agents_to_do_may_be_left_out(work: Work) -> None:
    assert work.gate("remaining_work", checkout()).state is State.PROVEN


def test_what_an_earlier_prompt_left_out_was_told_then() -> None:
    work = _cut_short("Write unit tests").ask("rename x").edit().run().say("Renamed.")

    assert work.gate("remaining_work", checkout()).state is not State.UNKNOWN


# -- "Done and proven"


def _of_two_packages(*folders: str) -> str:
    work = Work().edit("api/app.py").edit("web/view.py")
    for folder in folders:
        work.run("pytest", cwd=f"{ROOT}/{folder}".rstrip("/"))
    project = checkout(python_scope(), python_scope("api"), python_scope("web"))
    return work.say("Done.").judge(project).verdict.system_message


def test_one_run_that_proves_two_packages_is_named_once() -> None:
    assert _of_two_packages("").count("passed after") == 1


def test_two_runs_are_both_named() -> None:
    assert _of_two_packages("api", "web").count("passed after") == 2


@pytest.mark.parametrize(
    ("trivial", "said"), [("comments", "the last edit of code that runs"), ("blank lines", "of code that runs")]
)
def test_comments_that_were_changed_behind_the_run_are_not_passed_over(trivial: str, said: str) -> None:
    work = Work().edit().run().edit(trivial=trivial).say("Done.")

    assert said in work.judge(checkout()).verdict.system_message


def test_comments_that_were_changed_before_it_need_no_word() -> None:
    work = Work().edit().edit(trivial="comments").run().say("Done.")

    assert "passed after the last edit (" in work.judge(checkout()).verdict.system_message


def test_nor_does_the_build_pass_over_them() -> None:
    built = checkout(node_scope(build=True))
    work = Work().edit("src/a.ts").run("npm run build", kind="build").edit("src/a.ts", trivial="comments").say("Done.")

    assert work.gate("build", built).reason == "the build passed after the last edit of code that runs"


# -- a build that only the session knows


def _build(work: Work) -> Finding:
    finding = work.say("Done.").gate("build")
    assert finding.state is State.NOT_APPLICABLE
    return finding


def test_a_build_that_ran_without_a_known_build_step_is_named() -> None:
    after = _build(Work().edit("cmd/main.go").run("go build ./...", kind="build", runner="go build"))
    before = _build(Work().run("npm run build", kind="build", runner="npm run build").edit("src/a.ts"))

    assert after.reason == "no build step of the project is known; `go build` passed after the last edit"
    assert before.reason == "no build step of the project is known; `npm run build` passed before the last edit"


@pytest.mark.parametrize(
    "work",
    [Work().edit("src/app.py"), Work().edit("README.md"), Work().edit("src/a.ts"), Work().edit("cmd/main_test.go")],
)
def test_where_none_ran_there_is_nothing_to_name(work: Work) -> None:
    assert _build(work).reason == "nothing that is built was edited, or no build step is known"


# -- the command that settles it


@pytest.mark.parametrize(
    ("whole", "part", "target"),
    [("bun run test", "bun test src/a.test.ts", "src/a.test.ts"), ("npm run test:all", "npx jest src/a.test.ts", "a")],
)
def test_after_a_part_of_a_red_run_the_whole_one_is_named(whole: str, part: str, target: str) -> None:
    work = Work().edit("src/a.ts").run(whole, "failed", runner=whole).run(part, targets=(target,)).say("Done.")
    finding = work.gate("tests")

    assert (finding.state, finding.settle) == (State.UNKNOWN, whole)


def test_where_the_whole_passed_since_nothing_is_to_be_settled() -> None:
    work = Work().edit("src/a.ts").run("bun run test", "failed").run("bun run test").run("bun test a", targets=("a",))

    assert work.say("Done.").gate("tests").state is State.PROVEN


# -- tests that were edited and not run


@pytest.mark.parametrize("path", ["tests/e2e/full-workflow.spec.ts", "src/__tests__/view.test.jsx"])
def test_a_test_that_was_edited_and_never_ran_is_named(path: str) -> None:
    finding = Work().edit(path).edit("tests/e2e/pages/dialog.page.ts").say("Done.").gate("tests")

    assert finding.state is State.NOT_APPLICABLE
    assert f"test code was edited ({path.rpartition('/')[2]}), and no run of it is shown" in finding.reason


@pytest.mark.parametrize("path", ["src/view.ts", "tests/run.sh"])
def test_code_and_scripts_are_not_called_tests_that_were_not_run(path: str) -> None:
    assert "test code" not in Work().edit(path).say("Done.").gate("tests").reason


def test_imports_that_were_changed_behind_the_tests_are_compiled_and_no_more() -> None:
    project = checkout(node_scope(build=True))
    work = Work().edit("src/a.ts").run("npx vitest run").run("npx tsc --noEmit", kind="typecheck")
    work.edit("src/a.ts", trivial="imports").say("Done.")

    assert work.gate("tests", project).state is State.PROVEN
    assert work.gate("build", project).state is State.DISPROVEN
    work.run("npx tsc --noEmit", kind="typecheck").say("Done.")
    assert work.gate("build", project).state is State.PROVEN
    work.edit("src/a.ts").run("npx tsc --noEmit", kind="typecheck").say("Done.")
    assert work.gate("tests", project).state is State.DISPROVEN
