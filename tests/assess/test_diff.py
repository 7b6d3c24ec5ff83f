"""The changes of a checkout as a reviewer is shown them. What nothing of the checkout's own may do: `tests/security`."""

import os
from pathlib import Path

import pytest

from ace_reflect.assess.diff import FILE_CHARS, WHOLE_CHARS, Diff, GitError, read_diff
from support.programs import git


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def committed(folder: Path, **files: str) -> None:
    write(folder, **files)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "work")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit on `main`, which is its remote's too."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q")
    committed(folder, app_dot_py="a = 1\n", old_dot_py="x = 1\n", _dot_gitignore="ignored.log\n")
    git(folder, "clone", "-q", "--bare", ".", str(tmp_path / "far.git"))
    git(folder, "remote", "add", "origin", str(tmp_path / "far.git"))
    git(folder, "fetch", "-q", "origin")
    git(folder, "remote", "set-head", "origin", "main")
    return folder


def diff(folder: Path, **options: object) -> Diff:
    return read_diff(str(folder), os.environ, **options)  # type: ignore[arg-type]


def test_committed_staged_changed_and_untracked_work_is_all_in_it(repository, tmp_path):
    git(repository, "switch", "-qc", "feature")
    committed(repository, app_dot_py="a = 2\n")
    write(repository, staged_dot_py="staged = 1\n")
    git(repository, "add", "staged.py")
    write(repository, old_dot_py="x = 2\n", new__deep_dot_py="y = 1\n", ignored_dot_log="noise\n")

    found = diff(repository)

    assert found.files == ("app.py", "new/deep.py", "old.py", "staged.py")
    for change in ("-a = 1\n+a = 2\n", "+staged = 1\n", "-x = 1\n+x = 2\n", "+y = 1\n"):
        assert change in found.text
    assert "noise" not in found.text
    assert found.base == git(repository, "rev-parse", "main")
    assert diff(repository, first=[f"{repository}/staged.py"]).files[0] == "staged.py"
    assert diff(repository / "new").files == found.files, "of the whole checkout, from any folder"

    git(tmp_path, "init", "-q", "new")
    write(tmp_path / "new", a_dot_py="a = 1\n", b_dot_py="b = 1\n")
    git(tmp_path / "new", "add", "a.py")
    assert diff(tmp_path / "new").files == ("a.py", "b.py"), "a repository without a commit"


def test_a_work_tree_or_a_branch_that_lags_behind_shows_its_own_changes_only(repository, tmp_path):
    git(repository, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "side"))
    committed(repository, theirs_dot_py="theirs = 1\n")
    write(tmp_path / "side", app_dot_py="a = 9\n")

    assert diff(tmp_path / "side").files == ("app.py",)
    git(repository, "remote", "remove", "origin")
    assert diff(tmp_path / "side").files == ("app.py",), "the local default branch does as well"
    assert diff(repository).text == ""


def test_commits_on_the_default_branch_are_told_by_their_number(repository: Path) -> None:
    for number in (2, 3):
        committed(repository, app_dot_py=f"a = {number}\n")
    git(repository, "push", "-q", "origin", "main")

    assert diff(repository).text == ""
    assert "-a = 1\n+a = 3\n" in diff(repository, commits=2).text
    assert "-a = 2\n+a = 3\n" in diff(repository, commits=1).text
    assert diff(repository, commits=40).files == ("app.py",)


def test_deleted_renamed_touched_and_oddly_named_files(repository: Path) -> None:
    git(repository, "mv", "old.py", "renamed.py")
    (repository / "app.py").unlink()
    write(repository, _dot_gitignore="ignored.log\n")
    names = ["a b.py", "ä=ö.py", "-n.py", "$(touch x).py", "tab\there.py", "line\nbreak.py"]
    for name in names:
        (repository / name).write_text("odd = 1\n")

    found = diff(repository)

    odd = {name.replace("\t", "\\t").replace("\n", "\\n") for name in names}
    assert set(found.files) == {"app.py", "renamed.py"} | odd
    assert "rename from old.py" in found.text
    assert "deleted file mode" in found.text
    assert not (repository / "x").exists()


