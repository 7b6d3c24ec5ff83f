"""Answers that say a linter or a type checker is content, and which command a message asks to be run again."""

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.gates.claim_text import claims_in
from ace_reflect.gates.message import left_to_person
from ace_reflect.gates.model import State
from support.work import ROOT, Work, checkout, node_scope


def said(answer: str, command: str = "mypy --strict src", outcome: str = "failed", kind: str = "typecheck") -> Work:
    work = Work().edit("src/core.py").run("pytest -q").run(command, outcome, kind=kind)
    return work.run("npm run build", kind="build").say(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "`core.py` is typed, mypy --strict is clean and 118 tests pass.",
        "Typed. `mypy --strict src` passes.",
        "Done. mypy reports no errors.",
        "Everything now type-checks cleanly.",
    ],
)
def test_a_type_check_said_to_be_clean_whose_last_run_failed_is_contradicted(answer: str) -> None:
    # A build between them may have repeated a type check, so it is not run here.
    work = Work().edit("src/core.py").run("pytest -q").run("mypy --strict src", "failed", kind="typecheck")

    finding = work.say(answer).gate("claims", checkout())

    assert (finding.state, finding.settle) == (State.DISPROVEN, "mypy --strict src")


def test_a_compiler_without_errors_is_such_a_claim_too() -> None:
    work = Work().edit("src/a.ts").run("npx tsc --noEmit", "failed", kind="typecheck", runner="tsc")

    finding = work.say("The client is strict, and TypeScript compiles without errors.").gate("claims", checkout())

    assert finding.reason == "the answer says that the type check passes, and its last run failed: 1 failed, 2 passed"


@pytest.mark.parametrize("answer", ["Lint is clean and 42 tests pass.", "`eslint .` reports no problems."])
def test_a_build_mends_no_linters_complaints(answer: str) -> None:
    finding = said(answer, "npx eslint .", kind="lint").gate("claims", checkout())

    assert (finding.state, finding.settle) == (State.DISPROVEN, "npx eslint .")


@pytest.mark.parametrize(
    "answer",
    [
        "mypy is clean for the new module; core.py still has one error.",
        "- `src/tax.py`: mypy clean",
        "- src/tax.py: mypy clean",
        "mypy is clean apart from one pre-existing error.",
        "tsc passes now.",  # another checker, which never ran here
        "mypy reports no new errors.",
        "mypy is clean. What it prints for core.py was there before my change.",
        "Once the stubs are installed, mypy passes.",
    ],
)
def test_a_claim_of_a_part_or_of_another_checker_stands(answer: str) -> None:
    work = Work().edit("src/core.py").run("mypy src", "failed", kind="typecheck")

    assert work.say(answer).gate("claims", checkout()).state is not State.DISPROVEN


def test_a_check_that_passed_or_was_repeated_stands() -> None:
    assert said("`mypy --strict src` is clean.", outcome="passed").gate("claims", checkout()).state is State.PROVEN
    fixed = Work().edit().run("ruff check .", "failed", kind="lint").call("ruff check --fix -q .")
    assert fixed.say("ruff is clean now.").gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize("command", ["npm run test:coverage", "npx nx run-many -t test", "yarn test:ci"])
def test_the_whole_run_that_failed_is_the_one_to_repeat(command: str) -> None:
    work = Work().edit("src/a.ts").run(f"{command} 2>&1 | tail -6", "failed", runner=command).say("Done.")

    assert work.gate("tests", checkout(node_scope(""))).settle == command


def test_after_a_narrow_failing_run_and_after_none_the_projects_own_is_asked_for() -> None:
    narrow = Work().edit("src/a.ts").run("npx jest src/a.test.ts", "failed", targets=("src/a.test.ts",)).say("Done.")
    stale = Work().run("npx jest", "failed").edit("src/a.ts").say("Done.")

    assert narrow.gate("tests", checkout(node_scope(""))).settle == "npm test"
    assert stale.gate("tests", checkout(node_scope(""))).settle == "npm test"


