"""What a transcript alone tells of a project that is not on this machine."""

from pathlib import Path

from ace_reflect.evidence.facts import CommandKind, Edit, Ledger, Outcome, Push, Run
from ace_reflect.evidence.read import read_ledger
from ace_reflect.project.facts import Project, Scope
from ace_reflect.project.infer import infer_project, merge
from support.transcripts import TranscriptBuilder

ROOT = "/home/dev/app"


def run(
    command: str,
    runner: str,
    *,
    cwd: str = ROOT,
    kind: CommandKind = CommandKind.TEST,
    line: int = 5,
    targets: tuple[str, ...] = (),
) -> Run:
    return Run(
        line=line,
        turn=1,
        command=command,
        kind=kind,
        runner=runner,
        outcome=Outcome.PASSED,
        why="exit 0",
        cwd=cwd,
        targets=targets,
    )


def test_a_test_command_in_use_shows_that_there_are_tests() -> None:
    project = infer_project(Ledger(cwd=ROOT, runs=(run("pytest -q", "pytest"),)))

    assert (project.present, project.has_tests, project.test_command) == (False, True, "pytest -q")
    assert "line 5" in project.scopes[0].tests_evidence


def test_a_whole_run_is_a_better_example_than_a_narrow_one() -> None:
    runs = (run("mise run test", "mise run test"), run("go test ./x", "go test", targets=("./x",)))

    assert infer_project(Ledger(cwd=ROOT, runs=runs)).test_command == "mise run test"


def test_the_command_is_shown_without_what_hid_its_result(tmp_path: Path) -> None:
    session = TranscriptBuilder(tmp_path / "s.jsonl", cwd=ROOT)
    session.prompt("Test it").bash("git stash && cd web && npm test 2>&1 | tail -5; git stash pop", "3 passed").write()

    project = infer_project(read_ledger(str(tmp_path / "s.jsonl")))

    assert [scope.test_command for scope in project.scopes if scope.dir == "web"] == ["cd web && npm test"]


def test_a_command_by_itself_is_shown_as_it_was_typed() -> None:
    assert infer_project(Ledger(cwd=ROOT, runs=(run("npm test > out.txt", "npm test"),))).test_command == "npm test"


def test_the_plainest_of_whole_runs_is_the_example() -> None:
    runs = (run("mise run test", "mise run test"), run("mise run test:e2e", "mise run test:e2e"))

    assert infer_project(Ledger(cwd=ROOT, runs=runs)).test_command == "mise run test"


def test_an_edited_test_shows_tests_in_its_own_package_only() -> None:
    edit = Edit(line=3, turn=1, path=f"{ROOT}/web/src/a.test.ts", tool="Edit", kind="test")
    scratch = Edit(line=4, turn=1, path="/tmp/claude/scratchpad/x_test.go", tool="Write", kind="test")

    project = infer_project(Ledger(cwd=ROOT, edits=(edit, scratch), files_seen=(f"{ROOT}/web/package.json",)))

    assert [(scope.dir, scope.has_tests) for scope in project.scopes] == [("", False), ("web", True)]


def test_packages_are_told_by_where_npm_runs_and_manifests_were_seen() -> None:
    runs = (
        run("cd web && npm test", "npm test", cwd=f"{ROOT}/web"),
        run("cd api/tests && pytest", "pytest", cwd=f"{ROOT}/api/tests"),
        run("cd /elsewhere && pytest", "pytest", cwd="/elsewhere"),
    )

    project = infer_project(Ledger(cwd=ROOT, runs=runs, files_seen=(f"{ROOT}/api/pyproject.toml",)))

    assert [(scope.dir, scope.has_tests) for scope in project.scopes] == [("", False), ("api", True), ("web", True)]


def test_a_script_or_an_edited_test_is_a_sign_of_tests_too() -> None:
    scripted = infer_project(
        Ledger(cwd=ROOT, scripts_seen=(f"{ROOT}\ttest\tvitest run", f"{ROOT}/x\ttest\techo no test specified"))
    )
    edited = infer_project(
        Ledger(cwd=ROOT, edits=(Edit(line=3, turn=1, path=f"{ROOT}/tests/test_a.py", tool="Edit", kind="test"),))
    )

    assert scripted.has_tests
    assert edited.has_tests
    assert not infer_project(Ledger(cwd=ROOT)).has_tests


def test_remote_and_default_branch_come_from_pushes() -> None:
    push = Push(
        line=1, turn=1, command="git push", branch="master", outcome=Outcome.PASSED, quote="a..b master -> master"
    )

    project = infer_project(Ledger(cwd=ROOT, forge_remote="gitlab.com/o/r", pushes=(push,)))

    assert (project.default_branch, project.forge, project.has_remote) == ("master", "gitlab", True)
    assert infer_project(Ledger(cwd=ROOT)).has_remote is None


def test_windows_paths_are_one_whichever_shell_wrote_them() -> None:
    project = infer_project(
        Ledger(
            cwd="D:\\code\\app",
            runs=(run("go test ./...", "go test", cwd="/d/code/app/src"),),
            files_seen=("D:\\code\\app/src/go.mod",),
        )
    )

    assert [(scope.dir, scope.has_tests) for scope in project.scopes] == [("", False), ("src", True)]


class TestMerge:
    def test_a_checkout_is_completed_by_the_test_command_in_use(self) -> None:
        checkout = Project(root=ROOT, present=True, scopes=(Scope(dir="", manifests=("setup.py",)),))

        project = merge(checkout, infer_project(Ledger(cwd=ROOT, runs=(run("./check.sh", "script"),))))

        assert (project.present, project.has_tests, project.test_command) == (True, True, "./check.sh")

    def test_what_the_checkout_says_itself_stays(self) -> None:
        mine = Scope(
            dir="", manifests=("go.mod",), test_command="go test ./...", has_tests=True, tests_evidence="a_test.go"
        )

        project = merge(
            Project(root=ROOT, present=True, scopes=(mine,)),
            infer_project(Ledger(cwd=ROOT, runs=(run("go test ./x", "go test"),))),
        )

        assert project.scopes == (mine,)

    def test_a_folder_without_a_manifest_belongs_to_the_one_above(self) -> None:
        checkout = Project(root=ROOT, present=True, scopes=(Scope(dir="", manifests=("setup.py",)),))
        inferred = Project(
            root=ROOT, scopes=(Scope(dir="src/deep", test_command="pytest", has_tests=True, tests_evidence="line 1"),)
        )

        project = merge(checkout, inferred)

        assert [(scope.dir, scope.has_tests) for scope in project.scopes] == [("", True)]

    def test_without_a_checkout_the_transcript_has_the_word(self) -> None:
        inferred = infer_project(Ledger(cwd=ROOT, runs=(run("pytest", "pytest"),)))

        assert merge(Project(root="/gone"), inferred).has_tests
