"""Has a covering run passed since the last edit of code?"""

import pytest

from ace_reflect.gates.model import State
from ace_reflect.project.facts import Scope
from support.work import Work, checkout, node_scope, python_scope


@pytest.mark.parametrize(
    ("work", "state", "words"),
    [
        (Work().edit().run("pytest -q"), State.PROVEN, "passed after"),
        (Work().run("pytest -q").edit(), State.DISPROVEN, "edited after"),
        (Work().run("pytest -q", "failed").edit(), State.DISPROVEN, "which failed"),
        (Work().edit().run("pytest -q", "failed"), State.DISPROVEN, "failed: 1 failed"),
        (Work().edit(), State.DISPROVEN, "no test has been run"),
        (Work().edit().run("pytest | tail -3", "unknown", masked="| tail -3"), State.UNKNOWN, "`| tail -3`"),
        (Work().edit().run("pytest", "unknown", cut_off=True, masked="| head"), State.UNKNOWN, "not shown"),
        (Work().edit().run("pytest", "unknown", running=True, background=True), State.UNKNOWN, "still running"),
        (Work().edit().run("pytest", "not-run", why="collected 0 items"), State.DISPROVEN, "executed no test"),
        (Work().edit().run("pytest", "not-run", why="all 3 skipped"), State.DISPROVEN, "executed no test"),
        (Work().edit().run("pytest", "not-run", why="command not found"), State.DISPROVEN, "did not start"),
        (Work().edit("README.md"), State.NOT_APPLICABLE, "documents"),
        (Work(), State.NOT_APPLICABLE, "no code"),
    ],
)
def test_states(work: Work, state: State, words: str) -> None:
    finding = work.say("Done.").gate("tests", checkout())

    assert (finding.state, words in finding.reason) == (state, True), finding.reason


@pytest.mark.parametrize("more", [{"formatter": True}, {"trivial": "comments"}, {"by": "user"}])
def test_edits_that_change_nothing_that_runs_make_no_debt(more: dict[str, object]) -> None:
    work = Work().edit().run().edit(**more).say("Done.")

    assert work.gate("tests", checkout()).state is State.PROVEN


@pytest.mark.parametrize(
    "path",
    [
        "/tmp/try.py",
        "vite.config.ts",
        "setup.py",
        "examples/demo.py",
        "src/style.css",
        "page.html",
        "deploy.sh",
        "types/api.d.ts",
        "schema.sql",
    ],
)
def test_scratch_settings_examples_and_what_no_runner_runs_make_no_debt(path: str) -> None:
    work = Work().edit(path, kind="code").say("Done.")

    assert work.gate("tests", checkout()).state is State.NOT_APPLICABLE


def test_shell_scripts_make_debt_where_bats_tests_them() -> None:
    work = Work().run("bats test/").edit("deploy.sh", kind="code").say("Done.")

    assert work.gate("tests").state is State.DISPROVEN


def test_a_project_of_shell_scripts_is_asked_for_its_own_tests() -> None:
    shell = Scope(dir="", languages=("shell",), test_command="bats test", has_tests=True, tests_evidence="test/a.bats")
    work = Work().edit("deploy.sh", kind="code").say("Done.")

    finding = work.gate("tests", checkout(shell))

    assert (finding.state, finding.settle) == (State.DISPROVEN, "bats test")
    assert work.run("bats test").gate("tests", checkout(shell)).state is State.PROVEN


def test_a_run_from_any_side_counts() -> None:
    for by in ("agent", "subagent", "user", "git-hook"):
        assert Work().edit().run(by=by).say("Done.").gate("tests", checkout()).state is State.PROVEN


def test_a_run_limited_to_some_tests_is_proof_enough() -> None:
    work = Work().edit().run("pytest tests/test_parser.py", targets=("tests/test_parser.py",)).say("Done.")

    assert work.gate("tests", checkout()).state is State.PROVEN


def test_a_narrow_pass_does_not_wash_out_a_whole_run_that_failed() -> None:
    work = (
        Work().edit().run("pytest", "failed").run("pytest tests/test_a.py", targets=("tests/test_a.py",)).say("Done.")
    )

    finding = work.gate("tests", checkout())

    assert finding.state is State.UNKNOWN
    assert "the whole run failed" in finding.reason


