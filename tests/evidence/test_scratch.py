"""What is no work: files that the session made for itself, edits that were taken back, runs of another tree."""

from pathlib import Path

import pytest

from ace_reflect.evidence.facts import Ledger, Outcome
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

ROOT = "/home/dev/project"
GREEN = "===== 3 passed in 0.10s ====="
RED = "===== 1 failed, 2 passed in 0.10s ====="


def started(folder: Path, **options: str) -> TranscriptBuilder:
    return session(folder, **options).prompt("Fix the parser")


def work(ledger: Ledger) -> list[str]:
    return [edit.path.removeprefix(f"{ROOT}/") for edit in ledger.edits if edit.is_work]


@pytest.mark.parametrize("command", [
    "python repro.py", "cd /home/dev/project && python3 repro.py 2>&1 | tail -5", "rm repro.py", "git rm -f repro.py",
])  # fmt: skip
def test_a_file_that_is_made_and_run_or_deleted_is_scratch(tmp_path: Path, command: str) -> None:
    built = started(tmp_path).edit(f"{ROOT}/a.py").create(f"{ROOT}/repro.py").bash(command, "x")
    assert work(ledger_of(built)) == ["a.py"]


def test_what_one_line_writes_and_runs_is_scratch(tmp_path: Path) -> None:
    built = started(tmp_path).bash("cat > try.py <<'EOF'\nprint(1)\nEOF\npython try.py", "1")
    ledger = ledger_of(built)
    (run,) = ledger.script_runs
    assert work(ledger) == []
    assert ledger.edits[0].sequence < run.sequence
    assert (run.of_scratch, run.outcome) == (True, Outcome.PASSED)


def test_a_test_that_a_runner_runs_is_kept_and_one_deleted_later_is_not(tmp_path: Path) -> None:
    built = started(tmp_path).create(f"{ROOT}/tests/test_a.py").bash("pytest tests/test_a.py", RED, exit_code=1)  # fmt: skip
    ledger = ledger_of(built)
    assert (work(ledger), ledger.runs[0].of_scratch) == (["tests/test_a.py"], False)
    ledger = ledger_of(built.bash("rm tests/test_a.py"))
    assert (work(ledger), ledger.runs[0].of_scratch) == ([], True)


@pytest.mark.parametrize(("path", "command"), [
    ("tests/test_custom_field.py", "python tests/runtests.py test_custom_field"),
    ("test_try.py", "python -m unittest test_try.TestTry.test_a"),
    ("test_try.py", "python -m pytest test_try.py::test_a -x"),
])  # fmt: skip
def test_a_run_of_scratch_is_known_by_path_or_module(tmp_path, path, command):
    built = started(tmp_path).create(f"{ROOT}/{path}").bash(command, RED, exit_code=1)
    runs = ledger_of(built.bash(f"rm {path}").bash("pytest", GREEN)).runs
    assert [(run.of_scratch, run.outcome) for run in runs] == [(True, Outcome.FAILED), (False, Outcome.PASSED)]  # fmt: skip


@pytest.mark.parametrize("name", ["project.py", "app.py", "home.py"])
def test_a_folder_that_is_called_like_a_scratch_file_is_none(tmp_path, name):
    built = started(tmp_path).create(f"{ROOT}/{name}").bash(f"python {name}; rm {name}")
    (run,) = ledger_of(built.bash("pytest app/tests/test_a.py", GREEN)).runs
    assert not run.of_scratch


@pytest.mark.parametrize(("steps", "files"), [
    (lambda b: b.read(f"{ROOT}/app.py").edit(f"{ROOT}/app.py").bash("python app.py").bash("rm old.py; rm -r build"), ["app.py"]),
    # removing and formatting are no edits, and what was committed stays
    (lambda b: b.bash("rm src/old.py").bash("ruff format .").bash("gofmt -w main.go").bash("npx prettier --write src/a.ts"), []),
    (lambda b: b.edit(f"{ROOT}/a.py").bash("git commit -am x", "[main 1a2b3c4] x").edit(f"{ROOT}/b.py").bash("git checkout ."), ["a.py"]),
])  # fmt: skip
def test_what_is_left_of_a_session_is_its_work(tmp_path, steps, files) -> None:
    assert work(ledger_of(steps(started(tmp_path)))) == files


