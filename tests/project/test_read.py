"""A checkout's facts, read from real files."""

import json
import os
import time
from pathlib import Path

import pytest

from ace_reflect.project.facts import Project, Scope
from ace_reflect.project.git import stamp
from ace_reflect.project.read import read_project


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def scopes(root: Path, files: dict[str, str]) -> dict[tuple[str, str], tuple[str, bool]]:
    """(folder, language) -> test command and whether there are tests."""
    found = read_project(str(lay(root, files)))
    return {(each.dir, each.language): (each.test_command, each.tested) for each in found.scopes}


def npm(**scripts: str) -> str:
    return json.dumps({"scripts": {name.replace("_", ":"): body for name, body in scripts.items()}})


TASKS = {
    "npm": ({"package.json": npm(test="vitest run")}, "javascript", "npm run test"),
    "pnpm": ({"package.json": npm(test="jest --ci"), "pnpm-lock.yaml": ""}, "javascript", "pnpm run test"),
    "yarn": ({"package.json": npm(test="mocha"), "yarn.lock": ""}, "javascript", "yarn run test"),
    "bun": ({"package.json": npm(test="bun test src"), "bun.lock": ""}, "javascript", "bun run test"),
    "unit": ({"package.json": npm(test="playwright test", test_unit="vitest")}, "javascript", "npm run test:unit"),
    "deno": ({"deno.json": '{"tasks": {"test": "deno test -A"}}'}, "javascript", "deno task test"),
    "composer": ({"composer.json": '{"scripts": {"test": ["@lint", "phpunit"]}}'}, "php", "composer test"),
    "make": ({"Makefile": ".PHONY: test\nCC := gcc\ntest: build\n\t@go test ./...\nbuild:\n\tgo build\n", "go.mod": "module x"}, "go", "make test"),
    "just": ({"justfile": "default: test\ntest *args:\n    pytest {{args}}\n", "pyproject.toml": ""}, "python", "just test"),
    # what `npm init` writes, and files without such a task
    "none": ({"package.json": npm(test="echo 'Error: no test specified' && exit 1")}, "javascript", ""),
    "other": ({"package.json": npm(lint="eslint .", test_e2e="playwright test")}, "javascript", ""),
    "no target": ({"Makefile": "deploy:\n\tscp test: y\ntest := 1\n", "setup.py": ""}, "python", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", TASKS)
def test_a_task_that_is_called_as_tests_is_the_command(name: str, tmp_path: Path) -> None:
    files, language, command = TASKS[name]

    assert scopes(tmp_path, files) == {("", language): (command, False)}


#: Files -> the test command of their one scope and its languages, and whether there are tests.
SCOPES: list[tuple[dict[str, str], dict[tuple[str, str], tuple[str, bool]]]] = [
    ({"package.json": npm(test="./scripts/check.sh"), "src/a.test.ts": ""}, {("", "javascript"): ("npm run test", True)}),
    ({"app.py": "", "tests/test_app.py": ""}, {("", "python"): ("", True)}),
    ({"Gemfile": "", "spec/post_spec.rb": "", "package.json": npm(test="vitest run"), "app/cart.js": ""}, {("", "ruby"): ("", True), ("", "javascript"): ("npm run test", False)}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "found"), SCOPES)
def test_what_files_say_of_tests_together(files, found, tmp_path):
    assert scopes(tmp_path, files) == found


TEST_FILES = {
    "python": {"pyproject.toml": "", "tests/test_a.py": ""},
    "javascript": {"package.json": "{}", "src/__tests__/a.js": ""},
    "go": {"go.mod": "module x", "x_test.go": ""},
    "rust": {"Cargo.toml": "", "src/lib.rs": "#[cfg(test)]\nmod tests {}\n"},
    "jvm": {"build.gradle.kts": "", "src/test/kotlin/ATest.kt": ""},
    "dotnet": {"App.sln": "", "src/App/App.csproj": "<Project/>", "tests/T/T.csproj": "", "tests/T/UnitTest1.cs": ""},
    "ruby": {"Gemfile": "", "spec/post_spec.rb": ""},
    "php": {"composer.json": "{}", "tests/CartTest.php": ""},
    "elixir": {"mix.exs": "", "test/a_test.exs": ""},
    "swift": {"Package.swift": "", "Tests/ATests/ATests.swift": ""},
    "dart": {"pubspec.yaml": "", "test/a_test.dart": ""},
    "c": {"CMakeLists.txt": "", "lib/CMakeLists.txt": "", "lib/tests/test_a.cc": ""},
}  # fmt: skip


@pytest.mark.parametrize("language", TEST_FILES)
def test_a_unit_test_file_under_a_manifest_makes_tests_certain(language, tmp_path):
    project = read_project(str(lay(tmp_path, TEST_FILES[language])))

    assert [(each.dir, each.language, each.tested) for each in project.scopes] == [
        ("", language, True)
    ]


@pytest.mark.parametrize("files", [
    {"package.json": "{}", "src/a.ts": "", "test/server.js": ""},
    {"package.json": "{}", "e2e/login.spec.ts": "", "src/b.cy.ts": ""},
    {"package.json": "{}", "node_modules/x/a.test.js": "", ".cache/a.test.js": ""},
    {"Cargo.toml": '[package]\nname="x"\n', "src/main.rs": "fn main() {}"},
    {"go.mod": "module x", "main.go": "package main", "testdata/x_test.go": ""},
    {"pyproject.toml": "[tool.pytest.ini_options]\n", "x.py": "", "tests/make_data.py": ""},
    {"Makefile": "deploy:\n\tscp x y\n"},
    {"README.md": "# Notes"},
    {},
])  # fmt: skip
def test_a_project_without_a_single_test_has_none(files: dict[str, str], tmp_path: Path) -> None:
    assert not any(known for _, known in scopes(tmp_path, files).values())


def test_each_package_of_a_monorepo_is_a_scope_of_its_own(tmp_path: Path) -> None:
    files = {
        "package.json": npm(lint="eslint ."),
        "pnpm-lock.yaml": "",
        "packages/api/package.json": npm(test="vitest run"),
        "packages/my site/package.json": npm(build="astro build", test="vitest"),
        "tools/gen/go.mod": "module gen",
        "tools/gen/gen_test.go": "",
        "packages/api/tests/fixtures/app/package.json": npm(test="jest"),
    }

    assert scopes(tmp_path, files) == {
        ("", "javascript"): ("", False),
        ("packages/api", "javascript"): ("cd packages/api && pnpm run test", False),
        ("packages/my site", "javascript"): ("cd 'packages/my site' && pnpm run test", False),
        ("tools/gen", "go"): ("", True),
    }


def test_pipes_loops_and_links_hold_nothing_up(tmp_path: Path) -> None:
    root = tmp_path / "r"
    lay(root, {"src/go.mod": "module x", "src/x_test.go": ""})
    lay(tmp_path, {"outside/package.json": npm(test="jest"), "outside/a.test.js": ""})
    os.mkfifo(root / "package.json")
    (root / "pyproject.toml").symlink_to("/dev/zero")
    (root / "composer.json").symlink_to("/etc/passwd")
    (root / "loop").symlink_to(root)
    (root / "away").symlink_to(tmp_path / "outside")
    started = time.monotonic()

    project = read_project(str(root))

    assert time.monotonic() - started < 10
    assert [(each.dir, each.language, each.tested) for each in project.scopes] == [
        ("src", "go", True)
    ]


def test_a_deep_and_wide_tree_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / Path(*["d"] * 40)).mkdir(parents=True)
    (tmp_path / "wide").mkdir()
    for number in range(2_100):
        (tmp_path / "wide" / f"f{number}").touch()
    lay(tmp_path, {"zz/go.mod": "", "go.mod": "", "a_test.go": ""})

    assert read_project(str(tmp_path)).scopes[0] == Scope(dir="", language="go", tested=True)


@pytest.mark.parametrize(("name", "text"), [
    ("package.json", "[" * 100_000), ("package.json", npm(check="npm run ci", ci="npm run check")),
    ("Makefile", "test: " * 100_000),
])  # fmt: skip
def test_a_manifest_without_end_is_no_error(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert read_project(str(tmp_path)).stamps
    assert not read_project(str(tmp_path / "gone")).stamps


def test_a_project_survives_json_and_its_stamps_tell_when_it_changed(tmp_path: Path) -> None:
    lay(tmp_path, {"package.json": npm(test="node --test"), "api/go.mod": "module x"})
    project = read_project(str(tmp_path))

    again = Project.from_json(project.to_json())

    assert again == project
    assert all(stamp(line.partition("\t")[0]) == line for line in again.stamps)
    (tmp_path / "api/go.mod").write_text("module xyz")
    assert not all(stamp(line.partition("\t")[0]) == line for line in again.stamps)