def test_it_is_capped_by_whole_files_and_says_what_is_left_out(repository: Path) -> None:
    for number in range(10):
        (repository / f"big{number}.py").write_text(f"value = {number}\n" * 2000)

    found = diff(repository)

    assert len(found.text) <= WHOLE_CHARS
    assert found.text.count("characters cut") == WHOLE_CHARS // FILE_CHARS - 1
    assert "big9.py (no room)" in found.left_out
    assert len(found.files) == 10
    (repository / "big9.py").write_text("value = 10\n" * 2000)
    assert diff(repository).text == found.text
    assert diff(repository).digest != found.digest, "a change in what is not shown is a change"


def test_secrets_stay_here_and_what_nobody_reviews_is_named_only(repository: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    write(repository, app_dot_py=f"TOKEN = '{key}'\n", _dot_env=f"T={key}\n", c__t_dot_pem="X\n")
    write(repository, _dot_env_dot_example="TOKEN=\n", web__dist__a_dot_js="x\n")
    (repository / "id_ed25519").write_text("PRIVATE\n")
    (repository / "package-lock.json").write_text("{}\n")
    (repository / "logo.png").write_bytes(b"\x89PNG\0\0" * 10)
    git(repository, "add", "id_ed25519", "logo.png")

    found = diff(repository)

    assert key not in found.text
    assert "[REDACTED:github-token]" in found.text
    assert "PRIVATE" not in found.text
    assert set(found.left_out) == {
        ".env (may hold secrets)", "c/t.pem (may hold secrets)", "id_ed25519 (may hold secrets)",
        "package-lock.json (generated)", "web/dist/a.js (generated)", "logo.png (binary)",
    }  # fmt: skip


def test_links_pipes_and_the_environment_lead_nowhere_else(repository, tmp_path, monkeypatch):
    write(tmp_path / "outside", private_dot_txt="private\n", app_dot_py="private\n")
    (repository / "link.txt").symlink_to(tmp_path / "outside" / "private.txt")
    (repository / "folder").symlink_to(tmp_path / "outside")
    os.mkfifo(repository / "pipe.py")
    (repository / "old.py").unlink()
    (repository / "old.py").symlink_to(tmp_path / "outside" / "private.txt")
    git(repository, "config", "core.worktree", str(tmp_path / "outside"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "outside"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "cat")

    assert "+private" not in diff(repository).text


def test_a_git_in_the_checkout_is_not_run_and_a_failure_is_said(repository, tmp_path):
    write(repository, git="#!/bin/sh\ntouch ran\n", app_dot_py="a = 2\n")
    (repository / "git").chmod(0o755)
    before = {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")}

    with pytest.raises(GitError, match="no git"):
        read_diff(str(repository), {"PATH": str(repository)})
    diff(repository)

    assert not (repository / "ran").exists()
    assert {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")} == before
    (repository / ".git" / "index").write_text("broken")
    with pytest.raises(GitError, match="failed"):
        diff(repository)
    with pytest.raises(GitError, match="is in no git repository"):
        diff(tmp_path)


@pytest.mark.parametrize("kind", ["worktree", "repository", "without a commit", "dangling", "pipe"])
def test_what_is_no_file_in_a_checkout_hides_no_change(kind, repository):
    """A nested repository, as `git worktree add .claude/worktrees/t1` makes one: git gives no diff of it."""
    nested = repository / "nested"
    if kind == "worktree":
        git(repository, "worktree", "add", "-q", "-b", "t1", str(nested))
    elif kind == "dangling":
        write(repository, nested___dot_git="gitdir: /nowhere\n", nested__a_dot_py="a = 1\n")
    elif kind == "pipe":
        os.mkfifo(nested)
    else:
        git(repository, "init", "-q", "nested")
        write(nested, x_dot_py="x = 1\n")
        if kind == "repository":
            committed(nested, x_dot_py="x = 2\n")
    write(repository, app_dot_py="a = 2\n", zz_dot_py="z = 1\n")

    assert {"app.py", "zz.py"} <= set(diff(repository).files)