@pytest.mark.parametrize(
    "command",
    ["for f in *.test.ts; do npx jest $f; done", "if npx jest; then echo ok; fi", "out=$(npx jest 2>&1); echo $out"],
)
def test_a_part_of_a_loop_or_a_condition_is_not_to_be_typed(command: str) -> None:
    work = Work().edit("src/a.ts").run(command, "failed", runner="jest").say("Done.")

    assert work.gate("tests", checkout(node_scope(""))).settle == "npm test"


def test_the_build_that_failed_is_the_one_to_repeat() -> None:
    scope = node_scope("packages/utils", build=True)
    work = Work().edit("packages/utils/slug.ts")

    assert work.say("Done.").gate("build", checkout(scope)).settle == "cd packages/utils && npm run build"
    assert work.run("pnpm build", "failed", kind="build").gate("build", checkout(scope)).settle == "pnpm build"


def test_where_a_quotation_was_taken_out_a_gap_is_shown() -> None:
    assert left_to_person(("Please log in, then say “” .",)) == "Waits for you: Please log in, then say “…”."


def named(command: str, outcome: str, answer: str) -> State:
    """What the claims gate makes of an answer behind a run of this command."""
    read = next(item for item in classify(command) if item.runner)
    work = Work("Fix the parser").edit()
    kind = str(read.kind)
    work.run(command, outcome, kind=kind, runner=read.runner, targets=read.targets, selected=read.selected)
    return work.say(answer).gate("claims", checkout()).state


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("npm test", "Fixed the parser. `npm test` passes."),
        ("npm test 2>&1 | tail -3", "Fixed; `npm test` is green."),
        ("./gradlew test", "Done. `./gradlew test` now passes."),
        ("cargo build", "Fixed the parser. `cargo build` succeeds."),
        ("golangci-lint run", "Fixed. `golangci-lint run` (0 issues) is clean."),
    ],
)
def test_a_command_that_is_said_to_pass_is_compared_with_its_own_last_run(command: str, answer: str) -> None:
    assert named(command, "failed", answer) is State.DISPROVEN
    assert named(command, "passed", answer) is State.PROVEN


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("npm test", "`npm test -- parser` passes."),
        ("npm test", "`npm test` passes for the parser."),
        ("npm test", "`npm test` passed before my change."),
        ("npm test", "Make sure that `npm test` passes."),
        ("npm test", "`parse()` passes the token on."),
        ("npm test", "`npm test` passes except for two old tests, which fail without the change too."),
        ("pytest", "`npm test` passes."),
    ],
)
def test_what_is_said_of_another_command_a_part_or_a_condition_contradicts_nothing(command: str, answer: str) -> None:
    assert named(command, "failed", answer) is not State.DISPROVEN


def in_two_folders(first: str, second: str) -> State:
    work = Work("Fix the parser").edit()
    for folder, outcome in (("api", first), ("web", second)):
        work.run("npm test", outcome, runner="npm test", cwd=f"{ROOT}/{folder}")
    return work.say("Fixed the parser. `npm test` is green.").gate("claims", checkout()).state


def test_a_command_that_passes_in_one_folder_and_fails_in_another_contradicts_nothing() -> None:
    assert in_two_folders("passed", "failed") is State.UNKNOWN
    assert in_two_folders("failed", "passed") is State.UNKNOWN
    assert in_two_folders("failed", "failed") is State.DISPROVEN
    assert in_two_folders("passed", "passed") is State.PROVEN


@pytest.mark.parametrize("answer", ["Committed; tests, lint and typecheck clean.", "Committed. `tsc --noEmit` passes."])
def test_what_a_commits_hook_let_through_is_shown(answer: str) -> None:
    def state(*, hooked: bool, outcome: str = "passed") -> State:
        work = Work("Fix the parser").edit()
        if hooked:
            work.run("git commit -m x", by="git-hook", runner="bun test")
        return work.commit(outcome).say(answer).gate("claims", checkout()).state

    assert state(hooked=True) is State.PROVEN
    assert state(hooked=False) is not State.PROVEN
    assert state(hooked=True, outcome="failed") is not State.PROVEN


