"""Files by their names: what they are, and whose."""

import pytest

from ace_reflect.evidence.kinds import edit_kind, is_manifest, is_outside, is_plan_file

KINDS = {
    "code": "src/a.py lib/x.rb main.go App.tsx a.vue schema.sql index.html style.css run.sh notebook.ipynb bin/deploy latest.java contest.py security.py "
    "infra/main.tf api.proto locales/it/a.ts setup.py src/testing.ts attest.go a.PY greatest.js .husky/pre-commit",
    "test": "tests/a.py src/__tests__/x.js a_test.go x.spec.ts x.test.tsx FooTest.java FooTests.cs FooSpec.scala conftest.py test_a.py spec/a_spec.rb "
    "a_test.exs src/test/java/A.java cypress/e2e/a.cy.ts jest.setup.ts features/a.feature tests/fixtures/x.json a.snap tests.py t/a.t a.bats "
    "src/components/Button-test.jsx a_unittest.cc testdata/in.txt TestFoo.java",
    "docs": "README.md docs/a.rst LICENSE CHANGELOG notes.txt SECURITY.md docs/guide.mdx AUTHORS.txt tests/README.md docs/plans/x.md",
    "config": "package.json pyproject.toml a.yaml .github/workflows/ci.yml Dockerfile Dockerfile.dev Makefile .env.local go.mod go.sum yarn.lock Cargo.toml "
    "vite.config.ts .eslintrc.js requirements-dev.txt tsconfig.json CMakeLists.txt .gitignore Gemfile Gemfile.lock justfile mise.toml app.csproj "
    "jest.config.js .gitlab-ci.yml setup.cfg",
    "other": "a.png data.csv notes dist/app.js node_modules/x/y.js coverage/lcov.info target/debug/x.rs font.woff2 a.log .venv/lib/a.py",
}
CASES = [(path, kind) for kind, paths in KINDS.items() for path in paths.split()]


@pytest.mark.parametrize(("path", "kind"), CASES, ids=[path for path, _ in CASES])
def test_a_file_is_known_by_its_name(path: str, kind: str) -> None:
    assert edit_kind(path) == kind
    assert edit_kind(f"/repo/{path}") == kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/coverage/report.py", "code"),
        ("src/main/java/com/acme/target/Foo.java", "code"),
        ("lib/Target/X86/foo.cpp", "code"),
        ("coverage/lcov-report/sorter.js", "other"),
        ("target/debug/build.rs", "other"),
        ("src-tauri/target/x.rs", "other"),
        ("packages/a/src/dist/a.js", "other"),
        ("views/home.haml", "code"),
        ("firmware/blink.ino", "code"),
        ("src/Grammar.g4", "code"),
        ("integration_tests/a.py", "test"),
        ("ui-tests/a.rs", "test"),
        ("MyAppUITests/Flow.swift", "test"),
        ("src/Shop.Tests/Cart.cs", "test"),
        ("src/contests/solve.py", "code"),
        ("features/steps/login.py", "test"),
        ("app/steps/login.py", "code"),
        ("src/api.test-d.ts", "test"),
        (".tool-versions", "config"),
        (".ruby-version", "config"),
        (".prettierignore", "config"),
        (".clang-format", "config"),
        ("Package.resolved", "config"),
        ("phpstan.neon", "config"),
        ("vitest.workspace.ts", "config"),
        (".coverage", "other"),
    ],
)
def test_a_folder_or_an_ending_says_what_a_file_is(path: str, kind: str) -> None:
    assert edit_kind(path) == kind
    assert edit_kind(f"/home/dev/project/{path}") == kind


def test_windows_paths_are_read_too() -> None:
    assert edit_kind("C:\\app\\tests\\a.py") == "test"
    assert is_outside("C:\\Users\\anna\\AppData\\Local\\Temp\\x.py")
    assert not is_outside("C:\\Users\\anna\\app\\x.py")


def test_the_hosts_plans_are_no_edits_and_a_projects_plans_are_documents() -> None:
    assert is_plan_file("/home/anna/.claude/plans/brave-fox.md")
    assert is_plan_file("/home/anna/.claude-work/plans/brave-fox.md")
    assert not is_plan_file("/repo/docs/plans/a.md")
    assert not is_plan_file("/repo/plans/a.py")


@pytest.mark.parametrize("tree", ["/repo/.claude/worktrees/fix", "/home/anna/.claude-worktrees/repo/fix"])
def test_documents_in_a_worktree_that_the_host_made_are_the_projects(tree: str) -> None:
    assert not is_plan_file(f"{tree}/docs/plans/a.md")
    assert is_plan_file(f"{tree}/.claude/plans/a.md")


@pytest.mark.parametrize(
    "path", ["package.json", "a/pyproject.toml", "go.mod", "x/App.csproj", "Makefile", "vitest.config.ts", "pom.xml"]
)
def test_manifests_say_how_a_project_is_built_or_tested(path: str) -> None:
    assert is_manifest(path)


@pytest.mark.parametrize("path", ["a.json", "src/a.py", "README.md", ""])
def test_other_files_are_no_manifests(path: str) -> None:
    assert not is_manifest(path)


@pytest.mark.parametrize(
    ("path", "outside"),
    [
        ("a.py", False),
        ("*", False),
        ("/repo/a.py", False),
        ("/home/anna/app/a.py", False),
        ("$CLAUDE_PROJECT_DIR/a.py", False),
        ("../a.py", True),
        ("/tmp/a.py", True),
        ("/dev/null", True),
        ("/etc/hosts", True),
        ("~/app/a.py", True),
        ("$TMPDIR/a.py", True),
        ("/repo/.git/index.lock", True),
        ("/repo/node_modules/x.js", True),
        ("/home/anna/.claude/plans/x.md", True),
    ],
)
def test_whether_a_path_is_the_projects(path: str, outside: bool) -> None:
    assert is_outside(path) is outside