@pytest.mark.parametrize("path", [
    "/tmp/x.py", "/home/dev/.claude/plans/p.md", "/home/dev/.claude/settings.json", "/etc/hosts", "/home/dev/project/.git/hooks/pre-commit",
])  # fmt: skip
def test_files_outside_the_project_are_scratch_or_none(tmp_path: Path, path: str) -> None:
    assert work(ledger_of(started(tmp_path).create(path))) == []
    inside = started(tmp_path, cwd="/tmp/jobs/app").bash("echo 'x = 1' > a.py")
    assert work(ledger_of(inside)) == ["/tmp/jobs/app/a.py"], "a project of its own"


@pytest.mark.parametrize(("undone", "command"), [
    (True, "git checkout -- src/a.py"), (True, "git checkout -- ."), (True, "git reset --hard"),
    (True, "git stash"), (True, "cd src && git checkout a.py"), (False, "git checkout -- src/b.py"),
    (False, "git checkout main"), (False, "git reset"), (False, "git restore --staged src/a.py"),
])  # fmt: skip
def test_git_takes_an_edit_back_or_leaves_the_file(tmp_path, undone, command):
    ledger = ledger_of(started(tmp_path).edit(f"{ROOT}/src/a.py").bash(command))
    assert [bool(edit.undone) for edit in ledger.edits] == [undone]
    assert work(ledger) == ([] if undone else ["src/a.py"])


def test_an_edit_that_is_taken_back_by_another_is_none_and_runs_between_prove_nothing(tmp_path):
    path = f"{ROOT}/src/a.py"
    built = started(tmp_path).edit(path, "a", "b").bash("pytest", GREEN).edit(path, "b", "c")
    ledger = ledger_of(built.bash("pytest", RED).edit(path, "c", "b"))
    assert [edit.undone for edit in ledger.edits] == ["", "edit", "edit"]
    assert len(ledger.tree_changes) == 1


def test_a_stash_is_put_back_and_runs_between_are_of_the_old_tree(tmp_path: Path) -> None:
    built = started(tmp_path).edit(f"{ROOT}/a.py").bash("git stash && pytest; git stash pop", RED)
    ledger = ledger_of(built.bash("pytest", GREEN))
    assert work(ledger) == ["a.py"]
    assert [run.baseline for run in ledger.runs] == [True, False]


@pytest.mark.parametrize(("before", "run"), [
    ("git worktree add ../base main", "cd ../base && pytest"),
    ("git clone https://github.com/o/r /tmp/r", "cd /tmp/r && pytest"),
])  # fmt: skip
def test_a_run_of_another_tree_is_a_baseline(tmp_path: Path, before: str, run: str) -> None:
    built = started(tmp_path).edit(f"{ROOT}/a.py").bash(before).bash(run, RED)
    runs = ledger_of(built.bash("git checkout -").bash("pytest", RED)).runs
    assert [run.baseline for run in runs] == [True, False]


@pytest.mark.parametrize("place", ["docker compose exec -T web", "ssh dev@box", "wsl -e"])
def test_a_run_behind_a_containers_door_is_of_the_project(tmp_path: Path, place: str) -> None:
    line = f"{place} sh -c 'cd /app && pytest /app/tests'"
    (run,) = ledger_of(started(tmp_path).edit(f"{ROOT}/a.py").bash(line, RED)).runs
    assert not {run.baseline, run.elsewhere, run.of_scratch} - {False}


@pytest.mark.parametrize(("command", "changes"), [
    ("git merge main", 1), ("git pull", 1), ("git stash pop", 1),
    ("git reset --hard origin/main", 1), ("git checkout -b new", 0), ("git stash", 0),
    ("git reset HEAD~1", 0),
])  # fmt: skip
def test_what_puts_other_contents_into_the_tree_is_noted(tmp_path, command, changes):
    built = started(tmp_path).edit(f"{ROOT}/a.py")
    assert len(ledger_of(built.bash(command, "ok")).tree_changes) == changes
    idle = started(tmp_path).bash(command, "Already up to date.")
    assert not ledger_of(idle).tree_changes or command.startswith(("git re", "git stash", "git ch"))  # fmt: skip


