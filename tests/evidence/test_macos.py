"""
A Mac's own: /tmp and /var stand in /private and are known by both names, one folder whichever was typed; programs that
start another.
"""

from pathlib import Path

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Ledger
from ace_reflect.evidence.kinds import is_outside, spelled_as
from ace_reflect.gates.debt import debts
from ace_reflect.project.infer import infer_project
from support.ledgers import ledger_of, session

PASSED = "3 passed in 0.02s"
TEMPORARY = "/var/folders/9x/k3/T"
SPELLINGS = [
    ("/private/tmp/app", "/tmp/app"),
    ("/tmp/app", "/private/tmp/app"),
    (f"/private{TEMPORARY}/app", f"{TEMPORARY}/app"),
    (f"{TEMPORARY}/app", f"/private{TEMPORARY}/app"),
]


def unproven(ledger: Ledger) -> list[str]:
    return [edit.path for debt in debts(ledger, infer_project(ledger)) if not debt.after for edit in debt.edits]


@pytest.mark.parametrize(("cwd", "typed"), SPELLINGS)
@pytest.mark.parametrize(
    "command", ["cd {} && pytest -q", "(cd {}; pytest -q)", "pytest -q --rootdir={}", "uv run --directory {} pytest -q"]
)
def test_tests_run_in_the_project_by_its_other_name_prove_it(
    tmp_path: Path, cwd: str, typed: str, command: str
) -> None:
    built = session(tmp_path, cwd=cwd).prompt("Fix it").edit(f"{cwd}/app.py", "a = 1", "a = 2")
    ledger = ledger_of(built.bash(command.format(typed), PASSED))

    assert [run.cwd for run in ledger.runs] == [cwd]
    assert unproven(ledger) == []


@pytest.mark.parametrize(("cwd", "typed"), SPELLINGS)
def test_an_edit_by_the_other_name_is_the_projects(tmp_path: Path, cwd: str, typed: str) -> None:
    built = session(tmp_path, cwd=cwd).prompt("Fix it").bash("pytest -q", PASSED)
    for step in (
        built.edit(f"{typed}/a.py", "a = 1", "a = 2"),
        built.bash(f"sed -i '' s/1/2/ {typed}/b.py"),
        built.bash(f"cd {typed} && sed -i '' s/1/2/ c.py"),
    ):
        ledger = ledger_of(step)

    assert [edit.path for edit in ledger.edits] == [f"{cwd}/{name}.py" for name in "abc"]
    assert unproven(ledger) == [f"{cwd}/{name}.py" for name in "abc"]


@pytest.mark.parametrize(("cwd", "_typed"), SPELLINGS)
def test_another_folder_there_is_not_the_projects(tmp_path: Path, cwd: str, _typed: str) -> None:
    built = session(tmp_path, cwd=cwd).prompt("Fix it").edit(f"{cwd}/app.py", "a = 1", "a = 2")
    ledger = ledger_of(built.bash("cat > /tmp/app-trial.py <<< 'x = 1'").bash("cd /tmp/other && pytest -q", PASSED))

    assert [edit.path for edit in ledger.edits] == [f"{cwd}/app.py"]
    assert unproven(ledger) == [f"{cwd}/app.py"]


@pytest.mark.parametrize("path", ["/private/app/x.py", "/tmpfs/x.py", "/Users/anna/private/tmp/x.py", "/etc/hosts"])
def test_other_paths_stay_as_they_were_typed(path: str) -> None:
    assert spelled_as("/private/tmp/app", path) == path
    assert spelled_as("/Users/anna/app", path) == path


def test_what_the_system_keeps_in_private_is_no_projects() -> None:
    assert is_outside("/private/var/www/x.py")
    assert is_outside("/private/etc/x.py")


@pytest.mark.parametrize(
    "starter",
    [
        "arch -arm64",
        "arch -arch x86_64",
        "caffeinate -ims",
        "gnice -n 5",
        "gstdbuf -oL",
        "sandbox-exec -f quiet.sb",
        "taskpolicy -c utility",
        "xcrun --sdk macosx",
    ],
)
def test_tests_that_a_program_of_macos_starts_are_tests(starter: str) -> None:
    (command,) = classify(f"{starter} swift test", "/Users/anna/app")
    assert (command.kind, command.runner) == (CommandKind.TEST, "swift test")


@pytest.mark.parametrize("command", ["arch", "sandbox-exec -h", "taskpolicy -p 12", "xcrun --find swift"])
def test_such_a_program_that_starts_none_runs_none(command: str) -> None:
    assert all(found.kind is not CommandKind.TEST for found in classify(command, "/Users/anna/app"))
