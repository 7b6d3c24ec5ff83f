"""What is shipped, judged with the checkout: tests that run in CI only, husky's silent type check, pushes to main, commits that failed."""

import json
from pathlib import Path

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Finding, Judgement, State
from ace_reflect.gates.words import read_words
from ace_reflect.project.read import read_project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of
from support.transcripts import TranscriptBuilder
from support.work import Work, checkout

PASSED = "===== 3 passed in 0.10s ====="
HUSKY = (
    "\n> dash@2.1.0 test\n> vitest run\n\n Test Files  1 passed (1)\n      Tests  4 passed (4)\n\n"
    "[feat/money 9b0d417] Group thousands\n 1 file changed, 1 insertion(+), 1 deletion(-)"
)


def python(root: Path, instructions: str = "") -> Path:
    (root / "tests").mkdir()
    (root / "tests" / "test_cart.py").write_text("def test_total():\n    assert True\n")
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\n[tool.pytest.ini_options]\n')
    if instructions:
        (root / "CLAUDE.md").write_text(f"# Shop\n\n- {instructions}\n")
    return root


def node(root: Path, hook: str) -> Path:
    scripts = {"build": "tsc -b && vite build", "test": "vitest run", "prepare": "husky"}
    (root / "package.json").write_text(json.dumps({"name": "dash", "scripts": scripts}))
    (root / "src").mkdir()
    (root / "src" / "format.ts").write_text("export const a = 2\n")
    (root / ".husky").mkdir()
    (root / ".husky" / "pre-commit").write_text(hook)
    return root


def judged(root: Path, built: TranscriptBuilder) -> Judgement:
    return judge_stop(ledger_of(built), read_project(str(root)), Settings())


def gate(root: Path, built: TranscriptBuilder, name: str) -> Finding:
    return next(finding for finding in judged(root, built).findings if finding.gate == name)


def session(root: Path) -> TranscriptBuilder:
    return TranscriptBuilder(root / "s.jsonl", cwd=str(root), branch="feat/money")


# -- tests that run in CI only


@pytest.mark.parametrize(
    "instructions",
    [
        "The test suite needs our staging database and runs in CI only; do not run it locally.",
        "Tests only run in CI.",
        "Don't run the tests locally, CI does it.",
        "Never run tests locally; push and let GitHub Actions run them.",
        "Our tests run only on the build server because they need its licence.",
    ],
)
def test_instructions_that_keep_the_tests_to_ci_are_followed(tmp_path: Path, instructions: str) -> None:
    root = python(tmp_path, instructions)

    built = session(root).prompt("Add VAT").edit(f"{root}/shop/tax.py").say("VAT is in; the tests run in CI.")

    assert gate(root, built, "tests").state is State.WAIVED
    assert judged(root, built).verdict.decision == "allow"


@pytest.mark.parametrize(
    "instructions",
    [
        "The e2e tests run in CI only.",
        "The full suite only runs in CI; run the unit tests here.",
        "Do not run the tests locally without Docker.",
        "Don't run the tests locally, run them in the container.",
        "All tests run in CI. Run `pytest` before you push.",
        "We use CI only for releases; run the tests before you commit.",
        "Only commit when the tests pass.",
    ],
)
def test_instructions_that_leave_some_to_be_run_waive_nothing(tmp_path: Path, instructions: str) -> None:
    root = python(tmp_path, instructions)

    built = session(root).prompt("Add VAT").edit(f"{root}/shop/tax.py").say("VAT is in.")

    assert judged(root, built).verdict.decision == "block"


@pytest.mark.parametrize(
    ("text", "waives"),
    [
        ("Add VAT. The tests run in CI only.", True),
        ("Add VAT, don't run the tests locally", True),
        ("Add VAT. Don't run the tests locally, use docker compose", False),
        ("Make the tests run in CI only", False),
        ("The tests pass locally and only fail in CI, fix them", False),
    ],
)
def test_the_persons_own_words_of_it(text: str, waives: bool) -> None:  # noqa: FBT001
    assert any(waiver.gate == "tests" for waiver in read_words(text).waivers) is waives


# -- what husky compiled without a word


