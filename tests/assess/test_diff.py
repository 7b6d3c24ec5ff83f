"""The changes of a checkout as a reviewer is shown them, and nothing of the checkout's own is run for it."""

import os
import subprocess
from pathlib import Path

import pytest

from ace_reflect.assess.diff import FILE_CHARS, WHOLE_CHARS, Diff, read_diff
from ace_reflect.assess.git import GitError

GIT = [
    "git",
    "-c",
    "user.name=dev",
    "-c",
    "user.email=dev@example.com",
    "-c",
    "init.defaultBranch=main",
]


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        [*GIT, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit on `main`, which is its remote's too."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q")
    write(
        folder,
        app_dot_py="def a():\n    return 1\n",
        old_dot_py="x = 1\n",
        _dot_gitignore="ignored.log\n",
    )
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "start")
    git(folder, "clone", "-q", "--bare", ".", str(tmp_path / "far.git"))
    git(folder, "remote", "add", "origin", str(tmp_path / "far.git"))
    git(folder, "fetch", "-q", "origin")
    git(folder, "remote", "set-head", "origin", "main")
    return folder


def diff(folder: Path, **options: object) -> Diff:
    return read_diff(str(folder), os.environ, **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------ what is in it


def test_committed_staged_changed_and_untracked_work_is_all_in_it(repository: Path) -> None:
    git(repository, "switch", "-qc", "feature")
    write(repository, app_dot_py="def a():\n    return 2\n")
    git(repository, "commit", "-qam", "committed")
    write(repository, staged_dot_py="staged = 1\n")
    git(repository, "add", "staged.py")
    write(
        repository,
        old_dot_py="x = 2\n",
        new__deep_dot_py="untracked = 1\n",
        ignored_dot_log="noise\n",
    )

    found = diff(repository)

    assert found.files == ("app.py", "new/deep.py", "old.py", "staged.py")
    for line in (
        "-    return 1\n+    return 2\n",
        "+staged = 1\n",
        "-x = 1\n+x = 2\n",
        "+untracked = 1\n",
    ):
        assert line in found.text
    assert "noise" not in found.text
    assert found.base == git(repository, "rev-parse", "main").strip()


def test_a_branch_that_lags_behind_shows_its_own_changes_only(repository: Path) -> None:
    git(repository, "switch", "-qc", "feature")
    write(repository, app_dot_py="def a():\n    return 2\n")
    git(repository, "commit", "-qam", "mine")
    git(repository, "switch", "-q", "main")
    write(repository, theirs_dot_py="theirs = 1\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "theirs")
    git(repository, "push", "-q", "origin", "main")
    git(repository, "switch", "-q", "feature")

    assert diff(repository).files == ("app.py",)


def test_commits_on_the_default_branch_are_told_by_their_number(repository: Path) -> None:
    for number in (2, 3):
        write(repository, app_dot_py=f"def a():\n    return {number}\n")
        git(repository, "commit", "-qam", f"number {number}")
    git(repository, "push", "-q", "origin", "main")

    assert diff(repository).text == ""
    assert "-    return 1\n+    return 3\n" in diff(repository, commits=2).text
    assert "-    return 2\n+    return 3\n" in diff(repository, commits=1).text
    assert diff(repository, commits=40).files == ("app.py",)


def test_without_a_remote_it_is_compared_with_the_local_default_branch(repository: Path) -> None:
    git(repository, "remote", "remove", "origin")
    git(repository, "switch", "-qc", "feature")
    write(repository, app_dot_py="def a():\n    return 2\n")
    git(repository, "commit", "-qam", "committed")

    assert diff(repository).files == ("app.py",)


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, a_dot_py="a = 1\n", b_dot_py="b = 1\n")
    git(tmp_path, "add", "a.py")

    found = diff(tmp_path)

    assert found.files == ("a.py", "b.py")
    assert "+a = 1\n" in found.text


def test_a_work_tree_of_its_own_is_read_as_well(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    write(tmp_path / "side", app_dot_py="def a():\n    return 9\n")

    assert "+    return 9\n" in diff(tmp_path / "side").text
    assert diff(repository).text == ""


def test_a_folder_inside_shows_the_whole_checkout(repository: Path) -> None:
    write(repository, app_dot_py="def a():\n    return 2\n", packages__web__a_dot_js="a\n")

    assert diff(repository / "packages").files == ("app.py", "packages/web/a.js")


def test_deleted_renamed_and_only_touched_files(repository: Path) -> None:
    git(repository, "mv", "old.py", "renamed.py")
    (repository / "app.py").unlink()
    write(repository, _dot_gitignore="ignored.log\n")

    found = diff(repository)

    assert found.files == ("app.py", "renamed.py")
    assert "rename from old.py" in found.text
    assert "deleted file mode" in found.text


def test_names_that_are_no_plain_words(repository: Path) -> None:
    names = ["a b.py", "ä=ö.py", "tab\there.py", "-n.py", "$(touch x).py", "line\nbreak.py"]
    for name in names:
        (repository / name).write_text("odd = 1\n")

    assert set(diff(repository).files) == set(names)


# ------------------------------------------------------------------ what is not


def test_what_the_session_edited_comes_first(repository: Path) -> None:
    write(repository, aaa_dot_py="1\n", zzz_dot_py="2\n")

    assert diff(repository, first=[f"{repository}/zzz.py"]).files[0] == "zzz.py"


def test_it_is_capped_by_whole_files_and_says_what_is_left_out(repository: Path) -> None:
    for number in range(10):
        (repository / f"big{number}.py").write_text(f"value = {number}\n" * 2000)

    found = diff(repository)

    assert len(found.text) <= WHOLE_CHARS
    assert found.text.count("the rest of big") == WHOLE_CHARS // FILE_CHARS
    assert "big9.py (no room)" in found.left_out
    assert len(found.files) == 10


def test_a_change_in_what_is_not_shown_is_a_change(repository: Path) -> None:
    for number in range(10):
        (repository / f"big{number}.py").write_text(f"value = {number}\n" * 2000)
    before = diff(repository)
    (repository / "big9.py").write_text("value = 10\n" * 2000)

    assert diff(repository).text == before.text
    assert diff(repository).digest != before.digest


def test_secrets_stay_here(repository: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    write(
        repository,
        app_dot_py=f"TOKEN = '{key}'\n",
        _dot_env=f"TOKEN={key}\n",
        certs__tls_dot_pem="-----BEGIN X\n",
    )
    (repository / "id_ed25519").write_text("PRIVATE\n")
    git(repository, "add", "id_ed25519")

    found = diff(repository)

    assert key not in found.text
    assert "[REDACTED:github-token]" in found.text
    assert "PRIVATE" not in found.text
    assert {
        ".env (may hold secrets)",
        "certs/tls.pem (may hold secrets)",
        "id_ed25519 (may hold secrets)",
    } <= set(found.left_out)


def test_generated_and_binary_files_are_named_only(repository: Path) -> None:
    write(repository, package_lock="x", web__dist__app_dot_js="x\n")
    (repository / "package-lock.json").write_text("{}\n")
    (repository / "logo.png").write_bytes(b"\x89PNG\0\0" * 10)
    git(repository, "add", "logo.png")

    found = diff(repository)

    assert {
        "package-lock.json (generated)",
        "web/dist/app.js (generated)",
        "logo.png (binary)",
    } <= set(found.left_out)


def test_links_and_pipes_are_not_followed(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "private.txt").write_text("private\n")
    (repository / "link.txt").symlink_to(tmp_path / "outside" / "private.txt")
    (repository / "folder").symlink_to(tmp_path / "outside")
    os.mkfifo(repository / "pipe.py")

    assert "private\n" not in diff(repository).text
    (repository / "old.py").unlink()
    (repository / "old.py").symlink_to(tmp_path / "outside" / "private.txt")
    assert "+private" not in diff(repository).text


def test_where_there_is_no_repository_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="is in no git repository"):
        diff(tmp_path)


def test_a_broken_repository_is_an_expected_failure(repository: Path) -> None:
    (repository / ".git" / "config").write_text("[core\n")

    with pytest.raises(GitError):
        diff(repository)


# ------------------------------------------------------------------ nothing is run


@pytest.fixture
def hostile(repository: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A checkout whose configuration, attributes and hooks leave a mark wherever git would run them."""
    mark = tmp_path / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> {mark}\ncat 2>/dev/null\n')
    script.chmod(0o755)
    hooks = repository / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in (
        "post-index-change",
        "fsmonitor-watchman",
        "pre-auto-gc",
        "reference-transaction",
        "post-checkout",
    ):
        (hooks / name).write_text(script.read_text())
        (hooks / name).chmod(0o755)
    extra = tmp_path / "included"
    extra.write_text(
        f'[filter "in=cluded.x"]\n\tclean = {script} clean\n\tprocess = {script} process\n\trequired = true\n'
    )
    (repository / ".git" / "config").write_text(
        (repository / ".git" / "config").read_text()
        + f"""
[core]
	fsmonitor = {script}
	hooksPath = {hooks}
	pager = {script}
	sshCommand = {script}
	editor = {script}
	worktree = {tmp_path / "outside"}
	excludesFile = {tmp_path / "outside"}
[include]
	path = {extra}
[diff]
	external = {script}
[diff "evil"]
	command = {script}
	textconv = {script}
	cachetextconv = true
[filter "evil"]
	clean = {script}
	smudge = {script}
	process = {script}
	required = true
[alias]
	diff-index = !{script}
	ls-files = !{script}
[remote "origin"]
	promisor = true
	partialclonefilter = blob:none
[pager]
	diff-index = {script}
	ls-files = {script}
[trace2]
	eventTarget = {mark}
"""
    )
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "app.py").write_text("private\n")
    (repository / ".gitattributes").write_text(
        '*.py filter=evil diff=evil\n*.x filter="in=cluded.x"\n'
    )
    (repository / "new.x").write_text("x\n")
    # The same size and time as in the index, so that git has to look at the contents.
    (repository / "app.py").write_text("def a():\n    return 7\n")
    (repository / "old.py").write_text("x = 7\n")
    return repository, mark


def test_nothing_of_the_repository_is_run(
    hostile: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, mark = hostile
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(mark.parent / "evil.sh"))
    monkeypatch.setenv("GIT_DIR", str(mark.parent))

    found = diff(folder)

    assert not mark.exists(), mark.read_text()
    assert "-    return 1\n+    return 7\n" in found.text
    assert "+x\n" in found.text
    assert "private" not in found.text


def test_the_trap_would_have_worked(hostile: tuple[Path, Path]) -> None:
    """Git itself, asked plainly, runs what this repository names: the test above holds something."""
    folder, mark = hostile
    subprocess.run(
        ["git", "--work-tree", str(folder), "diff"], cwd=folder, capture_output=True, check=False
    )

    assert mark.exists()


def test_a_git_inside_the_checkout_is_not_trusted(repository: Path) -> None:
    (repository / "git").write_text("#!/bin/sh\ntouch ran\n")
    (repository / "git").chmod(0o755)

    with pytest.raises(GitError, match="no git"):
        read_diff(str(repository), {"PATH": str(repository)})

    assert not (repository / "ran").exists()


def test_nothing_is_written_into_the_checkout(repository: Path) -> None:
    write(repository, app_dot_py="def a():\n    return 2\n")
    before = {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")}

    diff(repository)

    assert {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")} == before