def test_failing_tests_that_are_then_left_out_are_no_proof() -> None:
    work = (
        Work()
        .edit()
        .run("pytest", "failed")
        .run("pytest --deselect test_b", deselects="--deselect test_b")
        .say("Done.")
    )

    assert work.gate("tests", checkout()).state is State.DISPROVEN


def test_tests_left_out_as_flaky_are_no_proof() -> None:
    work = Work().edit().run("pytest -k 'not flaky'", deselects="-k 'not flaky'").say("Done.")

    assert "left out" in work.gate("tests", checkout()).reason


def test_tests_left_out_in_the_persons_own_words_are_proof() -> None:
    work = (
        Work("Fix it, run pytest with -k 'not flaky'")
        .edit()
        .run("pytest -k 'not flaky'", deselects="-k 'not flaky'")
        .say("Done.")
    )

    assert work.gate("tests", checkout()).state is State.PROVEN


def test_a_loosened_test_behind_a_pass_is_shown_and_does_not_block() -> None:
    work = Work("Fix the parser").edit("tests/test_a.py", weakened="- assert x == 1").run().say("Done.")

    judgement = work.judge(checkout())

    finding = judgement.findings[0]
    assert (finding.state, judgement.verdict.decision) == (State.UNKNOWN, "allow")
    assert "assert x == 1" in finding.evidence[0].quote
    assert "loosened" in judgement.verdict.system_message


@pytest.mark.parametrize(
    ("asked", "weakened", "complete"),
    [
        ("The reconnect test fails, please fix the reconnect", "+ it.skip('reconnects', () => {", False),
        ("Get the suite green again", "- def test_reconnect():", False),
        ("Add a reconnect", "- assert x == 1", True),
        ("Fix the parser", "+ it.skip('reconnects', () => {", True),
    ],
)
def test_who_was_to_mend_a_test_and_silenced_it_is_not_done(asked: str, weakened: str, complete: bool) -> None:
    work = Work(asked).edit("tests/test_a.py", weakened=weakened).run().say("Fixed, all tests pass now.")

    verdict = work.judge(checkout()).verdict

    assert (verdict.decision, verdict.complete) == ("allow", complete)


def test_loosening_a_test_that_was_asked_for_is_no_finding() -> None:
    work = Work("Remove the obsolete tests").edit("tests/test_a.py", weakened="- assert x == 1").run().say("Done.")

    assert work.gate("tests", checkout()).state is State.PROVEN


@pytest.mark.parametrize(
    ("source", "test", "state"),
    [
        ("src/csv_import.py", "tests/test_csv_import.py", State.PROVEN),
        ("legacy/cart.py", "legacy/cart_test.py", State.PROVEN),
        ("src/csv_import.py", "tests/test_xml_import.py", State.UNKNOWN),
    ],
)
def test_a_test_that_goes_with_what_it_tests_is_not_lost(source: str, test: str, state: State) -> None:
    work = (
        Work("Drop the old import").edit(source, change="removed").edit(test, change="removed", weakened=f"rm {test}")
    )

    assert work.run().say("Removed.").gate("tests", checkout()).state is state


# -- scopes


def test_a_green_run_of_one_package_does_not_cover_another() -> None:
    project = checkout(node_scope("packages/a"), node_scope("packages/b"))
    root = "/home/dev/project"
    work = Work().edit("packages/a/x.ts").run("npm test", cwd=f"{root}/packages/b").say("Done.")

    finding = work.gate("tests", project)

    assert (finding.state, finding.scope) == (State.DISPROVEN, "packages/a")
    assert finding.settle == "cd packages/a && npm test"


def test_a_run_from_the_root_covers_the_packages() -> None:
    work = Work().edit("packages/a/x.ts").run("pnpm -r test", runner="pnpm test").say("Done.")

    assert work.gate("tests", checkout(node_scope(), node_scope("packages/a"))).state is State.PROVEN


@pytest.mark.parametrize(
    ("script", "state"),
    [
        ("turbo run test", State.NOT_APPLICABLE),
        ("pnpm -r test", State.NOT_APPLICABLE),
        ("npm test --workspaces", State.NOT_APPLICABLE),
        ("vitest run", State.DISPROVEN),  # it finds what lies anywhere below it
        ("turbo run test && vitest run", State.DISPROVEN),
    ],
)
def test_a_script_that_runs_the_packages_own_asks_nothing_of_one_without_tests(script: str, state: State) -> None:
    root = node_scope().replace(tests_evidence=f"package.json script test: {script}")
    web = node_scope("apps/web").replace(has_tests=False, tests_evidence="", test_command="")
    work = Work().edit("apps/web/page.tsx").say("The header shows the name.")

    assert work.gate("tests", checkout(root, web)).state is state


