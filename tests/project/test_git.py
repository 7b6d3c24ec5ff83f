"""Branch, remotes and default branch of real repositories, and of damaged ones."""

import subprocess
from pathlib import Path

import pytest

from ace_reflect.project.git import read_git
from ace_reflect.project.read import read_project


def git(root: Path, *words: str) -> None:
    root.mkdir(exist_ok=True)
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)


def test_branch_remotes_and_default_branch_are_read_without_running_git(tmp_path: Path) -> None:
    """What origin/HEAD names is believed before a branch called main."""
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "remote", "add", "fork", "git@gitlab.com:me/x.git")
    git(tmp_path, "remote", "add", "origin", "https://me:secret-word@github.com/owner/x.git")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
    git(tmp_path, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release/next")
    git(tmp_path, "checkout", "-q", "-b", "feature/main-menu")

    (tmp_path / "app").mkdir()

    found, project = read_git(str(tmp_path / "app")), read_project(str(tmp_path))

    assert (found.branch, found.top) == ("feature/main-menu", str(tmp_path))
    assert (found.remotes, found.gitlab, project.gitlab) == (("origin", "fork"), True, True)
    assert project.default_branch == "release/next"
    assert "secret-word" not in f"{found} {project}"
    git(tmp_path, "checkout", "-q", "--detach")
    assert read_git(str(tmp_path)).branch is None


def test_a_worktree_is_followed(tmp_path: Path) -> None:
    main = tmp_path / "main"
    git(main, "init", "-q", "-b", "master")
    git(main, "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/next")
    git(main, "worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))

    found = read_git(str(tmp_path / "tree"))

    assert (found.branch, found.default_branch) == ("side", "next")
    assert found.top == str(tmp_path / "tree")


@pytest.mark.parametrize(
    "text", ["gitdir: ../../../../nowhere", "gitdir: .\n", "gitdir:", "nonsense"]
)
def test_a_pointer_to_nowhere_is_no_repository(text: str, tmp_path: Path) -> None:
    (tmp_path / ".git").write_text(text)

    assert read_git(str(tmp_path)).branch is None
