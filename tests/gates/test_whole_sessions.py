"""Whole sessions from transcript to verdict: the kinds of fault that earlier versions had."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, Finding, Judgement, State
from ace_reflect.project.facts import infer_project, merge
from ace_reflect.project.read import read_project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

HOME = "/home/dev/project"
PASSED, FAILED = "===== 3 passed in 0.10s =====", "===== 1 failed, 2 passed in 0.10s ====="
DIFF = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1 +1 @@\n-a = 1\n+a = 3\n"
Step = Callable[[TranscriptBuilder], object]


def judged(built: TranscriptBuilder, root: Path | None = None) -> Judgement:
    ledger = ledger_of(built)
    project = infer_project(ledger)
    project = merge(read_project(str(root)), project) if root else project
    return judge_stop(ledger, project, Settings())


def gate_of(judgement: Judgement) -> Finding:
    return next(finding for finding in judgement.findings if finding.gate == "tests")


def fixed(folder: Path, prompt: str = "Fix the parser") -> TranscriptBuilder:
    """A session whose tests are certain, with an edit of product code after their last run."""
    return session(folder).prompt(prompt).bash("pytest -q", PASSED).edit(f"{HOME}/src/app.py")


# -- finished work is let go


@pytest.mark.parametrize("step", [
    lambda b: b.bash("pytest -q", PASSED).bash("rm scratch.py repro.py"),
    lambda b: b.bash("pytest -q", PASSED).edit(f"{HOME}/README.md"),
    lambda b: b.bash("pytest -q", PASSED).edit(f"{HOME}/src/app.py", "a = 1\n", "\na = 1\n\n"),
    lambda b: b.bash("pytest -q", PASSED).bash("ruff format . && ruff check .", "All checks passed!"),
    lambda b: b.bash("pytest -q", PASSED).bash("git checkout -b fix && git commit -qam x"),
    lambda b: b.bash("pytest -q", PASSED).bash("rm -rf /home/dev/project"),
    lambda b: b.bash("pytest -q 2>&1 | tail -5", PASSED),
    lambda b: b.bash("cd src && pytest ../tests -q", PASSED),
    lambda b: b.bash("pytest -q", PASSED).bash("pytest -q -k slow", FAILED, exit_code=1),
    lambda b: (
        b.bash("pytest -q", PASSED)
        .create(f"{HOME}/test_try.py")
        .bash("python test_try.py", "Traceback\nAssertionError", exit_code=1)
    ),
    lambda b: b.shell("pytest -q", PASSED),
])  # fmt: skip
def test_proven_work_stays_proven(tmp_path: Path, step: Step) -> None:
    built = fixed(tmp_path)
    step(built)
    judgement = judged(built.say("Fixed."))

    assert gate_of(judgement).state is State.PROVEN
    assert judgement.verdict.end_state is EndState.COMPLETE


@pytest.mark.parametrize("step", [
    lambda b: b.bash("git checkout -- src/app.py"),
    lambda b: b.bash("git restore src/app.py"),
    lambda b: b.bash("git stash"),
    lambda b: b.bash("git reset --hard HEAD"),
    lambda b: b.edit(f"{HOME}/src/app.py", "a = 2\n", "a = 1\n"),
])  # fmt: skip
def test_what_was_undone_is_no_work_and_nobody_says_proven(tmp_path: Path, step: Step) -> None:
    built = fixed(tmp_path).bash("pytest -q", PASSED)
    step(built)
    judgement = judged(built.say("Fixed."))

    assert gate_of(judgement).state is State.NOT_APPLICABLE
    assert judgement.verdict.end_state is EndState.NOT_APPLICABLE
    assert judgement.verdict.system_message == ""


@pytest.mark.parametrize(
    "command",
    ["git stash pop", "git cherry-pick abc1234", "git merge main", "git pull", "git revert HEAD"],
)
def test_after_the_tree_changed_nobody_says_proven(tmp_path: Path, command: str) -> None:
    built = fixed(tmp_path).bash("pytest -q", PASSED).bash(command, "Updating 1a2b3c4..5d6e7f8")
    judgement = judged(built.say("Fixed."))

    assert (judgement.verdict.decision, judgement.verdict.complete) == ("allow", False)


# -- unproven work is not


@pytest.mark.parametrize("step", [
    lambda b: b,
    lambda b: b.bash("git status", "nothing to commit, working tree clean"),
    lambda b: b.bash("ruff check . && mypy src", "All checks passed!"),
    lambda b: b.bash("echo pytest"),
    lambda b: b.bash("pytest --version", "pytest 9.0.2"),
    lambda b: b.bash("pytest -q", FAILED, exit_code=1),
    lambda b: b.bash("pytest -q || true", FAILED),
    lambda b: b.bash("npm test", "Tests:       9 passed, 9 total"),
    lambda b: b.bash("pytest -q", PASSED).bash("sed -i s/a/b/ src/app.py"),
    lambda b: b.bash("pytest -q", PASSED).bash(f"git apply <<'EOF'\n{DIFF}EOF"),
])  # fmt: skip
def test_what_no_run_could_have_proven_is_blocked(tmp_path: Path, step: Step) -> None:
    built = fixed(tmp_path)
    step(built)
    judgement = judged(built.say("Fixed."))

    assert gate_of(judgement).state is State.DISPROVEN
    assert judgement.verdict.decision == "block"


@pytest.mark.parametrize("step", [
    lambda b: b.bash("pytest -q > /tmp/out.txt 2>&1; tail -1 /tmp/out.txt", "done"),
    lambda b: b.bash("docker compose exec app pytest -q", "Cannot connect to the Docker daemon", exit_code=1),
    lambda b: b.bash("pytest -q --deselect tests/test_a.py", PASSED),
    lambda b: b.create(f"{HOME}/try.py", "import app\n").bash("python try.py", "ok"),
])  # fmt: skip
def test_what_cannot_be_seen_never_blocks(tmp_path: Path, step: Step) -> None:
    built = fixed(tmp_path)
    step(built)
    judgement = judged(built.say("Fixed."))

    assert gate_of(judgement).state is State.UNKNOWN
    assert (judgement.verdict.decision, judgement.verdict.complete) == ("allow", False)


@pytest.mark.parametrize("command", [
    "git mv tests/test_app.py tests/app_old.py", "mv tests/test_app.py /tmp/", "rm tests/test_app.py",
])  # fmt: skip
def test_a_red_test_that_is_hidden_is_told_and_not_called_proven(
    tmp_path: Path, command: str
) -> None:
    built = (
        fixed(tmp_path)
        .bash("pytest -q", FAILED, exit_code=1)
        .bash(command)
        .bash("pytest -q", PASSED)
    )
    judgement = judged(built.say("Fixed."))

    assert (judgement.verdict.decision, judgement.verdict.complete) == ("allow", False)
    assert "taken out after it had failed" in judgement.verdict.system_message


# -- with a checkout


def checkout(folder: Path) -> Path:
    root = folder / "app"
    (root / "src").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "pyproject.toml").write_text("[project]\nname = 'app'\n[tool.pytest.ini_options]\n")
    (root / "src/app.py").write_text("a = 1\n")
    (root / "tests/test_app.py").write_text("def test_a():\n    assert True\n")
    return root


def test_the_checkout_makes_tests_certain(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    built = (
        session(tmp_path, cwd=str(root)).prompt("Fix it").edit(f"{root}/src/app.py").say("Fixed.")
    )
    judgement = judged(built, root)

    assert judgement.verdict.decision == "block"
    assert gate_of(judgement).settle.endswith("pytest")


# -- words and hand-overs