@pytest.mark.parametrize(("runner", "state"), [("pnpm test", State.NOT_APPLICABLE), ("playwright", State.DISPROVEN)])
def test_an_earlier_run_of_the_other_packages_is_not_stale_for_one_without_tests(runner: str, state: State) -> None:
    root = node_scope().replace(tests_evidence="package.json script test: turbo run test")
    web = node_scope("apps/web").replace(has_tests=False, tests_evidence="", test_command="")
    work = Work().run(runner, runner=runner).edit("apps/web/page.tsx").say("The header shows the name.")

    assert work.gate("tests", checkout(root, web)).state is state


def test_a_script_that_runs_the_packages_own_asks_for_those_that_have_tests() -> None:
    root = node_scope().replace(tests_evidence="package.json script test: turbo run test")
    work = Work().edit("apps/api/a.ts").say("Done.")

    assert work.gate("tests", checkout(root, node_scope("apps/api"))).state is State.DISPROVEN


@pytest.mark.parametrize("command", ["bundle exec rspec", "composer test", "cd backend && pytest"])
def test_what_could_not_prove_the_edit_is_not_asked_for(command: str) -> None:
    both = python_scope().replace(languages=("ruby", "php", "python", "javascript"), test_command=command)
    work = Work().edit("app/javascript/menu.js").say("The menu closes on Escape.")

    assert work.gate("tests", checkout(both)).state is State.NOT_APPLICABLE


def test_what_could_prove_it_is() -> None:
    both = python_scope().replace(languages=("ruby", "javascript"), test_command="make test")
    work = Work().edit("app/javascript/menu.js").say("The menu closes on Escape.")

    assert work.gate("tests", checkout(both)).state is State.DISPROVEN


def test_pytest_does_not_cover_typescript() -> None:
    project = checkout(python_scope(), node_scope("web"))
    work = Work().edit("web/x.ts").run("pytest").say("Done.")

    assert work.gate("tests", project).state is State.DISPROVEN


def test_a_task_runner_may_cover_anything() -> None:
    project = checkout(python_scope(), node_scope("web"))
    work = Work().edit("web/x.ts").run("make test", runner="make test").say("Done.")

    assert work.gate("tests", project).state is State.PROVEN


def test_editing_one_scope_does_not_make_anothers_green_run_stale() -> None:
    project = checkout(python_scope("api"), node_scope("web"))
    root = "/home/dev/project"
    work = Work().edit("api/a.py").run("pytest", cwd=f"{root}/api").edit("web/README.md").say("Done.")

    assert work.gate("tests", project).state is State.PROVEN


# -- without a checkout


def test_with_no_checkout_and_no_sign_of_tests_the_gate_does_not_apply() -> None:
    finding = Work().edit().say("Done.").gate("tests")

    assert finding.state is State.NOT_APPLICABLE
    assert "transcript alone" in finding.reason


@pytest.mark.parametrize(
    ("path", "command", "why", "state"),
    [
        ("src/json.rs", "cargo test json_output", "all 4 deselected", State.DISPROVEN),
        ("src/app.py", "pytest -q tests/test_app.py", "all 3 skipped", State.DISPROVEN),
        ("src/json.rs", "cargo test json_output", "no tests ran", State.NOT_APPLICABLE),
        ("src/app.py", "pytest -q", "command not found", State.NOT_APPLICABLE),
    ],
)
def test_a_run_that_left_out_what_it_found_shows_that_there_are_tests(
    path: str, command: str, why: str, state: State
) -> None:
    work = Work().edit(path).run(command, "not-run", runner=" ".join(command.split()[:2]), why=why).say("Done.")

    assert work.gate("tests").state is state