@pytest.mark.parametrize("hook", ["npx tsc -b && npm test\n", "npm run typecheck\nnpm test\n"])
def test_a_type_check_in_huskys_hook_is_a_build(tmp_path: Path, hook: str) -> None:
    root = node(tmp_path, hook)
    built = session(root).prompt("Group thousands and commit").edit(f"{root}/src/format.ts")

    built.bash('git commit -am "Group thousands"', HUSKY).say("Done and committed.")

    assert gate(root, built, "build").state is State.PROVEN
    assert judged(root, built).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("hook", "command", "shown"),
    [
        ("npm test\n", 'git commit -am "x"', HUSKY),
        ("npx tsc -b || true\nnpm test\n", 'git commit -am "x"', HUSKY),
        ("npx tsc -b && npm test\n", 'git commit --no-verify -am "x"', HUSKY.rpartition("\n\n")[2]),
        ("npx tsc -b && npm test\n", 'git commit -am "x"', HUSKY.rpartition("\n\n")[2]),  # husky is not installed
    ],
)
def test_a_hook_that_did_not_check_the_types_is_none(tmp_path: Path, hook: str, command: str, shown: str) -> None:
    root = node(tmp_path, hook)
    built = session(root).prompt("Group thousands and commit").edit(f"{root}/src/format.ts")

    assert gate(root, built.bash(command, shown).say("Done."), "build").state is State.DISPROVEN


def test_an_edit_after_the_hook_is_not_built(tmp_path: Path) -> None:
    root = node(tmp_path, "npx tsc -b && npm test\n")
    built = session(root).prompt("Group thousands and commit").edit(f"{root}/src/format.ts")
    built.bash('git commit -am "x"', HUSKY).edit(f"{root}/src/format.ts", "b", "c")

    assert gate(root, built.say("Done."), "build").state is State.DISPROVEN


def test_a_hook_that_is_written_later_is_read(tmp_path: Path) -> None:
    root = node(tmp_path, "npm test\n")
    before = read_project(str(root))
    (root / ".husky" / "pre-commit").write_text("npx tsc --noEmit && npm test\n")

    after = read_project(str(root))

    assert (before.hook_builds, after.hook_builds) == (False, True)
    assert before.stamps != after.stamps


# -- a push past the pull request


def pushed(**push: object) -> Work:
    return Work("Fix the parser").edit().run().commit().push(**push).say("Fixed.")  # type: ignore[arg-type]


def test_what_went_to_main_is_told_once_and_no_empty_pull_request_is_asked_for() -> None:
    project = checkout(wants_pr="Open a pull request for each change.")

    found = pushed(to_default=True)

    assert found.gate("direct_push", project).state is State.DISPROVEN
    assert found.gate("pr", project).silent
    assert "gh pr create" not in found.judge(project).verdict.feedback


def test_a_branch_without_its_pull_request_is_asked_for_one() -> None:
    project = checkout(wants_pr="Open a pull request for each change.")

    assert not pushed(branch="fix/parser").gate("pr", project).silent


# -- a commit that failed


@pytest.mark.parametrize(
    "answer",
    [
        "VAT is added and committed.",
        "Done. The fix is committed.",
        "VAT is in, 34 passed, and committed.",
        "Done: VAT, tests, committed.",
        "All 3 tests pass and it's committed.",
    ],
)
def test_a_commit_that_the_hook_refused_was_not_made(answer: str) -> None:
    done = Work("Add VAT and commit").edit().run().commit("failed").say(answer)

    assert done.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    ("outcome", "answer"),
    [
        ("passed", "VAT is added and committed."),
        ("failed", "The commit fails on mypy. Offsets are stored and committed."),
        ("failed", "VAT is added. It is not committed: mypy complains."),
        ("failed", "VAT is in, 34 passed, ready to be reviewed and committed."),
        ("failed", "VAT is in; mypy has to be happy before it's committed."),
        ("failed", "The commit fails on mypy. Each batch is read, flushed, and committed."),
        ("passed", "VAT is in, 34 passed, and committed."),
        ("failed", "Offsets are committed after each batch."),
    ],
)
def test_one_that_was_made_or_told_of_is_not_contradicted(outcome: str, answer: str) -> None:
    done = Work("Add VAT and commit").edit().run().commit(outcome).say(answer)

    assert done.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    "said", ["The rows are now flushed and committed.", "Each batch gets read, flushed, and committed."]
)
def test_what_a_program_commits_is_no_claim(said: str) -> None:
    done = Work("Fix the importer").edit().run().say(f"Fixed. {said}")

    assert done.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("gh pr checks 5 --watch", State.UNKNOWN),
        ("sleep 20 && gh run watch 7 --exit-status", State.UNKNOWN),
        ("npm run dev", State.DISPROVEN),
    ],
)
def test_ci_that_is_watched_in_the_background_is_not_left_open(tmp_path: Path, command: str, state: State) -> None:
    pushed = (
        "To github.com:acme/app.git\n * [new branch]      feat/money -> feat/money\nhttps://github.com/acme/app/pull/5"
    )
    built = session(node(tmp_path, "")).prompt("Push it and open a pull request")
    built.bash("git push -u origin feat/money && gh pr create --fill", pushed)
    built.background(command, "b1").say("The pull request is up; CI runs.")

    assert gate(tmp_path, built, "ci").state is state
    built.task_notification("b1").say("CI is green.")

    assert gate(tmp_path, built, "ci").state is (State.PROVEN if state is State.UNKNOWN else state)
