"""Files by their names: what they are, of which language, and where they lie."""

import pytest

from ace_reflect.evidence.files import (
    absolute,
    edit_kind,
    is_test_file,
    is_unit_test,
    language_of,
    manifest_language,
    relative,
)

KINDS = {
    "code": "src/a.py .claude/worktrees/fix/src/a.py lib/x.rb main.go App.tsx a.vue run.sh notebook.ipynb latest.java contest.py security.py src/testing.ts attest.go a.PY greatest.js "
    "src/coverage/report.py src/main/java/com/acme/target/Foo.java lib/Target/X86/foo.cpp firmware/Testing.java src/contests/solve.py src/i18n/index.ts Testimonial.kt",
    "test": "tests/test_a.py src/__tests__/x.js a_test.go x.spec.ts x.test.tsx FooTest.java FooTests.cs FooSpec.scala conftest.py test_a.py spec/a_spec.rb a_test.exs "
    "cypress/e2e/a.cy.ts tests.py t/a.t a.bats src/components/Button-test.jsx a_unittest.cc TestFoo.java tests/api.rs UnitTest1.cs a.t.sol "
    "src/api.test-d.ts HTTPTest.java FooIT.java e2e/helpers.ts MyAppUITests/FlowTests.swift test/app_test.dart",
    "docs": "README.md docs/a.rst LICENSE CHANGELOG notes.txt SECURITY.md docs/guide.mdx AUTHORS.txt tests/README.md docs/plans/x.md",
    "config": "setup.py package.json pyproject.toml a.yaml .github/workflows/ci.yml .claude/hooks/log.py .storybook/main.ts docs/conf.py Dockerfile Dockerfile.dev Makefile .env.local go.mod go.sum yarn.lock Cargo.toml vite.config.ts "
    ".eslintrc.js requirements-dev.txt tsconfig.json CMakeLists.txt .gitignore Gemfile Gemfile.lock justfile mise.toml app.csproj jest.config.js .gitlab-ci.yml setup.cfg "
    ".tool-versions .ruby-version .prettierignore .clang-format Package.resolved phpstan.neon vitest.workspace.ts .husky/pre-commit build.gradle.kts build.rs infra/main.tf",
    "other": "a.png data.csv notes dist/app.js node_modules/x/y.js coverage/lcov.info font.woff2 a.log .venv/lib/a.py index.html style.css a.snap "
    "tests/fixtures/x.py locales/it/a.ts src/locales/de.ts lang/en/messages.php src/i18n/pt-BR.ts .coverage api.proto types.d.ts views/home.blade.php testdata/in.go "
    "packages/a/src/dist/a.js src/api_pb2.py",
}


def test_a_file_is_known_by_its_name() -> None:
    for path, kind in ((path, kind) for kind, paths in KINDS.items() for path in paths.split()):
        windows = "D:\\project\\" + path.replace("/", "\\")
        assert [edit_kind(p) for p in (path, f"/home/dev/{path}", windows)] == [kind] * 3, path


@pytest.mark.parametrize(("is_test", "is_unit", "kind", "paths"), [
    # a folder alone makes no test of its language
    (False, False, "code", "test/server.js tests/helpers.py spec/support/api.rb src/test/java/Data.java testing/app.go t/lib.pm src/e2e.ts src/fancy.py"),
    (False, False, "config", "playwright.config.ts"), (True, False, "other", ".venv/lib/numpy/conftest.py node_modules/a/index.test.js"),
    (True, False, "test", "e2e/login.spec.ts a.cy.ts apps/web-e2e/src/a.spec.ts tests/e2e/test_login.py login.e2e-spec.ts test_e2e.py D:\\x\\E2E\\a_test.go"),
    (False, False, "test", "cypress/support/commands.js"),
    (True, True, "test", "src/a.test.ts tests/test_app.py src/cycle.spec.ts"),
])  # fmt: skip
def test_tests_are_unit_tests_or_end_to_end(is_test, is_unit, kind, paths):
    for path in paths.split():
        assert (is_test_file(path), is_unit_test(path), edit_kind(path)) == (is_test, is_unit, kind)


LANGUAGES = {"a.tsx": "javascript", "A.kt": "jvm", "a.hpp": "c", "a.d.ts": "", "a.css": "", "a.b/c": "", "a.sh": "shell", ".py": "python", "": ""}  # fmt: skip
MANIFESTS = {"package.json": "javascript", "a/pyproject.toml": "python", "go.mod": "go", "x\\App.csproj": "dotnet", "Makefile": "", "pom.xml": "jvm", "a.gemspec": "ruby"}  # fmt: skip


def test_languages_are_families_of_extensions_and_manifests_say_how_a_project_is_built() -> None:
    assert {path: language_of(path) for path in LANGUAGES} == LANGUAGES
    assert {path: manifest_language(path) for path in MANIFESTS} == MANIFESTS
    assert None not in map(manifest_language, MANIFESTS)
    assert {*map(manifest_language, ("a.json", "src/a.py", "README.md", ""))} == {None}


WSL = "\\\\wsl.localhost\\Ubuntu\\home\\me\\app"


@pytest.mark.parametrize(("path", "cwd", "found"), [
    ("a.py", "/home/x/", "/home/x/a.py"), ("../a", "/h/x", "/h/a"), ("", "/a", "/a"),
    ("~/a", "/h", "~/a"), ("$OUT/a", "/h", "$OUT/a"), ("a\\b", "/x", "/x/a\\b"),
    ("C:\\Users\\me\\app\\a.cs", "/mnt/c/Users/me/app", "/mnt/c/Users/me/app/a.cs"),
    ("src/x.go", "D:\\o", "D:/o/src/x.go"), ("/d/o/x.go", "D:\\o", "D:/o/x.go"),
    ("/mnt/d/o/x.go", "D:\\o", "D:/o/x.go"), ("/d/o/x.go", "/home/x", "/d/o/x.go"),
    ("src/a.py", WSL, "/home/me/app/src/a.py"),
    (f"{WSL}/{WSL}\\src\\a.py", WSL, "/home/me/app/src/a.py"),
    ("//wsl$/Debian/home/me/a.py", None, "/home/me/a.py"),
    ("\\\\server\\share\\x.py", "\\\\server\\share", "//server/share/x.py"),
    ("/private/tmp/a", "/tmp", "/tmp/a"), ("/private/etc/a", "/tmp", "/private/etc/a"),
])  # fmt: skip
def test_one_file_has_one_spelling(path: str, cwd: str | None, found: str) -> None:
    assert absolute(path, cwd) == found


@pytest.mark.parametrize(("path", "root", "inside"), [
    ("/a/b/c", "/a", "b/c"), ("/a", "/a/", ""), ("/ab", "/a", None), ("x.py", "/a", "x.py"),
    ("/x", "/", "x"), ("../x", "/a", None),
    ("C:\\Users\\me\\app\\src\\A.cs", "/mnt/c/Users/me/app", "src/A.cs"),
    ("/c/Code/x.go", "c:\\Code", "x.go"), ("/tmp/app/a.py", "/private/tmp/app", "a.py"),
])  # fmt: skip
def test_a_path_below_a_root(path: str, root: str, inside: str | None) -> None:
    assert relative(path, root) == inside
