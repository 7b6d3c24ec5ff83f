"""What each command of a line is for, what it is limited to, and which files it changes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.programs import RUNNERS, TOOLS

TABLES = Path(__file__).parent.parent / "fixtures"
RECORDED = json.loads((TABLES / "runners" / "index.json").read_text("utf-8"))


def rows(name: str) -> list[Any]:
    return [json.loads(line) for line in (TABLES / name).read_text("utf-8").splitlines()]


LISTS = (TABLES / "commands.txt").read_text("utf-8").split("\n\n[")[1:]


def test_a_command_is_known_by_what_it_runs() -> None:
    """Where no one kind is given, each command's stands before its runner."""
    expected = {}
    for section in LISTS:
        kind, _, entries = section.partition("]")
        for entry in filter(None, map(str.strip, re.split(r" · |\n", entries))):
            command, _, runner = entry.partition(" => ")
            expected[command] = f"{kind}:{runner or command}" if kind else runner
    assert len(expected) > 200
    assert expected == {
        command: ",".join(f"{one.kind}:{one.runner}" for one in classify(command, "/repo"))
        for command in expected
    }


FIELDS = ("targets", "selected", "deselects", "collects_only", "no_verify", "refs", "only_tags")  # fmt: skip

#: command -> what differs from the defaults for the first command in it that is no look; started in /repo
DETAILS = rows("command_details.jsonl")


def details(command: str) -> Any:
    found = next(one for one in classify(command, "/repo") if one.kind is not CommandKind.READ)
    seen: dict[str, Any] = {name: getattr(found, name) for name in FIELDS if getattr(found, name)}
    return json.loads(json.dumps(seen | ({"cwd": found.cwd} if found.cwd != "/repo" else {})))


def test_the_arguments_say_what_is_run_and_where() -> None:
    assert {command: details(command) for command, _ in DETAILS} == dict(DETAILS)


#: command -> files it writes, files it removes; started in /repo
CHANGES = rows("command_changes.jsonl")


def test_the_files_that_the_shell_changes_are_named() -> None:
    for command, *changed in CHANGES:
        found = classify(command, "/repo")
        writes, removes = (
            [path for one in found for path in getattr(one, how)] for how in ("writes", "removes")
        )
        assert [[*dict.fromkeys(writes)], [*dict.fromkeys(removes)]] == changed, command


#: command -> what of the tree git replaces: its name, the paths (none: all of it)
TREES = rows("command_trees.jsonl")


def test_what_git_puts_into_the_tree_is_told() -> None:
    for command, tree, paths in TREES:
        (found,) = classify(command, "/repo")
        assert (found.tree, [*found.tree_paths]) == (tree, paths), command
        assert (found.writes, found.removes) == ((), ())
        assert (found.kind is CommandKind.TREE) == bool(tree)
        assert found.argv[1] not in ("-C", "sub")


@pytest.mark.parametrize(("kind", "command"), [
    ("push", "git stash push"), ("push", "git stash push -m 'push'"), ("push", "echo git push"),
    ("push", "git push --dry-run"), ("push", "git log --grep 'git push'"), ("push", "npm run push-docs"),
    ("edit", "cmd > out.log"), ("edit", "cmd 2> err.log"), ("edit", "make > build.out"),
    ("test", '$runner = "pytest"; Write-Host $runner'), ("test", "$what = $env:TESTS"), ("test", "echo $r = pytest -q"),
])  # fmt: skip
def test_what_only_looks_like_one_is_none(kind: str, command: str) -> None:
    assert kind not in {one.kind for one in classify(command, "/repo")}


@pytest.mark.parametrize("task", ["check", "ci", "verify", "validate", "precommit"])
def test_a_task_that_may_be_anything_is_told_by_its_name_only(task: str) -> None:
    (found,) = classify(f"npm run {task}", "/repo")
    assert (found.kind, found.task) == (CommandKind.SCRIPT, f"npm run {task}")


@pytest.mark.parametrize(("command", "found"), [
    ("cat > test_x.py <<'EOF'\nimport x\nEOF\npython test_x.py", [("edit", ("/repo/test_x.py",), ""), ("script", (), "test_x.py")]),
    ("python - <<'E'\nprint(1)\nE", [("script", (), "")]),
    ("node -e '1'", [("script", (), "")]), ("python -c 1", [("script", (), "")]),
])  # fmt: skip
def test_a_file_is_written_before_it_is_run_and_code_in_the_line_has_none(command, found):
    assert [(one.kind, one.writes, one.script) for one in classify(command, "/repo")] == found


WSL = "/mnt/c/Users/me/app"


@pytest.mark.parametrize(("command", "runner", "cwd"), [
    (".\\gradlew.bat test --no-daemon", "gradle test", "/repo"),
    (".\\.venv\\Scripts\\python.exe -m pytest -q", "pytest", "/repo"),
    ("cd src\\app; npm test", "npm test", "/repo/src/app"),
    ("Set-Location web; npm test", "npm test", "/repo/web"),
    ("cd My\\ Project && npm test", "npm test", "/repo/My Project"),
    ("$r = Invoke-Pester -Path scripts/tests -PassThru; $r.FailedCount", "pester", "/repo"),
    ("$script:out = npm test | Out-String\n$out", "npm test", "/repo"),
    ("if ($true) { $r = cargo test }", "cargo test", "/repo"),
    ('cmd.exe /c "cd /d sub && dotnet test"', "dotnet test", "/repo/sub"),
    ('cmd.exe /c "cd /d C:\\Users\\me\\app && dotnet test"', "dotnet test", WSL),
    ('powershell.exe -NoProfile -Command "cd C:\\Users\\me\\app; dotnet test"', "dotnet test", WSL),
    ("powershell.exe -Command \"Set-Location 'C:\\Users\\me\\app'; dotnet test\"", "dotnet test", WSL),
    ("wsl -e bash -c 'cd /mnt/c/Users/me/app && dotnet test'", "dotnet test", WSL),
])  # fmt: skip
def test_windows_lines_are_read(command: str, runner: str, cwd: str) -> None:
    found = classify(command, WSL if cwd == WSL else "/repo")
    assert [(one.runner, one.cwd) for one in found if one.kind == "test"] == [(runner, cwd)]


#: What a recorded output was printed by and no name tells: a script, a binary, a task called `check`.
NAMELESS = ("clojure a.clj", "g++ ", "gcc -o", "runghc a.hs", "sh a.sh", "npm run check", "git add", "gradle tset", "mvn -B tset", "mvn -B test -DskipTests")  # fmt: skip


def test_what_printed_a_recorded_output_is_known_for_what_it_is() -> None:
    commands = {name: row["command"] for name, row in RECORDED.items() if row.get("command")}
    assert len(commands) > 400
    for name, command in commands.items():
        kinds = {str(one.kind) for one in classify(command, "/repo")}
        wanted = (
            {"build", "lint", "typecheck", "format"} if name.startswith("checks/") else {"test"}
        )
        assert kinds & wanted or command.startswith(NAMELESS), name


def test_a_runner_that_lists_or_explains_itself_runs_nothing() -> None:
    for call in RUNNERS:
        (found,) = classify(f"{call} --version", "/repo")
        assert found.kind is CommandKind.READ, call


def test_the_tables_kinds_are_kinds_and_no_program_is_in_two() -> None:
    kinds = {rule.rpartition(":")[2] for rules in TOOLS.values() for rule in rules.split()}
    assert kinds <= set(CommandKind)
    assert set(TOOLS) & set(RUNNERS) == set()