@pytest.mark.parametrize(
    ("command", "runner", "state"),
    [
        ("julia --project -e 'using Pkg; Pkg.test()'", "julia Pkg.test", State.PROVEN),
        ("npm run test.unit", "npm run test.unit", State.PROVEN),
        ("./check.sh", "check.sh", State.NOT_APPLICABLE),
        ("python tests/test_a.py", "script", State.NOT_APPLICABLE),
    ],
)
def test_a_dot_in_a_runners_name_makes_it_no_script_of_its_own(command: str, runner: str, state: State) -> None:
    path = "src/Norm.jl" if runner.startswith("julia") else "src/a.ts" if runner.startswith("npm") else "src/app.py"
    work = Work().edit(path).run(command, runner=runner).say("Done.")

    assert work.gate("tests").state is state


def test_with_no_checkout_a_test_command_in_use_is_sign_enough() -> None:
    work = (
        Work()
        .edit()
        .run("pytest -q 2>&1 | tail -5")
        .say("Done.")
        .ask("Now the other one")
        .edit("src/b.py")
        .say("Done.")
    )

    finding = work.gate("tests")

    assert (finding.state, finding.settle) == (State.DISPROVEN, "pytest -q")


# -- what is debt of this prompt


def test_a_question_in_between_passes_in_silence() -> None:
    judgement = Work().edit().say("Done.").ask("how does it work?").read().say("It reads lines.").judge(checkout())

    assert judgement.verdict.decision == "allow"
    assert judgement.verdict.end_state == "not_applicable"


def test_shipping_earlier_debt_blocks() -> None:
    work = Work().edit().say("Done.").ask("commit it").commit().say("Committed.")

    assert work.judge(checkout()).verdict.decision == "block"


def test_claiming_that_earlier_debt_is_proven_blocks() -> None:
    work = Work().edit().run("pytest", "failed").say("One fails.").ask("is it ok?").say("Yes, all tests pass.")

    assert work.judge(checkout()).verdict.decision == "block"


# -- what is openly said


def test_an_open_report_that_asks_stands() -> None:
    work = (
        Work()
        .edit()
        .run("pytest", "failed")
        .say("Two tests still fail because the API changed. Should I update the fixtures or keep the old API?")
    )

    assert work.judge(checkout()).verdict.end_state == "waiting_for_user"


def test_failing_tests_with_an_excuse_do_not() -> None:
    work = Work().edit().run("pytest", "failed").say("Done. Two tests fail, but that is unrelated flakiness.")

    assert work.judge(checkout()).verdict.decision == "block"


def test_the_same_failures_before_the_work_stand_when_said() -> None:
    work = (
        Work("Add a flag")
        .run("pytest", "failed", failed=2)
        .edit()
        .run("pytest", "failed", failed=2)
        .say("Added. The two failing tests are pre-existing.")
    )

    assert work.judge(checkout()).verdict.decision == "allow"


def test_more_failures_than_before_do_not() -> None:
    work = (
        Work("Add a flag")
        .run("pytest", "failed", failed=2)
        .edit()
        .run("pytest", "failed", failed=3)
        .say("Added. The failing tests are pre-existing.")
    )

    assert work.judge(checkout()).verdict.decision == "block"


def test_saying_why_they_cannot_run_here_stands() -> None:
    work = (
        Work()
        .edit()
        .run("pytest", "not-run", why="command not found")
        .say("Done. I could not run the tests: pytest is not installed here.")
    )

    judgement = work.judge(checkout())

    assert judgement.verdict.decision == "allow"
    assert not judgement.verdict.complete


@pytest.mark.parametrize(
    "text",
    [
        "Done. I have not run the tests.",
        "Done. You can run `pytest` to verify.",
        "Done. Would you like me to run the tests?",
    ],
)
def test_leaving_a_runnable_step_to_the_person_does_not(text: str) -> None:
    assert Work().edit().say(text).judge(checkout()).verdict.decision == "block"


def test_a_refused_run_is_the_persons_choice() -> None:
    work = Work().edit().run("pytest", "not-run", why="denied by the user").say("Done.")

    assert work.judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("used", "asked"),
    [
        ("docker compose exec web pytest", "docker compose exec web pytest"),
        ("poetry run pytest", "poetry run pytest"),
        ("poetry run pytest tests/test_a.py", "pytest"),
        ("mypytest", "pytest"),
        ("for i in 1 2 3; do nice pytest; done", "nice pytest"),
        ("for i in 1 2 3; do pytest; done", "pytest"),
    ],
)
def test_the_projects_command_is_asked_for_where_the_session_runs_it(used: str, asked: str) -> None:
    work = Work().run(used, runner="pytest").edit().say("Done.")

    assert work.gate("tests", checkout()).settle == asked