@pytest.mark.parametrize(
    ("answer", "claimed"),
    [
        ("The build passes the new flag through.", False),
        ("The build step passes the version into the bundle.", False),
        ("Lint passes the config path on to eslint.", False),
        ("`tsc --watch` passes its own options along.", False),
        ("The build passes the first time through.", True),
        ("The build passes, and the flag goes through.", True),
        ("The linter passes again.", True),
    ],
)
def test_a_check_that_hands_something_on_has_passed_nothing(answer: str, claimed: bool) -> None:
    assert any(claim.kind == "check" for claim in claims_in(answer)) is claimed


@pytest.mark.parametrize(
    ("answer", "command", "outcome", "state"),
    [
        ("ESLint is clean.", "npm run lint", "passed", State.PROVEN),
        ("Removed it; eslint passes.", "yarn lint", "passed", State.PROVEN),
        ("ESLint is clean.", "npm run lint", "failed", State.UNKNOWN),  # it may be another linter's
        ("ESLint is clean.", "make lint", "passed", State.UNKNOWN),
        ("ruff is clean.", "npm run lint", "passed", State.UNKNOWN),
        ("ESLint is clean.", "npx stylelint src", "passed", State.UNKNOWN),
    ],
)
def test_a_checker_by_name_that_a_task_ran(answer: str, command: str, outcome: str, state: State) -> None:
    work = Work().edit("src/a.ts").run("npm test").run(command, outcome, kind="lint", runner=command).say(answer)

    assert work.gate("claims", checkout(node_scope())).state is state


@pytest.mark.parametrize(("outcome", "state"), [("passed", State.PROVEN), ("failed", State.UNKNOWN)])
def test_a_command_by_name_that_a_task_ran(outcome: str, state: State) -> None:
    work = Work().edit("src/a.ts").run("npm test")
    work.run("npm run typecheck", outcome, kind="typecheck", runner="npm run typecheck").say("`tsc` is clean.")

    assert work.gate("claims", checkout(node_scope())).state is state


@pytest.mark.parametrize(
    "answer",
    [
        "The table is in landscape now and the PDF builds cleanly.",
        "The chapter is shorter. The thesis compiles without errors.",
        "Debounced. The firmware builds successfully.",
    ],
)
def test_what_is_built_may_be_a_document_or_a_firmware(answer: str) -> None:
    def state(outcome: str) -> State:
        work = Work().edit("chapters/intro.tex").run("make", outcome, kind="build", runner="make")
        return work.say(answer).gate("claims", checkout()).state

    assert state("failed") is State.DISPROVEN
    assert state("passed") is State.PROVEN


@pytest.mark.parametrize(
    "answer", ["I shortened the paper. It builds on the earlier survey.", "The PDF builder is gone."]
)
def test_a_document_that_is_only_spoken_of_is_not(answer: str) -> None:
    work = Work().edit("chapters/intro.tex").run("make", "failed", kind="build", runner="make")

    assert work.say(answer).gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize("narrow", ["pytest --collect-only", "pytest -k nothing_like_it"])
def test_a_run_that_executed_nothing_is_not_the_one_to_repeat(narrow: str) -> None:
    work = Work("Parse dates").edit().run(narrow, "not-run").say("It parses dates now. All tests pass.")

    assert work.gate("claims", checkout()).settle == "pytest"


def test_a_narrow_run_that_executed_its_tests_still_is() -> None:
    work = Work("Parse dates").edit().run("pytest -x tests", "failed").say("It parses dates now. All tests pass.")

    assert work.gate("claims", checkout()).settle == "pytest -x tests"


