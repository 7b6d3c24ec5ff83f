"""What a transcript alone tells of a project that is not on this machine."""

from ace_reflect.evidence.facts import Edit, Ledger
from ace_reflect.project.facts import Project, Scope
from ace_reflect.project.infer import infer_project, merge

ROOT = "/home/dev/app"


def edit(path: str) -> Edit:
    return Edit(line=3, turn=1, path=path, tool="Edit", kind="config")


def test_packages_are_the_folders_whose_manifests_were_met() -> None:
    ledger = Ledger(
        cwd=ROOT,
        files_seen=(
            f"{ROOT}/api/pyproject.toml",
            f"{ROOT}/api/test_a.py",
            "/elsewhere/go.mod",
            f"{ROOT}/Makefile",
        ),
        edits=(edit(f"{ROOT}/web/package.json"), edit(f"{ROOT}/web/tsconfig.json")),
    )

    project = infer_project(ledger)

    assert [(scope.dir, scope.languages) for scope in project.scopes] == [
        ("", ()),
        ("api", ("python",)),
        ("web", ("javascript",)),
    ]
    assert not project.present


def test_settings_in_a_folder_of_tests_make_it_no_package() -> None:
    project = infer_project(
        Ledger(cwd=ROOT, files_seen=(f"{ROOT}/tests/requirements.txt", f"{ROOT}/setup.py"))
    )

    assert [(scope.dir, scope.languages) for scope in project.scopes] == [("", ("python",))]


def test_remote_and_default_branch_come_from_the_ledger() -> None:
    ledger = Ledger(cwd=ROOT, forge_remote="gitlab.com/o/r", default_branch="develop")

    project = infer_project(ledger)

    assert (project.default_branch, project.forge) == ("develop", "gitlab")
    assert infer_project(Ledger(cwd=ROOT, branch="main")).default_branch is None


def test_a_build_that_takes_in_all_below_and_folders_of_others_are_one_package() -> None:
    met = ("App.sln", "src/App/App.csproj", "App.Tests/App.Tests.csproj", "web/package.json")
    other = "web/node_modules/left-pad/package.json"
    files = tuple(f"{ROOT}/{path}" for path in (*met, other))

    project = infer_project(Ledger(cwd=ROOT, files_seen=files))

    assert [(scope.dir, scope.languages) for scope in project.scopes] == [
        ("", ("dotnet",)),
        ("web", ("javascript",)),
    ]


def test_windows_paths_are_one_whichever_shell_wrote_them() -> None:
    project = infer_project(
        Ledger(
            cwd="D:\\code\\app",
            files_seen=("D:\\code\\app/src/go.mod", "/d/code/app/web/package.json"),
        )
    )

    assert [scope.dir for scope in project.scopes] == ["", "src", "web"]


def test_what_the_checkout_says_itself_stays() -> None:
    mine = Scope(dir="", languages=("go",), tested=("go",))
    checkout = Project(root=ROOT, present=True, scopes=(mine,), default_branch="trunk", forge="")

    project = merge(
        checkout, infer_project(Ledger(cwd=ROOT, branch="main", forge_remote="github.com/o/r"))
    )

    assert (project.scopes, project.default_branch, project.forge) == ((mine,), "trunk", "github")


def test_without_a_checkout_the_transcript_has_the_word() -> None:
    inferred = infer_project(Ledger(cwd=ROOT, files_seen=(f"{ROOT}/go.mod",)))

    assert merge(Project(), inferred) == inferred
    assert merge(Project(root="/gone"), inferred) == inferred.replace(root="/gone")