@pytest.mark.parametrize(
    ("answer", "blocks"),
    [
        ("Added the field. One failure, `test_tz`, was there before my change.", False),
        ("Added the field. `test_tz` fails on this machine, with and without it.", False),
        ("Added the field.", True),
    ],
)
def test_as_many_failures_as_before_the_work_need_only_be_told(answer: str, *, blocks: bool) -> None:
    work = Work("Add the field").run(outcome="failed", failed=1).edit().run(outcome="failed", failed=1).say(answer)

    assert (work.judge(checkout()).verdict.decision == "block") is blocks


@pytest.mark.parametrize(
    ("prompt", "quote", "state"),
    [
        ("Fix the failing date test", "+ it.skip('tz', () => {", State.UNKNOWN),
        ("Make the tests pass", "+ @pytest.mark.xfail", State.UNKNOWN),
        ("Skip the flaky date test for now", "+ it.skip('tz', () => {", State.PROVEN),
        ("Fix the failing date test", "- assert total == 3", State.PROVEN),
    ],
)
def test_who_wants_a_test_mended_does_not_want_it_silenced(prompt: str, quote: str, state: State) -> None:
    work = Work(prompt).edit("tests/test_a.py", weakened=quote).run().say("Fixed.")

    assert work.gate("tests", checkout()).state is state


def test_red_tests_behind_files_that_no_command_names_are_not_complete() -> None:
    work = Work("Rename getUsr to getUser").edit("*", kind="other")
    verdict = work.run(outcome="failed").say("Renamed everywhere.").judge(checkout()).verdict

    assert (verdict.decision, verdict.complete) == ("allow", False)
    assert "failed last" in verdict.why_silent


@pytest.mark.parametrize(
    ("command", "runner", "edited"),
    [
        ("bundle exec rspec --only-failures", "rspec", "spec/post_spec.rb"),
        ("npx vitest run src/button", "vitest", "src/Button.test.tsx"),
        ("vendor/bin/phpunit --filter Money", "phpunit", "tests/MoneyTest.php"),
    ],
)
def test_who_writes_tests_and_finds_none_has_run_none(command: str, runner: str, edited: str) -> None:
    found = Work().edit(edited).run(command, "not-run", why="no tests found", runner=runner).say("Done.").gate("tests")

    assert (found.state, found.settle) == (State.DISPROVEN, command)


def test_that_none_are_found_where_none_were_written_asks_for_nothing() -> None:
    ran = Work().edit("app/post.rb").run("bundle exec rspec", "not-run", why="no tests found", runner="rspec")
    assert ran.say("Done.").gate("tests").state is State.NOT_APPLICABLE

    not_there = Work().edit("spec/post_spec.rb").run("rspec", "not-run", why="it did not start", runner="rspec")
    assert not_there.say("Done.").gate("tests").state is State.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("path", "asked"),
    [("app.ts", "make test"), ("web/src/app.ts", "cd web && npm test"), ("api/app.py", "cd api && pytest")],
)
def test_what_the_instructions_name_is_asked_for_at_the_root_and_a_packages_own_in_it(path: str, asked: str) -> None:
    project = checkout(
        node_scope(), node_scope("web"), python_scope("api"), instructed_tests=("cargo test", "make test")
    )

    assert Work().edit(path).say("Done.").gate("tests", project).settle == asked


@pytest.mark.parametrize("outcome", ["failed", "not-run"])
def test_a_machine_that_cannot_be_reached_kept_the_tests_from_running(outcome: str) -> None:
    text = "ssh: Could not resolve hostname ci02: nodename nor servname provided"
    work = Work().edit().run("ssh ci02 'make test'", outcome, runner="make test", quote=text, why=text)

    judgement = work.say("Codes are trimmed. ci02 cannot be resolved, please run the tests on your side.").judge(
        checkout()
    )

    finding = next(f for f in judgement.findings if f.gate == "tests")
    assert (finding.state, judgement.verdict.decision) == (State.UNKNOWN, "allow")


def test_a_run_that_did_not_start_for_another_cause_is_still_owed() -> None:
    text = "bash: line 1: cd: gone: No such file or directory"
    work = Work().edit().run("cd gone && make test", "not-run", runner="make test", quote=text, why=text)

    assert work.say("Codes are trimmed.").gate("tests", checkout()).state is State.DISPROVEN