@pytest.mark.parametrize(
    ("command", "kind", "answer"),
    [
        ("./gradlew detekt", "lint", "Rounding is half even and detekt reports no findings."),
        ("golangci-lint run ./...", "lint", "Rows are closed. golangci-lint reports 0 issues."),
        ("mix dialyzer", "typecheck", "The history is capped, dialyzer passes."),
        ("cargo clippy -- -D warnings", "lint", "Two points are rejected; clippy reports no warnings."),
    ],
)
def test_a_checker_of_any_language_said_to_be_clean_whose_last_run_failed_is_contradicted(
    command: str, kind: str, answer: str
) -> None:
    def state(outcome: str) -> State:
        return Work().edit().run().run(command, outcome, kind=kind).say(answer).gate("claims", checkout()).state

    assert (state("failed"), state("passed")) == (State.DISPROVEN, State.PROVEN)


@pytest.mark.parametrize(
    "answer",
    [
        "detekt reports no findings in the new file; two old ones are left.",
        "ktlint is clean.",  # another checker, which never ran here
        "detekt will be clean once the baseline is renewed.",
        "The credo of this module is: pass early.",
    ],
)
def test_what_is_said_of_a_part_or_of_another_checker_of_the_jvm_stands(answer: str) -> None:
    work = Work().edit().run().run("./gradlew detekt", "failed", kind="lint").say(answer)

    assert work.gate("claims", checkout()).state is not State.DISPROVEN


# -- a checker that never ran


@pytest.mark.parametrize(
    ("answer", "command"),
    [
        ("Done. `mypy src` passes.", "mypy src"),
        ("The types are in, and mypy --strict reports no errors.", "mypy --strict"),
        ("Fixed. `ruff check .` is clean.", "ruff check ."),
    ],
)
def test_a_checker_named_as_a_command_that_never_ran_is_contradicted(answer: str, command: str) -> None:
    finding = Work("Make `mypy src` pass").edit("src/core.py").run("pytest -q").say(answer).gate("claims", checkout())

    assert (finding.state, finding.settle) == (State.DISPROVEN, command)
    assert finding.reason == f"the answer says that `{command}` passes, and it never ran in this session"


@pytest.mark.parametrize(
    "work",
    [
        Work().edit("src/core.py").call("pnpm typecheck"),
        Work().edit("src/core.py").call("make check"),
        Work().edit("src/core.py").call("pre-commit run -a"),
        Work().edit("src/core.py").call("python scripts/checks.py"),
        Work().edit("src/core.py").call("grep -n mypy pyproject.toml"),
        Work().edit("src/core.py").call("frobnicate --all"),
        Work().edit("src/core.py").run("tox"),
        Work().edit("src/core.py").run("npx tsc --noEmit", kind="typecheck", runner="tsc"),
        Work().edit("src/core.py").commit(),  # a hook may run it, and print nothing
        Work().edit("src/core.py").push(),
        Work().edit("src/core.py").ci("passed"),
        Work().edit("src/core.py").subagent(),
        Work().edit("README.md", kind="docs"),
        Work().edit("src/core.py").ask("And what says mypy?"),  # it may speak of the person's own run
    ],
)
def test_a_checker_that_something_else_may_have_started_is_not_known(work: Work) -> None:
    assert work.say("Done. `mypy src` passes.").gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    "answer",
    [
        "mypy is clean.",  # an editor shows that too
        "In CI `mypy src` passes.",
        "Run it once more if `mypy src` passes.",
        "You will see that `mypy src` passes.",
        "`mypy src` still passes: only a comment changed.",
        "`mypy src` passed before.",
        "The new job ensures that `mypy src` passes.",
        "`mypy src` was not run.",
        "The acceptance criterion is that `mypy src` passes.",
        "CONTRIBUTING says that `mypy src` passes on every commit.",
    ],
)
def test_what_is_no_claim_of_a_run_in_this_session_stands(answer: str) -> None:
    work = Work().edit("src/core.py").run("pytest -q").say(answer)

    assert work.gate("claims", checkout()).state is not State.DISPROVEN
