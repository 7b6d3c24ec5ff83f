"""What a transcript alone tells of a project that is not on this machine."""

import pytest

from ace_reflect.evidence.facts import Edit, Ledger
from ace_reflect.project.facts import Project, Scope, infer_project, merge

ROOT = "/home/dev/app"


@pytest.mark.parametrize(("root", "met", "scopes"), [
    (ROOT, "api/pyproject.toml api/test_a.py web/tsconfig.json web/package.json Makefile",
     {"": (), "api": ("python",), "web": ("javascript",)}),
    (ROOT, "tests/requirements.txt setup.py", {"": ("python",)}),  # settings of a folder of tests
    (ROOT, "App.sln src/App/App.csproj App.Tests/App.Tests.csproj web/node_modules/x/package.json",
     {"": ("dotnet",)}),  # one build takes in all below
    (ROOT, "/elsewhere/go.mod", {"": ()}),
    ("D:\\code\\app", "D:\\code\\app/src/go.mod /d/code/app/web/package.json",
     {"": (), "src": ("go",), "web": ("javascript",)}),
])  # fmt: skip
def test_packages_are_the_folders_whose_manifests_were_met(
    root: str, met: str, scopes: dict[str, tuple[str, ...]]
) -> None:
    paths = [path if ":" in path or path[0] == "/" else f"{root}/{path}" for path in met.split()]
    edits = tuple(
        Edit(line=3, turn=1, path=path, tool="Edit", kind="config") for path in paths[1::2]
    )
    project = infer_project(Ledger(cwd=root, files_seen=tuple(paths[::2]), edits=edits))

    assert {scope.dir: scope.languages for scope in project.scopes} == scopes
    assert not project.present


def test_the_default_branch_comes_from_the_ledger() -> None:
    ledger = Ledger(cwd=ROOT, default_branch="develop")

    assert infer_project(ledger).default_branch == "develop"
    assert infer_project(Ledger(cwd=ROOT, branch="main")).default_branch is None


def test_what_the_checkout_says_itself_stays() -> None:
    mine = Scope(dir="", languages=("go",), tested=("go",))
    checkout = Project(root=ROOT, present=True, scopes=(mine,), default_branch="trunk")

    project = merge(checkout, infer_project(Ledger(cwd=ROOT, branch="main", default_branch="main")))

    assert (project.scopes, project.default_branch) == ((mine,), "trunk")


def test_without_a_checkout_the_transcript_has_the_word() -> None:
    inferred = infer_project(Ledger(cwd=ROOT, files_seen=(f"{ROOT}/go.mod",)))

    assert merge(Project(), inferred) == inferred
    assert merge(Project(root="/gone"), inferred) == inferred.replace(root="/gone")