@pytest.mark.parametrize("command", [
    "rm -f tests/test_slow.py", "git rm tests/test_b.py", "mv tests/test_a.py /tmp/", "git mv tests/test_a.py tests/test_a.py.bak",
    "sed -i 's/^def test_a/@pytest.mark.skip\\ndef test_a/' tests/test_a.py",
])  # fmt: skip
def test_deleting_or_hiding_a_test_is_quoted(tmp_path: Path, command: str) -> None:
    built = started(tmp_path).read(f"{ROOT}/tests/test_a.py").bash(command)
    assert [(edit.kind, edit.weakened) for edit in ledger_of(built).edits][:1] == [("test", command)]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "code", "files"), [
    ("sed -i 's/a/b/' src/a.py", "ok", 0, ["src/a.py"]), ("mv old.py src/a.py", "ok", 0, []),
    ("mv /tmp/new.py src/a.py", "ok", 0, ["src/a.py"]),
    ("echo 'print(1)' > t.py && python t.py && rm -f t.py", "ok", 0, []),
    ("echo 'print(1)' > t.py; rm other.py", "ok", 0, ["t.py"]),
    ("pytest -q > out.txt 2>/dev/null; cat > /tmp/x.py <<'E'\nE", "ok", 0, []),
    ("echo x > /c/Users/anna/AppData/Local/Temp/claude/D--app/1/scratchpad/a.go", "ok", 0, []),
    # failed or not reached
    ("sed -i s/a/b/ a.py", "sed: can't read a.py: No such file", 2, []),
    ("cd app && sed -i 's/A/B/' a.py; ls", "bash: line 1: cd: app: No such file or directory", 0, []),
    ("cd nowhere && sed -i s/a/b/ d.py && make", "(eval):cd:1: no such file or directory: nowhere", 1, []),
    ("cd app && grep -q A a.py || sed -i 's/A/B/' a.py; ls", "a.py", 0, []),
    ("cd app && sed -i 's/A/B/' a.py b.py && grep -rn A . ; ruff check .", "ok", 0, ["app/a.py", "app/b.py"]),
])  # fmt: skip
def test_what_a_line_wrote_and_reached_is_work(tmp_path, command, output, code, files):
    assert work(ledger_of(started(tmp_path).bash(command, output, exit_code=code))) == files


@pytest.mark.parametrize(("code", "runs"), [
    ("import numpy as np\nfrom scipy.sparse import csr_matrix\nassert csr_matrix(np.eye(2)).shape == (2, 2)\n", 0), ("print(1 + 1)\n", 0),
    ("from app.parser import parse\n", 1), ("from . import parser\n", 1), ("import re, app\n", 1), ("try: import app\nexcept: pass\n", 1),
    ("exec(open('app/parser.py').read())\n", 1), ("import subprocess\n", 1), ("import sys\nsys.stdin.read()\n", 1), ("import random\n", 1), ("import numpy\nnumpy.loadtxt('out.txt')\n", 1), ("$(cat app/parser.py)\n", 1),
])  # fmt: skip
def test_a_script_that_reaches_no_code_but_its_own_is_no_run_of_the_work(tmp_path, code, runs):
    built = started(tmp_path).edit(f"{ROOT}/app/parser.py").edit(f"{ROOT}/random.py")
    built.create(f"{ROOT}/try.py", code).bash("python try.py", "ok").bash(f"python - <<'EOF'\n{code}EOF", "ok")  # fmt: skip
    assert len(ledger_of(built).script_runs) == 2 * runs
    assert (
        len(ledger_of(built.bash("cat a.py | python -; ./python -c 1", "ok")).script_runs)
        == 2 * runs + 2
    )
    product = started(tmp_path).create(f"{ROOT}/app.py", code, overwrite=True).bash("python app.py", "ok")  # fmt: skip
    assert len(ledger_of(product).script_runs) == 1, "the project's own file is the work itself"
