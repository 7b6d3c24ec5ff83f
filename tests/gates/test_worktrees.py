"""What was edited in a working copy beside the checkout is proven there, not by the tests of the checkout."""

from pathlib import Path

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Judgement
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder
from support.work import ROOT, checkout

TREE = "/home/dev/project-retry"
PASSED = "===== 3 passed in 0.10s ====="
MADE = "Preparing worktree (new branch 'retry')\nHEAD is now at 1a2b3c4 Parser"


def judged(built: TranscriptBuilder) -> Judgement:
    return judge_stop(ledger_of(built.say("Uploads are retried.")), checkout(), Settings())


def in_worktree(tmp_path: Path, made: str = "git worktree add ../project-retry -b retry") -> TranscriptBuilder:
    built = session(tmp_path).prompt("Retry uploads, in a worktree").bash(made, MADE)
    return built.edit(f"{TREE}/src/upload.py")


@pytest.mark.parametrize(
    "made",
    [
        "git worktree add ../project-retry -b retry",
        "git worktree add -b retry /home/dev/project-retry origin/main",
        "git -C /home/dev/project worktree add --force ../project-retry",
        'cd .. && git -C project worktree add "$PWD/project-retry"',
    ],
)
def test_tests_of_the_checkout_prove_nothing_of_its_worktree(tmp_path: Path, made: str) -> None:
    judgement = judged(in_worktree(tmp_path, made).bash("pytest -q", PASSED))

    assert judgement.verdict.decision == "block"
    assert f"cd {TREE} && pytest" in judgement.verdict.feedback


@pytest.mark.parametrize(
    "command",
    [
        "cd ../project-retry && pytest -q",
        "(cd ../project-retry && pytest -q tests/test_upload.py)",
        f"pytest -q {TREE}/tests",
        "cd /home/dev/project-retry/src && pytest -q",
        "make -C ../project-retry test",
        "uv run --directory ../project-retry pytest",
        "PYTHONPATH=../project-retry/src pytest -q ../project-retry/tests",
        'cd "$TREE" && pytest -q',
        "docker run -v $PWD/../project-retry:/app app pytest -q",
    ],
)
def test_tests_that_ran_in_the_worktree_prove_it(tmp_path: Path, command: str) -> None:
    assert judged(in_worktree(tmp_path).bash(command, PASSED)).verdict.decision == "allow"


def test_a_session_that_went_into_the_worktree_tests_it(tmp_path: Path) -> None:
    built = in_worktree(tmp_path).bash("cd ../project-retry", "")
    built.cwd = TREE

    assert judged(built.bash("pytest -q", PASSED)).verdict.decision == "allow"


@pytest.mark.parametrize(
    "taken",
    [
        "git merge --no-ff retry",
        "git cherry-pick retry",
        "cp ../project-retry/src/upload.py src/upload.py",
        "git -C ../project-retry diff | git apply",
        "git worktree remove ../project-retry --force",
        "gh pr merge 12 --squash && git pull",
    ],
)
def test_work_that_was_taken_over_is_tested_in_the_checkout(tmp_path: Path, taken: str) -> None:
    assert judged(in_worktree(tmp_path).bash(taken, "").bash("pytest -q", PASSED)).verdict.decision == "allow"


def test_a_rebase_in_the_worktree_takes_nothing_over(tmp_path: Path) -> None:
    built = (
        in_worktree(tmp_path)
        .bash("git -C ../project-retry rebase main", "Successfully rebased")
        .bash("pytest -q", PASSED)
    )

    assert judged(built).verdict.decision == "block"


@pytest.mark.parametrize(
    "made",
    ["git worktree list", "git worktree add /tmp/base main", "git worktree add $WORK/fix", "ls ../project-retry"],
)
def test_files_beside_the_checkout_that_are_no_worktree_of_this_session_make_no_debt(tmp_path: Path, made: str) -> None:
    assert judged(in_worktree(tmp_path, made).bash("pytest -q", PASSED)).verdict.decision == "allow"


def test_a_worktree_that_could_not_be_made_is_none(tmp_path: Path) -> None:
    built = (
        session(tmp_path)
        .prompt("Retry uploads")
        .bash("git worktree add ../project-retry", "fatal: exists", exit_code=128)
    )

    assert ledger_of(built).worktrees == ()


def test_edits_of_the_checkout_are_proven_there_whatever_worktree_there_is(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Retry uploads").bash("git worktree add ../project-base main", MADE)
    built.edit(f"{ROOT}/src/upload.py").bash("cd ../project-base && pytest -q", PASSED)

    assert judged(built).verdict.decision == "block"
    assert judged(built.bash("pytest -q", PASSED)).verdict.decision == "allow"


@pytest.mark.parametrize("removed", ["git worktree remove --force ../project-retry", "git worktree remove -f {tree}"])
def test_what_was_only_tried_is_gone_with_its_worktree(tmp_path: Path, removed: str) -> None:
    built = in_worktree(tmp_path).bash("cd ../project-retry && pytest -q", "1 failed, 2 passed in 0.1s", exit_code=1)
    assert judged(built).verdict.decision == "block"

    assert judged(built.bash(removed.format(tree=TREE), "")).verdict.decision == "allow"


def test_what_was_committed_outlives_its_worktree(tmp_path: Path) -> None:
    built = in_worktree(tmp_path).bash("cd ../project-retry && pytest -q", "1 failed, 2 passed in 0.1s", exit_code=1)
    built.bash("cd ../project-retry && git commit -qam 'Retry' && git log --oneline -1", "9a8b7c6 Retry")

    assert judged(built.bash("git worktree remove --force ../project-retry", "")).verdict.decision == "block"


def test_what_is_committed_in_the_line_that_removes_the_worktree_outlives_it(tmp_path: Path) -> None:
    built = in_worktree(tmp_path).bash("cd ../project-retry && pytest -q", "1 failed, 2 passed in 0.1s", exit_code=1)
    built.bash("git -C ../project-retry commit -qam 'Retry' && git worktree remove -f ../project-retry", "")

    assert judged(built).verdict.decision == "block"


def test_a_worktree_that_git_did_not_remove_keeps_its_debt(tmp_path: Path) -> None:
    built = in_worktree(tmp_path).bash("cd ../project-retry && pytest -q", "1 failed, 2 passed in 0.1s", exit_code=1)
    locked = "fatal: cannot remove a locked working tree, use 'remove -f -f' to override or unlock first"

    judgement = judged(built.bash("git worktree remove --force ../project-retry", locked, exit_code=128))

    assert judgement.verdict.decision == "block"
